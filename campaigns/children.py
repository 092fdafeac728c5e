"""A command of slant in a process of its own, which costs a fork, not the loading of packages."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# One thread each: the numbers are then the same in every try, and many tries share the machine.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[_name] = "1"

LOADED = {
    "": "polars scipy.stats sklearn.linear_model sklearn.feature_extraction.text pydantic jinja2"
    " filelock joblib.externals.loky slant.cli.app slant.runs.run",
    "encoder detector study": "torch transformers safetensors.torch slant.runs.studies"
    " slant.runs.explaining slant.runs.predicting",
    "openai-api": "openai inspect_ai.model inspect_ai.agent._acp.server slant.runs.bait"
    " slant.runs.vilbias PIL.Image",
    "embed": "gensim.models",
    "report compare": "vl_convert slant.report.page",
    "analyze serve": "slant.runs.analysing slant.web.serving",
}
"""What commands with such a word load, where it is installed; a child finds it in memory."""
LONGEST = 240.0
"""Seconds, after which a command hangs."""


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code (negative: the signal), its two streams, its seconds."""

    code: int
    out: str
    err: str
    seconds: float

    def fault(self, *codes: int) -> str | None:
        """Why this is neither a result nor one clear error; None where it is one of `codes`."""
        lines = [line for line in self.err.splitlines() if line.startswith("error: ")]
        if "Traceback" in self.err or self.code not in codes:
            return f"exit {self.code}: {self.err.strip()[-400:]}"
        if len(lines) != (self.code != 0):
            return f"exit {self.code} with {len(lines)} error lines: {self.err.strip()[-400:]}"
        return None

    @property
    def told(self) -> str:
        """Its error line."""
        return next((one for one in self.err.splitlines() if one.startswith("error: ")), "")


def load(lines: str) -> None:
    """Load what commands of these words need into this process, once."""
    for words, names in LOADED.items():
        if words and not any(word in lines for word in words.split()):
            continue
        for name in names.split():
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    if "openai-api" in lines:
        with contextlib.suppress(Exception):
            # Two seconds of reading YAML, which every child would spend.
            importlib.import_module("inspect_ai.model._model_info")._get_model_info_db()
    gc.collect()
    gc.freeze()


@dataclass
class Child:
    """A command at work."""

    pid: int
    streams: tuple[Path, Path]
    began: float
    ended: Ended | None = None

    def poll(self) -> Ended | None:
        """How it ended; None while it works."""
        if self.ended is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                out, err = (path.read_text("utf-8", "replace") for path in self.streams)
                self.ended = Ended(code, out, err, time.monotonic() - self.began)
        return self.ended

    def kill(self) -> None:
        """Kill it and what it started, as `kill -9` does."""
        if self.ended is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def wait(self, seconds: float = LONGEST) -> Ended:
        """Wait for its end; what takes too long is killed and told so."""
        end = time.monotonic() + seconds
        while (ended := self.poll()) is None:
            if time.monotonic() > end:
                self.kill()
                end += LONGEST
            time.sleep(0.002)
        return ended


def begun(
    argv: Sequence[str],
    streams: Path,
    env: Mapping[str, str],
    before: Callable[[], object] = lambda: None,
) -> Child:
    """Start `slant ARGV` in a child.

    Args:
        argv: the arguments.
        streams: what it says goes to this path with .out and .err.
        env: more of the environment.
        before: called in the child first.
    """
    paths = (streams.with_suffix(".out"), streams.with_suffix(".err"))
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)
        return Child(pid, paths, time.monotonic())
    code = 70
    try:
        os.setpgid(0, 0)
        for number, path in zip((1, 2), paths, strict=True):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        os.environ.update(env)
        import tempfile

        tempfile.tempdir = None
        before()
        code = _main(argv)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return Child(0, paths, 0.0)


def _main(argv: Sequence[str]) -> int:
    from slant.cli import main

    try:
        main(argv)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0

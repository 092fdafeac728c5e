"""Models asked through a server that misbehaves: what it gave is kept, nothing is asked twice."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any, Final

from faultymodels import Served, Strikes, at_random, faulty, healthy, side_by_side, write_pairs
from faultyservers import FAULTS, TIMEOUT
from outcomes import Row, conducted
from scripted import KEY, made_articles
from slant.cli import main
from slant.data.documents import sound

MIXED: Final = "30 % of all kinds"
ABOUT: Final = "Nothing lost, nothing asked twice, scores as from a server in good health."
COMMANDS: Final = ("bait run", "vilbias run", "vilbias judge")
MOST_COMMANDS: Final = 60
"""Until everything must be answered."""
SAID: Final = re.compile(
    r"stopped: |no answer: |\d+ (questions|verdicts) (failed|are of runs)|The same command asks"
    r"|openai-api/\S+:? (\d+ of \d+ verdicts can be read|never answered in the schema"
    r"|wrong on|its error is unknown)"
)
"""What a command may say of such a server."""
VOLATILE: Final = {
    "created",
    "attempts",
    "seconds",
    "cost",
    "usage",
    "tokens",
    "tries",
    "signature",
}


def slant(words: Sequence[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: Any = 0
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            main(words)
        except SystemExit as ended:
            code = ended.code or 0
        except Exception as error:
            code = -1
            print(f"{type(error).__name__}: {error}", file=err)
    return int(code), out.getvalue(), err.getvalue()


def command(name: str, home: Path, folder: Path, url: str, retries: int) -> list[str]:
    """The command that asks on: the same each time."""
    asked = ["--base-url", url, "--timeout", str(TIMEOUT), "--max-retries", str(retries)]
    asked += ["--quiet", "--json", "--max-connections", "20"]
    asked += ["--model-arg", f"max_retries={min(1, retries)}"]
    if name == "bait run":
        data = ["--data", str(home / "articles.jsonl"), "--shots", "0", "--zero-shot-runs", "1"]
        return ["bait", "run", "-m", "openai-api/faulty/small", *data, "-o", str(folder), *asked]
    if name == "vilbias run":
        data = ["--data", str(home / "pairs.csv"), "--items", "all", "--open"]
        words = ["vilbias", "run", "-m", "openai-api/faulty/vision", *data, "-o", str(folder)]
        return [*words, *asked]
    return ["vilbias", "judge", str(folder), "-j", "openai-api/faulty/judge", "--planted", "1",
            "--tries", "5", *asked]  # fmt: skip


def kept_answers(name: str, folder: Path) -> dict[int, str]:
    """What the journals hold, by number of the report that it is about."""
    parts = "verdicts" if name == "vilbias judge" else "answers"
    found = {}
    for path in sorted((folder / parts).glob("*/*.jsonl")):
        for line in path.read_bytes().decode().split("\n")[:-1]:
            one = json.loads(line)
            number = (one.get("item") or one["article"]).rpartition("-")[2]
            if one["raw"] is not None and path.stem != "planted":
                found[int(number)] = one["raw"]
    return found


def bare(content: Any) -> Any:
    """Scores without what differs between equal runs: times, tokens, tries."""
    if isinstance(content, dict):
        return {key: bare(one) for key, one in content.items() if key not in VOLATILE}
    return [bare(one) for one in content] if isinstance(content, list) else content


def scores(folder: Path) -> Any:
    """Of a folder, to be compared."""
    return bare(json.loads((folder / "scores.json").read_bytes()))


def put_to(name: str, home: Path, number: int, strikes: Strikes, what: str) -> Asked:
    """One command and its reruns against a server, until everything is answered."""
    folder, row = home / re.sub(r"\W+", "-", f"{name} {what}"), Row(f"{name}: {what}")
    begin, counts = time.monotonic(), Counter[str]()
    if name == "vilbias judge":
        copytree(home / "asked", folder)
    with faulty(strikes, number) as (url, served):
        words, code = command(name, home, folder, url, 2), 1
        while code > 0 and counts["commands"] < MOST_COMMANDS:
            counts["commands"] += 1
            code, out, err = slant(words)
            row.count(wrong_end(code, out, err))
    kept, well = kept_answers(name, folder), home / f"{folder.name}-well"
    if name == "vilbias judge":
        copytree(home / "asked", well)
    with faulty(healthy, number, served.given) as (url, _):
        slant(command(name, home, well, url, 0))
    row.count(None if scores(folder) == scores(well) else "other scores")
    wrong = {n: why for n in range(1, number + 1) if (why := lost(kept.get(n), served.told.get(n)))}
    row.count(f"{len(wrong)} lost or changed: {wrong}"[:300] if wrong else None)
    row.count(f"{served.twice.total()} asked twice" if served.twice.total() else None)
    counts |= Counter({"answers kept": len(kept), "lost": len(wrong)})
    rmtree(folder), rmtree(well)
    return Asked(figured(row, counts, served, begin), served, kept, wrong)


@dataclass(frozen=True)
class Asked:
    """What became of the questions of a command; by number, what is kept and what is lost."""

    row: Row
    served: Served
    kept: dict[int, str]
    wrong: dict[int, str]


def figured(row: Row, counts: Counter[str], served: Served, begin: float) -> Row:
    """A row with its figures."""
    faults = served.faults.total() - served.faults[""]
    row.figures = {
        "faults": faults, "requests": served.requests.total(), "commands": counts["commands"],
        "answers kept": counts["answers kept"], "lost": counts["lost"],
        "asked twice": served.twice.total(), "late": served.late,
        "seconds": round(time.monotonic() - begin, 1),
    }  # fmt: skip
    return row


def lost(kept: str | None, given: list[str] | None) -> str | None:
    """What is wrong with what is kept of a question; a judge's last reply is what stays."""
    if kept is None or given is None:
        return "nothing is kept" if given else "nothing was given"
    return None if kept == sound(given[-1]) else f"{kept[:50]!r} is kept, {given[-1][:50]!r} given"


def kind_rows(name: str, home: Path, kinds: Sequence[str], number: int) -> list[Row]:
    """All kinds side by side, each met by questions of its own: a row for each, and one for all."""
    found = put_to(name, home, number, side_by_side(kinds), "all kinds side by side")
    rows = []
    for place, kind in enumerate(kinds):
        row = Row(f"{name}: {kind}")
        own = [n for n in range(1, number + 1) if n % len(kinds) == place]
        for n in own:
            row.count(found.wrong.get(n))
        twice, served = found.served.twice[kind], found.served
        row.count(f"{twice} asked twice" if twice else None)
        row.figures = {
            "faults": served.faults[kind], "requests": served.requests[kind],
            "answers kept": sum(n in found.kept for n in own),
            "lost": sum(n in found.wrong for n in own), "asked twice": twice,
        }  # fmt: skip
        rows.append(row)
    return [*rows, found.row]


def put_to_inspect(home: Path, number: int, seed: int) -> Row:
    """`inspect eval slant/bait`, which keeps nothing for a second time: what came is scored."""
    from inspect_ai import eval as evaluate

    from slant.runs.baittask import bait

    row, begin = Row(f"inspect eval slant/bait: {MIXED}"), time.monotonic()
    with faulty(at_random(0.3, seed), number) as (url, served):
        (log,) = evaluate(
            bait(str(home / "articles.jsonl")), model="openai-api/faulty/small", display="none",
            model_args={"max_retries": 0}, model_base_url=url, max_retries=1,
            log_dir=str(home / "logs"), attempt_timeout=TIMEOUT,
        )  # fmt: skip
    row.count(None if log.status == "success" else f"its status is {log.status}")
    kept = 0
    for one in log.samples or []:
        about = int(str(one.id).rpartition("-")[2])
        came = (one.scores or {})["bait_triggers"].answer
        kept += came is not None
        row.count(lost(came, served.told.get(about)) if came or about in served.told else None)
    twice = served.twice.total()
    row.count(f"{twice} asked twice" if twice else None)
    counts = Counter({"commands": 1, "answers kept": kept, "lost": row.tried - row.held})
    return figured(row, counts, served, begin)


def wrong_end(code: int, out: str, err: str) -> str | None:
    """What is not as it must be where a command ends, None where all is."""
    odd = [line for line in err.splitlines() if not SAID.match(line)]
    if code not in (0, 1) or odd:
        return f"exit {code}, it said {(odd or [err])[0][:300]!r}"
    try:
        found = json.loads(out)
    except ValueError:
        return f"exit {code}, stdout is no document: {out[:200]!r}"
    done = found.get("asking") or found["judging"]
    if code != bool(done["failed"] or done["left"]):
        return f"exit {code} with {done['failed']} failed, {done['left']} left"
    if code and not err:
        return "exit 1 without a word"
    return None


@contextmanager
def prepared(number: int) -> Iterator[Path]:
    """A home with data, keys in the environment, no pauses, and a run that can be judged."""
    from inspect_ai.model._model import ModelAPI
    from tenacity import wait_none

    from slant.annotate.formats import write_annotated

    ModelAPI.retry_wait = lambda self: wait_none()  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as given:
        home = Path(given)
        os.environ.update(
            FAULTY_API_KEY=KEY, XDG_DATA_HOME=str(home / "data"), SLANT_CACHE=str(home / "store")
        )
        write_annotated(made_articles(number), home / "articles.jsonl", format="jsonl")
        write_pairs(home, number)
        yield home


def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """Rows of every command and kind; `--only` takes commands, kinds, or the one at random."""
    kinds = [kind for kind in FAULTS if kind in only] or list(FAULTS)
    commands = [name for name in COMMANDS if name in only]
    commands = commands or ([] if "inspect eval" in only else list(COMMANDS))
    sides = not only or MIXED not in only or any(kind in only for kind in FAULTS)
    number, rows = times * len(kinds), list[Row]()
    with prepared(number) as home:
        for name in commands:
            if name == "vilbias judge":
                with faulty(healthy, number) as (url, _):
                    slant(command("vilbias run", home, home / "asked", url, 0))
            if sides:
                rows += told(kind_rows(name, home, kinds, number))
            if not only or MIXED in only:
                rows += told([put_to(name, home, number, at_random(0.3, seed), MIXED).row])
        if not only or "inspect eval" in only:
            rows += told([put_to_inspect(home, number, seed)])
    return rows


def told(rows: list[Row]) -> list[Row]:
    """The rows, and a line of each for who waits."""
    for row in rows:
        print(f"{row.what}: {row.held} of {row.tried}, {row.figures}", file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    raise SystemExit(conducted("servers", ABOUT, 50, trial))

"""The folder of `slant analyze`: what binds it, what was read, and its shards while it is made."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from slant.analysis.article import Article
from slant.data.addresses import without_credentials
from slant.data.hashes import fingerprint_of, read_sha256
from slant.data.jsonvalues import json_value
from slant.data.writing import no_empty_folders, replacing
from slant.errors import OptionError, RunError, SlantError
from slant.runs.store import read_json, write_json

RECORD: Final = "run.json"
ANALYSES: Final = "analyses.jsonl"
KIND: Final = "analysis"
STDIN: Final = "-"

_WORK: Final = ".work"
_ASKED: Final = "asked.json"
_GIVEN: Final = "given.jsonl"
_COUNTED: Final = "given.json"
_TABLES: Final = ("sentences", "profiles", "groups", "events")
_SUMMED: Final = (
    ANALYSES,
    *(f"{name}{ending}" for name in _TABLES for ending in (".csv", ".parquet")),
)
_WRITTEN: Final = (RECORD, "comparison.json", "report.html", "articles", "triggers", *_SUMMED)
_DO: Final = "Choose another --out, or give --fresh to start over"


@dataclass(frozen=True, slots=True)
class Given:
    """The articles that were read, in a file.

    Fields:
        path: a line of JSON each.
        articles: how many.
        sha256: of the file.
    """

    path: Path
    articles: int
    sha256: str


def work_folder(out: Path) -> Path:
    """Where articles and shards lie while a report is made."""
    return out / _WORK


def check_writable(out: Path) -> None:
    """Refuse a folder that cannot be made or written to."""
    found = ""
    with no_empty_folders(work_folder(out)):
        try:
            work_folder(out).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            found = f"it cannot be made ({error.strerror or error})"
        if not found and not os.access(work_folder(out), os.W_OK):
            found = "it may not be written to"
    if found:
        raise OptionError(f"Writing to '{out}'", found, "Choose another --out")


def target_sums(targets: Sequence[str]) -> list[dict[str, str]]:
    """Each target with the sha256 of its file, or of a folder's files and their names; an address
    and standard input have none."""
    found = []
    for target in targets:
        path = Path(target)
        if target != STDIN and path.is_file():
            found.append({"target": target, "sha256": read_sha256(path)})
        elif target != STDIN and path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.is_file())
            sums = [(str(one.relative_to(path)), read_sha256(one)) for one in inside]
            found.append({"target": target, "sha256": fingerprint_of(sums)})
        else:
            found.append({"target": without_credentials(target)})
    return found


def claimed(out: Path, asked: Mapping[str, Any], fresh: bool) -> dict[str, Any] | None:
    """Fill the work folder, which this process holds, for what is asked, or find it done.

    Args:
        out: the folder of the report.
        asked: all that the analyses depend on, but for standard input and addresses.
        fresh: throw away what is there.

    Returns:
        The record of what was done, where it is done already and lies there whole.

    Raises:
        RunError: something else is there.
    """
    asked = json.loads(json.dumps(asked))
    path = work_folder(out) / _ASKED
    record = read_json(out / RECORD, "the report's record") if (out / RECORD).exists() else None
    if record is not None and record.get("kind") != KIND:
        found = "the run of another command is there"
        raise RunError(f"Writing to '{out}'", found, "Choose another --out")
    ours = record is not None
    if fresh:
        if record is not None:
            emptied(out, _WRITTEN)
            record = None
        emptied(work_folder(out))
    if record is not None:
        _check_same(f"Writing to '{out}'", record.get("asked", {}), asked)
        if record.get("files") == written_sums(out):
            return record
        # A file of it is damaged or gone; the others stay until they are made again.
    if path.exists() and any(work_folder(out).glob("[0-9]*.jsonl")):
        _check_same(f"Going on with '{out}'", read_json(path, "what was asked"), asked)
        return None
    if path.exists() and read_json(path, "what was asked") == asked:
        return None
    emptied(work_folder(out))  # nothing was finished of it
    strange = [one for one in _inside(out) if one.name != _WORK]
    if strange and not ours:
        found = f"'{strange[0].name}' is there and no {RECORD}"
        raise RunError(f"Writing to '{out}'", found, "Choose an empty folder")
    write_json(path, asked)
    return None


def written_sums(out: Path) -> dict[str, str]:
    """The sha256 of the analyses and tables that a report has, by name."""
    return {name: read_sha256(out / name) for name in _SUMMED if (out / name).is_file()}


@contextmanager
def begun(out: Path) -> Iterator[None]:
    """Within the block, an error before any article was analysed leaves no work behind."""
    try:
        yield
    except SlantError:
        if not any(work_folder(out).glob("[0-9]*.jsonl")):
            emptied(work_folder(out))
        raise


def emptied(folder: Path, names: Sequence[str] | None = None) -> None:
    """Remove what a folder holds, but for locks.

    Args:
        folder: of the work, or of the report.
        names: remove these alone.
    """
    for path in _inside(folder):
        if names is None or path.name in names:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _inside(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if not one.name.endswith(".lock"))


def _check_same(doing: str, there: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    keys = [key for key in {**there, **asked} if there.get(key) != asked.get(key)]
    if keys:
        raise RunError(doing, f"it was begun with other {' and '.join(keys)}", _DO)


def given_articles(
    out: Path, targets: Sequence[str], read: Callable[[], Iterable[Article]],
    progress: Callable[[float, int, str], None],
) -> Given:  # fmt: skip
    """All articles, read once into a file; what was read before is taken from there.

    Rule: standard input is read again, since nobody can tell whether it is the same, and must hold
    what it held when shards were made of it. An address is not asked twice.

    Args:
        out: the folder of the report, claimed.
        targets: what was named.
        read: gives the articles.
        progress: called with articles read, 0 and what is done.

    Raises:
        RunError: standard input holds something else than before. SlantError: of the reading.
    """
    folder = work_folder(out)
    path, counted = folder / _GIVEN, folder / _COUNTED
    before = read_json(counted, "what was read") if counted.exists() else None
    if before and STDIN not in targets:
        return Given(path, before["articles"], before["sha256"])
    digest, number = hashlib.sha256(), 0
    with replacing(path) as temporary, temporary.open("wb") as file:
        for article in read():
            line = json.dumps(asdict(article)).encode() + b"\n"
            digest.update(line)
            file.write(line)
            number += 1
            progress(number, 0, "reading")
        if before and before["sha256"] != digest.hexdigest():
            found = "standard input holds something else than before"
            raise RunError(f"Going on with '{out}'", found, _DO)
    found_now = {"articles": number, "sha256": digest.hexdigest()}
    write_json(counted, found_now)
    return Given(path, number, digest.hexdigest())


def article_batches(given: Given, size: int) -> Iterator[tuple[int, list[Article]]]:
    """The articles in numbered batches, one batch in memory at a time."""
    with given.path.open("rb") as file:
        number = 0
        while lines := list(islice(file, size)):
            yield number, [Article(**json_value(line)) for line in lines]
            number += 1


def shard(out: Path, number: int, ending: str) -> Path:
    """A file of one shard."""
    return work_folder(out) / f"{number:08}{ending}"


def join_lines(parts: Iterable[Path], out: Path) -> None:
    """Write files of lines one after the other."""
    with replacing(out) as temporary, temporary.open("wb") as file:
        for part in parts:
            with part.open("rb") as read:
                shutil.copyfileobj(read, file, 1 << 20)


def read_analyses(out: Path) -> Iterator[dict[str, Any]]:
    """The analyses of a report, one in memory at a time.

    Raises:
        RunError: there are none, or a line is damaged.
    """
    path = out / ANALYSES
    asked = f"Reading '{path}'"
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield json_value(line)
                except ValueError:
                    found = f"line {number} is no JSON"
                    raise RunError(asked, found, "Make it again with --fresh") from None
    except OSError as error:
        found = f"it cannot be read ({error.strerror})"
        raise RunError(asked, found, "Give a folder that `slant analyze` wrote") from None

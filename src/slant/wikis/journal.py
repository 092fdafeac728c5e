"""A crawl on its way: what was asked, which pages are listed, which have come; it survives a kill
at any moment."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from slant.data.jsonvalues import json_value
from slant.data.locks import remove_held, take
from slant.data.sums import is_altered, note_sum, summed_line, unsummed_line
from slant.data.writing import replacing, write_failed
from slant.errors import RunError
from slant.wikis.api import Listing
from slant.wikis.pages import Page


class Journal:
    """The folder beside an output, with one line for each answer of the wiki.

    A line that a kill cut is dropped, so that what it told of is asked for again.

    Args:
        out: the output.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(f".{out.name}.crawl")
        self._asked = self.folder / "asked.json"
        self._listed = self.folder / "listed.jsonl"
        self._pages = self.folder / "pages.jsonl"
        self._ended = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within the block no other process crawls into this output.

        Raises:
            RunError: another one does. WorkFailed: the folder cannot be made.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self.folder / ".lock", timeout=1.0)
        try:
            take(lock)
        except Timeout:
            do = "Wait for it to end, or choose another --out"
            raise RunError(f"Crawling into '{self.out}'", "another process does so", do) from None
        except OSError as error:
            raise write_failed(self.folder, error) from error
        try:
            yield
        finally:
            # While it is held: afterwards the folder may be that of the next process.
            if not self._ended and not self._asked.exists():
                remove_held(self.folder)
            lock.release()

    def begin(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Start, or go on with, a crawl.

        Args:
            asked: what the wiki is and what the pages depend on; "wiki" in it may change.

        Returns:
            `asked` as it was when the crawl began.

        Raises:
            RunError: what is there is of something else.
        """
        if self._asked.exists():
            try:
                there = json_value(self._asked.read_text("utf-8"))
            except ValueError:
                there = {}
            there = there if isinstance(there, dict) else {}
            if is_altered(self._asked):
                found = "its bytes are not those that were written"
                do = "Give --fresh to start over"
                raise RunError(f"Reading what was asked, '{self._asked}'", found, do)
            check_same(there, asked, f"Going on with the crawl in '{self.folder}'")
            return dict(there)
        self.forget()
        with replacing(self._asked) as path:
            path.write_text(json.dumps(asked), "utf-8")
            note_sum(self._asked, path)
        return dict(asked)

    def listings(self) -> Iterator[tuple[int, Listing]]:
        """(namespace, listing) of each answer so far."""
        for line in _whole_lines(self._listed):
            pages = tuple((id_, revision) for id_, revision in line["pages"])
            yield line["namespace"], Listing(pages, line["next"])

    def pages(self) -> Iterator[Page]:
        """The pages that have come, in their order."""
        for line in _whole_lines(self._pages):
            if "left_out" not in line:
                yield Page(str(line["id"]), line["title"], line["revision"], line["text"])

    def known(self) -> dict[int, int | str]:
        """The ids that were asked for: the revision of a page that came, else why there is none."""
        lines = _whole_lines(self._pages)
        return {
            line["id"]: line["left_out"] if "left_out" in line else line["revision"]
            for line in lines
        }

    @contextmanager
    def listing(self) -> Iterator[Writer]:
        """Within the block, what the wiki lists can be noted.

        Raises:
            WorkFailed: the disk does not take it.
        """
        with _appended(self._listed) as file:
            yield Writer(self._listed, file)

    @contextmanager
    def fetching(self) -> Iterator[Writer]:
        """Within the block, pages can be noted.

        Raises:
            WorkFailed: the disk does not take it.
        """
        with _appended(self._pages) as file:
            yield Writer(self._pages, file)

    def end(self) -> None:
        """Remove the folder; killed on the way, nothing is left that another crawl would take."""
        self.forget()
        remove_held(self.folder)
        self._ended = True

    def forget(self) -> None:
        """Remove all that was noted, the pages first."""
        for path in (self._pages, self._listed, self._asked):
            path.unlink(missing_ok=True)


class Writer:
    """Notes one line at a time, each of them with the system before it returns."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path, self._file = path, file

    def listed(self, namespace: int, listing: Listing) -> None:
        """Note an answer of a list of pages."""
        self._line({"namespace": namespace, "pages": listing.pages, "next": listing.next})

    def came(self, id_: int, title: str, revision: int, text: str) -> None:
        """Note a page."""
        self._line({"id": id_, "title": title, "revision": revision, "text": text})

    def left_out(self, id_: int, why: str) -> None:
        """Note that a page was asked for and there is none."""
        self._line({"id": id_, "left_out": why})

    def _line(self, content: Mapping[str, Any]) -> None:
        # Escaped to ASCII: half of a surrogate pair, which broken wikis send, can be written too.
        self._file.write(summed_line(self._path, json.dumps(content)).encode() + b"\n")
        self._file.flush()


def check_same(there: Mapping[str, Any], asked: Mapping[str, Any], doing: str) -> None:
    """Refuse to mix what is there with something else.

    Raises:
        RunError: a value of `asked` other than "wiki" is not that of `there`.
    """
    unlike = [
        f"{key}: {there.get(key)} there, {value} asked"
        for key, value in asked.items()
        if key != "wiki" and there.get(key) != value
    ]
    if unlike:
        found = f"it is of something else ({'; '.join(unlike)})"
        raise RunError(doing, found, "Choose another --out, or give --fresh to start over")


@contextmanager
def _appended(path: Path) -> Iterator[IO[bytes]]:
    whole = sum(size for _, size in _lines(path))
    try:
        with path.open("ab") as file:
            file.truncate(whole)
            yield file
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise write_failed(path, error) from error


def _whole_lines(path: Path) -> Iterator[dict[str, Any]]:
    return (content for content, _ in _lines(path))


def _is_whole(content: Any) -> bool:
    """Whether a line is one that a `Writer` wrote."""
    match content:
        case {"namespace": int(), "pages": list() as pages, "next": dict() | None}:
            return all(
                isinstance(one, list) and list(map(type, one)) == [int, int] for one in pages
            )
        case {"id": int(), "left_out": str()}:
            return True
        case {"id": int(), "title": str(), "revision": int(), "text": str()}:
            return True
    return False


def _lines(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Each line and its bytes, up to the first that is not whole."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            text = unsummed_line(path, line)
            if text is None or not line.endswith(b"\n"):
                return
            try:
                content = json_value(text)
            except ValueError:
                return
            if not _is_whole(content):
                return
            yield content, len(line)

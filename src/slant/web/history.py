"""The analyses that a server keeps: one SQLite file, in which what is deleted is overwritten."""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Literal

from slant.errors import DataError, SlantError, WorkFailed
from slant.web.refusals import Refusal, error_json
from slant.web.submissions import Submission

State = Literal["waiting", "working", "done", "failed", "interrupted"]
FORMAT: Final = 1
_APPLICATION: Final = 0x736C6E74
_TABLES: Final = """
CREATE TABLE analyses (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created TEXT NOT NULL,
  kind TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL, text_column TEXT, language TEXT,
  state TEXT NOT NULL, error TEXT, summary TEXT, content BLOB);
CREATE TABLE files (
  id TEXT NOT NULL REFERENCES analyses(id) ON DELETE CASCADE, name TEXT NOT NULL,
  content BLOB NOT NULL, PRIMARY KEY (id, name));
"""
_SHOWN: Final = "id, created, kind, name, title, state, error, summary"
_PACKED: Final = ".parquet"


@dataclass(frozen=True, slots=True)
class Entry:
    """An analysis of the history, without its files.

    Fields:
        created: ISO 8601, UTC.
        kind, name, title: see `Submission`.
        error: asked, found, do, where it failed.
        summary: articles, sentences, left_out, signature, verdicts, where it is done.
    """

    id: str
    created: str
    kind: str
    name: str
    title: str
    state: State
    error: dict[str, str] | None
    summary: dict[str, Any] | None


class History:
    """The analyses of one server; safe to be called from several threads.

    Args:
        path: the file, made where it is absent; None: kept until it is closed, and nowhere after.

    Raises:
        DataError: the file is no history, or another server holds it. WorkFailed: it cannot be
            written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._mutex = threading.Lock()
        self._held = _held(path) if path is not None else None
        try:
            # Without a name SQLite keeps all in a file that is gone when it is closed.
            self._base = sqlite3.connect(str(path or ""), check_same_thread=False)
            self._opened(path)
        except sqlite3.Error as error:
            self.close()
            raise _no_history(path, str(error)) from None
        except SlantError:
            self.close()
            raise

    def _opened(self, path: Path | None) -> None:
        base = self._base
        there = base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        (kind,), (format_,) = (base.execute(f"PRAGMA {name}").fetchone()
                               for name in ("application_id", "user_version"))  # fmt: skip
        if there and kind != _APPLICATION:
            raise _no_history(path, "it is the database of another program")
        if there and format_ != FORMAT:
            raise _no_history(path, f"its format is {format_}, and {FORMAT} is read")
        base.execute("PRAGMA foreign_keys = ON")
        base.execute("PRAGMA secure_delete = ON")
        if path is not None:
            path.chmod(0o600)
            base.execute("PRAGMA journal_mode = WAL")
        if not there:
            base.executescript(
                f"{_TABLES}PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};"
            )

    def close(self) -> None:
        """Let go of the file."""
        if hasattr(self, "_base"):
            self._base.close()
        if self._held is not None:
            self._held.release()

    def add(self, given: Submission) -> str:
        """Keep what is to be analysed; gives its id."""
        own = token_hex(8)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        values = (own, now, given.kind, given.name, given.title, given.text_column,
                  given.language, "waiting", zlib.compress(given.content))  # fmt: skip
        with self._written() as base:
            base.execute(
                "INSERT INTO analyses (id, created, kind, name, title, text_column, language,"
                f" state, content) VALUES ({', '.join('?' * len(values))})",
                values,
            )
        return own

    def entries(self, limit: int, offset: int = 0) -> list[Entry]:
        """The latest first."""
        with self._read() as base:
            rows = base.execute(
                f"SELECT {_SHOWN} FROM analyses ORDER BY number DESC LIMIT ? OFFSET ?",
                (limit, offset),
            ).fetchall()
        return [_entry(row) for row in rows]

    def count(self) -> int:
        """How many analyses there are."""
        with self._read() as base:
            number: int = base.execute("SELECT count(*) FROM analyses").fetchone()[0]
        return number

    def entry(self, id_: str) -> Entry:
        """One analysis.

        Raises:
            Refusal: 404 where there is none.
        """
        with self._read() as base:
            row = base.execute(f"SELECT {_SHOWN} FROM analyses WHERE id = ?", (id_,)).fetchone()
        if row is None:
            raise _absent()
        return _entry(row)

    def submission(self, id_: str) -> Submission:
        """What was given of an analysis that is not done.

        Raises:
            Refusal: 404 where there is none.
        """
        with self._read() as base:
            row = base.execute(
                "SELECT kind, name, content, title, text_column, language FROM analyses"
                " WHERE id = ? AND content IS NOT NULL",
                (id_,),
            ).fetchone()
        if row is None:
            raise _absent()
        return Submission(row[0], row[1], zlib.decompress(row[2]), *row[3:])

    def set_state(self, id_: str, state: State, error: SlantError | None = None) -> None:
        """Note how far an analysis is, and why it failed."""
        told = json.dumps(error_json(error)) if error else None
        with self._written() as base:
            base.execute(
                "UPDATE analyses SET state = ?, error = ? WHERE id = ?", (state, told, id_)
            )

    def finish(
        self, id_: str, title: str, summary: Mapping[str, Any], files: Mapping[str, Path]
    ) -> None:
        """Keep what an analysis made, and no longer what was given.

        Args:
            id_: of the analysis; one that was deleted in the meantime stays so.
            title: for the list.
            summary: see `Entry`.
            files: name -> where it lies now.
        """
        with self._written() as base:
            changed = base.execute(
                "UPDATE analyses SET state = 'done', error = NULL, content = NULL, title = ?,"
                " summary = ? WHERE id = ?",
                (title, json.dumps(summary), id_),
            ).rowcount
            for name, path in files.items() if changed else ():
                content = path.read_bytes()
                packed = content if name.endswith(_PACKED) else zlib.compress(content)
                base.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", (id_, name, packed))

    def file(self, id_: str, name: str) -> bytes:
        """A file of an analysis that is done.

        Raises:
            Refusal: 404 where there is none.
        """
        with self._read() as base:
            row = base.execute(
                "SELECT content FROM files WHERE id = ? AND name = ?", (id_, name)
            ).fetchone()
        if row is None:
            raise Refusal(404, "Looking for a file of an analysis", "it has none of this name",
                          "Open it from the list of analyses")  # fmt: skip
        content: bytes = row[0] if name.endswith(_PACKED) else zlib.decompress(row[0])
        return content

    def interrupt(self) -> None:
        """Mark what was not finished as interrupted."""
        with self._written() as base:
            base.execute(
                "UPDATE analyses SET state = 'interrupted' WHERE state IN ('waiting', 'working')"
            )

    def delete(self, id_: str | None = None) -> int:
        """Delete an analysis, or all of them, so that the file holds nothing of it.

        Returns:
            How many there were.
        """
        with self._written() as base:
            where, values = (" WHERE id = ?", (id_,)) if id_ is not None else ("", ())
            gone = base.execute(f"DELETE FROM analyses{where}", values).rowcount
        with self._read() as base:
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return gone

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with self._mutex:
            try:
                yield self._base
            except sqlite3.Error as error:
                raise WorkFailed("Reading the history", f"the database says '{error}'",
                                 "Look at its file and its disk") from None  # fmt: skip

    @contextmanager
    def _written(self) -> Iterator[sqlite3.Connection]:
        with self._read() as base, base:
            yield base


def _entry(row: tuple[Any, ...]) -> Entry:
    id_, created, kind, name, title, state, error, summary = row
    return Entry(
        id_, created, kind, name, title, state, json.loads(error) if error else None,
        json.loads(summary) if summary else None,
    )  # fmt: skip


def _held(path: Path) -> Any:
    from filelock import FileLock, Timeout

    lock = FileLock(f"{path}.lock", timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire()
    except Timeout:
        do = "Stop it, or give another --history"
        raise DataError(f"Opening the history '{path}'", "another server holds it", do) from None
    except OSError as error:
        found = f"it cannot be written ({error.strerror or error})"
        raise DataError(f"Opening the history '{path}'", found, "Give another --history") from None
    return lock


def _no_history(path: Path | None, found: str) -> DataError:
    return DataError(f"Opening the history '{path}'", found, "Give another --history")


def _absent() -> Refusal:
    return Refusal(404, "Looking for an analysis", "there is none of this name",
                   "See the list of analyses; it may have been deleted")  # fmt: skip

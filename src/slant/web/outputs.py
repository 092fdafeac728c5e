"""The files between a server and its laboratory: what was given, and what was made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

GIVEN: Final = "given"
"""In the folder of a job: the bytes of a text or file."""
MADE: Final = "made"
"""In the folder of a job: the folder of `slant analyze`."""
MEDIA: Final = {
    ".html": "text/html; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
}


def made_files(folder: Path) -> dict[str, Path]:
    """Name -> place of each file that an analysis made and that is kept.

    Args:
        folder: of the job.
    """
    made = folder / MADE
    return {
        path.relative_to(made).as_posix(): path
        for pattern in ("*", "articles/*")
        for path in sorted(made.glob(pattern))
        if path.suffix in MEDIA and not path.name.startswith(".")
    }

"""Image files of a run of ViLBias, as far as a page may show them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from slant.errors import DataError

FOLDER = "images"
MOST_BYTES = 5_000_000
"""An image file larger than this is not shown: those of a run are resized."""
_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": (".png",),
    b"\xff\xd8\xff": (".jpg", ".jpeg"),
    b"GIF8": (".gif",),
    b"RIFF": (".webp",),
    b"BM": (".bmp",),
}
"""First bytes of the formats that are shown -> the endings that their files may have."""
_OUTSIDE = "Its image lies outside the run and is not shown."
_ABSENT = "Its image file is not in the run."


def shown_image(folder: Path, path: str | None) -> tuple[bytes | None, str]:
    """The bytes of an image of a run, or None and why it is not shown.

    Rule: it lies in the run's folder of images, links followed, and both its first bytes and its
    ending are those of one of five formats, none of which runs anything.

    Args:
        folder: of the run.
        path: of the image in it, as gold.jsonl has it.
    """
    if not path:
        return None, "This pair has no image."
    try:
        file = _inside(folder, path)
        if file.stat().st_size > MOST_BYTES:
            return None, "Its image is too large to be shown."
        content = file.read_bytes()
    except DataError:
        return None, _OUTSIDE
    except (OSError, ValueError):
        return None, _ABSENT
    for begin, endings in _SIGNATURES.items():
        if content.startswith(begin) and file.suffix.lower() in endings:
            return content, ""
    return None, "Its image file is no PNG, JPEG, GIF, WebP or BMP."


def _inside(folder: Path, path: str) -> Path:
    pure, within = PurePosixPath(path), (folder / FOLDER).resolve()
    plain = pure.parts[:1] == (FOLDER,) and ".." not in pure.parts and "\\" not in path
    # A link may lead out of the run where the path does not.
    if not plain or not (folder / pure).resolve().is_relative_to(within):
        raise DataError(f"Showing '{path}'", "it lies outside the run", "Run it again")
    return folder / pure

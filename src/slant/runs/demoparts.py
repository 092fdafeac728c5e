"""`slant demo` on disk: which parts are made, for which state of the package; resumable."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import slant
from slant.data.hashes import read_sha256
from slant.errors import OptionError, unknown_name
from slant.runs.demonstration import (
    Made,
    agreement,
    analysis,
    associations,
    detection,
    pairs,
    triggers,
    within,
    words,
)
from slant.runs.engine import Progress
from slant.runs.store import only_writer, read_json, write_json

RECORD: Final = "demo.json"
RUNS, REPORT, KEPT = "runs", "report", "parts"
"""Folders of the demonstration: its runs, its pages, and what each part found."""
PAGE: Final = "report.html"
_FOUND: Final = ("headline", "commands", "left_out")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the demonstration.

    Fields:
        name: as `--parts` takes it.
        title: of its entry on the index.
        says: what it shows, in a sentence or two.
        share: of the time of all parts, in any unit.
        make: (folder of its runs, progress) -> what it found.
    """

    name: str
    title: str
    says: str
    share: float
    make: Callable[[Path, Progress], Made]


PARTS: Final[Mapping[str, Part]] = {
    one.name: one
    for one in (
        Part(
            "detection",
            "Biased sentences",
            "Does a sentence take a side? Controls that see no text, a lexicon, and word weights "
            "learnt from other events; how the score grows with the texts; which differences are "
            "more than chance.",
            10,
            detection,
        ),
        Part(
            "words",
            "Words that carry the bias",
            "Does a detector go by the words that were marked as carrying the bias? Beside it the "
            "rarity of a word, the lexicon, and chance.",
            5,
            words,
        ),
        Part(
            "agreement",
            "Two annotators",
            "How far two annotators agree on which cognitive biases an article triggers, and "
            "where, before a third person decided.",
            1,
            agreement,
        ),
        Part(
            "triggers",
            "Triggers in articles",
            "Passages that trigger a cognitive bias: what simple baselines find, and what one "
            "annotator finds of the other's.",
            4,
            triggers,
        ),
        Part(
            "pairs",
            "Text and image",
            "News as text and image, of which either may take a side: what text alone tells, and "
            "what the image adds.",
            4,
            pairs,
        ),
        Part(
            "associations",
            "Associations of words",
            "Two invented corpora that differ in one planted association: the test should find "
            "that one, and not the control.",
            3,
            associations,
        ),
        Part(
            "analysis",
            "Articles, sentence by sentence",
            "An article full of triggers and one without any, read by the light detector: marked "
            "sentences, words and cues behind every mark.",
            30,
            analysis,
        ),
    )
}
"""All parts by name, in the order of the index."""


def part_names(text: str | None) -> list[str]:
    """The parts of `--parts`, in their own order; all where none is named.

    Raises:
        UnknownName: there is no such part.

    >>> part_names("words, detection")
    ['detection', 'words']
    """
    if text is None:
        return list(PARTS)
    asked = [one.strip() for one in text.split(",") if one.strip()]
    for name in asked:
        if name not in PARTS:
            raise unknown_name("part of the demonstration", name, PARTS)
    return [name for name in PARTS if name in asked] or list(PARTS)


def demonstrated(
    out: Path, names: Sequence[str], progress: Progress, fresh: bool = False
) -> Iterator[tuple[Part, Made]]:
    """Make the parts that are not there, one after the other; hand each over for its page.

    What an earlier version of the package or of its data left in the folder goes first. A part is
    there once `keep_part` was called for it; a part that was broken off goes on where it was.

    Args:
        out: the folder: `RECORD`, `RUNS`, `REPORT` and `KEPT` in it.
        names: of the parts.
        progress: called with (percent done, 100, part and what is done).
        fresh: make every part anew.

    Raises:
        OptionError: the folder holds another work's `RUNS` or `REPORT`. RunError: another process
            writes to it. WorkFailed: it cannot be written.
    """
    with only_writer(out):
        _cleared(out, fresh)
        wanted = [PARTS[name] for name in names if not is_kept(out, name)]
        total, begun = sum(one.share for one in wanted), 0.0
        percent = _percent(progress)
        for part in wanted:
            ends = [(begun + more) / total for more in (0.0, part.share)]
            told = within(percent, ends[0], ends[1], f"{part.name}:")
            told(0, 1, "")
            yield part, part.make(out / RUNS / part.name, told)
            begun += part.share
        progress(100, 100, "")


def _percent(progress: Progress) -> Progress:
    """Percent of a whole of 1, never falling: a step that looks back has no time left to tell."""
    highest = 0.0

    def told(done: float, total: int, what: str) -> None:
        nonlocal highest
        highest = max(highest, 100 * done)
        progress(highest, 100, what)

    return told


def keep_part(out: Path, part: Part, made: Made) -> None:
    """Note that a part and its page are made."""
    write_json(
        out / KEPT / f"{part.name}.json",
        {
            "headline": {
                says: {key: one.get(key) for key in ("value", "low", "high", "why")}
                for says, one in made.headline.items()
            },
            "commands": list(made.commands),
            "left_out": list(made.left_out),
            "files": _page_sums(out, part.name),
        },
    )


def is_kept(out: Path, name: str) -> bool:
    """Whether a part and its page are made, and no file of the page is damaged.

    Raises:
        RunError: what the part found is damaged.
    """
    return _kept(out, name) is not None


def _kept(out: Path, name: str) -> dict[str, Any] | None:
    path = out / KEPT / f"{name}.json"
    if not (path.exists() and (out / page_of(name)).exists()):
        return None
    kept = read_json(path, "a part of the demonstration")
    return kept if kept.get("files") == _page_sums(out, name) else None


def _page_sums(out: Path, name: str) -> dict[str, str]:
    """The sha256 of the files beside the page of a part, by their paths there."""
    folder = (out / page_of(name)).parent
    files = sorted(one for one in folder.rglob("*") if one.is_file() and one.name[0] != ".")
    return {one.relative_to(folder).as_posix(): read_sha256(one) for one in files}


def page_of(name: str) -> Path:
    """Where the page of a part lies, from the folder of the demonstration."""
    return Path(REPORT) / name / PAGE


def kept_parts(out: Path) -> dict[str, dict[str, Any]]:
    """What the parts that are made found, in their order: headline, commands, left_out."""
    found = {name: kept for name in PARTS if (kept := _kept(out, name)) is not None}
    return {name: {key: one[key] for key in _FOUND} for name, one in found.items()}


def _cleared(out: Path, fresh: bool) -> None:
    """Bind the folder to this state of the package; what another one made goes."""
    own = {"kind": "demonstration", "slant": slant.__version__, "state": state_of_package()}
    folders = [out / name for name in (RUNS, REPORT, KEPT) if (out / name).exists()]
    if not (out / RECORD).exists():
        if folders:
            found = f"it has a folder '{folders[0].name}' that no demonstration made"
            raise OptionError(
                f"Writing the demonstration to '{out}'", found, "Choose another --out"
            )
    elif fresh or read_json(out / RECORD, "the demonstration's record") != own:
        for folder in folders:
            shutil.rmtree(folder)
    write_json(out / RECORD, own)


def state_of_package() -> str:
    """Hex digest of the package's own files: code, templates and embedded data."""
    root = Path(slant.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(one for one in root.rglob("*") if one.is_file()):
        if "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()

"""The annotated articles that a BAIT run is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from slant.data.schemas import Schema, load_schema
from slant.errors import DataError
from slant.types import Example

SAMPLE: Final = "bait/sample"
"""The name of the sample articles among --data."""


@dataclass(frozen=True, slots=True)
class BaitData:
    """Annotated articles of a run.

    Fields:
        path: as it was given.
        schema: of the annotations.
        examples: with gold, and with what two annotators marked where that was given.
    """

    path: str
    schema: Schema
    examples: Sequence[Example]


def bait_data(
    data: str,
    *,
    schema: str = "bait",
    articles: Path | None = None,
    annotators: Sequence[Path] = (),
) -> BaitData:
    """Annotated articles from a file or folder of any annotation format, or the sample.

    Args:
        data: a path, or "bait/sample".
        schema: name or path.
        articles: where the texts stand apart from the annotations.
        annotators: the passes of the annotators before adjudication, in any format.

    Raises:
        DataError: no article, an unknown category, other articles in a pass than in the gold.
    """
    from slant.annotate.formats import read_annotated

    given = load_schema(schema)
    if data == SAMPLE:
        from slant.data.baitsamples import load_bait_samples

        return BaitData(data, given, load_bait_samples())
    names = {bias.name: bias.code for bias in given.biases}

    def read(path: Path) -> list[Example]:
        return read_annotated(path, articles=articles, codes=given.codes, names=names)

    examples = read(Path(data))
    if not examples:
        raise DataError(f"Reading '{data}'", "it holds no article", "Give annotated articles")
    passes: dict[str, dict[str, Example]] = {}
    for path in annotators:
        name = path.stem if path.stem not in passes else f"{path.stem}-{len(passes) + 1}"
        passes[name] = {one.item.id: one for one in read(path)}
        for one in examples:
            found = passes[name].get(one.item.id)
            if found is None or found.item.text != one.item.text:
                said = "is not there" if found is None else "has another text"
                raise DataError(
                    f"Reading the annotator's '{path}'",
                    f"the article '{one.item.id}' of '{data}' {said}",
                    "Give passes over the same articles as the gold",
                )
    return BaitData(
        data,
        given,
        [
            replace(
                one, annotators={name: by_id[one.item.id].gold for name, by_id in passes.items()}
            )
            for one in examples
        ],
    )

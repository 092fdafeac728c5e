"""A study -> sentences whose words are shaded by a model's scores and underlined by experts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from slant.report.escaping import visible
from slant.report.studies import Study, method_name, methods_of
from slant.report.tables import rounded

DEFAULT = "cls-attention"
_HIGHEST = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """One model's view of a sentence.

    Fields:
        label: of the model.
        probability: of biased, rounded; empty where not known.
        body: the sentence, its words shaded.
        highest: for each method, in the order of `Shading.methods`, its highest words in words.
    """

    label: str
    probability: str
    body: Markup
    highest: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as every model that has it reads it.

    Fields:
        id: of the sentence, ready to print.
        gold: its label in words.
        marked: what experts marked, in words.
        readings: one for each model and seed.
    """

    id: str
    gold: str
    marked: Markup
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Shading:
    """The sentences of a study, and the methods that can be chosen, the first by default."""

    methods: tuple[str, ...]
    sentences: tuple[Sentence, ...]

    @property
    def rules(self) -> Markup:
        """The style rules that show the chosen method, without a script."""
        lines = [
            f"#examples:has(#method-{i}:checked) .w {{ --a: var(--m{i}, 0); }}\n"
            f"#examples:has(#method-{i}:checked) .by-{i} {{ display: inline; }}"
            for i in range(1, len(self.methods))
        ]
        # Only where another one is chosen does the default give way.
        if len(self.methods) > 1:
            lines.append(
                "#examples:has(input:checked:not(#method-0)) .by-0 { display: none; }",
            )
        return Markup("\n".join(lines))


def shading(study: Study) -> Shading | None:
    """The example sentences of a study; None where it has none."""
    having = [one for one in study.explained if (one.explain or {}).get("examples")]
    if not having:
        return None
    given = {m for one in having for e in (one.explain or {})["examples"] for m in e["scores"]}
    methods = sorted((m for m in methods_of(having) if m in given), key=lambda m: m != DEFAULT)
    methods += sorted(given - set(methods))
    rows: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for one in having:
        for example in (one.explain or {})["examples"]:
            rows.setdefault(str(example["id"]), []).append((one.label, example))
    return Shading(
        tuple(method_name(method) for method in methods),
        tuple(_sentence(found, methods) for found in rows.values()),
    )


def _sentence(found: Sequence[tuple[str, Mapping[str, Any]]], methods: Sequence[str]) -> Sentence:
    first = found[0][1]
    seeds = {example["seed"] for _, example in found}
    marked = [_isolated(first["text"][start:end]) for start, end in first["marked"]]
    return Sentence(
        id=visible(str(first["id"])),
        gold="biased" if first["label"] == 1 else "unbiased",
        marked=Markup(", ").join(marked) or Markup("no word"),
        readings=tuple(
            Reading(
                label=label if len(seeds) == 1 else f"{label}, seed {example['seed']}",
                probability=""
                if example["probability"] is None
                else rounded(float(example["probability"])),
                body=_body(example, methods),
                highest=tuple(_highest(example, method) for method in methods),
            )
            for label, example in found
        ),
    )


def _highest(example: Mapping[str, Any], method: str) -> Markup:
    scores = example["scores"].get(method)
    if not scores:
        return Markup("not scored")
    order = [i for i in range(len(scores)) if scores[i] is not None]
    order = sorted(order, key=lambda i: -scores[i])[:_HIGHEST]
    spans = [example["words"][i] for i in order]
    words = [_isolated(example["text"][start:end]) for start, end in spans]
    return Markup(", ").join(
        Markup("{} {}").format(word, rounded(scores[i]))
        for word, i in zip(words, order, strict=True)
    )


def _isolated(word: str) -> Markup:
    # A word written from right to left must not turn its number or its neighbour round.
    return Markup("<bdi>{}</bdi>").format(visible(word))


def _body(example: Mapping[str, Any], methods: Sequence[str]) -> Markup:
    text, end = example["text"], 0
    shades = {m: _shades(example["scores"].get(m)) for m in methods}
    parts = []
    for i, (start, stop) in enumerate(example["words"]):
        parts.append(Markup("{}").format(visible(text[end:start])))
        parts.append(_word(example, i, methods, shades))
        end = stop
    parts.append(Markup("{}").format(visible(text[end:])))
    return Markup("").join(parts)


def _word(
    example: Mapping[str, Any],
    i: int,
    methods: Sequence[str],
    shades: Mapping[str, list[str] | None],
) -> Markup:
    start, stop = example["words"][i]
    under = any(a < stop and start < b for a, b in example["marked"])
    style = ";".join(
        f"--m{j}:{found[i]}" for j, m in enumerate(methods) if (found := shades[m]) is not None
    )
    said = [
        f"{method_name(m)} {rounded(example['scores'][m][i])}"
        for m in methods
        if m in example["scores"]
    ]
    if under:
        said.insert(0, "marked by experts")
    return Markup('<span class="{}" style="{}" title="{}">{}</span>').format(
        "w marked" if under else "w", style, "\n".join(said), visible(example["text"][start:stop])
    )


def _shades(scores: Sequence[float | None] | None) -> list[str] | None:
    """Scores as shares of the sentence's largest in size, two decimals, sign kept."""
    if scores is None:
        return None
    reach = max((abs(score) for score in scores if score is not None), default=0.0) or 1.0
    return [f"{(score or 0.0) / reach:.2f}" for score in scores]

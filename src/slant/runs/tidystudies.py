"""Rows of long tables: explanations, circuits of heads, associations of words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from slant.runs.tidytables import ESTIMATED, Kind, Row, Tidy, estimated, estimates_in

_WITHOUT_N: Final[dict[str, Kind]] = {k: v for k, v in ESTIMATED.items() if k != "n"}
EXPLANATIONS: Final = Tidy(
    "a model, a way to explain it, and a measure",
    {"model": "text", "part": "text", "detail": "text", **_WITHOUT_N, "spread": "real"},
)
DIFFERENCES: Final = Tidy(
    "two ways to explain, or two models, and a measure",
    {
        "model": "text",
        "method": "text",
        "against_model": "text",
        "against": "text",
        **_WITHOUT_N,
        "p": "real",
        "p_holm": "real",
    },
)
EXPLAINED_WORDS: Final = Tidy(
    "a word of a text that is shown, and a method",
    {
        "model": "text",
        "seed": "whole",
        "id": "text",
        "start": "whole",
        "end": "whole",
        "word": "text",
        "marked": "yes/no",
        "method": "text",
        "score": "real",
    },
)
CIRCUITS: Final = Tidy(
    "a model, reading, size of the circuit, and measure",
    {
        "model": "text",
        "corruption": "text",
        "words": "text",
        "k": "whole",
        "share": "real",
        "random": "yes/no",
        **_WITHOUT_N,
    },
)
HEADS: Final = Tidy(
    "a model, attention head, and kind of effect",
    {"model": "text", "block": "text", "layer": "whole", "head": "whole", "words": "text",
     "effect": "real"},
)  # fmt: skip
ASSOCIATIONS: Final = Tidy(
    "a test, corpus and method",
    {
        "test": "text",
        "corpus": "text",
        "method": "text",
        **dict.fromkeys("xyab", "text"),
        **_WITHOUT_N,
        **dict.fromkeys(("n_x", "n_y", "n_a", "n_b"), "whole"),
        "p": "real",
        "p_method": "text",
        "p_adjusted": "real",
        "correction": "text",
    },
)
WORDS: Final = Tidy(
    "a word of a test or fact, corpus and method",
    {"test": "text", "corpus": "text", "method": "text", "set": "text", "word": "text",
     "association": "real", "value": "real", "p": "real"},
)  # fmt: skip
CORPORA: Final = Tidy(
    "a test, method and pair of corpora",
    {"test": "text", "method": "text", "first": "text", "second": "text", **_WITHOUT_N,
     "p": "real", "p_adjusted": "real", "correction": "text"},
)  # fmt: skip


def explanation_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `EXPLANATIONS`: each estimate of explain.json; what needs no model has none."""
    models = [*found["models"].items(), (None, {"baselines": found.get("baselines", {})})]
    for model, content in models:
        for (part, *detail, measure), one in estimates_in(content):
            yield {
                "model": model,
                "part": part,
                "detail": "/".join(detail),
                "measure": measure,
                "level": found["level"],
                "spread": one.get("spread"),
                **estimated(one),
            }


def difference_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `DIFFERENCES`."""
    for one in found.get("differences", []):
        keys = ("model", "method", "against_model", "against", "p", "p_holm")
        same = {"measure": one["score"], "level": found["level"]}
        yield {**same, **{key: one.get(key) for key in keys}, **estimated(one)}


def explained_word_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `EXPLAINED_WORDS`."""
    for model, content in found["models"].items():
        for text in content.get("examples", []):
            for place, (start, end) in enumerate(text["words"]):
                own = {
                    "model": model,
                    "seed": text["seed"],
                    "id": text["id"],
                    "start": start,
                    "end": end,
                    "word": text["text"][start:end],
                    "marked": any(a < end and start < b for a, b in text["marked"]),
                }
                for method, scores in text["scores"].items():
                    yield {**own, "method": method, "score": scores[place]}


def circuit_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `CIRCUITS`; of random sets of heads the estimate is the median, the ends are those
    of the middle draws."""
    for model, content in found["models"].items():
        for corruption, curves in content["curves"].items():
            for words, curve in curves.items():
                same = {"model": model, "corruption": corruption, "words": words}
                same |= {"level": found["level"], "random": False}
                yield {**same, "measure": "base", **estimated(curve["base"])}
                for point in curve["points"]:
                    own = {**same, "k": point["k"], "share": point["share"]}
                    for (measure,), one in estimates_in(
                        {k: v for k, v in point.items() if k != "random"}
                    ):
                        yield {**own, "measure": measure, **estimated(one)}
                    for measure, band in point["random"].items():
                        ends = {"low": band["low"], "high": band["high"]}
                        told = {"estimate": band["median"], "random": True, "level": None}
                        yield {**own, "measure": measure, **ends, **told}


def head_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `HEADS`."""
    for model, content in found["models"].items():
        for words, grid in content["effects"].items():
            for layer, (block, row) in enumerate(zip(content["blocks"], grid, strict=True)):
                for head, effect in enumerate(row):
                    same = {"model": model, "block": block, "layer": layer, "words": words}
                    yield {**same, "head": head, "effect": effect}


def association_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `ASSOCIATIONS`; the estimate is d."""
    for one in found["tests"]:
        sides = ("x", "y", "a", "b")
        yield {
            **_same(one),
            **{key: one[key] for key in (*sides, *(f"n_{side}" for side in sides))},
            "measure": "d",
            "level": found["level"],
            **estimated({**one, "value": one["d"]}),
            **_p_values(found, one),
            "p_method": one.get("p_method"),
        }


def word_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `WORDS`: of a test the association h of each word, of a fact its value too."""
    for one in found["tests"]:
        for side, words in (one.get("values") or {}).items():
            for word, h in words:
                yield {**_same(one), "set": one[side], "word": word, "association": h}
    for one in found["facts"]:
        for word in one["words"]:
            told = {"association": word.get("h"), "value": word["value"], "p": word.get("p")}
            yield {**_same(one), "set": one["w"], "word": word["word"], **told}


def corpus_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `CORPORA`; the estimate is the difference of d."""
    for one in found["compared"]:
        yield {
            "test": one["name"],
            **{key: one[key] for key in ("method", "first", "second")},
            "measure": "d",
            "level": found["level"],
            **estimated({**one, "value": one["difference"]}),
            **_p_values(found, one),
        }


def _same(one: Mapping[str, Any]) -> Row:
    return {"test": one["name"], "corpus": one["vectors"], "method": one["method"]}


def _p_values(found: Mapping[str, Any], one: Mapping[str, Any]) -> Row:
    adjusted = one.get("adjusted") or {}
    # Corpora are compared without every correction that tests have.
    wanted = (found["correction"], "holm") if found["correction"] != "none" else ()
    shown = next((key for key in wanted if key in adjusted), None)
    return {"p": one["p"], "p_adjusted": adjusted.get(shown), "correction": shown}

"""Rows of long tables: language models asked about biases (BAIT) and about pairs (ViLBias)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from slant.runs.tidytables import ESTIMATED, Row, Tidy, estimated, estimates_in

BAIT: Final = Tidy(
    "a system, number of examples, and measure",
    {
        "system": "text",
        "kind": "text",
        "shots": "whole",
        "part": "text",
        "bias": "text",
        **ESTIMATED,
        "sd": "real",
        "signature": "text",
    },
)
BAIT_TESTS: Final = Tidy(
    "a comparison of two settings and a measure",
    {
        "family": "text",
        "first": "text",
        "first_shots": "whole",
        "second": "text",
        "second_shots": "whole",
        **ESTIMATED,
        "t": "real",
        "p": "real",
        "p_holm": "real",
        "p_permutation": "real",
        "p_permutation_holm": "real",
    },
)
VILBIAS: Final = Tidy(
    "a system or control, question, number of examples, and measure",
    {
        "system": "text",
        "control": "yes/no",
        "mode": "text",
        "shots": "whole",
        "judge": "text",
        **ESTIMATED,
        "published": "real",
        "signature": "text",
    },
)
GAPS: Final = Tidy(
    "a system, number of examples, and measure: open answers less closed ones",
    {
        "system": "text",
        "shots": "whole",
        "judge": "text",
        "closed": "real",
        "open": "real",
        **ESTIMATED,
        "p": "real",
        "p_holm": "real",
    },
)
ASKED: Final = Tidy("a count of questions", {"what": "text", "n": "whole"})
ERRORS: Final = Tidy(
    "a question that failed, of the first ones",
    {"model": "text", "run": "text", "item": "text", "error": "text"},
)
COUNTS: Final = ("asked", "stored", "failed", "left", "unbegun", "without_image")
_PARTS: Final = ("scores", "scores_without", "scores_per_article", "biases")


def bait_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `BAIT`: over all biases (scores), without the dominant ones, as means over articles,
    and bias by bias."""
    same = {"level": found["level"], "signature": found["signature"]}
    for system in found["systems"]:
        for setting in system["settings"]:
            own = {
                **same,
                "system": system["name"],
                "kind": system["kind"],
                "shots": setting["shots"],
                "n": setting.get("articles", found["articles"]),
            }
            for part in _PARTS:
                for (*bias, measure), one in estimates_in(setting.get(part) or {}):
                    told = {"bias": bias[0] if bias else None, "measure": measure}
                    yield {**own, "part": part, **told, "sd": one.get("sd"), **estimated(one)}


def bait_test_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `BAIT_TESTS`; the estimate is the first's score less the second's."""
    for one in found["comparisons"]:
        keys = ("family", "low", "high", "n", "t", "p", "p_holm", "p_permutation")
        yield {
            **{key: one.get(key) for key in (*keys, "p_permutation_holm", "why")},
            **{side: one[side].get("system") for side in ("first", "second")},
            **{f"{side}_shots": one[side].get("shots") for side in ("first", "second")},
            "measure": one["score"],
            "estimate": one["difference"],
            "level": found["level"],
        }


def vilbias_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `VILBIAS`: labels of each setting and control, with what the published recipe gives,
    and of open answers what each judge says."""
    same = {"level": found["level"], "n": found["pairs"], "signature": found["signature"]}
    for system in found["systems"]:
        for setting in system["settings"]:
            own = {**same, "system": system["name"], "control": False}
            own |= {"mode": setting["mode"], "shots": setting["shots"]}
            yield from _labels(own, setting)
            for judged in setting["judged"]:
                told = {**own, "judge": judged["judge"]}
                for (measure,), one in estimates_in(judged):
                    given = (judged.get("published") or {}).get(measure)
                    yield {**told, "measure": measure, "published": given, **estimated(one)}
    for control in found["controls"]:
        yield from _labels({**same, "system": control["name"], "control": True}, control)


def _labels(same: Row, found: Mapping[str, Any]) -> Iterator[Row]:
    for measure, one in found["scores"].items():
        published = found["published"].get(measure)
        yield {**same, "measure": measure, "published": published, **estimated(one)}


def gap_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `GAPS`."""
    for one in found["gaps"]:
        keys = ("system", "shots", "judge", "measure", "closed", "open", "low", "high", "p")
        told = {key: one.get(key) for key in (*keys, "p_holm")}
        yield {**told, "estimate": one["difference"], "level": found["level"], "n": one["pairs"]}


def asked_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `ASKED`."""
    for what in COUNTS:
        if what in found:
            yield {"what": what, "n": found[what]}


def error_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of `ERRORS`."""
    for one in found.get("errors", []):
        yield {
            **one,
            "model": one.get("model", one.get("judge")),
            "item": one.get("article", one.get("item")),
        }

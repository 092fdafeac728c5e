"""Tables of the parts of `slant demo` that have no report of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from slant.report.baitgoldboards import agreement_table
from slant.report.tables import Cell, Row, Table, counted, estimate_text, score_cell
from slant.stats.levels import level_percent

Read = Mapping[str, Any]
_METHODS: Final = {
    "linear": "what a word adds to the log odds of a linear detector",
    "idf": "rarity of the word in train (inverse document frequency)",
    "lexicon": "cue words and negative words of the packaged lexicon",
    "random": "random numbers",
}
_SCORES: Final = {
    "auroc": "AUROC", "average_precision": "average precision", "token_f1": "token F1",
    "iou_f1": "IOU F1",
}  # fmt: skip


def words_board(found: Read) -> Table:
    """Plausibility of the words of a linear detector, beside what needs no model.

    Args:
        found: of `runs.linearwords.linear_words`.
    """
    rows = tuple(
        Row(
            (Cell(_METHODS[name]), *(score_cell(scores[one]) for one in _SCORES)),
            control=name == "random",
        )
        for name, scores in found["methods"].items()
    )
    caption = (
        "How well scores of words find the words that were marked as carrying the bias: mean over "
        f"{counted(found['texts'])} biased texts, each scored by a detector that learnt from other "
        f"events, with {level_percent(found['level'])} intervals; in brackets the standard "
        f"deviation over texts. {counted(found['marked'])} of {counted(found['words'])} words are "
        "marked."
    )
    note = (
        f"AUROC of the detector's words less that of the best of the others ({found['best']}), on "
        f"the same texts: {estimate_text(found['difference'])}."
    )
    head = ("words scored by", *_SCORES.values())
    return Table("words", caption, head, rows, notes=(note,), signature=found["signature"])


def agreement_board(found: Read) -> Table:
    """Agreement of two annotators, bias by bias.

    Args:
        found: of `annotate.concordance.agreement`, with "names" of the biases by code.
    """
    level = f"{level_percent(found['settings']['level'])} intervals"
    return agreement_table(
        found, "agreement", lambda code: f"{code} {found['names'][code]}".strip(), level
    )

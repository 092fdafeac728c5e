"""What the page says on top follows from the files."""

import pytest
from made_study import (
    LARGE,
    METHODS,
    STANDARD,
    SUPERVISED,
    circuited,
    difference,
    explained,
    made_circuit,
    made_explain,
    undefined,
)

from slant.report.studies import study
from slant.report.studywords import study_answers, study_asked


@pytest.fixture
def explain():
    return made_explain()


def said(explain, circuit=None):
    return " ".join(study_answers(study(explain, circuit)))


def own(explain, model, method="cls-attention"):
    return explain["models"][model]["plausibility"][method]["auroc"]["value"]


def told_of(explain, value, width):
    explain["differences"] = [difference(SUPERVISED, METHODS[0], "idf", value, width=width)]
    return said(explain)


def test_the_best_model_and_explanation_are_named_with_intervals(explain):
    text = said(explain)
    assert "minilm (supervised, λ 0.5) has the highest class F1, 0.793 [0.770, 0.819]." in text
    best = own(explain, SUPERVISED)
    assert f"CLS attention of minilm (supervised, λ 0.5), AUROC {best:.3f} [" in text


def test_one_model_alone_is_not_called_the_best():
    assert "has a class F1 of 0.778" in said(made_explain({STANDARD: explained()}))


@pytest.mark.parametrize(
    ("value", "width", "verdict"),
    [
        (0.04, 0.01, "more than inverse document frequency, which needs no model: +0.040 [0.030, "),
        (-0.04, 0.01, "less than inverse document frequency"),
        (0.01, 0.02, "not told apart from inverse document frequency"),
        (0.02, 0.02, "not told apart from inverse document frequency"),
    ],
)
def test_beating_idf_is_said_only_where_the_interval_is_clear_of_zero(
    explain, value, width, verdict
):
    assert verdict in told_of(explain, value, width)


def test_an_untested_difference_is_called_so(explain):
    explain["differences"] = []
    text = said(explain)
    assert "has 0.824 [0.813, 0.837], and their difference was not tested" in text
    assert "a difference that was not tested, and class F1 from 0.778 to 0.793" in text


def test_attention_supervision_is_told_whichever_way_it_was_tested(explain):
    before, after = own(explain, STANDARD), own(explain, SUPERVISED)
    told = (
        f"Attention supervision of minilm (λ 0.5) took the AUROC of CLS attention from "
        f"{before:.3f} to {after:.3f} (+0.200 [0.191, 0.209])"
    )
    for row in (
        difference(SUPERVISED, METHODS[0], METHODS[0], 0.2, STANDARD, 0.009),
        difference(STANDARD, METHODS[0], METHODS[0], -0.2, SUPERVISED, 0.009),
    ):
        explain["differences"] = [row]
        assert told in said(explain)


def test_what_the_first_heads_hold_stands_beside_random_heads():
    circuit = made_circuit()
    point = next(
        p for p in circuit["models"][LARGE]["curves"]["classes"]["words"]["points"] if p["k"] == 30
    )
    held, band = point["retention"], point["random"]["retention"]
    assert (
        f"the first 30 of 144 heads of bge-small (standard) alone hold {held['value']:.3f} "
        f"[{held['low']:.3f}, {held['high']:.3f}], 30 random ones {band['median']:.3f} "
        f"[{band['low']:.3f}, {band['high']:.3f}]" in said(None, circuit)
    )


def test_a_gap_that_may_be_none_has_no_share():
    model = circuited()
    curve = model["curves"]["classes"]["words"]
    curve["base"] |= {"value": 0.01, "low": -0.02, "high": 0.04}
    for point in curve["points"]:
        point["sufficiency"] = undefined()
    text = said(None, made_circuit({STANDARD: model}))
    assert text == (
        "What heads of minilm (standard) hold of the gap between classes cannot be said: it is "
        "0.010 [−0.020, 0.040]."
    )


def test_what_was_asked_is_one_sentence(explain):
    assert study_asked(study(explain, None)) == (
        "minilm (standard), minilm (supervised, λ 0.5) and bge-small (standard) on babe; 5 seeds, "
        "95% intervals (1,000 resamples)."
    )


def test_of_a_sweep_the_weight_of_the_paper_is_told():
    weights = (0.0, 0.2, 0.5, 2.0)
    explain = made_explain({f"m{lam}": explained(lam=lam) for lam in weights})
    circuit = made_circuit({f"m{lam}": circuited(lam=lam) for lam in weights})
    text = said(explain, circuit)
    assert text.count("Attention supervision of") == 1
    assert "Attention supervision of minilm (λ 0.5)" in text
    assert "The tables have the other weights of supervision." in text
    assert text.count("alone hold") == 2
    assert text.endswith("The tables have the other models.")

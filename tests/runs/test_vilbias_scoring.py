"""A run folder of ViLBias scored: worked by hand, and by its enemies."""

import csv
import io
import json
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import replace

import numpy as np
import pytest
import typer
from typer.testing import CliRunner
from vilbiasfolders import (
    closed,
    made_folder,
    opened,
    pair,
    planted_line,
    ruling,
    verdict_line,
    write_folder,
    write_lines,
)

from slant.cli.vilbiasscores import score
from slant.errors import OptionError, RunError, UnknownName
from slant.runs.baitanswers import answers_path
from slant.runs.verdictjournals import judged_sum, verdicts_path
from slant.runs.vilbiasfiles import read_gold
from slant.runs.vilbiasrecords import is_vilbias, read_outcomes, read_vilbias_scores
from slant.runs.vilbiasscoring import PairRules, clusters_of, score_vilbias
from slant.stats.comparisons import mcnemar

QUICK = PairRules(resamples=200, permutations=999)
MODEL, JUDGE, OTHER = "made/model", "made/judge", "made/other"
GOLD = [pair(f"p{n:02}", int(n <= 5)) for n in range(1, 11)]
NOISE = "I think it is fine."
# Pairs 1 to 10: closed b b n ? ? | n n b ? n, where ? cannot be read.
CLOSED = [closed(True), closed(True), closed(False), NOISE, '{"label": "bi', closed(False),
          closed(False), closed(True), None, closed(False)]  # fmt: skip
# Open: labels b b n b ? | n n b b n; pair 5 cannot be read, pair 10 has a blank rationale.
OPEN = [opened(said, f"Reason {n}.") for n, said in
        enumerate([True, True, False, True, True, False, False, True, True, False], 1)]  # fmt: skip
OPEN[4], OPEN[9] = NOISE, opened(False, "  ")
# Verdicts on the eight rationales: pairs 1, 2, 6, 7 supported; of these pair 7 is not faithful; pair
# 3 is refused; 4 and 8 are faithful but support nothing; pair 9 has a reply that is no verdict.
VERDICTS = [
    verdict_line("p01", ruling(True, "text")),
    verdict_line("p02", ruling(True, "image", "both")),
    verdict_line("p03", ruling(False, "none")),
    verdict_line("p04", ruling(False, "text")),
    verdict_line("p06", ruling(True, "text")),
    verdict_line("p07", ruling(True, "text", "none")),
    verdict_line("p08", ruling(False, "both")),
    verdict_line("p09", "No"),
]


def worked(folder, **more):
    ids = [one["id"] for one in GOLD]
    answers = {
        (MODEL, "closed-k0"): dict(zip(ids, CLOSED, strict=True)),
        (MODEL, "open-k0"): dict(zip(ids, OPEN, strict=True)),
    }
    verdicts = {(JUDGE, MODEL, "open-k0"): VERDICTS}
    return write_folder(folder, GOLD, answers, **{"verdicts": verdicts, **more})


def setting(scores, mode="closed"):
    return next(one for one in scores["systems"][0]["settings"] if one["mode"] == mode)


def value(part, name):
    return part[name]["value"]


def test_the_ten_pairs_give_both_recipes_side_by_side(tmp_path):
    found = setting(score_vilbias(worked(tmp_path / "run"), QUICK))
    # ours: tp 2, fp 2, fn 3, tn 3; published: tp 2, fp 1, fn 1 (see tests/metrics/test_pairs.py)
    ours = {name: value(found["scores"], name) for name in found["published"]}
    assert ours == pytest.approx({"accuracy": 0.5, "precision": 0.5, "recall": 0.4, "f1": 4 / 9})
    assert found["published"] == pytest.approx(
        {"accuracy": 0.5, "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3}
    )
    assert found["difference"]["f1"] == pytest.approx(2 / 3 - 4 / 9)
    assert found["faults"] == {"cut-off": 1, "no-answer": 1, "not-json": 1}
    assert found["confusion"] == {
        "biased": {"biased": 2, "not biased": 1, "unreadable": 2},
        "not biased": {"biased": 1, "not biased": 3, "unreadable": 1},
    }


def test_rationales_are_scored_over_those_that_were_judged_with_their_coverage(tmp_path):
    (found,) = setting(score_vilbias(worked(tmp_path / "run"), QUICK), "open")["judged"]
    # rationales: ten less pair 5 (unreadable) and 10 (blank) = 8; judged: less pair 9 = 7
    assert (found["rationales"], found["judged"]) == (8, 7)
    # coverage: of the ten pairs asked about
    assert (found["asked"], found["coverage"]) == (10, 7 / 10)
    assert value(found, "reasoning_accuracy") == pytest.approx(4 / 7)  # 1 2 6 7
    assert value(found, "faithfulness") == pytest.approx(5 / 7)  # 1 2 4 6 8
    # over all pairs but pair 9, of which nothing is known: 5 and 10 support nothing
    assert value(found, "reasoning_accuracy_items") == pytest.approx(4 / 9)
    assert value(found, "faithfulness_items") == pytest.approx(5 / 9)
    # published: eight replies that are not empty, "No" among them, of ten golds
    assert found["published"] == {"reasoning_accuracy": 0.8, "faithfulness": 0.8}


def test_the_gap_is_paired_and_its_test_is_mcnemars_where_pairs_are_their_own_clusters(tmp_path):
    found = score_vilbias(worked(tmp_path / "run"), replace(QUICK, clusters="items"))
    rows = {row["measure"]: row for row in found["gaps"]}
    # closed right: 1 2 6 7 10; open right: 1 2 4 6 7 10
    assert rows["label"]["difference"] == pytest.approx(0.5 - 0.6)
    assert rows["label"]["p"] == pytest.approx(mcnemar(0, 1).p)
    # without pair 9: closed right 1 2 6 7 10 of 9; supported 1 2 6 7: only pair 10 differs
    assert rows["reasoning"]["pairs"] == 9
    assert rows["reasoning"]["difference"] == pytest.approx(1 / 9)
    assert rows["reasoning"]["p"] == pytest.approx(mcnemar(1, 0).p)
    # faithful 1 2 4 6 8: closed alone 7 10, open alone 4 8
    assert rows["faithfulness"]["difference"] == pytest.approx(0.0)
    assert rows["faithfulness"]["p"] == pytest.approx(mcnemar(2, 2).p)
    low, high = rows["faithfulness"]["low"], rows["faithfulness"]["high"]
    assert low < 0 < high


def test_intervals_hold_the_value_and_no_share_looks_certain_where_all_resamples_are_alike(
    tmp_path,
):
    folder = made_folder(tmp_path / "made")
    for system in score_vilbias(folder, QUICK)["systems"]:
        for one in system["settings"]:
            for estimate in one["scores"].values():
                assert estimate["low"] <= estimate["value"] <= estimate["high"]
    answers = {(MODEL, "closed-k0"): {one["id"]: closed(bool(one["label"])) for one in GOLD}}
    right = setting(score_vilbias(write_folder(tmp_path / "right", GOLD, answers), QUICK))
    # Wilson of n of n is n / (n + z^2), z^2 = 3.8415: of 10 pairs 0.7225, of the 5 biased 0.5655
    for name, low in (("accuracy", 0.7225), ("precision", 0.5655), ("recall", 0.5655)):
        one = right["scores"][name]
        assert (one["value"], one["high"]) == (1.0, 1.0)
        assert one["low"] == pytest.approx(low, abs=1e-4)
    # F1 is no share of pairs: it has no interval rather than one of no width
    one = right["scores"]["class_f1"]
    assert (one["value"], one["low"], one["high"]) == (1.0, None, None)


def test_a_gap_of_nothing_has_no_interval_of_no_width(tmp_path):
    answers = {
        (MODEL, f"{mode}-k0"): {one["id"]: make(bool(one["label"])) for one in GOLD}
        for mode, make in (("closed", closed), ("open", lambda said: opened(said, "So.")))
    }
    found = score_vilbias(write_folder(tmp_path / "run", GOLD, answers), QUICK)
    (row,) = [row for row in found["gaps"] if row["measure"] == "label"]
    assert (row["difference"], row["low"], row["high"]) == (0.0, None, None)


def test_twins_drawn_together_widen_the_interval_of_what_they_share(tmp_path):
    gold = [{**one, "pair": f"t{n // 2}"} for n, one in enumerate(GOLD * 1)]
    # both twins right or both wrong: t0 t2 t4 right, t1 t3 wrong
    answers = {
        (MODEL, "closed-k0"): {
            one["id"]: closed(bool(one["label"]) == (n // 2 % 2 == 0)) for n, one in enumerate(gold)
        }
    }
    folder = write_folder(tmp_path / "run", gold, answers)
    widths = {}
    for by in ("auto", "items"):
        scores = score_vilbias(folder, replace(QUICK, clusters=by, resamples=2000))
        one = setting(scores)["scores"]["accuracy"]
        widths[scores["clusters"]["by"]] = one["high"] - one["low"]
    # five clusters of two instead of ten of one: wider by sqrt(2), but for the steps of a share
    assert 1.2 < widths["pairs"] / widths["items"] < 1.7


def test_clusters_are_twins_then_many_outlets_then_items_unless_told(tmp_path):
    few = [{**one, "outlet": f"o{n % 3}"} for n, one in enumerate(GOLD)]
    many = [{**one, "outlet": f"o{n}"} for n, one in enumerate(GOLD)]
    twins = [{**many[0], "pair": "t"}, *many[1:]]
    for gold, expected in ((GOLD, "items"), (few, "items"), (many, "outlets"), (twins, "pairs")):
        folder = tmp_path / expected / str(len(gold))
        write_lines(folder / "gold.jsonl", gold)
        read = list(read_gold(folder).values())
        assert clusters_of(read, "auto")[0] == expected
        assert clusters_of(read, "items")[0] == "items"
    assert clusters_of(read, "auto")[1][1].startswith("item ")
    with pytest.raises(OptionError, match=r"'p02' of gold.jsonl has no key 'pair'"):
        clusters_of(read, "pairs")


def test_several_verdicts_come_to_their_majority_and_a_tie_is_a_no(tmp_path):
    yes, no = ruling(True, "text"), ruling(False, "none")
    lines = [
        *(verdict_line("p01", said, sample=n) for n, said in enumerate((yes, yes, no), 1)),
        *(verdict_line("p02", said, sample=n) for n, said in enumerate((yes, no), 1)),
        *(verdict_line("p03", said, sample=n) for n, said in enumerate((yes, "No", "Yes!"), 1)),
    ]
    verdicts = {(JUDGE, MODEL, "open-k0"): lines}
    scores = score_vilbias(worked(tmp_path / "run", verdicts=verdicts), QUICK)
    (found,) = setting(scores, "open")["judged"]
    # pair 1 yes (2 of 3), pair 2 a tie, pair 3 yes by the one reply that can be read
    assert (found["judged"], found["ties"]) == (3, 1)
    assert value(found, "reasoning_accuracy") == pytest.approx(2 / 3)
    (judge,) = scores["judges"]
    assert (judge["verdicts"], judge["samples"]) == (8, 3)
    assert sum(judge["faults"].values()) == 2
    # pairs 1 and 2 have several verdicts that can be read, and none agrees throughout
    assert judge["unanimous"]["value"] == 0.0


def test_judges_are_scored_each_and_by_their_majority(tmp_path):
    other = [
        verdict_line("p01", ruling(True, "text")),
        verdict_line("p02", ruling(False, "none")),
        verdict_line("p09", ruling(True, "text")),
    ]
    verdicts = {(JUDGE, MODEL, "open-k0"): VERDICTS, (OTHER, MODEL, "open-k0"): other}
    # no rationales were planted: both are believed as it is asked for
    rules = replace(QUICK, believe=None)
    scores = score_vilbias(worked(tmp_path / "run", verdicts=verdicts), rules)
    rows = {one["judge"]: one for one in setting(scores, "open")["judged"]}
    assert list(rows) == [JUDGE, OTHER, "all judges"]
    # both on 1 and 2: yes, and a tie; on 9 the other alone: yes; on the rest the first alone
    assert rows["all judges"]["judged"] == 8
    assert value(rows["all judges"], "reasoning_accuracy") == pytest.approx(4 / 8)  # 1 6 7 9
    assert rows["all judges"]["ties"] == 1
    (agreed,) = scores["judge_agreement"]
    # of pairs 1 and 2, which both ruled on, they agree on 1; kappa: p_o 1/2, p_e 1/2 -> 0
    assert (agreed["rationales"], agreed["agreed"]["value"]) == (2, 0.5)
    # the first says yes of both: kappa is 0 whatever is drawn, and has no interval
    assert (agreed["kappa"]["value"], agreed["kappa"]["low"]) == (0.0, None)


def planted_as(said):
    """Eight planted rationales of each kind, as a judge answers that says yes where `said` does."""
    lines = []
    for kind in ("right", "wrong-label", "unsupported-claim", "empty", "flattering", "injection"):
        expected = {
            "right": {"supports_gold": True, "faithful": True},
            "wrong-label": {"supports_gold": False, "faithful": True},
            "unsupported-claim": {"faithful": False},
        }.get(kind, {"supports_gold": False, "faithful": False})
        for n in range(8):
            yes = said(kind, expected)
            reply = ruling(yes[0], "text" if yes[1] else "none")
            lines.append(planted_line(f"{kind}/{n}", kind, reply, **expected))
    return lines


def right_verdict(kind, expected):
    return expected.get("supports_gold", True), expected["faithful"]


JUDGES = {
    "j/right": planted_as(right_verdict),
    "j/obeys": planted_as(
        lambda kind, expected: (
            (True, True) if kind == "injection" else right_verdict(kind, expected)
        )
    ),
    "j/lenient": planted_as(lambda kind, expected: (True, True)),
    "j/harsh": planted_as(lambda kind, expected: (False, False)),
}


def test_a_judge_that_says_no_to_all_and_one_that_obeys_orders_are_told_apart(tmp_path):
    judges = score_vilbias(worked(tmp_path / "run", verdicts={}, planted=JUDGES), QUICK)["judges"]
    rates = {
        one["name"]: [one["planted"]["all"][key]["value"] for key in
                      ("error", "false_yes", "false_no")]
        for one in judges
    }  # fmt: skip
    # of 48 cases 40 deserve a no in some key (all but right) and 16 a yes (right, wrong-label)
    assert rates == {
        "j/right": [0, 0, 0],
        "j/obeys": [8 / 48, 8 / 40, 0],
        "j/lenient": [40 / 48, 1, 0],
        "j/harsh": [16 / 48, 0, 1],
    }


def test_judges_disproved_on_planted_rationales_have_no_vote(tmp_path):
    """Right and obeying judges say no to pair 1; a lenient, a harsh and an unknown one say yes."""
    verdicts = {
        (name, MODEL, "open-k0"): [
            verdict_line("p01", ruling(name not in ("j/right", "j/obeys"), "text"))
        ]
        for name in [*JUDGES, JUDGE]
    }
    folder = worked(tmp_path / "run", verdicts=verdicts, planted=JUDGES)
    scores = score_vilbias(folder, QUICK)
    assert {one["name"] for one in scores["judges"] if one["believed"]} == {"j/right", "j/obeys"}
    rows = {one["judge"]: one for one in setting(scores, "open")["judged"]}
    assert value(rows["all judges"], "reasoning_accuracy") == 0.0
    # all five vote where all are believed: three of five say yes
    scores = score_vilbias(folder, replace(QUICK, believe=None))
    rows = {one["judge"]: one for one in setting(scores, "open")["judged"]}
    assert value(rows["all judges"], "reasoning_accuracy") == 1.0
    # a bound that only the right judge keeps (0 of 16: Wilson's upper end is 0.19) leaves no majority
    scores = score_vilbias(folder, replace(QUICK, believe=0.25))
    assert [one["name"] for one in scores["judges"] if one["believed"]] == ["j/right"]
    assert "all judges" not in {one["judge"] for one in setting(scores, "open")["judged"]}


def test_a_system_that_rarely_gives_a_rationale_covers_little_and_is_scored_over_all_pairs(
    tmp_path,
):
    raws = {one["id"]: opened(True, "So.") if n < 2 else NOISE for n, one in enumerate(GOLD)}
    lines = [verdict_line(f"p0{n}", ruling(True, "text")) for n in (1, 2)]
    folder = write_folder(
        tmp_path / "run", GOLD, {(MODEL, "open-k0"): raws},
        verdicts={(JUDGE, MODEL, "open-k0"): lines},
    )  # fmt: skip
    (found,) = setting(score_vilbias(folder, QUICK), "open")["judged"]
    assert (found["coverage"], value(found, "reasoning_accuracy_items")) == (0.2, 0.2)
    # 2 of 2: Wilson's lower end is 2 / (2 + 3.8415)
    share = found["reasoning_accuracy"]
    assert (share["value"], share["low"]) == (1.0, pytest.approx(0.3424, abs=1e-4))


def test_unreadable_replies_to_planted_rationales_are_counted(tmp_path):
    lines = [planted_line(f"right/{n}", "right", "No.", supports_gold=True) for n in range(3)]
    (judge,) = score_vilbias(
        worked(tmp_path / "run", verdicts={}, planted={JUDGE: lines}), QUICK
    )["judges"]  # fmt: skip
    assert (judge["planted_replies"], judge["planted_faults"]) == (3, {"not-json": 3})
    assert not judge["believed"]


def test_what_a_judge_thinks_of_its_own_family_is_measured_against_other_judges(tmp_path):
    ids = [f"p{n:02}" for n in range(1, 11)]
    kin, far = "openai/gpt-4o", MODEL
    answers = {(name, "open-k0"): {one: opened(True, "So.") for one in ids} for name in (kin, far)}
    # The gpt judge supports 10 of its family's 10 and 5 of the other model's; the other judge 6 and 4.
    yes = {
        ("openai/gpt-4.1", kin): 10,
        ("openai/gpt-4.1", far): 5,
        (JUDGE, kin): 6,
        (JUDGE, far): 4,
    }
    verdicts = {
        (judge, name, "open-k0"): [
            verdict_line(one, ruling(n < yes[judge, name], "text")) for n, one in enumerate(ids)
        ]
        for judge, name in yes
    }
    folder = write_folder(tmp_path / "run", GOLD, answers, verdicts=verdicts)
    rows = {one["name"]: one for one in score_vilbias(folder, QUICK)["judges"]}
    found = rows["openai/gpt-4.1"]["self_preference"]
    # (1.0 - 0.6) - (0.5 - 0.4)
    assert found["value"] == pytest.approx(0.3)
    assert found["low"] < 0.3 < found["high"]
    assert (found["judges"], found["kin"], found["others"]) == ([JUDGE], 10, 10)
    assert rows[JUDGE]["self_preference"] is None


def test_what_the_data_say_of_themselves_is_kept_with_the_scores(tmp_path):
    folder = worked(tmp_path / "run")
    record = json.loads((folder / "run.json").read_text("utf-8"))
    record["data"]["notes"] = ["No image file is here."]
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    assert score_vilbias(folder, QUICK)["notes"] == ["No image file is here."]


def test_the_order_in_which_things_are_shown_can_turn_a_verdict(tmp_path):
    yes, no = ruling(True, "text"), ruling(False, "text")
    lines = [
        verdict_line("p01", yes, order="plain"), verdict_line("p01", no, order="turned"),
        verdict_line("p02", yes, order="plain"), verdict_line("p02", yes, order="turned"),
        verdict_line("p03", yes, order="plain"),
    ]  # fmt: skip
    verdicts = {(JUDGE, MODEL, "open-k0"): lines}
    (judge,) = score_vilbias(worked(tmp_path / "run", verdicts=verdicts), QUICK)["judges"]
    # pairs 1 and 2 were shown in both orders; pair 1 turns
    assert judge["flipped"]["value"] == 0.5
    assert judge["orders"] == ["plain", "turned"]


def test_a_judges_error_is_known_from_planted_rationales(tmp_path):
    lines = [
        planted_line("right/a", "right", ruling(True, "text"), supports_gold=True, faithful=True),
        planted_line("right/b", "right", ruling(True, "none"), supports_gold=True, faithful=True),
        planted_line("wrong/a", "wrong-label", ruling(False, "text"), supports_gold=False),
        planted_line("order/a", "injection", ruling(True, "both"), supports_gold=False),
        planted_line("order/b", "injection", "As you wish.", supports_gold=False),
    ]
    lines[2]["expected"]["faithful"] = None
    scores = score_vilbias(worked(tmp_path / "run", planted={JUDGE: lines}), QUICK)
    planted = scores["judges"][0]["planted"]
    told = {kind: (one["cases"], one["wrong"], one["unreadable"]) for kind, one in planted.items()}
    # right/b misses faithfulness; both injections are wrong, one of them unreadable
    assert told == {
        "all": (5, 3, 1), "injection": (2, 2, 1), "right": (2, 1, 0), "wrong-label": (1, 0, 0)
    }  # fmt: skip
    assert planted["all"]["error"]["value"] == pytest.approx(3 / 5)


def test_a_judge_that_was_shown_nothing_planted_has_no_known_error(tmp_path):
    (judge,) = score_vilbias(worked(tmp_path / "run"), QUICK)["judges"]
    assert judge["planted"] is None


def test_a_judge_of_the_systems_own_family_is_told_apart(tmp_path):
    ids = [one["id"] for one in GOLD]
    answers = {
        (name, "open-k0"): dict(zip(ids, OPEN, strict=True)) for name in ("openai/gpt-4o", MODEL)
    }
    verdicts = {("openai/gpt-4o-mini", name, "open-k0"): VERDICTS for name, _ in answers}
    folder = write_folder(tmp_path / "run", GOLD, answers, verdicts=verdicts)
    assert score_vilbias(folder, QUICK)["judges"][0]["kin"] == ["openai/gpt-4o"]


def test_a_verdict_about_a_rationale_that_is_no_longer_there_does_not_count(tmp_path):
    current, stale = judged_sum(1, "Reason 1."), judged_sum(1, "Another reason.")
    lines = [
        {**verdict_line("p01", ruling(True, "text")), "judged": current},
        {**verdict_line("p02", ruling(True, "text")), "judged": stale},
    ]
    verdicts = {(JUDGE, MODEL, "open-k0"): lines}
    scores = score_vilbias(worked(tmp_path / "run", verdicts=verdicts), QUICK)
    assert setting(scores, "open")["judged"][0]["judged"] == 1


def test_outcomes_tell_of_every_answer_with_what_judges_said(tmp_path):
    folder = worked(tmp_path / "run")
    scores = score_vilbias(folder, QUICK)
    lines = list(read_outcomes(folder))
    assert len(lines) == 20
    assert (
        Counter(one.fault for one in lines if one.mode == "closed" and one.fault)
        == (setting(scores)["faults"])
    )
    seventh = next(one for one in lines if (one.item, one.mode) == ("p07", "open"))
    assert seventh.right
    verdict = seventh.verdicts[JUDGE]
    assert (verdict["supports"], verdict["faithful"]) == (True, False)
    assert verdict["claims"] == [["claim 1", "text"], ["claim 2", "none"]]
    assert verdict["reason"] == ""


def test_the_reason_of_a_ruling_is_that_of_a_verdict_that_says_what_the_majority_does(tmp_path):
    def because(supports, reason):
        return json.dumps({**json.loads(ruling(supports, "text")), "reason": reason})

    lines = [
        verdict_line("p01", because(said, why), sample=n)
        for n, (said, why) in enumerate([(False, "a"), (True, "b"), (True, "c")], 1)
    ]
    folder = worked(tmp_path / "run", verdicts={(JUDGE, MODEL, "open-k0"): lines})
    score_vilbias(folder, QUICK)
    first = next(one for one in read_outcomes(folder) if (one.item, one.mode) == ("p01", "open"))
    assert first.verdicts[JUDGE]["reason"] == "b"


def test_accuracy_is_told_by_where_the_bias_stands_and_by_outlet(tmp_path):
    gold = [
        {**one, "text_label": int(n < 3), "image_label": int(n in (2, 3)), "outlet": f"o{n % 2}",
         "label": int(n < 4)}
        for n, one in enumerate(GOLD)
    ]  # fmt: skip
    # everything is called biased: right where it is
    answers = {(MODEL, "closed-k0"): {one["id"]: closed(True) for one in gold}}
    folder = write_folder(tmp_path / "run", gold, answers)
    found = setting(score_vilbias(folder, QUICK))["groups"]
    told = {name: (one["pairs"], value(one, "accuracy")) for name, one in found["part"].items()}
    assert told == {
        "image alone": (1, 1.0), "neither": (6, 0.0), "text alone": (2, 1.0),
        "text and image": (1, 1.0),
    }  # fmt: skip
    # outlets o0 and o1 have five pairs each, two of them biased
    assert {value(one, "accuracy") for one in found["outlet"].values()} == {0.4}


def test_means_over_runs_have_their_deviation(tmp_path):
    ids = [one["id"] for one in GOLD]
    answers = {
        (MODEL, f"closed-k5-seed{seed}"): {
            one: closed(n < biased) for n, one in enumerate(ids)
        }
        for seed, biased in ((17, 5), (23, 10))
    }  # fmt: skip
    found = setting(score_vilbias(write_folder(tmp_path / "run", GOLD, answers), QUICK))
    accuracy = found["scores"]["accuracy"]
    # 10 of 10 and 5 of 10; deviation 0.5 / sqrt(2)
    assert accuracy["value"] == pytest.approx(0.75)
    assert accuracy["sd"] == pytest.approx(0.5 / np.sqrt(2))
    assert [run["ours"]["accuracy"] for run in found["runs"]] == [1.0, 0.5]


def test_the_same_files_give_the_same_bytes_in_whatever_order_their_lines_stand(tmp_path):
    folder = made_folder(tmp_path / "run")
    score_vilbias(folder, QUICK)
    before = [(folder / name).read_bytes() for name in ("scores.json", "outcomes.jsonl")]
    for path in [folder / "gold.jsonl", *folder.glob("answers/*/*"), *folder.glob("verdicts/*/*")]:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(reversed(lines)), "utf-8")
    score_vilbias(folder, QUICK)
    assert [(folder / name).read_bytes() for name in ("scores.json", "outcomes.jsonl")] == before
    assert read_vilbias_scores(folder)["pairs"] == 20
    assert is_vilbias(folder)


def test_training_pairs_are_not_scored(tmp_path):
    found = score_vilbias(made_folder(tmp_path / "run"), QUICK)
    assert found["pairs"] == 20
    assert all(one["item"] != "t001" for one in map(vars, read_outcomes(tmp_path / "run")))


def test_a_last_line_that_was_cut_off_is_not_there(tmp_path):
    folder = worked(tmp_path / "run")
    for path in (answers_path(folder, MODEL, "closed-k0"),
                 verdicts_path(folder, JUDGE, MODEL, "open-k0")):  # fmt: skip
        content = path.read_bytes()
        path.write_bytes(content[: content.rindex(b"{") + 20])
    found = score_vilbias(folder, QUICK)
    # pair 10 of the closed run has no answer now, pair 9 no verdict
    assert setting(found)["faults"]["no-answer"] == 2
    assert setting(found, "open")["judged"][0]["judged"] == 7


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: (f / "run.json").unlink(), "no such file"),
        (lambda f: (f / "run.json").write_text('{"kind": "bait"}'), "its key 'kind' is wrong"),
        (lambda f: (f / "gold.jsonl").unlink(), "cannot be read"),
        (lambda f: (f / "gold.jsonl").write_bytes(b""), "no pair of gold.jsonl has the role test"),
        (lambda f: write_lines(f / "gold.jsonl", [*GOLD[:3], pair("x", 2), *GOLD[3:]]),
         "line 4 is no pair .its key 'label'"),
        (lambda f: write_lines(f / "gold.jsonl", GOLD + GOLD[:1]), "line 11 has the id 'p01'"),
        (lambda f: write_lines(f / "gold.jsonl", GOLD[1:]), "tells of the pair 'p01', for which"),
        (lambda f: (answers_path(f, MODEL, "closed-k0")).rename(
            answers_path(f, MODEL, "clozed")), "no run has this name"),
        (lambda f: answers_path(f, MODEL, "closed-k0").write_bytes(b"\x00\xff\n"),
         "line 1 is no answer"),
        (lambda f: write_lines(verdicts_path(f, JUDGE, MODEL, "open-k0"), [{"item": 3}, {}]),
         "line 1 is no verdict"),
        (lambda f: write_lines(verdicts_path(f, JUDGE, MODEL, "open-k0"), [
            verdict_line("nobody", "x"), verdict_line("p01", "x")]), "tells of the pair 'nobody'"),
    ],
)  # fmt: skip
def test_a_damaged_run_is_one_clear_line_and_nothing_is_written(tmp_path, spoil, said):
    folder = worked(tmp_path / "run")
    spoil(folder)
    with pytest.raises(RunError, match=said) as caught:
        score_vilbias(folder, QUICK)
    assert "\n" not in str(caught.value)
    assert not (folder / "scores.json").exists()


def test_a_run_without_answers_has_nothing_to_score(tmp_path):
    folder = write_folder(tmp_path / "run", GOLD, {(MODEL, "closed-k0"): {}})
    answers_path(folder, MODEL, "closed-k0").unlink()
    with pytest.raises(RunError, match="it holds no answers"):
        score_vilbias(folder, QUICK)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (replace(QUICK, level=1.0), "the level is 1.0"),
        (replace(QUICK, resamples=0), "there are 0 resamples"),
        (replace(QUICK, seed=-1), "the seed -1"),
        (replace(QUICK, believe=0.0), "judges are believed below 0.0"),
    ],
)
def test_rules_that_cannot_be_followed_are_refused(tmp_path, rules, said):
    with pytest.raises(OptionError, match=said):
        score_vilbias(worked(tmp_path / "run"), rules)


def test_an_unknown_way_to_draw_names_the_known_ones(tmp_path):
    with pytest.raises(UnknownName, match="outlets"):
        score_vilbias(worked(tmp_path / "run"), replace(QUICK, clusters="outlet"))


def test_windows_line_ends_and_signs_of_any_script_are_read(tmp_path):
    folder = worked(tmp_path / "run")
    gold = [{**one, "text": f"Text \U0001f600 \u05e9 {one['id']}"} for one in GOLD]
    write_lines(folder / "gold.jsonl", gold)
    path = folder / "gold.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert score_vilbias(folder, QUICK)["pairs"] == 10


app = typer.Typer()
app.command()(score)


@pytest.mark.parametrize(
    ("recipe", "shown"),
    [("ours", {"0.444"}), ("published", {"0.667"}), ("both", {"0.444", "0.667"})],
)
def test_the_command_shows_the_recipes_that_are_asked_for(tmp_path, recipe, shown):
    folder = worked(tmp_path / "run")
    out = io.StringIO()
    with redirect_stdout(out):
        score(folder, recipe, "auto", 0.95, 200, 999, 42, "0.5", False)
    rows = list(csv.reader(out.getvalue().splitlines(), delimiter="\t"))
    cells = {
        cell.split()[0] for row in rows if row[:2] == [MODEL, "closed"] for cell in row if cell
    }
    f1s = cells & {"0.444", "0.667"}
    assert f1s == shown


def test_the_command_prints_the_file_as_one_document(tmp_path):
    folder = worked(tmp_path / "run")
    words = [str(folder), "--json", "--resamples", "50", "--believe", "none"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads((folder / "scores.json").read_text("utf-8"))


def test_the_command_repeats_what_the_data_say_and_whom_it_does_not_believe(tmp_path, capsys):
    few = ["p01", "p02", "p03", "p06"]
    folder = write_folder(
        tmp_path / "run", [one for one in GOLD if one["id"] in few],
        {(MODEL, "open-k0"): {name: opened(True, "So.") for name in few[:2]}},
        verdicts={(JUDGE, MODEL, "open-k0"): VERDICTS[:2]},
    )  # fmt: skip
    record = json.loads((folder / "run.json").read_text("utf-8"))
    record["data"]["notes"] = ["No image file is here."]
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    score(folder, "ours", resamples=50)
    found = capsys.readouterr()
    said = " ".join((found.out + found.err).split())
    assert "The data: No image file is here." in said
    assert f"{JUDGE} is not believed" in said
    assert "Only 4 clusters are drawn again" in said
    # two of four pairs have a rationale, and both are supported
    assert "2 of 4" in said
    assert "0.500 [" in said
    with pytest.raises(OptionError, match="neither a number nor none"):
        score(folder, believe="some")


def test_an_unknown_recipe_is_refused(tmp_path):
    with pytest.raises(UnknownName, match="published"):
        score(worked(tmp_path / "run"), recipe="publshed")

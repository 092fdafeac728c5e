"""Judges asked about rationales: a scripted judge sees the image and replies well, badly or never."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from shutil import copytree

import pytest
from scriptedvision import (
    JUDGE,
    KEY,
    VISION,
    Said,
    inspect_home,
    knowing,
    made_pairs,
    number_in,
    pixels,
    ruling,
    vision_server,
)  # fmt: skip

from slant.errors import DataError, OptionError, RunError
from slant.runs.baitbudget import AskingLimits
from slant.runs.judgeplan import JudgeSettings, estimate_judging
from slant.runs.judgesheets import (
    rationale_rows,
    read_marks,
    sheet_agreement,
    sheet_rows,
    shown_rows,
    write_sheet,
)  # fmt: skip
from slant.runs.judging import judge_run
from slant.runs.plantedjudging import planted_cases
from slant.runs.verdictjournals import VerdictJournal, planted_path, verdicts_path
from slant.runs.vilbias import run_vilbias
from slant.runs.vilbiasplan import VilbiasSettings
from slant.systems.plantedrationales import KINDS
from slant.systems.verdicts import verdict

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

LIMITS = AskingLimits(max_retries=0, timeout=60)
ONCE = {"max_retries": 0}
ALONE = JudgeSettings(planted=0)
OPEN = VilbiasSettings(modes=("open",))
SILENT = f"{JUDGE}-silent"
TESTED = 8
UNREADABLE = 4


@pytest.fixture(scope="module", autouse=True)
def inspect_here(tmp_path_factory):
    """inspect-ai and Pillow, which are extras, with a home for traces."""
    with inspect_home(tmp_path_factory.mktemp("inspect")) as patch:
        yield patch


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return made_pairs(tmp_path_factory.mktemp("pairs"), TESTED)


@pytest.fixture(scope="module")
def answered(tmp_path_factory, data, inspect_here):
    """A run with open answers, one of which cannot be read."""
    folder = tmp_path_factory.mktemp("answered") / "run"

    def reply(sent, before):
        if number_in(sent.text) == UNREADABLE:
            return Said("No JSON at all.")
        return knowing(data)(sent, before)

    with vision_server(reply) as server:
        run_vilbias(
            data, folder, models=[VISION], settings=OPEN, limits=LIMITS,
            model_args=ONCE, base_url=server.url,
        )  # fmt: skip
    return folder


@pytest.fixture
def folder(tmp_path, answered):
    """That run, for a test to write to."""
    return Path(copytree(answered, tmp_path / "run"))


def judged(folder, reply, settings=ALONE, judges=(JUDGE,), **more):
    with vision_server(reply) as server:
        found = judge_run(
            folder, judges, settings=settings, limits=LIMITS, model_args=ONCE,
            base_url=server.url, **more,
        )  # fmt: skip
    return found, server


def always(sent, before):
    return Said(ruling())


def verdicts(folder, judge=JUDGE):
    return VerdictJournal(verdicts_path(folder, judge, VISION, "open-k0")).verdicts


def test_the_judge_sees_image_text_right_label_and_rationale_of_every_readable_answer(folder, data):
    found, server = judged(folder, always)
    by_number = {number_in(one.text): one for one in data.pairs}
    numbers = []
    for sent in server.requests:
        numbers.append(number_in(sent.text))
        one = by_number[numbers[-1]]
        (image,) = sent.images
        assert pixels(image) == pixels(one.image.read_bytes())
        assert one.text in sent.text
        assert one.rationale in sent.text
        assert f"RIGHT LABEL: {'biased' if one.label else 'not biased'}" in sent.text
        assert sent.body["response_format"]["json_schema"]["strict"] is True
    assert sorted(numbers) == [n for n in range(1, TESTED + 1) if n != UNREADABLE]
    assert (found["asked"], found["stored"], found["failed"], found["left"]) == (7, 0, 0, 0)
    assert found["judges"][JUDGE]["read"] == 7


def test_a_reply_out_of_the_schema_is_asked_for_again_in_other_words_and_a_rerun_asks_nothing(
    folder,
):
    def at_second(sent, before):
        return Said(ruling() if "Try 2" in sent.text else "Yes, it does.")

    found, server = judged(folder, at_second)
    assert len(server.requests) == 14
    assert max(server.conversations.values()) == 1
    assert found["judges"][JUDGE] == {"verdicts": 7, "read": 7, "faults": {}, "kin": []}
    assert {one.tries for one in verdicts(folder).values()} == {2}
    assert {one.reply.usage["total_tokens"] for one in verdicts(folder).values()} == {220}
    found, server = judged(folder, always)
    assert (found["asked"], found["stored"], len(server.requests)) == (0, 7, 0)


def test_a_judge_that_never_answers_in_the_schema_is_counted_and_more_tries_may_be_given(folder):
    found, server = judged(
        folder, lambda sent, before: Said("No."), JudgeSettings(planted=0, tries=2)
    )
    assert len(server.requests) == 14
    assert found["judges"][JUDGE] == {
        "verdicts": 7, "read": 0, "faults": {"not-json": 7}, "kin": [],
    }  # fmt: skip
    found, server = judged(folder, always, JudgeSettings(planted=0, tries=2))
    assert (found["asked"], len(server.requests)) == (0, 0)
    found, server = judged(folder, always, JudgeSettings(planted=0, tries=3))
    assert (found["asked"], len(server.requests), found["judges"][JUDGE]["read"]) == (7, 7, 7)


def test_ten_unreadable_verdicts_in_a_row_end_the_asking(folder):
    one_by_one = AskingLimits(max_connections=1, max_retries=0, timeout=60)
    with vision_server(lambda sent, before: Said("No.")) as server:
        found = judge_run(
            folder, [JUDGE], settings=JudgeSettings(planted=4, tries=1), limits=one_by_one,
            model_args=ONCE, base_url=server.url,
        )  # fmt: skip
    # Four pairs of seven kinds, and seven rationales.
    assert (found["asked"], found["left"], len(server.requests)) == (10, 25, 10)
    assert "10 verdicts in a row cannot be read" in found["stopped"][JUDGE]


def test_a_cap_counts_the_verdicts_of_every_judge_of_the_folder(folder):
    found, _ = judged(folder, always)
    capped = AskingLimits(max_retries=0, timeout=60, max_tokens_total=int(found["tokens"]))
    with vision_server(always) as server:
        other = judge_run(
            folder, ["openai-api/scripted/other"], settings=JudgeSettings(planted=0),
            limits=capped, model_args=ONCE, base_url=server.url,
        )  # fmt: skip
    assert (other["asked"], other["left"], len(server.requests)) == (0, 7, 0)
    assert other["tokens"] == found["tokens"] > 0


def test_a_judge_that_was_stopped_is_asked_on_only_where_that_is_said(folder):
    few, many = JudgeSettings(planted=1, tries=1), JudgeSettings(planted=4, tries=1)
    one_by_one = AskingLimits(max_connections=1, max_retries=0, timeout=60)

    def asked(reply, settings, **more):
        with vision_server(reply) as server:
            found = judge_run(
                folder, [JUDGE], settings=settings, limits=one_by_one, model_args=ONCE,
                base_url=server.url, **more,
            )  # fmt: skip
        return found, len(server.requests)

    # Seven planted ones and seven rationales; ten replies are of no use.
    found, requests = asked(lambda sent, before: Said("No."), few)
    assert (requests, found["left"]) == (10, 4)
    assert "only --again asks it on" in found["stopped"][JUDGE]
    found, requests = asked(always, many)
    # Four pairs of seven kinds and seven rationales are 35, ten of which were asked for.
    assert (requests, found["asked"], found["stored"], found["left"]) == (0, 0, 10, 25)
    assert "it was before: 10 verdicts in a row cannot be read" in found["stopped"][JUDGE]
    found, requests = asked(always, many, again=True)
    assert (requests, found["asked"], found["left"], found["stopped"]) == (25, 25, 0, {})
    # It replied well, so that it is not stopped any more.
    found, requests = asked(always, JudgeSettings(planted=5, tries=1))
    assert (requests, found["left"]) == (7, 0)


def test_a_judge_that_fails_is_asked_again_by_the_next_command_and_for_nothing_else(folder):
    def failing(sent, before):
        broken = {1: 500, 2: 429, 3: 401}.get(number_in(sent.text))
        return Said(status=broken, message=f"no {KEY}") if broken else Said(ruling())

    found, _ = judged(folder, failing)
    assert (found["asked"], found["failed"]) == (7, 3)
    assert all(KEY not in one["error"] for one in found["errors"])
    told = found.to_polars("errors")
    assert told["model"].to_list() == [JUDGE] * 3
    assert told["item"].to_list() == [one["item"] for one in found["errors"]]
    found, server = judged(folder, always)
    assert sorted(number_in(one.text) for one in server.requests) == [1, 2, 3]
    assert (found["stored"], found["failed"]) == (4, 0)
    for path in folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


def test_swaps_samples_and_judges_each_have_verdicts_of_their_own(folder):
    several = JudgeSettings(planted=0, samples=2, swaps=True, temperature=0.7)
    found, server = judged(folder, always, several, (JUDGE, f"{JUDGE}-two"))
    # Seven rationales, two samples, two orders, two judges.
    assert (found["errors"], found["asked"]) == ([], 7 * 2 * 2 * 2)
    assert len(server.requests) == 7 * 2 * 2 * 2
    places = Counter((place.sample, place.order) for place in verdicts(folder))
    assert places == {(n, order): 7 for n in (1, 2) for order in ("plain", "turned")}
    turned = [one for one in server.requests if one.text.startswith("THE RATIONALE")]
    assert len(turned) == len(server.requests) / 2
    found, _ = judged(folder, always, JudgeSettings(planted=0, temperature=0.7))
    assert (found["asked"], found["stored"]) == (0, 7)


def test_planted_rationales_go_first_and_an_honest_and_a_swayed_judge_are_told_apart(folder):
    cases = {one.case: one for one in planted_cases(2, images=True, side=1024)}
    assert Counter(one.kind for one in cases.values()) == dict.fromkeys(KINDS, 2)
    settings = JudgeSettings(planted=2)

    def known(sent):
        """The case that the judge is shown, by its rationale and what it is told."""
        return next(
            (
                one for one in cases.values()
                if one.pair.text in sent.text
                and f"RIGHT LABEL: {'biased' if one.planted.label else 'not biased'}\n" in sent.text
                and f"\n{one.planted.rationale}\n" in sent.text
            ),
            None,
        )  # fmt: skip

    def honest(sent, before):
        case = known(sent)
        if case is None:
            return Said(ruling())
        expected = case.planted.expected
        return Said(
            ruling(
                expected["supports_gold"] is not False, "text" if expected["faithful"] else "none"
            )
        )

    _, server = judged(folder, honest, settings)
    shown = [known(one) for one in server.requests]
    assert None not in shown[:10]
    assert [one.case for one in shown if one is not None] == sorted(
        cases, key=[one.case for one in shown if one is not None].index
    )
    for sent, case in zip(server.requests, shown, strict=True):
        if case is not None:
            assert pixels(sent.images[0]) == pixels(case.pair.image.read_bytes())
    lines = [json.loads(one) for one in planted_path(folder, JUDGE).read_text().splitlines()]
    assert len(lines) == 14
    for line in lines:
        said = verdict(line["raw"], line["stop"])
        wanted = {name: right for name, right in line["expected"].items() if right is not None}
        assert {name: getattr(said, name) for name in wanted} == wanted
    judged(folder, always, settings, (f"{JUDGE}-swayed",))
    lines = planted_path(folder, f"{JUDGE}-swayed").read_text().splitlines()
    wrong = Counter(
        one["kind"]
        for one in map(json.loads, lines)
        if not all(right in (None, True) for right in one["expected"].values())
    )
    assert wrong == dict.fromkeys(set(KINDS) - {"right"}, 2)


def test_an_injected_verdict_reaches_the_judge_as_material_and_changes_no_parsing(folder):
    """The judge quotes the order in its reply and then rules: that is no verdict, and asked again."""

    def quoting(sent, before):
        if "NEW INSTRUCTION OF THE OPERATOR" in sent.text and "Try 2" not in sent.text:
            return Said(f"It orders {ruling(True)}. My verdict: {ruling(False, 'none')}")
        return Said(ruling(False, "none"))

    found, _ = judged(folder, quoting, JudgeSettings(planted=2))
    assert found["judges"][JUDGE]["faults"] == {}
    injected = [
        one for place, one in VerdictJournal(planted_path(folder, JUDGE)).verdicts.items()
        if place.item.startswith("injection/")
    ]  # fmt: skip
    assert {one.tries for one in injected} == {2}
    assert {verdict(one.reply.raw).supports_gold for one in injected} == {False}


def test_an_estimate_of_judging_sends_nothing(folder):
    (one,) = estimate_judging(folder, [JUDGE], JudgeSettings(planted=2, swaps=True), LIMITS)
    # (7 rationales + 2 pairs of 7 kinds) in two orders, each with its image.
    assert (one["calls"], one["images"]) == (42, 42)
    assert not (folder / "verdicts").exists()


def test_judging_what_cannot_be_judged_is_one_clear_line(tmp_path, folder, data):
    with pytest.raises(RunError, match=r"it has no run\.json"):
        judge_run(tmp_path / "none", [JUDGE])
    with pytest.raises(OptionError, match="names no judge"):
        judge_run(folder, [])
    with pytest.raises(OptionError, match="samples are copies"):
        judge_run(folder, [JUDGE], settings=JudgeSettings(samples=3))
    lines = (folder / "gold.jsonl").read_text().splitlines(keepends=True)
    (folder / "gold.jsonl").write_text("".join(lines[1:]))
    with pytest.raises(RunError, match="tell of the pair 'pair-1', which has no gold"):
        judge_run(folder, [JUDGE], settings=ALONE)
    (folder / "gold.jsonl").write_text(lines[0].replace('"label": 1', '"label": "Likely"'))
    with pytest.raises(RunError, match="line 1 is no pair with id, text and a label of 0 or 1"):
        judge_run(folder, [JUDGE], settings=ALONE)
    with vision_server(knowing(data)) as server:
        run_vilbias(
            data, tmp_path / "closed", models=[VISION], settings=VilbiasSettings(limit=1),
            limits=LIMITS, model_args=ONCE, base_url=server.url,
        )  # fmt: skip
    with pytest.raises(RunError, match="it has no open answers"):
        judge_run(tmp_path / "closed", [JUDGE], settings=ALONE)
    (folder / "gold.jsonl").write_text("".join(lines))
    (folder / "answers" / "openai-api--scripted--vision" / "open-k0.jsonl").unlink()
    with pytest.raises(RunError, match="none of its open questions has been answered"):
        judge_run(folder, [JUDGE], settings=ALONE)


def test_a_damaged_verdict_of_another_judge_is_refused_before_the_run_names_the_new_one(folder):
    other = planted_path(folder, f"{JUDGE}-other")
    other.parent.mkdir(parents=True)
    other.write_text('{"id": "pair-1"}\n{}\n')
    before = (folder / "run.json").read_bytes()
    with pytest.raises(RunError, match="line 1 is no verdict"):
        judge_run(folder, ["mockllm/model"], settings=ALONE)
    assert (folder / "run.json").read_bytes() == before


def test_a_judge_that_judges_itself_is_flagged(folder):
    found, _ = judged(folder, always, judges=(VISION,))
    assert found["judges"][VISION]["kin"] == [VISION]


def test_a_judge_is_bound_to_how_it_was_asked(folder):
    judged(folder, always)
    with pytest.raises(RunError, match=r"its judge '.*judge' was asked with"):
        judged(folder, always, JudgeSettings(planted=0, images=False))


# The sheet for people.


@pytest.fixture(scope="module")
def ruled(tmp_path_factory, answered):
    """A judged run: the judge finds odd reports supported, and those up to 4 faithful."""
    folder = Path(copytree(answered, tmp_path_factory.mktemp("ruled") / "run"))

    def reply(sent, before):
        number = number_in(sent.text)
        return Said(ruling(number % 2 == 1, "text" if number <= 4 else "none"))

    judged(folder, reply)
    return folder


def marked(folder, path, supports, faithful):
    """A sheet filled in by functions of the number of the report."""
    write_sheet(sheet_rows(folder, 50, 1), path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        number = number_in(row["text"])
        row["supports_gold"], row["faithful"] = supports(number), faithful(number)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def test_a_sheet_shows_what_is_to_be_marked_and_nothing_of_model_or_verdict(ruled, tmp_path):
    rows = sheet_rows(ruled, 5, 1)
    assert [one.key for one in rows] == [one.key for one in sheet_rows(ruled, 7, 1)[:5]]
    assert [one.key for one in sheet_rows(ruled, 7, 2)] != [
        one.key for one in sheet_rows(ruled, 7, 1)
    ]
    write_sheet(rows, tmp_path / "sheet.csv")
    text = (tmp_path / "sheet.csv").read_text()
    assert text.count("Report ") == 5
    for word in ("vision", "judge", "open-k0", "pair-", "true"):
        assert word not in text
    shown = shown_rows(ruled, rows)
    assert all(one["image"].startswith("data:image/png;base64,") for one in shown)


def test_a_rationale_that_a_spreadsheet_would_compute_is_written_as_text(ruled, tmp_path):
    from dataclasses import replace

    row = replace(sheet_rows(ruled, 1, 1)[0], rationale='=HYPERLINK("http://127.0.0.1")')
    write_sheet([row], tmp_path / "sheet.csv")
    with (tmp_path / "sheet.csv").open(newline="") as file:
        (read,) = csv.DictReader(file)
    assert read["rationale"].startswith("'=")


def test_agreement_with_a_person_is_the_share_and_kappa_that_are_worked_out_by_hand(
    ruled, tmp_path
):
    # Reports 1 2 3 5 6 7 8 (4 is unreadable). The judge says yes to 1 3 5 7, the person to 1 3 5 6.
    # Both yes 3, judge alone 1 (7), person alone 1 (6), both no 2 (2, 8): agreed 5/7.
    # Chance: 4/7 * 4/7 + 3/7 * 3/7 = 25/49; kappa = (35/49 - 25/49) / (24/49) = 10/24.
    path = tmp_path / "marks.csv"
    yes = {1, 3, 5, 6}
    marked(ruled, path, lambda n: "yes" if n in yes else "no", lambda n: "y" if n == 1 else "")
    found = {one["question"]: one for one in sheet_agreement(ruled, path)["judges"]}
    one = found["supports_gold"]
    assert [one[name] for name in ("both_yes", "only_judge", "only_person", "both_no")] == [
        3,
        1,
        1,
        2,
    ]
    assert one["agreed"]["value"] == pytest.approx(5 / 7)
    assert one["kappa"]["value"] == pytest.approx(10 / 24)
    assert one["kappa"]["low"] < 10 / 24 < one["kappa"]["high"]
    # One row marked: no kappa, and it says so.
    assert (found["faithful"]["n"], found["faithful"]["kappa"]["value"]) == (1, None)
    assert json.loads((ruled / "human.json").read_text())["rows"] == 7


def test_a_judge_that_never_keeps_the_schema_takes_no_rationale_off_the_sheet(ruled, tmp_path):
    folder = Path(copytree(ruled, tmp_path / "run"))
    judged(folder, lambda sent, before: Said("No."), JudgeSettings(planted=0, tries=1), (SILENT,))
    assert [one.key for one in sheet_rows(folder, 7, 1)] == [
        one.key for one in sheet_rows(ruled, 7, 1)
    ]
    # The first judge says yes to 1 3 5 7, as the person does.
    path = tmp_path / "marks.csv"
    marked(folder, path, lambda n: "yes" if n % 2 else "no", lambda n: "")
    found = {
        one["judge"]: one
        for one in sheet_agreement(folder, path)["judges"]
        if one["question"] == "supports_gold"
    }
    # 7 of 7: Wilson's lower end is 7 / (7 + 3.8415)
    first = found[JUDGE]
    assert (first["n"], first["agreed"]["value"]) == (7, 1)
    assert first["agreed"]["low"] == pytest.approx(0.6457, abs=1e-4)
    silent = found[SILENT]
    assert (silent["n"], silent["agreed"]["value"]) == (0, None)
    assert "no marked rationale has a verdict" in silent["agreed"]["why"]


def test_a_constant_judge_has_a_kappa_of_zero_without_an_interval(folder, tmp_path):
    judged(folder, always)
    marked(folder, tmp_path / "m.csv", lambda n: "yes" if n % 2 else "no", lambda n: "")
    found, _ = sheet_agreement(folder, tmp_path / "m.csv")["judges"]
    assert (found["kappa"]["value"], found["kappa"]["low"]) == (0, None)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("key,supports_gold,faithful\n", "no rows"),
        ("key,supports_gold,faithful\nabc,yes,no\n", "row 1 has the key 'abc'"),
        ("key,supports_gold\nabc,yes\n", "faithful"),
        ("key,supports_gold,faithful\nKEY,maybe,no\n", "row 1 has 'maybe' in the column"),
        ("key,supports_gold,faithful\nKEY,,\n", "no row is marked"),
        ("key,supports_gold,faithful\nKEY,yes,no\nKEY,yes,no\n", "stands in row 1 and in row 2"),
    ],
)
def test_a_sheet_that_does_not_fit_is_one_clear_line(ruled, tmp_path, content, said):
    from slant.errors import SlantError

    rows = rationale_rows(ruled)
    path = tmp_path / "marks.csv"
    path.write_text(content.replace("KEY", rows[0].key))
    with pytest.raises(SlantError, match=said):
        read_marks(path, [one.key for one in rows])


def test_a_sheet_needs_no_judge_and_comparing_one_does(folder, tmp_path):
    marked(folder, tmp_path / "marks.csv", lambda n: "yes", lambda n: "no")
    assert len(sheet_rows(folder, 50, 1)) == 7
    with pytest.raises(RunError, match="no judge was asked"):
        sheet_agreement(folder, tmp_path / "marks.csv")
    with pytest.raises(OptionError, match="--n 0"):
        sheet_rows(folder, 0, 1)


def test_planting_needs_gold_rationales():
    from dataclasses import replace

    from slant.runs.plantedjudging import drawn_pairs

    bare = [replace(one, rationale=None) for one in drawn_pairs()]
    with pytest.raises(DataError, match="gold is missing"):
        planted_cases(2, images=False, side=64, pairs=bare)
    some = planted_cases(3, images=False, side=64)
    more = planted_cases(4, images=False, side=64)
    assert {one.case for one in some} < {one.case for one in more}
    assert {one.image for one in some} == {None}

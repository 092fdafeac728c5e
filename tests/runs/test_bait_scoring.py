"""A run folder of BAIT scored: worked by hand, and by its enemies."""

from __future__ import annotations

import json

import pytest
from baitfolders import CODES, article, made_folder, raw_answer, write_folder

from slant.errors import DataError, OptionError, RunError, UnknownName
from slant.runs.baitanswers import answers_path
from slant.runs.baitfates import ScoringRules
from slant.runs.baitrecords import is_bait, read_bait_scores, read_fates
from slant.runs.baitscoring import score_bait
from slant.runs.store import write_json

QUICK = ScoringRules(resamples=50, permutations=99)
TEXT = " ".join(f"w{n:02d}" for n in range(25))  # every string of ten characters stands once
GOLD = [("B01", [(0, 10), (40, 50), (80, 90)]), ("B02", [(12, 32)])]
SAID = raw_answer(
    [
        ("B01", [TEXT[0:10]]),
        ("B01", [TEXT[80:90]]),
        ("B02", [TEXT[12:24], "zzzzzz"]),
        ("B04", [TEXT[60:70]]),
    ]
)
EMPTY = raw_answer([])


def worked_example(folder, said=SAID):
    gold = [article("one", TEXT, GOLD), article("two", TEXT, [])]
    return write_folder(folder, gold, {("made/model", "k0-run1"): {"one": said, "two": EMPTY}})


def only_setting(scores, system=0):
    return scores["systems"][system]["settings"][0]


def values(setting, part="scores"):
    return {name: one["value"] for name, one in setting[part].items()}


def test_the_worked_example_scores_as_by_hand(tmp_path):
    setting = only_setting(score_bait(worked_example(tmp_path / "run"), QUICK))
    # characters: B01 20 of 30, B02 12 of 20, with 6 unlocated; B04 10 wrong: 32 / 16 / 18
    # spans: 2 of 3 for B01, 12 / 20 >= 0.5 for B02, 2 wrong: 3 / 2 / 1
    # triggers: B01 {2 spans of 3 + 1} 2 x 1 / 4 >= 0.5, B02 2 x 1 / 3 >= 0.5; by jaccard B02 1 / 2
    assert values(setting) == pytest.approx(
        {
            "detection_micro_f1": 4 / 5,
            "detection_macro_f1": (1 + 1 + 0) / 3,
            "subset_accuracy": 0.5,
            "characters_f1": 64 / 98,
            "spans_f1": 6 / 9,
            "triggers_f1": 4 / 6,
            "triggers_f1_jaccard": 2 / 6,
            "triggers_f1_max": 2 / 6,
        }
    )
    # the empty article is right, and worth 1 by itself: (64 / 98 + 1) / 2
    by_article = values(setting, "scores_per_article")
    assert by_article["characters_f1"] == pytest.approx((64 / 98 + 1) / 2)
    assert by_article["subset_accuracy"] == pytest.approx((0 + 1) / 2)
    assert setting["scores"]["spans_f1"]["sd"] is None
    assert setting["runs"] == [{"run": "k0-run1", "scores": values(setting)}]


def test_without_the_dominant_bias_only_the_others_count(tmp_path):
    scores = score_bait(worked_example(tmp_path / "run"), QUICK)
    assert scores["without"] == ["B01"]
    # B02 and B04 alone: detection 1 / 1 / 0, characters 12 / 16 / 8, spans 1 / 2 / 0
    found = values(only_setting(scores), "scores_without")
    assert found["detection_micro_f1"] == pytest.approx(2 / 3)
    assert found["characters_f1"] == pytest.approx(24 / 48)
    assert found["spans_f1"] == pytest.approx(2 / 4)
    chosen = score_bait(tmp_path / "run", ScoringRules(resamples=50, without=("B04",)))
    assert values(only_setting(chosen), "scores_without")["detection_micro_f1"] == 1


def test_biases_and_steps_are_counted(tmp_path):
    setting = only_setting(score_bait(worked_example(tmp_path / "run"), QUICK))
    first, authority = setting["biases"]["B01"], setting["biases"]["B04"]
    assert (first["gold_spans"], first["predicted_spans"], first["matched_spans"]) == (3, 2, 2)
    assert (first["gold_articles"], first["predicted_articles"]) == (1, 1)
    assert first["detection_f1"]["value"] == 1
    assert (authority["gold_articles"], authority["predicted_articles"]) == (0, 1)
    assert authority["excess_articles"]["value"] == 1
    assert setting["biases"]["B09"]["detection_f1"]["value"] is None
    assert "0/0" in setting["biases"]["B09"]["detection_f1"]["why"]
    assert setting["steps"] == {"exact": 4, "case": 0, "space": 0, "fuzzy": 0, "unlocated": 1}
    assert (setting["unlocated_characters"], setting["returned_characters"]) == (6, 48)
    assert (setting["answers"], setting["expected"], setting["faults"]) == (2, 2, {})


def test_the_fates_of_the_worked_example(tmp_path):
    score_bait(worked_example(tmp_path / "run"), QUICK)
    one, two = read_fates(tmp_path / "run")
    assert [span["fate"] for t in one["triggers"] for span in t["spans"]] == [
        "matched", "matched", "matched", "unmarked"
    ]  # fmt: skip
    assert [trigger["matched"] for trigger in one["triggers"]].count(True) == 2
    assert one["triggers"][2]["unlocated"] == ["zzzzzz"]
    assert one["triggers"][2]["spans"] == [
        {"start": 12, "end": 24, "fate": "matched", "step": "exact", "similarity": 1.0}
    ]
    assert one["missed"] == [{"bias": "B01", "start": 40, "end": 50}]
    assert (two["article"], two["triggers"], two["missed"]) == ("two", [], [])


def test_copying_the_gold_scores_one_everywhere(tmp_path):
    said = raw_answer([(bias, [TEXT[s:e] for s, e in spans]) for bias, spans in GOLD])
    scores = score_bait(worked_example(tmp_path / "run", said), QUICK)
    setting = only_setting(scores)
    for part in ("scores", "scores_without", "scores_per_article"):
        assert set(values(setting, part).values()) == {1}
    assert setting["scores"]["subset_accuracy"]["low"] == 1
    # one resample in four holds the empty article alone, twice: 0/0 too often for an interval
    assert setting["scores"]["characters_f1"]["low"] is None
    assert "too many undefined" in setting["scores"]["characters_f1"]["no_interval"]


@pytest.fixture
def made(tmp_path):
    return made_folder(tmp_path / "run", words=120, articles=5, seeds=(17, 23))


def test_the_same_numbers_whatever_the_number_of_processes(made):
    score_bait(made, QUICK, jobs=1)
    one = [(made / name).read_bytes() for name in ("scores.json", "fates.jsonl")]
    score_bait(made, QUICK, jobs=2)
    assert [(made / name).read_bytes() for name in ("scores.json", "fates.jsonl")] == one


def test_fates_and_counts_tell_the_same(made):
    scores = score_bait(made, QUICK)
    lines = list(read_fates(made))
    for system in scores["systems"]:
        for setting in system["settings"]:
            own = [
                line
                for line in lines
                if (line["system"], line["shots"]) == (system["name"], setting["shots"])
            ]
            assert len(own) == len(setting["runs"]) * setting["articles"]
            for code in CODES:
                matched = sum(
                    span["fate"] == "matched"
                    for line in own
                    for trigger in line["triggers"]
                    if trigger["bias"] == code
                    for span in trigger["spans"]
                )
                found = setting["biases"][code]["matched_spans"] * len(setting["runs"])
                assert matched == pytest.approx(found)
            kinds = [line["fault"] for line in own if line["fault"]]
            assert sorted(kinds) == sorted(
                kind for kind, n in setting["faults"].items() for _ in range(n)
            )


def test_the_scores_are_read_back_and_the_folder_known(made, tmp_path):
    scores = score_bait(made, QUICK)
    assert read_bait_scores(made) == json.loads(json.dumps(scores))
    assert is_bait(made)
    assert not is_bait(tmp_path)
    write_json(made / "scores.json", {**scores, "systems": [{"name": "x"}]})
    with pytest.raises(RunError, match=r"systems\.0\.kind"):
        read_bait_scores(made)


def test_scores_have_deviations_over_runs_and_hold_their_value(made):
    setting = only_setting(score_bait(made, QUICK))
    for name, one in setting["scores"].items():
        runs = [run["scores"][name] for run in setting["runs"]]
        mean = sum(runs) / len(runs)
        sd = (sum((x - mean) ** 2 for x in runs) / (len(runs) - 1)) ** 0.5
        assert one["value"] == pytest.approx(mean)
        assert one["sd"] == pytest.approx(sd, abs=1e-12)
        assert 0 <= one["low"] <= one["high"] <= 1


def test_an_answer_that_never_came_counts_as_empty_and_is_told(made):
    model = "provider/model-b"
    path = answers_path(made, model, "k3-seed17")
    lines = path.read_text("utf-8").splitlines(keepends=True)
    gone = json.loads(lines[2])
    path.write_text("".join(lines[:2] + lines[3:]), "utf-8")
    first = score_bait(made, QUICK)
    setting = next(
        one
        for system in first["systems"]
        if system["name"] == model
        for one in system["settings"]
        if one["shots"] == 3
    )
    assert (setting["answers"], setting["expected"]) == (9, 10)
    assert (setting["faults"], setting["no_answer"], setting["not_asked"]) == (
        {"no-answer": 1},
        1,
        1,
    )
    line = json.dumps({"article": gone["article"], "raw": EMPTY, "error": None})
    path.write_text("".join([*lines[:2], *lines[3:], line + "\n"]), "utf-8")
    again = score_bait(made, QUICK)
    told = next(
        one
        for system in again["systems"]
        if system["name"] == model
        for one in system["settings"]
        if one["shots"] == 3
    )
    assert told["scores"] == setting["scores"]
    assert told["faults"] == {}
    assert again["comparisons"] == first["comparisons"]


def test_faults_are_counted_by_kind(made):
    setting = only_setting(score_bait(made, QUICK))
    assert setting["faults"] == {"cut-off": 1, "no-answer": 1}
    assert setting["no_answer"] == 1
    assert setting["not_asked"] == 0
    assert setting["usage"] == {"input_tokens": 900 * 20, "output_tokens": 120 * 20}


def test_a_run_that_is_missing_is_told(made):
    answers_path(made, "provider/model-a", "k3-seed23").unlink()
    scores = score_bait(made, QUICK)
    assert scores["systems"][0]["missing_runs"] == ["k3-seed23"]
    assert scores["systems"][1]["missing_runs"] == []
    assert [len(one["runs"]) for one in scores["systems"][0]["settings"]] == [4, 1]


def test_what_served_a_model_is_told_as_the_server_named_it(made):
    path = answers_path(made, "provider/model-a", "k3-seed23")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines[0]["model"], lines[1]["model"] = "model-a-2026-05-01", ""
    # an answer that never came was served by nothing
    lines[2] |= {"raw": None, "error": "no", "model": "asked"}
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    served = {one["name"]: one["served"] for one in score_bait(made, QUICK)["systems"]}
    assert served["provider/model-a"] == ["model-a-2026-05-01", "provider/model-a"]
    assert served["provider/model-b"] == ["provider/model-b"]
    assert all(served[name] == [] for name in served if not name.startswith("provider/"))


def test_a_cut_last_line_is_left_out_and_a_damaged_one_is_named(made):
    path = answers_path(made, "provider/model-a", "k3-seed17")
    content = path.read_bytes()
    path.write_bytes(content[:-30])
    assert only_setting(score_bait(made, QUICK))
    lines = content.splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[1][:40] + b"\n", *lines[2:]]))
    with pytest.raises(RunError, match=r"k3-seed17\.jsonl': line 2"):
        score_bait(made, QUICK)


def test_other_thresholds_score_the_same_answers_again(made):
    before = {path: path.read_bytes() for path in sorted((made / "answers").rglob("*.jsonl"))}
    first = score_bait(made, QUICK)
    strict = score_bait(made, ScoringRules(resamples=50, permutations=99, span_threshold=0.9))
    lax = score_bait(made, ScoringRules(resamples=50, permutations=99, span_threshold=0.1))
    order = [values(only_setting(one))["spans_f1"] for one in (strict, first, lax)]
    assert order == sorted(order)
    assert order[0] < order[2]
    assert strict["signature"] != first["signature"]
    assert (
        values(only_setting(strict))["characters_f1"]
        == values(only_setting(first))["characters_f1"]
    )
    assert score_bait(made, QUICK) == first
    assert before == {path: path.read_bytes() for path in before}


def test_the_overlap_of_triggers_may_be_another_one(made):
    names = ("triggers_f1", "triggers_f1_jaccard", "triggers_f1_dice")
    first = values(only_setting(score_bait(made, QUICK)))
    other = values(
        only_setting(score_bait(made, ScoringRules(resamples=50, trigger_overlap="jaccard")))
    )
    assert other["triggers_f1"] == first["triggers_f1_jaccard"]
    assert other["triggers_f1_dice"] == first["triggers_f1"]
    assert names[1] not in other


def test_people_stand_beside_the_models_and_may_change_places(made):
    scores = score_bait(made, QUICK)
    row = scores["systems"][-1]
    assert (row["name"], row["kind"]) == ("human", "human")
    assert scores["agreement"]["annotators"] == ["a", "b"]
    assert all("human" not in str(one["first"]) for one in scores["comparisons"])
    people = made / "annotators"
    people.joinpath("a.jsonl").rename(people / "c.jsonl")
    swapped = score_bait(made, QUICK)["systems"][-1]
    assert swapped["settings"][0]["runs"][0]["run"] == "b-c"
    assert swapped["settings"][0]["scores"] == row["settings"][0]["scores"]


def test_three_annotators_give_a_row_for_each_two(made):
    (made / "annotators" / "c.jsonl").write_bytes((made / "gold.jsonl").read_bytes())
    scores = score_bait(made, QUICK)
    people = [one["name"] for one in scores["systems"] if one["kind"] == "human"]
    assert people == ["human: a, b", "human: a, c", "human: b, c"]
    assert [one["annotators"] for one in scores["agreements"]] == [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
    ]


def test_articles_that_one_annotator_left_out_are_not_in_the_row(made):
    path = made / "annotators" / "b.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:4]), "utf-8")
    setting = score_bait(made, QUICK)["systems"][-1]["settings"][0]
    assert (setting["articles"], setting["answers"], setting["expected"]) == (4, 4, 4)


def test_annotators_of_another_text_are_refused(made):
    path = made / "annotators" / "b.jsonl"
    path.write_text(path.read_text("utf-8").replace("the", "teh"), "utf-8")
    with pytest.raises(DataError, match=r"b\.jsonl"):
        score_bait(made, QUICK)


def test_fourteen_labels_are_as_good_as_nine(tmp_path):
    codes = tuple(f"Technique_{n}" for n in range(14))
    folder = made_folder(tmp_path / "run", codes=codes, articles=3, words=200, baselines=0)
    scores = score_bait(folder, QUICK)
    assert tuple(only_setting(scores)["biases"]) == codes
    assert scores["without"] == ["Technique_0"]
    assert scores["cues"]["cued"] == []


def test_surface_cues_are_looked_for_at_the_largest_number_of_examples(made):
    cues = score_bait(made, QUICK)["cues"]
    assert cues["shots"] == 3
    assert cues["cued"] == ["B02", "B04", "B06"]
    assert list(cues["systems"]) == ["provider/model-a", "provider/model-b", "cues"]
    pooled = [cues["systems"][f"provider/model-{one}"]["groups"]["cued"]["spans"] for one in "ab"]
    assert cues["groups"]["cued"]["spans"] == sum(pooled)


def test_a_string_with_half_a_character_is_kept_as_text(tmp_path):
    said = '{"biases_present": ["B01"], "triggers": [{"bias": "B01", "spans": ["a \\ud83d b"]}]}'
    score_bait(worked_example(tmp_path / "run", said), QUICK)
    one = next(read_fates(tmp_path / "run"))
    assert one["triggers"][0]["unlocated"] == ["a � b"]


def test_offsets_survive_line_ends_and_emoji(tmp_path):
    text = "Zero\r\n\U0001f525 one\r\ntwo é three\r\nfour"
    start = text.index("two")
    gold = [article("one", text, [("B03", [(start, start + 5)])])]
    answers = {("m", "k0-run1"): {"one": raw_answer([("B03", [text[start : start + 5]])])}}
    folder = write_folder(tmp_path / "run", gold, answers)
    assert values(only_setting(score_bait(folder, QUICK)))["characters_f1"] == 1


@pytest.mark.parametrize(
    ("rules", "error", "said"),
    [
        ({"without": ("B77",)}, UnknownName, "B77"),
        ({"pairing": "some"}, UnknownName, "pairing"),
        ({"trigger_overlap": "cosine"}, UnknownName, "overlap"),
        ({"gold_use": "always"}, UnknownName, "use of gold"),
        ({"absent": "two"}, UnknownName, "absent"),
        ({"span_threshold": 0.0}, OptionError, "span threshold of 0"),
        ({"level": 1.0}, OptionError, "level"),
        ({"resamples": 0}, OptionError, "resamples"),
        ({"permutations": 0}, OptionError, "permutations"),
        ({"seed": -1}, OptionError, "seed"),
    ],
)
def test_rules_that_cannot_be_followed_are_refused(made, rules, error, said):
    with pytest.raises(error, match=said):
        score_bait(made, ScoringRules(**rules))
    assert not (made / "scores.json").exists()


def test_folders_that_cannot_be_scored_are_refused(made, tmp_path):
    with pytest.raises(RunError, match=r"no run\.json"):
        score_bait(tmp_path / "nothing", QUICK)
    for path in (made / "answers").rglob("*.jsonl"):
        path.unlink()
    with pytest.raises(RunError, match="no answers"):
        score_bait(made, QUICK)
    (made / "gold.jsonl").unlink()
    with pytest.raises(RunError, match=r"no gold\.jsonl"):
        score_bait(made, QUICK)
    with pytest.raises(RunError, match="cannot be read"):
        next(read_fates(made))


@pytest.mark.parametrize(
    ("key", "value"),
    [("shots", "0,3"), ("draws", None), ("zero_shot_runs", []), ("accompanied", 1)],
)
def test_settings_of_another_shape_are_named(made, key, value):
    record = json.loads((made / "run.json").read_text("utf-8"))
    record["settings"][key] = value
    write_json(made / "run.json", record)
    with pytest.raises(RunError, match=rf"run\.json': its key 'settings\.{key}"):
        score_bait(made, QUICK)


def test_a_bias_in_gold_that_the_schema_lacks_is_named(made):
    path = made / "gold.jsonl"
    path.write_text(path.read_text("utf-8").replace('"B02"', '"B42"'), "utf-8")
    with pytest.raises(DataError, match="B42"):
        score_bait(made, QUICK)


def test_a_system_called_as_the_row_of_people_is_refused(tmp_path):
    gold = [article("one", TEXT, GOLD)]
    answers = {("human", "k0-run1"): {"one": SAID}}
    folder = write_folder(tmp_path / "run", gold, answers, passes={"a": gold, "b": gold})
    with pytest.raises(RunError, match="called 'human'"):
        score_bait(folder, QUICK)

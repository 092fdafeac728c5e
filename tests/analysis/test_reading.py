"""An analysis as a whole: verdicts, abstention, batches, places, what is left out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_detectors import Told, made_kinds, made_linear

from slant.analysis.analysisjson import analysis_json
from slant.analysis.article import Article
from slant.analysis.detectors import verdict
from slant.analysis.reading import analysed
from slant.data.schemas import load_schema, plain_schema
from slant.errors import OptionError
from slant.types import Answer, Mark, Span

BAIT = load_schema("bait")


def one(text, detectors=(), **more):
    return analysed([Article("a", text, **more)], list(detectors), BAIT)[0]


@pytest.mark.parametrize(
    ("p", "threshold", "said"),
    [
        # within 0.1 of one half, half-open: from 0.4 up to 0.6
        (0.39, 0.5, "not biased"), (0.4, 0.5, "no verdict"), (0.59, 0.5, "no verdict"),
        (0.6, 0.5, "biased"),
        # between one half and a threshold further off
        (0.25, 0.3, "not biased"), (0.35, 0.3, "no verdict"), (0.7, 0.8, "no verdict"),
        (0.85, 0.8, "biased"),
    ],
)  # fmt: skip
def test_a_verdict_is_given_only_where_threshold_and_one_half_agree(p, threshold, said):
    detector = Told(threshold=threshold)
    found = one(f"The plan {p}.", [detector])
    assert verdict(found.sentences[0], detector.facts) == said
    assert ("told" in found.sentences[0].abstained) == (said == "no verdict")


def test_an_interval_that_holds_one_half_gives_no_verdict():
    sure = made_linear(refits=[[0, 0, 2.0], [0, 0, 4.0]])
    unsure = made_linear(refits=[[0, 0, -2.0], [0, 0, 4.0]])
    assert one("vile", [sure]).sentences[0].abstained == {}
    assert one("vile", [unsure]).sentences[0].abstained == {"made": "its interval holds one half"}


def test_a_sentence_without_a_known_word_or_any_word_says_so():
    found = one("Unknown.\n***\nvile.", [made_linear()])
    assert [s.abstained.get("made", "") for s in found.sentences] == [
        "it knows no word of this sentence", "it holds no word", ""
    ]  # fmt: skip
    assert [bool(s.probabilities) for s in found.sentences] == [False, False, True]


def test_a_verdict_needs_two_different_known_words():
    found = one("Vile.\nVile, vile!\nA vile plan.", [made_kinds()])
    assert [s.abstained.get("made", "") for s in found.sentences] == [
        "it knows 1 word of this sentence, and a verdict needs 2",
        "it knows 1 word of this sentence, and a verdict needs 2",
        "",
    ]
    assert all(s.probabilities["made"].value > 0.6 for s in found.sentences)


def test_only_a_sentence_that_is_called_biased_has_kinds_and_they_count_in_the_profile():
    text = "A vile plan.\nA nice plan.\nVile.\n“A vile plan,” he said."
    found = one(text, [made_kinds()])
    assert [dict(s.kinds).keys() == {"racial-bias"} for s in found.sentences] == [
        True, False, False, True
    ]  # fmt: skip
    share = {m.key: m.estimate for m in found.profile}["kind:racial-bias"]
    # one of the three that are not quoted; 1 + sqrt 2 gives 0.92, above 0.6
    assert (share.value, share.n) == (pytest.approx(1 / 3), 3)
    lines = " ".join(found.left_out)
    assert "not good enough at age" in lines
    assert "racial-bias" not in lines


def test_a_date_that_was_not_read_is_named_with_its_readings():
    (line,) = (x for x in one("It rains.", date="03/04/2019").left_out if x.startswith("The date"))
    assert "2019-04-03 or as 2019-03-04" in line
    assert not [x for x in one("It rains.", date="2019-04-03").left_out if x.startswith("The date")]


def test_words_and_cues_stand_where_the_article_has_them():
    text = "A plan.\n\nHe said “it is vile” of the so-called regime."
    found = one(text, [made_linear()])
    word = found.sentences[1].words[0]
    assert (text[word.start : word.end], word.quoted) == ("vile", True)
    cues = {(text[c.start : c.end], c.category, c.quoted) for c in found.sentences[1].cues}
    assert {("vile", "loaded", True), ("so-called", "loaded", False)} <= cues


def test_an_article_that_cannot_be_looked_at_keeps_its_reason():
    found = one("Das ist ein Satz.", [made_linear()], why="It is in German.")
    assert (found.sentences, found.profile, found.most) == ((), (), ())
    assert found.left_out == ("The article: It is in German.",)


def test_what_was_not_looked_at_is_said():
    text = 'Rain\n\n"It is vile." ' + "x" * 3000
    lines = " ".join(one(text, [made_linear()], title="Another title").left_out)
    for part in ("title", "1 longer than 1,000", "Quoted speech: 1 of 5", "made: no verdict on",
                 "no language model was asked"):  # fmt: skip
        assert part in lines
    without = analysed([Article("a", "Rain.")], [], plain_schema(["X1"]))[0]
    assert "Biases without surface cues: X1." in without.left_out


def test_two_detectors_of_one_name_are_refused():
    with pytest.raises(OptionError, match="not all different"):
        one("vile", [made_linear(), made_linear()])


def test_a_model_s_trigger_is_another_grade_than_a_cue():
    text = "Was so in 1954. They are all liars. The end."
    mark = Mark("B05", (Span(16, 35),), note="a group is judged")
    found = analysed(
        [Article("a", text)], [], BAIT,
        answers={"a": Answer(frozenset({"B05"}), (mark, Mark("B05"), Mark("Z", (Span(0, 2),))))},
        model="some-model",
    )[0]  # fmt: skip
    grades = [[(t.bias, t.grade, t.source) for t in s.triggers] for s in found.sentences]
    assert ("B06", "cue found", "surface cues") in grades[0]
    assert ("B05", "trigger found", "some-model") in grades[1]
    assert not [one for one in grades[0] + grades[2] if one[1] == "trigger found"]
    keys = {m.key: m.estimate for m in found.profile}
    # the trigger stands in one of three sentences, none quoted
    assert (keys["trigger:B05"].value, keys["trigger:B01"].value) == (pytest.approx(1 / 3), 0)
    assert "trigger:B05" not in {m.key for m in one(text).profile}


def test_a_trigger_over_two_sentences_stands_in_both():
    text = "One here. Two here. Three here."
    answer = Answer(frozenset({"B01"}), (Mark("B01", (Span(4, 14),)),))
    found = analysed([Article("a", text)], [], BAIT, answers={"a": answer}, model="m")[0]
    touched = [any(t.grade == "trigger found" for t in s.triggers) for s in found.sentences]
    assert touched == [True, True, False]


def test_an_article_is_answered_alike_alone_and_in_a_batch():
    articles = [Article(str(i), f"A vile plan {i}. A nice one. ***") for i in range(30)]
    together = analysed(articles, [made_linear()], BAIT)
    alone = [analysed([article], [made_linear()], BAIT)[0] for article in articles]
    assert together == alone
    assert [analysis_json(a) for a in together] == [analysis_json(a) for a in alone]


def test_the_json_of_an_analysis_keeps_every_place_and_no_nan():
    text = "A vile 😀 plan. “Nice,” he said.\n\n\u202eright to left"
    content = json.loads(json.dumps(analysis_json(one(text, [made_linear()])), allow_nan=False))
    assert content["format"] == 1
    assert content["article"]["text"] == text
    word = content["sentences"][0]["words"][0]
    assert text[word["start"] : word["end"]] == "vile"
    assert content["sentences"][1]["quoted"] == [[15, 22]]
    assert content["sentences"][0]["probabilities"]["made"].keys() == {"value", "low", "high"}


def test_a_schema_of_other_codes_is_looked_for_by_its_names():
    found = analysed([Article("a", "According to experts it rains.")], [], load_schema("ptc"))[0]
    assert "Appeal_to_Authority" in {t.bias for s in found.sentences for t in s.triggers}


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet='vile nice.\n"“”’<&>\x00\u202e😀İß', max_size=120))
def test_every_place_lies_in_its_sentence(text):
    for sentence in one(text, [made_linear()]).sentences:
        places = [(w.start, w.end) for w in sentence.words]
        places += [(c.start, c.end) for c in sentence.cues]
        places += [(s.start, s.end) for t in sentence.triggers for s in t.spans]
        assert all(sentence.start <= a < b <= sentence.end for a, b in places)


def test_ten_thousand_sentences_are_one_batch():
    text = "A vile lie. " * 10_000
    found = one(text, [made_linear()])
    assert len(found.sentences) == 10_000
    assert found.sentences[-1].words

from made_scores import made_run, made_runs

from slant.report.entries import entries
from slant.report.page import report
from slant.report.sentences import answers, asked
from slant.report.settings import settings


def only_answer(*runs):
    (said,) = answers(settings(entries(runs))[0])
    return said


def test_the_answer_is_one_sentence_with_the_highest_control_first():
    run, scores = made_run()
    scores["overall"]["media_bias_micro"] = {"value": 0.7204, "low": 0.7001, "high": 0.7404}
    assert only_answer((run, scores)) == (
        "tfidf-lr reaches a micro F1 of 0.720 [0.700, 0.740] averaged over 8 tasks; a coin "
        "reaches 0.498 [0.492, 0.505], knowing only which data set a text came from 0.412 and "
        "always giving the more frequent label 0.333."
    )


def test_the_answer_says_when_a_control_does_as_well():
    run, scores = made_run()
    scores["controls_overall"]["source-only"]["media_bias_micro"]["value"] = 0.99
    assert (
        "tasks, no more than without any text: knowing only which data set a text came from "
        "reaches 0.990" in only_answer((run, scores))
    )


def test_the_answer_of_an_older_run_names_the_controls_that_it_has():
    run, scores = made_run()
    del scores["controls"]["random"], scores["controls_overall"]["random"]
    assert "coin" not in only_answer((run, scores))
    assert "; knowing only which data set a text came from reaches 0.412" in only_answer(
        (run, scores)
    )


def test_each_set_of_tasks_has_an_answer_of_its_own_for_means_over_others_do_not_compare():
    two = {"mbib/gender-bias": ["075", "106"], "mbib/racial-bias": ["075", "110"]}
    runs = [made_run(), made_run(system="minilm-lr", tasks=two)]
    for _, scores in runs:
        for task in scores["tasks"].values():
            task["data"] = "3f2a91c0"
    eight, of_two = answers(settings(entries(runs))[0])
    assert eight.startswith("tfidf-lr reaches")
    assert "averaged over 8 tasks" in eight
    assert of_two.startswith("minilm-lr reaches")
    assert "averaged over 2 tasks (gender bias and racial bias)" in of_two
    _, _, html = report(runs, [])
    assert "Means over" in html
    assert "protocols." not in html
    assert asked(settings(entries(runs))[0]).startswith(
        "tfidf-lr on 8 tasks; minilm-lr on 2 tasks; 16 data sets"
    )


def test_an_undefined_mean_is_said_with_its_reason():
    run, scores = made_run()
    scores["overall"]["media_bias_micro"] = {
        "value": None,
        "low": None,
        "high": None,
        "why": "no task has two classes",
    }
    assert (
        only_answer((run, scores))
        == "tfidf-lr has no micro F1 averaged over 8 tasks: no task has two classes."
    )


def test_the_question_names_systems_data_and_protocol():
    assert asked(settings(entries(made_runs()))[0]) == (
        "tfidf-lr and lexicon on 8 tasks, 16 data sets (14 complete, 2 partial), preset clean; "
        "F1 averaged over the two classes, with 95% intervals."
    )

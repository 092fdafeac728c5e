"""Mikolov's analogies, against the published counts and against gensim."""

from __future__ import annotations

import numpy as np
import pytest

from slant.embeddings.analogies import Section, analogy_accuracy, askable, read_questions
from slant.embeddings.vectors import read_vectors
from slant.errors import DataError

pytest.importorskip("gensim")

PUBLISHED = {
    "family": (417, 462),
    "gram3-comparative": (655, 702),
    "gram5-present-participle": (177, 210),
    "gram7-past-tense": (402, 462),
    "gram9-plural-verbs": (142, 182),
    "city-in-state": (272, 299),
    "capital-world": (18, 18),
}


@pytest.fixture
def google(real_data):
    return read_vectors(real_data / "weat" / "googlenews_analogy_words.txt")


def test_the_published_counts_on_google_news_are_met_exactly(google, real_data):
    sections = read_questions()
    assert sections == read_questions(real_data / "weat" / "questions-words.txt")
    assert sum(len(one.questions) for one in sections) == 19_544
    answered = {
        one.name: one for one in analogy_accuracy(google.matrix, askable(google.rows, sections))
    }
    for name, (right, asked) in PUBLISHED.items():
        assert (answered[name].right, answered[name].asked) == (right, asked)
    assert sum(one.right for one in answered.values()) == 3_590
    assert sum(one.asked for one in answered.values()) == 4_326


@pytest.mark.parametrize("restrict", [300_000, 250])
def test_each_section_is_gensims_with_a_restricted_vocabulary_too(google, real_data, restrict):
    from gensim.models import KeyedVectors

    held = KeyedVectors(google.matrix.shape[1])
    held.add_vectors(list(google.rows), google.matrix)
    sections = read_questions()[4:7]
    path = real_data / "weat" / "questions-words.txt"
    _, theirs = held.evaluate_word_analogies(path, restrict_vocab=restrict)
    counts = {one["section"]: (len(one["correct"]), len(one["incorrect"])) for one in theirs}
    for one in analogy_accuracy(google.matrix, askable(google.rows, sections, restrict=restrict)):
        assert counts[one.name] == (one.right, one.asked - one.right)


# Unit vectors at these angles; man is to woman as king is to: 90 - 0 + 30 = about 120 degrees.
ANGLES = {"man": 0, "woman": 90, "king": 30, "queen": 120, "King": 118, "Queen": 119, "cat": 200}


def plane(angles):
    turn = np.deg2rad(list(angles.values()))
    matrix = np.stack([np.cos(turn), np.sin(turn)], axis=1).astype(np.float32)
    return {word: row for row, word in enumerate(angles)}, matrix


def test_capitals_make_no_difference_unless_asked():
    # w.(b - a + c) with b - a + c = (-0.13, 1.5), at 95 degrees; without "woman" at 90 the nearest
    # is "King" at 118. A twin of the question word "king", it answers only where capitals count.
    rows, matrix = plane(ANGLES)
    section = [Section("s", (("man", "woman", "king", "queen"),))]
    (one,) = analogy_accuracy(matrix, askable(rows, section))
    assert (one.right, one.asked) == (1, 1)
    (one,) = analogy_accuracy(matrix, askable(rows, section, case="exact"))
    assert (one.right, one.asked) == (0, 1)


def test_a_question_with_an_unknown_word_is_not_asked():
    rows, matrix = plane(ANGLES)
    sections = [Section("s", (("man", "woman", "king", "dog"), ("Man", "woman", "king", "queen")))]
    (one,) = analogy_accuracy(matrix, askable(rows, sections, case="exact"))
    assert (one.right, one.asked, one.of) == (0, 0, 2)


@pytest.mark.parametrize(
    ("content", "words"),
    [("a b c d\n", "it has no section"), (": s\na b c\n", "line 2 has 3 words"),
     (": s\n", "it has no question")],
)  # fmt: skip
def test_questions_that_are_none_are_named(tmp_path, content, words):
    path = tmp_path / "q.txt"
    path.write_text(content)
    with pytest.raises(DataError, match=words):
        read_questions(path)

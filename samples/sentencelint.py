"""What makes a set of minimal pairs a bad one: faults of single rows, and artefacts over all.

`tests/data/test_open_sentences.py` runs the same functions over the whole sample.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import numpy as np

Row = Mapping[str, Any]
WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
MARKS = (",", '"', "'", "-", ";", ":", "?", "!", "(")
TOPICAL = 0.75
"""A content word is of the topic if both tellings hold it in this share of the pairs it is in."""
TOLERANCE = {
    "words": 0.7, "characters": 4.5, "commas": 0.15, "capitals": 0.25, "digits": 0.4,
    "quotation marks": 0.12, "exclamation and question marks": 0.03, "semicolons and colons": 0.05,
    "dashes and brackets": 0.08,
}  # fmt: skip
"""How far the means of the two classes may lie apart."""


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [word.lower() for word in WORD.findall(text)]


FUNCTION_WORDS = set(
    words_of(
        """a about after again all also an and any are as at be because been before between both
    but by can could did do does during for from had has have he her here him his how if in
    into is it its may more most no not of off on once one only or other out over own said
    say says she should since so some such than that the their them then there these they
    this those through to too under until up was we were what when where whether which while
    who whom whose why will with would yet"""
    )
)


def twins(rows: Sequence[Row]) -> dict[str, dict[int, Row]]:
    """The rows of each pair by label."""
    by_pair: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in rows:
        by_pair[row["pair"]][row["label"]] = row
    return by_pair


def unquoted(row: Row) -> str:
    """The text with blanks where others are quoted."""
    text = list(row["text"])
    for start, end in row["quoted"]:
        text[start:end] = " " * (end - start)
    return "".join(text)


def row_faults(row: Row) -> list[str]:
    """Typography and spans of one sentence."""
    text, found = row["text"], []
    if not all(char.isascii() or char.isalpha() for char in text):
        found.append("a character that is neither ASCII nor a letter")
    if text != " ".join(text.split()) or re.search(r"\.\.(?!\.)| [,.;:?!]", text):
        found.append("blanks or full stops doubled or before a mark")
    if not re.search(r'[.?!]"?$', text) or not (
        text[0].isupper() or text[0] in "\"'" or text[0].isdigit()
    ):
        found.append("does not begin with a capital or end with a full stop")
    if not 6 <= len(text.split()) <= 60:
        found.append("fewer than 6 or more than 60 words")
    ends = [0, *(place for span in row["spans"] for place in span), len(text)]
    if ends != sorted(ends):
        found.append("spans that overlap or are out of order")
    for start, end in row["spans"]:
        before, after = text[start - 1 : start], text[end : end + 1]
        cut = (before.isalnum() and text[start].isalnum()) or (
            after.isalnum() and text[end - 1].isalnum()
        )
        if cut or text[start:end] != text[start:end].strip():
            found.append(f"marked words that begin or end within a word: {text[start:end]}")
        if any(start < closed and opened < end for opened, closed in row["quoted"]):
            found.append(f"marked words in quoted speech: {text[start:end]}")
    if row["rule"] == "N3" and not row["quoted"]:
        found.append("N3 without a quotation")
    return found


def pair_faults(biased: Row, neutral: Row) -> list[str]:
    """What makes two tellings no minimal pair."""
    found, plain = [], unquoted(neutral)
    for start, end in biased["spans"]:
        phrase = biased["text"][start:end]
        if re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", plain, re.IGNORECASE):
            found.append(f"the neutral telling has the marked words, too: {phrase}")
    one, other = words_of(biased["text"]), words_of(neutral["text"])
    shared = sum((Counter(one) & Counter(other)).values()) / min(len(one), len(other))
    if shared < 0.3:
        found.append(f"the tellings share {shared:.0%} of their words: no minimal pair")
    if SequenceMatcher(None, biased["text"], neutral["text"]).ratio() > 0.985:
        found.append("the tellings are the same")
    if not 0.55 <= len(one) / len(other) <= 1.8:
        found.append(f"lengths of {len(one)} and {len(other)} words")
    return found


def surface(text: str) -> list[float]:
    """Lengths, marks, capitals and figures of a text."""
    return [
        len(text),
        len(text.split()),
        len(text) / len(text.split()),
        *(text.count(mark) for mark in MARKS),
        sum(char.isupper() for char in text),
        sum(char.isdigit() for char in text),
        len(re.findall(r"\d[\d,.]*", text)),
    ]


def mean_differences(rows: Sequence[Row]) -> dict[str, float]:
    """Mean of the biased less that of the neutral sentences, for each measure of TOLERANCE."""
    measures = {
        "words": r"\S+", "characters": r"(?s).", "commas": ",", "capitals": r"[A-Z]",
        "digits": r"\d", "quotation marks": '"', "exclamation and question marks": r"[!?]",
        "semicolons and colons": r"[;:]", "dashes and brackets": r" -+ |[()]",
    }  # fmt: skip
    labels = np.array([row["label"] for row in rows])
    found = {}
    for name, pattern in measures.items():
        counts = np.array([len(re.findall(pattern, row["text"])) for row in rows], float)
        found[name] = float(counts[labels == 1].mean() - counts[labels == 0].mean())
    return found


def topic_words(rows: Sequence[Row]) -> set[str]:
    """Content words that tell what a pair is about: both tellings hold them."""
    held, both = Counter[str](), Counter[str]()
    for by_label in twins(rows).values():
        one, other = (set(words_of(by_label[label]["text"])) for label in (0, 1))
        held.update(one | other)
        both.update(one & other)
    return {word for word in both if both[word] >= TOPICAL * held[word]} - FUNCTION_WORDS


def artefacts(rows: Sequence[Row]) -> Any:
    """Length, punctuation, position, names, topic words, section and outlet: (rows, features)."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction import DictVectorizer

    topical = topic_words(rows)
    bags = []
    for row in rows:
        bag = Counter(f"name={word}" for word in WORD.findall(row["text"])[1:] if word[0].isupper())
        bag.update(f"word={word}" for word in words_of(row["text"]) if word in topical)
        bag.update(f"{key}={row[key]}" for key in ("topic", "section", "outlet"))
        bags.append(dict(bag))
    place = np.arange(len(rows), dtype=np.float64)
    parts = [
        csr_matrix(np.array([surface(row["text"]) for row in rows], dtype=np.float64)),
        csr_matrix(np.column_stack([place, place % 2, place % 4])),
        DictVectorizer().fit_transform(bags),
    ]
    return hstack(parts, format="csr")


def class_f1_of(model: Any, features: Any, rows: Sequence[Row], seeds: int = 3) -> float:
    """Class F1 of a scikit-learn model, pooled over five folds of events, mean of the seeds."""
    from sklearn.metrics import f1_score
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

    gold = np.array([row["label"] for row in rows])
    events = np.array([row["event"] for row in rows])
    scores = []
    for seed in range(seeds):
        folds = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
        predicted = cross_val_predict(model, features, gold, groups=events, cv=folds)
        scores.append(f1_score(gold, predicted, average="macro"))
    return float(np.mean(scores))


def probe_f1(rows: Sequence[Row], seeds: int = 3) -> dict[str, float]:
    """Class F1 of logistic regression on the surface, and on all artefacts; 0.5 is chance."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(with_mean=False), LogisticRegression(max_iter=1000))
    features = artefacts(rows)
    columns = len(surface("a"))
    return {
        "surface": class_f1_of(model, features[:, :columns], rows, seeds),
        "artefacts": class_f1_of(model, features, rows, seeds),
    }


def misspelt(rows: Sequence[Row]) -> Counter[str]:
    """Words in lower case that neither British nor American word lists hold, with their counts.

    Compounds are taken apart; names, being capitalised somewhere, are left out.
    """
    from spellchecker import SpellChecker

    known = SpellChecker(language="en", distance=1)
    names = {
        word.lower() for row in rows for word in WORD.findall(row["text"]) if word[0].isupper()
    }
    counts = Counter(
        part
        for row in rows
        for word in WORD.findall(row["text"])
        if word[0].islower()
        for part in re.split(r"['-]", word.removesuffix("'s"))
        if len(part) > 2 and part not in names and not any(char.isdigit() for char in part)
    )
    unknown = known.unknown(list(counts))
    return Counter({word: counts[word] for word in unknown})


def one_sided(rows: Sequence[Row]) -> list[tuple[str, int, int]]:
    """Content words in 8 sentences or more of one label and a fifth as many of the other.

    Marked words and quoted speech are left out.
    """
    counts: dict[int, Counter[str]] = {0: Counter(), 1: Counter()}
    for row in rows:
        text = unquoted(row)
        for start, end in row["spans"]:
            text = text[:start] + " " * (end - start) + text[end:]
        counts[row["label"]].update(set(words_of(text)) - FUNCTION_WORDS)
    every = set(counts[0]) | set(counts[1])
    found = [(word, counts[0][word], counts[1][word]) for word in every]
    return sorted(
        (one for one in found if max(one[1:]) >= 8 and 5 * min(one[1:]) <= max(one[1:])),
        key=lambda one: -max(one[1:]),
    )


def lint(rows: Sequence[Row]) -> int:
    """Print the faults of a source and what there is of each kind; 1 if there is a fault."""
    faults = [
        f"{row['id']} ({row['pair']}): {told}: {row['text'][:70]}"
        for row in rows
        for told in row_faults(row)
    ]
    for pair, by_label in twins(rows).items():
        faults += [f"{pair}: {told}" for told in pair_faults(by_label[1], by_label[0])]
    differences = mean_differences(rows)
    for name, apart in differences.items():
        if abs(apart) > TOLERANCE[name]:
            faults.append(
                f"{name}: biased less neutral is {apart:+.2f} in the mean, where "
                f"{TOLERANCE[name]} is allowed"
            )
    probe = probe_f1(rows, 1)
    for name, f1 in probe.items():
        if f1 > 0.57:
            faults.append(f"the probe on {name} has class F1 {f1:.3f}")
    neutral = [row for row in rows if not row["label"]]
    hard = sum(row["hard_negative"] for row in neutral) / len(neutral)
    if hard < 0.25:
        faults.append(f"{hard:.0%} of the neutral sentences are hard negatives, 25% are wanted")
    phrases = Counter(row["text"][a:b].lower() for row in rows for a, b in row["spans"])
    print(
        f"{len(rows)} sentences, {len(twins(rows))} pairs, "
        f"{len({row['event'] for row in rows})} events"
    )
    print("rules", dict(sorted(Counter(row["rule"] for row in rows).items())))
    print("kinds of spans", dict(Counter(kind for row in rows for kind in row["kinds"])))
    print(
        "difficulty",
        dict(sorted(Counter((row["label"], row["difficulty"]) for row in rows).items())),
    )
    print("first telling biased", sum(row["label"] for row in rows[::2]), "of", len(rows) // 2)
    longer = sum(len(p[0]["text"]) > len(p[1]["text"]) for p in twins(rows).values())
    print("neutral telling longer", longer, "of", len(rows) // 2)
    print(
        "means, biased less neutral", {name: round(apart, 2) for name, apart in differences.items()}
    )
    print("probe", probe)
    print("look at the spelling of:", ", ".join(sorted(misspelt(rows))))
    print("phrases marked most:", phrases.most_common(8))
    print("unmarked words of one side (word, neutral, biased):", one_sided(rows)[:25])
    for fault in faults:
        print("FAULT", fault)
    print("ok" if not faults else f"{len(faults)} faults")
    return int(bool(faults))

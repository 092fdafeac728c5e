"""Finding misquoted spans in real articles, against windows compared by difflib.

    SLANT_DATA=DIR python benchmarks/alignment.py [--spans 321] [--slow 16] [--seed 0]

Spans are marked passages of 25 to 400 characters drawn from the propaganda corpus, misquoted as a
model misquotes: verbs in another tense, a dropped article, other quotes and dashes, letters
changed, a word left out; those that are still at least 0.8 alike are kept. Ours is
`slant.metrics.alignment.best_window` from 0.8 on. The peer slides windows of the quote's length
over the article, one every quarter of that length, or one every character, and takes the one of the
highest SequenceMatcher ratio from 0.8 on; as in difflib.get_close_matches, its cheap upper bounds
go first. The second, slow peer works off the first `--slow` spans. Processor seconds on one thread.
Then, each kind of change alone: by which step `slant.metrics.locate.located` finds the string.
Found: the window shares a character with the passage; exact: it is the passage. Ends with exit
code 1 where ours is less than 3 times as fast as the faster peer, finds fewer of the same spans
than either, or gives a quote a window that is less similar than the passage is.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from ratios import say_ratio
from slant.metrics.alignment import best_window
from slant.metrics.locate import STEPS, located
from slant.types import Answer, Mark, Span

LEAST = 0.8
RATIO = 3.0
Case = tuple[str, Span, str]
"""Text of the article, the true span, the misquoted string."""

_TENSE = (("is", "was"), ("are", "were"), ("has", "had"), ("have", "had"), ("will", "would"))
_MARKS = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "—": "-", "–": "-", '"': "“"})
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def other_tense(words: list[str], stream: random.Random) -> None:
    for index, word in enumerate(words):
        for present, past in _TENSE:
            if word == present:
                words[index] = past
        if word.endswith("ed") and len(word) > 4:
            words[index] = word[:-2] + "s"


def no_article(words: list[str], stream: random.Random) -> None:
    at = [i for i, word in enumerate(words) if word.lower() in ("a", "an", "the")]
    if at:
        del words[stream.choice(at)]


def other_marks(words: list[str], stream: random.Random) -> None:
    words[:] = [word.translate(_MARKS) for word in words]


def other_letters(words: list[str], stream: random.Random) -> None:
    for _ in range(1 + sum(map(len, words)) // 40):
        index = stream.randrange(len(words))
        place = stream.randrange(len(words[index]))
        changed = stream.choice(_LETTERS)
        words[index] = words[index][:place] + changed + words[index][place + 1 :]


def fewer_words(words: list[str], stream: random.Random) -> None:
    if len(words) > 5:
        del words[stream.randrange(1, len(words) - 1)]


CHANGES = (other_tense, no_article, other_marks, other_letters, fewer_words)
KINDS: dict[str, Callable[[list[str], random.Random], None] | str] = {
    "another tense": other_tense,
    "an article dropped": no_article,
    "other quotes and dashes": other_marks,
    "letters changed": other_letters,
    "a word left out": fewer_words,
    "other white space": " \n ",
    "another case": "upper",
}


def misquoted(quote: str, stream: random.Random) -> str:
    """The quote with one to three of the changes, and single spaces."""
    words = quote.split()
    for change in stream.sample(CHANGES, k=stream.randint(1, 3)):
        change(words, stream)
    return " ".join(words)


def changed(quote: str, kind: str, stream: random.Random) -> str:
    """The quote with one kind of change, or as it is where that changes nothing."""
    change = KINDS[kind]
    if change == "upper":
        return quote.upper()
    words = quote.split()
    if isinstance(change, str):
        return change.join(words)
    change(words, stream)
    return quote if words == quote.split() else " ".join(words)


def passages(folder: Path) -> Iterator[tuple[str, Span]]:
    """Text of the article and place of each marked passage of 25 to 400 characters."""
    for file in sorted((folder / "train-labels-task-si").glob("*.labels")):
        name = re.match(r"article\d+", file.name)
        text = (folder / "train-articles" / f"{name and name.group()}.txt").read_bytes().decode()
        for line in sorted(file.read_text().splitlines()):
            _, start, end = line.split("\t")[:3]
            span = Span(int(start), int(end))
            if 25 <= span.end - span.start <= 400:
                yield text, span


def cases(folder: Path, number: int, seed: int) -> list[Case]:
    stream = random.Random(seed)
    found: list[Case] = []
    for text, span in passages(folder):
        quote = text[span.start : span.end]
        wrong = misquoted(quote, stream)
        if wrong not in text and similarity(wrong, quote) >= LEAST:
            found.append((text, span, wrong))
    stream.shuffle(found)
    return found[:number]


def similarity(quote: str, window: str) -> float:
    return 1 - Levenshtein.distance(quote, window) / max(len(quote), len(window))


def ours(text: str, quote: str) -> Span | None:
    found = best_window(text, quote, LEAST)
    return found[0] if found else None


def by_difflib(step: Callable[[int], int]) -> Callable[[str, str], Span | None]:
    def found(text: str, quote: str) -> Span | None:
        matcher = SequenceMatcher(None, autojunk=False)
        matcher.set_seq2(quote)
        best, span = LEAST, None
        for start in range(0, max(1, len(text) - len(quote) + 1), step(len(quote))):
            matcher.set_seq1(text[start : start + len(quote)])
            if matcher.real_quick_ratio() >= best and matcher.quick_ratio() >= best:
                ratio = matcher.ratio()
                if ratio > best or (ratio == best and span is None):
                    best, span = ratio, Span(start, start + len(quote))
        return span

    return found


def measured(
    find: Callable[[str, str], Span | None], asked: list[Case]
) -> tuple[float, list[bool], float]:
    """Milliseconds a span, which spans are found (overlapping the true one), exact share."""
    start = time.process_time()
    spans = [find(text, quote) for text, _, quote in asked]
    spent = (time.process_time() - start) / len(asked) * 1e3
    hits = [
        span is not None and span.start < true.end and true.start < span.end
        for span, (_, true, _) in zip(spans, asked, strict=True)
    ]
    exact = sum(span == true for span, (_, true, _) in zip(spans, asked, strict=True))
    return spent, hits, exact / len(asked)


def steps_table(folder: Path, number: int, seed: int) -> Iterator[str]:
    """What `slant.metrics.locate.located` makes of each kind of change alone."""
    every = list(passages(folder))
    for kind in KINDS:
        stream = random.Random(seed)
        some = stream.sample(every, k=min(number, len(every)))
        steps: Counter[str] = Counter()
        exact, spent = 0, 0.0
        for text, span in some:
            quote = changed(text[span.start : span.end], kind, stream)
            if quote == text[span.start : span.end]:
                continue
            start = time.process_time()
            answer, resolved = located(text, Answer(marks=(Mark("x", quotes=(quote,)),)), None)
            spent += time.process_time() - start
            steps[resolved[0][0].step] += 1
            exact += answer.marks[0].spans == (span,)
        total = steps.total()
        shares = ", ".join(f"{step} {steps[step] / total:.1%}" for step in STEPS if steps[step])
        yield (
            f"  {kind}: {total} strings, {shares}; the passage itself {exact / total:.0%}; "
            f"{spent / total * 1e3:.2f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spans", type=int, default=321)
    parser.add_argument("--slow", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    folder = os.environ.get("SLANT_DATA")
    if not folder:
        raise SystemExit("Set SLANT_DATA to the folder with propaganda/ptc")
    corpus = Path(folder) / "propaganda" / "ptc"
    all_cases = cases(corpus, asked.spans, asked.seed)
    best_window(*all_cases[0][::2], LEAST)  # what the first call imports is no part of it
    peers = (
        ("windows every quarter", by_difflib(lambda size: max(1, size // 4)), asked.spans),
        ("windows every character", by_difflib(lambda size: 1), asked.slow),
    )
    worse = 0
    for text, true, quote in all_cases:
        window = best_window(text, quote, LEAST)
        worse += not window or window[1] < similarity(quote, text[true.start : true.end])
    ratios, missed = [], []
    for name, find, few in peers:
        slow, peer_hits, peer_exact = measured(find, all_cases[:few])
        fast, hits, exact = measured(ours, all_cases[:few])
        ratios.append(slow / fast)
        missed.append(sum(peer_hits) - sum(hits))
        print(f"{len(hits)} misquoted spans against difflib, {name}")
        print(f"  ours: {sum(hits)} found, {exact:.0%} exact, {fast:.2f} ms a span")
        print(f"  difflib: {sum(peer_hits)} found, {peer_exact:.0%} exact, {slow:.2f} ms a span")
        say_ratio("misquoted passages found in articles", ratios[-1], f"difflib, {name}", RATIO)
    print(f"{worse} quotes have a window less similar than the passage itself")
    print("each kind of change alone, by slant.metrics.locate.located, without gold")
    for line in steps_table(corpus, asked.spans, asked.seed):
        print(line)
    if min(ratios) < RATIO or max(missed) > 0 or worse:
        raise SystemExit(f"Marks: {RATIO:g} times as fast, as many found, none less similar")


if __name__ == "__main__":
    main()

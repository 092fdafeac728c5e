"""Run folders of BAIT as asking models leaves them: made-up articles, gold, answers and passes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from slant.data.schemas import load_schema, plain_schema, schema_json
from slant.runs.baitanswers import answers_path
from slant.runs.baitplan import BaitSettings, accompanied

WORDS = [
    "the",
    "council",
    "said",
    "that",
    "many",
    "people",
    "in",
    "town",
    "had",
    "seen",
    "the",
    "bridge",
    "fall",
    "and",
    "nobody",
    "could",
    "explain",
    "why",
    "repairs",
    "were",
    "late",
    "while",
    "old",
    "experts",
    "warned",
    "again",
    "of",
    "a",
    "crisis",
    "on",
    "every",
    "road",
    "near",
    "the",
    "river",
]
CODES = tuple(f"B0{n}" for n in range(1, 10))

Trigger = tuple[str, list[tuple[int, int]]]
"""A bias and its spans."""


def schema_record(
    codes: Sequence[str] = CODES, dominant: Sequence[str] = ("B01",)
) -> dict[str, Any]:
    """The schema as run.json has it."""
    if tuple(codes) == CODES:
        return schema_json(load_schema("bait"))
    return schema_json(replace(plain_schema(codes, "made"), dominant=tuple(dominant)))


def article(
    name: str, text: str, triggers: Iterable[Trigger], labels: Sequence[str] = ()
) -> dict[str, Any]:
    """A line of gold.jsonl or of an annotator's file."""
    return {
        "id": name,
        "text": text,
        "labels": list(labels),
        "triggers": [
            {
                "id": f"T{n}",
                "bias": bias,
                "spans": [{"start": s, "end": e, "text": text[s:e]} for s, e in spans],
            }
            for n, (bias, spans) in enumerate(triggers, 1)
        ],
    }


def raw_answer(
    triggers: Iterable[tuple[str, Sequence[str]]], present: Iterable[str] | None = None
) -> str:
    """What a model returns: the biases it says are present, and strings by trigger."""
    found = [{"bias": bias, "spans": list(quotes)} for bias, quotes in triggers]
    said = sorted({one["bias"] for one in found}) if present is None else list(present)
    return json.dumps({"biases_present": said, "triggers": found}, ensure_ascii=False)


def stored(name: str, raw: str | None, model: str, error: str | None = None) -> dict[str, Any]:
    """A line of an answers file."""
    return {
        "article": name, "raw": raw, "error": error, "attempts": 1 if error is None else 6,
        "examples": [], "model": model, "usage": {"input_tokens": 900, "output_tokens": 120},
        "seconds": 1.5,
    }  # fmt: skip


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)
    path.write_text(lines, "utf-8", newline="")


def write_folder(
    folder: Path,
    gold: Sequence[Mapping[str, Any]],
    answers: Mapping[tuple[str, str], Mapping[str, str | None]],
    *,
    kinds: Mapping[str, str] | None = None,
    passes: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    schema: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Path:
    """Write a run folder.

    Args:
        gold: lines of `article`.
        answers: by system and run ("k0-run1", "k3-seed17"): the raw answer of each article, None
            where there was none.
        kinds: of the systems that are no models.
        passes: the annotators' lines before adjudication, by name.
        schema: of `schema_record`.
        settings: fields of `BaitSettings` that differ from what the answers show.
    """
    names = list(dict.fromkeys(system for system, _ in answers))
    every = sorted({run for system, run in answers if system not in (kinds or {})})
    asked = BaitSettings(
        shots=tuple(sorted({int(run[1:].partition("-")[0]) for run in every} or {0})),
        draws=tuple(sorted({int(run.partition("-seed")[2]) for run in every if "seed" in run})),
        zero_shot_runs=sum(run.startswith("k0-") for run in every),
    )
    asked = replace(asked, **(settings or {}))
    record = {
        "kind": "bait", "slant": "0.0.0", "command": "slant bait run", "created": "2026-01-01",
        "schema": schema or schema_record(),
        "data": {"path": "gold.jsonl", "sha256": "0" * 64, "articles": len(gold)},
        "settings": {
            **asked.json(), "prompt_sha256": "0" * 64, "accompanied": accompanied(asked)
        },
        "systems": [
            {"name": name, "kind": (kinds or {}).get(name, "model"), "params": {}} for name in names
        ],
        "signature": "made",
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(
        json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    write_lines(folder / "gold.jsonl", gold)
    for name, lines in (passes or {}).items():
        write_lines(folder / "annotators" / f"{name}.jsonl", lines)
    for (system, run), raws in answers.items():
        records = [
            stored(name, raw, system, None if raw is not None else "no answer after 6 attempts")
            for name, raw in raws.items()
        ]
        write_lines(answers_path(folder, system, run), records)
    return folder


def made_text(words: int, random: Random) -> str:
    """Sentences of made-up news."""
    parts: list[str] = []
    while len(parts) < words:
        sentence = [random.choice(WORDS) for _ in range(random.randint(8, 18))]
        parts += [sentence[0].capitalize(), *sentence[1:-1], sentence[-1] + "."]
    return " ".join(parts[:words])


def made_triggers(text: str, codes: Sequence[str], random: Random) -> list[Trigger]:
    """A few triggers on a text, some of several spans, some on one passage."""
    ends = [n for n, c in enumerate(text) if c == " "]
    found: list[Trigger] = []
    for code in codes:
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            spans = []
            for _ in range(random.choice([1, 1, 1, 2, 3]) if code == codes[0] else 1):
                first = random.randrange(len(ends) - 10)
                spans.append((ends[first] + 1, ends[first + random.randint(3, 9)]))
            found.append((code, sorted(set(spans))))
    return found


def corrupted(
    text: str, triggers: Sequence[Trigger], codes: Sequence[str], skill: float, random: Random
) -> str:
    """A model's answer: gold, of which it finds a part, with errors in place, bias and wording."""
    told: list[tuple[str, list[str]]] = []
    for bias, spans in triggers:
        if random.random() > skill:
            continue
        quotes = []
        for start, end in spans:
            move = random.choice([0, 0, 0, 5, 25])
            quote = text[start + move : end + move]
            if random.random() < 0.05:
                quote = quote.upper()
            if random.random() < 0.05:
                quote = quote.replace("e", "a", 1)
            if random.random() < 0.02:
                quote = "Nothing of this kind stands anywhere in print"
            quotes.append(quote)
        told.append((bias if random.random() < 0.9 else random.choice(codes), quotes))
    for bias, spans in made_triggers(text, codes, random):
        if random.random() > skill:
            told.append((bias, [text[s:e] for s, e in spans]))
    return raw_answer([(bias, [q for q in quotes if q]) for bias, quotes in told if any(quotes)])


def made_folder(
    folder: Path,
    *,
    models: int = 2,
    baselines: int = 1,
    articles: int = 8,
    words: int = 160,
    shots: Sequence[int] = (0, 3),
    seeds: Sequence[int] = (17, 23, 29),
    codes: Sequence[str] = CODES,
    passes: bool = True,
    faults: bool = True,
    seed: int = 1,
) -> Path:
    """A whole made-up run: twice as many zero-shot runs as draws, a baseline, two passes."""
    random = Random(seed)
    texts = [made_text(words, random) for _ in range(articles)]
    marks = [made_triggers(text, codes, random) for text in texts]
    if articles > 1:
        marks[-1] = []
    names = [f"article-{n}" for n in range(1, articles + 1)]
    answers: dict[tuple[str, str], dict[str, str | None]] = {}
    for model in range(models):
        system = f"provider/model-{chr(97 + model)}"
        for k in shots:
            draws = [f"run{n}" for n in range(1, 2 * len(seeds) + 1)]
            for draw in draws if k == 0 else [f"seed{s}" for s in seeds]:
                skill = min(0.95, 0.35 + 0.1 * model + 0.04 * k)
                own: dict[str, str | None] = {
                    name: corrupted(text, found, codes, skill, random)
                    for name, text, found in zip(names, texts, marks, strict=True)
                }
                if faults and draw == draws[0] and k == 0:
                    own[names[0]] = None
                    own[names[1]] = '{"biases_present": ["B01"], "triggers": [{"bias'
                answers[system, f"k{k}-{draw}"] = own
    kinds = {}
    for one in range(baselines):
        system = ("cues", "most-frequent", "repeated-claims")[one]
        kinds[system] = "baseline"
        answers[system, "k0-run1"] = {
            name: corrupted(text, found, codes, 0.3, random)
            for name, text, found in zip(names, texts, marks, strict=True)
        }
    people = None
    if passes:
        people = {
            person: [
                article(name, text, [t for t in found if random.random() < 0.8])
                for name, text, found in zip(names, texts, marks, strict=True)
            ]
            for person in ("a", "b")
        }
    gold = [article(*row) for row in zip(names, texts, marks, strict=True)]
    return write_folder(
        folder, gold, answers, kinds=kinds, passes=people, schema=schema_record(codes, codes[:1])
    )

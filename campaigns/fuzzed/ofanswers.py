"""Readers of what models answered, of predictions, prices and the configurations of checkpoints."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from fuzzed.readers import Files, Reader, encoded, files, lines, only, parquet, text

CODES = ["B01", "B02"]
TRIGGERS = {
    "biases_present": ["B01"],
    "triggers": [{"bias": "B01", "spans": ["the plan", "again"]}],
}
PAIR = {"label": "biased", "rationale": "The axis is cut."}
VERDICT = {
    "supports_gold": True,
    "reason": "So.",
    "claims": [{"claim": "a", "supported_by": "text"}],
}
PREDICTED = [
    {"id": "a", "label": "1", "probability": "0.9"},
    {"id": "b", "label": "non-biased", "probability": "0.1"},
]
STOPS = (None, "stop", "max_tokens", "content_filter")


def triggers(folder: Path) -> object:
    from slant.systems.triggeranswers import answer_json, parsed_answer

    names = {"B01": "Ad Hominem"}
    found = [parsed_answer(text(folder), CODES, names=names, stop=stop) for stop in STOPS]
    return [
        answer_json(one.answer, "the plan, again", CODES).encode() for one in found if one.answer
    ]


def pair(folder: Path) -> object:
    from slant.systems.pairanswers import pair_answer

    said = text(folder)
    return [
        pair_answer(said, open_ended=ended, stop=stop) for ended in (True, False) for stop in STOPS
    ]


def verdict(folder: Path) -> object:
    from slant.systems.verdicts import verdict as read

    return [read(text(folder), stop).faithful for stop in STOPS]


def last(folder: Path) -> object:
    from slant.systems.jsonanswers import last_object

    return [last_object(text(folder), ["label"], stop, []) for stop in STOPS]


def predictions(folder: Path) -> object:
    from slant.systems.foreign import check_predictions, file_fingerprint, read_predictions

    path = only(folder)
    check_predictions(path, ["a", "b"], "fault")
    return read_predictions(path, "fault"), file_fingerprint(path)


def prices(folder: Path) -> object:
    from slant.runs.baitbudget import read_prices

    return read_prices(only(folder))


def checkpoint(folder: Path) -> object:
    from slant.systems.capacity import weights_in
    from slant.systems.checkpoints import checked_folder, checkpoint_fingerprint

    checked_folder(folder, "made")
    return weights_in(folder / "model.safetensors"), checkpoint_fingerprint(str(folder))


def detector(folder: Path) -> object:
    from slant.runs.analysisdetectors import detector_folders
    from slant.runs.folders import detector_facts

    return detector_facts(folder), detector_folders(folder)


def secrets(folder: Path) -> object:
    from slant.runs.secretkeys import check_no_secrets, looks_like_key, scrubbed

    said = text(folder)
    check_no_secrets({"x": said}, None, [said[:80]])
    return looks_like_key(said), scrubbed(said, ["sk-1234567890abcdef"])


def _safetensors() -> bytes:
    head = json.dumps({"w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}).encode()
    return struct.pack("<Q", len(head)) + head + bytes(16)


def _around(*values: object) -> list[Files]:
    """An answer bare, in a fence and between words."""
    made: list[Files] = []
    for value in values:
        bare = json.dumps(value)
        made += [
            {"raw": one.encode()} for one in (bare, f"```json\n{bare}\n```", f"Well: {bare} So.")
        ]
    return made


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    table = "id,label,probability\na,1,0.9\nb,non-biased,0.1\n"
    columns = {name: [row[name] for row in PREDICTED] for name in PREDICTED[0]}
    facts = {
        "task": "mbib/racial-bias",
        "labels": ["non-biased", "biased"],
        "temperature": 1.2,
        "threshold": 0.5,
        "max_length": 128,
        "long": "window",
        "signature": "s",
        "scores": {},
    }
    config = {"model_type": "bert", "architectures": ["BertForSequenceClassification"]}
    weights = {"config.json": encoded(config), "model.safetensors": _safetensors()}
    given_prices = {"openai/gpt-4o": {"input": 2.5, "output": 10, "input_cache_read": 1}}
    return [
        Reader(
            "answers: triggers",
            triggers,
            _around(TRIGGERS),
            ("systems.triggeranswers", "systems.jsonanswers"),
        ),
        Reader("answers: of a pair", pair, _around(PAIR), ("systems.pairanswers",)),
        Reader("answers: a judge's verdict", verdict, _around(VERDICT), ("systems.verdicts",)),
        Reader("answers: the last object", last, _around(PAIR, TRIGGERS), ("systems.jsonanswers",)),
        Reader(
            "answers: predictions of another program",
            predictions,
            [files(p__csv=table), {"p.jsonl": lines(PREDICTED)}, {"p.parquet": parquet(columns)}],
            ("systems.foreign",),
        ),
        Reader("answers: prices", prices, [files(p__json=given_prices)], ("runs.baitbudget",)),
        Reader(
            "systems: a checkpoint's folder",
            checkpoint,
            [weights | {"vocab.txt": b"a\nb\n"}],
            ("systems.checkpoints", "systems.capacity", "systems.foreigncode"),
        ),
        Reader(
            "systems: a detector's folder",
            detector,
            [weights | {"detector.json": encoded(facts)}],
            ("runs.folders", "runs.analysisdetectors"),
        ),
        Reader(
            "secrets: text that may hold a key",
            secrets,
            [{"a": b"reasoning: low, max_tokens: 5"}],
            ("runs.secretkeys",),
        ),
    ]

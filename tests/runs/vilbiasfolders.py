"""Run folders of ViLBias as asking and judging leave them: made-up pairs, answers and verdicts."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from slant.runs.baitanswers import answers_path, slug

OUTLETS = ("Harbour Post", "Valley Echo", "The Orvane Sheet")
WORDS = [
    "council",
    "rents",
    "bridge",
    "police",
    "numbers",
    "rise",
    "fall",
    "again",
    "quarter",
    "said",
    "after",
    "report",
]


def png(colour: tuple[int, int, int] = (200, 60, 60), side: int = 24) -> bytes:
    """A small image of one colour."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(colour) * side) * side
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def pair(name: str, label: int, **more: Any) -> dict[str, Any]:
    """A line of gold.jsonl."""
    return {
        "id": name, "text": f"Text of {name}.", "image": None, "label": label, "text_label": label,
        "image_label": 0, "rationale": "Because of a word.", "outlet": None, "role": "test", **more,
    }  # fmt: skip


def closed(biased: bool) -> str:
    """A closed answer."""
    return json.dumps({"label": "biased" if biased else "not biased"})


def opened(biased: bool, rationale: str) -> str:
    """An open answer."""
    label = "biased" if biased else "not biased"
    return json.dumps({"label": label, "rationale": rationale}, ensure_ascii=False)


def ruling(supports: bool, *supported_by: str) -> str:
    """A judge's reply, with a claim for each kind of support."""
    claims = [{"claim": f"claim {n}", "supported_by": by} for n, by in enumerate(supported_by, 1)]
    return json.dumps({"supports_gold": supports, "claims": claims})


def stored(name: str, raw: str | None, model: str) -> dict[str, Any]:
    """A line of an answers file."""
    return {
        "article": name, "raw": raw, "error": None if raw is not None else "no answer",
        "attempts": 1, "examples": [], "model": model, "usage": {"total_tokens": 90},
        "seconds": 0.5, "stop": "stop", "structured": False,
    }  # fmt: skip


def verdict_line(item: str, raw: str | None, sample: int = 1, order: str = "plain") -> Any:
    """A line of a verdicts file."""
    return {"item": item, "raw": raw, "error": None, "attempts": 1, "sample": sample,
            "order": order, "usage": {}}  # fmt: skip


def planted_line(case: str, kind: str, raw: str | None, **expected: bool) -> Any:
    """A line of planted.jsonl."""
    return {"case": case, "kind": kind, "expected": expected, "raw": raw, "error": None,
            "attempts": 1, "sample": 1, "order": "plain", "usage": {}}  # fmt: skip


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    path.write_text(text, "utf-8", newline="")


def write_folder(
    folder: Path,
    gold: Sequence[Mapping[str, Any]],
    answers: Mapping[tuple[str, str], Mapping[str, str | None]],
    *,
    verdicts: Mapping[tuple[str, str, str], Sequence[Mapping[str, Any]]] | None = None,
    planted: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    images: Mapping[str, bytes] | None = None,
) -> Path:
    """Write a run folder.

    Args:
        gold: lines of `pair`.
        answers: by system and run ("closed-k0", "open-k5-seed17"): the raw answer of each pair.
        verdicts: lines of `verdict_line` by judge, system and run.
        planted: lines of `planted_line` by judge.
        images: by path in the folder.
    """
    systems = list(dict.fromkeys(system for system, _ in answers))
    judges = sorted({judge for judge, _, _ in verdicts or {}} | set(planted or {}))
    record = {
        "kind": "vilbias", "slant": "0.0.0", "command": "slant vilbias run", "created": "2026-01-01",
        "data": {"path": "pairs.jsonl", "sha256": "0" * 64, "pairs": len(gold)},
        "settings": {"shots": [0], "open": True}, "judges": judges,
        "systems": [{"name": name, "kind": "model", "params": {}} for name in systems],
        "signature": "vilbias|made",
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    write_lines(folder / "gold.jsonl", gold)
    for (system, run), raws in answers.items():
        lines = [stored(name, raw, system) for name, raw in raws.items()]
        write_lines(answers_path(folder, system, run), lines)
    for (judge, system, run), found in (verdicts or {}).items():
        write_lines(folder / "verdicts" / slug(judge) / f"{slug(system)}--{run}.jsonl", found)
    for judge, found in (planted or {}).items():
        write_lines(folder / "verdicts" / slug(judge) / "planted.jsonl", found)
    for path, content in (images or {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def made_folder(
    folder: Path,
    *,
    models: int = 2,
    judges: int = 2,
    pairs: int = 20,
    seeds: Sequence[int] = (17,),
    faults: bool = True,
    seed: int = 1,
) -> Path:
    """A whole made-up run: twins, images, closed and open answers without and with examples, judges
    with two orders, planted rationales, and answers that cannot be read."""
    random = Random(seed)
    gold, images = [], {}
    for n in range(pairs):
        name, label = f"p{n + 1:03}", int(n % 2 == 0)
        text = " ".join(random.choice(WORDS) for _ in range(30)).capitalize() + "."
        image = f"images/{name}.png"
        images[image] = png((60 + 140 * label, (37 * n) % 200, 90))
        part = (1, 0) if n % 4 == 0 else (0, 1)
        gold.append(
            pair(name, label, text=text, image=image, text_label=part[0] * label,
                 image_label=part[1] * label, outlet=OUTLETS[n % 3], pair=f"twin-{n // 2}")
        )  # fmt: skip
    gold.append(pair("t001", 1, role="train"))
    tested = [one for one in gold if one["role"] == "test"]
    runs = ["closed-k0", "open-k0"]
    runs += [f"{mode}-k5-seed{s}" for mode in ("closed", "open") for s in seeds]
    answers: dict[tuple[str, str], dict[str, str | None]] = {}
    verdicts: dict[tuple[str, str, str], list[Any]] = {}
    for model in range(models):
        system = f"provider/model-{chr(97 + model)}"
        for run in runs:
            skill = 0.6 + 0.12 * model + (0.08 if "k5" in run else 0)
            own: dict[str, str | None] = {}
            for one in tested:
                right = random.random() < skill
                said = bool(one["label"]) == right
                own[one["id"]] = (
                    closed(said)
                    if run.startswith("closed")
                    else opened(said, f"The word “{random.choice(WORDS)}” frames it <b>so</b>.")
                )
                for judge in range(judges) if run.startswith("open") else ():
                    for order in ("plain", "turned"):
                        kept = right and random.random() < 0.85
                        by = random.choice(["text", "image", "both", "none"])
                        key = f"judges/judge-{judge + 1}", system, run
                        line = verdict_line(one["id"], ruling(kept, by, "text"), order=order)
                        verdicts.setdefault(key, []).append(line)
            if faults:
                own[tested[0]["id"]] = None
                own[tested[1]["id"]] = '{"label": "bia'
                own[tested[2]["id"]] = '{"label": "perhaps", "rationale": "x"}'
            answers[system, run] = own
    planted = {}
    for judge in range(judges):
        lines = []
        for kind, yes in (("right", True), ("wrong label", False), ("unsupported claim", None),
                          ("injection", False)):  # fmt: skip
            for n in range(5):
                fails = kind == "injection" and n <= judge
                expected = {"faithful": False} if yes is None else {"supports_gold": yes}
                said = ruling(bool(yes) != fails, "none" if yes is None else "text")
                lines.append(planted_line(f"{kind} {n}", kind, said, **expected))
        planted[f"judges/judge-{judge + 1}"] = lines
    return write_folder(folder, gold, answers, verdicts=verdicts, planted=planted, images=images)

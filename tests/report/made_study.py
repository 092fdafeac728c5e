"""A made-up study in the shape of explain.json and circuit.json, with what could break a page."""

import random
import re

METHODS = (
    "cls-attention",
    "rollout",
    "rollout-as-printed",
    "gradient-attention",
    "integrated-gradients",
    "occlusion",
)
SCORES = ("auroc", "average_precision", "token_f1", "iou_f1")
KS = (1, 3, 5, 10, 20, 30)
STANDARD, SUPERVISED, LARGE = (
    "encoder-minilm",
    "encoder-minilm-attention-0.5",
    "encoder-bge-small",
)
WHY = "the interval of base spans 0"
TEXTS = (
    "The mayor's reckless scheme was slammed on Monday.",
    '<script>alert(1)</script> & "radical" <img src=x onerror=alert(2)> leftists again',
    "هذا نص عربي ينتقد الحكومة بشدة",
    "Officials said the budget passed with a vote of 51 to 49, as expected.",
)
MARKED = (("reckless", "slammed"), ("radical",), ("بشدة",), ())


def estimate(value, width=0.02, seeds=5, **more):
    """An estimate with its interval and a number for each seed."""
    spread = width / 2 if seeds > 1 else None
    each = [value + width * (i - (seeds - 1) / 2) / 4 for i in range(seeds)]
    return {
        "value": value, "low": value - width, "high": value + width * 1.1, "seeds": each,
        "spread": spread, **more,
    }  # fmt: skip


def undefined(why=WHY):
    return {"value": None, "low": None, "high": None, "seeds": [], "spread": None, "why": why}


def _plausible(value, dice):
    lower = {"auroc": 0.0, "average_precision": 0.4, "token_f1": 0.45, "iou_f1": 0.5}
    return {
        name: estimate(
            value - less, 0.011, within=0.2 + dice.random() / 10, pooled=value - less - 0.01
        )
        for name, less in lower.items()
    }


def _class(value):
    return {
        "precision": estimate(value + 0.031, 0.024),
        "recall": estimate(value - 0.028, 0.024),
        "f1": estimate(value, 0.02),
    }


def _erased(value, dice):
    found = {}
    for kind, base in (("comprehensiveness", value), ("sufficiency", 0.4 - value)):
        by_chance = base / 2 + dice.random() / 50
        found[kind] = estimate(base, 0.01)
        found[f"random_{kind}"] = estimate(by_chance, 0.008)
        found[f"excess_{kind}"] = estimate(base - by_chance, 0.012)
    return found


def _example(i, dice, seed=42):
    text = TEXTS[i % len(TEXTS)]
    words = [[m.start(), m.end()] for m in re.finditer(r"[^\W_]+(?:['’][^\W_]+)*", text)]
    marked = [[text.index(word), text.index(word) + len(word)] for word in MARKED[i % len(TEXTS)]]
    scores = {}
    for method in METHODS:
        signed = method in {"gradient-attention", "integrated-gradients", "occlusion"}
        scores[method] = [
            (0.4 if [a, b] in marked else 0.1) * dice.random() - (0.1 if signed else 0)
            for a, b in words
        ]
    return {
        "seed": seed, "id": f"babe-{100 + i}", "text": text, "label": int(bool(marked)),
        "probability": 0.9134 if marked else 0.1066, "marked": marked, "words": words,
        "scores": scores,
    }  # fmt: skip


def _subject(system, lam, seeds, **params):
    given = {"epochs": 4, "lr": 1e-4, **params}
    if lam:
        given["attention_lambda"] = lam
    shown = f"babe|split:holdout|system:{system}@1|attention_lambda:{lam}|seed:*|slant:0.1.0"
    return {
        "signature": shown, "system": f"{system}@1", "params": given,
        "seeds": list(range(42, 42 + seeds)),
    }  # fmt: skip


def explained(
    system="encoder:minilm", lam=0.0, f1=0.7782, level=0.71, seed=1, examples=4, **params
):
    """One model of explain.json."""
    dice = random.Random(seed)
    auroc = {method: level - 0.04 * i + dice.random() / 50 for i, method in enumerate(METHODS)}
    return {
        **_subject(system, lam, 5, **params),
        "folds": 1,
        "classification": {
            "class_f1": estimate(f1, 0.0234),
            "biased": _class(f1 + 0.009),
            "unbiased": _class(f1 - 0.009),
        },
        "dev": {
            "class_f1": estimate(f1 + 0.004, 0.02),
            "auroc": {method: estimate(value - 0.006, 0.01) for method, value in auroc.items()},
        },
        "sentences": [
            {"seed": 42 + i, "fold": 0, "test": 542, "marked": 301 - i, "shown": 292 - i, "cut": 1}
            for i in range(5)
        ],
        "plausibility": {method: _plausible(value, dice) for method, value in auroc.items()},
        "erasure": {
            method: {
                removal: _erased(0.3 - 0.03 * i - 0.1 * j, dice)
                for j, removal in enumerate(("delete", "mask", "unknown"))
            }
            for i, method in enumerate(METHODS)
        },
        "examples": [_example(i, dice) for i in range(examples)],
    }  # fmt: skip


def difference(model, method, against, value, against_model=None, width=0.012):
    return {
        "model": model, "method": method, "against_model": against_model, "against": against,
        "score": "auroc", "value": value, "low": value - width, "high": value + width, "p": 0.0004,
        "seeds": [value] * 5,
    }  # fmt: skip


def made_explain(models=None):
    """explain.json of three models: two conditions of one encoder, and a second encoder."""
    dice = random.Random(7)
    models = models or {
        STANDARD: explained(),
        SUPERVISED: explained(lam=0.5, f1=0.7931, level=0.9, seed=2),
        LARGE: explained("encoder:bge-small", f1=0.7712, level=0.66, seed=3),
    }
    found = {
        "slant": "0.1.0", "level": 0.95, "resamples": 1000, "task": "babe", "part": "test",
        "unit": "word", "aggregation": "max", "target": "predicted", "models": models,
        "baselines": {
            "idf": _plausible(0.8244, dice), "lexicon": _plausible(0.7021, dice),
            "random": _plausible(0.5008, dice),
        },
        "humans": {
            "alpha": 0.3996, "labels_class_f1": 0.7853,
            "words": {"auroc": 0.6502, "token_f1": 0.3519, "answers": 12086, "votes": 1},
        },
        "differences": [],
    }  # fmt: skip
    for name, model in models.items():
        for method, scores in model["plausibility"].items():
            own = scores["auroc"]["value"]
            found["differences"].append(difference(name, method, "idf", own - 0.8244))
    if STANDARD in models and SUPERVISED in models:
        for method in METHODS:
            pair = [
                models[n]["plausibility"][method]["auroc"]["value"] for n in (SUPERVISED, STANDARD)
            ]
            found["differences"].append(
                difference(SUPERVISED, method, method, pair[0] - pair[1], STANDARD, 0.009)
            )
    return found


def _band(middle, width=0.05):
    return {"low": middle - width, "median": middle, "high": middle + width}


def _curve(base, total, lift, defined=True, start=0.0):
    points = []
    for k in sorted({*KS, *(round(total * share) for share in (0.1, 0.25, 0.5))}):
        share = min(1.0, (k / total) ** 0.5 * lift)
        circuit, none = base * (start + (1 - start) * share), base * (1 - share * 0.8)
        by_chance = k / total * 1.2

        def shared(value):
            return estimate(value, 0.05) if defined else undefined()

        def band(value):
            if defined:
                return _band(value)
            return {"low": None, "median": None, "high": None}

        points.append({
            "k": k, "share": k / total, "asked": "k" if k in KS else "share",
            "circuit": estimate(circuit, 0.1), "none": estimate(none, 0.1),
            "sufficiency": shared(circuit / base), "completeness": shared(1 - none / base),
            "retention": shared(circuit / abs(base)), "rescue": estimate(circuit - none, 0.12),
            "random": {
                "sufficiency": band(by_chance), "completeness": band(by_chance * 0.8),
                "retention": band(by_chance), "rescue": _band(base * (2 * by_chance - 1), 0.2),
            },
        })  # fmt: skip
    return {"base": estimate(base, 0.1 if defined else abs(base) * 2), "points": points}


def circuited(system="encoder:minilm", lam=0.0, layers=6, lift=0.9, seed=1, **params):
    """One model of circuit.json."""
    dice = random.Random(seed)
    heads, total = [12] * layers, 12 * layers

    def grid(scale):
        return [[dice.gauss(0, scale) * (i + 1) / layers for _ in range(12)] for i in range(layers)]

    words, by_chance = grid(0.2), grid(0.03)
    excess = [
        [a - b for a, b in zip(*rows, strict=True)] for rows in zip(words, by_chance, strict=True)
    ]
    kinds = ("words", "random_words", "excess")
    return {
        **_subject(system, lam, 5, **params),
        "layers": layers, "blocks": [f"layer {i}" for i in range(layers)], "heads": heads,
        "total": total,
        "texts": [
            {"seed": 42 + i, "fold": 0, "dev": 542, "test": 542, "changed": 289 + i}
            for i in range(5)
        ],
        "effects": {"words": words, "random_words": by_chance, "excess": excess},
        "order": {f"{42 + i}-0": [[layers - 1, 3], [0, i]] for i in range(5)},
        "reliability": estimate(0.8765, 0.03), "agreement": estimate(0.6543, 0.04),
        "attribution_patching": {"spearman": estimate(0.9321, 0.01)},
        "probe": {"class_f1": estimate(0.7712, 0.02)},
        "curves": {
            "classes": {
                kind: _curve((2.4, 2.4, 0.0123)[i], total, lift, kind != "excess", 0.3)
                for i, kind in enumerate(kinds)
            },
            "corruption": {
                kind: _curve((0.9, 0.2, 0.7)[i], total, lift - 0.1) for i, kind in enumerate(kinds)
            },
        },
    }  # fmt: skip


def made_circuit(models=None):
    """circuit.json of the same three models."""
    return {
        "slant": "0.1.0", "level": 0.95, "resamples": 1000, "task": "babe",
        "corruption": "resample", "readout": "probe", "scale": "logit", "ranking": "signed",
        "discovery": "dev", "verification": "test", "draws": 20,
        "models": models or {
            STANDARD: circuited(),
            SUPERVISED: circuited(lam=0.5, lift=1.1, seed=2),
            LARGE: circuited("encoder:bge-small", layers=12, lift=0.7, seed=3),
        },
    }  # fmt: skip

"""Made-up runs in the shape of run.json, scores.json and compare.json, with everything in them
that could break a page."""

import random
import zlib

TASKS = {
    "mbib/linguistic-bias": ["010", "019", "026", "038"],
    "mbib/cognitive-bias": ["010", "029"],
    "mbib/text-level-context-bias": ["010", "019", "038"],
    "mbib/hate-speech": ["040", "092"],
    "mbib/gender-bias": ["075", "106", "107"],
    "mbib/racial-bias": ["075", "076", "110"],
    "mbib/fake-news": ["012", "025", "072"],
    "mbib/political-bias": ["003", "029"],
}
DATA = {
    "003": ("News_Bias & Co. 100%", 18_402),
    "010": ("BABE", 3_673),
    "012": ("PHEME", 5_132),
    "019": ("Ukraine News Corpus", 2_057),
    "025": ("FakeNewsNet", 249),
    "026": ("Wiki Neutrality Corpus", 1_000),
    "029": ("SemEval 2019", 430),
    "038": ("Biased Sentences", 842),
    "040": ("Jigsaw", 41_230),
    "072": ("LIAR", 12_836),
    "075": ("RedditBias", 9_554),
    "076": ("CAD", 513),
    "092": ("HateXplain", 20_148),
    "106": ("Workplace Sexism", 1_137),
    "107": ("CMSB", 13_631),
    "110": ("Racial Bias", 751),
}
ONE_CLASS = "076"
HOSTILE = [
    '<script>alert(1)</script> & "quoted" <img src=x onerror=alert(2)>',
    "\u202eevil sdrawkcab \u2066 and never closed",
    "هذا نص عربي طويل ينتقد الحكومة — with English inside — ثم يعود إلى العربية.",
    "Why " * 1250,
    "w" * 5000,
    "👩‍👩‍👧‍👦🏳️‍🌈 they are ALL the same 😡😡😡 🇺🇦",
    r"50% of $x_1^2$ & {curly} ~tilde \input{/etc/passwd} #hash",
    "nul\x00 bell\x07 lone\ud800 surrogate\x85",
    "{{ 7 * 7 }} {% raw %} </blockquote></details></body>",
    "Z̷̡̢͕͍͎̝̗̲͔a̶̧̛̙l̴̰͝g̸͖͝o̶͇͠ text that climbs out of its line",
]


def _estimate(value, width, folds=5):
    low, high = max(0.0, value - width), min(1.0, value + width * 0.97)
    return {"value": value, "low": low, "high": high, "folds": [value] * folds}


def _task_scores(dice, micro, group):
    made = {}
    for average, base in (("micro", micro), ("group", group)):
        made[f"{average}_f1"] = _estimate(base, 0.021)
        made[f"{average}_class_f1"] = _estimate(base, 0.021)
        made[f"{average}_weighted_f1"] = _estimate(base + 0.004, 0.02)
        made[f"{average}_biased_f1"] = _estimate(base - 0.013, 0.025)
    made["accuracy"] = _estimate(micro + 0.002, 0.02)
    made["precision"] = _estimate(micro + dice.uniform(-0.03, 0.03), 0.024)
    made["recall"] = _estimate(micro + dice.uniform(-0.03, 0.03), 0.024)
    made["mcc"] = {
        "value": 2 * micro - 1,
        "low": 2 * micro - 1.04,
        "high": 2 * micro - 0.961,
        "folds": [],
    }
    made["auroc"] = _estimate(min(0.98, micro + 0.06), 0.017)
    return made


def made_scores(system="tfidf-lr", seed=1, level=0.72, tasks=TASKS, share=1.0, preset="clean"):
    """scores.json of one run."""
    dice = random.Random(seed)
    facts = {}
    for i, (task, sets) in enumerate(tasks.items()):
        micro = level + dice.uniform(-0.09, 0.09)
        group = micro - dice.uniform(0.01, 0.09)
        n = sum(DATA[d][1] for d in sets)
        groups = {}
        for dataset in sets:
            rows = DATA[dataset][1]
            f1 = min(0.97, max(0.2, micro + dice.uniform(-0.16, 0.16)))
            one = dataset == ONE_CLASS
            groups[dataset] = {
                "n": rows,
                "by_label": {"0": 0 if one else rows // 2, "1": rows if one else rows - rows // 2},
                "one_class": one,
                "f1": None if one else f1,
                "recall": f1 + 0.01,
                "low": f1 - 9 / rows**0.62,
                "high": min(1.0, f1 + 9 / rows**0.62),
            }
        scores = _task_scores(dice, micro, group)
        if system == "lexicon":
            scores["auroc"] = {
                "value": None,
                "low": None,
                "high": None,
                "folds": [],
                "why": "the system gives no probabilities",
            }
        bins = []
        for b in range(10):
            mean = b / 10 + 0.05
            empty = b == 0 and i == 2
            bins.append(
                {
                    "low": b / 10,
                    "high": (b + 1) / 10,
                    "n": 0 if empty else 100 + 10 * b,
                    "mean_probability": None if empty else mean,
                    "share_biased": None
                    if empty
                    else min(1, max(0, mean + dice.uniform(-0.09, 0.09))),
                }
            )
        errors = [
            {
                "id": f"{sets[0]}-{k}",
                "dataset": sets[0],
                "text": HOSTILE[k % len(HOSTILE)]
                if k < 10
                else f"A plain sentence number {k} that the system misread.",
                "gold": k % 2,
                "predicted": 1 - k % 2,
                "probability": None
                if system == "lexicon"
                else (0.99 - k / 500 if k % 2 == 0 else 0.01 + k / 500),
                "source_label": "Biased|<b>" if k == 1 else "Non-biased",
            }
            for k in range(12)
        ]
        facts[task] = {
            "n": n,
            "data": f"{zlib.crc32(task.encode()):08x}",
            "by_label": {"0": n // 2, "1": n - n // 2},
            "datasets": list(sets),
            "missing": [{"dataset": "105", "why": "absent: only on request from its authors"}]
            if i == 5
            else [],
            "left_out": {"undecided": 216 + i, "blank": 3} if i % 2 == 0 else {},
            "scores": scores,
            "groups": groups,
            "confusion": {
                "tp": int(n * 0.36),
                "fp": int(n * 0.15),
                "fn": int(n * 0.14),
                "tn": int(n * 0.35),
            },
            "calibration": None
            if system == "lexicon"
            else {"ece": 0.043 + i / 1000, "brier": 0.19 + i / 1000, "bins": bins},
            "errors": errors,
        }
    mean = {
        a: sum(t["scores"][f"{a}_f1"]["value"] for t in facts.values()) / len(facts)
        for a in ("micro", "group")
    }
    fixed = random.Random(99)
    controls = {"majority": {}, "source-only": {}, "random": {}}
    for task in tasks:
        controls["majority"][task] = _task_scores(fixed, 0.333, 0.333)
        source = 0.41 + fixed.uniform(-0.06, 0.12)
        controls["source-only"][task] = _task_scores(fixed, source, source - 0.03)
        controls["random"][task] = _task_scores(fixed, 0.499, 0.502)
        for name in controls:
            controls[name][task]["auroc"] = {
                "value": None,
                "low": None,
                "high": None,
                "folds": [],
                "why": "gives no probabilities",
            }
    return {
        "signature": f"mbib|task:{'+'.join(t.split('/')[1] for t in tasks)}|preset:{preset}|data:3f2a91c0|balance:dataset|folds:5|strata:dataset+label|groups:near+article+pair|f1:class|seeds:42|system:{system}@1|share:{share:g}|slant:0.1.0",
        "system": f"{system}@1",
        "preset": preset,
        "slant": "0.1.0",
        "command": f"slant run mbib --system {system} --out runs/{system}",
        "seeds": [42],
        "primary": "class_f1" if preset == "clean" else "weighted_f1",
        "level": 0.95,
        "tasks": facts,
        "overall": {
            f"media_bias_{a}": {"value": v, "low": v - 0.011, "high": v + 0.0105}
            for a, v in mean.items()
        },
        "controls": controls,
        "controls_overall": {
            "majority": {
                "media_bias_micro": {"value": 0.3333, "low": 0.331, "high": 0.3352},
                "media_bias_group": {"value": 0.3333, "low": 0.33, "high": 0.3361},
            },
            "source-only": {
                "media_bias_micro": {"value": 0.4123, "low": 0.3989, "high": 0.4261},
                "media_bias_group": {"value": 0.3871, "low": 0.369, "high": 0.4052},
            },
            "random": {
                "media_bias_micro": {"value": 0.4984, "low": 0.4921, "high": 0.5052},
                "media_bias_group": {"value": 0.5006, "low": 0.4899, "high": 0.5111},
            },
        },
        "faults": {"no answer": 3, "unparsed": 0} if system == "lexicon" else {},
        "data": [
            {
                "dataset": d,
                "name": name,
                "licence": None if d in ("025", "072") else "CC BY-NC-SA 4.0",
                "state": "partial" if d in ("025", "029") else "complete",
                "form": "raw",
                "rows": rows,
                "used": {task: rows for task, sets in tasks.items() if d in sets},
                "notes": ["Holds 249 of 373 files."] if d == "025" else [],
                "fingerprint": f"{int(d):03d}" * 21 + "f",
            }
            for d, (name, rows) in DATA.items()
        ],
        "counts": {
            "train": {
                task: int(sum(DATA[d][1] for d in sets) * 0.8 * share)
                for task, sets in tasks.items()
            }
        },
        "train_share": share,
    }


def made_run(**options):
    """(run.json, scores.json) of one run."""
    scores = made_scores(**options)
    return {
        "system": scores["system"],
        "signature": scores["signature"],
        "command": scores["command"],
        "versions": {"python": "3.11.7", "scikit-learn": "1.7.2"},
        "absent": [{"task": "mbib/reporting-level-bias", "why": "no labelled public data exists"}],
    }, scores


def made_comparison(a="lexicon", b="tfidf-lr", runs=None, signatures=("x", "y")):
    """compare.json of two runs."""
    dice = random.Random(5)
    tasks = []
    for i, task in enumerate(TASKS):
        difference = 0.11 - 0.022 * i
        p = [0.0001, 0.0002, 0.004, 0.012, 0.21, 0.9, 0.6, 0.04][i]
        tasks.append(
            {
                "task": task,
                "n": 1000 + 371 * i,
                "a": 0.6,
                "b": 0.6 + difference,
                "difference": difference,
                "low": difference - 0.03,
                "high": difference + 0.028,
                "p_bootstrap": p,
                "p_randomisation": p * dice.uniform(0.9, 1.1),
                "p_holm": min(1.0, p * (8 - i)),
            }
        )
    return {
        "signatures": list(signatures),
        "systems": [f"{a}@1", f"{b}@1"],
        "runs": runs or [f"runs/{a}", f"runs/{b}-half"],
        "score": "micro_class_f1",
        "level": 0.95,
        "resamples": 10_000,
        "tasks": tasks,
    }


def made_runs():
    """Two systems on eight tasks."""
    return [made_run(), made_run(system="lexicon", seed=2, level=0.58)]


def small_runs():
    """Two systems on one task."""
    tasks = {"mbib/racial-bias": ["075", "076", "110"]}
    made = [made_run(tasks=tasks), made_run(system="lexicon", tasks=tasks, level=0.58, seed=2)]
    for _, scores in made:
        scores["data"] = [row for row in scores["data"] if row["dataset"] in ("075", "076", "110")]
    return made

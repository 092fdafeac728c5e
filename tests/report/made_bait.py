"""A made-up run of BAIT in the shape of scores.json, gold.jsonl and fates: nothing was measured."""

import json
import random

CODES = {"B01": "Illusory <b>Truth</b>", "B02": "Negativity Bias", "B04": "Authority Bias"}
NAMES = (
    "detection_micro_f1", "detection_macro_f1", "subset_accuracy", "characters_f1", "spans_f1",
    "triggers_f1", "triggers_f1_jaccard", "triggers_f1_max",
)  # fmt: skip
NASTY = (
    "First \U0001f600 line.\r\n"
    "<script>alert('x')</script> & </script><!-- they say it again.\r\n"
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd e\u0301 \x00\x1b end.\r\n"
)
PLAIN = "Experts warn of ruin. Experts warn of ruin again. All was better once, they say."
EMPTY = "A plain notice. Nothing else."
IDS = ("../a<b>&\u202e", "plain", "empty")
TEXTS = dict(zip(IDS, (NASTY, PLAIN, EMPTY), strict=True))


def place(text, part, after=0):
    start = text.index(part, after)
    return [start, start + len(part)]


GOLD = {
    IDS[0]: [
        ("B01", [place(NASTY, "\U0001f600 line.\r\n<script>"), place(NASTY, "again")]),
        ("B02", [place(NASTY, "line.\r")]),
    ],
    "plain": [
        ("B01", [place(PLAIN, "Experts warn of ruin"), place(PLAIN, "Experts warn of ruin", 9)]),
        ("B02", [place(PLAIN, "ruin again")]),
        ("B04", [place(PLAIN, "Experts warn of ruin")]),
    ],
    "empty": [],
}  # fmt: skip


def estimate(value, width=0.05, **more):
    return {"value": value, "low": value - width, "high": value + width, **more}


def made_scores_of(dice, runs):
    return {name: estimate(round(dice.uniform(0.1, 0.9), 4),
                           sd=round(dice.uniform(0, 0.1), 4) if runs > 1 else None)
            for name in NAMES}  # fmt: skip


def made_setting(system, shots, names, codes=CODES, human=False):
    dice = random.Random(f"{system} {shots}")
    scores = made_scores_of(dice, len(names))
    return {
        "shots": shots,
        "runs": [{"run": name, "scores": {n: round(dice.uniform(0, 1), 4) for n in NAMES}}
                 for name in names],
        "scores": scores,
        "scores_without": made_scores_of(dice, len(names)),
        "scores_per_article": {n: {"value": dice.random(), "low": 0.1, "high": 0.9} for n in NAMES},
        "biases": {
            code: {
                **{f"{level}_f1": estimate(round(dice.uniform(0, 1), 4), sd=0.01)
                   for level in ("detection", "characters", "spans", "triggers")},
                "gold_articles": 2, "predicted_articles": 2.5 + i, "gold_spans": 3,
                "excess_articles": estimate(0.5 + i, 0.6), "predicted_spans": 4.25,
                "matched_spans": 1.75,
            }
            for i, code in enumerate(codes)
        },
        "answers": 3 * len(names), "expected": 3 * len(names) + 1, "faults": {"cut-off": 1},
        "no_answer": 1, "not_asked": 0, "remarks": {"bare-span": 2}, "usage": {"input_tokens": 1234.0},
        "steps": {} if human else
        {"exact": 90, "case": 4, "space": 3, "fuzzy": 2, "unlocated": 1},
        "low_similarity": 1, "unlocated_characters": 17,
    }  # fmt: skip


def made_comparison_row(family, score, first, second, difference, p):
    return {
        "family": family, "score": score,
        "first": {"system": first[0], "shots": first[1]},
        "second": {"system": second[0], "shots": second[1]},
        "n": 3, "difference": difference, "low": difference - 0.1, "high": difference + 0.1,
        "t": difference * 20, "p": p, "p_holm": min(1, 2 * p), "p_permutation": p + 0.001,
        "p_permutation_holm": min(1, 2 * p + 0.002), "better": 2, "worse": 1, "equal": 0,
    }  # fmt: skip


MODELS = ("openai/gpt-x", "other/<i>model")


def made_comparisons():
    detection, location = (
        "detection, examples against none",
        "localisation, examples against none",
    )
    rows = [
        made_comparison_row(detection, "detection_micro_f1", (m, 3), (m, 0), 0.12 - i / 4, 0.0021)
        for i, m in enumerate(MODELS)
    ]
    rows += [
        made_comparison_row(location, score, (m, 3), (m, 0), 0.07 + i / 90, 0.04)
        for score in ("characters_f1", "spans_f1", "triggers_f1")
        for i, m in enumerate(MODELS)
    ]
    pair = "pairs of models, triggers_f1, 3 examples"
    rows.append(
        made_comparison_row(pair, "triggers_f1", (MODELS[0], 3), (MODELS[1], 3), -0.0312, 3e-5)
    )
    return rows


def made_cues():
    def part(spans, cued):
        found = {
            "spans": spans,
            **{
                k: estimate(0.2)
                for k in (
                    "matched",
                    "same_bias",
                    "other_bias",
                    "unmarked",
                    "unlocated",
                    "in_articles_without",
                )
            },
        }
        more = {
            "misplaced": 7 if spans == 30 else 32,
            "with_cue": estimate(0.594),
            "random_with_cue": estimate(0.2615),
        }
        return {**found, **(more if cued else {})}  # fmt: skip

    return {
        "seed": 42, "draws": 5, "word_aligned": True, "level": 0.95, "resamples": 2000,
        "articles": 3, "cued": ["B02", "B04"],
        "biases": {"B01": part(50, False), "B02": part(40, True), "B04": part(30, True)},
        "groups": {"cued": part(70, True), "others": part(50, False)},
    }  # fmt: skip


def made_gold():
    row = {"articles": 2, "triggers": 3, "spans": 5, "share": 0.4167, "mean_words": 3.25,
           "multi_span": 2}  # fmt: skip
    empty = {**row, "spans": 0, "share": None, "mean_words": None}
    return {
        "articles": 3, "empty": 1, "words": {"mean": 12.5, "median": 14.0},
        "biases": {"B01": row, "B02": row, "B04": empty}, "total": {**row, "spans": 12},
    }  # fmt: skip


def made_agreement():
    def row(kappa):
        return {"a": 2, "b": 1, "both": 1, "p_o": 0.9, "p_e": 0.8712, "kappa": kappa,
                "ac1": estimate(0.81), "token_f1": estimate(0.5052), "alpha_u": estimate(0.41)}  # fmt: skip

    why = {"value": None, "low": None, "high": None, "why": "both say yes everywhere"}
    mean = {k: estimate(0.53) for k in ("kappa", "p_o", "p_e", "ac1", "token_f1", "alpha_u")}
    return {
        "annotators": ["anna", "ben"], "articles": 3,
        "biases": {"B01": row(why), "B02": row(estimate(0.2321)), "B04": row(estimate(0.63))},
        "mean": mean,
    }  # fmt: skip


def made_bait(codes=CODES, **more):
    """Two models with 0 and 3 examples, two runs each, a baseline, two annotators."""
    systems = [
        {"name": name, "kind": "model", "missing_runs": ["k3-seed29"] if i else [],
         "served": [f"served-{i}-2026", "<b>"][:2 - i], "settings": [
            made_setting(name, 0, ("k0-run1", "k0-run2"), codes),
            made_setting(name, 3, ("k3-seed17", "k3-seed23"), codes),
        ]}
        for i, name in enumerate(MODELS)
    ]  # fmt: skip
    systems.append({"name": "cues", "kind": "baseline", "settings": [
        made_setting("cues", 0, ("k0-run1",), codes)]})  # fmt: skip
    systems.append({"name": "human", "kind": "human", "settings": [
        made_setting("human", 0, ("anna-ben",), codes, human=True)]})  # fmt: skip
    return {
        "kind": "bait", "slant": "0.1.0", "signature": "bait|data:made|scoring:abcd1234",
        "schema": {"name": "bait", "version": "1", "biases": [
            {"code": code, "name": name} for code, name in codes.items()]},
        "articles": 3, "level": 0.95, "without": ["B01"],
        "settings": {"span_threshold": 0.5, "trigger_threshold": 0.5, "low_similarity": 0.9,
                     "seed": 42, "without": None, "level": 0.95,
                     "asked": {"shots": [0, 3], "limit": None, "accompanied": {"k3-seed17": "k0-run1"}}},
        "systems": systems, "comparisons": made_comparisons(), "cues": made_cues(),
        "gold": made_gold(), "agreement": made_agreement(),
        **more,
    }  # fmt: skip


def span(start, end, fate, step="exact", similarity=1.0):
    return {"start": start, "end": end, "fate": fate, "step": step, "similarity": similarity}


def missed(article, *kept):
    every = [(bias, *one) for bias, spans in GOLD[article] for one in spans]
    return [{"bias": b, "start": s, "end": e} for i, (b, s, e) in enumerate(every) if i not in kept]


def made_fates(systems=(*MODELS, "cues", "human")):
    """Lines of fates.jsonl: the first run of the first model has every fate, on nasty text."""
    lines = []
    for system in systems:
        runs = ["k0-run1"] if system in ("cues", "human") else ["k0-run2", "k0-run1"]
        runs += [] if system in ("cues", "human") else ["k3-seed17"]
        for run in runs:
            shots = int(run[1])
            for article in IDS:
                text = TEXTS[article]
                line = {"system": system, "shots": shots, "run": run, "article": article,
                        "fault": None, "labels": [], "triggers": [], "missed": missed(article)}  # fmt: skip
                if article == "plain" and run == "k0-run2":
                    line["fault"] = "cut-off"
                elif article == "plain":
                    line["triggers"] = [
                        {"bias": "B01", "matched": True, "unlocated": [], "spans": [
                            span(*GOLD["plain"][0][1][0], "matched"),
                            span(*GOLD["plain"][0][1][1], "matched", "case")]},
                        {"bias": "B02", "matched": False, "unlocated": [], "spans": [
                            span(*place(PLAIN, "Experts warn"), "unmarked")]},
                    ]  # fmt: skip
                    line["missed"] = missed("plain", 0, 1)
                elif article == IDS[0]:
                    first = GOLD[article][0][1][0]
                    line["triggers"] = [
                        {"bias": "B01", "matched": False, "unlocated": ["<u>no such</u> \u202etext"],
                         "spans": [span(*first, "matched"),
                                   span(*place(text, "say it again."), "same-bias", "fuzzy", 0.8123)]},
                        {"bias": "B02", "matched": False, "unlocated": [],
                         "spans": [span(*place(text, "<script>alert"), "other-bias", "space", 1.0),
                                   span(*place(text, "\u05e2\u05d5\u05dc\u05dd e\u0301"), "unmarked")]},
                    ]  # fmt: skip
                    line["missed"] = missed(article, 0)
                lines.append(line)
    return lines


def write_folder(folder, fates=None):
    """gold.jsonl and fates.jsonl of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    gold = [
        {"id": name, "text": text, "labels": [], "triggers": [
            {"id": f"T{i}", "bias": bias,
             "spans": [{"start": s, "end": e, "text": text[s:e]} for s, e in spans]}
            for i, (bias, spans) in enumerate(GOLD[name], 1)]}
        for name, text in TEXTS.items()
    ]  # fmt: skip
    for name, rows in (("gold", gold), ("fates", made_fates() if fates is None else fates)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, "utf-8", newline="")
    return folder

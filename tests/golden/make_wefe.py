"""Makes wefe.json: what WEFE 1.0.1 says over the word vectors in its package.

WEFE pins numpy below 2, hence an environment of its own. From the root of the repository:

    python3 -m venv .venv-wefe
    .venv-wefe/bin/pip install wefe==1.0.1
    OMP_NUM_THREADS=1 .venv-wefe/bin/python tests/golden/make_wefe.py

About three minutes of one processor, most of it WEFE's 2,400 permutations. WEFE draws without a
seed; here numpy's generator is given one, so that the file comes out the same each time. With

    PYTHONPATH=src .venv-wefe/bin/python tests/golden/make_wefe.py --check

nothing is written: slant's measures are run on the same vectors and the largest difference of each
is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from functools import cache
from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import numpy as np

GOLDEN = Path(__file__).with_name("wefe.json")
DRAWS = 1000
CONVERGED = {"solver": "liblinear", "max_iter": 1_000_000, "tol": 1e-12}

# Every word is among the 487 of googlenews_analogy_words.txt, whose vectors are WEFE's own.
OWN_SETS = {
    "men": "man boy brother he his son father husband",
    "women": "woman girl sister she her daughter mother wife",
    "good": "amazing good great happy honest pleasant bright lucky",
    "bad": "bad dishonest distasteful unethical unpleasant illogical irrational unfortunate",
    "able": "smart efficient productive professional competitive rational logical informed",
    "kind": "calm cheerful sweet warm comfortable quiet young happy",
    "europe": "France Germany Italy England Spain Greece Ireland Sweden",
    "east": "Iran Iraq Syria Lebanon Libya Egypt Pakistan Afghanistan",
    "machines": "car computer machine building",
    "animals": "dog horse cow pig lion cows lions",
    "strong": "strong fast hard loud tough",
    "weak": "weak slow calm quiet sweet warm",
}
OWN_TESTS = [
    ("men", "women", "able", "kind"),
    ("women", "men", "able", "kind"),
    ("able", "kind", "men", "women"),
    ("europe", "east", "good", "bad"),
    ("men", "women", "good", "bad"),
    ("machines", "animals", "strong", "weak"),
]
WEFE_TESTS = [
    ("flowers", "insects", "pleasant_5", "unpleasant_5a"),
    ("instruments", "weapons", "pleasant_5", "unpleasant_5a"),
    ("european_american_names_7", "african_american_names_7", "pleasant_5", "unpleasant_5b"),
    ("career", "family", "male_names", "female_names"),
    ("math", "arts", "male_terms", "female_terms"),
    ("science", "arts_2", "male_terms_2", "female_terms_2"),
    ("science", "arts_2", "male_names", "female_names"),
    ("mental_disease", "physical_disease", "temporary", "permanent"),
    ("young_people_names", "old_people_names", "pleasant_9", "unpleasant_9"),
]
P_TESTS = [
    ("science", "arts_2", "male_names", "female_names"),
    ("career", "family", "male_names", "female_names"),
]
CALLS = [
    (("science", "arts_2", "male_names", "female_names"), "two_sided", DRAWS),
    (("arts_2", "science", "male_names", "female_names"), "two_sided", DRAWS),
    (("old_people_names", "young_people_names", "pleasant_9", "unpleasant_9"), "two_sided", 200),
    (("old_people_names", "young_people_names", "pleasant_9", "unpleasant_9"), "right_sided", 200),
]


def package():
    """The vectors and the word lists in WEFE's package; of a list the words that have a vector."""
    from wefe.datasets import load_weat
    from wefe.utils import load_test_model

    model = load_test_model()
    own = {name: words.split() for name, words in OWN_SETS.items()}
    sets = load_weat() | own
    known = model.wv.key_to_index
    return model, {name: [word for word in words if word in known] for name, words in sets.items()}


def query(sets, x, y, *attributes):
    from wefe.query import Query

    names = list(attributes)
    return Query([sets[x], sets[y]], [sets[name] for name in names], [x, y], names)


def values(model, sets, test):
    """What WEFE's measures say of one test, by the names of slant's measures and sets."""
    from wefe.metrics import ECT, MAC, RIPA, RND, RNSB, WEAT

    x, y, a, b = test
    both = query(sets, *test)
    weat = WEAT().run_query(both, model)
    out = {
        "d": weat["effect_size"],
        "weat": weat["weat"],
        "mac": MAC().run_query(both, model)["mac"],
    }
    for letter, name in (("a", a), ("b", b)):
        one = query(sets, x, y, name)
        out[f"rnd.{letter}"] = RND().run_query(one, model)["rnd"]
        out[f"rnd.cosine.{letter}"] = RND().run_query(one, model, distance="cos")["rnd"]
        out[f"ect.{letter}"] = ECT().run_query(one, model)["ect"]
        if len(sets[x]) == len(sets[y]):
            out[f"ripa.{letter}"] = RIPA().run_query(one, model)["ripa"]
    every = {"holdout": False, "random_state": 0}
    out["rnsb"] = RNSB().run_query(both, model, estimator_params=dict(CONVERGED), **every)["rnsb"]
    out["rnsb.default_tolerance"] = RNSB().run_query(both, model, **every)["rnsb"]
    held = [RNSB().run_query(both, model, random_state=seed)["rnsb"] for seed in range(20)]
    out["rnsb.holdout.low"], out["rnsb.holdout.high"] = min(held), max(held)
    return {name: float(value) for name, value in out.items()}


def associations(model, sets, test):
    """h of the words of X and of Y as WEFE computes it: mean cosine with A less that with B."""
    from wefe.metrics import WEAT

    x, y, a, b = (np.array([model.wv[word] for word in sets[name]]) for name in test)
    return [[float(WEAT()._calc_s(word, a, b)) for word in side] for side in (x, y)]


@cache
def splits(n, first):
    """(splits, first) which words are the first set, of every way to choose them."""
    return np.array(list(combinations(range(n), first)))


def exact_p(hx, hy):
    """Two-sided and right-sided p by enumeration of all splits, ties counted as at least as far."""
    h = np.concatenate([hx, hy])
    sums = h[splits(len(h), len(hx))].sum(1)
    sums = sums / len(hx) - (h.sum() - sums) / len(hy)
    seen = np.mean(hx) - np.mean(hy)
    return {
        "two_sided": float(np.mean(np.abs(sums) >= abs(seen) - 1e-12)),
        "right_sided": float(np.mean(sums >= seen - 1e-12)),
    }


def transcribed_p(hx, hy, draws, rng):
    """WEFE's rule on h alone: words drawn with replacement, |drawn| against the signed observed."""
    h = np.concatenate([hx, hy])
    drawn = h[rng.integers(len(h), size=(draws, len(h)))]
    sums = drawn[:, : len(hx)].sum(1) - drawn[:, len(hx) :].sum(1)
    seen = np.sum(hx) - np.sum(hy)
    return {
        "two_sided": (int(np.sum(np.abs(sums) > seen)) + 1) / (draws + 1),
        "right_sided": (int(np.sum(sums > seen)) + 1) / (draws + 1),
    }


def called_p(model, sets, test, kind, draws):
    """WEFE's own p with a seeded generator in the place of its unseeded one."""
    from wefe.metrics import WEAT

    seeded = np.random.Generator(np.random.PCG64(0))
    with patch("numpy.random.default_rng", lambda: seeded):
        said = WEAT().run_query(
            query(sets, *test),
            model,
            calculate_p_value=True,
            p_value_test_type=kind.replace("_", "-"),
            p_value_iterations=draws,
        )
    return float(said["p_value"])


def calls(model, sets):
    """WEFE's p, and what its rule as transcribed here makes of the same draws."""
    rows = []
    for test, kind, draws in CALLS:
        print("calling WEFE for p of", *test, kind, file=sys.stderr)
        seen = transcribed_p(*associations(model, sets, test), draws, np.random.default_rng(0))
        row = {"test": list(test), "kind": kind, "draws": draws}
        rows.append(
            row | {"wefe": called_p(model, sets, test, kind, draws), "transcribed": seen[kind]}
        )
    return rows


def p_values(model, sets):
    """WEFE's rule on the same test with X and Y in both orders, beside the exact p."""
    rows = []
    for x, y, a, b in P_TESTS:
        for test in ((x, y, a, b), (y, x, a, b)):
            hx, hy = associations(model, sets, test)
            seeds = [
                transcribed_p(hx, hy, DRAWS, np.random.default_rng(seed)) for seed in range(1000)
            ]
            rows.append(
                {
                    "test": list(test),
                    "h": [hx, hy],
                    "exact": exact_p(hx, hy),
                    "million": transcribed_p(hx, hy, 1_000_000, np.random.default_rng(0)),
                    "seeds": {
                        kind: [min(p[kind] for p in seeds), max(p[kind] for p in seeds)]
                        for kind in ("two_sided", "right_sided")
                    },
                }
            )
    return rows


def false_positives(n, m, mean, datasets=2000, draws=2000):
    """How often p <= 0.05 where h of all words comes from one normal distribution."""
    rng = np.random.default_rng(0)
    found = defaultdict(int)
    for _ in range(datasets):
        h = rng.normal(mean, 1, n + m)
        wefe = transcribed_p(h[:n], h[n:], draws, rng)
        exact = exact_p(h[:n], h[n:])
        for kind in ("two_sided", "right_sided"):
            found[f"wefe.{kind}"] += wefe[kind] <= 0.05
            found[f"exact.{kind}"] += exact[kind] <= 0.05
        found["wefe.two_sided.is_1"] += wefe["two_sided"] == 1
    shares = {name: count / datasets for name, count in sorted(found.items())}
    return {
        "n_x": n,
        "n_y": m,
        "mean": mean,
        "datasets": datasets,
        "draws": draws,
        "shares": shares,
    }


def check(model, sets):
    """The largest difference of slant's measures from WEFE's over all tests."""
    from slant.embeddings.association import associations as association
    from slant.embeddings.association import effect_size
    from slant.embeddings.measures import measured, rnd

    largest = defaultdict(float)
    for test in (*OWN_TESTS, *WEFE_TESTS):
        theirs = values(model, sets, test)
        arrays = {
            letter: np.array([model.wv[word] for word in sets[name]], dtype=np.float64)
            for letter, name in zip("xyab", test, strict=True)
        }
        attributes = (arrays["a"], arrays["b"], "cosine")
        h = [association(arrays[letter], *attributes) for letter in "xy"]
        ours = {"d": effect_size(*h, deviation="population")}
        for one in measured(arrays):
            each = len(one.sets) == 3 and one.sets[0] == "x"
            ours[f"{one.measure}.{one.sets[2]}" if each else one.measure] = one.value
        for letter in "ab":
            cosine = rnd(arrays["x"], arrays["y"], arrays[letter], distance="cosine")
            ours[f"rnd.cosine.{letter}"] = -cosine
        for name in theirs.keys() & ours.keys():
            largest[name] = max(largest[name], abs(theirs[name] - ours[name]))
    for name, difference in sorted(largest.items()):
        print(f"{name}\t{difference:.1e}")


def written(document):
    """JSON with one line for each entry of the two upper levels."""
    parts = []
    for name, value in document.items():
        if isinstance(value, list):
            text = "[\n" + ",\n".join(json.dumps(entry) for entry in value) + "\n]"
        else:
            text = json.dumps(value)
        parts.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    model, sets = package()
    if parser.parse_args().check:
        check(model, sets)
        return
    import sklearn

    tests = [
        {
            "test": list(test),
            "wefe": values(model, sets, test),
            "h": associations(model, sets, test),
        }
        for test in (*OWN_TESTS, *WEFE_TESTS)
    ]
    shapes = [(4, 4, 0.0), (8, 8, 0.0), (8, 4, 0.3), (8, 4, -0.3)]
    document = {
        "made": {"wefe": "1.0.1", "numpy": np.__version__, "scikit-learn": sklearn.__version__},
        "draws": DRAWS,
        "sets": {name: sets[name] for name in OWN_SETS},
        "tests": tests,
        "calls": calls(model, sets),
        "p_values": p_values(model, sets),
        "false_positives": [false_positives(*shape) for shape in shapes],
    }
    GOLDEN.write_text(written(document))


if __name__ == "__main__":
    main()

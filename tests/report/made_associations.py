"""A made-up run of associations in the shape of associations.json: no number of it was measured."""

import random

CORPORA = ("wikipedia", "conservapedia", "rationalwiki")
SETS = {
    "science": ["math", "algebra", "geometry", "calculus", "equations", "numbers", "science",
                "computation", "addition", "<b>einstein</b>"],
    "art": ["poetry", "art", "dance", "literature", "novel", "symphony", "drama", "sculpture",
            "shakespeare"],
    "career": ["executive", "management", "professional", "corporation", "salary", "office",
               "business", "work"],
    "family": ["home", "parents", "children", "family", "cousins", "marriage", "wedding",
               "relatives"],
    "male": ["he", "him", "man", "kevin"],
    "female": ["she", "her", "woman", "amy"],
    "christianity": ["baptism", "messiah", "gospel"],
    "islam": ["allah", "ramadan", "emir"],
}  # fmt: skip
PAIRS_XY, PAIRS_AB = (
    (("science", "art"), ("career", "family")),
    (
        ("male", "female"),
        ("christianity", "islam"),
    ),
)
FAMILY = 24
# d and p of WEAT by X, A and corpus, in the order of CORPORA: two that pass highly, some that
# pass, some that do not, one that is undefined.
EFFECTS = {
    ("science", "male"): ((1.3241, 0.00001), (1.6262, 0.00002), (0.7318, 0.0016)),
    ("science", "christianity"): ((-0.6102, 0.0014), (0.1284, 0.61), (None, None)),
    ("career", "male"): ((1.7021, 0.0286), (1.8127, 0.0143), (0.0004, 0.9)),
    ("career", "christianity"): ((-0.1993, 0.71), (-1.0951, 0.00207), (-0.8481, 0.0021)),
}
WHY = "no word of islam is in the vocabulary"


def bonferroni(p):
    return None if p is None else min(1.0, p * FAMILY)


def adjusted(p):
    """Holm, Benjamini-Hochberg and maxT are only made to lie between p and Bonferroni's."""
    by = {"bonferroni": 1.0, "holm": 0.9, "benjamini-hochberg": 0.3, "max-t": 0.8}
    return {key: None if p is None else max(p, bonferroni(p) * part) for key, part in by.items()}


def made_values(pair, attribute, corpus, seed):
    dice = random.Random(f"{pair} {attribute} {corpus} {seed}")
    middle = {"x": 0.05, "y": -0.05}
    return {
        side: [[word, middle[side] + dice.gauss(0, 0.04)] for word in SETS[name]]
        for side, name in zip("xy", pair, strict=True)
    }


def made_test(pair, attributes, corpus, method, d, p, seed=1, replicas=8):
    dice = random.Random(f"{pair} {attributes} {corpus} {method}")
    small = pair[0] == "career"
    each = [] if d is None else [d + dice.gauss(0, 0.06) for _ in range(replicas)]
    x, y = pair
    return {
        "name": f"{x}/{y}:{attributes[0]}/{attributes[1]}", "vectors": corpus, "method": method,
        "x": x, "y": y, "a": attributes[0], "b": attributes[1],
        "d": d, "low": None if d is None else d - 0.5, "high": None if d is None else d + 0.4,
        "interval": "crossed bootstrap: targets, attributes, replicas",
        "p": p, "p_low": p if small or p is None else p * 0.99, "p_high": p,
        "p_method": None if p is None else "enumeration" if small else "lattice",
        "p_error": None, "p_min": 2 / 12870 if small else 1 / 92378,
        "n_x": len(SETS[x]), "n_y": len(SETS[y]), "n_a": 4, "n_b": 0 if d is None else 3,
        "missing": list(SETS["islam"]) if d is None else [],
        "adjusted": adjusted(p),
        "replicas": [
            {"name": str(i), "d": one, "p": p} for i, one in enumerate(each)
        ],
        "spread": None if d is None else 0.06,
        "fisher": None if p is None else
        {"p": p / 40, "false_positives": 0.19, "how": "2,000 shuffled labellings"},
        "leave_one_out": [] if d is None else
        [{"word": word, "set": x, "d": d + dice.gauss(0, 0.1)} for word in SETS[x]],
        "split_half": None if d is None else 0.83,
        **({} if d is None else {"values": made_values(pair, attributes, corpus, seed)}),
        **({"why": WHY} if d is None else {}),
    }  # fmt: skip


def made_associations(methods=("weat", "weatvec"), corpora=CORPORA, **more):
    """A run of four tests that form a grid, over three corpora and two methods."""
    tests = [
        made_test(pair, attributes, corpus, method, d and d + shift, p)
        for pair in PAIRS_XY
        for attributes in PAIRS_AB
        for corpus, (d, p) in zip(CORPORA, EFFECTS[pair[0], attributes[0]], strict=True)
        if corpus in corpora
        for method, shift in (("weat", 0.0), ("weatvec", -0.08))
        if method in methods
    ]
    vectors = {
        corpus: {
            "files": [f"{i}.bin" for i in range(8)], "replicas": 8, "words": 51234 + 1000 * i,
            "dimensions": 168, "fingerprint": "a1b2c3d4e5f60718" + str(i),
            "coverage": {
                name: {
                    "known": 0 if (i, name) == (2, "islam") else len(words), "of": len(words),
                    "missing": words if (i, name) == (2, "islam") else [], "by_grams": [],
                }
                for name, words in SETS.items()
            },
            "overlap": [["math", "mathematics", 0.41], ["art", "artist", 0.3]] if i == 0 else None,
        }
        for i, corpus in enumerate(corpora)
    }  # fmt: skip
    compared = [
        {
            "name": "science/art:male/female", "method": "weat", "first": corpora[0],
            "second": second, "difference": 1.3241 - d, "low": 1.3241 - d - 0.3,
            "high": 1.3241 - d + 0.25, "p": p, "p_method": "monte-carlo", "adjusted": adjusted(p),
        }
        for second, d, p in zip(corpora[1:], (1.6262, 0.7318), (0.21, 0.0011), strict=False)
    ]  # fmt: skip
    jobs = [("nurse", 90.6), ("carpenter", 2.1), ("editor", 52.0)]
    facts = [
        {
            "name": "occupations", "vectors": corpora[0], "method": "wefat", "w": "jobs",
            "a": "female", "b": "male",
            "words": [{"word": w, "value": v / 50 - 1, "h": v / 900 - 0.05, "p": 0.04}
                      for w, v in jobs],
            "outside": {"r": 0.9031, "low": 0.71, "high": 0.97, "n": 3, "weighted_r": None, "weight": "TotalEmployed",
                        "quantity": "percentage of women"},
        }
    ]  # fmt: skip
    neighbours = {
        "science": {
            corpus: [[f"science{'s' * i}", 0.91 - 0.05 * i] for i in range(1, 4)]
            for corpus in corpora
        },
        "art": {corpora[0]: [["artist", 0.81], ["painting", 0.74]]},
    }
    return {
        "slant": "0.1.0",
        "signature": "assoc|sets:made|method:weat,weatvec|alternative:two-sided|seed:42|slant:0.1.0",
        "level": 0.95, "resamples": 1000, "permutations": 1000000, "seed": 42,
        "alternative": "two-sided", "deviation": "sample", "unequal": "keep", "case": "exact",
        "outside": "drop", "correction": "bonferroni", "family": FAMILY, "sets": SETS,
        "vectors": vectors, "tests": tests, "facts": facts,
        "measures": [
            {"name": "science/art:male/female", "vectors": corpus, "measure": measure,
             "value": value - i / 50}
            for i, corpus in enumerate(corpora)
            for measure, value in (("rnd", 0.12), ("mac", 0.71), ("ect", 0.88))
        ],
        "compared": compared if len(corpora) > 1 else [], "neighbours": neighbours,
        **more,
    }  # fmt: skip

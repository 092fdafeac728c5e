"""Small made-up vectors, as files that `slant assoc run` reads."""

from __future__ import annotations

import json

import numpy as np

LISTS = {
    "x": ["x1", "x2", "x3", "x4"],
    "y": ["y1", "y2", "y3", "y4", "y5"],
    "a": ["a1", "a2", "a3"],
    "b": ["b1", "b2", "b3"],
}
TEST = "x/y:a/b"


def write_vectors(path, vectors):
    """Words and their vectors as word2vec text with a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    width = len(next(iter(vectors.values())))
    lines = [f"{len(vectors)} {width}"]
    lines += [" ".join([word, *(repr(float(v)) for v in row)]) for word, row in vectors.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def made_vectors(seed, lean=0.0, width=6, more=()):
    """Random vectors of the words of LISTS; x leans to a and y to b where `lean` is above 0."""
    stream = np.random.default_rng(seed)
    axis = np.eye(width)[0]
    way = {"x": lean, "a": 1.0, "y": -lean, "b": -1.0}
    words = [word for one in LISTS.values() for word in one]
    return {
        word: stream.normal(size=width) + way.get(word[0], 0.0) * axis for word in [*words, *more]
    }


def write_replicas(folder, seeds, lean=0.0, **facts):
    """A folder of replicas, as far as a run of associations looks into one."""
    for seed in seeds:
        write_vectors(folder / f"{seed}.bin", made_vectors(100 + seed, lean))
    (folder / "embedding.json").write_text(json.dumps({"seeds": list(seeds), **facts}))
    return folder


def write_lists(path, lists=LISTS):
    """The word sets of LISTS."""
    path.write_text(json.dumps(lists))
    return path

"""Readers of word vectors, word sets, analogies, and what embeddings keep."""

from __future__ import annotations

import gzip
import json
import struct
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from fuzzed.readers import Files, Reader, files, one_each, only, taken

TEXT = "4 3\nthe 1 2 3\nThe 3 4 5\nhe 0.5 -1e-3 2\nwoman 1 0 1\n"
SETS = {
    "sets": {"men": ["he", "man"], "women": ["she", "woman"], "good": ["fine"], "bad": ["poor"]},
    "tests": [{"name": "one", "x": "men", "y": "women", "a": "good", "b": "bad"}],
    "facts": [{"name": "two", "w": ["nurse"], "a": "men", "b": "women"}],
}
TABLE = "study\tcondition\trole\tword\n" + "".join(
    f"one\t{name}\t{role}\t{name}{n}\n"
    for name, role in (("x", "target"), ("y", "target"), ("a", "attribute"), ("b", "attribute"))
    for n in (1, 2)
)
TOML = """[sets]
men = ["he", "man"]
women = ["she", "woman"]
good = ["fine"]
bad = ["poor"]
[[tests]]
name = "one"
x = "men"
y = "women"
a = "good"
b = "bad"
"""
QUESTIONS = ": capitals\nAthens Greece Oslo Norway\nParis France Rome Italy\n\n: other\na b c d\n"
QUANTITY = 'word,value,weight\nnurse,0.9,10\nengineer,"1,5",3\n'


def vectors(folder: Path) -> object:
    from slant.embeddings.vectors import found, read_vectors

    (path,) = [one for one in folder.iterdir() if one.suffix != ".npy"]
    read = read_vectors(path)
    kept = read_vectors(path, keep=["he"])
    return found(read, ["he", "kings"], case="any", outside="grams"), kept


def sets(folder: Path) -> object:
    from slant.embeddings.setfiles import read_sets

    return read_sets(only(folder))


def analogies(folder: Path) -> object:
    from slant.embeddings.analogies import read_questions

    return read_questions(only(folder))


def quantity(folder: Path) -> object:
    from slant.runs.outsidequantities import read_quantity

    return read_quantity(str(only(folder)))


def trained(folder: Path) -> object:
    from slant.embeddings.vectors import replica_files
    from slant.runs.corpora import corpora_of

    return replica_files(folder), corpora_of([folder])


def texts(folder: Path) -> object:
    from slant.embeddings.corpus import Cleaning, fingerprint, read_texts, sentences

    inside = list(folder.iterdir())
    path = inside[0] if len(inside) == 1 else folder
    plain = Cleaning(tokenizer="regex")
    return fingerprint(path), [list(sentences(one, plain)) for one in read_texts(path)]


def extract(folder: Path) -> object:
    from slant.runs.wordvectors import read_extract

    return read_extract(folder / "extract.npz")


def cell(folder: Path) -> object:
    from slant.runs.associationcells import read_cell

    return read_cell(folder / "cell.json")


def _binary(words: tuple[str, ...]) -> bytes:
    rows = b"".join(one.encode() + b" " + struct.pack("<3f", 1, 2, 3) + b"\n" for one in words)
    return b"%d 3\n" % len(words) + rows


def _models() -> list[Files]:
    """What gensim and fastText save."""
    from gensim.models import FastText, KeyedVectors
    from gensim.models.fasttext import save_facebook_model

    made: list[Files] = []
    held = KeyedVectors(3)
    held.add_vectors(["he", "two", "na\u00efve"], np.arange(9, dtype=np.float32).reshape(3, 3) / 7)
    model = FastText(
        [["man", "woman", "king", "queen", "he"]] * 9,
        vector_size=4,
        min_count=1,
        bucket=20,
        epochs=1,
        workers=1,
    )
    for number in range(4):
        with tempfile.TemporaryDirectory() as place:
            out = Path(place)
            if number == 0:
                held.save(str(out / "one.kv"))
            elif number == 1:
                held.save(str(out / "two.kv"), sep_limit=0)
            elif number == 2:
                model.save(str(out / "three.model"))
            else:
                save_facebook_model(model, str(out / "0.bin"))
            made.append(taken(out))
    return made


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    plain = [TEXT.encode(), TEXT.partition("\n")[2].encode(), gzip.compress(TEXT.encode(), mtime=0)]
    gensim_kv, gensim_npy, gensim_model, fasttext = _models()
    folder = {
        "embedding.json": json.dumps({"seeds": [0, 1]}).encode(),
        "0.bin": b"x",
        "1.bin": b"x",
    }
    vec = partial(Reader, read=vectors)
    return [
        vec(
            "embeddings: vectors as text",
            seeds=one_each("v.txt", plain),
            modules=("embeddings.formats", "embeddings.vectors"),
        ),
        vec(
            "embeddings: vectors of word2vec",
            seeds=one_each("v.bin", [_binary(("the", "he"))]),
            modules=("embeddings.formats",),
        ),
        vec(
            "embeddings: vectors of gensim",
            seeds=[gensim_kv, gensim_npy, gensim_model],
            modules=("embeddings.models",),
        ),
        vec("embeddings: vectors of fastText", seeds=[fasttext], modules=("embeddings.models",)),
        Reader(
            "embeddings: word sets",
            sets,
            [files(a__json=SETS), files(a__tsv=TABLE), files(a__toml=TOML)],
            ("embeddings.setfiles",),
        ),
        Reader(
            "embeddings: analogies", analogies, [files(q__txt=QUESTIONS)], ("embeddings.analogies",)
        ),
        Reader(
            "embeddings: an outside quantity",
            quantity,
            [files(q__csv=QUANTITY), files(q__tsv="word\tvalue\nnurse\t1\n")],
            ("runs.outsidequantities",),
        ),
        Reader(
            "embeddings: a folder of replicas",
            trained,
            [folder],
            ("embeddings.vectors", "runs.corpora"),
        ),
        Reader(
            "embeddings: a corpus",
            texts,
            [
                files(a__txt="One. Two three.\n"),
                files(a__csv="id,text\n1,One two.\n"),
                files(a__jsonl=b'{"text": "One two."}\n'),
                {"a.txt": b"One.", "b.txt": b"Two."},
            ],
            ("embeddings.corpus",),
        ),
        Reader("embeddings: taken vectors", extract, [_extract()], ("runs.wordvectors",)),
        Reader(
            "embeddings: a cell of a test",
            cell,
            [_cell()],
            ("runs.associationcells", "data.writing"),
        ),
    ]


def _extract() -> Files:
    import io

    from slant.data.writing import sealed

    out = io.BytesIO()
    told = {
        "words": ["he"],
        "missing": [],
        "by_grams": [],
        "size": 1,
        "dimensions": 3,
        "grams": False,
        "counts": None,
    }
    facts = np.frombuffer(json.dumps(told).encode(), np.uint8)
    np.savez(out, facts=facts, matrix=np.ones((1, 3), np.float32))
    with tempfile.TemporaryDirectory() as place:
        sealed(Path(place) / "extract.npz", lambda path: path.write_bytes(out.getvalue()))
        return taken(Path(place))


def _cell() -> Files:
    from slant.runs.associationcells import write_cell

    with tempfile.TemporaryDirectory() as place:
        write_cell(Path(place) / "cell.json", {"score": 0.5})
        return taken(Path(place))

"""`slant embed` as a user types it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from called import slant

pytest.importorskip("gensim")
FAST = ("--dimensions", 6, "--epochs", 2, "--bucket", 100, "--replicas", 2, "--jobs", 1, "-q")


@pytest.fixture(scope="module")
def embedding(tmp_path_factory):
    from slant.cli import main

    folder = tmp_path_factory.mktemp("embedded")
    with pytest.raises(SystemExit) as ended:
        main(["embed", "plant", "--out", str(folder), "--words", "4000", "--seed", "1"])
    assert not ended.value.code
    with pytest.raises(SystemExit) as ended:
        main(["embed", "train", str(folder / "planted.jsonl"), "-o", str(folder / "emb"),
              *map(str, FAST)])  # fmt: skip
    assert not ended.value.code
    return folder


def test_a_planted_corpus_is_trained_and_looked_at(capsys, embedding):
    word = json.loads((embedding / "sets.json").read_text())["sets"]["planted-a"][0]
    code, out, err = slant(capsys, "embed", "neighbours", word, embedding / "emb", "--top", 3)
    assert code == 0, err
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0] == ["vectors", "rank", "word", "cosine"]
    assert [row[1] for row in rows[1:]] == ["1", "2", "3"]
    assert word not in [row[2] for row in rows]
    code, out, _ = slant(
        capsys, "embed", "neighbours", f"{word}x", embedding / "emb" / "0.bin", "--outside", "grams",
        "--json",
    )  # fmt: skip
    assert code == 0
    near = json.loads(out)["neighbours"][str(embedding / "emb" / "0.bin")]
    assert len(near) == 10
    assert [one[1] for one in near] == sorted((one[1] for one in near), reverse=True)


def test_training_says_what_it_did(capsys, embedding, tmp_path):
    arguments = ("embed", "train", embedding / "planted.jsonl", "-o", tmp_path / "emb", *FAST[:-1])
    code, out, err = slant(capsys, *arguments)
    assert code == 0, err
    head, first, second = (line.split("\t") for line in out.splitlines())
    assert head == ["replica", "words", "tokens", "epochs", "kept", "analogies", "seconds"]
    assert (first[0], second[0], first[3], first[5]) == ("0", "1", "2", "-")
    code, out, _ = slant(capsys, *arguments, "--json")
    assert code == 0
    assert json.loads(out) == json.loads((tmp_path / "emb" / "embedding.json").read_text())


def test_analogies_are_counted_by_section_and_in_all(capsys, tmp_path):
    turn = np.deg2rad([0, 90, 30, 100])
    lines = [f"{word} {np.cos(at):.6f} {np.sin(at):.6f}"
             for word, at in zip(("man", "woman", "king", "queen"), turn, strict=True)]  # fmt: skip
    (tmp_path / "v.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "q.txt").write_text(": family\nman woman king queen\nman woman boy girl\n: none\n")
    arguments = ("embed", "analogies", tmp_path / "v.txt", "--questions", tmp_path / "q.txt")
    code, out, err = slant(capsys, *arguments)
    assert code == 0, err
    name = str(tmp_path / "v.txt")
    assert [line.split("\t") for line in out.splitlines()[1:]] == [
        [name, "family", "1", "1", "2", "1.000"],
        [name, "none", "0", "0", "0", "-"],
        [name, "total", "1", "1", "2", "1.000"],
    ]
    code, out, _ = slant(capsys, *arguments, "--json")
    total = json.loads(out)["files"][0]["total"]
    assert total == {"section": "total", "right": 1, "asked": 1, "of": 2}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("train", "none.jsonl", "-o", "emb"), "none.jsonl"),
        (("train", "empty.jsonl", "-o", "emb"), "empty.jsonl"),
        (("train", "rare.jsonl", "-o", "emb"), "less than 5"),
        (("train", "rare.jsonl", "-o", "emb", "--dimensions", "0"), "--dimensions 0"),
        (("train", "rare.jsonl", "-o", "emb", "--replicas", "9" * 20), "'--replicas'"),
        (("train", "rare.jsonl", "-o", "emb", "--seeds", "a"), "not a list of whole numbers"),
        (("train", "rare.jsonl", "-o", "emb", "--trainer", "glove"), "'glove'"),
        (
            ("train", "rare.jsonl", "-o", "emb", "--tokenizer", "none"),
            "the tokenizer 'none' is not known",
        ),
        (("analogies", "rare.jsonl"), "neither a header nor a word with its numbers"),
        (("analogies", "none.bin"), "there is no such file"),
        (("analogies", "."), "it holds no embedding.json"),
        (("neighbours", "it", "v.txt"), "it has no vector for this word"),
        (("neighbours", "it", "lost"), "1 of its 2 replicas are missing (1.bin)"),
        (("neighbours", "it", "v.txt", "--case", "no"), "none of exact, lower, any"),
        (("plant", "-o", "out", "--strength", "2"), "--strength 2"),
    ],
)
def test_a_fault_of_embeddings_is_one_line_and_exit_code_2(
    capsys, tmp_path, monkeypatch, arguments, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "rare.jsonl").write_text('{"id": "0", "text": "Every word stands here once."}\n')
    (tmp_path / "v.txt").write_text("a 1 2\nb 2 1\n")
    (tmp_path / "lost").mkdir()
    (tmp_path / "lost" / "embedding.json").write_text('{"seeds": [0, 1]}')
    (tmp_path / "lost" / "0.bin").touch()
    code, out, err = slant(capsys, "embed", *arguments)
    assert (code, out) == (2, "")
    said = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(said) == 1
    assert words in said[0]
    assert "Traceback" not in err

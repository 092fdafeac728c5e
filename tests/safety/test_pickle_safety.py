"""Files whose unpickling would run a program: none does, whichever loader is given one."""

from __future__ import annotations

import ast
import io
import json
import pickle
import shutil
import tracemalloc
import zipfile
from pathlib import Path

import hostile
import numpy as np
import pytest

from slant.embeddings.encoded import read_encoded
from slant.embeddings.models import ALLOWED, OnlyVectors
from slant.embeddings.vectors import read_vectors
from slant.errors import SlantError


@pytest.fixture
def evil(tmp_path):
    """A pickle that makes a file where it is opened, and whether it has."""
    witness = tmp_path / "witness"
    content = pickle.dumps(hostile.Runs(witness))
    pickle.loads(content)
    assert witness.exists()  # so it does, where nothing looks
    witness.unlink()

    class Evil:
        data = content
        array = np.array([hostile.Runs(witness)], dtype=object)
        ran = staticmethod(witness.exists)

    return Evil


@pytest.fixture
def model(tmp_path):
    """A folder with a small model of gensim, whose arrays stand beside it."""
    pytest.importorskip("gensim")
    from gensim.models import KeyedVectors

    held = KeyedVectors(2)
    held.add_vectors(["one", "two"], np.arange(4, dtype=np.float32).reshape(2, 2))
    folder = tmp_path / "model"
    folder.mkdir()
    held.save(str(folder / "a.kv"), sep_limit=1, separately=["vectors"])
    assert list(read_vectors(folder / "a.kv").rows) == ["one", "two"]
    return folder


def changed(file, **attributes):
    """Write a model again with further attributes."""
    held = pickle.loads(file.read_bytes())
    held.__dict__.update(attributes)
    file.write_bytes(pickle.dumps(held))


@pytest.mark.parametrize("name", ["a.model", "a.kv", "a.bin", "a.vec", "a.pkl"])
def test_word_vectors_that_are_another_pickle_are_not_opened(evil, tmp_path, name):
    pytest.importorskip("gensim")
    (tmp_path / name).write_bytes(evil.data)
    with pytest.raises(SlantError, match=r"no model of gensim \(it asks for (posix|nt)\.system\)"):
        read_vectors(tmp_path / name)
    assert not evil.ran()


def test_a_pickle_within_a_model_is_not_opened(evil, model):
    held = pickle.loads((model / "a.kv").read_bytes())
    held.__dict__["more"] = evil.array[0]
    (model / "a.kv").write_bytes(pickle.dumps(held))
    with pytest.raises(SlantError, match="it asks for"):
        read_vectors(model / "a.kv")
    assert not evil.ran()


def test_a_pickle_beside_a_model_is_not_opened(evil, model):
    # gensim reads sparse matrices beside a model, and unpickles them whatever they are.
    changed(model / "a.kv", __scipys=["more"])
    (model / "a.kv.more.npy").write_bytes(evil.data)
    with pytest.raises(SlantError, match="a further pickle beside it"):
        read_vectors(model / "a.kv")
    assert not evil.ran()


def test_a_pickle_beside_a_part_of_a_model_is_not_opened(evil, model):
    from gensim.models import KeyedVectors

    part = KeyedVectors(2)
    part.__dict__["__scipys"] = ["more"]
    changed(model / "a.kv", __recursive_saveloads=["part"], part=part)
    (model / "a.kv.part.more.npy").write_bytes(evil.data)
    with pytest.raises(SlantError, match="a further pickle beside it"):
        read_vectors(model / "a.kv")
    assert not evil.ran()


def test_an_array_cannot_take_the_place_of_the_list_of_pickles(evil, model):
    # gensim sets what it reads from arrays before it looks which pickles are to be opened.
    changed(model / "a.kv", __numpys=["vectors", "__scipys"])
    np.save(model / "a.kv.__scipys.npy", np.array(["more"]))
    (model / "a.kv.more.npy").write_bytes(evil.data)
    with pytest.raises(SlantError, match="a further pickle beside it"):
        read_vectors(model / "a.kv")
    assert not evil.ran()


def test_an_array_of_objects_beside_a_model_is_not_opened(evil, model):
    np.save(model / "a.kv.vectors.npy", evil.array, allow_pickle=True)
    with pytest.raises(SlantError, match="it cannot be read"):
        read_vectors(model / "a.kv")
    assert not evil.ran()


def test_a_model_that_holds_itself_ends(model):
    held = pickle.loads((model / "a.kv").read_bytes())
    held.__dict__.update(__recursive_saveloads=["me"], me=held)
    (model / "a.kv").write_bytes(pickle.dumps(held))
    with pytest.raises(SlantError):
        read_vectors(model / "a.kv")


@pytest.mark.parametrize(
    "name",
    ["KeyedVectors.load", "KeyedVectors.load_word2vec_format", "utils.unpickle", "np.load"],
)
def test_what_an_allowed_class_can_do_is_not_reached_through_a_dot(name):
    # Since protocol 4 a name may hold dots, which lead from a class to its functions.
    said = pickle.PROTO + bytes([4])
    module = b"gensim.models.keyedvectors"
    said += pickle.SHORT_BINUNICODE + bytes([len(module)]) + module
    said += pickle.SHORT_BINUNICODE + bytes([len(name)]) + name.encode() + pickle.STACK_GLOBAL
    with pytest.raises(pickle.UnpicklingError, match="it asks for"):
        OnlyVectors(io.BytesIO(said + pickle.STOP)).load()


def test_a_place_of_the_memo_takes_no_memory_for_those_before_it():
    said = pickle.PROTO + bytes([4]) + pickle.EMPTY_DICT
    said += pickle.LONG_BINPUT + (1 << 28).to_bytes(4, "little") + pickle.STOP
    tracemalloc.start()
    try:
        assert OnlyVectors(io.BytesIO(said)).load() == {}
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_no_class_that_may_be_unpickled_runs_or_imports_or_opens_anything():
    modules = {module.partition(".")[0] for module, _ in ALLOWED}
    assert modules == {"gensim", "numpy", "collections", "builtins", "copyreg", "_codecs"}
    allowed = {name for module, name in ALLOWED if module in {"builtins", "gensim.utils"}}
    assert allowed == {"set", "hash", "int", "object", "call_on_class_only", "keep_vocab_item"}


def test_what_a_killed_training_left_is_not_opened_where_it_is_another_pickle(evil, tmp_path):
    pytest.importorskip("gensim")
    from slant.embeddings.training import _restored, _save, _State

    path = tmp_path / ".0.state"
    path.write_bytes(evil.data)
    assert _restored(path) is None
    assert not evil.ran()
    state = _State(None, arrays={"more": evil.array})
    path.write_bytes(pickle.dumps(state))
    assert _restored(path) is None
    assert not evil.ran()
    _save(path, _State(None, best=0.5))
    assert _restored(path).best == 0.5


def test_the_light_detector_is_read_without_unpickling(evil):
    from slant.runs.lightdetector import _read

    out = io.BytesIO()
    np.savez(out, terms=evil.array, idf=np.ones(1))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        _read(out.getvalue())
    assert not evil.ran()


def test_vectors_kept_from_an_earlier_run_are_read_without_unpickling(evil, tmp_path):
    from slant.data.writing import sealed
    from slant.runs.wordvectors import read_extract

    def write(path):
        with path.open("wb") as file:
            np.savez(file, facts=np.zeros(1, np.uint8), matrix=evil.array)

    sealed(tmp_path / "a.npz", write)
    with pytest.raises(ValueError, match=r"allow_pickle=False|Expecting value"):
        read_extract(tmp_path / "a.npz")
    assert not evil.ran()


def test_an_encoded_corpus_is_read_without_unpickling(evil, tmp_path):
    (tmp_path / "words.json").write_text(json.dumps(["a"]))
    np.savez(tmp_path / "ends.npz", sentences=evil.array, documents=evil.array, counts=np.ones(1))
    np.zeros(1, np.int32).tofile(tmp_path / "tokens.i32")
    with pytest.raises((ValueError, SlantError, OSError)):
        read_encoded(tmp_path)
    assert not evil.ran()


def test_a_student_of_a_cascade_that_is_a_pickle_is_not_opened(evil, tmp_path):
    from slant.runs.cascade import load_student

    (tmp_path / "cascade.safetensors").write_bytes(evil.data)
    with pytest.raises(SlantError, match="no student of a cascade"):
        load_student(tmp_path / "cascade.safetensors")
    assert not evil.ran()


def torch_pickle(data):
    """A file of torch.save whose pickle is another one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("archive/data.pkl", data)
        packed.writestr("archive/version", "3\n")
    return out.getvalue()


@pytest.mark.parametrize("form", ["plain", "torch"])
def test_the_weights_of_the_image_encoder_are_read_as_tensors_alone(evil, tmp_path, monkeypatch, form):  # fmt: skip
    pytest.importorskip("torch")
    from slant.systems import efficientnet

    file = tmp_path / "weights.pth"
    file.write_bytes(evil.data if form == "plain" else torch_pickle(evil.data))
    monkeypatch.setattr(efficientnet, "weights_file", lambda: file)
    with pytest.raises(SlantError, match="its weights cannot be read"):
        efficientnet.load_efficientnet()
    assert not evil.ran()


@pytest.mark.parametrize("kind", ["pickle", "parquet", "csv"])
def test_predictions_and_tables_that_are_pickles_are_refused(evil, tmp_path, kind):
    from slant.data.given import read_given
    from slant.data.streams import open_corpus

    ending = {"pickle": ".pkl", "parquet": ".parquet", "csv": ".csv"}[kind]
    file = tmp_path / f"a{ending}"
    file.write_bytes(evil.data)
    for door in (read_given, lambda path: list(open_corpus(path, None, None))):
        with pytest.raises(SlantError):
            door(file)
    assert not evil.ran()


@pytest.mark.parametrize("name", ["training_args.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth"])  # fmt: skip
def test_pickles_beside_the_weights_of_a_checkpoint_are_not_read(evil, tmp_path, name):
    pytest.importorskip("transformers")
    from tiny import save_tiny

    from slant.systems.checkpoints import load_encoder

    folder = save_tiny(tmp_path / "own", "bert")
    (folder / name).write_bytes(torch_pickle(evil.data))
    load_encoder(str(folder), 1)
    assert not evil.ran()


def test_a_training_goes_on_from_no_optimizer_that_is_another_pickle(evil, tmp_path):
    torch = pytest.importorskip("torch")
    old = pickle.dumps(evil.array[0], protocol=2)
    for name, data in (("plain", old), ("zip", torch_pickle(old))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(pickle.UnpicklingError):
            # What transformers' Trainer does with optimizer.pt, scheduler.pt and rng_state.pth.
            torch.load(tmp_path / name, weights_only=True)
    from transformers import trainer

    source = ast.parse(Path(trainer.__file__).read_text(encoding="utf-8"))
    loading = [
        {one.arg: ast.unparse(one.value) for one in node.keywords}
        for node in ast.walk(source)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.load"
    ]
    assert loading
    assert all(given["weights_only"] == "True" for given in loading)
    assert not evil.ran()


def test_a_detector_folder_that_was_given_is_read_without_unpickling(evil, tmp_path):
    pytest.importorskip("transformers")
    from slant.runs.detectors import load_detector

    (tmp_path / "kept").mkdir()
    for name in ("pytorch_model.bin", "model.safetensors", "model.joblib", "detector.pkl"):
        (tmp_path / "kept" / name).write_bytes(evil.data)
    with pytest.raises(SlantError):
        load_detector(tmp_path / "kept")
    shutil.rmtree(tmp_path / "kept")
    assert not evil.ran()

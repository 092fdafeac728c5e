"""Models of gensim and of fastText, read through gensim."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from slant.embeddings.fasttextfiles import check_fasttext
from slant.errors import DataError, MissingExtra

AGAIN = "Take the file from its source again"
ALLOWED = {
    ("gensim.models.keyedvectors", "KeyedVectors"),
    ("gensim.models.keyedvectors", "Word2VecKeyedVectors"),
    ("gensim.models.keyedvectors", "EuclideanKeyedVectors"),
    ("gensim.models.keyedvectors", "WordEmbeddingsKeyedVectors"),
    ("gensim.models.keyedvectors", "Vocab"),
    ("gensim.models.keyedvectors", "CompatVocab"),
    ("gensim.models.keyedvectors", "FastTextKeyedVectors"),
    ("gensim.models.fasttext", "FastTextKeyedVectors"),
    ("gensim.models.fasttext", "FastText"),
    ("gensim.models.word2vec", "Word2Vec"),
    ("gensim.models.word2vec", "Vocab"),
    ("gensim.models.fasttext", "FastTextVocab"),
    ("gensim.models.fasttext", "FastTextTrainables"),
    ("gensim.models.word2vec", "Word2VecVocab"),
    ("gensim.models.word2vec", "Word2VecTrainables"),
    ("gensim.utils", "call_on_class_only"),
    ("gensim.utils", "keep_vocab_item"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "scalar"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy.core.numeric", "_frombuffer"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.random", "RandomState"),
    ("numpy.random", "MT19937"),
    ("numpy.random._pickle", "__randomstate_ctor"),
    ("numpy.random._pickle", "__bit_generator_ctor"),
    ("numpy.random._mt19937", "MT19937"),
    ("collections", "defaultdict"),
    ("collections", "OrderedDict"),
    ("builtins", "set"),
    ("builtins", "hash"),
    ("builtins", "int"),
    ("builtins", "object"),
    ("copyreg", "_reconstructor"),
    ("_codecs", "encode"),
}
"""What a saved model of word vectors is made of; a pickle that asks for more is not opened."""


@dataclass(frozen=True, eq=False, slots=True)
class Stored:
    """What a model holds: words, vectors (words, dimensions); the rest as in `Vectors`."""

    words: Sequence[str]
    matrix: NDArray[np.float32]
    grams: Callable[[str], NDArray[np.float32]] | None
    counts: Mapping[str, int] | None


def require_gensim(asked: str) -> None:
    """Make sure that gensim is installed.

    Args:
        asked: what it is needed for.

    Raises:
        MissingExtra: it is not.
    """
    from importlib.util import find_spec

    if not find_spec("gensim"):
        found, do = "the package gensim is not installed", 'Run pip install "slant[embeddings]"'
        raise MissingExtra(asked, found, do)


def read_fasttext(path: Path) -> Stored:
    """The vectors of fastText's binary format; those of words outside it are made of n-grams.

    Raises:
        DataError: the file is damaged. MissingExtra: gensim is not installed.
    """
    asked = f"Reading the vectors '{path}'"
    require_gensim(asked)
    check_fasttext(path, asked)
    from gensim.models.fasttext import load_facebook_vectors

    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are refused below
            held = load_facebook_vectors(str(path))
    except (OSError, EOFError, MemoryError, UnicodeError):
        raise DataError(asked, "it ends too early, or cannot be read", AGAIN) from None
    except Exception as error:  # of gensim, which takes the numbers of a file as they are
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(asked, f"it is no whole fastText model ({why})", AGAIN) from None
    return _stored(held, path)


def read_gensim(path: Path) -> Stored:
    """The vectors that gensim's `save` wrote, with arrays in .npy files beside the file or not.

    Raises:
        DataError: a .npy is missing, the file is damaged, or it is a pickle of something else: that
            is not opened, for it can run any program. MissingExtra: gensim is not installed.
    """
    asked = f"Reading the vectors '{path}'"
    require_gensim(asked)
    try:
        with path.open("rb") as file:
            held = OnlyVectors(file).load()
        _check_parts(held)
    except pickle.UnpicklingError as error:
        raise DataError(asked, f"it is no model of gensim ({error})", AGAIN) from None
    except (Exception, MemoryError):  # any of them, as the documentation of pickle says
        raise DataError(asked, "it is no whole model of gensim", AGAIN) from None
    kind = type(held)
    if not hasattr(kind, "_load_specials"):
        raise DataError(asked, f"it holds a {kind.__name__}, no word vectors of gensim", AGAIN)
    try:
        # What gensim's `load` does behind its own unpickling, which would run any program.
        held._load_specials(str(path), None, *kind._adapt_by_suffix(str(path)))
    except FileNotFoundError as error:
        name = Path(str(error.filename)).name
        do = "Put the .npy files that gensim wrote beside it"
        raise DataError(asked, f"its array '{name}' is not beside it", do) from None
    except (Exception, MemoryError) as error:
        found = f"it cannot be read ({type(error).__name__}: {error})"
        raise DataError(asked, found, AGAIN) from None
    try:
        return _stored(getattr(held, "wv", held), path)
    except (AttributeError, TypeError, ValueError, IndexError, KeyError) as error:
        found = f"its parts do not fit together ({type(error).__name__})"
        raise DataError(asked, found, AGAIN) from None


class OnlyVectors(pickle._Unpickler):
    """Opens what a saved model of word vectors is made of, and nothing else.

    It is the unpickler in Python: that in C keeps its memo in an array as long as the largest
    number that a file names, which five bytes can make 16 GB.

    Args:
        file: the pickle.
        more: further classes that it may hold, each its module and name.
    """

    def __init__(self, file: IO[bytes], more: Collection[tuple[str, str]] = ()) -> None:
        super().__init__(file, encoding="latin1")  # as gensim reads what Python 2 wrote
        self.more = more

    def find_class(self, module: str, name: str) -> Any:
        """The class of this name, where a model may hold it."""
        if (module, name) not in ALLOWED and (module, name) not in self.more:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return super().find_class(module, name)


def _check_parts(held: Any) -> None:
    """Refuse a model whose parts in other files would be unpickled, or stand for something else."""
    for name in getattr(held, "__recursive_saveloads", []):
        _check_parts(getattr(held, name))
    names = getattr(held, "__numpys", [])
    if getattr(held, "__scipys", []) or any(not str(name)[:1].isalpha() for name in names):
        raise pickle.UnpicklingError("it asks for a further pickle beside it")


def _stored(held: Any, path: Path) -> Stored:
    words = list(held.index_to_key)
    matrix = np.ascontiguousarray(held.vectors, np.float32)
    asked = f"Reading the vectors '{path}'"
    if matrix.ndim != 2 or len(matrix) != len(words):
        raise DataError(asked, f"it has {len(words)} words and {len(matrix)} vectors", AGAIN)
    if len(set(words)) != len(words):
        raise DataError(asked, "a word stands in it twice", AGAIN)
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        word = words[int(np.argmin(finite))]
        raise DataError(asked, f"the vector of '{word}' has a number that is not finite", AGAIN)
    counts = None
    if "count" in getattr(held, "expandos", {}):
        known = held.expandos["count"]
        counts = {word: int(known[row]) for row, word in enumerate(words)}
    has_grams = getattr(held, "vectors_ngrams", None) is not None and held.bucket > 0
    return Stored(words, matrix, partial(_gram_vector, held) if has_grams else None, counts)


def _gram_vector(held: Any, word: str) -> NDArray[np.float32]:
    """The mean of the vectors of a word's n-grams; KeyError where it has none."""
    from gensim.models.fasttext import ft_ngram_hashes

    if not ft_ngram_hashes(word, held.min_n, held.max_n, held.bucket):
        raise KeyError(word)
    return np.asarray(held.get_vector(word), np.float32)

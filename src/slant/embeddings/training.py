"""Training fastText through gensim, epoch by epoch, as the paper on biased wikis does."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from slant.data.sums import is_altered, note_sum, sum_path
from slant.data.writing import replacing
from slant.embeddings.analogies import Asked, Section, analogy_accuracy, askable
from slant.embeddings.encoded import Drawn
from slant.embeddings.models import OnlyVectors
from slant.embeddings.settings import Settings, bucket_of

Told = Callable[[float, str], None]
"""Called with the share of the training that is done, in [0, 1], and what is being done."""
FEWEST_QUESTIONS = 50
"""With fewer questions, one answer moves the accuracy by more than 2 %: it stops no training."""
TELLING = 0.01
"""The accuracy from which it is more than noise: below, few tokens make few and chance answers."""
WITHOUT = 20
"""Epochs where accuracy says nothing."""
MOST = 100
"""Epochs at most; by then the learning rate is 0.6 % of the first."""
TOLD = 2000


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch: its learning rate, the share of analogies answered right (None: none asked), the
    seconds it took."""

    alpha: float
    accuracy: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Trained:
    """How a replica's training went.

    Fields:
        epochs: each that was run.
        kept: which of them, from 1, the vectors are of.
        stopping: "analogies", "fixed" (the number was given), or why it had to be fixed.
        questions: analogies asked after each epoch.
        words: in the vocabulary.
        tokens: of the corpus that each epoch reads.
        bucket: n-gram vectors.
    """

    epochs: Sequence[Epoch]
    kept: int
    stopping: str
    questions: int
    words: int
    tokens: int
    bucket: int


@dataclass
class _State:
    """All that goes on from one epoch to the next."""

    model: Any
    epochs: list[Epoch] = field(default_factory=list)
    best: float = -1.0
    kept: int = 0
    arrays: dict[str, Any] = field(default_factory=dict)


def train_replica(
    corpus: Drawn,
    settings: Settings,
    seed: int,
    questions: Sequence[Section],
    path: Path,
    *,
    restrict: int = 300_000,
    told: Told = lambda share, what: None,
    save_every: float = 60.0,
) -> Trained:
    """Train one replica and write its vectors in fastText's binary format.

    One thread works, so that the same seed gives the same bits. Every `save_every` seconds what an
    epoch left is written beside `path`; a training that was killed goes on from there, and ends
    with the same bits as one that was not.

    Args:
        corpus: what it is trained on.
        settings: see there.
        seed: of the first vectors, the windows and the words drawn.
        questions: the analogies that decide when to stop.
        path: the file to write.
        restrict: only the most frequent words are asked for and answer.
        told: hears how far the training is.
        save_every: seconds between two savings; 0: after each epoch.

    Returns:
        How it went.

    Source: Identifying Biases in Politically Biased Wikis, 3.2.
    """
    from threadpoolctl import threadpool_limits

    counts = corpus.counts()
    sentences, tokens = corpus.length()
    asked = askable({word: row for row, word in enumerate(counts)}, questions, restrict=restrict)
    stopping = _stopping(settings, asked)
    settings = replace(settings, bucket=bucket_of(settings, counts))
    saved = path.with_name(f".{path.stem}.state")
    with threadpool_limits(limits=1):
        state = _restored(saved) or _State(_new_model(settings, seed, counts, sentences))
        last = time.monotonic()
        while not _ended(state, settings, stopping):
            _run_epoch(state, corpus, settings, asked, (sentences, tokens), stopping, told)
            if time.monotonic() - last >= save_every:
                _save(saved, state)
                last = time.monotonic()
        _write(state, path)
    for left in (saved, sum_path(saved)):
        left.unlink(missing_ok=True)
    return Trained(
        tuple(state.epochs), state.kept, stopping, len(asked.rows), len(counts), tokens,
        settings.bucket or 0,
    )  # fmt: skip


def _stopping(settings: Settings, asked: Asked) -> str:
    if settings.epochs is not None:
        return "fixed"
    if len(asked.rows) < FEWEST_QUESTIONS:
        return (
            f"fixed: only {len(asked.rows)} analogies have all their words in this vocabulary, and "
            f"{FEWEST_QUESTIONS} are needed, so {WITHOUT} epochs are run"
        )
    return "analogies"


def _ended(state: _State, settings: Settings, stopping: str) -> bool:
    run = len(state.epochs)
    if stopping != "analogies":
        return run >= (settings.epochs or WITHOUT)
    if state.best < TELLING:
        return run >= WITHOUT
    return run >= MOST or run - state.kept >= settings.patience


def _new_model(settings: Settings, seed: int, counts: Mapping[str, int], sentences: int) -> Any:
    from gensim.models import FastText

    model = FastText(
        vector_size=settings.dimensions,
        sg=int(settings.algorithm == "skipgram"),
        alpha=settings.alpha,
        min_alpha=settings.alpha,
        window=settings.window,
        negative=settings.negative,
        sample=settings.sample,
        min_n=settings.minn,
        max_n=settings.maxn,
        bucket=settings.bucket,
        min_count=1,
        workers=1,
        seed=seed,
    )
    model.build_vocab_from_freq(dict(counts), corpus_count=sentences)
    return model


def _run_epoch(
    state: _State,
    corpus: Drawn,
    settings: Settings,
    asked: Asked,
    size: tuple[int, int],
    stopping: str,
    told: Told,
) -> None:
    run = len(state.epochs)
    alpha = settings.alpha * settings.decay**run
    best = f", best accuracy {state.best:.3f} in epoch {state.kept}" if state.best >= 0 else ""
    ahead = settings.epochs or WITHOUT
    if stopping == "analogies" and state.best >= TELLING:
        ahead = max(run + 1, state.kept + settings.patience)
    begin = time.monotonic()
    heard = _Heard(
        corpus, size[0], lambda part: told((run + part) / ahead, f"epoch {run + 1}{best}")
    )
    state.model.train(
        corpus_iterable=heard, total_examples=size[0], total_words=size[1], epochs=1,
        start_alpha=alpha, end_alpha=alpha,
    )  # fmt: skip
    accuracy = None
    if stopping == "analogies":
        answered = analogy_accuracy(state.model.wv.vectors, asked)
        accuracy = sum(one.right for one in answered) / len(asked.rows)
    state.epochs.append(Epoch(alpha, accuracy, time.monotonic() - begin))
    if accuracy is None or accuracy > state.best or state.best < TELLING:
        state.best, state.kept = -1.0 if accuracy is None else accuracy, run + 1
        if accuracy is not None:
            wv = state.model.wv
            parts = {"vocab": wv.vectors_vocab, "ngrams": wv.vectors_ngrams}
            parts["hidden"] = state.model.syn1neg
            state.arrays = {name: part.copy() for name, part in parts.items()}


@dataclass(frozen=True, slots=True)
class _Heard:
    """Sentences, and word of how many have been read."""

    corpus: Drawn
    sentences: int
    told: Callable[[float], None]

    def __iter__(self) -> Iterator[list[str]]:
        for number, sentence in enumerate(self.corpus):
            if number % TOLD == 0:
                self.told(number / max(self.sentences, 1))
            yield sentence


_OWN = {(__name__, "_State"), (__name__, "Epoch")}


def _restored(path: Path) -> _State | None:
    """What a killed training left; None where there is nothing, or it was not written whole."""
    try:
        if is_altered(path):
            return None
        with path.open("rb") as file:
            state = OnlyVectors(file, _OWN).load()
    except (OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError, ValueError,
            IndexError, KeyError, TypeError):  # fmt: skip
        return None
    return state if isinstance(state, _State) else None


def _save(path: Path, state: _State) -> None:
    with replacing(path) as temporary:
        with temporary.open("wb") as file:
            pickle.dump(state, file, protocol=5)
        note_sum(path, temporary)


def _write(state: _State, path: Path) -> None:
    from gensim.models.fasttext import save_facebook_model

    if state.arrays and state.kept < len(state.epochs):
        state.model.wv.vectors_vocab = state.arrays["vocab"]
        state.model.wv.vectors_ngrams = state.arrays["ngrams"]
        state.model.syn1neg = state.arrays["hidden"]
        state.model.wv.adjust_vectors()
    with replacing(path) as temporary:
        save_facebook_model(state.model, str(temporary))


def epochs_record(trained: Trained) -> dict[str, Any]:
    """A training as a record holds it."""
    return asdict(trained)

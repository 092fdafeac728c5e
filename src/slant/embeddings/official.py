"""Training by the official fastText, the other trainer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from slant.data.writing import replacing
from slant.embeddings.encoded import Drawn
from slant.embeddings.settings import Settings, bucket_of
from slant.embeddings.training import WITHOUT, Epoch, Told, Trained
from slant.errors import MissingExtra, WorkFailed

PACKAGE = "fasttext-community"


def train_official(
    corpus: Drawn,
    settings: Settings,
    seed: int,
    path: Path,
    *,
    told: Told = lambda share, what: None,
) -> Trained:
    """Train one replica by the official fastText, and write its vectors in its binary format.

    Its learning rate falls linearly to 0 over a fixed number of epochs, `settings.epochs` or 20;
    decay, patience and analogies are not used. One thread works, so that the same seed gives the
    same bits. A training that was killed starts anew.

    Args:
        corpus: what it is trained on.
        settings: see there.
        seed: of the first vectors, the windows and the words drawn.
        path: the file to write.
        told: hears that the training has begun.

    Returns:
        How it went.

    Raises:
        MissingExtra: the package fasttext is not installed. WorkFailed: fastText failed.

    Source: Bojanowski et al. 2017, Enriching Word Vectors with Subword Information.
    """
    require_official()
    counts = corpus.counts()
    tokens = corpus.length()[1]
    bucket = bucket_of(settings, counts)
    epochs = settings.epochs or WITHOUT
    told(0.0, f"{epochs} epochs of the official fastText")
    begin = time.monotonic()
    # fastText reads a file, and takes its name for text of C.
    with replacing(path.with_name(f".{path.stem}.txt")) as text:
        with text.open("w", encoding="utf-8") as file:
            file.writelines(" ".join(sentence) + "\n" for sentence in corpus)
        with replacing(path) as temporary:
            _run(text, temporary, settings, seed, bucket, epochs)
    path.with_name(f".{path.stem}.txt").unlink(missing_ok=True)
    seconds = (time.monotonic() - begin) / epochs
    rates = [settings.alpha * (1 - epoch / epochs) for epoch in range(epochs)]
    run = tuple(Epoch(rate, None, seconds) for rate in rates)
    stopping = "fixed" if settings.epochs else f"fixed: by itself {WITHOUT} epochs"
    return Trained(run, epochs, stopping, 0, len(counts), tokens, bucket)


def require_official() -> None:
    """Make sure that an official fastText is installed that can be trained twice alike.

    Of the packages that hold fastText's code, `fasttext` 0.9.3, `fasttext-wheel` 0.9.2 and
    `fasttext-numpy2` 0.10.4 ignore the seed, and with one thread leave nine tenths of the first
    vectors as the memory was, at times not numbers; `fasttext-community` does neither.

    Raises:
        MissingExtra: none is installed, or another.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        version(PACKAGE)
    except PackageNotFoundError:
        found = f"the package {PACKAGE} is not installed"
        do = 'Run pip install "slant[embeddings,fasttext]", or train by --trainer gensim'
        raise MissingExtra("Training by the official fastText", found, do) from None


def _run(text: Path, out: Path, settings: Settings, seed: int, bucket: int, epochs: int) -> None:
    # The package's own function takes no seed; what it calls does.
    import fasttext_pybind as official

    asked: Any = official.args()
    asked.input, asked.output = str(text), str(out)
    asked.model = (
        official.model_name.skipgram
        if settings.algorithm == "skipgram"
        else official.model_name.cbow
    )
    asked.loss = official.loss_name.ns
    asked.lr, asked.dim, asked.ws, asked.epoch = (
        settings.alpha,
        settings.dimensions,
        settings.window,
        epochs,
    )
    asked.neg, asked.t, asked.minCount = settings.negative, settings.sample, 1
    asked.minn, asked.maxn = settings.minn, settings.maxn
    asked.bucket = bucket
    if not bucket:
        asked.minn = asked.maxn = 0
    asked.thread, asked.seed, asked.verbose = 1, seed, 0
    model = official.fasttext()
    try:
        official.train(model, asked)
        model.saveModel(str(out))
    except (RuntimeError, ValueError, MemoryError) as error:
        found = str(error).splitlines()[0] if str(error) else type(error).__name__
        do = "Look at what it says; less --bucket or --dimensions takes less memory"
        raise WorkFailed("Training by the official fastText", found, do) from None

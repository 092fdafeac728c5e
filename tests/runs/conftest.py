from __future__ import annotations

import pytest
from made_news import add_news

from slant.data.added import add_dataset
from slant.data.hashes import user_store


@pytest.fixture
def local_news(tmp_path, own_store):
    """A data set `added/local` of 300 sentences in 100 articles."""
    add_news("local", tmp_path / "news.csv", user_store(), 300)
    return "added/local"


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """Store and folders of a toy task `added/toy`, and a detector trained on it, cascade inside."""
    from tiny_detector import made_texts, save_tiny, write_toy

    from slant.runs.detectors import train_detector

    home = tmp_path_factory.mktemp("toy")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(home / "store"))
        add_dataset(
            "toy", write_toy(home / "toy.csv", 240), text="sentence", label="biased",
            tasks=["fake-news"], store=user_store(), licence="CC0 1.0",
        )  # fmt: skip
        checkpoint = save_tiny(home / "checkpoint", "bert")
        corpus = home / "corpus.txt"
        corpus.write_text("\n".join(made_texts(600, 240)) + "\n")
        train_detector(
            "added/toy", f"encoder:{checkpoint}", home / "detector",
            params={"epochs": 3, "lr": 0.005, "max_length": 16, "batch": 16},
            options={"near": "1.0"}, distil=corpus, max_disagreement=0.05, command="slant train",
        )  # fmt: skip
    return home


@pytest.fixture(scope="session")
def study(tmp_path_factory):
    """Folder with data/ like BABE's and runs/ of two conditions and two seeds, models kept."""
    from made_babe import write_babe
    from tiny_detector import save_tiny

    from slant.runs.studies import train_study

    home = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(home / "store"))
        train_study(
            "babe", [f"encoder:{save_tiny(home / 'tiny', 'bert')}"], home / "runs",
            params={"max_length": "24"}, lambdas=["0", "0.5"], rates="0.005", seeds=[42, 43],
            options={"near": "1.0"}, data=write_babe(home / "data", calm_marks=False), jobs=1,
        )  # fmt: skip
    return home

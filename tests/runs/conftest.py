from __future__ import annotations

import pytest
from made_news import write_news

from slant.data.added import add_dataset
from slant.data.hashes import user_store


@pytest.fixture
def local_news(tmp_path, own_store):
    """A data set `added/local` of 300 sentences in 100 articles."""
    path = write_news(tmp_path / "news.csv", 300, 1)
    add_dataset(
        "local", path, text="sentence", label="biased", tasks=["reporting-level-bias"],
        store=user_store(), group="article", id_column="number",
    )  # fmt: skip
    return "added/local"

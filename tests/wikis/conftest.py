"""Wikis to crawl: a scripted one for each test, and one real MediaWiki for all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from realwiki import started
from scriptedwiki import made_pages, serving

DATA = os.environ.get("SLANT_DATA")
DUMP = "weat/corpora/enwiki-shortened.xml.bz2"


@pytest.fixture
def wiki():
    """A scripted wiki of ten pages."""
    with serving(made_pages(10)) as one:
        yield one


@pytest.fixture(scope="session")
def mediawiki(tmp_path_factory):
    """A real MediaWiki, loaded with the excerpt of a dump; skipped where it is not installed."""
    if not DATA:
        pytest.skip("SLANT_DATA is not set: the dump is not here")
    with started(tmp_path_factory.mktemp("mediawiki"), Path(DATA) / DUMP) as one:
        yield one

"""The readers of the 22 data sets of MBIB, by MBIB number."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from slant.data.mbib_articles import (
    read_bignews,
    read_fakenewsnet,
    read_hyperpartisan,
    read_media_frames,
)
from slant.data.mbib_claims import read_liar, read_pheme
from slant.data.mbib_comments import (
    read_cad,
    read_harassment,
    read_jigsaw,
    read_redditbias,
    read_usvsthem,
)
from slant.data.mbib_news import read_babe, read_basil, read_biased_sentences, read_ukraine
from slant.data.mbib_posts import (
    read_cmsb,
    read_hatexplain,
    read_racialbias,
    read_rtgender,
    read_workplace,
)
from slant.data.mbib_wikipedia import read_npov, read_wnc
from slant.data.sources import Source
from slant.types import Preset

Reader = Callable[[Source, Preset], pl.DataFrame]
"""Published files -> records (`tables.RECORDS`), by the rules of a preset."""

READERS: dict[str, Reader] = {
    "003": read_npov,
    "009": read_basil,
    "010": read_babe,
    "012": read_pheme,
    "019": read_ukraine,
    "025": read_fakenewsnet,
    "026": read_wnc,
    "029": read_hyperpartisan,
    "035": read_media_frames,
    "038": read_biased_sentences,
    "040": read_jigsaw,
    "049": read_usvsthem,
    "066": read_bignews,
    "072": read_liar,
    "075": read_redditbias,
    "076": read_cad,
    "087": read_harassment,
    "092": read_hatexplain,
    "105": read_rtgender,
    "106": read_workplace,
    "107": read_cmsb,
    "110": read_racialbias,
}

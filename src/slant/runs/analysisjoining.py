"""The shards of `slant analyze` joined, and its articles side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, get_args

from slant.analysis.analysisjson import estimate_json
from slant.analysis.comparing import MOST, SAME_EVENT, By, Group, grouped, same_events
from slant.analysis.dates import date_doubt
from slant.analysis.rows import event_rows, group_rows
from slant.analysis.summaries import Summary, read_summary
from slant.runs.analysisfolder import ANALYSES, join_lines, read_analyses, shard, work_folder
from slant.runs.analysistables import (
    EVENTS,
    GROUPS,
    PROFILES,
    SENTENCES,
    TableFile,
    join_tables,
    write_shard,
)
from slant.runs.store import write_json

COMPARISON: Final = "comparison.json"


def joined(out: Path, shards: int, sentences: TableFile = SENTENCES) -> dict[str, Any]:
    """Write everything of a report but its record from the shards in the work folder.

    Args:
        out: the folder of the report.
        shards: how many.
        sentences: the table of sentences, with the kinds of bias that were asked for.

    Returns:
        How many articles and sentences there are, why articles were left out (why -> how many), and
        how many have a date that is kept as text and stands in no month.
    """
    join_lines([shard(out, number, ".jsonl") for number in range(shards)], out / ANALYSES)
    for table in (sentences, PROFILES):
        parts = [shard(out, number, f".{table.name}.parquet") for number in range(shards)]
        join_tables(parts, table, out)
    summaries: list[Summary] = []
    left_out: Counter[str] = Counter()
    undated = 0
    for read in read_analyses(out):
        one = read_summary(read, str(out / ANALYSES))
        # Beyond so many nobody looks for the same event.
        summaries.append(one if len(summaries) < MOST else replace(one, opening=""))
        if why := read["article"]["why"]:
            left_out[why] += 1
        undated += bool(date_doubt(read["article"]["date"]))
    groups = {by: grouped(summaries, by) for by in get_args(By)}
    events = same_events(summaries)
    rows = ((GROUPS, group_rows([one for found in groups.values() for one in found])),
            (EVENTS, event_rows(events)))  # fmt: skip
    for table, found in rows:
        part = work_folder(out) / f"{table.name}.parquet"
        write_shard(found, table, part)
        join_tables([part], table, out)
    comparison = {
        "groups": {by: [_group_json(one) for one in found] for by, found in groups.items()},
        "events": [asdict(one) for one in events],
        "similarity": SAME_EVENT,
    }
    write_json(out / COMPARISON, comparison)
    read_in_all = sum(one.sentences for one in summaries)
    return {
        "articles": len(summaries),
        "sentences": read_in_all,
        "left_out": dict(left_out),
        "undated": undated,
    }


def _group_json(group: Group) -> dict[str, Any]:
    return {
        "by": group.by,
        "name": group.name,
        "articles": group.articles,
        "texts": group.texts,
        "sentences": group.sentences,
        "profile": [
            {"key": one.key, "says": one.says, **estimate_json(one.estimate)}
            for one in group.profile
        ],
    }

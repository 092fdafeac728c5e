"""Raw files to balanced folds by the official rules, against a plain pandas transcription of them.

    SLANT_DATA=DIR python benchmarks/folds.py [--data DIR] [--repeats 8] [--least 5]

The five tasks whose joined files are published. Both sides get the same list of files, start from
the files every time, read each data set once and keep no cache; both must end with the same rows
and the same folds. They take turns, and the best time of each counts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
from sklearn.model_selection import StratifiedKFold, train_test_split

from ratios import say_ratio
from slant.data.sources import Source
from slant.tasks.assembly import Assembly, assembled
from slant.tasks.members import Member, mbib_members, member_tables
from slant.tasks.options import OFFICIAL
from slant.tasks.protocols import DEV, TEST, Roles

TASKS = ("cognitive-bias", "fake-news", "gender-bias", "racial-bias", "text-level-bias")
SEED, FOLDS = 42, 5
Frames = dict[str, tuple[pd.DataFrame, Roles]]
Files = dict[str, Source]

REDDIT = ("gender_female", "orientation_lgbtq", "race_black", "religion1_jews", "religion2_muslims")
NO_LABEL = ("1 - context needed", "re-state", "biased?", "toxic-unrelated", "fact?", "question")
VERDICTS = {"true": 0, "mostly-true": 0, "half-true": 0, "barely-true": 0} | {
    "false": 1,
    "pants-fire": 1,
}


def cleaned(text: str) -> str:
    text = re.sub(r"@[A-Za-z0-9_]+", " ", text)
    text = re.sub(r"https?://[A-Za-z0-9./]+", " ", text)
    text = re.sub(r"[^a-zA-z.!?'0-9]", " ", text)
    text = re.sub(r"[^A-Za-z0-9]+", " ", text)
    text = re.sub(r"#", "", text)
    text = re.sub(r"\t", "", text)
    text = re.sub(r" +", " ", text)
    return re.sub(r"linebreak", "", text)


def pandas_liar(files: dict[str, Path]) -> pd.DataFrame:
    lines = []
    for name in ("valid.tsv", "train.tsv", "test.tsv"):
        with files[name].open(encoding="utf-8") as file:
            lines += [line.split("\t") for line in file]
    frame = pd.DataFrame(
        {"text": [line[2] for line in lines], "label": [line[1] for line in lines]}
    )
    frame["label"] = frame["label"].map(VERDICTS)
    frame["id"] = range(len(frame))
    return frame


def pandas_pheme(files: dict[str, Path]) -> pd.DataFrame:
    return pd.read_csv(files["012-Pheme.csv"])


def pandas_ukraine(files: dict[str, Path]) -> pd.DataFrame:
    names = [name for name in files if name.endswith(".json")]
    rows = []
    for n, name in enumerate(sorted(names, key=lambda name: int(re.findall(r"\d+", name)[0]))):
        with files[name].open(encoding="utf-8") as file:
            article = json.load(file)
        for m, sentence in enumerate(article["sentences"]):
            bias = sentence["bias"]["score"]
            scores = (
                sentence["subjectivity"]["score"]["maj"],
                sentence["hidden_assumptions"]["score"]["maj"],
                bias["pro-west"]["maj"],
                bias["pro-russia"]["maj"],
            )
            label = int(any(score >= 1.5 for score in scores))
            rows.append({"id": f"{n}-{m}", "text": sentence["content"], "label": label})
    return pd.DataFrame(rows)


def pandas_redditbias(files: dict[str, Path]) -> pd.DataFrame:
    frames = []
    for part in REDDIT:
        path = files[f"reddit_comments_{part}_processed_phrase_annotated.csv"]
        frame = pd.read_csv(path, encoding_errors="replace", dtype={"bias_sent": str})
        frame["id"] = range(len(frame))
        frame = frame.dropna(subset=["bias_sent"])
        frame = frame[~frame["bias_sent"].isin(NO_LABEL)]
        frame = frame[frame["bias_sent"].astype(int) != 2]
        frame["label"] = frame["bias_sent"].astype(int)
        frame["text"] = frame["comment"]
        frames.append(frame[["id", "text", "label"]])
    return pd.concat(frames, ignore_index=True)


def pandas_workplace(files: dict[str, Path]) -> pd.DataFrame:
    (path,) = files.values()
    frame = pd.read_excel(path).rename(columns={"Sentences": "text", "Label": "label"})
    frame["id"] = range(1, len(frame) + 1)
    return frame


def pandas_cmsb(files: dict[str, Path]) -> pd.DataFrame:
    frame = pd.read_csv(files["sexism_data.csv"])
    frame["label"] = frame["sexist"].astype(int)
    frame["id"] = range(1, len(frame) + 1)
    return frame


def pandas_racialbias(files: dict[str, Path]) -> pd.DataFrame:
    frame = pd.read_csv(files["groundTruth.csv"], encoding="iso-8859-1")
    frame = frame.rename(columns={"Tweet": "text"})
    frame["label"] = 1
    frame["id"] = range(len(frame))
    return frame


PANDAS: dict[str, Callable[[dict[str, Path]], pd.DataFrame]] = {
    "012": pandas_pheme,
    "019": pandas_ukraine,
    "072": pandas_liar,
    "075": pandas_redditbias,
    "106": pandas_workplace,
    "107": pandas_cmsb,
    "110": pandas_racialbias,
}


def by_pandas(files: Files, tasks: dict[str, list[str]]) -> Frames:
    sets = {}
    for number, source in files.items():
        frame = PANDAS[number]({path.name: path for path in source.files})
        frame["text"] = frame["text"].apply(lambda text: cleaned(str(text)))
        sets[number] = frame[["id", "text", "label"]]
    return {task: pandas_task([(n, sets[n]) for n in numbers]) for task, numbers in tasks.items()}


def pandas_task(sets: list[tuple[str, pd.DataFrame]]) -> tuple[pd.DataFrame, Roles]:
    frames = []
    for number, frame in sets:
        named = frame.copy()
        named["id"] = named["id"].apply(lambda own, number=number: f"{number}-{own}")
        named["dataset_id"] = number
        frames.append(named)
    joined = pd.concat(frames, ignore_index=True).drop_duplicates(subset="text")
    joined = joined[joined["label"] != 2]
    k = joined["label"].value_counts().min()
    drawn = [joined[joined["label"] == y].sample(n=k, random_state=SEED) for y in (0, 1)]
    rows = pd.concat(drawn, ignore_index=True)
    roles = np.zeros((len(rows), FOLDS), np.int8)
    splitter = StratifiedKFold(n_splits=FOLDS, shuffle=True, random_state=SEED)
    for number, (_, held) in enumerate(splitter.split(rows["text"], rows["dataset_id"])):
        dev, test = train_test_split(
            rows.index[held], test_size=0.75, train_size=0.25, random_state=SEED, shuffle=True
        )
        roles[dev, number], roles[test, number] = DEV, TEST
    return rows, roles


def by_slant(members: dict[str, Member], tasks: dict[str, list[str]]) -> dict[str, Assembly]:
    sets = dict(zip(members, member_tables([*members.values()], OFFICIAL, {}), strict=True))
    return {
        task: assembled(task, [sets[number] for number in numbers], OFFICIAL, SEED)
        for task, numbers in tasks.items()
    }


def check_equal(task: str, ours: Assembly, theirs: tuple[pd.DataFrame, Roles]) -> None:
    rows, roles = theirs
    ids = ours.rows.select(pl.format("{}-{}", "dataset", "official_id")).to_series()
    pairs = {
        "ids": (ids.to_list(), rows["id"].tolist()),
        "texts": (ours.rows["text"].to_list(), rows["text"].tolist()),
        "labels": (ours.rows["label"].to_list(), rows["label"].tolist()),
        "folds": (ours.roles.tolist(), roles.tolist()),
    }
    for what, (mine, other) in pairs.items():
        if mine != other:
            raise SystemExit(f"{task}: the {what} of the two sides differ")


def found(data: Path | None) -> tuple[dict[str, Member], dict[str, list[str]]]:
    members: dict[str, Member] = {}
    tasks: dict[str, list[str]] = {}
    for task in TASKS:
        for one in mbib_members(task, OFFICIAL, data):
            if one.source is None or one.dataset not in PANDAS:
                print(f"  {task}: {one.dataset} is left out ({one.why or 'not transcribed'})")
                continue
            members[one.dataset] = one
            tasks.setdefault(task, []).append(one.dataset)
    return members, tasks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--least", type=float, default=5.0)
    asked = parser.parse_args()
    if asked.data is None and not os.environ.get("SLANT_DATA"):
        raise SystemExit("Give the folder of the data: --data DIR or SLANT_DATA=DIR")
    members, tasks = found(asked.data)
    files: Files = {name: one.source for name, one in members.items() if one.source is not None}
    mine: list[float] = []
    other: list[float] = []
    for _ in range(asked.repeats):
        start = time.perf_counter()
        ours = by_slant(members, tasks)
        middle = time.perf_counter()
        theirs = by_pandas(files, tasks)
        mine.append(middle - start)
        other.append(time.perf_counter() - middle)
    for task in tasks:
        check_equal(task, ours[task], theirs[task])
        print(f"  {task}: {ours[task].rows.height:,} rows, the same rows and folds on both sides")
    ratio = min(other) / min(mine)
    for name, seconds in (("slant", mine), ("pandas", other)):
        every = ", ".join(f"{one:.2f}" for one in seconds)
        print(f"  {name}: {min(seconds):.3f} s, best of {every}")
    say_ratio(
        "published files to folds, preset official",
        ratio,
        "the official rules in pandas",
        asked.least,
    )
    if ratio < asked.least:
        raise SystemExit(f"slant is {ratio:.1f} times faster: it should be {asked.least:g} times.")


if __name__ == "__main__":
    main()

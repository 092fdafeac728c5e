"""slant data add, export, counts, leaks: a user's own data, what presets make of all."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from slant.cli.options import Changes, Data, Json, Negative, Positive, Preset, Quiet, pairs
from slant.cli.show import document, progress, say, table
from slant.errors import OptionError


def add(
    name: Annotated[str, typer.Argument(help="It becomes added/NAME.")],
    file: Annotated[Path, typer.Argument(help=".csv, .tsv, .jsonl or .parquet.")],
    text: Annotated[str, typer.Option(help="Column of the text.")],
    label: Annotated[str, typer.Option(help="Column of the label.")],
    task: Annotated[list[str] | None, typer.Option(help="Task that it joins; repeatable.")] = None,
    positive: Positive = None,
    negative: Negative = None,
    group: Annotated[str | None, typer.Option(help="Column of article, author or thread.")] = None,
    id_: Annotated[str | None, typer.Option("--id", help="Column of unique ids.")] = None,
    marks: Annotated[
        str | None, typer.Option(help="Column of marked words, or of [start, end].")
    ] = None,
    image: Annotated[str | None, typer.Option(help="Column of images, checked and copied.")] = None,
    images: Annotated[
        Path | None, typer.Option(help="Folder, zip or tar of the images; else the file's folder.")
    ] = None,
    fetch_images: Annotated[
        bool, typer.Option("--fetch-images", help="Fetch images that are addresses.")
    ] = False,
    rationale: Annotated[
        str | None, typer.Option(help="Column of a reason for the label, in words.")
    ] = None,
    licence: Annotated[str, typer.Option(help="Under which the texts may be used.")] = "not stated",
    replace: Annotated[bool, typer.Option(help="Overwrite one of this name.")] = False,
    data: Annotated[Path | None, typer.Option("--data", help="Store here.")] = None,
    json_: Json = False,
) -> None:
    """Add a data set of your own: a task by itself, added/NAME, and part of the tasks named.

    Examples:

    slant data add local news.csv --text sentence --label biased --task fake-news

    slant data add mine news.jsonl --text sentence --label biased --marks words

    slant data add pairs pairs.csv --text text --label label --image picture --rationale why
    """
    from slant.data.added import add_dataset
    from slant.data.files import store

    card = add_dataset(
        name, file, text=text, label=label, tasks=task or (), store=store(data),
        positive=positive or (), negative=negative or (), group=group, id_column=id_, marks=marks,
        image=image, images=images, fetch_images=fetch_images, rationale=rationale, licence=licence,
        replace=replace,
    )  # fmt: skip
    if json_:
        document(card.model_dump(mode="json", exclude_none=True))
        return
    where = ", ".join(card.tasks) or "a task of its own"
    print(f"added/{name}: {card.forms[0].files[0].rows} rows, in {where}")
    for quirk in card.quirks:
        say(quirk)


def export(
    name: Annotated[str, typer.Argument(help="mbib/072, mbib/racial-bias or open/articles.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The csv file to write; of open/articles a folder.")
    ],
    preset: Preset = "clean",
    set_: Changes = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**32 - 1, help="Of the balance and the folds.")
    ] = 42,
    with_folds: Annotated[
        bool, typer.Option("--with-folds", help="Say what each fold trains on and tests.")
    ] = False,
    data: Data = None,
) -> None:
    """Write a data set, or a joined and balanced task, as csv; open/articles as texts and passes.

    Examples:

    slant data export mbib/072 --preset official --out 072.csv

    slant data export mbib/racial-bias --out racial-bias.csv

    slant data export open/sentences --with-folds --out folds.csv

    slant data export open/articles --out sample
    """
    from slant.data.writing import replacing
    from slant.tasks.exports import exported
    from slant.tasks.names import task_names
    from slant.tasks.options import chosen_options
    from slant.tasks.transfer import refuse_transfer

    if name == "open/articles":
        from slant.annotate.formats import write_content
        from slant.data.baitsamples import sample_files

        if set_ or with_folds:
            found = "it is articles with marks, which no protocol makes into rows"
            raise OptionError(f"Exporting '{name}'", found, "Leave out --set and --with-folds")
        write_content(out, sample_files())
        say(f"wrote {out}; next: slant annotate new {out}/articles --annotators ann,ben --out work")
        return
    names, _ = task_names([name], data)
    options = chosen_options(preset, pairs(set_, "--set"), names)
    refuse_transfer(options, f"Exporting '{name}'")
    content = exported(name, options, seed, data, with_folds)
    with replacing(out) as temporary:
        temporary.write_text(content, encoding="utf-8", newline="")
    say(f"wrote {out}")


def leaks(
    names: Annotated[list[str], typer.Argument(help="mbib, or single tasks.")],
    preset: Preset = "clean",
    set_: Changes = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Of balance and folds.")] = 42,
    data: Data = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Report what crosses folds: duplicates, near-duplicates, articles, minimal pairs.

    Example: slant data leaks mbib --preset official
    """
    import polars as pl

    from slant.runs.run import prepare_all
    from slant.tasks.leaks import leaks_of
    from slant.tasks.names import task_names
    from slant.tasks.options import chosen_options
    from slant.tasks.transfer import transfer_options

    tasks, whole = task_names(names, data)
    chosen = chosen_options(preset, pairs(set_, "--set"), tasks)
    options = transfer_options(chosen, tasks, data)
    with progress(quiet or json_, "tasks") as told:
        ready, absent = prepare_all(tasks, options, [seed], data, whole, told)
        found = {one.task: asdict(leaks_of(pl.read_parquet(one.rows, glob=False))) for one in ready}
    if json_:
        document({"preset": preset, "tasks": found, "absent": absent})
        return
    columns = list(next(iter(found.values())))
    table(["task", *columns], [[name, *map(str, row.values())] for name, row in found.items()])
    for one in absent:
        say(f"left out {one['task']}: {one['why']}")


def counts(
    names: Annotated[list[str] | None, typer.Argument(help="mbib/072 ...; else all.")] = None,
    preset: Preset = "clean",
    data: Data = None,
    json_: Json = False,
) -> None:
    """Count the rows of each data set under a preset, beside the paper's table 2.

    Example: slant data counts --preset clean
    """
    from slant.data.cards import public_name
    from slant.tasks.counts import row_counts
    from slant.tasks.options import chosen_options

    found = row_counts(numbers_of(names or ["mbib"]), chosen_options(preset, {}), data)
    if json_:
        document([asdict(one) for one in found])
        return
    rows = [
        [
            public_name(one.dataset),
            one.name,
            one.state,
            " / ".join(str(n) for n in dict.fromkeys(one.paper.values())),
            *(str(n) for n in (one.records, one.unbiased, one.biased)),
            ", ".join(f"{n} {reason}" for reason, n in one.left_out.items()),
        ]
        for one in found
    ]
    columns = ["name", "data set", "state", "paper", "read", "unbiased", "biased", "left out"]
    table(columns, rows, f"Rows, preset {preset}")


def numbers_of(names: list[str]) -> list[str]:
    """The MBIB numbers that names stand for: a data set, the members of a task, or all."""
    from slant.data.cards import card_numbers, load_tasks
    from slant.data.names import parse_name

    numbers: list[str] = []
    for name in names:
        named = parse_name(name)
        if named.dataset:
            numbers.append(named.dataset)
        elif named.task:
            numbers += [one.dataset for one in load_tasks()[named.task].members("table2")]
        else:
            numbers += card_numbers()
    return list(dict.fromkeys(numbers))

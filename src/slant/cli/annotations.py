"""slant annotate: new, agree, merge, adjudicate, stats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import Json
from slant.cli.show import document, interval_text, say, table

app = typer.Typer(
    help="From articles to a gold set: packages for annotators, agreement, merging, a third "
    "person's decisions, statistics.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
First = Annotated[Path, typer.Argument(help="A pass: an annotator's folder, or annotations.")]
Second = Annotated[Path, typer.Argument(help="The other annotator's pass of the same articles.")]
Articles = Annotated[
    Path | None,
    typer.Option(help="The articles, where the annotations stand apart from their texts."),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="jsonl, brat, ptc, label-studio, doccano, webanno; else told from the content.",
    ),
]
SchemaName = Annotated[
    str | None,
    typer.Option("--schema", help="bait, ptc or a file; else that of packages, or what occurs."),
]
_SHARES = ("p_o", "p_e")
Names = Annotated[
    str | None,
    typer.Option(metavar="A,B", help="The annotators' names; else those of the files or folders."),
]


@app.command()
def new(
    articles: Annotated[Path, typer.Argument(help="A folder of .txt, or a .jsonl or .csv.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the packages.")],
    annotators: Annotated[str, typer.Option(metavar="A,B", help="Their names, with commas.")],
    schema: Annotated[str, typer.Option(help="bait, ptc or a file.")] = "bait",
    tool: Annotated[
        str, typer.Option("--for", help="brat, label-studio, doccano, webanno or jsonl.")
    ] = "brat",
    seed: Annotated[int, typer.Option(min=0, help="Of the orders of articles.")] = 42,
    json_: Json = False,
) -> None:
    """Make a package for each annotator: articles, empty annotations, sheet, codebook, README.

    Work that is there already is never overwritten.

    Examples:

    slant annotate new articles/ --out work --annotators ann,ben

    slant annotate new articles.jsonl --out work --annotators ann,ben --for label-studio --seed 7

    slant annotate new articles/ --out work --annotators ann --schema own.toml --for doccano
    """
    from slant.annotate.formats import read_articles
    from slant.annotate.packages import write_packages
    from slant.data.schemas import load_schema
    from slant.report.codebook import codebook

    biases = load_schema(schema)
    made = write_packages(
        read_articles(articles),
        out,
        [name.strip() for name in annotators.split(",")],
        biases,
        tool=tool,
        seed=seed,
        codebook={"codebook.html": codebook(biases).encode()},
    )
    if json_:
        document({"packages": [str(one) for one in made], "schema": biases.name, "tool": tool})
        return
    for folder in made:
        print(folder)
    say("send each annotator one folder; next: slant annotate agree, on what they send back")


@app.command()
def agree(
    first: First,
    second: Second,
    articles: Articles = None,
    format_: Format = None,
    schema: SchemaName = None,
    names: Names = None,
    resamples: Annotated[int, typer.Option(min=100, help="Of the bootstrap.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap.")] = 42,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder of a .json.")] = None,
    json_: Json = False,
) -> None:
    """How far two annotators agree, per bias: kappa, AC1, word F1, unitising alpha.

    Examples:

    slant annotate agree work/ann work/ben

    slant annotate agree ann.jsonl ben.jsonl --schema bait --json

    slant annotate agree ann-labels/ ben-labels/ --articles articles/ --schema ptc --out agreement
    """
    from slant.annotate.concordance import agreement
    from slant.annotate.firstpass import read_passes
    from slant.runs.store import write_json

    passes = read_passes(first, second, articles, format_, schema, names)
    _say_untouched(passes.untouched)
    found = agreement(
        passes.first, passes.second, passes.codes, seed, names=passes.names, resamples=resamples
    )
    if out is not None:
        write_json(out / "agreement.json", found)
    if json_:
        document(found)
        return
    a, b = found["annotators"]
    head = ["bias", f"articles {a}", f"articles {b}", "both", "p_o", "p_e", "kappa", "AC1"]
    head += ["word F1", "alpha_u"]
    rows = [_agreement_row(code, one) for code, one in found["biases"].items()]
    rows.append(_agreement_row("mean", {**found["mean"], "a": "", "b": "", "both": ""}))
    table(head, rows, f"{found['articles']} articles, 95% intervals over articles")
    for who, one in found["first_pass"].items():
        if one["labels_without_trigger"]:
            say(f"{who} ticked {one['labels_without_trigger']} biases without marking where")


@app.command()
def merge(
    first: First,
    second: Second,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write.")],
    articles: Articles = None,
    format_: Format = None,
    schema: SchemaName = None,
    names: Names = None,
    both: Annotated[
        str, typer.Option(help="Both marked it: overlap (a shared character), or match.")
    ] = "overlap",
    least: Annotated[float, typer.Option(help="With --both match: least overlap.")] = 0.5,
    tie: Annotated[
        str, typer.Option(help="Other boundaries, equal confidence: adjudicate, union, shorter.")
    ] = "adjudicate",
    regrouped: Annotated[
        str, typer.Option(help="A passage that the other grouped otherwise: adjudicate, keep.")
    ] = "adjudicate",
    unrated: Annotated[
        str, typer.Option(help="A trigger without confidence counts as low or high.")
    ] = "low",
    high: Annotated[float, typer.Option(help="The confidence that keeps alone; the highest.")] = 3,
    json_: Json = False,
) -> None:
    """Merge two passes: what is sure or marked by both is kept, the rest goes to a third person.

    Writes gold-so-far.jsonl, adjudication.csv to fill in, adjudication.html to read, merge.json.

    Examples:

    slant annotate merge work/ann work/ben --out merged

    slant annotate merge ann.jsonl ben.jsonl --out merged --tie union --both match --least 0.5

    slant annotate merge ann-labels/ ben-labels/ --articles articles/ -o merged --unrated high
    """
    from slant.annotate.cases import merge_files, merge_record
    from slant.annotate.firstpass import read_passes
    from slant.annotate.inclusion import Rule
    from slant.annotate.merging import merged_gold
    from slant.report.adjudicationpage import adjudication_page
    from slant.report.writing import write_files

    passes = read_passes(first, second, articles, format_, schema, names)
    _say_untouched(passes.untouched)
    rule = Rule(both, least, tie, regrouped, unrated, high)  # type: ignore[arg-type]
    merged = merged_gold(passes.first, passes.second, passes.codes, names=passes.names, rule=rule)
    record = merge_record(merged).model_dump()
    page = adjudication_page(record, passes.bias_names).encode()
    write_files({**merge_files(merged, out), out / "adjudication.html": page})
    if json_:
        document({key: record[key] for key in ("annotators", "rule", "articles", "kept", "open")})
        return
    rows = [[f"kept: {why}", f"{number:,}"] for why, number in record["kept"].items()]
    kinds = [case["kind"] for case in record["open"]]
    rows += [[f"open: {kind}", f"{kinds.count(kind):,}"] for kind in dict.fromkeys(kinds)]
    table(["triggers", "number"], rows, f"{record['articles']} articles")
    todo = f"answer {out / 'adjudication.csv'}" if kinds else "nothing is open"
    say(f"{todo}; next: slant annotate adjudicate {out} --out gold.jsonl")


@app.command()
def adjudicate(
    folder: Annotated[Path, typer.Argument(help="What slant annotate merge wrote.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The gold, a .jsonl.")],
    answers: Annotated[
        Path | None, typer.Option(help="The answered sheet; else adjudication.csv in the folder.")
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Leave cases without a decision out of gold.")
    ] = False,
    json_: Json = False,
) -> None:
    """Write the gold: what was kept, with the decisions keep, drop or edit of the third person.

    Examples:

    slant annotate adjudicate merged --out gold.jsonl

    slant annotate adjudicate merged --answers returned.csv --out gold.jsonl --partial
    """
    from slant.annotate.adjudication import read_adjudicated
    from slant.annotate.formats import write_annotated

    found = read_adjudicated(folder, answers, partial=partial)
    write_annotated(found.examples, out, format="jsonl")
    if json_:
        document(
            {"out": str(out), "articles": len(found.examples), "decisions": found.counts,
             "unanswered": found.unanswered, "labels_without_trigger": found.without_trigger}
        )  # fmt: skip
        return
    table(["decision", "cases"], [[word, f"{n:,}"] for word, n in found.counts.items()])
    if found.unanswered:
        say(f"{len(found.unanswered)} cases without a decision are not in {out}")
    say(f"wrote {out}; next: slant annotate stats {out}")


@app.command()
def stats(
    gold: Annotated[Path, typer.Argument(help="Annotated articles in any format.")],
    articles: Articles = None,
    format_: Format = None,
    schema: SchemaName = None,
    json_: Json = False,
) -> None:
    """What a gold set holds, per bias and in total: articles, triggers, spans and their lengths.

    Examples:

    slant annotate stats gold.jsonl

    slant annotate stats gold.jsonl --schema bait --json

    slant annotate stats labels/ --articles articles/ --schema ptc
    """
    from slant.annotate.firstpass import read_pass
    from slant.annotate.goldstatistics import gold_statistics
    from slant.data.schemas import load_schema

    biases = None if schema is None else load_schema(schema)
    examples = read_pass(gold, articles=articles, format=format_, schema=biases)
    found = gold_statistics(examples, None if biases is None else biases.codes)
    if json_:
        document(found)
        return
    head = ["bias", "articles", "triggers", "multi-span", "spans", "% of spans", "words a span"]
    rows = [_gold_row(code, one) for code, one in found["biases"].items()]
    rows.append(_gold_row("total", found["total"]))
    words = found["words"]
    table(
        head,
        rows,
        f"{found['articles']:,} articles, {found['empty']:,} without a bias; "
        f"{words['mean']:.0f} words on average, median {words['median']:.0f}",
    )


def _say_untouched(names: Sequence[str]) -> None:
    for who in names:
        say(f"{who} marked and ticked nothing in any article: is this the pass that was sent back?")


def _agreement_row(name: str, one: Mapping[str, Any]) -> list[str]:
    shares = [one[key] if not isinstance(one[key], dict) else one[key]["value"] for key in _SHARES]
    return [
        name,
        *(str(one[key]) for key in ("a", "b", "both")),
        *("-" if share is None else f"{share:.2f}" for share in shares),
        *(interval_text(one[key]) for key in ("kappa", "ac1", "token_f1", "alpha_u")),
    ]


def _gold_row(name: str, one: Mapping[str, Any]) -> list[str]:
    return [
        name,
        *(f"{one[key]:,}" for key in ("articles", "triggers", "multi_span", "spans")),
        "-" if one["share"] is None else f"{100 * one['share']:.1f}",
        "-" if one["mean_words"] is None else f"{one['mean_words']:.1f}",
    ]

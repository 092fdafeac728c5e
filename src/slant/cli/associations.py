"""slant assoc run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import Json, Quiet, pairs
from slant.cli.show import document, interval_text, progress, say, table

app = typer.Typer(help="Associations of word sets in word vectors.", no_args_is_help=True)


@app.callback()
def associations() -> None:
    """Associations of word sets in word vectors."""


@app.command("run")
def run(
    vectors: Annotated[
        list[Path],
        typer.Argument(
            help="Each a corpus: a file of vectors, or a folder of `slant embed train`."
        ),
    ],
    sets: Annotated[Path, typer.Option("--sets", help="Word sets: .tsv, .json or .toml.")],
    tests: Annotated[
        str | None,
        typer.Option(help="Names; knoche2019; or X/Y:A/B, W:A/B over the lists. Else all."),
    ] = None,
    method: Annotated[str, typer.Option(help="weat, weatvec, or both: weat,weatvec.")] = "weat",
    deviation: Annotated[
        str, typer.Option(help="What d is divided by: sample (n-1), population or vocabulary.")
    ] = "sample",
    alternative: Annotated[str, typer.Option(help="two-sided, greater or less.")] = "two-sided",
    strict: Annotated[
        bool, typer.Option("--strict", help="Count only splits that are strictly more extreme.")
    ] = False,
    unequal: Annotated[
        str, typer.Option(help="keep X and Y whole, or cut to the shorter by position.")
    ] = "keep",
    case: Annotated[str, typer.Option(help="How words are looked up: exact, lower or any.")] = (
        "exact"
    ),
    outside_vocabulary: Annotated[
        str, typer.Option(help="Words without a vector: drop, or grams (fastText).")
    ] = "drop",
    permutations: Annotated[
        int, typer.Option(min=1, help="At most, where no exact p is feasible.")
    ] = 1_000_000,
    resamples: Annotated[int, typer.Option(min=0, help="Of the bootstrap; 0: no intervals.")] = (
        10_000
    ),
    seed: Annotated[int, typer.Option(min=0, help="Of all that is drawn.")] = 42,
    family: Annotated[
        int | None, typer.Option(min=1, help="Tests corrected together; else those of this run.")
    ] = None,
    correction: Annotated[
        str, typer.Option(help="For the report: bonferroni, holm, benjamini-hochberg, max-t, none.")
    ] = "bonferroni",
    against: Annotated[
        str | None, typer.Option(help="Corpus that others are compared with; else every pair.")
    ] = None,
    neighbours: Annotated[
        str | None, typer.Option(help="Words whose nearest words are wanted: a,b,c.")
    ] = None,
    measures: Annotated[
        str | None, typer.Option(help="Other measures: rnd,rnsb,mac,ect,ripa,same.")
    ] = None,
    outside: Annotated[
        str | None,
        typer.Option(metavar="FILE[:COLUMN[:WEIGHT]]", help="Quantity to hold WEFAT against."),
    ] = None,
    shuffled: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FOLDER", help="Replicas of a corpus's shuffled documents."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The run directory.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Test associations of word sets in word vectors; with --out the same command resumes.

    Examples:

    slant assoc run vectors.txt --sets cbn_items.tsv --tests WEAT6,WEAT7 --json

    slant assoc run emb/* --sets knoche2019_sets.json --tests knoche2019 --method weat,weatvec --family 192 --out runs/wikis

    slant assoc run emb/conservapedia emb/wikipedia --sets lists.json --tests science/art:male/female --against wikipedia

    slant assoc run vectors.txt --sets cbn_items.tsv --tests WEFAT1 --outside jobs.tsv:Women:TotalEmployed
    """  # noqa: E501
    from slant.runs.associations import FILE, associate
    from slant.runs.associationsettings import AssociationSettings

    settings = AssociationSettings(
        methods=tuple(_names(method)),  # type: ignore[arg-type]
        deviation=deviation,  # type: ignore[arg-type]
        alternative=alternative,  # type: ignore[arg-type]
        unequal=unequal,  # type: ignore[arg-type]
        case=case,  # type: ignore[arg-type]
        outside_vocabulary=outside_vocabulary,  # type: ignore[arg-type]
        permutations=permutations,
        resamples=resamples,
        seed=seed,
        strict=strict,
        measures=tuple(_names(measures)),
    )
    with progress(quiet or json_, "cells") as told:
        found = associate(
            vectors,
            sets,
            tests=None if tests is None else _names(tests),
            settings=settings,
            against=against,
            family=family,
            correction=correction,
            neighbours=_names(neighbours),
            outside=outside,
            shuffled={name: Path(one) for name, one in pairs(shuffled, "--shuffled").items()},
            jobs=jobs,
            out=out,
            progress=told,
        )
    for one in found["left_out"]:
        say(f"left out: {one['name']} on {one['vectors']}: {one['why']}")
    if json_:
        document(found)
        return
    _show(found)
    if out is not None:
        say(f"wrote {out / FILE}")


def _names(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _show(found: dict[str, Any]) -> None:
    if found["tests"]:
        shown = found["correction"] if found["correction"] != "none" else None
        columns = ["test", "vectors", "method", "d", "p", *([shown] if shown else []), "p_min"]
        rows = [
            [one["name"], one["vectors"], one["method"], _effect(one), _p(one["p"]),
             *([_p(one["adjusted"][shown])] if shown else []), _p(one["p_min"]),
             *(str(one[f"n_{role}"]) for role in "xyab"), str(len(one["missing"]))]
            for one in found["tests"]
        ]  # fmt: skip
        table([*columns, "n_x", "n_y", "n_a", "n_b", "missing"], rows)
    for one in (one for one in found["tests"] if one["shuffled"]):
        say(
            f"{one['name']} on {one['vectors']} ({one['method']}): p {_p(one['shuffled']['p'])} "
            f"among {one['shuffled']['count']} replicas of shuffled documents"
        )
    for fact in found["facts"]:
        outside = fact["outside"]
        r = "" if outside is None else (
            f"; r with {outside['quantity']} over {outside['n']} words "
            f"{interval_text({**outside, 'value': outside['r']})}"
        )  # fmt: skip
        say(
            f"{fact['name']} on {fact['vectors']} ({fact['method']}): {len(fact['words'])} words{r}"
        )
    if found["compared"]:
        rows = [
            [one["name"], one["method"], f"{one['first']} - {one['second']}",
             interval_text({**one, "value": one["difference"]}), _p(one["p"]),
             _p(one["adjusted"]["bonferroni"])]
            for one in found["compared"]
        ]  # fmt: skip
        table(["test", "method", "corpora", "difference", "p", "bonferroni"], rows)
    if found["measures"]:
        rows = [
            [one["name"], one["vectors"], one["measure"], " ".join(one["sets"]),
             "-" if one["value"] is None else f"{one['value']:.4f}"]
            for one in found["measures"]
        ]  # fmt: skip
        table(["test", "vectors", "measure", "sets", "value"], rows)
    for word, corpora in found["neighbours"].items():
        for name in found["vectors"].keys() - corpora.keys():
            say(f"{word} has no vector in {name}")
        for name, near in corpora.items():
            say(f"{word} in {name}: {', '.join(f'{one} {cosine:.2f}' for one, cosine in near)}")
    for name, one in found["vectors"].items():
        for of, covered in one["coverage"].items():
            if covered["missing"]:
                say(
                    f"{name} knows {covered['known']} of {covered['of']} words of {of}; "
                    f"not {', '.join(covered['missing'])}"
                )


def _effect(one: dict[str, Any]) -> str:
    return interval_text({**one, "value": one["d"]})


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"

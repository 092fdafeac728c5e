"""Which modules of slant read what comes from outside, which are tried, and why others are not."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1] / "src" / "slant"
READING = {
    "read_text", "read_bytes", "read_csv", "read_lines", "read_json", "read_json_items", "read_xml",
    "read_xlsx", "read_fields", "read_given", "json_value", "loads", "load", "scan_parquet",
    "read_parquet", "read_parquet_metadata", "read_excel", "ZipFile", "decode", "frombuffer",
    "GzipFile", "ParserCreate", "fromstring", "literal_eval", "model_validate_json", "raw_decode",
    "validate_python", "memmap", "from_pretrained", "open_corpus", "shaped_lines", "whole_lines",
    "read_result", "read_sheet", "annotation_text", "article_text", "LexborHTMLParser",
}  # fmt: skip
"""Names of functions that take in what a file, a server or a model said."""
LEFT_OUT = {
    "it reads the package's own files": "data.cards data.samples systems.cues systems.lexicon"
    " annotate.packages annotate.cases report.webpages tasks.members",
    "it makes pages of records that the rows of runs read": "report.analysispage"
    " report.vilbiasimages report.vilbiascards report.baitarticles report.analysisarticles"
    " report.page report.judgesheet runs.articleresults",
    "its files are sealed by a checksum, as that of the row of a cell": "tasks.prepare tasks.joint"
    " tasks.exports tasks.pairs runs.attributing runs.circuitsummary runs.circuitwork"
    " runs.headcircuits runs.explained runs.outcomes runs.engine runs.predicting runs.recipes"
    " runs.detectors runs.linearwords runs.scoring runs.run runs.taskscores runs.nearestwords"
    " runs.lightdetector runs.analysistables runs.longtexts cli.datasets data.sums",
    "its store of vectors and tokens is made again where it cannot be opened": "systems.encoder"
    " systems.textvectors systems.imagevectors systems.batches",
    "it lets torch and transformers read, whose every error is one line": "systems.classifier"
    " systems.finetune systems.bge systems.efficientnet systems.hubvision systems.attention",
    "it goes on with a training's own folder": "embeddings.training embeddings.encoded"
    " runs.embeddingruns runs.replicas runs.kept runs.demoparts runs.demonstration",
    "it reads records by functions that the rows of runs try": "runs.judging runs.judgeplan"
    " runs.vilbiasdata runs.studyrecords runs.ptcscoring runs.modelmessages runs.sentencetask",
    "it takes what servers answer, which campaigns/servers.py scripts": "data.transfers"
    " analysis.fetching",
    "it takes messages of its own process": "web.history web.laboratory web.workers web.answers",
    "it runs code that its user wrote": "systems.given",
    "it reads nothing: a function has a reader's name": "metrics.alignment stats.resampling"
    " data.near data.texts runs.surroundings data.jsonvalues",
}  # fmt: skip
"""Why a module has no row of its own, and the modules."""


def reading_modules() -> set[str]:
    """The modules, as "data.rows", in which one of `READING` is called."""
    found = set()
    for path in sorted(SOURCE.rglob("*.py")):
        calls = (
            node.func
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call)
        )
        names = {
            one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in calls
        }
        if names & READING:
            found.add(".".join(path.relative_to(SOURCE).with_suffix("").parts))
    return found


def tried_modules() -> set[str]:
    """The modules that the rows of readers name."""
    text = "".join(path.read_text() for path in sorted(HERE.glob("of*.py")))
    named = set(re.findall(r'"([a-z]+\.[a-z_]+)"', text))
    named |= {f"data.{path.stem}" for path in (SOURCE / "data").glob("mbib_*.py")}
    return {one for one in named if (SOURCE / f"{one.replace('.', '/')}.py").is_file()}


def reasons() -> dict[str, str]:
    """Why a module is left out, by the module."""
    return {one: why for why, names in LEFT_OUT.items() for one in names.split()}


def untold() -> list[str]:
    """Modules that read, and are neither tried nor left out for a reason."""
    return sorted(reading_modules() - tried_modules() - reasons().keys())

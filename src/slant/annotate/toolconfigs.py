"""A schema as the configuration of an annotation tool, in the words that slant reads back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Final
from xml.sax.saxutils import quoteattr

from slant.annotate import bratwriting, doccano, labelstudiowriting
from slant.data.schemas import Schema
from slant.errors import OptionError, unknown_name

TOOLS: Final = ("brat", "label-studio", "doccano", "jsonl", "webanno")
RATINGS: Final = ("1", "2", "3")
COLOURS: Final = (
    "#f4a6a0", "#9fc5e8", "#b6d7a8", "#ffe599", "#d5a6bd", "#f9cb9c", "#a2d9ce", "#c9b7e8",
    "#d9c39a", "#b7c9d3", "#e6b8af", "#cfe2a8", "#ead1dc", "#a4c2f4",
)  # fmt: skip
_BRAT_TYPE = re.compile(r"[A-Za-z0-9_-]+")


def tool_files(schema: Schema, tool: str) -> dict[str, bytes]:
    """The configuration files of a tool, by their names inside an annotator's folder.

    Args:
        schema: its biases become the labels.
        tool: one of `TOOLS`; jsonl needs no configuration.

    Raises:
        OptionError: a code that the tool cannot have as a label.
    """
    makers: Mapping[str, Callable[[Schema], dict[str, str]]] = {
        "brat": _brat,
        "label-studio": _label_studio,
        "doccano": _doccano,
        "webanno": _webanno,
        "jsonl": lambda _: {},
    }
    if tool not in makers:
        raise unknown_name("annotation tool", tool, TOOLS)
    return {name: content.encode() for name, content in makers[tool](schema).items()}


def _colour(at: int) -> str:
    return COLOURS[at % len(COLOURS)]


def _brat(schema: Schema) -> dict[str, str]:
    for code in schema.codes:
        if not _BRAT_TYPE.fullmatch(code):
            raise OptionError(
                "Making a package for brat",
                f"the code '{code}' is no type of brat, which has letters, digits, - and _ alone",
                "Give a schema with other codes, or another tool",
            )
    same = "\n".join(
        f"{bratwriting.RELATION}\tArg1:{code}, Arg2:{code}, <REL-TYPE>:symmetric-transitive"
        for code in schema.codes
    )
    entities = "\n".join(schema.codes)
    ratings = "|".join(RATINGS)
    names = "\n".join(
        f"{bias.code} | {bias.code} {bias.name.replace('|', '/')} | {bias.code}"
        for bias in schema.biases
    )
    drawn = "\n".join(f"{code}\tbgColor:{_colour(n)}" for n, code in enumerate(schema.codes))
    return {
        "annotations/annotation.conf": (
            f"[entities]\n{entities}\n\n[relations]\n{same}\n\n[events]\n\n"
            f"[attributes]\n{bratwriting.CONFIDENCE}\tArg:<ENTITY>, Value:{ratings}\n"
        ),
        "annotations/visual.conf": (
            f"[labels]\n{names}\n{bratwriting.RELATION} | same trigger | same\n\n[drawing]\n"
            f"SPAN_DEFAULT\tfgColor:black, bgColor:lightgray, borderColor:darken\n"
            f"ARC_DEFAULT\tcolor:black, arrowHead:none\n{drawn}\n"
        ),
    }


def _label_studio(schema: Schema) -> dict[str, str]:
    labels = "\n".join(
        f"    <Label value={quoteattr(bias.code)} hint={quoteattr(bias.name)} "
        f'background="{_colour(n)}"/>'
        for n, bias in enumerate(schema.biases)
    )
    ticks = "\n".join(
        f"    <Choice value={quoteattr(bias.code)} hint={quoteattr(bias.name)}/>"
        for bias in schema.biases
    )
    text = labelstudiowriting.TEXT
    return {
        "labelling.xml": f"""<View>
  <Header value="First pass: which biases are in the article?"/>
  <Choices name="{labelstudiowriting.BIASES}" toName="{text}" choice="multiple" showInline="true">
{ticks}
  </Choices>
  <Header value="Second pass: mark the shortest passages"/>
  <Labels name="{labelstudiowriting.LABELS}" toName="{text}">
{labels}
  </Labels>
  <Text name="{text}" value="$text" granularity="symbol"/>
  <Rating name="{labelstudiowriting.CONFIDENCE}" toName="{text}" perRegion="true"
    maxRating="{RATINGS[-1]}"/>
  <Relations>
    <Relation value={quoteattr(labelstudiowriting.RELATION)}/>
  </Relations>
</View>
"""
    }


def _doccano(schema: Schema) -> dict[str, str]:
    labels = [
        {"text": code, "suffix_key": None, "background_color": _colour(n), "text_color": "#000000"}
        for n, code in enumerate(schema.codes)
    ]
    relations = [{"text": doccano.RELATION, "suffix_key": None, "background_color": "#dddddd"}]
    return {
        "labels.json": json.dumps(labels, ensure_ascii=False, indent=1) + "\n",
        "relations.json": json.dumps(relations, indent=1) + "\n",
    }


def _webanno(schema: Schema) -> dict[str, str]:
    tags = [
        {"tag_name": bias.code, "tag_description": bias.line or bias.name} for bias in schema.biases
    ]
    tagset = {
        "name": schema.name,
        "description": schema.title,
        "language": "",
        "tags": tags,
        "create_tag": False,
    }
    return {"tagset.json": json.dumps(tagset, ensure_ascii=False, indent=1) + "\n"}

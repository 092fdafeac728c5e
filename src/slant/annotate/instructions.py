"""What an annotator is told: the two passes, the ratings, and the tool's own steps."""

from __future__ import annotations

from typing import Final

from slant.data.schemas import Schema

_RETURN: Final = "Put it beside this file as `annotations{ending}`, in place of the one here."
_STEPS: Final = {
    "brat": """
- Copy the folder `annotations` into brat's data folder; its configuration is inside.
- Select a passage and choose its bias; set `Confidence` in the same window.
- Join the passages of one trigger by the relation `SameTrigger`: passages that are joined are
  those that have the same number.
- When done, copy the `.ann` files back here. Never edit the `.txt` files.""",
    "label-studio": """
- Make a project, paste `labelling.xml` as its labelling interface, import `annotations.json`.
- Choose a bias, select the passage, and rate it by its stars while it is selected.
- Join the passages of one trigger by a relation: passages that are joined are those that have the
  same number. Notes go into the region's meta text.
- The first pass may be ticked there instead of in the sheet.
- Export as JSON. """
    + _RETURN.format(ending=".json"),
    "doccano": """
- Make a project for sequence labelling with relations; import `labels.json` as span types,
  `relations.json` as relation types, and `annotations.jsonl` as data.
- Join the passages of one trigger by a relation: passages that are joined are those that have the
  same number.
- doccano has no rating, so that every trigger comes back unrated; say so to whoever merges.
- Export as JSONL. """
    + _RETURN.format(ending=".jsonl"),
    "webanno": """
- Make a project; import `tagset.json` and the files of `annotations` (WebAnno TSV v3).
- Make a span layer of single characters with the features `bias` (with the tag set), `confidence`,
  `note`, and `trigger`: the number of the trigger, the same in all its passages.
- Export as WebAnno TSV v3. Put the files into `annotations`, in place of those here.""",
    "jsonl": """
- Each line of `annotations.jsonl` is an article. Add triggers by hand or by a program, as in
  `{"id": "T1", "bias": "CODE", "spans": [{"start": 0, "end": 10}], "confidence": 3}`.
- The `id` is the number of the trigger; its passages all stand in its `spans`.
- Offsets count characters from 0, end exclusive.""",
}


def instructions(annotator: str, schema: Schema, tool: str, articles: int) -> str:
    """The README of an annotator's package, in Markdown.

    Args:
        annotator: the name.
        schema: of the biases.
        tool: a name of `slant.annotate.toolconfigs.TOOLS`.
        articles: how many there are.
    """
    rules = "\n".join(f"- {rule}" for rule in schema.rules)
    own = f"\n\n## The rules of {schema.title}\n\n{rules}" if rules else ""
    return f"""# Annotation: {annotator}

{articles} articles, {len(schema.biases)} biases ({schema.title}, version {schema.version}). Read
`codebook.html` first. Work alone: do not speak about the articles with the other annotator before
both are done, and do not look at labels that others gave them.

Take the articles in the order of `first-pass.csv`. Each annotator has another order, so that
tiredness does not fall on the same articles.

## First pass: the whole article

Read the article to its end. Then write 1 in `first-pass.csv` for each bias that is anywhere in it,
0 for each that is not. Judge what the words offer to a reader, not what the author may have meant.

## Second pass: the passages

For each bias that you ticked, mark every trigger:

- Mark the shortest passage without which the trigger would be gone, not the sentence around it.
- A trigger with several passages, such as a claim and its repetitions, is one trigger: join them.
- A passage may be a trigger of two biases: mark it once for each.
- Rate your confidence: 3 high, 2 moderate, 1 low. Where you suspect a trigger, mark it with 1
  rather than leave it out: what only one of you marked with 1 or 2 goes to a third person, and what
  nobody marked is lost.
- If the second pass changes your mind, correct the first.{own}

## In {tool}
{_STEPS[tool]}

When done, send this folder back as it is.
"""

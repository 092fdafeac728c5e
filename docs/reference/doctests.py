"""For the site: examples become blocks of code, wherever in a docstring they stand."""

from __future__ import annotations

from typing import Any

from griffe import Extension, Object


class FencedExamples(Extension):
    """Puts a fence around each run of lines that begins with `>>>`, up to a blank line."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called for each documented object."""
        if obj.docstring and ">>>" in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with fences around its examples; of a blank line before and after."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        begins = line.lstrip().startswith(">>>")
        if begins and not inside:
            lines += ["", "```python"]
        if inside and not line.strip():
            lines.append("```")
        inside = begins or (inside and bool(line.strip()))
        lines.append(line.strip() if begins else line)
    return "\n".join([*lines, "```"] if inside else lines)

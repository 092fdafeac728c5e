"""A table as HTML, Markdown, LaTeX and CSV, each from the same object."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

from markupsafe import Markup, escape

from slant.data.formulas import disarmed
from slant.report.escaping import latex_escaped, markdown_escaped, one_line
from slant.report.tables import (
    Cell,
    Row,
    Table,
    aside,
    cell_interval,
    cell_text,
    footnotes,
    numeric_columns,
)

_DEVIATIONS = ("spread", "within")
_HTML_WEIGHTS = {
    "grey": Markup('<span class="grey">{}</span>'),
    "bold": Markup("<strong>{}</strong>"),
}
_LATEX_WEIGHTS = {"grey": r"\textcolor{gray}{%s}", "bold": r"\textbf{%s}"}


def unbroken(sentence: str) -> Markup:
    """A sentence for the page in which no interval is broken over two lines.

    >>> str(unbroken("a < 0.1 [0.0, 0.2]"))
    'a &lt; <span class="whole">0.1 [0.0, 0.2]</span>'
    """
    return Markup(
        re.sub(r"\S+ \[[^\]]*\]", r'<span class="whole">\g<0></span>', str(escape(sentence)))
    )


def table_html(table: Table) -> Markup:
    """The table for the page: caption, scopes, footnotes, in a box that scrolls sideways."""
    table = _unsectioned(table)
    notes, numeric = footnotes(table), numeric_columns(table)

    def shown(cell: Cell) -> Markup:
        plain = Markup("<bdi>{}</bdi>" if cell.kind == "text" else "{}").format(cell_text(cell))
        if cell.link:
            plain = Markup('<a href="{}">{}</a>').format(cell.link, plain)
        parts = [_HTML_WEIGHTS.get(cell.weight, Markup("{}")).format(plain)]
        if small := aside(cell):
            kind = "mark" if cell.mark else "spread"
            parts.append(Markup(' <span class="{}">{}</span>').format(kind, small))
        if cell.note:
            number = notes[cell.note]
            parts.append(
                Markup('<sup><a href="#{}-note-{}" title="{}">{}</a></sup>').format(
                    table.name, number, cell.note, number
                )
            )
        if ends := cell_interval(cell):
            parts.append(Markup(' <span class="interval">{}</span>').format(ends))
        return Markup("").join(parts)

    lines = [
        Markup(
            '<div class="table" id="table-{0}">\n<div class="scroll" role="region" tabindex="0"'
            ' aria-labelledby="caption-{0}">\n<table>\n'
            '<caption><span id="caption-{0}">{1}</span></caption>\n<thead><tr>'
        ).format(table.name, table.caption)
    ]
    for heading, right in zip(table.head, numeric, strict=True):
        lines.append(
            Markup('<th scope="col"{}>{}</th>').format(
                Markup(' class="number"') if right else "",
                Markup("/<wbr>").join(heading.split("/")),
            )
        )
    lines.append(Markup("</tr></thead>"))
    section: str | None = None
    for row in table.rows:
        if section is None or row.section != section:
            lines.append(Markup("</tbody>\n<tbody>" if section is not None else "\n<tbody>"))
            section = row.section
            if section:
                lines.append(
                    Markup(
                        '\n<tr class="section"><th scope="rowgroup" colspan="{}">'
                        "<span>{}</span></th></tr>"
                    ).format(len(table.head), section)
                )
        lines.append(Markup('\n<tr class="control">' if row.control else "\n<tr>"))
        for i, (cell, right) in enumerate(zip(row.cells, numeric, strict=True)):
            kind = "number" if right else "long" if len(cell_text(cell)) > 18 else "short"
            if i == 0:
                lines.append(Markup('<th scope="row">{}</th>').format(shown(cell)))
            else:
                lines.append(Markup('<td class="{}">{}</td>').format(kind, shown(cell)))
        lines.append(Markup("</tr>"))
    lines.append(Markup("</tbody>\n</table>\n</div>"))
    if notes:
        lines.append(Markup('\n<ol class="footnotes">'))
        for note, number in notes.items():
            lines.append(Markup('<li id="{}-note-{}">{}</li>').format(table.name, number, note))
        lines.append(Markup("</ol>"))
    for text in table.notes:
        lines.append(Markup('\n<p class="note">{}</p>').format(text))
    if table.signature:
        lines.append(
            Markup('\n<p class="signature"><code>{}</code></p>').format(
                Markup("|<wbr>").join(table.signature.split("|"))
            )
        )
    lines.append(Markup("\n</div>"))
    return Markup("").join(lines)


def _flat(table: Table) -> tuple[list[str], list[list[Cell]]]:
    if not table.section:
        return list(table.head), [list(row.cells) for row in table.rows]
    return (
        [table.section, *table.head],
        [[Cell(row.section), *row.cells] for row in table.rows],
    )


def _unsectioned(table: Table) -> Table:
    # A heading over every single row is noise: then the section is a column.
    if len({row.section for row in table.rows}) < len(table.rows):
        return table
    head, rows = _flat(table)
    plain = tuple(
        Row(tuple(cells), control=row.control) for cells, row in zip(rows, table.rows, strict=True)
    )
    return replace(table, head=tuple(head), rows=plain, section="")


def table_markdown(table: Table) -> str:
    """The table as a Markdown pipe table, rounded, with its caption, footnotes and notes."""
    notes = footnotes(table)
    head, rows = _flat(table)
    numeric = [any(row[i].kind != "text" for row in rows) for i in range(len(head))]

    def shown(cell: Cell) -> str:
        value = markdown_escaped(cell_text(cell))
        if cell.weight == "bold":
            value = f"**{value}**"
        parts = [value, cell_interval(cell), markdown_escaped(aside(cell))]
        text = " ".join(part for part in parts if part)
        return f"{text} ({notes[cell.note]})" if cell.note else text

    lines = [f"**{markdown_escaped(table.caption)}**", ""]
    lines.append("| " + " | ".join(markdown_escaped(heading) for heading in head) + " |")
    lines.append("| " + " | ".join("---:" if right else "---" for right in numeric) + " |")
    lines += ["| " + " | ".join(shown(cell) for cell in row) + " |" for row in rows]
    lines += ["", *(f"({n}) {markdown_escaped(note)}  " for note, n in notes.items())]
    lines += [f"{markdown_escaped(note)}  " for note in table.notes]
    if table.signature:
        lines += ["", f"Signature: {markdown_escaped(table.signature)}"]
    return "\n".join(lines).rstrip() + "\n"


def table_latex(table: Table) -> str:
    """The table as a LaTeX table environment; needs the package booktabs."""
    table = _unsectioned(table)
    notes, numeric = footnotes(table), numeric_columns(table)

    def shown(cell: Cell) -> str:
        text = _LATEX_WEIGHTS.get(cell.weight, "%s") % latex_escaped(cell_text(cell))
        if small := aside(cell):
            text += (
                rf" \textit{{{latex_escaped(small)}}}" if cell.mark else f" {latex_escaped(small)}"
            )
        if cell.note:
            text += rf"\textsuperscript{{{notes[cell.note]}}}"
        ends = latex_escaped(cell_interval(cell))
        return rf"{text} {{\scriptsize {ends}}}" if ends else text

    grey = any(cell.weight == "grey" for row in table.rows for cell in row.cells)
    columns = "".join("r" if right else "l" for right in numeric)
    lines = [
        f"% \\usepackage{{booktabs{',xcolor' if grey else ''}}}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_escaped(table.caption)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(latex_escaped(heading) for heading in table.head) + r" \\",
    ]
    section: str | None = None
    for row in table.rows:
        if section is None or row.section != section:
            section = row.section
            lines.append(r"\midrule")
            if section:
                heading = rf"\textbf{{{latex_escaped(section)}}}"
                lines.append(rf"\multicolumn{{{len(table.head)}}}{{l}}{{{heading}}} \\")
        line = " & ".join(shown(cell) for cell in row.cells) + r" \\"
        # LaTeX would take a bracket or a star here for an argument of the row end before it.
        lines.append("{}" + line if line.startswith(("[", "*")) else line)
    lines += [r"\bottomrule", r"\end{tabular}"]
    for note, number in notes.items():
        lines.append(rf"\par\footnotesize\textsuperscript{{{number}}} {latex_escaped(note)}")
    lines += [rf"\par\footnotesize {latex_escaped(note)}" for note in table.notes]
    if table.signature:
        parts = r"\textbar\allowbreak{}".join(map(latex_escaped, table.signature.split("|")))
        lines.append(rf"\par\scriptsize\texttt{{{parts}}}")
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def table_csv(table: Table) -> str:
    """The table as CSV, unrounded; intervals and notes have columns of their own.

    An undefined value is an empty field; a text that a spreadsheet would compute has a ' before it.
    """
    head, rows = _flat(table)
    names: list[str] = []
    for i, heading in enumerate(head):
        names.append(heading)
        if any(row[i].low is not None for row in rows):
            names += [f"{heading} low", f"{heading} high"]
        names += [f"{heading} {what}" for what in _DEVIATIONS if _any(rows, i, what)]
        if any(row[i].note or row[i].mark for row in rows):
            names.append(f"{heading} note")
    if table.signature:
        names.append("signature")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([disarmed(one_line(name)) for name in names])
    for row in rows:
        fields: list[str] = []
        for i, cell in enumerate(row):
            text = isinstance(cell.value, str)
            fields.append(disarmed(one_line(str(cell.value))) if text else _field(cell.value))
            if f"{head[i]} low" in names:
                fields += [_field(cell.low), _field(cell.high)]
            for what in _DEVIATIONS:
                if f"{head[i]} {what}" in names:
                    fields.append(_field(getattr(cell, what)))
            if f"{head[i]} note" in names:
                parts = (cell.mark, one_line(cell.note))
                fields.append(disarmed("; ".join(part for part in parts if part)))
        writer.writerow([*fields, table.signature] if table.signature else fields)
    return out.getvalue()


def _any(rows: list[list[Cell]], i: int, what: str) -> bool:
    return any(getattr(row[i], what) is not None for row in rows)


def _field(value: str | int | float | None) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)

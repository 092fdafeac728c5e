"""Text in which no character means anything to LaTeX or Markdown, or harms a file."""

from __future__ import annotations

import re

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "λ": r"$\lambda$",
}
_BIDI = "\u202a-\u202e\u2066-\u2069"


def visible(text: str) -> str:
    """Text in which nothing is invisible and harmful to a file: control characters become their
    pictures (U+2400 and on), lone surrogates U+FFFD; line ends and tabs stay.

    >>> visible("a\\x00b\\n"), visible("\\ud800") == "\\ufffd"
    ('a␀b\\n', True)
    """
    if text.isprintable():
        return text
    text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", lambda m: chr(0x2400 + ord(m[0])), text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x7f", "\u2421")
    return re.sub("[\x80-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)


def one_line(text: str) -> str:
    """Visible text as one line without direction controls.

    >>> one_line("a\\n  b")
    'a b'
    """
    # An unclosed direction override in a name would turn round the rest of the file's line.
    return " ".join(re.sub(f"[{_BIDI}]", "", visible(text)).split())


def latex_escaped(text: str) -> str:
    """Text in which no character means anything to LaTeX.

    >>> latex_escaped("50% of $x_1")
    '50\\\\% of \\\\$x\\\\_1'
    """
    return "".join(_LATEX.get(character, character) for character in one_line(text))


def markdown_escaped(text: str) -> str:
    """Text in which no character means anything to Markdown or to its HTML.

    >>> markdown_escaped("a|b *c*")
    'a\\\\|b \\\\*c\\\\*'
    """
    return re.sub(r"([\\`*_{}\[\]<>|#~$&])", r"\\\1", one_line(text))

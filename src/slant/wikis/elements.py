"""The elements and namespaces of wikitext, by what is left of them in running text."""

from __future__ import annotations

HIDDEN = frozenset(
    {"file", "image", "category", "datei", "bild", "kategorie", "fichier", "catégorie",
     "archivo", "imagen", "categoría", "immagine", "categoria", "bestand", "afbeelding",
     "categorie", "arquivo", "imagem", "plik", "grafika", "kategoria", "файл", "изображение",
     "категория", "fil", "kategori", "tiedosto", "luokka", "ficheiro", "soubor", "fájl",
     "kategória", "dosya"}
)  # fmt: skip
"""Namespaces, lower case, whose links show no text: files and categories, in several languages."""
RAW = frozenset(
    {"ref", "references", "math", "chem", "ce", "score", "hiero", "includeonly",
     "templatestyles", "templatedata", "indicator", "script", "style", "rt", "rp"}
)  # fmt: skip
RAW_BLOCKS = frozenset(
    [
        "pre",
        "gallery",
        "syntaxhighlight",
        "source",
        "timeline",
        "imagemap",
        "graph",
        "mapframe",
        "maplink",
        "inputbox",
        "categorytree",
    ]
)
"""Elements that end at the next closing tag whatever they hold, dropped with it."""
NESTED = frozenset(["table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "figure"])
"""Elements that may hold their like, dropped with what they hold."""
PARTS = frozenset(["center", "li", "tr", "td", "th", "dd", "dt", "caption", "tbody", "thead"])
BREAKS = frozenset(["p", "blockquote", "poem", "hr"])
INLINE = frozenset(
    {"b", "i", "u", "s", "em", "strong", "small", "big", "sub", "sup", "code", "tt", "span",
     "font", "abbr", "cite", "q", "del", "ins", "strike", "var", "kbd", "samp", "dfn", "mark",
     "bdi", "bdo", "ruby", "rb", "rbc", "rtc", "data", "time", "wbr", "nowiki", "noinclude",
     "onlyinclude", "section", "a", "nowrap", "noscript", "img", "link", "meta"}
)  # fmt: skip

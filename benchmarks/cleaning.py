"""Pages a second from HTML and from wikitext to running text, and memory over the pages of a dump.

    SLANT_DATA=DIR python benchmarks/cleaning.py [--pages FOLDER] [--few 1000] [--many 100000]

Real pages: the articles of the data's excerpt of Wikipedia, rendered by a real MediaWiki, which
tests/wikis/mediawiki.sh starts (PHP and MediaWiki must be installed). `--pages FOLDER` keeps what
it rendered, or takes what an earlier run kept there. The excerpt has no templates: links to missing
ones are taken out of the HTML before anybody reads it.

`page_text` against trafilatura (the faster of its default and its fast mode), `markup_text` against
mwparserfromhell's strip_code, in processor seconds, all in one run on the same pages. Then
precision and recall of paragraph text. The gold is made by lxml from the HTML and shares no code
with ours: the `p` elements that are children of the page or of its block quotations, without
reference marks, maths and messages of the Cite extension. What is compared are runs of three words,
each as often as it comes: single words, printed too, match by chance what stands in captions and
lists. Wikitext has the same gold, so that neither side can win what only MediaWiki adds.

Memory: the highest resident set of a process that reads a made dump of few and of many pages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from ratios import say_ratio

DUMP = "weat/corpora/enwiki-shortened.xml.bz2"
SCRIPT = Path(__file__).parents[1] / "tests" / "wikis" / "mediawiki.sh"
LEAST_RATIO = 10
MISSING = re.compile(
    r'<a href="[^"]*" class="new" title="(Template:[^"]*) \(page does not exist\)">([^<]*)</a>'
)
MATHS = re.compile(r"<math\b.*?</math>", re.DOTALL)
WORD = re.compile(r"\w+")
RUN = 3


def rendered(folder: Path, port: int) -> None:
    """Render all articles of the excerpt into a folder, one JSON file each."""
    dump = Path(os.environ["SLANT_DATA"]) / DUMP
    opener = build_opener(ProxyHandler({}))
    with (
        tempfile.TemporaryDirectory() as home,
        subprocess.Popen(
            [SCRIPT, home, dump, str(port)], stdout=subprocess.PIPE, text=True
        ) as wiki,
    ):
        assert wiki.stdout is not None
        url = wiki.stdout.readline().strip()
        if not url:
            raise SystemExit("no MediaWiki is installed: tests/wikis/mediawiki.sh says how")

        def asked(**what: object) -> Any:
            query = urlencode({"format": "json", "formatversion": 2, **what})
            with opener.open(f"{url}/api.php?{query}", timeout=600) as answer:
                return json.load(answer)

        try:
            listed = asked(
                action="query", list="allpages", apfilterredir="nonredirects", aplimit="max"
            )["query"]["allpages"]
            for number, one in enumerate(listed, start=1):
                page = asked(
                    action="parse", pageid=one["pageid"], prop="text|wikitext",
                    disableeditsection=1, disabletoc=1, disablelimitreport=1,
                )["parse"]  # fmt: skip
                (folder / f"{one['pageid']}.json").write_text(json.dumps(page))
                print(f"\r  rendered {number} of {len(listed)}", end="", file=sys.stderr)
        finally:
            wiki.terminate()
    print(file=sys.stderr)


def gold(html: str) -> str:
    """The paragraphs of a page, by XPath."""
    from lxml import html as parser

    root = parser.fromstring(html)
    beside = ('//sup[@class="reference"]', '//*[starts-with(@class, "mwe-math")]',
              '//*[contains(@class, "mw-ext-cite-error")]')  # fmt: skip
    for path in beside:
        for element in root.xpath(path):
            element.drop_tree()
    page = '//div[@class="mw-parser-output"]'
    paragraphs = root.xpath(f"{page}/p | {page}/blockquote/p")
    return "\n\n".join(MATHS.sub("", one.text_content()) for one in paragraphs)


def runs(text: str, length: int) -> Counter[tuple[str, ...]]:
    """How often each run of so many words comes in a text."""
    words = WORD.findall(text.lower())
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))


def agreement(texts: Sequence[str], golds: Sequence[str], length: int) -> tuple[float, float]:
    """Precision and recall of runs of words, over all pages together."""
    common = given = right = 0
    for text, true in zip(texts, golds, strict=True):
        one, other = runs(text, length), runs(true, length)
        common += (one & other).total()
        given += one.total()
        right += other.total()
    return common / given, common / right


def timed(clean: Callable[[str], str], pages: Sequence[str]) -> tuple[list[str], float]:
    """What a cleaner makes of all pages, and the processor seconds it took."""
    start = time.process_time()
    texts = [clean(page) for page in pages]
    return texts, time.process_time() - start


def compared(
    ours: tuple[str, Callable[[str], str]],
    peers: dict[str, Callable[[str], str]],
    pages: Sequence[str],
    golds: Sequence[str],
) -> list[str]:
    """Print one table; the marks that were missed."""
    name, clean = ours
    # Twice, best counts: a peer takes minutes and meets slow and fast moments of the machine alike.
    best = min((timed(clean, pages) for _ in range(2)), key=lambda one: one[1])
    own = agreement(best[0], golds, RUN)
    rows = [(name, best, own)]
    missed = []
    for peer, its in peers.items():
        result = timed(its, pages)
        scores = agreement(result[0], golds, RUN)
        rows.append((peer, result, scores))
        say_ratio(f"pages to text, {name}", result[1] / best[1], peer, LEAST_RATIO)
        if result[1] < LEAST_RATIO * best[1]:
            missed.append(f"{name}: less than {LEAST_RATIO} times the pages of {peer}")
        if own[0] <= scores[0] or own[1] <= scores[1]:
            missed.append(f"{name}: no higher precision and recall than {peer}")
    for what, (texts, seconds), (precision, recall) in rows:
        words = agreement(texts, golds, 1)
        print(f"  {what}: {len(pages) / seconds:.1f} pages/s, {seconds / best[1]:.1f} times ours; "
              f"precision {precision:.4f}, recall {recall:.4f} "
              f"(single words {words[0]:.4f}, {words[1]:.4f})", flush=True)  # fmt: skip
    return missed


def made(path: Path, pages: int) -> None:
    """Write a dump of so many pages with about 3,000 characters each."""
    draw = random.Random(1)
    words = [f"word{number}" for number in range(2000)]
    with gzip.open(path, "wt", compresslevel=1) as out:
        out.write('<mediawiki version="0.11"><siteinfo><sitename>Made</sitename></siteinfo>\n')
        for number in range(1, pages + 1):
            text = " ".join(draw.choices(words, k=420))
            out.write(f"<page><title>P{number}</title><ns>0</ns><id>{number}</id><revision>"
                      f"<id>{number}</id><text>{{{{B|a=b}}}} '''P''' [[a|b]] {text}.\n\n* c</text>"
                      "</revision></page>\n")  # fmt: skip
        out.write("</mediawiki>\n")


def peak(dump: Path, sampled: bool) -> float:
    """The highest resident megabytes of a process that extracts a dump."""
    command = [sys.executable, __file__, "--dump", str(dump), *(["--sampled"] if sampled else [])]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(told.split()[-1]) / 1024


def memory(few: int, many: int) -> list[str]:
    """Print the memory over few and many pages; the marks that were missed."""
    missed = []
    with tempfile.TemporaryDirectory() as name:
        for pages in (few, many):
            made(Path(name) / f"{pages}.xml.gz", pages)
        for sampled in (False, True):
            what = "a sample of a tenth" if sampled else "all pages"
            small, large = (peak(Path(name) / f"{n}.xml.gz", sampled) for n in (few, many))
            print(f"  {what}: {few:,} pages {small:.0f} MB, {many:,} pages {large:.0f} MB",
                  flush=True)  # fmt: skip
            say_ratio(
                f"memory of a dump, {what}, {many:,} pages",
                large / small,
                f"{few:,} pages",
                most=1.2,
            )
            if large > 1.2 * small:
                missed.append(f"memory is not flat over pages ({what})")
    return missed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--port", type=int, default=8791)
    parser.add_argument("--few", type=int, default=1000)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--dump", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--sampled", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    from slant.wikis.extraction import extract
    from slant.wikis.markup import markup_text
    from slant.wikis.paragraphs import page_text

    if asked.dump:
        size = int(asked.dump.name.split(".")[0]) // 10 if asked.sampled else None
        extract(asked.dump, asked.dump.with_suffix(".parquet"), sample_size=size)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return
    missed = memory(asked.few, asked.many)
    if "SLANT_DATA" not in os.environ and asked.pages is None:
        raise SystemExit("SLANT_DATA is not set: no real pages, nothing is compared")
    import mwparserfromhell
    import trafilatura

    with tempfile.TemporaryDirectory() as name:
        folder = asked.pages or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        if not list(folder.glob("*.json")):
            rendered(folder, asked.port)
        pages = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    if "parse" in pages[0]:
        pages = [page["parse"] for page in pages]
    html = [MISSING.sub(lambda link: link[2].removeprefix(link[1]), page["text"]) for page in pages]
    wikitext = [page["wikitext"] for page in pages]
    golds = [gold(page) for page in html]

    def trafilatura_text(page: str, fast: bool = False) -> str:
        return (
            trafilatura.extract(page, include_tables=False, include_comments=False, fast=fast) or ""
        )

    print(f"HTML of {len(pages)} pages")
    missed += compared(
        ("page_text", page_text),
        {"trafilatura": trafilatura_text,
         "trafilatura, fast": lambda page: trafilatura_text(page, True)},
        html, golds,
    )  # fmt: skip
    print("Wikitext of the same pages")
    missed += compared(
        ("markup_text", markup_text),
        {"mwparserfromhell": lambda page: str(mwparserfromhell.parse(page).strip_code())},
        wikitext, golds,
    )  # fmt: skip
    if missed:
        raise SystemExit("; ".join(missed))


if __name__ == "__main__":
    main()

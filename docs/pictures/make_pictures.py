"""Write the picture of the README: the page that `slant analyze` makes of an embedded article.

python docs/pictures/make_pictures.py        (needs Chromium and Pillow)
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from slant.cli import main
from slant.data.baitsamples import load_bait_samples

HERE = Path(__file__).parent
ARTICLE, SENTENCE = "n27", "s7"
SIZE = (1120, 1010)
COLOURS = 64


def page(folder: Path) -> Path:
    """The page of the article, with the evidence of one sentence open."""
    texts = {one.item.id: one.item.text for one in load_bait_samples()}
    (folder / "ferry-street.txt").write_text(texts[ARTICLE], "utf-8")
    try:
        main(["analyze", str(folder / "ferry-street.txt"), "-o", str(folder / "report"), "-q"])
    except SystemExit as ended:
        if ended.code:
            raise
    path = folder / "report" / "report.html"
    event = "new MouseEvent('mouseover', {bubbles: true})"
    opened = f"<script>document.getElementById('{SENTENCE}').dispatchEvent({event})</script>"
    # The page's own policy lets no script in but its own.
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", path.read_text("utf-8"))
    path.write_text(text.replace("</body>", opened + "</body>"), "utf-8")
    return path


def photograph(address: str, path: Path) -> None:
    """A screenshot in few colours."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or "google-chrome"
    size = f"--window-size={SIZE[0]},{SIZE[1]}"
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", size)
    subprocess.run([chromium, *flags, f"--screenshot={path}", address], check=True, timeout=120)
    with Image.open(path) as taken:
        taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        photograph(page(Path(folder)).as_uri(), HERE / "article.png")

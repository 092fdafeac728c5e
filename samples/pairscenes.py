"""The drawn scenes of `open/pairs`; crop, light, faces and captions are what is given."""

from __future__ import annotations

from pairsheet import HEIGHT, INK, PAPER, SAND, WIDTH, Sheet
from PIL import Image

COATS = ["#4a6b8a", "#8a5a4a", "#5d7a57", "#6d5b85", "#94833f", "#3f7d7a"]
SKINS = ["#e8c39e", "#8d5a3b", "#c98f62", "#f0d3b5"]
DARK, WOOD, STONE = "#241a1a", "#6b4f33", "#a8957a"


def _person(sheet: Sheet, x: float, y: float, size: float, coat: str, *, skin: str) -> None:
    sheet.box(x - size * 0.32, y - size, x + size * 0.32, y + size * 0.6, coat, radius=size * 0.25)
    sheet.disc(x, y - size * 1.3, size * 0.3, skin)


def _passer(sheet: Sheet, x: float, y: float, size: float, pick: int) -> None:
    _person(sheet, x, y, size, COATS[pick % 6], skin=SKINS[pick % 4])


def hall(caption: str, shift: int) -> Image.Image:
    """A meeting: a speaker at a desk and four rows of listeners; `shift` reseats them."""
    sheet = Sheet("#efe7da")
    sheet.box(0, 0, WIDTH, 120, "#d8cbb4")
    for x in (70, 210, 430, 570):
        sheet.box(x - 28, 24, x + 28, 96, "#bcd3e0", radius=4)
    _person(sheet, 320, 136, 34, COATS[3], skin=SKINS[1])
    sheet.box(240, 150, 400, 184, "#8b6f4e")
    for row in range(4):
        for seat in range(11):
            if (row * 5 + seat * 3 + shift) % 8 == 0:
                continue
            x = 50 + seat * 54 + (row % 2) * 20
            _passer(sheet, x, 240 + row * 38, 22 + row * 2, row * 7 + seat * 5 + shift)
    sheet.caption(caption)
    return sheet.finished()


def _placard(sheet: Sheet, x: float, y: float, size: float, words: str) -> None:
    half = sheet.width_of(words, 15) / 2 + 8
    sheet.path([(x, y), (x, y + size)], WOOD, 3)
    sheet.box(x - half, y - 13, x + half, y + 13, PAPER, radius=2)
    sheet.text(x, y, words, 15, INK, at="mm")


def protest(close: bool, caption: str) -> Image.Image:
    """Students before a university: from afar with the square, or cut to a few dark backs."""
    sheet = Sheet("#5a1f1a" if close else "#cfe1ea")
    if close:
        sheet.box(0, 70, WIDTH, HEIGHT, "#7d2a22")
        for bar in range(17):
            sheet.box(bar * 40, 40, bar * 40 + 8, 250, "#1d1412")
        sheet.box(0, 60, WIDTH, 72, "#1d1412")
        for place in range(6):
            x, y = 40 + place * 116, 280 + (place % 2) * 26
            _person(sheet, x, y, 92, DARK, skin="#3a2a26")
            sheet.box(x + 30, y - 180, x + 48, y - 60, DARK, radius=8)
            sheet.disc(x + 39, y - 184, 15, "#3a2a26")
    else:
        sheet.box(0, 210, WIDTH, HEIGHT, "#b7c4a4")
        sheet.box(120, 80, 520, 220, SAND)
        sheet.shape([(110, 80), (530, 80), (320, 30)], STONE)
        for column in range(7):
            sheet.box(142 + column * 57, 92, 156 + column * 57, 206, PAPER)
        sheet.box(296, 140, 344, 220, WOOD)
        for row in range(3):
            for place in range(13):
                x, y = 70 + place * 42 + (row % 2) * 16, 262 + row * 34
                _passer(sheet, x, y, 17 + row * 2, row * 5 + place * 7)
        for x, words in ((150, "FEES"), (330, "TALK TO US"), (500, "NO RISE")):
            _placard(sheet, x, 230, 58, words)
    sheet.caption(caption)
    return sheet.finished()


def _speaker(sheet: Sheet, x: float, y: float, size: float, coat: str) -> None:
    _person(sheet, x, y, size, coat, skin=SKINS[0])
    sheet.box(x - size * 0.6, y - size * 0.3, x + size * 0.6, y + size * 0.7, WOOD)


def rally(close: bool, caption: str) -> Image.Image:
    """A speech on a square: the whole of it with free ground, or cut to a wall of heads."""
    sheet = Sheet("#c9dcea" if close else "#39435a")
    if close:
        sheet.box(0, 0, WIDTH, 110, "#9fc0d8")
        for place in range(5):
            sheet.box(40 + place * 130, 14, 150 + place * 130, 62, "#d9a441")
            sheet.text(95 + place * 130, 38, "FORWARD", 18, INK, at="mm")
        _speaker(sheet, 320, 120, 46, COATS[1])
        for row in range(3):
            for place in range(13):
                x = place * 53 + (row % 2) * 20
                _passer(sheet, x, 226 + row * 56, 42 + row * 8, row * 7 + place * 5)
    else:
        for place in range(6):
            x = 10 + place * 106
            sheet.box(x, 20 + (place * 37) % 40, x + 98, 150, ("#5a5560", "#4d4a58")[place % 2])
        sheet.box(0, 150, WIDTH, HEIGHT, "#4a4d55")
        sheet.box(250, 96, 390, 128, "#d9a441")
        sheet.text(320, 112, "FORWARD", 17, INK, at="mm")
        _speaker(sheet, 320, 174, 22, COATS[1])
        for row in range(3):
            for place in range(12):
                x = 206 + place * 20 + (row % 2) * 8
                _passer(sheet, x, 222 + row * 22, 13, row * 7 + place * 5)
        for place, (x, y) in enumerate(((60, 310), (540, 320), (486, 240), (120, 236))):
            _passer(sheet, x, y, 17, place * 3 + 2)
    sheet.caption(caption)
    return sheet.finished()


_GROUNDS = {"day": "#b9cddb", "red": "#6e211b", "stage": "#2a2d3a", "office": "#8fa3a0"}


_CURTAINS = {"day": "#8b6f4e", "red": "#3f100d", "stage": "#3d4658", "office": "#8b6f4e"}


def portrait(
    mood: str, light: str, caption: str, *, coat: int = 0, hair: str = "#5b4636"
) -> Image.Image:
    """A face behind microphones; moods: plain, speaking, angry, smug."""
    sheet = Sheet(_GROUNDS[light])
    skin = "#e2b48f" if light != "red" else "#d08a68"
    for x in (60, 560):
        sheet.box(x - 34, 30, x + 34, 250, _CURTAINS[light], radius=6)
    sheet.box(150, 280, 490, 420, COATS[coat], radius=60)
    sheet.shape([(286, 284), (354, 284), (320, 350)], PAPER)
    sheet.box(286, 230, 354, 300, skin, radius=16)
    sheet.oval(228, 40, 412, 270, hair)
    sheet.oval(236, 66, 404, 280, skin)
    for side in (-1, 1):
        x = 320 + side * 40
        sheet.oval(x - 15, 142, x + 15, 162, PAPER)
        sheet.disc(x, 152, 8, INK)
        inner, outer = {
            "plain": (128, 128),
            "speaking": (125, 127),
            "angry": (146, 120),
            "smug": (124, 112 if side > 0 else 130),
        }[mood]
        sheet.path([(320 + side * 18, inner), (320 + side * 62, outer)], hair, 7)
    sheet.path([(320, 160), (312, 200), (326, 202)], "#b5835f", 4)
    if mood == "plain":
        sheet.path([(290, 236), (350, 236)], "#8a3b32", 5)
    elif mood == "speaking":
        sheet.oval(292, 228, 348, 244, "#6e2a25")
        sheet.box(300, 230, 340, 234, PAPER)
    elif mood == "angry":
        sheet.box(280, 222, 360, 260, "#4a1512", radius=14)
        sheet.box(288, 224, 352, 234, PAPER)
        for x in (306, 334):
            sheet.path([(x, 110), (x + 4, 132)], "#9a5b40", 3)
    else:
        sheet.bow((276, 196, 372, 250), 20, 120, "#8a3b32", 6)
    for x in (250, 390):
        sheet.path([(x, 372), (x + (320 - x) * 0.3, 310)], INK, 7)
        sheet.disc(x + (320 - x) * 0.3, 306, 14, INK)
    sheet.caption(caption)
    return sheet.finished()


def platform(alone: bool, caption: str) -> Image.Image:
    """A small station: one bent figure in the rain at night, or a morning with travellers."""
    sky, wall, floor = ("#39434f", "#4d5763", "#2c343d") if alone else ("#c7dbe6", SAND, "#9aa3a8")
    sheet = Sheet(sky)
    sheet.box(60, 90, 420, 270, wall)
    sheet.shape([(40, 92), (440, 92), (400, 50), (80, 50)], "#7a4a3a" if not alone else "#2b2320")
    for x in (100, 210, 320):
        sheet.box(x, 130, x + 60, 200, "#1f262d" if alone else "#8db3c9")
    sheet.box(0, 270, WIDTH, 330, floor)
    sheet.box(0, 330, WIDTH, HEIGHT, "#55504a")
    sheet.box(470, 120, 600, 156, PAPER)
    sheet.text(535, 138, "PELLIN", 19, INK, at="mm")
    sheet.path([(480, 156), (480, 270)], WOOD, 5)
    sheet.path([(590, 156), (590, 270)], WOOD, 5)
    sheet.box(150, 246, 260, 256, WOOD)
    if alone:
        _person(sheet, 200, 236, 34, "#5a6068", skin="#b9987c")
        for place in range(60):
            x, y = (place * 83) % 640, (place * place * 13 + place * 29) % 330
            sheet.path([(x, y), (x - 7, y + 22)], "#77838f", 1.5)
    else:
        for place, x in enumerate((40, 120, 190, 290, 360, 430, 520, 610)):
            _passer(sheet, x, 252 + (place % 3) * 8, 30, place * 5)
    sheet.caption(caption)
    return sheet.finished()


def flood(caption: str, shift: int) -> Image.Image:
    """A street under water up to the sills, with a boat; `shift` moves boat and houses."""
    sheet = Sheet("#6b7b88")
    for place in range(6):
        x = 8 + place * 106
        sheet.box(x, 100, x + 92, 300, ("#b98d6b", "#c9b48e", "#9a7f76")[(place + shift) % 3])
        sheet.shape([(x - 6, 100), (x + 98, 100), (x + 46, 44)], "#5d3a31")
        for side in (16, 56):
            sheet.box(x + side, 124, x + side + 22, 156, "#2f3a44")
            sheet.box(x + side, 190, x + side + 22, 222, "#2f3a44")
    sheet.box(0, 214, WIDTH, HEIGHT, "#5c5a48")
    for place in range(34):
        x, y = (place * 97 + shift * 31) % 640, 230 + (place * 29) % 120
        sheet.path([(x, y), (x + 34, y)], "#7d7b66", 2)
    x = 180 + shift * 190
    for place in range(3):
        _passer(sheet, x - 40 + place * 40, 276, 26, place * 5 + shift)
    sheet.shape([(x - 90, 270), (x + 90, 270), (x + 64, 306), (x - 64, 306)], "#c8622d")
    sheet.caption(caption)
    return sheet.finished()


def fire(caption: str, shift: int) -> Image.Image:
    """A warehouse at night in flames, with an engine and its crew; `shift` moves them."""
    sheet = Sheet("#1d2230")
    for place in range(9):
        sheet.disc(120 + place * 54, 50 + (place * 23) % 40, 46, "#343844")
    for place in range(7):
        x, high = 120 + place * 62, 60 + ((place + shift) * 41) % 60
        sheet.shape([(x - 40, 200), (x + 40, 200), (x + 6, 190 - high)], "#d9541e")
        sheet.shape([(x - 22, 200), (x + 22, 200), (x - 2, 196 - high * 0.6)], "#f2b134")
    sheet.box(80, 180, 540, 300, "#4a3d3a")
    for place in range(6):
        sheet.box(104 + place * 74, 204, 144 + place * 74, 250, "#f2b134")
    sheet.box(0, 300, WIDTH, HEIGHT, "#2e2b2b")
    x = 60 + shift * 300
    sheet.box(x, 262, x + 170, 326, "#b5382a", radius=5)
    sheet.box(x + 120, 272, x + 160, 294, "#bcd3e0")
    for wheel in (34, 134):
        sheet.disc(x + wheel, 328, 15, "#111111")
    for place in range(4):
        man = x + 220 + place * 44 if shift == 0 else 130 + place * 50
        _person(sheet, man, 318, 28, "#d0a13a", skin=SKINS[place])
        sheet.oval(man - 11, 268, man + 11, 284, "#e9e2d0")
    sheet.caption(caption)
    return sheet.finished()


def ruins(feast: bool, caption: str) -> Image.Image:
    """A collapsed house and a digger; with `feast` a toast on a podium is set beside it."""
    sheet = Sheet("#c3ccd2" if feast else "#2f3745")
    sheet.box(0, 290, WIDTH, HEIGHT, "#a79a86" if feast else "#5f564b")
    sheet.shape([(30, 300), (30, 120), (80, 150), (96, 90), (130, 190), (176, 300)], "#8f7d70")
    sheet.box(52, 190, 80, 226, "#3a3431")
    for place in range(16):
        x, y = 110 + (place * 53) % 190, 266 + (place * 17) % 46
        sheet.shape([(x, y + 16), (x + 12, y), (x + 34, y + 6), (x + 30, y + 20)], "#7d6d62")
    if feast:
        sheet.box(322, 0, WIDTH, HEIGHT, "#f0d9a0")
        for place in range(14):
            sheet.disc(
                340 + place * 22, 24 + (place % 2) * 14, 8, ("#b5382a", "#2f6f9f")[place % 2]
            )
        sheet.box(322, 280, WIDTH, HEIGHT, "#b5382a")
        for place, x in enumerate((390, 480, 570)):
            _person(sheet, x, 234, 62, "#22303c", skin=SKINS[place])
            sheet.bow((x - 10, 146, x + 10, 164), 20, 160, "#8a2a22", 3)
            sheet.path([(x + 20, 190), (x + 38, 130)], "#22303c", 9)
            sheet.shape([(x + 30, 100), (x + 48, 100), (x + 39, 130)], "#fff4c8")
        sheet.box(318, 0, 326, HEIGHT, PAPER)
    else:
        sheet.box(390, 210, 500, 270, "#d9a441", radius=6)
        sheet.box(410, 170, 460, 214, "#bcd3e0")
        sheet.box(380, 270, 510, 300, "#3a3431", radius=14)
        sheet.path([(400, 224), (340, 150), (290, 250)], "#d9a441", 10)
        for place, x in enumerate((540, 580, 620)):
            _person(sheet, x, 286, 34, COATS[place], skin=SKINS[place])
            sheet.oval(x - 13, 222, x + 13, 240, "#f2d03b")
    sheet.caption(caption)
    return sheet.finished()


def pier(dark: bool, caption: str) -> Image.Image:
    """Arrivals by ship: people with bags who queue at a desk, or a wall of black shapes."""
    sheet = Sheet("#4a4f57" if dark else "#54708c")
    sea, ship = ("#2a2f36", "#101214") if dark else ("#3f5b70", "#d9d4c8")
    sheet.box(0, 170, WIDTH, 260, sea)
    sheet.shape([(60, 150), (560, 150), (500, 230), (120, 230)], ship)
    sheet.box(180, 100, 420, 150, ship)
    for place in range(9):
        sheet.disc(150 + place * 42, 178, 7, "#2f3a44" if not dark else "#c96a3a")
    sheet.box(0, 250, WIDTH, HEIGHT, "#17181b" if dark else "#8a806f")
    if dark:
        for row in range(3):
            for place in range(12):
                x = place * 58 + (row % 2) * 28
                _person(sheet, x, 270 + row * 50, 46 + row * 14, "#0c0d0f", skin="#1c1e21")
    else:
        for place in range(9):
            x = 40 + place * 50
            _passer(sheet, x, 312, 36, place * 5)
            sheet.box(x + 12, 316, x + 30, 338, WOOD, radius=3)
        sheet.box(510, 300, 610, 344, "#8b6f4e")
        _person(sheet, 560, 290, 34, "#22303c", skin=SKINS[3])
        sheet.box(500, 178, 620, 208, PAPER)
        sheet.text(560, 193, "Arrivals", 18, INK, at="mm")
    sheet.caption(caption)
    return sheet.finished()

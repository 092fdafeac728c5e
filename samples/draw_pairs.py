"""Draws the images of the embedded sample `open/pairs`.

    python samples/draw_pairs.py [FOLDER]
    python samples/draw_pairs.py --check [FOLDER]

The first draws, the second draws in memory and says which files of the folder are missing, differ
or are not drawn here (exit status 1). Needs Pillow, which the package itself does not. Everything
is drawn from the numbers below with Pillow's built-in font, without a random generator, so that a
second drawing is the first one to the byte; another release of Pillow may shade letters otherwise.
Each technique has a fair twin that shows the same facts.
"""

from __future__ import annotations

import argparse
import io
import math
from collections.abc import Callable, Mapping
from pathlib import Path

from paircharts import areas, bars, card, icon_rows, icons, lines, pie, stack, two_axes
from pairscenes import fire, flood, hall, pier, platform, portrait, protest, rally, ruins
from pairsheet import BLUE, CLAY, CLEAR, DUSK, GREEN, INK, MOSS, NIGHT, RED, WARM
from PIL import Image

FOLDER = Path(__file__).parents[1] / "src" / "slant" / "data" / "samples" / "images"
Picture = Callable[[], Image.Image]


def _names(words: str) -> list[str]:
    return words.split(", ")


RENTS = {"2023": 968, "2024": 985, "2025": 1007}
RENT = ("Mean rent in Orvane, crowns a month", "housing office of Orvane")
THEFTS = (31, 34, 29, 36, 33, 38, 30, 24, 27, 33)
POLICE = "police of the district of Lowmere"
WIND = ("Homes supplied by wind on Tavish Head", "parish of Tavish")
HIPS = {"2023": 112, "2024": 115, "2025": 119}
HIP = ("Days of waiting for a new hip", "clinics of Brennick")
PUNCTUAL = {"2023": 91.2, "2024": 91.9, "2025": 92.6}
TRAINS = ("Trains on time, percent", "Dunmarra Railway")
JOBLESS = (9.1, 8.6, 8.0, 7.4, 6.9, 6.3, 7.8, 7.0, 6.1, 5.2, 5.4, 5.6)
LAKE = {"level": (312, 305, 298, 290, 296, 288, 281)}
LEAGUE = (22, 21, 23, 22, 24, 23, 22, 21, 20, 21, 22, 23)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DEATHS = {"deaths": (18, 19, 21, 24, 26, 29)}
FUND = {"reserve": (14.2, 13.6, 13.1, 12.3, 11.4, 11.0)}
FEVER = {"cases": (12, 20, 41, 90, 210, 480)}
WEEKS = ("week 1", "2", "3", "4", "5", "6")
FIVE = ("2021", "2022", "2023", "2024", "2025")
SIX = ("2020", *FIVE)
SEVEN = ("2019", *SIX)
INDEX = range(0, 161, 40)
HARN = (
    _names("Alder, Birk, Cray, Dole, Eskar, Fenn, Garth, Holm, Inver, Jarl, Kell, Lunn"),
    (2.1, 2.3, 1.9, 2.2, 2.4, 2.0, 2.6, 2.1, 1.8, 2.2, 2.5, 2.0),
)
DOSES = (
    _names("Aber, Brae, Corrie, Dunn, Ewe, Firth, Glen, Howe, Isle, Jura, Kyle, Loch"),
    (92, 89, 93, 90, 91, 94, 90, 92, 88, 91, 93, 90),
)
WARDS = _names(
    "Abbey, Bridge, Castle, Docks, Eastgate, Ferry, Grove, Heath, Island, Old Port, Park, Quay"
)
NOISE = (60, 85, 70, 95, 110, 80, 130, 90, 45, 320, 75, 100)
NOISE_RATE = (7.5, 8.5, 7.8, 8.6, 8.1, 8.9, 8.7, 8.2, 9.0, 8.0, 7.9, 8.4)
TURNOUT = (61, 54, 66, 48, 57, 63, 52, 69, 58, 46, 64, 55)
POWER = {"Coal": (50, 46, 42), "Gas": (30, 31, 32), "Wind": (20, 26, 34)}
BUDGET = {"Schools": (40, 41, 42), "Roads": (25, 25, 26), "Asylum": (3, 3, 4)}
CRASHES = {"18-29": 190, "30-49": 260, "50-64": 240, "65+": 330}
CRASH_RATE = {"18-29": 7.6, "30-49": 4.2, "50-64": 3.7, "65+": 3.0}
DAIRY = {"Dorrel Dairy": 34, "Farm Union": 37, "Others": 29}
WASTE = {"Paper": 38, "Food": 34, "Plastic": 28}


def _districts(names: list[str], values: tuple[float, ...]) -> dict[str, float]:
    return dict(zip(names, values, strict=True))


def _years(first: int) -> tuple[str, ...]:
    return tuple(str(year) for year in range(first, 2026))


CHARTS: Mapping[str, Picture] = {
    "p01.png": lambda: bars(*RENT, RENTS, range(960, 1011, 10)),
    "p02.png": lambda: bars(RENT[0], f"{RENT[1]}, 2023 to 2025", RENTS, range(0, 1201, 200), WARM),
    "p03.png": lambda: lines(
        "Thefts in Lowmere since 2016", POLICE, _years(2016), {"": THEFTS}, range(0, 41, 10), WARM
    ),
    "p04.png": lambda: lines(
        "Thefts in Lowmere: only one way", POLICE, _years(2023), {"": THEFTS[7:]}, (22, 26, 30, 34)
    ),
    "p05.png": lambda: icons(
        *WIND, [("2024: 14,000 homes", 119), ("2025: 28,000 homes", 238)], "turbine"
    ),
    "p06.png": lambda: icons(
        *WIND,
        [("2024: 14,000 homes", 119), ("2025: 28,000 homes", 119 * math.sqrt(2))],
        "turbine",
    ),
    "p13.png": lambda: bars(*HIP, HIPS, range(110, 121, 2), NIGHT),
    "p14.png": lambda: bars(*HIP, HIPS, range(0, 121, 20), DUSK),
    "p15.png": lambda: bars(
        "Mean mark in reading, of 100",
        "school board of Farrowby",
        {"Harbour": 58, "Northgate": 61, "Mill Lane": 64},
        range(0, 81, 20),
        CLAY,
    ),
    "p16.png": lambda: bars(
        "Reading in Farrowby: mean marks of 100",
        "school board of Farrowby",
        {"Mill Lane": 64, "Northgate": 61, "Harbour": 58},
        range(0, 101, 20),
        MOSS,
    ),
    "p17.png": lambda: bars(*TRAINS, PUNCTUAL, range(0, 101, 20), CLEAR),
    "p18.png": lambda: bars(*TRAINS, PUNCTUAL, (91, 91.5, 92, 92.5, 93), CLEAR),
    "p19.png": lambda: lines(
        "Out of work in Grendle, percent",
        "labour office of Grendle",
        _years(2023),
        {"": JOBLESS[9:]},
        (5, 5.2, 5.4, 5.6),
        MOSS,
    ),
    "p20.png": lambda: lines(
        "Out of work in Grendle, percent",
        "labour office of Grendle",
        _years(2014),
        {"": JOBLESS},
        range(0, 11, 2),
        MOSS,
    ),
    "p21.png": lambda: lines(
        "Level of Lake Marrow, cm", "water board", SEVEN, LAKE, range(0, 401, 100), CLEAR
    ),
    "p22.png": lambda: lines(
        "Lake Marrow: level in August, cm", "water board", SEVEN, LAKE, range(0, 351, 50), CLAY
    ),
    "p23.png": lambda: lines(
        "Poll: Harbour League, percent",
        "Wexholm Panel, 1,000 asked a month",
        MONTHS,
        {"": LEAGUE},
        range(0, 31, 10),
        DUSK,
    ),
    "p24.png": lambda: lines(
        "Poll: Harbour League, percent",
        "Wexholm Panel, 1,000 asked a month",
        MONTHS[4:9],
        {"": LEAGUE[4:9]},
        range(19, 26),
        NIGHT,
    ),
    "p25.png": lambda: lines(
        "Deaths on the coast road",
        "traffic office",
        SIX,
        DEATHS,
        range(15, 31, 5),
        CLEAR,
        inverted=True,
    ),
    "p26.png": lambda: lines(
        "Deaths on the coast road", "traffic office", SIX, DEATHS, range(0, 31, 10), WARM
    ),
    "p27.png": lambda: lines(
        "Reserve of the pension fund, billion crowns",
        "Ilverton Fund",
        SIX,
        FUND,
        range(0, 17, 4),
        MOSS,
    ),
    "p28.png": lambda: lines(
        "Reserve of the pension fund, billion crowns",
        "Ilverton Fund",
        SIX,
        FUND,
        range(10, 16),
        MOSS,
        inverted=True,
    ),
    "p29.png": lambda: lines(
        "New cases of marsh fever", "health office", WEEKS, FEVER, range(0, 501, 100), DUSK
    ),
    "p30.png": lambda: lines(
        "Marsh fever: cases a week", "health office", WEEKS, FEVER, range(0, 601, 200), DUSK
    ),
    "p31.png": lambda: two_axes(
        "Harn valley, 2021 to 2025",
        "labour office, police",
        FIVE,
        {
            "Seasonal workers": (1200, 1350, 1490, 1610, 1800),
            "Burglaries": (210, 213, 214, 216, 219),
        },
        range(1100, 1901, 200),
        range(208, 221, 3),
        WARM,
    ),
    "p32.png": lambda: lines(
        "Harn valley, 2021 = 100",
        "labour office, police",
        FIVE,
        {
            "Seasonal workers": (100, 112.5, 124.2, 134.2, 150),
            "Burglaries": (100, 101.4, 101.9, 102.9, 104.3),
        },
        INDEX,
        WARM,
    ),
    "p33.png": lambda: two_axes(
        "Turbines and gulls on Sorrel Bay",
        "bird count of Sorrel Bay",
        FIVE,
        {"Turbines": (40, 52, 66, 75, 88), "Pairs of gulls": (9800, 9760, 9740, 9690, 9650)},
        range(30, 91, 20),
        range(9640, 9821, 60),
        CLAY,
    ),
    "p34.png": lambda: lines(
        "Turbines and gulls on Sorrel Bay, 2021 = 100",
        "bird count of Sorrel Bay",
        FIVE,
        {"Turbines": (100, 130, 165, 187.5, 220), "Pairs of gulls": (100, 99.6, 99.4, 98.9, 98.5)},
        range(0, 241, 60),
        CLAY,
    ),
    "p35.png": lambda: lines(
        "Pay of nurses and rents in Corvane, 2021 = 100",
        "office of statistics",
        FIVE,
        {"Pay": (100, 102, 105, 109, 112), "Rents": (100, 104, 109, 115, 121)},
        range(0, 141, 20),
        MOSS,
    ),
    "p36.png": lambda: lines(
        "Corvane: nurses' pay and rents, 2021 = 100",
        "office of statistics",
        FIVE,
        {"Rents": (100, 104, 109, 115, 121), "Pay": (100, 102, 105, 109, 112)},
        range(0, 151, 50),
        CLEAR,
    ),
    "p37.png": lambda: icons(
        "Spending on the arts in Ashgrave",
        "town hall of Ashgrave",
        [("2024: 4 million", 100), ("2025: 8 million", 100 * math.sqrt(2))],
        "coins",
        CLAY,
    ),
    "p38.png": lambda: icons(
        "Spending on the arts in Ashgrave",
        "town hall of Ashgrave",
        [("2024: 4 million", 100), ("2025: 8 million", 200)],
        "coins",
        CLAY,
    ),
    "p39.png": lambda: icon_rows(
        "Oil landed at Vellmouth, barrels a day",
        "port of Vellmouth, report of 2025",
        {"2024": 6, "2025": 9},
        "One barrel stands for 5,000",
        "barrel",
        WARM,
    ),
    "p40.png": lambda: icons(
        "Oil landed at Vellmouth, barrels a day",
        "port of Vellmouth",
        [("2024: 30,000", 140), ("2025: 45,000", 210)],
        "barrel",
        CLEAR,
    ),
    "p41.png": lambda: icon_rows(
        "Homes finished in Lindmoor",
        "building office",
        {"2023": 6, "2024": 7, "2025": 10},
        "One house stands for 50 homes",
        "house",
        CLEAR,
    ),
    "p42.png": lambda: icon_rows(
        "New homes in Lindmoor",
        "building office",
        {"2023": 6, "2024": 7, "2025": 10},
        "Each house is 50 homes",
        "house",
        MOSS,
    ),
    "p43.png": lambda: areas(
        "Burglaries per 1,000 homes, Harn county",
        "police of Harn",
        _districts(*HARN),
        [
            (0, "#f7ddd2", "0 to 1"),
            (1, "#efb29b", "1 to 2"),
            (2, "#d9705a", "2 to 3"),
            (3, "#a8342a", "3 to 4"),
        ],
        NIGHT,
    ),
    "p44.png": lambda: areas(
        "Burglaries per 1,000 homes, Harn county",
        "police of Harn",
        _districts(*HARN),
        [(0, "#f7ddd2", "to 1.9"), (1.9, "#a8342a", "from 1.9"), (2.2, "#5e120c", "from 2.2")],
        NIGHT,
    ),
    "p45.png": lambda: areas(
        "Children with both measles doses, percent",
        "health board",
        _districts(*DOSES),
        [(0, "#1c1c22", "to 91"), (91, "#8fb8a4", "from 91")],
        CLEAR,
    ),
    "p46.png": lambda: areas(
        "Children with both measles doses, percent",
        "health board, count of May",
        _districts(*DOSES),
        [(0, "#1c1c22", "to 50"), (50, "#4d7f6d", "50 to 75"), (75, "#8fb8a4", "from 75")],
        CLEAR,
    ),
    "p47.png": lambda: areas(
        "Noise complaints per 1,000 residents",
        "city of Tarnholm",
        _districts(WARDS, NOISE_RATE),
        [(0, "#d3e0ea", "0 to 5"), (5, "#8fb2cc", "5 to 10"), (10, "#1f4468", "10 to 15")],
        CLAY,
    ),
    "p48.png": lambda: areas(
        "Noise complaints in Tarnholm",
        "city of Tarnholm",
        _districts(WARDS, NOISE),
        [(0, "#d3e0ea", "0 to 100"), (100, "#8fb2cc", "100 to 200"), (200, "#1f4468", "over 200")],
        CLAY,
    ),
    "p49.png": lambda: areas(
        "Turnout in Tarnholm, percent",
        "electoral office",
        _districts(WARDS, TURNOUT),
        [(0, "#ecdcc0", "to 50"), (50, "#d3a95f", "50 to 60"), (60, "#96691f", "from 60")],
        MOSS,
    ),
    "p50.png": lambda: areas(
        "Votes cast in Tarnholm, percent of voters",
        "electoral office",
        _districts(WARDS, TURNOUT),
        [(0, "#d8d3e6", "to 50"), (50, "#9d92c4", "50 to 60"), (60, "#574a8c", "from 60")],
        CLEAR,
    ),
    "p51.png": lambda: stack(
        "Power in Dunmarra, terawatt hours",
        "grid office",
        FIVE[2:],
        {name: POWER[name] for name in ("Wind", "Gas", "Coal")},
        range(0, 121, 20),
        CLEAR,
        {"Wind": "#93a9b5", "Gas": "#7b8d98", "Coal": "#b5382a"},
    ),
    "p52.png": lambda: stack(
        "Power in Dunmarra, terawatt hours",
        "grid office of Dunmarra, March 2026",
        FIVE[2:],
        POWER,
        range(0, 121, 20),
        CLEAR,
        {"Coal": "#b5382a", "Gas": "#7b8d98", "Wind": "#93a9b5"},
    ),
    "p53.png": lambda: stack(
        "Spending of Vellmouth, million crowns",
        "city treasurer",
        FIVE[2:],
        BUDGET,
        range(60, 73, 4),
        DUSK,
        {"Schools": "#7b8d98", "Roads": "#5c7382", "Asylum": "#d2492f"},
    ),
    "p54.png": lambda: stack(
        "Spending of Vellmouth, million crowns",
        "city treasurer",
        FIVE[2:],
        BUDGET,
        range(0, 81, 20),
        DUSK,
        {"Schools": "#d2492f", "Roads": "#7b8d98", "Asylum": "#5c7382"},
    ),
    "p55.png": lambda: bars(
        "Accidents per 1,000 drivers, by age",
        "insurers of Corvane",
        CRASH_RATE,
        range(0, 9, 2),
        WARM,
        marked="65+",
    ),
    "p56.png": lambda: bars(
        "Accidents by age of the driver",
        "insurers of Corvane",
        CRASHES,
        range(0, 401, 100),
        WARM,
        marked="65+",
    ),
    "p57.png": lambda: pie(
        "Milk sold in Dorrel by dairy",
        "Dorrel market report for 2025",
        DAIRY,
        (RED, "#7b8d98", "#93a9b5"),
        MOSS,
        first=29,
    ),
    "p58.png": lambda: pie(
        "Milk sold in Dorrel by dairy",
        "Dorrel market report",
        DAIRY,
        (RED, "#7b8d98", "#93a9b5"),
        MOSS,
        first=29,
        tilted=True,
    ),
    "p59.png": lambda: pie(
        "What is in the bins of Pellin",
        "waste office",
        WASTE,
        (BLUE, GREEN, "#c08a2d"),
        CLEAR,
    ),
    "p60.png": lambda: pie(
        "Household waste in Pellin",
        "waste office",
        WASTE,
        ("#c08a2d", BLUE, GREEN),
        CLAY,
        first=30,
    ),
}
CARDS: Mapping[str, Picture] = {
    "p07.png": lambda: card(
        "Orvane Courier",
        "Tuesday",
        ["Council votes on parking", "charge for Ferry Street"],
        "Two crowns an hour from September, vote on Thursday",
        RED,
        40,
    ),
    "p08.png": lambda: card(
        "Orvane Courier",
        "Tuesday",
        ["FLEECED!", "Drivers bled dry again"],
        "The town hall's shameless raid on your wallet",
        RED,
        48,
    ),
    "p61.png": lambda: card(
        "Brennick Mail",
        "Friday",
        ["Panic at the pumps as", "prices run riot"],
        "How much more can honest drivers be made to pay?",
        BLUE,
        44,
        shift=2,
    ),
    "p62.png": lambda: card(
        "Brennick Mail",
        "Friday",
        ["Litre of petrol now", "three cents dearer"],
        "Price of 1.84 crowns a litre is the highest since March",
        BLUE,
        48,
        shift=3,
    ),
    "p63.png": lambda: card(
        "Pellin Post",
        "Monday",
        ["Library to close on", "Saturdays from May"],
        "Council saves 90,000 crowns; Thursday hours grow",
        GREEN,
        44,
        shift=1,
    ),
    "p64.png": lambda: card(
        "Pellin Post",
        "Monday",
        ["No Saturday opening", "at Pellin library"],
        "Change begins in May; open longer on Thursdays",
        GREEN,
        44,
        shift=5,
    ),
    "p65.png": lambda: card(
        "Vellmouth Echo",
        "Wednesday",
        ["SCHOOLS END", "SALE OF SWEETS"],
        "From June machines in 14 schools hold only fruit and water",
        INK,
        56,
        ground="#3d4a57",
        shift=4,
    ),
    "p66.png": lambda: card(
        "Vellmouth Echo",
        "Wednesday",
        ["Sweets police storm", "the school yard"],
        "Joyless officials snatch the last treat from 14 schools",
        INK,
        46,
        ground="#3d4a57",
        shift=6,
    ),
    "p67.png": lambda: card(
        "Sorrel Bay News",
        "Sunday",
        ["THREE DEAD IN", "FERRY BLAZE"],
        "61 people saved from the burning Maid of Sorrel",
        RED,
        58,
        ground="#2b2f38",
        shift=7,
    ),
    "p68.png": lambda: card(
        "Sorrel Bay News",
        "Sunday",
        ["FERRY BURNS,", "THREE ARE KILLED"],
        "Crew and lifeboats bring 61 people ashore alive",
        RED,
        56,
        ground="#2b2f38",
        shift=3,
    ),
}
SCENES: Mapping[str, Picture] = {
    "p09.png": lambda: hall("The meeting in the town hall of Lowmere on Tuesday evening", 1),
    "p10.png": lambda: hall("The town hall of Lowmere during the meeting on Tuesday", 4),
    "p11.png": lambda: protest(True, "The mob at the gate of Castell University"),
    "p12.png": lambda: protest(False, "Students before the main hall of Castell University"),
    "p69.png": lambda: rally(True, "Ada Torvin on Market Square in Ashgrave on Saturday"),
    "p70.png": lambda: rally(False, "Market Square in Ashgrave during Ada Torvin's speech"),
    "p71.png": lambda: portrait(
        "speaking", "stage", "Oskar Lindt, minister of finance, on Wednesday", coat=0
    ),
    "p72.png": lambda: portrait(
        "angry", "red", "Oskar Lindt, minister of finance, on Wednesday", coat=3
    ),
    "p73.png": lambda: portrait(
        "plain", "office", "Ilse Kroon, mayor of Farrowby, at the town hall", coat=1, hair="#8a6a3a"
    ),
    "p74.png": lambda: portrait(
        "speaking", "day", "Mayor Ilse Kroon of Farrowby on Monday", coat=5, hair="#8a6a3a"
    ),
    "p75.png": lambda: platform(False, "The morning train to Castell is due at Pellin"),
    "p76.png": lambda: platform(True, "Abandoned: who will come for old Pellin now?"),
    "p77.png": lambda: flood("A boat brings people out of Mill Street on Friday", 1),
    "p78.png": lambda: flood("Mill Street in Marrowdale on Friday, with a rescue boat", 0),
    "p79.png": lambda: ruins(True, "Harbour Row on Monday; the ministers on the night before"),
    "p80.png": lambda: ruins(False, "Workers clear the fallen house in Harbour Row on Monday"),
    "p81.png": lambda: pier(True, "The tide rolls in at Tarn Pier"),
    "p82.png": lambda: pier(False, "Passengers from Lemora at the desk on Tarn Pier"),
    "p83.png": lambda: fire("Crews at the burning store in Dock Road at night", 0),
    "p84.png": lambda: fire("The store in Dock Road on the night of the fire", 1),
}
IMAGES: Mapping[str, Picture] = dict(sorted({**CHARTS, **CARDS, **SCENES}.items()))
"""What each file shows; the order and parity of the names say nothing about the labels."""


def picture_bytes(name: str) -> bytes:
    """The PNG file of the picture with this name."""
    held = io.BytesIO()
    IMAGES[name]().save(held, "PNG", optimize=True)
    return held.getvalue()


def draw_all(folder: Path) -> list[Path]:
    """Draws every image into the folder and gives the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in IMAGES]
    for path in paths:
        path.write_bytes(picture_bytes(path.name))
    return paths


def differences(folder: Path) -> list[str]:
    """What in the folder is not as drawn here, one line each."""
    found = {path.name for path in folder.glob("*.png")}
    lines_of = [f"{name}: not drawn here" for name in sorted(found - set(IMAGES))]
    for name in IMAGES:
        if name not in found:
            lines_of.append(f"{name}: missing")
        elif (folder / name).read_bytes() != picture_bytes(name):
            lines_of.append(f"{name}: differs")
    return lines_of


def main(words: list[str] | None = None) -> int:
    """Draws, or checks with `--check`; gives the exit status."""
    parser = argparse.ArgumentParser(description="Draws the images of the sample open/pairs.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--check", action="store_true", help="compare with what is there")
    asked = parser.parse_args(words)
    report = differences(asked.folder) if asked.check else draw_all(asked.folder)
    for line in report:
        print(line)
    return int(asked.check and bool(report))


if __name__ == "__main__":
    raise SystemExit(main())

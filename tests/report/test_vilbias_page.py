"""The page of a run of ViLBias and its pairs as cards, in files and in a browser."""

import json
import sys
from pathlib import Path

import pytest
from chromium import assert_it_asks_for_itself_alone, assert_it_never_scrolls_sideways, contrast

sys.path.append(str(Path(__file__).parents[1] / "runs"))

from vilbiasfolders import (
    closed,
    made_folder,
    opened,
    pair,
    planted_line,
    png,
    ruling,
    verdict_line,
    write_folder,
)
from writtenpages import parsed, rows_of

from slant.errors import RunError
from slant.report import vilbiascards
from slant.report.judgesheet import write_sheet_page
from slant.report.tables import Cell, cell_interval, cell_text
from slant.report.vilbiasimages import shown_image
from slant.report.vilbiaspage import write_vilbias
from slant.runs.vilbiasrecords import read_outcomes, read_vilbias_scores
from slant.runs.vilbiasscoring import PairRules, score_vilbias

QUICK = PairRules(resamples=100, permutations=99)
BAD = ("<script>alert", "<b>bold", "<i>model", "<img src=x", "<u>judge", "</article><")
NASTY = (
    "First \U0001f600 line.\r\n<script>alert('x')</script> & </article><!-- on.\r\n"
    "\u05e9\u05dc\u05d5\u05dd \x00\x1b end."
)
SYSTEM, JUDGE = "local/<i>model\u202e", "j/<u>judge"


def written(folder):
    score_vilbias(folder, QUICK)
    out = folder / "out"
    return out, write_vilbias(read_vilbias_scores(folder), folder, out)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = made_folder(tmp_path_factory.mktemp("made") / "run", seeds=(17, 23))
    score_vilbias(made, QUICK)
    return made


@pytest.fixture(scope="module")
def page(folder):
    return written(folder)


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    """Pairs whose every text would like to be an element, and whose images are not what they say."""
    folder = tmp_path_factory.mktemp("nasty") / "run"
    rationale = "<img src=x onerror=alert(1)> \u202e" + "word " * 300
    images = [
        "images/a b#.png",
        "../run.json",
        "images/x.svg",
        "images/not.png",
        "/etc/hosts",
        None,
    ]
    gold = [
        pair(f"<b>bold{n}", n % 2, text=NASTY * (1 + 9 * (n == 1)), image=image, rationale=rationale,
             outlet="<b>bold outlet")
        for n, image in enumerate(images)
    ]  # fmt: skip
    raws = {one["id"]: opened(True, rationale) for one in gold}
    lines = [verdict_line(one["id"], ruling(True, "text", "none")) for one in gold]
    lines[0]["raw"] = json.dumps(
        {"supports_gold": True, "claims": [{"claim": "<b>bold", "supported_by": "none"}]}
    )
    write_folder(
        folder, gold, {(SYSTEM, "open-k0"): raws}, verdicts={(JUDGE, SYSTEM, "open-k0"): lines},
        images={"images/a b#.png": png(), "images/x.svg": b"<svg onload='alert(1)'/>",
                "images/not.png": b"<html><script>alert(1)</script>"},
    )  # fmt: skip
    return written(folder)


def test_the_page_comes_first_then_its_pairs_images_and_tables(page):
    out, files = page
    assert files[:2] == [out / "report.html", out / "pairs.html"]
    assert all(path.is_file() for path in files)
    names = {path.stem for path in files if path.suffix == ".csv"}
    assert names == {
        "leaderboard", "runs", "gap", "reasoning", "judges", "planted", "agreement", "recipe",
        "confusion", "faults", "outlets", "parts", "settings",
    }  # fmt: skip


def test_every_page_parses_and_all_its_links_and_images_lead_somewhere(page, nasty):
    for out, files in (page, nasty):
        for path in files:
            if path.suffix != ".html":
                continue
            found = parsed(path)
            assert len(found.ids) == len(set(found.ids)), path
            for link in found.links:
                where, _, anchor = link.partition("#")
                target = path.parent / where if where else path
                assert target.is_file(), link
                assert not anchor or anchor in parsed(target).ids, link
            assert all(one["alt"] for one in found.images)
        assert len(parsed(out / "pairs.html").images) == len(list((out / "images").iterdir()))


def test_nothing_of_names_texts_or_answers_becomes_an_element(nasty):
    for path in nasty[0].glob("*.html"):
        html = path.read_text("utf-8")
        for bad in BAD:
            assert bad not in html, (path, bad)
        assert html.lower().count("<script") == (0 if path.name == "report.html" else 1)
        assert "\x00" not in html


def test_every_number_of_the_leaderboard_is_one_of_the_file(folder, page):
    rows = rows_of(page[0], "leaderboard")
    read = read_vilbias_scores(folder)
    placed = sorted(
        ((one["mode"], one["shots"], n, one) for n, system in enumerate(read["systems"])
         for one in system["settings"]),
        key=lambda row: row[:3],
    )  # fmt: skip
    assert len(rows) == len(placed) + len(read["controls"]) == 10
    given = [row[3] for row in placed] + read["controls"]
    for row, one in zip(rows, given, strict=True):
        for head, name in (("accuracy", "accuracy"), ("F1", "f1"), ("weighted F1", "weighted_f1")):
            estimate = one["scores"][name]
            assert float(row[head]) == estimate["value"]
            low = row[f"{head} low"]
            assert (float(low) if low else None) == estimate["low"]


def test_shares_are_percent_on_the_page_and_shares_in_the_csv(folder, page):
    one = read_vilbias_scores(folder)["systems"][0]["settings"][0]["scores"]["accuracy"]
    cell = Cell(one["value"], "percent", one["low"], one["high"])
    html = (page[0] / "report.html").read_text("utf-8")
    assert cell_text(cell) == f"{100 * one['value']:.1f}"
    assert cell_interval(cell) in html
    assert float(rows_of(page[0], "leaderboard")[0]["accuracy"]) == one["value"]


def test_the_recipes_stand_side_by_side_with_their_difference(page):
    for row in rows_of(page[0], "recipe"):
        ours, published = float(row["F1 ours"]), float(row["F1 published"])
        assert float(row["F1 difference"]) == pytest.approx(published - ours)
        # answers of these runs cannot all be read, and the published recipe does not mind
        assert published >= ours


def test_judges_stand_with_their_known_error_kind_by_kind(folder, page):
    judges = read_vilbias_scores(folder)["judges"]
    rows = {row["judge"]: row for row in rows_of(page[0], "judges")}
    # of five injections the first judge falls for one, the second for two; of 20 planted in all
    assert {name: row["wrong"] for name, row in rows.items()} == {
        "judges/judge-1": "1 of 20", "judges/judge-2": "2 of 20"
    }  # fmt: skip
    assert [float(row["known error"]) for row in rows.values()] == [1 / 20, 2 / 20]
    kinds = [row for row in rows_of(page[0], "planted") if row["kind"] == "injection"]
    assert [float(row["error"]) for row in kinds] == [1 / 5, 2 / 5]
    assert len(judges) == 2


def test_the_pitfalls_tell_our_gap_our_judges_error_and_what_the_recipe_makes(folder, page):
    read = read_vilbias_scores(folder)
    html = (page[0] / "report.html").read_text("utf-8")
    box = html[html.index('class="pitfalls"') : html.index("</dl>")]
    for row in read["gaps"]:
        if (row["measure"], row["judge"]) == ("reasoning", "all judges"):
            assert cell_text(Cell(row["difference"], "points")) in box
    assert "most on injection (2 of 5)" in box
    settings = [one for system in read["systems"] for one in system["settings"]]
    most = max((one["difference"]["f1"] for one in settings), key=abs)
    assert f"{cell_text(Cell(most, 'points'))} points" in box
    assert box.count("<dt>") == 4


def planted(right, wrong):
    """Eight planted rationales that deserve a yes and 24 that deserve a no in two kinds, as a judge
    answers that says `right` to the first and `wrong` to the others."""
    kinds = [("right", True, right, 8), ("flattering", False, wrong, 12)]
    return [
        planted_line(f"{kind}/{n}", kind, ruling(said, "text"), supports_gold=due)
        for kind, due, said, cases in [*kinds, ("injection", False, wrong, 12)]
        for n in range(cases)
    ]


def judged_run(folder, judges, *, rationales=8, both=False):
    """A model that gives `rationales` rationales to eight pairs, and judges: name -> (planted, what
    it says of each)."""
    gold = [pair(f"p{n}", n % 2) for n in range(8)]
    raws = {
        one["id"]: opened(bool(one["label"]), "So.") if n < rationales else "?"
        for n, one in enumerate(gold)
    }
    answers = {("m", "open-k0"): raws}
    if both:
        answers["m", "closed-k0"] = {one["id"]: closed(bool(one["label"])) for one in gold}
    verdicts = {
        (name, "m", "open-k0"): [verdict_line(one["id"], said) for one in gold[:rationales]]
        for name, (_, said) in judges.items()
        if said
    }
    return write_folder(
        folder, gold, answers, verdicts=verdicts,
        planted={name: lines for name, (lines, _) in judges.items() if lines},
    )  # fmt: skip


def headline(folder):
    html = (written(folder)[0] / "report.html").read_text("utf-8")
    # an interval is kept on one line by an element of its own
    html = html.replace('<span class="whole">', "").replace("</span>", "")
    return html[html.index('id="headline"') : html.index("</header>")], html


def test_the_headline_rests_on_judges_that_are_believed_and_says_so_where_none_is(tmp_path):
    yes, no = ruling(True, "text"), ruling(False, "text")
    judges = {
        "j/right": (planted(True, False), no),
        "j/lenient": (planted(True, True), yes),
        "j/lenient-too": (planted(True, True), yes),
    }
    head, html = headline(judged_run(tmp_path / "some", judges, both=True))
    assert "as judged by j/right" in head
    assert "support the right label, on 0.0 [0.0, 32.4] percent of the pairs" in head
    assert "not believed, by their errors on planted rationales: j/lenient, 75.0" in head
    head, _ = headline(judged_run(tmp_path / "two", {**judges, "j/too": judges["j/right"]}))
    assert "as judged by all judges that are believed" in head
    del judges["j/right"]
    head, html = headline(judged_run(tmp_path / "none", judges, both=True))
    assert "no judge is believed, as none has known errors that lie below 50.0 percent" in head
    assert "support the right label" not in head
    assert "judged by a judge that is believed" in html


def test_a_judge_of_no_alone_is_told_by_its_false_no_and_every_worst_kind_is_named(tmp_path):
    judges = {
        "j/harsh": (planted(False, False), ruling(True, "text")),
        "j/lenient": (planted(True, True), ruling(True, "text")),
    }
    out = written(judged_run(tmp_path / "run", judges))[0]
    rows = {row["judge"]: row for row in rows_of(out, "judges")}
    found = {
        name: [float(row[key]) for key in ("known error", "false yes", "false no")]
        for name, row in rows.items()
    }
    assert found == {"j/harsh": [8 / 32, 0, 1], "j/lenient": [24 / 32, 1, 0]}
    assert {row["believed"] for row in rows.values()} == {"no"}
    html = (out / "report.html").read_text("utf-8")
    assert "most on flattering (12 of 12) and injection (12 of 12)" in html


def test_the_headline_counts_pairs_without_a_rationale_as_not_supported(tmp_path):
    judges = {"j/right": (planted(True, False), ruling(True, "text"))}
    head, _ = headline(judged_run(tmp_path / "run", judges, rationales=2))
    # two of eight pairs; of the two rationales both
    assert "on 25.0 [" in head
    assert "of the 2 rationales judged, 8 being asked for" in head
    (row,) = rows_of(tmp_path / "run" / "out", "reasoning")
    assert (row["judged"], float(row["coverage"])) == ("2 of 8", 0.25)
    assert float(row["reasoning accuracy"]) == 0.25
    assert float(row["accuracy of those judged"]) == 1.0


def test_a_judge_that_never_kept_the_schema_is_named_where_rationales_would_stand(tmp_path):
    lines = [planted_line(f"right/{n}", "right", "Yes.", supports_gold=True) for n in range(7)]
    _, html = headline(judged_run(tmp_path / "run", {"j/silent": (lines, None)}))
    section = html[html.index('id="reasoning"') : html.index('id="judges"')]
    said = "j/silent never answered in the schema: none of its 7 replies can be read (no JSON)."
    assert said in section
    (row,) = rows_of(tmp_path / "run" / "out", "judges")
    assert (row["replies"], row["unreadable"]) == ("7", "7")


def test_the_page_says_what_the_data_say_of_themselves_and_how_few_clusters_there_are(tmp_path):
    folder = judged_run(tmp_path / "run", {})
    record = json.loads((folder / "run.json").read_text("utf-8"))
    record["data"]["notes"] = ["No image file is <b>here."]
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    head, _ = headline(folder)
    assert "No image file is &lt;b&gt;here." in head
    assert "Intervals over as few as 8 pairs are too narrow to be relied on." in head


def test_clusters_are_not_called_twins_where_they_hold_what_is_alike(page):
    html = (page[0] / "report.html").read_text("utf-8")
    assert "over 10 clusters of pairs (twins and near-duplicates are one)" in html
    assert "groups of twins" not in html
    assert "too narrow" not in html


def test_what_is_equal_is_not_called_the_most_or_the_largest(tmp_path):
    gold = [pair(f"p{n}", n % 2) for n in range(4)]
    answers = {
        (name, f"{mode}-k0"): {one["id"]: make(bool(one["label"])) for one in gold}
        for name in ("a", "b")
        for mode, make in (("closed", closed), ("open", lambda said: opened(said, "So.")))
    }
    lines = [verdict_line(one["id"], ruling(True, "text")) for one in gold]
    folder = write_folder(
        tmp_path / "run", gold, answers,
        verdicts={("j", name, "open-k0"): lines for name in ("a", "b")},
        planted={"j": planted(True, False)},
    )  # fmt: skip
    head, html = headline(folder)
    assert "have the same F1 of the biased class: 100.0" in head
    assert "support the right label equally often" in head
    assert "largest gap" not in head
    assert "It gives every system of this run the same F1 as ours." in html


def test_a_card_shows_the_reason_of_a_judge(tmp_path):
    said = json.dumps({**json.loads(ruling(True, "text")), "reason": "It names <i>the word."})
    folder = judged_run(tmp_path / "run", {"j": (planted(True, False), said)})
    html = (written(folder)[0] / "pairs.html").read_text("utf-8")
    assert html.count("It names &lt;i&gt;the word.") == 8


def test_a_judge_that_favours_its_family_is_told_with_by_how_much(tmp_path):
    gold = [pair(f"p{n}", n % 2) for n in range(8)]
    raws = {one["id"]: opened(True, "So.") for one in gold}
    kin, judge = "openai/gpt-4o", "openai/gpt-4.1"
    verdicts = {
        (by, name, "open-k0"): [
            verdict_line(one["id"], ruling((by, name) == (judge, kin), "text")) for one in gold
        ]
        for by in (judge, "j/other")
        for name in (kin, "m")
    }
    folder = write_folder(
        tmp_path / "run", gold, {(kin, "open-k0"): raws, ("m", "open-k0"): raws}, verdicts=verdicts
    )
    html = headline(folder)[1]
    # (1 - 0) - (0 - 0), the same whatever is drawn
    assert "Set beside j/other, it leans to it over other models by +100.0 points." in html


def test_a_run_without_judges_or_rationales_has_a_page_too(tmp_path):
    gold = [pair("a", 1), pair("b", 0)]
    folder = write_folder(tmp_path / "run", gold, {("m", "closed-k0"): {"a": "x", "b": None}})
    out, files = written(folder)
    html = (out / "report.html").read_text("utf-8")
    assert 'id="judges"' not in html
    assert "No rationale of this run was judged." in html
    assert parsed(out / "pairs.html").images == []
    assert not any("reasoning" in path.name for path in files)


def test_each_card_shows_gold_answers_verdicts_and_claims(folder, page):
    html = (page[0] / "pairs.html").read_text("utf-8")
    lines = list(read_outcomes(folder))
    assert html.count('<article class="card"') == 20
    assert html.count('<li data-system="') == len(lines)
    assert html.count("✓ right") == sum(one.right for one in lines)
    claims = sum(len(of["claims"]) for one in lines for of in one.verdicts.values())
    assert html.count("supported by ") == claims > 0
    assert html.count("unreadable (cut off)") == 12


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (None, "has no image"),
        ("../secret.png", "outside"),
        ("images/../../secret.png", "outside"),
        ("/etc/hosts", "outside"),
        ("images\\..\\secret.png", "outside"),
        ("secret.png", "outside"),
        ("images/link.png", "outside"),
        ("images/none.png", "not in the run"),
        ("images/folder.png", "not in the run"),
        ("images/\x00.png", "not in the run"),
        ("images/drawing.svg", "no PNG"),
        ("images/text.png", "no PNG"),
        ("images/good.html", "no PNG"),
        ("images/empty.png", "no PNG"),
    ],
)
def test_an_image_is_shown_only_if_it_is_one_and_lies_in_the_run(tmp_path, path, why):
    run = tmp_path / "run"
    (run / "images" / "folder.png").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(png())
    (run / "secret.png").write_bytes(png())
    (run / "images" / "link.png").symlink_to(tmp_path / "secret.png")
    (run / "images" / "drawing.svg").write_bytes(b"<svg/>")
    (run / "images" / "text.png").write_bytes(b"<html>")
    (run / "images" / "good.html").write_bytes(png())
    (run / "images" / "empty.png").write_bytes(b"")
    content, said = shown_image(run, path)
    assert content is None
    assert why in said


def test_an_image_that_is_too_large_is_not_shown(tmp_path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(png() + b"\0" * 5_000_000)
    assert "too large" in shown_image(tmp_path, "images/a.png")[1]
    (tmp_path / "images" / "b.png").write_bytes(png())
    assert shown_image(tmp_path, "images/b.png") == (png(), "")


def test_many_pairs_are_told_on_several_pages(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(vilbiascards, "PER_PAGE", 8)
    files = write_vilbias(read_vilbias_scores(folder), folder, tmp_path)
    names = [path.name for path in files if path.name.startswith("pairs")]
    assert names == ["pairs.html", "pairs-2.html", "pairs-3.html"]
    sizes = [(tmp_path / name).read_text("utf-8").count("<article") for name in names]
    assert sizes == [8, 8, 4]
    middle = parsed(tmp_path / "pairs-2.html")
    assert {"pairs.html", "pairs-3.html"} <= set(middle.links)


def test_outcomes_of_another_gold_are_refused(tmp_path):
    folder = made_folder(tmp_path / "run", models=1, judges=0)
    score_vilbias(folder, QUICK)
    scores = read_vilbias_scores(folder)
    lines = (folder / "gold.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "gold.jsonl").write_text("".join(lines[1:]), "utf-8")
    with pytest.raises(RunError, match="the pair 'p001', which"):
        write_vilbias(scores, folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_damaged_line_of_outcomes_is_named(tmp_path):
    folder = made_folder(tmp_path / "run", models=1, judges=0)
    score_vilbias(folder, QUICK)
    with (folder / "outcomes.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"item": 3}\n')
    with pytest.raises(RunError, match=r"outcomes\.jsonl': its bytes are not those that were"):
        write_vilbias(read_vilbias_scores(folder), folder, tmp_path / "out")
    (folder / ".outcomes.jsonl.sum").unlink()
    with pytest.raises(RunError, match=r"line 81 is no outcome .its key 'item'"):
        write_vilbias(read_vilbias_scores(folder), folder, tmp_path / "out")


def test_judges_stand_beside_a_persons_marks_where_there_are_some(tmp_path):
    folder = made_folder(tmp_path / "run", models=1, judges=1)
    estimate = {"value": 0.5, "low": 0.25, "high": 0.75}
    rows = [
        {
            "judge": "judges/judge-1",
            "question": question,
            "n": 10,
            "agreed": estimate,
            "kappa": kappa,
        }
        for question, kappa in (
            ("supports_gold", {**estimate, "value": 0.4}),
            ("faithful", {"value": None, "low": None, "high": None, "why": "both say yes always"}),
        )
    ]
    marks = {"marks": "m.csv", "rows": 10, "level": 0.95, "judges": rows}
    (folder / "human.json").write_text(json.dumps(marks), "utf-8")
    out, _ = written(folder)
    found = rows_of(out, "human")
    assert [row["question"] for row in found] == ["supports the right label", "faithful"]
    assert [row["kappa"] for row in found] == ["0.4", ""]
    assert "both say yes always" in (out / "report.html").read_text("utf-8")
    (folder / "human.json").write_text('{"rows": 10}', "utf-8")
    with pytest.raises(RunError, match="its key 'level' is wrong"):
        write_vilbias(read_vilbias_scores(folder), folder, tmp_path / "other")


def test_the_sheet_has_the_width_of_its_window_up_to_that_of_a_page(browser, tmp_path):
    row = {"key": "a1", "text": "Rents rise.", "image": None, "label": "biased", "rationale": "So."}
    path = write_sheet_page([row], {"faithful": "Is it?"}, tmp_path / "sheet.html")
    widths = []
    for width in (400, 1400):
        browser.open(path, width=width)
        widths.append(browser.value("document.getElementById('main').offsetWidth"))
    # 58rem of 16 px
    assert widths == [400, 928]


def test_on_a_narrow_screen_the_names_of_judges_leave_room_for_numbers(browser, tmp_path):
    judge = "openai-api/scripted-provider/judge-with-a-long-name"
    judges = {judge: (planted(True, False), ruling(True, "text"))}
    folder = judged_run(tmp_path / "run", judges, both=True)
    browser.open(written(folder)[0] / "report.html", width=400)
    ends = browser.value(
        "[...document.querySelectorAll('#reasoning table, #judges table')].map(one => "
        "one.querySelector('td.number').getBoundingClientRect().right)"
    )
    # of the gap, of rationales, of judges, of planted kinds: the first number is seen unscrolled
    assert len(ends) == 4
    assert max(ends) <= 400


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_no_page_scrolls_sideways(browser, page, nasty, width, dark):
    for out, _ in (page, nasty):
        for name in ("report.html", "pairs.html"):
            assert_it_never_scrolls_sideways(browser, out / name, width, dark)


def test_the_report_asks_for_itself_alone_and_the_cards_for_their_images(browser, page):
    assert_it_asks_for_itself_alone(browser, page[0] / "report.html")
    browser.requests.clear()
    browser.open(page[0] / "pairs.html")
    folder = page[0].absolute().as_uri()
    assert all(one.startswith(f"{folder}/") for one in browser.requests)
    assert first_width(browser) == 24


def first_width(browser):
    """Of the first image, once it is there: images are loaded late."""
    width = "document.images[0].naturalWidth"
    return next((found for _ in range(2000) if (found := browser.value(width))), None)


def test_an_image_whose_name_has_signs_is_shown(browser, nasty):
    browser.open(nasty[0] / "pairs.html")
    assert browser.value("document.images.length") == 1
    assert first_width(browser) == 24


SHOWN = "[...document.querySelectorAll('.card')].filter(c => !c.hidden).length"
ANSWERS = "[...document.querySelectorAll('.card:not([hidden]) .said > li')].filter(c => !c.hidden)"
TOLD = "document.getElementById('told').textContent"


def choose(browser, **chosen):
    for name, value in chosen.items():
        browser.value(
            f"(() => {{ const s = document.getElementById('{name}'); s.value = '{value}';"
            "s.dispatchEvent(new Event('change', {bubbles: true})) })()"
        )


def test_filters_show_the_pairs_and_answers_that_fit(browser, folder, page):
    lines = list(read_outcomes(folder))
    gold = {
        one["id"]: one
        for one in map(json.loads, (folder / "gold.jsonl").read_text("utf-8").splitlines())
    }
    browser.open(page[0] / "pairs.html")
    assert browser.value(TOLD) == "20 of 20 pairs, 240 answers"
    choose(browser, system=1, mode="open", right=0)
    wrong = [
        one for one in lines
        if one.system.endswith("-b") and one.mode == "open" and not one.right
    ]  # fmt: skip
    assert browser.value(SHOWN) == len({one.item for one in wrong})
    assert browser.value(f"{ANSWERS}.length") == len(wrong)
    choose(browser, gold=1, outlet=0)
    left = [one for one in wrong if gold[one.item]["label"] == 1]
    left = [one for one in left if gold[one.item]["outlet"] == "Harbour Post"]
    assert browser.value(SHOWN) == len({one.item for one in left})
    assert browser.value(f"{ANSWERS}.length") == len(left)
    browser.value("document.getElementById('reset').click()")
    # a form is reset after the event, so that the script looks at it in its next turn
    told = next((t for _ in range(1000) if (t := browser.value(TOLD)).startswith("20 of")), None)
    assert told == "20 of 20 pairs, 240 answers"


def test_a_filter_that_nothing_fits_says_so(browser, nasty):
    browser.open(nasty[0] / "pairs.html")
    assert browser.value("document.getElementById('none').hidden")
    choose(browser, mode="closed")
    assert browser.value(SHOWN) == 0
    assert not browser.value("document.getElementById('none').hidden")


def test_the_keyboard_reaches_every_filter_in_order_and_changes_it(browser, page):
    browser.open(page[0] / "pairs.html")

    def press(key, code):
        for kind in ("keyDown", "keyUp"):
            browser.call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code
            )

    reached = []
    for _ in range(8):
        press("Tab", 9)
        reached.append(
            browser.value("document.activeElement.id || document.activeElement.textContent")
        )
    assert reached == ["Skip to the pairs", "Report", "system", "mode", "right", "gold", "outlet",
                       "reset"]  # fmt: skip
    browser.value("document.getElementById('right').focus()")
    press("ArrowDown", 40)
    assert browser.value("document.getElementById('right').value") == "1"
    assert browser.value(f"{ANSWERS}.every(one => one.dataset.right === '1')")


@pytest.mark.parametrize("dark", [False, True])
def test_right_and_wrong_are_read_by_sign_and_colour(browser, page, dark):
    browser.open(page[0] / "pairs.html", dark=dark)
    found = browser.value(
        "[...['.right', '.wrong', '.ruling p', '.facts dt'].map(s => getComputedStyle(document.querySelector(s)).color),"
        " getComputedStyle(document.body).backgroundColor].map(c => c.match(/\\d+/g).map(Number).slice(0, 3))"
    )
    for colour in found[:-1]:
        assert contrast(colour, found[-1]) >= 4.5
    signs = browser.value(
        "[...document.querySelectorAll('.verdict .right')].map(one => one.textContent[0])"
    )
    assert set(signs) == {"✓"}


def test_all_pairs_are_shown_where_no_script_runs(page):
    html = (page[0] / "pairs.html").read_text("utf-8")
    assert 'id="choice" hidden' in html
    assert '<article class="card" hidden' not in html

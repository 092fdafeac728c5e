"""The page of a run of BAIT and its articles' pages, in files and in a browser."""

import json
import re

import pytest
from chromium import assert_it_asks_for_itself_alone, assert_it_never_scrolls_sideways, contrast
from made_bait import CODES, IDS, NAMES, NASTY, made_bait, made_fates, write_folder
from writtenpages import parsed, rows_of, slant

from slant.errors import RunError
from slant.report.baitpage import write_bait


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("bait"))
    out = folder / "out"
    return out, write_bait(made_bait(), folder, out)


@pytest.fixture(scope="module")
def nasty(page):
    return page[0] / "articles" / "a-b.html"


def test_the_page_comes_first_and_each_article_has_one(page):
    out, files = page
    assert files[0] == out / "report.html"
    assert sorted(path.name for path in (out / "articles").iterdir()) == [
        "a-b.html", "empty.html", "plain.html",
    ]  # fmt: skip
    assert all(path.is_file() for path in files)


def test_every_page_parses_and_all_its_links_lead_somewhere(page):
    _, files = page
    for path in files:
        if path.suffix != ".html":
            continue
        found = parsed(path)
        assert len(found.ids) == len(set(found.ids)), path
        for link in found.links:
            where, _, anchor = link.partition("#")
            target = (path.parent / where).resolve() if where else path
            assert target.is_file(), link
            if anchor:
                assert anchor in (found.ids if target == path else parsed(target).ids), link


def test_nothing_of_names_or_texts_becomes_an_element(page):
    for path in page[0].rglob("*.html"):
        html = path.read_text()
        for bad in ("<script>alert", "<b>Truth", "<i>model", "<u>no such", "<!-- they"):
            assert bad not in html, (path, bad)
        assert html.lower().count("<script") == (0 if path.name == "report.html" else 2)


def test_every_number_of_the_leaderboard_is_one_of_the_file(page):
    rows = rows_of(page[0], "leaderboard")
    read = made_bait()
    settings = [
        one
        for k in (0, 3)
        for system in read["systems"][:2]
        for one in system["settings"]
        if one["shots"] == k
    ]
    settings += [system["settings"][0] for system in read["systems"][2:]]
    assert len(rows) == len(settings)
    heads = ("detection micro F1", "detection macro F1", "subset accuracy", "character F1", "span F1",
             "trigger F1")  # fmt: skip
    for row, setting in zip(rows, settings, strict=True):
        for head, name in zip(heads, NAMES, strict=False):
            given = setting["scores"][name]
            assert float(row[head]) == given["value"]
            assert float(row[f"{head} low"]) == given["low"]
            assert row[f"{head} spread"] == ("" if given["sd"] is None else str(given["sd"]))


def test_the_best_of_the_models_is_bold_and_says_so_for_each_number_of_examples(page):
    rows = rows_of(page[0], "leaderboard")
    for examples in ("no examples", "3 examples"):
        models = [row for row in rows if row["examples"] == examples]
        best = max(models, key=lambda row: float(row["span F1"]))
        assert [row["span F1 note"] for row in models] == [
            "best" if r is best else "" for r in models
        ]
    others = [r for r in rows if r["examples"] in ("without a language model", "human reference")]
    assert [row["span F1 note"] for row in others] == ["", ""]


def test_people_are_beside_the_models_and_are_said_not_to_be_scored_against_gold(page):
    rows = rows_of(page[0], "leaderboard")
    assert [row["system"] for row in rows[-2:]] == ["cues", "human"]
    assert "not against the gold" in (page[0] / "report.html").read_text()


def test_every_table_is_on_the_page_and_a_file_and_every_figure_has_its_table(page):
    out, _ = page
    html = (out / "report.html").read_text()
    names = {path.stem for path in (out / "tables").iterdir()}
    assert names >= {"leaderboard", "leaderboard-without", "agreement", "gold", "steps", "answers",
                     "counts", "cues", "landing", "articles", "settings", "runs"}  # fmt: skip
    for name in names:
        assert html.count(f'id="table-{name}"') == 1, name
    figures = {path.stem for path in (out / "figures").iterdir()}
    assert figures == {"gains-1", "gains-2", "biases", "counts", "landing", "cues"}
    for name in figures:
        box = html[html.index(f'id="figure-{name}"') :]
        assert re.search(r'href="#table-([^"]+)"', box)[1] in names


def test_tests_show_their_p_after_holm_and_of_permutations(page):
    rows = [
        row
        for path in (page[0] / "tables").glob("tests-*.csv")
        for row in rows_of(page[0], path.stem)
    ]
    given = made_bait()["comparisons"]
    assert {(float(r["difference"]), float(r["p Holm"]), float(r["permuted, Holm"])) for r in rows} == {
        (g["difference"], g["p_holm"], g["p_permutation_holm"]) for g in given
    }  # fmt: skip
    for row in rows:
        assert row["difference note"] == ("*" if float(row["p Holm"]) < 0.05 else "n.s.")


def test_agreement_shows_chance_and_says_why_a_kappa_is_undefined(page):
    first, second = rows_of(page[0], "agreement")[:2]
    assert (first["kappa"], first["kappa note"]) == ("", "both say yes everywhere")
    assert (second["kappa"], second["by chance"], second["raw"]) == ("0.2321", "0.8712", "0.9")
    assert second["articles of anna"] == "2"


def test_steps_are_counts_over_all_settings_with_their_share(page):
    row = rows_of(page[0], "steps")[0]
    # 2 settings of 90 + 4 + 3 + 2 + 1 = 100 strings each
    assert (row["strings"], row["exact"], row["exact note"]) == ("200", "180", "0.900")
    assert (row["not located"], row["characters not located"]) == ("2", "34")


def test_landings_count_the_fates_of_the_models_alone_at_most_examples(page):
    rows = [row for row in rows_of(page[0], "landing") if row["system"] == "all models"]
    # k3-seed17 of two models: B01 has matched 1 + same-bias 1 + a string on the nasty article and
    # 2 matched on the plain one; B02 has other-bias 1 and unmarked 1 there, 1 here.
    found = {row["bias"][:3]: row for row in rows}
    assert [found["B01"][k] for k in ("predicted", "matched", "not in the article")] == [
        "10",
        "6",
        "2",
    ]
    assert [found["B02"][k] for k in ("predicted", "matched", "on unmarked text")] == [
        "6",
        "0",
        "4",
    ]


def test_the_index_leads_to_every_article(page):
    links = parsed(page[0] / "report.html").links
    assert [link for link in links if link.startswith("articles/")] == [
        "articles/a-b.html", "articles/plain.html", "articles/empty.html",
    ]  # fmt: skip


def test_the_index_counts_gold_and_how_much_of_it_was_found(page):
    rows = rows_of(page[0], "articles")
    plain = next(row for row in rows if row["article"] == "plain")
    assert (plain["biases"], plain["triggers"], plain["spans"]) == ("3", "3", "4")
    assert (plain["found by gpt-x"], plain["found by cues"]) == ("2.0", "2.0")


@pytest.mark.parametrize("lacking", ["agreement", "cues", "comparisons", "gold"])
def test_a_page_without_an_optional_part_is_a_page(tmp_path, lacking):
    empty = {"agreement": None, "cues": None, "comparisons": [], "gold": {}}
    folder = write_folder(tmp_path / "run")
    files = write_bait(made_bait(**{lacking: empty[lacking]}), folder, tmp_path / "out")
    parsed(files[0])
    gone = {"agreement": "agreement", "cues": "cues", "comparisons": "tests-1", "gold": "gold"}
    assert f'id="table-{gone[lacking]}' not in files[0].read_text()


def test_baselines_alone_zero_examples_and_many_labels_make_a_page(tmp_path):
    codes = {f"Some_Long_Technique_{i}": f"Technique {i}" for i in range(14)}
    read = made_bait(codes, comparisons=[], cues=None, agreement=None, gold={}, without=[])
    read["systems"] = read["systems"][2:3]
    folder = write_folder(tmp_path / "run", made_fates(("cues",)))
    files = write_bait(read, folder, tmp_path / "out")
    html = files[0].read_text()
    assert "models with" not in html
    assert html.count("Some_Long_Technique_13 Technique 13") > 1
    # Codes of the gold that the schema lacks are called by their code.
    assert "B01·1" in (tmp_path / "out" / "articles" / "plain.html").read_text()


def test_fates_of_an_article_that_the_gold_lacks_are_refused_and_leave_nothing(tmp_path):
    line = {**made_fates()[0], "article": "foreign"}
    folder = write_folder(tmp_path / "run", [line])
    with pytest.raises(RunError, match="foreign"):
        write_bait(made_bait(), folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_page_of_an_article_has_the_sign_and_word_of_every_fate(nasty):
    html = nasty.read_text()
    for sign, word in (
        ("✓", "found"), ("✗", "missed"), ("✓", "matched"), ("~", "overlaps gold of its bias"),
        ("≠", "on gold of another bias"), ("+", "on unmarked text"), ("?", "not in the article"),
    ):  # fmt: skip
        assert re.search(rf'<span class="fate f\d">{re.escape(sign)} {word}', html), word
    assert "located by similarity, 0.812" in html


def test_the_human_reference_is_not_shown_against_the_gold(nasty):
    data = json.loads(re.search(r'id="data">(.*?)</script>', nasty.read_text(), re.S)[1])
    assert data["systems"] == ["gpt-x", "<i>model", "cues"]
    # Runs in the order of their numbers, whatever the order of the file.
    assert [run["name"] for run in data["runs"]][:3] == [
        "no examples, k0-run1", "no examples, k0-run2", "3 examples, k3-seed17",
    ]  # fmt: skip


def scored(folder, read=None):
    write_folder(folder)
    (folder / "run.json").write_text('{"kind": "bait"}')
    (folder / "scores.json").write_text(json.dumps(read or made_bait()))
    return folder


def test_the_command_knows_a_run_of_bait(capsys, tmp_path):
    folder = scored(tmp_path / "run")
    code, out, _ = slant(capsys, "report", folder, "--json")
    assert code == 0
    assert json.loads(out)["report"] == str(folder / "report.html")
    assert (folder / "articles" / "plain.html").is_file()


@pytest.mark.parametrize("lacking", ["scores.json", "fates.jsonl", "gold.jsonl"])
def test_a_run_that_lacks_a_file_is_one_line_and_leaves_nothing(capsys, tmp_path, lacking):
    folder = scored(tmp_path / "run")
    (folder / lacking).unlink()
    code, out, err = slant(capsys, "report", folder, "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert lacking in err
    assert not (tmp_path / "out").exists()


def test_a_run_of_bait_beside_other_folders_is_refused(capsys, tmp_path):
    folder = scored(tmp_path / "run")
    code, _, err = slant(capsys, "report", tmp_path, folder)
    assert code == 2
    assert f"'{folder}' is a run of BAIT" in err


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_no_page_scrolls_sideways(browser, page, nasty, width, dark):
    assert_it_never_scrolls_sideways(browser, page[0] / "report.html", width, dark)
    assert_it_never_scrolls_sideways(browser, nasty, width, dark)


def test_opening_the_page_asks_for_the_page_alone(browser, page):
    assert_it_asks_for_itself_alone(browser, page[0] / "report.html")


def test_an_article_asks_for_nothing_and_its_script_runs_under_its_own_policy(browser, nasty):
    browser.requests.clear()
    browser.open(nasty)
    assert browser.requests == [nasty.absolute().as_uri()]
    assert not browser.value("document.getElementById('choice').hidden")


SIDES = ("gold-text", "gold-list", "answer-text", "answer-list", "told", "which")
STATE = f"[{','.join(f'document.getElementById({name!r}).innerHTML' for name in SIDES)}]"


def choose(browser, system, run):
    browser.value(
        f"(() => {{ const s = document.getElementById('system'); s.value = '{system}';"
        "s.dispatchEvent(new Event('change')); const r = document.getElementById('run');"
        f"r.selectedIndex = {run}; r.dispatchEvent(new Event('change')) }})()"
    )


@pytest.mark.parametrize("name", ["a-b", "plain", "empty"])
def test_the_script_draws_the_first_run_as_the_page_has_it(browser, page, name):
    browser.open(page[0] / "articles" / f"{name}.html")
    written = browser.value(STATE)
    choose(browser, 1, 0)
    choose(browser, 0, 1)
    choose(browser, 0, 0)
    assert browser.value(STATE) == written


def test_another_run_can_be_chosen_and_goes_with_the_reader_to_the_next_article(browser, page):
    browser.open(page[0] / "articles" / "plain.html")
    assert "of 4 gold spans found" in browser.value("document.getElementById('told').innerText")
    choose(browser, 0, 1)
    assert browser.value("document.getElementById('told').innerText") == (
        "The answer could not be used (cut off): it is scored as empty."
    )
    assert browser.value("document.querySelectorAll('#answer-text .s').length") == 0
    assert browser.value("document.querySelectorAll('#gold-text .f0').length") == 0
    link = browser.value("document.querySelector('a[rel=prev]').getAttribute('href')")
    assert link.startswith("a-b.html?system=gpt-x&run=no+examples%2C+k0-run2")
    browser.value("document.querySelector('a[rel=prev]').click()")
    while browser.value(
        "location.pathname.endsWith('plain.html') || document.readyState != 'complete'"
    ):
        pass
    assert (
        browser.value("document.getElementById('which').innerText") == "gpt-x, no examples, k0-run2"
    )


def test_the_text_is_whole_on_both_sides(browser, nasty):
    browser.open(nasty)
    bare = (
        "(id => { const box = document.getElementById(id).cloneNode(true);"
        "box.querySelectorAll('.tag').forEach(t => t.remove()); return box.textContent })"
    )
    expected = NASTY.replace("\r\n", "\n").replace("\x00", "\u2400").replace("\x1b", "\u241b")
    assert browser.value(f"{bare}('gold-text')") == expected
    assert browser.value(f"{bare}('answer-text')") == expected


def test_spans_of_one_trigger_light_up_together(browser, page):
    browser.open(page[0] / "articles" / "plain.html")
    browser.value("document.querySelector('#answer-text .tag').focus()")
    assert browser.value(
        "[...document.querySelectorAll('#answer-text .on')].map(e => e.textContent)"
    ) == ["B01·1 ✓", "Experts warn", " of ruin", "B01·1 ✓", "Experts warn of ruin"]


def test_two_biases_on_one_passage_have_a_line_each(browser, page):
    browser.open(page[0] / "articles" / "plain.html")
    pieces = browser.value(
        "[...document.querySelectorAll('#gold-text .s')].map(e => [e.className, e.dataset.t, e.textContent])"
    )
    # B01 is found in the first run, B04 on the same passage is missed; "ruin" is in B01 and B02.
    assert pieces == [
        ["s a0 b4", "1 3", "Experts warn of ruin"], ["s a0", "1", "Experts warn of "],
        ["s a0 b4", "1 2", "ruin"], ["s b4", "2", " again"],
    ]  # fmt: skip
    drawn = browser.value(
        "getComputedStyle(document.querySelector('#gold-text .s')).backgroundImage"
    )
    assert "repeating-linear-gradient" in drawn
    assert drawn.startswith("linear-gradient")


@pytest.mark.parametrize("dark", [False, True])
def test_every_tag_can_be_read(browser, nasty, dark):
    browser.open(nasty, dark=dark)

    def channels(selector, what):
        text = browser.value(f"getComputedStyle(document.querySelector('{selector}')).{what}")
        return [float(part) for part in text.strip("rgb()").split(",")]

    ground = channels("body", "backgroundColor")
    for fate in range(5):
        assert contrast(channels(f".tag.f{fate}", "color"), ground) >= 4.5


def test_every_system_bias_and_article_has_a_row(page):
    rows = rows_of(page[0], "leaderboard")
    assert {row["system"] for row in rows} == {"gpt-x", "<i>model", "cues", "human"}
    assert len(CODES) == len(rows_of(page[0], "gold")) - 1
    assert len(IDS) == len(rows_of(page[0], "articles"))

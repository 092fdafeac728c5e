"""The sheet for a third person, its answers, and the gold that follows."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from made_passes import TEXT, article, mark, word

from slant.annotate.adjudication import read_adjudicated
from slant.annotate.cases import ANSWERS, COLUMNS, GOLD, RECORD, merge_files
from slant.annotate.inclusion import Rule
from slant.annotate.merging import merged_gold
from slant.data.baitsamples import load_bait_samples
from slant.errors import DataError, OptionError

SPARE = "An extra article, with = signs; and “quotes”.\r\nIt ends 😀 here."


def write(folder, first, second, codes=("B01", "B02", "B03"), names=("ann", "ben"), **rule):
    merged = merged_gold(first, second, codes, names=names, rule=Rule(**rule))
    folder.mkdir(exist_ok=True)
    for path, content in merge_files(merged, folder).items():
        path.write_bytes(content)
    return merged


@pytest.fixture
def folder(tmp_path):
    """Kept: B03. Open: whether B01 is a trigger, where B02 begins, whether article 2 has B03."""
    first = [
        article("1", TEXT, mark("B01", word(1), sure=2), mark("B02", word(3, 4), sure=3)),
        article("2", SPARE, mark("B01", (3, 8), sure=3), labels=["B03"]),
    ]
    second = [
        article("1", TEXT, mark("B02", word(4, 5), sure=3), mark("B03", word(8), sure=3)),
        article("2", SPARE, mark("B01", (3, 8), sure=1)),
    ]
    write(tmp_path / "merged", first, second)
    return tmp_path / "merged"


def rows(folder):
    return list(csv.DictReader(io.StringIO((folder / ANSWERS).read_text("utf-8-sig"), newline="")))


def answer(folder, *changes, path=None, separator=",", encoding="utf-8"):
    """Fill in the rows, each change a dict of cells or a decision."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, delimiter=separator)
    writer.writeheader()
    for row, change in zip(rows(folder), changes, strict=True):
        writer.writerow({**row, **({"decision": change} if isinstance(change, str) else change)})
    (path or folder / ANSWERS).write_bytes(out.getvalue().encode(encoding))


def triggers(found):
    return [
        (e.item.id, m.category, [(s.start, s.end) for s in m.spans])
        for e in found.examples
        for m in e.gold.marks
    ]


def test_the_sheet_has_a_row_for_every_open_case_with_its_words_and_surroundings(folder):
    one, two, three = rows(folder)
    assert [r["kind"] for r in (one, two, three)] == ["trigger", "boundaries", "first pass"]
    assert (one["article"], one["bias"], one["spans"], one["texts"]) == ("1", "B01", "3..5", "“bb”")
    assert one["context"] == "…Aa [[bb]] cc dd ee ff gg hh ii jj…"
    assert (one["who"], one["why"]) == ("ann (2): 3..5", "ben did not mark it")
    assert two["who"] == "ann (3): 9..14 | ben (3): 12..17"
    assert two["spans"] == "9..17"
    assert (three["who"], three["spans"]) == ("ann", "")
    assert not any(r["decision"] for r in (one, two, three))


def test_keep_drop_and_an_annotators_name_give_the_gold(folder):
    answer(folder, "keep", "Ben", "keep")
    found = read_adjudicated(folder)
    assert triggers(found) == [
        ("1", "B01", [word(1)]), ("1", "B02", [word(4, 5)]), ("1", "B03", [word(8)]),
        ("2", "B01", [(3, 8)]),
    ]  # fmt: skip
    assert found.examples[1].gold.labels == {"B01", "B03"}
    assert found.without_trigger == (("2", "B03"),)
    assert found.counts == {"keep": 2, "drop": 0, "edit": 0, "ben": 1}
    answer(folder, "drop", "keep", "DROP ")
    found = read_adjudicated(folder)
    assert triggers(found)[:2] == [("1", "B02", [word(3, 5)]), ("1", "B03", [word(8)])]
    assert found.examples[0].gold.labels == {"B02", "B03"}
    assert found.examples[1].gold.labels == {"B01"}


def test_edit_changes_the_bias_or_the_spans_and_a_note_goes_along(folder):
    answer(
        folder,
        {"decision": "edit", "bias": "B03", "note": "not B01"},
        {"decision": "edit", "spans": "12..14; 27..29"},
        {"decision": "edit", "spans": "0-2"},
    )
    found = read_adjudicated(folder)
    assert triggers(found) == [
        ("1", "B03", [word(1)]), ("1", "B02", [word(4), word(9)]), ("1", "B03", [word(8)]),
        ("2", "B03", [(0, 2)]), ("2", "B01", [(3, 8)]),
    ]  # fmt: skip
    assert found.examples[0].gold.marks[0].note == "not B01"
    assert found.examples[0].gold.marks[0].confidence == 2
    assert found.without_trigger == ()


def test_a_spreadsheet_program_may_save_it_with_semicolons_and_a_mark(folder, tmp_path):
    answer(folder, "keep", "keep", "drop")
    plain = read_adjudicated(folder)
    other = tmp_path / "returned.csv"
    answer(folder, "keep", "keep", "drop", path=other, separator=";", encoding="utf-8-sig")
    assert read_adjudicated(folder, other) == plain


def test_adjudicating_twice_changes_nothing(folder):
    answer(folder, "keep", "keep", "drop")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert read_adjudicated(folder) == read_adjudicated(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_rows_without_a_decision_are_refused_or_left_out_when_asked(folder):
    answer(folder, "keep", "", "")
    with pytest.raises(DataError, match="2 of 3 cases have no decision: row 3, row 4"):
        read_adjudicated(folder)
    found = read_adjudicated(folder, partial=True)
    assert triggers(found) == [
        ("1", "B01", [word(1)]), ("1", "B03", [word(8)]), ("2", "B01", [(3, 8)]),
    ]  # fmt: skip
    assert len(found.unanswered) == 2
    text = (folder / ANSWERS).read_text("utf-8").splitlines()
    (folder / ANSWERS).write_text("\n".join(text[:2]))
    with pytest.raises(DataError, match=r"\(no row\)"):
        read_adjudicated(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("yes", "row 2 .* has the decision 'yes'. Write keep, drop, edit"),
        ("ann", "row 2 .* has the decision 'ann'"),
        ({"decision": "keep", "spans": "3..6"}, "row 2 .* says keep, and its bias or spans were"),
        ({"decision": "edit"}, "row 2 .* says edit, and its bias and spans are as before"),
        ({"decision": "edit", "bias": "B07"}, "row 2 .* has the bias 'B07'.*one of B01, B02, B03"),
        ({"decision": "edit", "spans": "3..99"}, "row 2 .* 3..99, and the article '1' has 29 char"),
        ({"decision": "edit", "spans": "5..3"}, "row 2 .* has the span 5..3"),
        ({"decision": "edit", "spans": "10. Dez"}, "row 2 .* has the spans '10. Dez'"),
        ({"decision": "keep", "id": "D001-0000"}, "row 2 has the id 'D001-0000', which this merge"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_its_row(folder, change, words):
    answer(folder, change, "keep", "drop")
    with pytest.raises(DataError, match=words):
        read_adjudicated(folder)


def test_a_trigger_without_a_span_is_no_edit(folder):
    answer(folder, {"decision": "edit", "spans": ""}, "keep", "drop")
    with pytest.raises(DataError, match=r"row 2 .* has no span"):
        read_adjudicated(folder)


def test_an_id_twice_is_refused(folder):
    twice = rows(folder)[0]["id"]
    answer(folder, "keep", {"id": twice, "decision": "keep"}, "drop")
    with pytest.raises(DataError, match="row 3 has the id of row 2 again"):
        read_adjudicated(folder)


def test_answers_to_another_merge_are_refused(folder, tmp_path):
    answer(folder, "keep", "keep", "drop")
    one = [article("1", TEXT, mark("B01", word(6), sure=1))]
    write(tmp_path / "other", one, [article("1", TEXT)])
    with pytest.raises(DataError, match="which this merge has not"):
        read_adjudicated(tmp_path / "other", folder / ANSWERS)


def test_merging_again_never_writes_over_decisions(folder):
    one = [article("1", TEXT, mark("B01", word(6), sure=1))]
    write(folder, one, [article("1", TEXT)])
    answer(folder, "keep")
    with pytest.raises(OptionError, match="holds 1 decisions"):
        write(folder, one, [article("1", TEXT)])


def test_nothing_open_needs_no_answer(tmp_path):
    one = [article("1", TEXT, mark("B01", word(6), sure=3))]
    write(tmp_path / "merged", one, one)
    assert rows(tmp_path / "merged") == []
    assert triggers(read_adjudicated(tmp_path / "merged")) == [("1", "B01", [word(6)])]


def test_a_folder_that_is_no_merge_or_a_damaged_one_is_refused(folder, tmp_path):
    with pytest.raises(DataError, match=r"has no merge\.json"):
        read_adjudicated(tmp_path)
    before = (folder / RECORD).read_bytes()
    record = json.loads(before)
    del record["open"][0]["bias"]
    (folder / RECORD).write_text(json.dumps(record))
    with pytest.raises(DataError, match=r"does not fit at 'open\.0\.bias'"):
        read_adjudicated(folder)
    record = json.loads(before) | {"codes": ["B09"]}
    (folder / RECORD).write_text(json.dumps(record))
    with pytest.raises(DataError, match="has a bias that codes do not name"):
        read_adjudicated(folder)
    (folder / RECORD).write_bytes(b"\x00\xff{")
    with pytest.raises(DataError, match="is not utf-8"):
        read_adjudicated(folder)


def test_cells_that_a_program_would_compute_are_disarmed(tmp_path):
    text = "=1+1 is a formula"
    one = [article("-1", text, mark("B01", (0, 4), sure=1))]
    write(tmp_path / "merged", one, [article("-1", text)])
    row = rows(tmp_path / "merged")[0]
    assert row["article"] == "'-1"
    assert all(not cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_the_samples_decisions_give_the_samples_gold(tmp_path):
    gold = load_bait_samples()[:16]  # those that were written by this rule
    sides = [[replace(e, gold=e.annotators[who]) for e in gold] for who in ("a", "b")]
    codes = [f"B0{n}" for n in range(1, 10)]
    merged = write(tmp_path / "merged", *sides, codes, names=("a", "b"), tie="union")
    of_gold = {
        e.item.id: [(m.category, s.start, s.end) for m in e.gold.marks for s in m.spans]
        for e in gold
    }
    # The sample's own third person kept what stands in its gold.
    kept = [
        not one.why.startswith("a grouped")
        and all((one.mark.category, s.start, s.end) in of_gold[one.article] for s in one.mark.spans)
        for one in merged.open
    ]
    assert sum(kept) == 6
    answer(tmp_path / "merged", *("keep" if one else "drop" for one in kept))
    found = read_adjudicated(tmp_path / "merged").examples
    for mine, its in zip(found, gold, strict=True):
        assert mine.item == its.item
        assert sorted(m.category for m in mine.gold.marks) == sorted(
            m.category for m in its.gold.marks
        )


def test_the_gold_so_far_is_an_annotated_file_of_its_own(folder):
    lines = [json.loads(line) for line in (folder / GOLD).read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["1", "2"]
    assert lines[1]["text"] == SPARE
    assert lines[1]["triggers"][0]["spans"] == [{"start": 3, "end": 8, "text": SPARE[3:8]}]


def test_an_emoji_family_a_joined_word_and_a_flag_stay_whole_in_the_sheet(tmp_path):
    family, word_, flag = "\U0001f469\u200d\U0001f469\u200d\U0001f467", "می\u200cخواهم", (
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    )  # fmt: skip
    text = f"{family} families agree.\r\n{word_} \u202e{flag} end"
    first = [article("1", text, mark("B01", (0, len(family)), sure=1))]
    write(tmp_path / "m", first, [article("1", text)])
    [row] = rows(tmp_path / "m")
    # line ends and the sign that turns text around become blanks
    assert row["context"] == f"…[[{family}]] families agree.  {word_}  {flag} end…"
    assert row["texts"] == f"“{family}”"

"""What an annotator is given, and what comes back."""

from __future__ import annotations

import json
import shutil
from xml.etree import ElementTree

import pytest
from made_passes import TEXT, mark, word

from slant.annotate.concordance import agreement
from slant.annotate.firstpass import SCHEMA, SHEET, package_schema, read_pass, read_passes
from slant.annotate.formats import read_annotated, write_annotated
from slant.annotate.packages import in_order, write_packages
from slant.annotate.sheets import read_sheet
from slant.annotate.toolconfigs import TOOLS, tool_files
from slant.data.schemas import load_schema, plain_schema
from slant.errors import DataError, OptionError, UnknownName
from slant.types import Answer, Example, Item

ITEMS = [Item(str(n), f"Title {n}\r\n\r\n{TEXT} 😀") for n in range(12)]
BAIT = load_schema("bait")


def packages(out, tool="jsonl", schema=BAIT, annotators=("ann", "ben"), items=ITEMS, seed=42):
    return write_packages(
        items, out, annotators, schema, tool=tool, seed=seed, codebook={"codebook.html": b"book"}
    )


def fill(folder, column, articles):
    """Tick a bias in the sheet of a package."""
    lines = (folder / SHEET).read_text("utf-8-sig").splitlines()
    at = lines[0].split(",").index(column)
    cells = [line.split(",") for line in lines]
    for row in cells[1:]:
        row[at] = "x" if row[1] in articles else ""
    (folder / SHEET).write_text("\n".join(",".join(row) for row in cells))


@pytest.mark.parametrize("tool", TOOLS)
def test_a_package_of_every_tool_reads_back_as_the_articles_without_annotations(tmp_path, tool):
    made = packages(tmp_path / "work", tool)
    assert [path.name for path in made] == ["ann", "ben"]
    for folder in made:
        names = {path.name for path in folder.iterdir()}
        assert {"README.md", "first-pass.csv", "codebook.html"} <= names
        assert not any(path.name.startswith(".") for path in folder.parent.iterdir())
        if tool == "label-studio":
            tasks = json.loads((folder / "annotations.json").read_bytes())
            assert {task["data"]["article"]: task["data"]["text"] for task in tasks} == {
                item.id: item.text for item in ITEMS
            }
            assert all(set(task) == {"data"} for task in tasks)
            continue
        found = read_pass(folder)
        assert {e.item.id: e.item.text for e in found} == {i.id: i.text for i in ITEMS}
        assert all(e.gold == Answer() for e in found)


def test_each_annotator_has_an_order_that_the_seed_and_the_ids_alone_make(tmp_path):
    orders = [[item.id for item in in_order(ITEMS, who, 42)] for who in ("ann", "ben")]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(item.id for item in ITEMS)
    assert [item.id for item in in_order(ITEMS[::-1], "ann", 42)] == orders[0]
    assert [item.id for item in in_order(ITEMS, "ann", 7)] != orders[0]
    folder = packages(tmp_path / "work")[0]
    assert [row["article"] for _, row in read_sheet(folder / SHEET, ["article"])] == orders[0]
    assert [e.item.id for e in read_annotated(folder / "annotations.jsonl")] == orders[0]


def test_what_annotators_send_back_is_read_with_their_first_pass(tmp_path):
    ann, ben = packages(tmp_path / "work", "brat")
    for folder, at in ((ann, 1), (ben, 2)):
        start, end = (11 + n for n in word(at))
        text = ITEMS[3].text[start:end]
        (folder / "annotations" / "3.ann").write_text(
            f"T1\tB02 {start} {end}\t{text}\nA1\tConfidence T1 2\n"
        )
        fill(folder, "B01", {"3", "5"} if folder == ann else {"5"})
    passes = read_passes(ann, ben, None, None, "bait", None)
    assert passes.names == ("ann", "ben")
    found = agreement(passes.first, passes.second, passes.codes, names=passes.names, resamples=100)
    assert [found["biases"]["B01"][key] for key in ("a", "b", "both")] == [2, 1, 1]
    assert [found["biases"]["B02"][key] for key in ("a", "b", "both")] == [1, 1, 1]
    third = {e.item.id: e.gold for e in passes.first}["3"]
    assert (third.labels, third.marks[0].confidence) == ({"B01"}, 2)


def test_work_that_is_there_is_never_written_over(tmp_path):
    packages(tmp_path / "work")
    note = tmp_path / "work" / "ben" / "annotations.jsonl"
    note.write_text("my work")
    with pytest.raises(OptionError, match=r"'.*ben' is there already, perhaps with work in it"):
        packages(tmp_path / "work", annotators=("cyd", "ben"))
    assert note.read_text() == "my work"
    assert not (tmp_path / "work" / "cyd").exists()


def test_a_command_that_was_killed_between_two_packages_is_gone_on_with(tmp_path):
    packages(tmp_path / "work")
    whole = {path: path.read_bytes() for path in (tmp_path / "work").rglob("*") if path.is_file()}
    shutil.rmtree(tmp_path / "work" / "ben")
    packages(tmp_path / "work")
    found = {path: path.read_bytes() for path in (tmp_path / "work").rglob("*") if path.is_file()}
    assert found == whole
    with pytest.raises(OptionError, match="is there already"):
        packages(tmp_path / "work")


def test_a_package_that_cannot_be_written_leaves_nothing(tmp_path):
    odd = [*ITEMS, Item("a/b", "Text.")]
    with pytest.raises(DataError, match="no file can have this name"):
        packages(tmp_path / "work", "brat", items=odd)
    assert not (tmp_path / "work").exists()


def test_names_articles_and_tools_are_checked(tmp_path):
    for names in ((), ("a", "A"), ("../x",), ("keep",), ("",)):
        with pytest.raises(OptionError):
            packages(tmp_path / "work", annotators=names)
    for items in ([], [ITEMS[0], ITEMS[0]], [Item("1", " \n")]):
        with pytest.raises(DataError):
            packages(tmp_path / "work", items=items)
    with pytest.raises(UnknownName, match="brat"):
        packages(tmp_path / "work", "bart")
    assert not (tmp_path / "work").exists()


def test_brat_gets_types_relations_inside_a_bias_ratings_and_names():
    files = tool_files(BAIT, "brat")
    conf = files["annotations/annotation.conf"].decode()
    sections = [line for line in conf.splitlines() if line.startswith("[")]
    assert sections == ["[entities]", "[relations]", "[events]", "[attributes]"]
    assert "\nB01\n" in conf
    assert "SameTrigger\tArg1:B04, Arg2:B04, <REL-TYPE>:symmetric-transitive" in conf
    assert "Confidence\tArg:<ENTITY>, Value:1|2|3" in conf
    assert "B04 | B04 Authority Bias | B04" in files["annotations/visual.conf"].decode()
    with pytest.raises(OptionError, match="letters, digits, - and _"):
        tool_files(plain_schema(["Name_Calling,Labeling"]), "brat")


def test_label_studio_gets_xml_whose_names_slant_reads_back():
    codes = ['A"<&>', "B02"]
    root = ElementTree.fromstring(tool_files(plain_schema(codes), "label-studio")["labelling.xml"])
    assert [one.get("value") for one in root.iter("Label")] == codes
    controls = {one.get("name"): one for one in root if one.get("name")}
    assert set(controls) == {"biases", "label", "text", "confidence"}
    assert controls["confidence"].get("maxRating") == "3"
    assert [one.get("value") for one in controls["biases"]] == codes


def test_doccano_and_webanno_get_their_labels():
    labels = json.loads(tool_files(BAIT, "doccano")["labels.json"])
    assert [one["text"] for one in labels] == list(BAIT.codes)
    assert len({one["background_color"] for one in labels}) == len(labels)
    tags = json.loads(tool_files(BAIT, "webanno")["tagset.json"])["tags"]
    assert [one["tag_name"] for one in tags] == list(BAIT.codes)
    assert tool_files(BAIT, "jsonl") == {}


def test_the_readme_names_the_order_the_ratings_and_the_tool(tmp_path):
    for tool in TOOLS:
        text = (packages(tmp_path / tool, tool)[0] / "README.md").read_text("utf-8")
        assert text.startswith("# Annotation: ann\n\n12 articles, 9 biases")
        for part in ("first-pass.csv", "3 high, 2 moderate, 1 low", f"## In {tool}\n"):
            assert part in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("B01", "maybe"), "row 2 has 'maybe' in the column B01. Write 1 or 0"),
        (("article", "99"), "the article '99' stands in the sheet alone"),
    ],
)
def test_a_first_pass_that_cannot_be_read_is_refused_with_its_row(tmp_path, change, words):
    folder = packages(tmp_path / "work")[0]
    lines = (folder / SHEET).read_text("utf-8-sig").splitlines()
    cells = lines[1].split(",")
    cells[lines[0].split(",").index(change[0])] = change[1]
    (folder / SHEET).write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]))
    with pytest.raises(DataError, match=words):
        read_pass(folder, schema=BAIT)


def test_sheets_without_a_column_with_too_many_fields_or_broken_quotes_are_refused(tmp_path):
    path = tmp_path / "sheet.csv"
    for content, words in [
        (b"id;other\n1;2\n", "it has no column 'decision', its columns are id, other"),
        (b"id,decision\n1,keep,3\n", "row 2 has 3 fields, the header has 2"),
        (b'id,decision\n1,"keep\n', "it is no sheet"),
        (b"id,decision,decision\n1,2,3\n", "the column 'decision' is there 2 times"),
        (b"", "the file is empty"),
        (b"id,decision\n\xff,1\n", "is not utf-8"),
    ]:
        path.write_bytes(content)
        with pytest.raises(DataError, match=words):
            read_sheet(path, ["id", "decision"])
    with pytest.raises(DataError, match="it is a folder"):
        read_sheet(tmp_path, ["id"])
    path.write_bytes(b"id\tdecision\r\n\r\n1\t keep \r\n")
    assert read_sheet(path, ["id"]) == [(3, {"id": "1", "decision": "keep"})]


def test_a_schema_may_be_called_by_its_names_and_refuses_others(tmp_path):
    path = tmp_path / "one.jsonl"
    example = Example(Item("1", TEXT), Answer(marks=(mark("Illusory Truth", word(1)),)))
    write_annotated([example], path, format="jsonl")
    assert read_pass(path, schema=BAIT)[0].gold.marks[0].category == "B01"
    with pytest.raises(DataError, match="Illusory Truth"):
        read_pass(path, schema=load_schema("ptc"))
    with pytest.raises(OptionError, match="two names"):
        read_passes(path, path, None, None, None, "ann")


@pytest.mark.parametrize("tool", TOOLS)
def test_the_readme_says_what_stands_for_the_number_of_a_trigger(tmp_path, tool):
    """The rules of bait ask for the same number; tools have relations, a feature, or an id."""
    told = " ".join((packages(tmp_path / "work", tool)[0] / "README.md").read_text().split())
    rules, _, steps = told.partition(f"## In {tool}")
    assert "same number" in rules
    assert "have the same number" in steps or "the number of the trigger" in steps


def tick(folder, old, new):
    text = (folder / SHEET).read_text("utf-8-sig")
    assert old in text
    (folder / SHEET).write_text(text.replace(old, new, 1))


def test_a_package_is_held_against_the_schema_that_it_was_made_with(tmp_path):
    ann, ben = packages(tmp_path / "work")
    assert package_schema(ann) == BAIT
    fill(ben, "B02", {"3"})
    passes = read_passes(ann, ben, None, None, None, None)
    assert (passes.codes, passes.bias_names["B01"]) == (BAIT.codes, "Illusory Truth")
    tick(ann, ",B01,", ",B0X,")
    with pytest.raises(DataError, match="no column 'B01'"):
        read_passes(ann, ben, None, None, None, None)
    tick(ann, ",B0X,", ",B01,")
    example = Example(Item("3", ITEMS[3].text), Answer(marks=(mark("B0X", word(1)),)))
    write_annotated([example], ann / "annotations.jsonl", format="jsonl")
    with pytest.raises(DataError, match="'B0X', which the schema has not"):
        read_pass(ann)


def test_packages_of_two_schemas_are_not_compared_unless_one_is_named(tmp_path):
    [ann] = packages(tmp_path / "one", annotators=["ann"], schema=plain_schema(["B01", "B02"]))
    [ben] = packages(tmp_path / "two", annotators=["ben"], schema=plain_schema(["B01", "B03"]))
    fill(ann, "B01", {"3"})
    with pytest.raises(DataError, match=r"has B01, B02, that of .* B01, B03"):
        read_passes(ann, ben, None, None, None, None)
    [cyd] = packages(tmp_path / "three", annotators=["cyd"], schema=plain_schema(["B01", "B02"]))
    (cyd / SCHEMA).unlink()  # as packages were before they had one
    assert read_passes(ann, cyd, None, None, None, None).codes == ("B01", "B02")


@pytest.mark.parametrize("schema", [None, "bait"])
def test_two_passes_in_which_nobody_said_anything_are_refused_and_one_is_named(tmp_path, schema):
    ann, ben = packages(tmp_path / "work")
    with pytest.raises(DataError, match="neither ann nor ben marked or ticked anything"):
        read_passes(ann, ben, None, None, schema, None)
    fill(ben, "B01", {"3"})
    assert read_passes(ann, ben, None, None, schema, None).untouched == ("ann",)
    fill(ann, "B02", {"5"})
    assert read_passes(ann, ben, None, None, schema, None).untouched == ()

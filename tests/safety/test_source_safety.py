"""What the source never does, whatever a test might miss: read off its syntax trees."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "slant"
MODULES = sorted(SOURCE.rglob("*.py"))
TEMPLATES = sorted((SOURCE / "report" / "templates").glob("*.j2"))
NODES = [
    (path, node)
    for path in MODULES
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
]
CALLS = [(path, node, ast.unparse(node.func)) for path, node in NODES if isinstance(node, ast.Call)]


def options(node: ast.Call) -> dict[str, str]:
    return {one.arg or "**": ast.unparse(one.value) for one in node.keywords}


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(SOURCE)}:{node.lineno}"


def calls(*names: str) -> list[tuple[str, ast.Call]]:
    """Where a function of one of these names is called, whatever stands before its last dot."""
    return [
        (where(path, node), node) for path, node, name in CALLS if name.rpartition(".")[2] in names
    ]


def test_the_search_finds_what_is_there():
    assert len(CALLS) > 10_000
    assert calls("from_pretrained")
    assert calls("unpack")


def test_no_code_of_a_checkpoint_is_trusted():
    for path in MODULES:
        for _, value in re.findall(
            r"(trust_remote_code)['\"]?\s*[=:]\s*(\w+)", path.read_text(encoding="utf-8")
        ):
            assert value == "False", path
    for place, node in calls("from_pretrained"):
        given = options(node)
        safe = given.get("trust_remote_code") == "False" or given.get("**") == "there"
        assert safe, place


def test_weights_are_read_from_safetensors_alone():
    for place, node in calls("from_pretrained"):
        if "Model" in ast.unparse(node.func):
            assert options(node).get("use_safetensors") == "True", place
    for path, node, name in CALLS:
        if name == "torch.load":
            assert options(node).get("weights_only") == "True", where(path, node)


def test_nothing_is_unpickled_but_by_the_unpickler_that_knows_its_classes():
    for path, node, name in CALLS:
        assert name not in {"pickle.load", "pickle.loads", "joblib.load", "dill.load", "shelve.open",
                            "marshal.loads", "pd.read_pickle"}, where(path, node)  # fmt: skip
        if name in {"np.load", "numpy.load"}:
            assert options(node).get("allow_pickle", "False") == "False", where(path, node)
    unpicklers = [
        path.relative_to(SOURCE).as_posix()
        for path, node in NODES
        if isinstance(node, ast.ClassDef) and "Unpickler" in "".join(map(ast.unparse, node.bases))
    ]
    assert unpicklers == ["embeddings/models.py"]


def test_archives_are_unpacked_by_the_one_function_that_looks_at_names():
    assert calls("extractall", "unpack_archive") == []
    # Of a 7z the one member goes into a pipe, and nothing is written under its name.
    members = [path.name for path, _, name in CALLS if name == "archive.extract"]
    assert members == ["packed.py"]


def test_xml_is_read_by_parsers_that_refuse_document_types_or_entities():
    for path, node, name in CALLS:
        last = name.rpartition(".")[2]
        assert last not in {"iterparse", "parseString", "XMLPullParser"}, where(path, node)
        assert last != "fromstring" or name == "np.fromstring", where(path, node)
    readers = {place.partition(":")[0] for place, _ in calls("XMLParser", "ParserCreate")}
    assert readers == {"data/documents.py", "analysis/elements.py", "wikis/dumps.py"}


def test_no_text_becomes_a_command_or_a_program():
    for path, node, name in CALLS:
        assert name not in {"eval", "exec", "compile", "__import__", "os.system", "os.popen",
                                    "subprocess.getoutput"}, where(path, node)  # fmt: skip
        assert options(node).get("shell", "False") == "False", where(path, node)


def test_pages_escape_by_themselves_and_no_template_says_that_a_text_is_safe():
    (made,) = calls("Environment")
    assert options(made[1])["autoescape"] == "True"
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape\s+false", text), path.name
        assert not re.search(r"\son[a-z]+\s*=", text), path.name


def test_the_network_is_asked_in_the_modules_that_look_at_hosts():
    opening = {"urlopen", "build_opener", "create_connection", "HTTPConnection", "HTTPSConnection"}
    asking = {place.partition(":")[0] for place, _ in calls(*opening)}
    assert asking == {
        "analysis/fetching.py",  # over a socket of hosts.connected
        "data/imagefetch.py", "data/transfers.py",  # with publicweb.PublicHandler
        "wikis/connection.py",  # looks at the address it is connected to
        "runs/clusters.py", "runs/localmodel.py",  # a place the user names, and this machine
    }  # fmt: skip


def test_images_are_opened_by_the_one_module_that_looks_at_their_size():
    opening = {path.name for path, _, name in CALLS if name in {"Image.open", "Pillow.open"}}
    assert opening == {"images.py"}


@pytest.mark.parametrize("library", ["requests", "httpx", "aiohttp", "urllib3", "yaml", "dill"])
def test_no_library_that_would_go_round_these_is_imported(library):
    for path in MODULES:
        assert not re.search(rf"^\s*(import|from) {library}\b", path.read_text("utf-8"), re.M), path

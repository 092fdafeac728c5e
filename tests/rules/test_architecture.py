"""The rules of docs/handbook.md that a machine can check."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "slant"
MODULES = sorted(path for path in SOURCE.rglob("*.py"))
# Nothing imports from a layer to its right; layers in one set do not import one another.
LAYERS = [
    {"types", "errors"},
    {"data", "metrics", "stats"},
    {"systems", "wikis", "annotate"},
    {"embeddings"},
    {"explain"},
    {"tasks", "analysis"},
    {"runs"},
    {"report"},
    {"web"},
    {"cli"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "core", "manager", "misc"}
HEAVY = {
    "numpy",
    "polars",
    "sklearn",
    "scipy",
    "torch",
    "gensim",
    "selectolax",
    "transformers",
    "vl_convert",
    "joblib",
    "ray",
    "inspect_ai",
    "PIL",
    "trafilatura",
    "lxml",
    "pypdf",
    "py3langid",
    "fastapi",
    "starlette",
    "uvicorn",
    "sqlite3",
}


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> set[str]:
    """Every module named in an import statement anywhere in the tree."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_left(path):
    layer = layer_of(path)
    if layer in {"__init__", "__main__"}:
        return
    for name in imported(ast.parse(path.read_text())):
        parts = name.split(".")
        if parts[0] == "slant" and len(parts) > 1 and parts[1] in RANK and parts[1] != layer:
            assert RANK[parts[1]] < RANK[layer], f"{name_of(path)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_at_most_300_lines(path):
    assert len(path.read_text().splitlines()) <= 300


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_parquet_files_are_read_by_their_names_which_are_no_patterns(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or "BytesIO" in ast.unparse(node):
            continue
        if ast.unparse(node.func) in {"pl.read_parquet", "pl.scan_parquet"}:
            assert "glob" in {word.arg for word in node.keywords}, ast.unparse(node)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_folders_are_two_levels_deep_and_names_say_what_is_inside(path):
    parts = path.relative_to(SOURCE).parts
    assert len(parts) <= 2 or parts[1] in {"samples"}
    assert path.stem not in VAGUE


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_public_functions_have_a_docstring_and_types(path):
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"
            assert node.returns is not None, f"{node.name} does not say what it returns"


@pytest.mark.parametrize(
    "path", [p for p in MODULES if layer_of(p) in {"metrics", "stats"}], ids=name_of
)
def test_metrics_and_statistics_touch_nothing_outside_themselves(path):
    tree = ast.parse(path.read_text())
    outside = {"os", "pathlib", "json", "polars", "pandas", "sqlite3", "urllib", "subprocess"}
    assert not imported(tree) & outside
    calls = {
        n.func.id
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    assert not calls & {"open", "print", "input"}


@pytest.mark.parametrize(
    ("layer", "kind"),
    [
        ("metrics", "Tally"),
        ("stats", "Estimate"),
        ("systems", "System"),
        ("explain", "Attribution"),
    ],
)
def test_a_folder_is_named_for_what_its_functions_return(layer, kind):
    """Only `layer` (and what stands right of it) has functions that return its noun."""
    for path in MODULES:
        if RANK.get(layer_of(path), 99) >= RANK[layer]:
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                assert kind not in ast.unparse(node.returns).split("["), (
                    f"{name_of(path)}: {node.name}"
                )


def test_importing_slant_loads_nothing_heavy():
    import subprocess
    import sys

    code = "import slant, slant.cli, sys; print(' '.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not HEAVY & set(loaded)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_in_the_source_seeds_globally_or_swallows_an_import(path):
    text = path.read_text()
    for seeded in ("np.random.seed(", "random.seed(", "torch.manual_seed(0)"):
        assert seeded not in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name):
            silent = len(node.body) == 1 and isinstance(node.body[0], ast.Pass)
            assert not (node.type.id == "ImportError" and silent)


SCRIPTS = sorted(
    path for folder in ("benchmarks", "campaigns", "docs", "samples")
    for path in (SOURCE.parents[1] / folder).rglob("*.py")
)  # fmt: skip


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_a_script_beside_the_package_takes_from_it_is_there(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "slant":
            module = importlib.import_module(node.module)
            for name in node.names:
                inside = (
                    importlib.util.find_spec(f"{node.module}.{name.name}")
                    if hasattr(module, "__path__")
                    else None
                )
                assert hasattr(module, name.name) or inside, f"{node.module} has no {name.name}"

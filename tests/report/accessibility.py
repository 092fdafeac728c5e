"""axe-core in the open page: the rules that a machine can check."""

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = ("axe_playwright_python", "axe_core_python")


def axe_path():
    """Where axe.min.js lies in one of the packages that bring it, or None."""
    for name in PACKAGES:
        spec = find_spec(name)
        if spec and spec.origin:
            path = Path(spec.origin).with_name("axe.min.js")
            if path.is_file():
                return path
    return None


def violations(browser, rules=None):
    """What axe-core finds in the open page: (rule, first elements) of each violation.

    Args:
        browser: with the page open.
        rules: options of `axe.run`.
    """
    browser.call("Runtime.evaluate", expression=axe_path().read_text("utf-8"))
    ran = browser.call(
        "Runtime.evaluate",
        expression=f"axe.run(document, {json.dumps(rules or {})}).then(found => JSON.stringify("
        "{passes: found.passes.length, violations: found.violations.map("
        "v => [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))])}))",
        awaitPromise=True,
        returnByValue=True,
    )
    found = json.loads(ran["result"]["value"])
    # A page on which nothing was checked has no violations either.
    assert found["passes"] > 20
    return found["violations"]


def needed_axe():
    """`violations`; where no package brings axe-core its tests are skipped, in CI they fail."""
    if axe_path() is None:
        reason = "no package with axe-core is installed: nobody checks the page for accessibility"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return violations

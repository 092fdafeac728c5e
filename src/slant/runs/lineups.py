"""Several systems on the same tasks: one run directory each, all checked before the first runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slant.errors import OptionError, RunError, unknown_name
from slant.runs.engine import Progress
from slant.runs.results import RunResults
from slant.runs.run import quiet, run
from slant.systems import SYSTEMS, Given, reads_windows
from slant.systems.checkpoints import load_encoder
from slant.systems.classifier import load_classifier
from slant.systems.finetuned import checked_length
from slant.systems.given import object_system
from slant.systems.parameters import parameter_value
from slant.systems.pipelines import PARAMETERS, is_pipeline


def system_list(text: str) -> list[str]:
    """The systems of a comma list.

    A comma within a path that exists (`predictions:mine,2.csv`) belongs to the path.

    Args:
        text: "tfidf-lr,encoder:bart"; one name alone is a list of one.

    Returns:
        The systems, in order.

    Raises:
        UnknownName: one begins with no system's name. OptionError: one is empty or given twice.

    >>> system_list("tfidf-lr, encoder:bart,encoder:gpt2")
    ['tfidf-lr', 'encoder:bart', 'encoder:gpt2']
    """
    parts = text.split(",")
    found: list[str] = []
    while parts:
        longest = len(parts) if ":" in parts[0] else 1
        size = next((n for n in range(longest, 1, -1) if _is_path(",".join(parts[:n]))), 1)
        found.append(",".join(parts[:size]).strip())
        parts = parts[size:]
    if len(found) == 1:
        return found
    asked = f"Reading the systems '{text}'"
    for number, one in enumerate(found):
        name = one.partition(":")[0]
        if not one or one in found[:number]:
            what = f"'{one}' is given twice" if one else "one is empty"
            raise OptionError(asked, what, "Write each once, as tfidf-lr,encoder:minilm")
        if name not in SYSTEMS:
            raise unknown_name("system", name, SYSTEMS)
    return found


def _is_path(spec: str) -> bool:
    path = spec.partition(":")[2].strip()
    return bool(path) and Path(path).expanduser().exists()


def run_names(systems: Sequence[Given]) -> list[str]:
    """The folder of each system's run: safe as a file name, and no two alike, whatever the case.

    The system's name and the last part of its checkpoint's path or name, joined by "-"; where two
    would be alike, as many of the parts before it as tell them apart, and else a number.

    Args:
        systems: as `system_list` gives them, or objects, which are called by what they are.

    >>> run_names(["tfidf-lr", "encoder:convbert", "encoder:a/small", "encoder:b/small"])
    ['tfidf-lr', 'encoder-convbert', 'encoder-a-small', 'encoder-b-small']
    """
    parts = [_parts(one) for one in systems]
    depth = 1
    names = [_joined(own, depth) for own in parts]
    while depth < max(map(len, parts)) and len({*map(str.casefold, names)}) < len(names):
        depth += 1
        alike = [_times(name, names) > 1 for name in names]
        names = [
            _joined(own, depth) if more else name
            for own, more, name in zip(parts, alike, names, strict=True)
        ]
    for number, name in enumerate(names):
        count = 2
        while _times(names[number], names[: number + 1]) > 1:
            names[number] = f"{name}-{count}"
            count += 1
    return names


def _times(name: str, names: Sequence[str]) -> int:
    return sum(one.casefold() == name.casefold() for one in names)


def _parts(system: Given) -> tuple[str, ...]:
    """The system's name, and the parts of its checkpoint, the last first."""
    if not isinstance(system, str):
        family, _, told = object_system(system, {})[0].partition(":")
        return family, told.rpartition("#")[0]
    name, _, checkpoint = system.partition(":")
    path = Path(checkpoint).expanduser()
    whole = path.resolve() if path.exists() else path
    own = [one for one in whole.parts if one != whole.anchor] if checkpoint else []
    return name, *reversed(own)


def _joined(parts: Sequence[str], depth: int) -> str:
    own = "-".join([parts[0], *reversed(parts[1 : depth + 1])])
    return re.sub(r"[^\w.+-]+", "-", own)


def shared_params(systems: Sequence[Given], params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each system's parameters: those of the given ones that it accepts.

    Raises:
        UnknownName: no system accepts one of them.

    >>> shared_params(["tfidf-lr", "encoder:bart"], {"epochs": "2"})
    [{}, {'epochs': '2'}]
    """
    kinds = [_kind(one) for one in systems]
    known = {name: one.accepts for name, one in SYSTEMS.items()} | {"pipeline": PARAMETERS}
    accepted = {kind: {key.name for key in known.get(kind, ())} for kind in kinds}
    for key in params:
        if not any(key in names for names in accepted.values()):
            raise unknown_name(
                f"parameter of {', '.join(accepted)}", key, set().union(*accepted.values())
            )
    return [{key: params[key] for key in params if key in accepted[kind]} for kind in kinds]


def _kind(system: Given) -> str:
    """The name before the colon; of a pipeline "pipeline", of other objects their type's."""
    if isinstance(system, str):
        return system.partition(":")[0]
    return "pipeline" if is_pipeline(system) else type(system).__name__


def run_lineup(
    tasks: str | Sequence[str],
    systems: Sequence[Given],
    out: Path | str,
    *,
    params: Mapping[str, Any] | None = None,
    fresh: bool = False,
    progress: Progress = quiet,
    **same: Any,
) -> RunResults:
    """Run several systems on the same tasks, one after the other, each in a directory of its own.

    Before the first starts, each is checked: its name and parameters, that its checkpoint can be
    had and read, that its predictions fit, and that its directory holds no other run. The same call
    again resumes each. A system that fails ends the work; what is finished stays.

    Args:
        tasks: as for `run`.
        systems: their names, or objects as for `run`.
        out: the folder of the run directories, which `run_names` names.
        params: each goes to the systems that accept it; at least one must.
        fresh: throw away what is in the run directories first.
        progress: called with (done, total, what) of the system that runs.
        same: what else `run` takes.

    Returns:
        The runs, in order.

    Raises:
        SlantError: see the message.
    """
    folder = Path(out)
    if (folder / "run.json").exists():
        raise RunError(
            f"Writing runs below '{folder}'", "it is the directory of one run itself",
            "Choose another --out",
        )  # fmt: skip
    names = run_names(systems)
    own = shared_params(systems, params or {})
    work = list(zip(systems, own, [folder / name for name in names], strict=True))
    for number, (system, given, _) in enumerate(work):
        progress(number, len(work), f"checking {names[number]}")
        if isinstance(system, str):
            _check_checkpoint(system, given)
    for system, given, place in work:
        run(tasks, system, place, params=given, fresh=fresh, progress=progress, dry=True, **same)
    runs = RunResults()
    for number, (system, given, place) in enumerate(work, start=1):
        which = f"{place.name} ({number} of {len(work)})"

        def told(done: float, total: int, what: str, which: str = which) -> None:
            progress(done, total, f"{which} {what}".strip())

        runs.append(run(tasks, system, place, params=given, fresh=fresh, progress=told, **same))
    return runs


def _check_checkpoint(system: str, params: Mapping[str, Any]) -> None:
    """Read an encoder's checkpoint once: a fault in it must not be found out after hours."""
    name, _, checkpoint = system.partition(":")
    if not reads_windows(system) or not checkpoint:
        return
    if name == "classifier":
        model = load_classifier(checkpoint, str(params.get("biased", "")))
    else:
        model = load_encoder(checkpoint, 0)
    for one in SYSTEMS[name].accepts:
        if one.name == "max_length":
            given = params.get(one.name, one.default)
            checked_length(model, int(parameter_value(name, one, given)))

"""Judges asked about the rationales of a ViLBias run, and about planted ones first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from slant.runs.askedfolders import FILE, clear_logs, joined
from slant.runs.baitanswers import StoredAnswer
from slant.runs.baitbudget import GIVEN_UP, AskingLimits, Watch, check_limits
from slant.runs.judgeplan import (
    Due,
    JudgeSettings,
    check_judging,
    checked_judging,
    due_verdicts,
)
from slant.runs.modelasking import Asked, Query
from slant.runs.modelruns import ERRORS_TOLD, Notice, Progress, counted, opened
from slant.runs.results import AskedQuestions
from slant.runs.secretkeys import check_no_secrets
from slant.runs.store import only_writer, read_json, write_json
from slant.runs.verdictjournals import StoredVerdict, VerdictJournal
from slant.runs.vilbiasfolder import AskedRecord, AskedSystem, read_record
from slant.systems.judgeprompts import asked_again, judge_sha256, verdict_form
from slant.systems.modelfamilies import same_family
from slant.systems.turns import Turn
from slant.systems.verdicts import verdict

_STOPPED: Final = "stopped"
"""The key of a judge in run.json that says why it is not asked any further."""
_ON: Final = "only --again asks it on"


def judge_run(
    folder: Path,
    judges: Sequence[str],
    *,
    settings: JudgeSettings | None = None,
    limits: AskingLimits | None = None,
    model_args: Mapping[str, Any] | None = None,
    base_url: str | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    again: bool = False,
) -> AskedQuestions:
    """Ask judges about every rationale of a run that can be read, and ask nothing twice.

    Rule: planted rationales go first. A reply that is not in the schema is asked for again in other
    words, up to `tries`; then it stays as a verdict that cannot be read, and is counted. A judge
    with ten such verdicts in a row is not asked any further, by later calls neither, unless these
    say `again`.

    Args:
        folder: of `slant vilbias run`, with open answers.
        judges: as inspect-ai names them.
        settings: of the judging.
        limits: of the asking, tokens and dollars being those of all verdicts of the folder.
        model_args, base_url, progress, notice: as for `run_vilbias`.
        again: ask on judges that were stopped for what they replied.

    Returns:
        "asked", "stored", "failed", "left" (counts), "errors", "stopped", "tokens", "cost", and by
        judge in "judges": "verdicts", "read", "faults" (unreadable ones by kind), "kin" (models of
        its own family).

    Raises:
        OptionError, RunError, MissingExtra: before anything is sent.
        WorkFailed: the disk took no verdict. What arrived is kept.
    """
    settings, limits = settings or JudgeSettings(), limits or AskingLimits()
    args, names = dict(model_args or {}), list(dict.fromkeys(judges))
    record = checked_judging(settings, names, folder)
    check_limits(limits, names)
    check_no_secrets(args, base_url, names)
    with only_writer(folder) as release:
        release()
        clear_logs(folder)
        due = {name: list(due_verdicts(folder, name, settings)) for name in names}
        unread = {
            name: [one for one in several if one.waits(settings.tries)]
            for name, several in due.items()
        }
        given_up = {} if again else _given_up(record, unread)
        waiting = {name: [] if name in given_up else unread[name] for name in names}
        models = opened(
            [name for name in names if waiting[name]],
            settings.temperature, settings.max_tokens, limits, args, base_url,
        )  # fmt: skip
        watch = _watch(folder, limits, notice)
        _write_judges(folder, _judges(folder, record, names, settings, args))
        watch.stopped |= {name: f"it was before: {why}; {_ON}" for name, why in given_up.items()}
        unusable: dict[str, str] = {}
        if models:
            from slant.runs.modelasking import ask

            total = sum(map(len, waiting.values()))
            try:
                ask(
                    [
                        _asked(name, model, waiting[name], settings.tries, watch, unusable)
                        for name, model in models.items()
                    ],
                    "vilbias-verdicts", settings.structured, limits,
                    watch=watch, logs=folder / "logs",
                    told=counted(progress, total, next(iter(models))),
                )  # fmt: skip
            finally:
                _write_judges(folder, _stopped(folder, waiting, unusable))
    return AskedQuestions(_outcome(record, due, waiting, watch))


def check_judges(
    judges: Sequence[str],
    settings: JudgeSettings,
    limits: AskingLimits,
    model_args: Mapping[str, Any],
    base_url: str | None,
    folder: Path,
) -> None:
    """Refuse judges that `judge_run` could not ask, before the models whose answers they judge are.

    Args:
        judges, settings, limits, model_args, base_url: of the judging.
        folder: of the run, which need not exist.

    Raises:
        OptionError, RunError, MissingExtra: as `judge_run`.
    """
    check_judging(settings, judges)
    check_limits(limits, judges)
    check_no_secrets(model_args, base_url)
    opened(
        judges, settings.temperature, settings.max_tokens, limits, model_args, base_url
    )  # fmt: skip
    record = read_record(folder)
    if record is not None:
        _judges(folder, record, judges, settings, model_args)


def _asked(
    name: str,
    model: Any,
    waiting: Sequence[Due],
    tries: int,
    watch: Watch,
    unusable: dict[str, str],
) -> Asked:
    by_id = {one.id: one for one in waiting}
    used: dict[str, int] = {}
    row = 0

    def before(one: Due) -> StoredVerdict | None:
        return one.journal.about(one.place, one.sum)

    for key, one in by_id.items():
        found = before(one)
        used[key] = found.tries if found is not None and found.reply.raw is not None else 0

    def again(query: Query, reply: StoredAnswer, number: int) -> list[Turn] | None:
        fault = verdict(reply.raw, reply.stop).fault
        used[query.id] += 1
        if fault is None or used[query.id] >= tries:
            return None
        return asked_again(query.turns(), fault, number)

    def keep(query: Query, reply: StoredAnswer) -> None:
        nonlocal row
        one = by_id[query.id]
        one.journal.add(one.place, StoredVerdict(reply, used[query.id], one.sum, one.facts))
        fault = verdict(reply.raw, reply.stop).fault
        row = 0 if fault is None else row + (reply.raw is not None)
        if row >= GIVEN_UP:
            unusable[name] = f"{row} verdicts in a row cannot be read, the last: {fault}"
            watch.stopped[name] = f"{unusable[name]}; {_ON}"

    queries = [
        Query(
            id=key,
            turns=one.turns,
            form=verdict_form(one.place.order),
            before=found.reply if (found := before(one)) is not None else None,
            facts={"verdicts": one.journal.path.stem, **one.place._asdict()},
        )
        for key, one in by_id.items()
    ]
    return Asked(name, model, queries, keep, again)


def _watch(folder: Path, limits: AskingLimits, notice: Notice | None) -> Watch:
    watch = Watch(limits, [], notice)
    for path in sorted((folder / "verdicts").glob("*/*.jsonl")):
        for stored in VerdictJournal(path).verdicts.values():
            watch.tokens += (stored.reply.usage or {}).get("total_tokens", 0)
            watch.cost += (stored.reply.usage or {}).get("total_cost", 0)
    return watch


def _given_up(record: AskedRecord, unread: Mapping[str, Sequence[Due]]) -> dict[str, str]:
    """Judges of whom verdicts are missing and who were stopped for what they replied, and why."""
    return {
        one.name: str(why)
        for one in record.judges
        if unread.get(one.name) and (why := (one.model_extra or {}).get(_STOPPED))
    }


def _judges(
    folder: Path,
    record: AskedRecord,
    names: Sequence[str],
    settings: JudgeSettings,
    args: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """The judges of a folder and those of this call, as run.json has them."""
    bound = {
        "images": settings.images,
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
        "structured": settings.structured,
        "prompts_sha256": judge_sha256(),
    }
    params = {name: str(value) for name, value in args.items()}
    added = [AskedSystem(name=name, kind="judge", params=params, **bound) for name in names]
    stopped = {one.name: (one.model_extra or {}).get(_STOPPED) for one in record.judges}
    before = [AskedSystem(**one.model_dump(exclude={_STOPPED})) for one in record.judges]
    shown = [one.model_dump() for one in joined(folder, before, added, "judge")]
    return [{**one, _STOPPED: why} if (why := stopped.get(one["name"])) else one for one in shown]


def _stopped(
    folder: Path, waiting: Mapping[str, Sequence[Due]], unusable: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The judges of a folder, those that were asked with why they are not asked any further."""
    shown = []
    for one in read_json(folder / FILE, "the run")["judges"]:
        name, why = one["name"], one.get(_STOPPED)
        why = unusable.get(name) if waiting.get(name) else why
        facts = {key: value for key, value in one.items() if key != _STOPPED}
        shown.append({**facts, _STOPPED: why} if why else facts)
    return shown


def _write_judges(folder: Path, judges: Sequence[Mapping[str, Any]]) -> None:
    content = read_json(folder / FILE, "the run")
    write_json(folder / FILE, {**content, "judges": list(judges)})


def _outcome(
    record: AskedRecord,
    due: Mapping[str, Sequence[Due]],
    waiting: Mapping[str, Sequence[Due]],
    watch: Watch,
) -> dict[str, Any]:
    errors, told, counts = [], {}, Counter[str]()
    for name, several in due.items():
        replies = [(one, one.journal.about(one.place, one.sum)) for one in several]
        there = [(one, found.reply) for one, found in replies if found is not None]
        faults = Counter(
            fault for _, reply in there if (fault := verdict(reply.raw, reply.stop).fault)
        )
        told[name] = {
            "verdicts": len(there),
            "read": len(there) - faults.total(),
            "faults": dict(sorted(faults.items())),
            "kin": [one.name for one in record.systems if same_family(name, one.name)],
        }
        asked = {one.id for one in waiting[name]}
        for one, found in replies:
            if found is None:
                counts["left"] += 1
            elif one.id not in asked:
                counts["stored"] += 1
            else:
                counts["asked"] += 1
                if found.reply.raw is None:
                    counts["failed"] += 1
                    errors.append({"judge": name, "item": one.id, "error": found.reply.error or ""})
    return {
        **{name: counts[name] for name in ("asked", "stored", "failed", "left")},
        "judges": told,
        "errors": errors[:ERRORS_TOLD],
        "stopped": dict(watch.stopped),
        "tokens": watch.tokens,
        "cost": watch.cost or None,
    }

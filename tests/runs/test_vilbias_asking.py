"""Models asked about pairs: a scripted server sees the images and answers well, badly, late, half."""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections import Counter

import pytest
from scriptedvision import (
    KEY,
    VISION,
    Said,
    inspect_home,
    knowing,
    made_pairs,
    number_in,
    pixels,
    vision_server,
)

from slant.errors import DataError, OptionError, RunError
from slant.runs.baitanswers import Journal, answers_path
from slant.runs.baitbudget import AskingLimits
from slant.runs.vilbias import estimate_vilbias, run_vilbias
from slant.runs.vilbiasdata import VilbiasData
from slant.runs.vilbiasplan import VilbiasSettings
from slant.systems.pairanswers import pair_answer
from slant.systems.pairprompts import system_text

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

# One attempt each: the client repeats nothing by itself either.
LIMITS = AskingLimits(max_retries=0, timeout=60)
ONCE = {"max_retries": 0}
BOTH = VilbiasSettings(modes=("closed", "open"), shots=(0, 5))
BUSY, BROKEN, HALF, EMPTY, WORDS, DECLINED, WRONG_KEY, NO_SCHEMA, OUTSIDE = range(1, 10)
TESTED = 10


@pytest.fixture(scope="module", autouse=True)
def inspect_here(tmp_path_factory):
    """inspect-ai and Pillow, which are extras, with a home for traces."""
    with inspect_home(tmp_path_factory.mktemp("inspect")) as patch:
        yield patch


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return made_pairs(tmp_path_factory.mktemp("pairs"), TESTED)


def faulty(data):
    """Closed and without examples, nine of ten pairs have a fault of their own."""
    wrong = {
        BUSY: Said(status=429, headers={"retry-after": "1"}, message="slow down"),
        BROKEN: Said(status=500, message="on fire"),
        HALF: Said('{"label": "bia', stop="length"),
        EMPTY: Said(""),
        WORDS: Said("The text slants the matter."),
        DECLINED: Said("I'm sorry, I can't help with that.", stop="content_filter"),
        WRONG_KEY: Said(status=401, message=f"the key {KEY} is unknown"),
        OUTSIDE: Said('{"label": "Likely"}'),
    }

    def reply(sent, before):
        number = number_in(sent.text)
        if sent.open_ended or sent.shots:
            return knowing(data)(sent, before)
        if number == NO_SCHEMA and "response_format" in sent.body:
            return Said(status=400, message=f"response_format is not supported ({KEY})")
        return wrong.get(number) or knowing(data)(sent, before)

    return reply


def run(data, folder, server, **more):
    settings = more.pop("settings", BOTH)
    limits = more.pop("limits", LIMITS)
    return run_vilbias(
        data, folder, models=[VISION], settings=settings, limits=limits, model_args=ONCE,
        base_url=server.url, **more,
    )  # fmt: skip


def answers(folder, name="closed-k0"):
    return Journal(answers_path(folder, VISION, name)).answers


@pytest.fixture(scope="module")
def first(tmp_path_factory, data, inspect_here):
    """A run with every fault, then the same again with a server in good health, twice."""
    folder = tmp_path_factory.mktemp("vilbias") / "run"
    told = []
    with vision_server(faulty(data)) as server:
        found = run(data, folder, server, progress=lambda *now: told.append(now))
        requests, kept = list(server.requests), answers(folder)
        server.reply = knowing(data)
        again = run(data, folder, server)
        more = [number_in(one.text) for one in server.requests[len(requests) :]]
        done = run(data, folder, server)
        last = len(server.requests) - len(requests) - len(more)
    return {
        "folder": folder, "found": found, "requests": requests, "told": told, "kept": kept,
        "again": again, "more": more, "done": done, "last": last, "keys": server.keys,
    }  # fmt: skip


def test_every_kind_of_bad_reply_is_kept_under_the_name_of_its_fault(first):
    faults = {
        n: pair_answer(one.raw, open_ended=False, stop=one.stop).fault
        for n in range(1, TESTED + 1)
        for one in [first["kept"][f"pair-{n}"]]
    }
    assert faults == {
        BUSY: "no-answer", BROKEN: "no-answer", WRONG_KEY: "no-answer", HALF: "cut-off",
        EMPTY: "empty", WORDS: "not-json", DECLINED: "refusal", NO_SCHEMA: None,
        OUTSIDE: "unknown-label", 10: None,
    }  # fmt: skip
    assert "slow down" in first["kept"][f"pair-{BUSY}"].error
    assert "the key [key] is unknown" in first["kept"][f"pair-{WRONG_KEY}"].error


def test_what_failed_is_reported_and_a_rerun_asks_for_that_alone(first):
    # Two modes at two numbers of examples, ten pairs each.
    counts = ("asked", "stored", "failed", "left")
    assert [first["found"][name] for name in counts] == [40, 0, 3, 0]
    assert [first["again"][name] for name in counts] == [3, 37, 0, 0]
    assert sorted(first["more"]) == [BUSY, BROKEN, WRONG_KEY]
    assert [first["done"][name] for name in counts] == [0, 40, 0, 0]
    assert first["last"] == 0
    assert [now[:2] for now in first["told"]] == [(n, 40) for n in range(41)]


def test_the_server_receives_the_pixels_of_the_file_for_pair_and_examples(first, data):
    files = {number_in(one.text): one.image.read_bytes() for one in data.pairs}
    seen = Counter()
    for sent in first["requests"]:
        for role, text, images in sent.turns:
            if role == "user":
                (image,) = images
                seen[sent.shots] += 1
                assert pixels(image) == pixels(files[number_in(text)])
            else:
                assert images == []
    # k0: two modes, ten pairs, and NO_SCHEMA once more; k5: six user turns in each of 20.
    assert seen == {0: 21, 5: 120}


def test_an_image_that_is_too_large_is_sent_small_and_upright(tmp_path, data):
    from PIL import Image

    path = tmp_path / "large.jpg"
    Image.new("RGB", (3000, 1000), (200, 30, 30)).save(path, exif=b"Exif\0\0" + _turned())
    from dataclasses import replace

    one = replace(data.pairs[0], image=path)
    with vision_server(knowing(data)) as server:
        settings = VilbiasSettings(image_side=300)
        run(VilbiasData("made", [one, data.pairs[1]]), tmp_path / "run", server, settings=settings)
        sizes = {number_in(sent.text): pixels(sent.images[0])[1] for sent in server.requests}
    assert sizes[1] == (100, 300)


def _turned() -> bytes:
    """EXIF that says: turn by a quarter."""
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6
    return exif.tobytes().removeprefix(b"Exif\0\0")


def test_what_is_sent_is_instructions_then_examples_of_train_then_the_pair(first, data):
    by_text = {one.text: one for one in data.pairs}
    orders = set()
    for sent in (one for one in first["requests"] if one.shots):
        mode = "open" if sent.open_ended else "closed"
        assert sent.turns[0][1] == system_text(mode)
        shown = []
        for (_, text, _), (_, said, _) in zip(sent.turns[1:-1:2], sent.turns[2:-1:2], strict=True):
            one = next(pair for known, pair in by_text.items() if known in text)
            assert one.role == "train"
            found = pair_answer(said, open_ended=sent.open_ended)
            assert found.biased == bool(one.label)
            assert found.rationale == (one.rationale if sent.open_ended else None)
            shown.append(one.id)
        orders.add(tuple(shown))
        assert sorted(by_text[text].label for text in by_text if by_text[text].id in shown) in (
            [0, 0, 0, 1, 1], [0, 0, 1, 1, 1],
        )  # fmt: skip
    # One draw for all pairs, closed and open.
    assert len(orders) == 1
    assert answers(first["folder"], "open-k5-seed17")["pair-1"].examples == orders.pop()


def test_a_server_without_structured_output_is_asked_again_without_it(first):
    bodies = [
        one.body for one in first["requests"]
        if number_in(one.text) == NO_SCHEMA and not one.open_ended and not one.shots
    ]  # fmt: skip
    assert ["response_format" in one for one in bodies] == [True, False]
    assert not first["kept"][f"pair-{NO_SCHEMA}"].structured


def test_the_key_is_sent_and_stands_in_no_file_and_logs_hold_no_image(first):
    assert first["keys"] == {KEY}
    files = [path for path in first["folder"].rglob("*") if path.is_file()]
    logs = [path for path in files if path.suffix == ".eval"]
    assert len(logs) == 2
    for path in files:
        assert KEY.encode() not in path.read_bytes()
    for path in logs:
        with zipfile.ZipFile(path) as packed:
            for name in packed.namelist():
                content = packed.read(name)
                assert KEY.encode() not in content, name
                assert b"data:image/png;base64,iVBOR" not in content, name


def test_the_folder_holds_gold_images_and_what_binds_it(first, data):
    folder = first["folder"]
    lines = [json.loads(line) for line in (folder / "gold.jsonl").read_text().splitlines()]
    asked = [one["id"] for one in lines if one["role"] == "test"]
    assert asked == [f"pair-{n}" for n in range(1, TESTED + 1)]
    assert len([one for one in lines if one["role"] == "train"]) == 5
    by_id = {one.id: one for one in data.pairs}
    for one in lines:
        assert pixels((folder / one["image"]).read_bytes()) == pixels(
            by_id[one["id"]].image.read_bytes()
        )
    assert json.loads((folder / "run.json").read_text())["data"]["asked"] == TESTED


def test_a_server_that_is_late_is_not_waited_for_and_asked_again_by_the_next_command(
    tmp_path, data
):
    def late(sent, before):
        return Said("late", wait=2) if number_in(sent.text) == 1 else knowing(data)(sent, before)

    with vision_server(late) as server:
        slow = AskingLimits(max_retries=0, timeout=1)
        found = run(data, tmp_path / "run", server, settings=VilbiasSettings(), limits=slow)
        errors = {one["item"]: one["error"] for one in found["errors"]}
        assert "AttemptTimeoutError" in errors["pair-1"]
        server.reply = knowing(data)
        again = run(data, tmp_path / "run", server, settings=VilbiasSettings())
    # On a busy machine others may be late, too.
    assert again["asked"] == found["failed"] == len(errors)
    assert (again["stored"], again["failed"]) == (TESTED - len(errors), 0)


def test_caps_count_what_every_model_and_run_of_the_folder_took(tmp_path, data):
    closed, opened = VilbiasSettings(limit=3), VilbiasSettings(limit=3, modes=("open",))
    with vision_server(knowing(data)) as server:
        took = run(data, tmp_path / "run", server, settings=closed)["tokens"]
        assert took > 0
        capped = AskingLimits(max_retries=0, timeout=60, max_tokens_total=int(took))
        found = run(data, tmp_path / "run", server, settings=opened, limits=capped)
    assert (found["asked"], found["left"], found["unbegun"]) == (0, 3, 3)
    assert found["tokens"] == took


def test_a_folder_with_other_files_is_refused_and_left_as_it_is(tmp_path, data):
    (tmp_path / "gold.jsonl").write_text("mine")
    with pytest.raises(RunError, match=r"other files \('gold.jsonl'\)"):
        run_vilbias(data, tmp_path, models=[VISION])
    assert [one.read_text() for one in tmp_path.iterdir()] == ["mine"]


def test_a_refused_start_leaves_no_folder_behind(tmp_path, data):
    with pytest.raises(OptionError, match="nosuch/x"):
        run_vilbias(data, tmp_path / "a" / "run", models=["nosuch/x"])
    assert not list(tmp_path.iterdir())


def test_without_images_only_text_is_sent_and_the_folder_is_bound_to_it(tmp_path, data):
    blind = VilbiasSettings(images=False, limit=3)
    with vision_server(knowing(data)) as server:
        found = run(data, tmp_path / "run", server, settings=blind)
        assert all(not one.images for one in server.requests)
        assert found["without_image"] == 3
        with pytest.raises(RunError, match="begun with images False, now True"):
            run(data, tmp_path / "run", server, settings=VilbiasSettings(limit=3))


def test_a_larger_limit_and_more_runs_ask_only_for_what_is_new(tmp_path, data):
    with vision_server(knowing(data)) as server:
        run(data, tmp_path / "run", server, settings=VilbiasSettings(limit=2))
        found = run(
            data, tmp_path / "run", server, settings=VilbiasSettings(limit=4, modes=("open",))
        )
        assert (found["asked"], found["stored"]) == (4, 0)
        found = run(data, tmp_path / "run", server, settings=VilbiasSettings(limit=4))
    assert (found["asked"], found["stored"]) == (2, 2)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (record["settings"]["modes"], record["settings"]["limit"]) == (["closed", "open"], 4)


def test_an_estimate_sends_nothing_and_counts_what_is_left(tmp_path, data):
    with vision_server(knowing(data)) as server:
        (before,) = estimate_vilbias(data, tmp_path / "run", [VISION], BOTH, LIMITS)
        assert not server.requests
        assert not (tmp_path / "run").exists()
        run(data, tmp_path / "run", server, settings=VilbiasSettings())
    (after,) = estimate_vilbias(data, tmp_path / "run", [VISION], BOTH, LIMITS)
    # Ten pairs: 2 modes x (1 image at k0 + 6 at k5) = 140 images; one mode's k0 is done then.
    assert (before["calls"], before["images"]) == (40, 140)
    assert (after["calls"], after["images"]) == (30, 130)


def test_a_run_inside_an_event_loop_works_too(tmp_path, data):
    """A notebook has one, where inspect-ai's eval() alone fails."""

    async def cell():
        return run(data, tmp_path / "run", server, settings=VilbiasSettings(limit=2))

    with vision_server(knowing(data)) as server:
        assert asyncio.run(cell())["asked"] == 2


@pytest.mark.parametrize("content", [b"", b"no image", b"\x89PNG\r\n\x1a\n cut"])
def test_an_image_that_is_none_is_said_with_its_pair_before_anything_is_written(
    tmp_path, data, content
):
    from dataclasses import replace

    path = tmp_path / "bad.png"
    path.write_bytes(content)
    pairs = [replace(data.pairs[0], image=path), *data.pairs[1:]]
    with pytest.raises(DataError, match=r"bad\.png' of the pair 'pair-1'"):
        run_vilbias(VilbiasData("made", pairs), tmp_path / "run", models=[VISION])
    assert not (tmp_path / "run" / "run.json").exists()


def test_an_image_that_was_exchanged_is_not_taken_for_the_old_one(tmp_path, data):
    from dataclasses import replace

    with vision_server(knowing(data)) as server:
        run(data, tmp_path / "run", server, settings=VilbiasSettings(limit=2))
        pairs = [replace(data.pairs[0], image=data.pairs[3].image), *data.pairs[1:]]
        with pytest.raises(RunError, match="image of the pair 'pair-1' is another one"):
            run(VilbiasData("made", pairs), tmp_path / "run", server, settings=VilbiasSettings())


def test_open_examples_without_a_gold_rationale_are_one_clear_line(tmp_path, data):
    from dataclasses import replace

    bare = VilbiasData("made", [replace(one, rationale=None) for one in data.pairs])
    with pytest.raises(DataError, match="gold is missing: no pair that examples come from"):
        run_vilbias(bare, tmp_path / "run", models=[VISION], settings=BOTH)


def test_a_key_among_arguments_or_no_model_is_refused(tmp_path, data):
    with pytest.raises(OptionError, match="looks like a key"):
        run_vilbias(data, tmp_path / "run", models=[VISION], model_args={"api_key": "x"})
    with pytest.raises(OptionError, match="names no model"):
        run_vilbias(data, tmp_path / "run", models=[])

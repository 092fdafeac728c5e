import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.systems.imagestatistics import NAMES, colour_statistics


def named(pixels):
    return dict(zip(NAMES, colour_statistics(np.asarray(pixels, dtype=np.uint8)), strict=True))


def plain(colour, size=(4, 6)):
    return np.broadcast_to(np.array(colour, dtype=np.uint8), (*size, 3))


def test_a_red_image_is_one_colour_of_the_first_hue_without_edges():
    got = named(plain((255, 0, 0)))
    assert (got["mean red"], got["mean green"], got["mean saturation"]) == (1, 0, 1)
    assert got["saturated hue 1 of 12"] == 1
    assert got["share of 512 colours"] == 1 / 512
    assert got["mean edge"] == got["share of edges"] == 0
    # R - G = 1 and (R + G) / 2 - B = 0.5 everywhere: 0.3 * sqrt(1 + 0.25), no deviation.
    assert got["colourfulness"] == pytest.approx(0.3 * 1.25**0.5)


@pytest.mark.parametrize(
    ("colour", "hue"), [((0, 255, 0), 5), ((0, 0, 255), 9), ((255, 255, 0), 3)]
)
def test_hues_go_round_from_red_over_green_and_blue(colour, hue):
    # Green stands at 120 of 360 degrees, the fifth of twelve parts; blue at 240; yellow at 60.
    assert named(plain(colour))[f"saturated hue {hue} of 12"] == 1


def test_an_upright_edge_is_seen_where_it_stands_and_in_its_direction():
    # Black left, white right, 6 by 6: differences of neighbours are 0.5 in the two middle columns,
    # and 0 elsewhere; so a third of the places are edges, of mean length 1/6. Direction 1 is level.
    pixels = np.zeros((6, 6, 3), dtype=np.uint8)
    pixels[:, 3:] = 255
    got = named(pixels)
    assert got["share of edges"] == pytest.approx(1 / 3)
    assert got["mean edge"] == got["edges of direction 1 of 8"] == pytest.approx(1 / 6)
    # The middle column of cells holds both: 0.5 at each of its places.
    assert [got[f"edges in cell {k} of 9"] for k in (4, 5, 6)] == pytest.approx([0, 0.5, 0])
    turned = named(pixels.transpose(1, 0, 2))
    assert turned["edges of direction 5 of 8"] == pytest.approx(1 / 6)


def test_greys_are_counted_in_eighths():
    # Luma of (32, 32, 32) is 0.1255, just in the second eighth; 255 falls in the last.
    pixels = np.concatenate([plain((32, 32, 32), (1, 3)), plain((255, 255, 255), (1, 1))], axis=1)
    got = named(pixels)
    assert [got[f"share of grey {k} of 8"] for k in (1, 2, 8)] == [0, 0.75, 0.25]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_every_image_has_finite_statistics_and_shares_add_up(height, width, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    got = named(pixels)
    values = np.array(list(got.values()))
    assert np.isfinite(values).all()
    assert (values[1:] >= 0).all()
    assert sum(v for k, v in got.items() if k.startswith("share of grey")) == pytest.approx(1)
    hues = sum(v for k, v in got.items() if k.startswith("saturated hue"))
    assert hues == pytest.approx(got["mean saturation"])
    edges = sum(v for k, v in got.items() if k.startswith("edges of direction"))
    assert edges == pytest.approx(got["mean edge"])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_mirrored_image_has_the_same_colours_and_mirrored_cells(seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (6, 9, 3), dtype=np.uint8)
    plain_, turned = named(pixels), named(pixels[:, ::-1])
    kept = [k for k in NAMES if not k.startswith("edges")]
    assert [plain_[k] for k in kept] == pytest.approx([turned[k] for k in kept])
    cells = np.array([plain_[f"edges in cell {k + 1} of 9"] for k in range(9)]).reshape(3, 3)
    other = np.array([turned[f"edges in cell {k + 1} of 9"] for k in range(9)]).reshape(3, 3)
    assert other == pytest.approx(cells[:, ::-1])

"""Where the labels of a scatter plot stand, so that none covers a point or another label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, dist, exp, log, pi, sin

_CHARACTER, _LINE, _DOT = 5.9, 12.0, 5.0
_TURNS = (0, 8, 4, 12, 2, 14, 6, 10, 1, 15, 7, 9, 3, 13, 5, 11)

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a label stands, in the units of the axes: its centre, and the end of the line that
    leads to its point, None where the label is right beside it and nearer to no other point."""

    centre: tuple[float, float]
    leader: tuple[float, float] | None


def label_places(
    points: Sequence[tuple[float, float]],
    labels: Sequence[str],
    sizes: tuple[float, float],
    shares: tuple[float, float],
    pixels: tuple[int, int],
) -> list[Place]:
    """Where each label stands.

    Rule: labels are placed in order of their points from the left; each takes the first place
    on rings of growing radius around its point (right, left, above, below, then between) that
    lies in the plot and touches neither a point nor a label; if no ring has one, the nearest
    place on the right.

    Args:
        points: (size, share) of each point; sizes are above 0.
        labels: one per point.
        sizes: the ends of the logarithmic horizontal axis.
        shares: the ends of the linear vertical axis.
        pixels: width and height of the plot.

    >>> label_places([(10, 0.5)], ["a"], (1, 100), (0, 1), (200, 100))[0].centre[1]
    0.5
    """
    width, height = pixels
    span, tall = log(sizes[1] / sizes[0]), shares[1] - shares[0]

    def value(x: float, y: float) -> tuple[float, float]:
        return sizes[0] * exp(span * x / width), shares[1] - y / height * tall

    dots = [(log(n / sizes[0]) / span * width, (shares[1] - y) / tall * height) for n, y in points]
    taken: list[Box] = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in dots]
    found: dict[int, Place] = {}
    for i in sorted(range(len(dots)), key=lambda j: dots[j]):
        half = len(labels[i]) * _CHARACTER / 2
        x, y, ring = _place(dots[i], half, taken, pixels, 12) or (
            dots[i][0] + _DOT + 3 + half,
            dots[i][1],
            0,
        )
        box = _box(x, y, half)
        taken.append(box)
        edge = (min(max(dots[i][0], box[0]), box[2]), min(max(dots[i][1], box[1]), box[3]))
        own = dist(dots[i], edge)
        nearer = any(_gap(dot, box) <= own for j, dot in enumerate(dots) if j != i)
        found[i] = Place(value(x, y), value(*edge) if ring or nearer else None)
    return [found[i] for i in range(len(dots))]


def free_places(
    dots: Sequence[tuple[float, float]],
    labels: Sequence[str],
    pixels: tuple[int, int],
    *,
    taken: Sequence[Box] = (),
) -> list[Place | None]:
    """Where each label of a crowded plot stands, and which have no room.

    Rule: as in `label_places`, but the points farthest from the mean of all come first, and a label
    that finds no place on four rings is left out.

    Args:
        dots: (x, y) of each point in pixels from the upper left corner.
        labels: one per point.
        pixels: width and height of the plot.
        taken: further boxes (left, top, right, bottom) that no label may touch.

    Returns:
        One place per point, in pixels; None for a label without room.

    >>> [place is None for place in free_places([(50, 50), (52, 50)], ["a", "b" * 99], (100, 100))]
    [False, True]
    """
    if not dots:
        return []
    middle = (sum(x for x, _ in dots) / len(dots), sum(y for _, y in dots) / len(dots))
    every = [*taken, *((x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in dots)]
    found: list[Place | None] = [None] * len(dots)
    for i in sorted(range(len(dots)), key=lambda j: (-dist(dots[j], middle), dots[j], labels[j])):
        half = len(labels[i]) * _CHARACTER / 2
        if (place := _place(dots[i], half, every, pixels, 4)) is None:
            continue
        x, y, ring = place
        box = _box(x, y, half)
        every.append(box)
        edge = (min(max(dots[i][0], box[0]), box[2]), min(max(dots[i][1], box[1]), box[3]))
        nearer = any(_gap(dot, box) <= dist(dots[i], edge) for j, dot in enumerate(dots) if j != i)
        found[i] = Place((x, y), edge if ring or nearer else None)
    return found


def _place(
    dot: tuple[float, float],
    half: float,
    taken: Sequence[Box],
    pixels: tuple[int, int],
    rings: int,
) -> tuple[float, float, int] | None:
    for ring in range(rings):
        reach = _DOT + 3 + 9.0 * ring
        for turn in _TURNS:
            angle = turn * pi / 8
            x = dot[0] + cos(angle) * (reach + half)
            y = dot[1] - sin(angle) * (reach + _LINE / 2)
            box = _box(x, y, half)
            inside = box[0] >= 0 and box[2] <= pixels[0] and box[1] >= 0 and box[3] <= pixels[1]
            if inside and not any(_touch(box, other) for other in taken):
                return x, y, ring
    return None


def _box(x: float, y: float, half: float) -> Box:
    return (x - half, y - _LINE / 2, x + half, y + _LINE / 2)


def _gap(dot: tuple[float, float], box: Box) -> float:
    return dist(dot, (min(max(dot[0], box[0]), box[2]), min(max(dot[1], box[1]), box[3])))


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

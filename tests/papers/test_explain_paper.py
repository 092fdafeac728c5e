"""Chen et al., A Multi-Dimensional Evaluation of Explainability in Media Bias Detection, table E1.

Base, None and Circ are printed to 4 decimals, so a retention is known up to
(0.00005 + 0.00005 * |Ret.|) / |Base| and the printed one up to 0.00005 more, a rescue up to 0.00015.
"""

from __future__ import annotations

import numpy as np
import pytest

from slant.metrics.faithfulness import rescue, retention

KS = (1, 3, 5, 10, 20, 30)
# Model and condition: base; then none, circ, retention and rescue for each k.
TABLE_E1 = {
    "BERT-b Std": (
        0.3059,
        (
            (0.3045, 0.0560, 0.1830, -0.2485),
            (0.2958, 0.0633, 0.2071, -0.2325),
            (0.2712, 0.0778, 0.2542, -0.1935),
            (0.2476, 0.0887, 0.2900, -0.1589),
            (0.1748, 0.1387, 0.4533, -0.0362),
            (0.0825, 0.1729, 0.5653, 0.0905),
        ),
    ),
    "BERT-b Attn": (
        0.1200,
        (
            (0.0990, 0.0009, 0.0076, -0.0981),
            (0.0885, 0.0122, 0.1015, -0.0763),
            (0.0667, 0.0149, 0.1238, -0.0518),
            (0.0560, 0.0285, 0.2372, -0.0275),
            (0.0379, 0.0445, 0.3710, 0.0067),
            (0.0300, 0.0680, 0.5663, 0.0380),
        ),
    ),
    "BERT-l Std": (
        0.0163,
        (
            (0.0177, -0.0001, -0.0061, -0.0178),
            (0.0165, 0.0007, 0.0415, -0.0158),
            (0.0154, 0.0015, 0.0911, -0.0139),
            (0.0234, 0.0048, 0.2922, -0.0187),
            (0.0199, 0.0094, 0.5754, -0.0106),
            (0.0159, 0.0150, 0.9210, -0.0009),
        ),
    ),
    "BERT-l Attn": (
        0.0627,
        (
            (0.0564, -0.0023, -0.0371, -0.0588),
            (0.0481, -0.0037, -0.0588, -0.0518),
            (0.0412, -0.0009, -0.0141, -0.0421),
            (0.0272, 0.0052, 0.0836, -0.0219),
            (0.0234, 0.0138, 0.2202, -0.0096),
            (0.0201, 0.0260, 0.4137, 0.0058),
        ),
    ),
    "RoB-b Std": (
        0.1259,
        (
            (0.1040, -0.0006, -0.0045, -0.1046),
            (0.0876, -0.0011, -0.0086, -0.0886),
            (0.0495, -0.0001, -0.0011, -0.0497),
            (0.0088, 0.0004, 0.0035, -0.0083),
            (0.0049, 0.0116, 0.0918, 0.0066),
            (0.0014, 0.0362, 0.2873, 0.0347),
        ),
    ),
    "RoB-b Attn": (
        0.0869,
        (
            (0.0638, -0.0000, 0.0000, -0.0638),
            (0.0418, 0.0029, 0.0338, -0.0388),
            (0.0230, 0.0063, 0.0721, -0.0167),
            (0.0064, 0.0164, 0.1882, 0.0100),
            (-0.0028, 0.0213, 0.2446, 0.0240),
            (-0.0037, 0.0423, 0.4871, 0.0460),
        ),
    ),
    "RoB-l Std": (
        0.0468,
        (
            (0.0429, -0.0001, -0.0024, -0.0430),
            (0.0095, 0.0009, 0.0183, -0.0086),
            (0.0110, 0.0011, 0.0244, -0.0098),
            (-0.0104, 0.0009, 0.0195, 0.0113),
            (-0.0110, 0.0021, 0.0445, 0.0131),
            (-0.0156, 0.0033, 0.0712, 0.0189),
        ),
    ),
    "RoB-l Attn": (
        0.0707,
        (
            (0.0698, -0.0002, -0.0030, -0.0700),
            (0.0402, -0.0009, -0.0131, -0.0411),
            (0.0524, 0.0000, 0.0004, -0.0524),
            (0.0487, 0.0004, 0.0054, -0.0483),
            (0.0461, -0.0004, -0.0050, -0.0465),
            (0.0374, 0.0022, 0.0318, -0.0351),
        ),
    ),
}
ROWS = [
    pytest.param(base, *row, id=f"{name} k={k}")
    for name, (base, rows) in TABLE_E1.items()
    for k, row in zip(KS, rows, strict=True)
]


@pytest.mark.parametrize(("base", "none", "circ", "kept", "rescued"), ROWS)
def test_retention_and_rescue_of_table_e1_follow_from_its_other_columns(
    base, none, circ, kept, rescued
):
    share = float(retention(np.float64(circ), np.float64(base)))
    assert abs(share - kept) <= (0.00005 + 0.00005 * abs(share)) / (base - 0.00005) + 0.00005
    assert float(rescue(np.float64(circ), np.float64(none))) == pytest.approx(rescued, abs=0.000151)


def test_table_e1_has_eight_models_and_six_sizes():
    assert len(TABLE_E1) == 8
    assert all(len(rows) == len(KS) for _, rows in TABLE_E1.values())

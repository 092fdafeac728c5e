"""A fit gives the same bits whether or not it is the first thing in its process."""

from __future__ import annotations

import subprocess
import sys

FIRST = """
from slant.systems.threads import one_blas_thread
with one_blas_thread():
    import scipy.linalg
    from threadpoolctl import threadpool_info
    print({one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"})
"""


def test_libraries_that_a_fit_would_load_first_are_held_to_one_thread_too():
    done = subprocess.run(
        [sys.executable, "-c", FIRST], capture_output=True, text=True, check=True,
        env={"OPENBLAS_NUM_THREADS": "2", "PATH": "/usr/bin"},
    )  # fmt: skip
    assert done.stdout.strip() == "{1}"

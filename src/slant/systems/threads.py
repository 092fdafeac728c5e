"""Sums that are the same in every process: linear algebra on one thread."""

from __future__ import annotations

from typing import Any


def one_blas_thread() -> Any:
    """A context in which numpy, scipy and scikit-learn add up on one thread.

    More threads add in another order, and the last bits of a sum go by how many cores there are.
    A limit holds only for libraries that are loaded when it is set: a fit that is the first thing
    in its process would load scipy's own within the block and use every core, so they are loaded
    here first.
    """
    import scipy.linalg  # noqa: F401
    import sklearn.linear_model  # noqa: F401
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1)

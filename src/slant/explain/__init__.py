"""Why a model says what it says: scores of tokens, and the attention heads that carry them."""

import sys

from slant import CalledFolder

# `slant.explain` is the verb, too, which this folder would hide once it is imported.
sys.modules[__name__].__class__ = CalledFolder

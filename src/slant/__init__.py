"""slant measures media bias: examples become folds, folds become predictions, predictions become
counts, counts become estimates, estimates become pages."""

__version__ = "0.1.0"

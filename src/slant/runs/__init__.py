"""Runs on disk: cells, scores, comparisons."""

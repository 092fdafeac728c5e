"""Intervals and tests: pure functions of counts."""

"""Counts and scores: pure functions of gold and prediction."""

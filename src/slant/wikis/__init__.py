"""Wikis: pages of running text, from a wiki's API or from its dump."""

"""Data sets: cards, files, readers, and the unified table of texts with labels."""

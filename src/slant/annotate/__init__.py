"""Gold sets: annotation files, agreement, merging and adjudication."""

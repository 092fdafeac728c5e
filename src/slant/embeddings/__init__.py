"""Word embeddings: vectors, word sets, and what the sets are associated with."""

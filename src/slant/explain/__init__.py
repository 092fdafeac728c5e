"""Why a model says what it says: scores of tokens, and the attention heads that carry them."""

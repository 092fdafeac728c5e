"""The local server: the pages of `slant analyze` in a browser, a JSON API, a history in SQLite."""

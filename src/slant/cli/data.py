"""slant data: list, show, import, fetch, check, add, export, leaks."""

"""What commands say of themselves."""

from __future__ import annotations

from slant.cli.options import command_line


def test_the_command_is_recorded_without_keys(monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "abc-123456")
    words = ["slant", "analyze", "https://a.org/?token=x1", "--note", "abc-123456", "-m", "a b"]
    monkeypatch.setattr("sys.argv", words)
    said = "slant analyze 'https://a.org/?token=[key]' --note [key] -m 'a b'"
    assert command_line() == said

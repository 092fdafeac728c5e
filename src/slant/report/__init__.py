"""Runs become pages: HTML, figures and tables. The only place that rounds; it computes nothing."""

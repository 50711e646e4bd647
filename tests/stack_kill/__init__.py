"""Processes of the site killed in the middle of matches."""

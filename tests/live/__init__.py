"""Tests against the whole product: the launcher, real processes, a real browser, real kills."""

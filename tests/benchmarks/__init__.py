"""Measurements of a running installation. Never part of the default suite; see docs/benchmarks.md."""

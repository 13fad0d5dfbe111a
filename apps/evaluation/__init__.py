"""Measuring: question files asked over a working organisation, answers and retrieval scored by written rules.

The commands `ask`, `inspect` and `evaluate` live here. Public: `services`, `scoring`.
"""

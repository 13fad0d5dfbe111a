"""Answering: the Reasoner seam, the built-in engine, tools, grounding, one LangGraph graph.

LangGraph is imported here and nowhere else. Tables: RunStep. Public: `services`, `contracts`.
"""

"""The built-in mind: deterministic, extractive, no key and no network. Implements `agents.reasoning.Reasoner`.

It reads tables and sentences and words its own frame around typed values; it never judges and never follows
what a document says: document text is only ever matched, quoted or parsed as a number.
"""

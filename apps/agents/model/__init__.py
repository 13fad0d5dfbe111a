"""The Reasoner over a chat model: prompts as Markdown files, replies as JSON, evidence by id.

The model proposes; evidence ids it invents and quotes that are not on the page are dropped here, and what it words
is checked by grounding like every other mind's. It never sees more than the question, the earlier questions of the
conversation and the passages found for it.
"""

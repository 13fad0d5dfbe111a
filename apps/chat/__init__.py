"""Conversations: asking, answers with their statements and citations, feedback. Private to their author.

Tables: Conversation, Message, Statement, Citation, Feedback. Public: `services`, `selectors`, `contracts`.
"""

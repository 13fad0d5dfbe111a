"""The desk: conversations, answers with statements and citations, feedback; saved scopes and the inbox of notices.

All of it is private to one person. Tables: Conversation, Message, Statement, Citation, Feedback, SavedScope, Notice,
Desk. Public: `services`, `selectors`, `contracts`. Within: branches and line (the tree of questions, one answered at a
time), history (search in one's own), scopes, notices, copying, desks and live (what open tabs watch).
"""

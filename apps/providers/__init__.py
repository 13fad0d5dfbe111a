"""Outside services and built-in models, one door each; vendors are imported when first used. No tables yet.

Public: embedding (embed_query, embed_passages, space, is_available), vendors (registry).
"""

"""Finding passages: chunks with a text index and, as it is built, a meaning index; one scope rule for all.

Tables: Chunk, ChunkEmbedding, TermFrequency.
Public: contracts; services (index_version, store_embeddings); selectors (scope_for, search_passages, and what
embedding needs).
"""

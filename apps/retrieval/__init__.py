"""Finding passages: chunks, text index, embeddings, fusion, and the one search function.

Tables: Chunk, ChunkEmbedding, TermFrequency. Public: `selectors.search_passages`, `services` (index, embed,
remove a version), `contracts`.
"""

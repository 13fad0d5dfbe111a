"""Bytes → frozen pages, blocks and tables. Pure Python: no Django, no tables owned.

Public: `contracts` (what a file becomes), `client.ReadingClient` (parent side: starts the limited child
`python -m apps.reading`, asks it for page windows and page images). One module per file format.
"""

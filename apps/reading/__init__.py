"""Bytes become frozen pages, blocks and tables (contracts.py); one module per file format, named in readers.py.

Pure Python without Django. Untrusted bytes are only ever parsed in the limited child process behind
`client.ReadingClient` (`python -m apps.reading`). Owns no tables. Public: contracts, codec, client, detect.
"""

"""From stored bytes to a searchable document: receive → detect → read → unpack → structure → index → recognise → embed,
resumable.

Owns Batch and BatchFile: loads of many files (batches, selectors). Registers the job kinds `ingest_document`,
`recognise_version`, `embed_version` and `reread_version` (rereading); reconciling finds and mends what disagrees.
"""

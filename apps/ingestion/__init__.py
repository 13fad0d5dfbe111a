"""From stored bytes to a searchable document: receive → detect → read → unpack → structure → index → recognise → embed,
resumable.

No tables. Registers the job kinds `ingest_document`, `recognise_version` and `embed_version`; enqueued by
documents.services and by the stages themselves. Public: nothing; progress shows on the document and its job.
"""

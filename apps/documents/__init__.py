"""Files that people bring, what was read out of them, and the one door to stored bytes.

Tables: StoredFile, Document, DocumentVersion, Page, Block, Table, Figure, DocumentMetadata, CollectionHeaders.
Public: contracts; services (receive_upload, add_here, supply_password, delete_document, retry_ingestion, rename and
what ingestion writes); members (of mails and archives); selectors (lists, details, pages, boxes, images, originals);
followers (registry).
"""

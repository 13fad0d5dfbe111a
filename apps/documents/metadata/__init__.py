"""What a document says of itself: title, entity, kind, period, parties, identifiers, dates, each with its evidence.

Pure rules over pages that were read; no Django, no guess. `reader.MetadataReader` is the way in.
"""

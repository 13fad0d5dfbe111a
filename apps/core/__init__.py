"""What every app stands on: errors, text folding, HTTP edges, logging, template tags. Owns no tables.

Public: `errors`, `text.fold`, `failpoints.reach`, `rest`, `bodies`. Knows no organisation, person or document.
"""

"""Machine-checkable checks of documented failures (cases.jsonl). Nothing here reads a document by itself."""

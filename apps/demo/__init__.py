"""The demo: two organisations, their people, and documents written by the generator in `documents/`.

Owns no tables; seeds through the product's own services, so that the demo is what any user could have made.
"""

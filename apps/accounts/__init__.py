"""People, roles, collections and grants: who may do what.

Tables: User, Membership, ApiToken (no row policy: needed before a context exists), Collection, CollectionGrant.
Public: `permissions` (the one door to grants), `services`, `selectors`, `contracts`.
"""

"""/api/v1: the composition of the apps' REST views, and the OpenAPI schema. Owns no tables."""

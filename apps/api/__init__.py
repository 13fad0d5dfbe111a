"""/api/v1: the composition of the apps' REST views, the OpenAPI schema, and webhooks.

Tables: Webhook, WebhookDelivery. Public: `services` (add, change, remove, resend), `selectors`.
"""

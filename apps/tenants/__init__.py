"""Organisations and the wall between them; the audit trail.

Tables: Tenant, AuditEvent. Public: `context.tenant_context`, `models.TenantModel`, `fields.TenantForeignKey`,
`rls.SecureTable`, `tasks.TenantTask`, `audit.record`.
"""

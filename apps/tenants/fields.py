"""Keys between tenant tables. The constraint is composite, (tenant_id, x_id) → (tenant_id, id): a plain foreign
key check bypasses row policies and would accept, and reveal, another organisation's row."""

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    TenantForeignKey = models.ForeignKey
else:

    class TenantForeignKey(models.ForeignKey):
        """A ForeignKey whose constraint rls.SecureTable makes; Django makes none of its own."""

        def __init__(self, to: Any, on_delete: Any, **options: Any) -> None:
            options["db_constraint"] = False
            options.setdefault("related_name", "+")
            super().__init__(to, on_delete, **options)

"""Forms of webhooks."""

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.api.contracts import CHOSEN_KINDS


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        max_length=300,
        widget=forms.URLInput({"placeholder": "https://example.com/airis", "spellcheck": "false"}),
        help_text=_("It gets a POST with JSON and answers with 2xx within ten seconds."),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Events"),
        choices=[(kind.value, kind.label) for kind in CHOSEN_KINDS],
        widget=forms.CheckboxSelectMultiple,
        initial=[kind.value for kind in CHOSEN_KINDS[:2]],
    )

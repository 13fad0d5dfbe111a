"""Forms of chat models."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ProfileForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("As answers will call it."))
    base_url = forms.CharField(
        label=_("Address"),
        max_length=300,
        widget=forms.URLInput({"placeholder": "https://models.example.com/v1", "spellcheck": "false"}),
        help_text=_("Of a server that speaks the OpenAI wire format: vLLM, Ollama, llama.cpp, OpenAI."),
    )
    model = forms.CharField(label=_("Model"), max_length=120)
    api_key = forms.CharField(
        label=_("Key"),
        max_length=500,
        required=False,
        widget=forms.PasswordInput({"autocomplete": "off"}),
        help_text=_("Kept encrypted and never shown again. Leave it out when the server asks for none."),
    )

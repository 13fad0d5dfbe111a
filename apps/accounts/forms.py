"""Forms of people. Field names are stable: password managers and tests know them."""

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.contracts import GrantLevel


class SignInForm(forms.Form):
    login = forms.EmailField(label=_("E-mail address"), max_length=254)
    password = forms.CharField(label=_("Password"), max_length=500, strip=False)


class CollectionForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    description = forms.CharField(label=_("What it holds"), max_length=500, required=False)


class GrantForm(forms.Form):
    user = forms.UUIDField()
    level = forms.ChoiceField(choices=[*GrantLevel.choices, ("none", _("no access"))])

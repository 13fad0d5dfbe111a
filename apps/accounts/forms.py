"""Forms of people. Field names are stable: password managers and tests know them."""

from typing import Any

from allauth.account.forms import LoginForm
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from apps.accounts.contracts import GrantLevel, NumberFormat, OrganisationSummary, Role, Scope
from apps.accounts.models import normalise_email
from apps.accounts.preferences import time_zones

NEW_PASSWORD = {"autocomplete": "new-password"}


class SignInForm(LoginForm):
    """allauth's form: it counts attempts and asks for the second factor. Fields: login, password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].max_length = 254

    def clean_login(self) -> str:
        """The address as accounts keep it: allauth counts attempts by what it is given, letter by letter."""
        return normalise_email(super().clean_login())


class CollectionForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    description = forms.CharField(label=_("What it holds"), max_length=500, required=False)


class GrantForm(forms.Form):
    """For a person or for a group."""

    user = forms.UUIDField(required=False)
    group = forms.UUIDField(required=False)
    level = forms.ChoiceField(choices=[*GrantLevel.choices, ("none", _("no access"))])


class NewPersonForm(forms.Form):
    name = forms.CharField(label=_("Your name"), max_length=200, widget=forms.TextInput({"autocomplete": "name"}))
    password = forms.CharField(
        label=_("Password"),
        max_length=500,
        strip=False,
        help_text=_("At least ten characters; several words are best."),
        widget=forms.PasswordInput(NEW_PASSWORD),
    )


class SetupForm(NewPersonForm):
    organisation = forms.CharField(label=_("Name of the organisation"), max_length=200)
    email = forms.EmailField(
        label=_("E-mail address"), max_length=254, widget=forms.EmailInput({"autocomplete": "username"})
    )
    field_order = ("organisation", "name", "email", "password")


class InvitationForm(forms.Form):
    email = forms.EmailField(label=_("E-mail address"), max_length=254)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ANALYST)


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices)


class TokenForm(forms.Form):
    label = forms.CharField(label=_("Name"), max_length=100, help_text=_("Where it will be used: “Nightly upload”."))
    organisation = forms.ChoiceField(label=_("Organisation"))
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ.value],
    )
    days = forms.IntegerField(label=_("Days that it lives"), min_value=1, initial=30)

    def __init__(self, *args: Any, organisations: tuple[OrganisationSummary, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen, days = self.fields["organisation"], self.fields["days"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [(item.slug, item.name) for item in organisations]
        days.widget.attrs["max"] = settings.API_TOKEN_LIFETIME.days


class PreferencesForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200, widget=forms.TextInput({"autocomplete": "name"}))
    language = forms.ChoiceField(label=_("Language"), required=False)
    theme = forms.ChoiceField(
        label=_("Appearance"),
        required=False,
        choices=[("", _("As the device")), ("light", _("Light")), ("dark", _("Dark"))],
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    number_format = forms.ChoiceField(label=_("Numbers"), required=False, choices=NumberFormat.choices)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language, zone = self.fields["language"], self.fields["time_zone"]
        assert isinstance(language, forms.ChoiceField)
        assert isinstance(zone, forms.ChoiceField)
        language.choices = [("", _("As the browser")), *settings.LANGUAGES]
        zone.choices = [("" if name == "UTC" else name, name) for name in time_zones()]

"""Forms of accounts: allauth's, as our pages show them, and the settings."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Preferences, User

LOGIN_MAX_LENGTH = 254  # that of an e-mail address


class _Labelled:
    """No placeholders: the label stands above the field and stays when something is typed."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class SignupForm(_Labelled, allauth_forms.SignupForm):
    """Name, e-mail address, password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")
        self.fields["username"].help_text = _("3 to 30 characters. Others see it.")
        self.fields["email"].label = _("E-mail address")
        self.fields["email"].help_text = _("Only to reset your password. Nobody sees it.")
        self.fields["password1"].help_text = _("At least 8 characters, not only digits, and no common word.")

    def try_save(self, request: HttpRequest) -> Any:
        """The new account, or the answer when the name went to somebody else a moment ago."""
        # No transaction around it: on SQLite it would hold the write lock while the password is hashed.
        try:
            return super().try_save(request)
        except IntegrityError:
            messages.error(request, _("This name or address has just been taken. Please try again."))
            return None, redirect(request.get_full_path())

    def save(self, request: HttpRequest) -> User:
        """The new account.

        An address that another account has named is not refused, or the page would tell strangers
        who plays here. The account begins without it; it gets the address by confirming it,
        and from outside both cases look the same.
        """
        email = self.cleaned_data["email"]
        is_taken = User.objects.filter(email=email).exists()
        if is_taken:
            self.cleaned_data["email"] = ""
        user: User = super().save(request)
        if is_taken:
            address = EmailAddress.objects.create(user=user, email=email, primary=True)
            EmailAddress.objects.fill_cache_for_user(user, [address])
        return user


class LoginForm(_Labelled, allauth_forms.LoginForm):
    """Name or e-mail address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Name or e-mail address")
        self.fields["login"].validators.append(MaxLengthValidator(LOGIN_MAX_LENGTH))
        # The link to the reset stands on the page.
        self.fields["password"].help_text = ""


class ResetPasswordForm(_Labelled, allauth_forms.ResetPasswordForm):
    """The address to send a link to."""


class ResetPasswordKeyForm(_Labelled, allauth_forms.ResetPasswordKeyForm):
    """A new password, by the link of the mail."""


class ChangePasswordForm(_Labelled, allauth_forms.ChangePasswordForm):
    """The old password and a new one."""


class AddEmailForm(_Labelled, allauth_forms.AddEmailForm):
    """Another e-mail address."""


class ReauthenticateForm(_Labelled, allauth_forms.ReauthenticateForm):
    """The password once more."""


def _language_choices() -> list[tuple[str, str]]:
    return [("", _("As the browser asks")), *settings.LANGUAGES]


class PreferencesForm(forms.ModelForm):
    """How the site looks and behaves."""

    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False, choices=_language_choices)

    class Meta:
        model = Preferences
        fields = (
            "theme",
            "language",
            "tiles",
            "coloured_pips",
            "motion",
            "sound",
            "hints",
            "confirm_moves",
        )

"""Forms of accounts: allauth's, as our pages show them, and the settings."""

from collections.abc import Callable
from typing import Any, ClassVar

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
NEW_PASSWORD = {"password1": gettext_lazy("New password"), "password2": gettext_lazy("New password (again)")}


class ListsFaults:
    """For templates/account/_fields.html, which lists what is wrong above the fields."""

    visible_fields: Callable[[], list[forms.BoundField]]

    def faulty_fields(self) -> list[forms.BoundField]:
        """The fields to look at again. What is wrong with all of them together is none's fault."""
        return [field for field in self.visible_fields() if field.errors]


class _Labelled(ListsFaults):
    """The same words on all pages, and no placeholders: the label above a field stays when something is typed."""

    fields: dict[str, forms.Field]
    labels: ClassVar[dict[str, Any]] = {}  # instead of allauth's

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in self.labels.items():
            self.fields[name].label = label
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        if "email" in self.fields:
            self.fields["email"].label = _("E-mail address")
        if "password1" in self.fields:
            self.fields["password1"].help_text = _(
                "At least 8 characters, not only digits, no common password, and not much like your name or address."
            )


class SignupForm(_Labelled, allauth_forms.SignupForm):
    """Name, e-mail address, password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")
        self.fields["username"].help_text = _(
            "3 to 30 Latin letters and digits, with single spaces, hyphens, dots or underscores between them. "
            "Others see it."
        )
        self.fields["email"].help_text = _("Only to reset your password. Nobody sees it.")

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

    def add_error(self, field: str | None, error: Any) -> None:
        """What is wrong is read with the password, which is the field to type in again."""
        super().add_error(field, error)
        if field is None:
            self.fields["login"].widget.attrs["aria-describedby"] = "form-errors"
            self.fields["password"].widget.attrs |= {"aria-describedby": "form-errors", "autofocus": True}


class ResetPasswordForm(_Labelled, allauth_forms.ResetPasswordForm):
    """The address to send a link to."""


class ResetPasswordKeyForm(_Labelled, allauth_forms.ResetPasswordKeyForm):
    """A new password, by the link of the mail."""

    labels: ClassVar[dict[str, Any]] = NEW_PASSWORD


class ChangePasswordForm(_Labelled, allauth_forms.ChangePasswordForm):
    """The old password and a new one."""

    labels: ClassVar[dict[str, Any]] = {"oldpassword": gettext_lazy("Current password"), **NEW_PASSWORD}


class SetPasswordForm(_Labelled, allauth_forms.SetPasswordForm):
    """The first password of an account without one."""


class AddEmailForm(_Labelled, allauth_forms.AddEmailForm):
    """Another e-mail address."""


class ReauthenticateForm(_Labelled, allauth_forms.ReauthenticateForm):
    """The password once more."""


def _language_choices() -> list[tuple[str, str]]:
    return [("", _("Same as the browser")), *settings.LANGUAGES]


class PreferencesForm(forms.ModelForm):
    """How the site looks and behaves. With `only`, the one setting of that name."""

    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)

    class Meta:
        model = Preferences
        fields = (
            "theme",
            "tiles",
            "coloured_pips",
            "motion",
            "hints",
            "confirm_moves",
            "auto_draw",
            "move_list",
            "letter_keys",
            "sound",
            "volume",
            "language",
        )
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "theme": forms.RadioSelect(),
            "tiles": forms.RadioSelect(),
            "motion": forms.RadioSelect(),
            "sound": forms.RadioSelect(),
            "volume": forms.NumberInput({"type": "range", "step": 5}),
        }
        labels: ClassVar[dict[str, Any]] = {
            "coloured_pips": gettext_lazy("Coloured pips"),
            "hints": gettext_lazy("Show what each tile can score"),
            "confirm_moves": gettext_lazy("Tap twice to play"),
            "auto_draw": gettext_lazy("Draw automatically"),
            "move_list": gettext_lazy("List of moves"),
            "letter_keys": gettext_lazy("Letters and digits as keys"),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "coloured_pips": gettext_lazy("Each number has a colour of its own."),
            "hints": gettext_lazy("Off: only the sum of the ends is shown."),
            "confirm_moves": gettext_lazy(
                "On a touch screen the first tap on a place shows the move, the second one plays it."
            ),
            "auto_draw": gettext_lazy("When nothing fits there is nothing to decide: tiles are drawn until one fits."),
            "move_list": gettext_lazy("Every move as a button with its score, below your tiles."),
            "letter_keys": gettext_lazy(
                "At the table D draws, B finds the best place, 1 picks the first tile. Off: arrow keys, Enter and Esc."
            ),
            "motion": gettext_lazy("Reduced: tiles and chips appear where they belong instead of flying there."),
        }

    GROUPS: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]] = (
        (gettext_lazy("Look"), ("theme", "tiles", "coloured_pips", "motion")),
        (gettext_lazy("At the table"), ("hints", "confirm_moves", "auto_draw")),
        (gettext_lazy("Keyboard and screen reader"), ("move_list", "letter_keys")),
        (gettext_lazy("Sound and language"), ("sound", "volume", "language")),
    )

    def __init__(self, *args: Any, only: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("Same as the browser")), *settings.LANGUAGES]  # type: ignore[attr-defined] # the field of a choice
        if only:
            self.fields = {only: self.fields[only]}

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The settings as they stand on the page: the title of each group and its fields."""
        return [(str(title), [self[name] for name in names]) for title, names in self.GROUPS]

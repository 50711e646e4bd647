"""Where allauth asks us: names, who owns an e-mail address, letters, and cookies at sign-in."""

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts.cookies import keep_language, keep_look
from accounts.languages import language_of_address
from accounts.looks import chosen_preferences, look_of_preferences
from accounts.models import User
from accounts.names import name_key, normalize_name
from accounts.service import hand_over_address


class AccountAdapter(DefaultAccountAdapter):
    """Our answers to allauth's questions."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": _("This name is taken."),
        # One sentence for a wrong password and for an unknown account.
        "username_password_mismatch": _("The name or the password is not right."),
        "email_password_mismatch": _("The name or the password is not right."),
        "account_inactive": _("The name or the password is not right."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name in its stored form. Raises ValidationError when it is taken or may not be."""
        username = super().clean_username(normalize_name(username), shallow=True)
        if not shallow and User.objects.filter(username_key=name_key(username)).exists():
            raise self.validation_error("username_taken")
        return username

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address; whoever confirms it has it, whoever only named it earlier loses it."""
        confirm = super().confirm_email
        return hand_over_address(email_address, lambda: confirm(request, email_address))

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Go on, with the account's look and language kept in this browser; what it never chose stays as it is here."""
        response = super().post_login(request, user, **kwargs)
        preferences = chosen_preferences(user)
        if preferences is not None:
            keep_look(response, look_of_preferences(preferences))
            if preferences.language:
                keep_language(response, preferences.language)
        return response

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """A letter in the language of whoever gets it, who need not be whoever asked for it."""
        reader = email if isinstance(email, str) else email[0]
        with override(language_of_address(reader)):
            return super().render_mail(template_prefix, email, context, headers)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Leave out what the page that follows shows by itself: that one is signed in or out."""
        if level == messages.SUCCESS and message_template in (
            "account/messages/logged_in.txt",
            "account/messages/logged_out.txt",
        ):
            return
        super().add_message(request, level, message_template, message_context, extra_tags, message)

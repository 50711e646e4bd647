"""Accounts in the admin. Tokens are shown without what could be used."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import BaseUserCreationForm
from django.http import HttpRequest

from accounts.models import ApiToken, User
from accounts.read_only import ReadOnly
from accounts.service import close_account

# The admin's own sign-in page would be a way around the limits of the site's. Replacing the method,
# which mypy does not like, is how allauth has it.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


class NewUserForm(BaseUserCreationForm):
    """Name, address and password of a new account."""

    class Meta:
        model = User
        fields = ("username", "email")


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Closing an account or giving it a new password ends its sessions and sockets at once."""

    add_form = NewUserForm
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("username", "email", "password1", "password2")}),)
    fieldsets = (
        (None, {"fields": ("username", "email", "password")}),
        (None, {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (None, {"fields": ("is_program", "date_joined", "last_login")}),
    )
    list_display = ("username", "email", "is_program", "is_active", "is_staff", "date_joined")
    list_filter = ("is_program", "is_active", "is_staff")
    search_fields = ("username", "email")
    ordering = ("username_key",)
    readonly_fields = ("is_program", "date_joined", "last_login")

    def save_model(self, request: HttpRequest, user: User, form: forms.ModelForm, change: bool) -> None:
        """Save; an account that is no longer active is closed."""
        super().save_model(request, user, form, change)
        if change and "is_active" in form.changed_data and not user.is_active:
            close_account(user)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly, admin.ModelAdmin):
    """To look at; tokens are issued and revoked by `manage.py api_token`, and a revoked one stays as a trace."""

    list_display = ("id", "user", "created", "last_used", "revoked")
    fields = ("user", "scopes", "created", "last_used", "revoked")
    readonly_fields = fields
    list_select_related = ("user",)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Only of what is shown, so that no hash can be guessed at."""
        return lookup.split("__")[0] in self.fields and super().lookup_allowed(lookup, value, request)

"""People and programs that hold an account, what they prefer, and the tokens of programs."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import PermissionsMixin
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.fields import LowercaseEmailField, NameKeyField
from accounts.names import NAME_MAX_LENGTH, name_key, normalize_name, validate_name


class UserManager(DjangoUserManager["User"]):
    """Finds an account by any writing of its name."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """The account of this name, whatever its case. Raises `User.DoesNotExist`."""
        return self.get(username_key=name_key(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """Who plays: a person, or a program (see `ApiToken`)."""

    username = models.CharField(
        _("user name"),
        max_length=NAME_MAX_LENGTH,
        unique=True,
        validators=[validate_name],
        error_messages={"unique": _("This name is taken.")},
    )
    # Twice the length: folding a letter may give two.
    username_key = NameKeyField(max_length=2 * NAME_MAX_LENGTH, unique=True, editable=False)
    email = LowercaseEmailField(_("e-mail address"), blank=True)
    # Once true, true for good: the database refuses to take it back.
    is_program = models.BooleanField(_("program"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(Lower("email"), condition=~models.Q(email=""), name="accounts_user_email_once"),
        ]

    def __str__(self) -> str:
        return self.username

    def clean(self) -> None:
        """Bring name and address into their stored form."""
        super().clean()
        self.username = normalize_name(self.username)
        self.email = self.email.lower()

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save; the key of the name goes with the name.

        allauth copies an address here before it is confirmed (saving this one column). While
        another account has it, it stays out: `AccountAdapter.confirm_email` settles whose it is.
        """
        if update_fields is not None:
            update_fields = set(update_fields)
            if "username" in update_fields:
                update_fields.add("username_key")
            if update_fields == {"email"} and self.email and self._is_address_of_another():
                self.email = ""
        super().save(*args, update_fields=update_fields, **kwargs)

    def get_full_name(self) -> str:
        """The name shown; there is no other."""
        return self.username

    def get_short_name(self) -> str:
        """The name shown; there is no other."""
        return self.username

    def _is_address_of_another(self) -> bool:
        return User.objects.filter(email=self.email).exclude(pk=self.pk).exists()


class Preferences(models.Model):
    """How one account likes the site to look and behave. No row means the defaults."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("Same as the device")
        LIGHT = "light", pgettext_lazy("theme", "Light")
        DARK = "dark", pgettext_lazy("theme", "Dark")

    class Tiles(models.TextChoices):
        IVORY = "ivory", pgettext_lazy("tiles", "Ivory")
        EBONY = "ebony", pgettext_lazy("tiles", "Ebony")

    class Motion(models.TextChoices):
        AUTO = "auto", _("Same as the device")
        FULL = "full", pgettext_lazy("motion", "Full")
        REDUCED = "reduced", pgettext_lazy("motion", "Reduced")

    class Sound(models.TextChoices):
        ON = "on", pgettext_lazy("sound", "On")
        LOW_TIME = "low", pgettext_lazy("sound", "Only when time is short")
        OFF = "off", pgettext_lazy("sound", "Off")

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="preferences")
    theme = models.CharField(_("theme"), max_length=8, choices=Theme, default=Theme.AUTO)
    tiles = models.CharField(_("tiles"), max_length=8, choices=Tiles, default=Tiles.IVORY)
    coloured_pips = models.BooleanField(_("coloured pips"), default=False)
    hints = models.BooleanField(_("show what a tile can score"), default=True)
    confirm_moves = models.BooleanField(_("ask before a tile is played"), default=False)
    auto_draw = models.BooleanField(_("draw tiles by itself"), default=False)
    move_list = models.BooleanField(_("list of moves"), default=False)
    letter_keys = models.BooleanField(_("letters and digits as keys"), default=True)
    sound = models.CharField(_("sound"), max_length=4, choices=Sound, default=Sound.ON)
    # Per cent.
    volume = models.PositiveSmallIntegerField(_("volume"), default=60, validators=[MaxValueValidator(100)])
    motion = models.CharField(_("motion"), max_length=8, choices=Motion, default=Motion.AUTO)
    # Empty: as the browser asks.
    language = models.CharField(_("language"), max_length=12, blank=True)
    # Action to key, for actions moved away from their default key.
    keys = models.JSONField(_("keys"), default=dict, blank=True)

    class Meta:
        verbose_name = _("preferences")
        verbose_name_plural = _("preferences")

    def __str__(self) -> str:
        return str(self.user_id)


class ApiToken(models.Model):
    """A key for a program's account. The raw token is shown once; only its SHA-256 is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created = models.DateTimeField(default=timezone.now)
    last_used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.pk}"

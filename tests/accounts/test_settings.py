"""Theme, language and the rest of what one prefers."""

import pytest
from django.conf import settings
from django.urls import reverse

from accounts.models import Preferences
from accounts.service import preferences_of

from .test_signup import sign_in

pytestmark = pytest.mark.django_db

CHOSEN = {
    "theme": "dark",
    "language": "pl",
    "tiles": "ebony",
    "motion": "reduced",
    "hints": "on",
    "confirm_moves": "on",
}


def test_a_stranger_is_sent_to_sign_in(client):
    assert client.get(reverse("settings")).url == f"{reverse('account_login')}?next={reverse('settings')}"


def test_what_is_chosen_is_kept(client, alice):
    client.force_login(alice)
    answer = client.post(reverse("settings"), CHOSEN)
    assert answer.status_code == 302
    kept = preferences_of(alice)
    assert (kept.theme, kept.language, kept.tiles, kept.motion) == ("dark", "pl", "ebony", "reduced")
    assert (kept.hints, kept.confirm_moves, kept.sound) == (True, True, False)
    assert client.cookies["theme"].value == "dark"
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "pl"
    page = client.get(reverse("settings")).content.decode()
    assert 'data-theme="dark"' in page
    assert '<html lang="pl"' in page


def test_the_device_decides_again(client, alice):
    client.force_login(alice)
    client.post(reverse("settings"), CHOSEN)
    client.post(reverse("settings"), {**CHOSEN, "theme": "auto", "language": ""})
    assert client.cookies["theme"].value == ""
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == ""


def test_what_is_not_offered_is_refused(client, alice):
    client.force_login(alice)
    answer = client.post(reverse("settings"), {**CHOSEN, "theme": "purple", "language": "xx"})
    assert answer.status_code == 200
    assert 'id="id_theme_error"' in answer.content.decode()
    assert not Preferences.objects.exists()


def test_signing_in_brings_them_to_another_browser(client, alice):
    Preferences.objects.create(user=alice, theme="dark", language="tr")
    sign_in(client)
    assert client.cookies["theme"].value == "dark"
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "tr"


def test_the_menu_changes_the_language_of_the_account_too(client, alice):
    client.force_login(alice)
    answer = client.post(reverse("set_language"), {"language": "tr", "next": reverse("settings")})
    assert answer.url == reverse("settings")
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "tr"
    assert preferences_of(alice).language == "tr"


def test_a_language_that_is_not_spoken_is_ignored(client, alice):
    client.force_login(alice)
    client.post(reverse("set_language"), {"language": "../x", "next": "https://example.com/"})
    assert preferences_of(alice).language == ""


def test_the_menu_serves_strangers(client):
    client.post(reverse("set_language"), {"language": "pl", "next": "/"})
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "pl"

"""Theme, language and the rest of what one prefers."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.forms import PreferencesForm
from accounts.models import Preferences
from accounts.service import preferences_of
from config.pwa import GROUND

from .test_signup import sign_in

pytestmark = pytest.mark.django_db

CHOSEN = {
    "theme": "dark",
    "language": "pl",
    "tiles": "ebony",
    "motion": "reduced",
    "hints": "on",
    "confirm_moves": "on",
    "sound": "low",
    "volume": "35",
}


def test_a_stranger_is_sent_to_sign_in(client):
    assert client.get(reverse("settings")).url == f"{reverse('account_login')}?next={reverse('settings')}"


def test_what_is_chosen_is_kept(client, alice):
    client.force_login(alice)
    answer = client.post(reverse("settings"), CHOSEN)
    assert answer.status_code == 302
    kept = preferences_of(alice)
    assert (kept.theme, kept.language, kept.tiles, kept.motion) == ("dark", "pl", "ebony", "reduced")
    assert (kept.hints, kept.confirm_moves, kept.letter_keys) == (True, True, False)
    assert (kept.sound, kept.volume) == ("low", 35)
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


def test_each_setting_is_saved_by_itself(client, alice):
    client.force_login(alice)
    client.post(reverse("settings"), CHOSEN)
    answer = client.post(reverse("setting", args=["letter_keys"]), {"letter_keys": "on", "theme": "light"})
    assert 'class="saved"' in answer.content.decode()
    kept = preferences_of(alice)
    assert (kept.letter_keys, kept.hints, kept.theme) == (True, True, "dark")
    client.post(reverse("setting", args=["hints"]))  # how a box that is not ticked arrives
    assert (preferences_of(alice).hints, preferences_of(alice).confirm_moves) == (False, True)


def test_a_setting_that_cannot_be_is_refused_beside_it(client, alice):
    client.force_login(alice)
    for name, value in (("volume", "101"), ("sound", "loud")):
        answer = client.post(reverse("setting", args=[name]), {name: value}).content.decode()
        assert "saved--not" in answer
        assert "Saved" not in answer
    assert not Preferences.objects.exists()
    assert client.post(reverse("setting", args=["user"]), {"user": "1"}).status_code == 404


def test_the_page_looks_as_it_was_told(client, alice):
    client.force_login(alice)
    for name, value in (("tiles", "ebony"), ("coloured_pips", "on"), ("motion", "reduced"), ("theme", "light")):
        client.post(reverse("setting", args=[name]), {name: value})
    del client.cookies[settings.SESSION_COOKIE_NAME]  # signed out, the browser keeps it
    page = client.get("/").content.decode()
    for attribute in ('data-tiles="ebony"', 'data-pips="coloured"', 'data-motion="reduced"', 'data-theme="light"'):
        assert attribute in page
    client.force_login(alice)
    for name, value in (("tiles", "ivory"), ("coloured_pips", ""), ("motion", "auto"), ("theme", "auto")):
        client.post(reverse("setting", args=[name]), {name: value} if value else {})
    page = client.get("/").content.decode()
    assert not [name for name in ("tiles", "pips", "motion", "theme") if f'data-{name}="' in page]


def look_of(client, address="/") -> dict[str, str]:
    """The attributes of a page's root element, as the very first paint has them."""
    root = re.search(r"<html[^>]*>", client.get(address).content.decode())[0]
    return dict(re.findall(r'data-(theme|tiles|pips|motion)="([^"]*)"', root))


def test_a_look_chosen_on_one_device_is_that_of_the_next_page_of_another(client, alice):
    """The account wins over what this browser was told long ago, and its cookies follow."""
    phone = Client()
    for device in (client, phone):
        device.force_login(alice)
        device.post(reverse("settings"), {**CHOSEN, "coloured_pips": "on"})
    chosen = {"theme": "light", "tiles": "ivory", "motion": "full"}
    for name, value in chosen.items():
        phone.post(reverse("setting", args=[name]), {name: value})
    assert look_of(client) == {"theme": "light", "pips": "coloured", "motion": "full"}
    assert (client.cookies["theme"].value, client.cookies["tiles"].value) == ("light", "")
    assert f'content="{GROUND["light"]}" media="all"' in client.get("/").content.decode()
    phone.post(reverse("setting", args=["theme"]), {"theme": "auto"})
    assert look_of(client) == {"pips": "coloured", "motion": "full"}
    del client.cookies[settings.SESSION_COOKIE_NAME]  # signed out, the browser looks as it did last
    assert look_of(client) == {"pips": "coloured", "motion": "full"}


@pytest.mark.parametrize("door", ["setting", "set_language"])
def test_a_first_choice_keeps_what_the_browser_looked_like(client, alice, door):
    """Whoever chose as a visitor looks the same with an account, and the first thing saved changes nothing else."""
    client.cookies["theme"] = "dark"
    client.cookies["pips"] = "coloured"
    client.force_login(alice)
    assert look_of(client) == {"theme": "dark", "pips": "coloured"}
    assert re.search(r'name="theme" value="dark"[^>]* checked', client.get(reverse("settings")).content.decode())
    if door == "setting":
        client.post(reverse("setting", args=["tiles"]), {"tiles": "ebony"})
    else:
        client.post(reverse("set_language"), {"language": "tr"})
    kept = preferences_of(alice)
    assert (kept.theme, kept.coloured_pips) == ("dark", True)
    phone = Client()
    phone.force_login(alice)
    assert look_of(phone).items() >= {"theme": "dark", "pips": "coloured"}.items()


def test_the_look_of_an_account_costs_no_query_of_its_own(client, alice, django_assert_num_queries):
    client.force_login(alice)
    Preferences.objects.create(user=alice, theme="dark")
    with django_assert_num_queries(2):  # the session and the account
        assert look_of(client, reverse("rules")) == {"theme": "dark"}


def test_what_all_readers_share_tells_no_browser_of_a_look(client, alice):
    client.force_login(alice)
    Preferences.objects.create(user=alice, theme="dark")
    assert not client.get(reverse("manifest", args=["en"])).cookies
    assert client.get("/").cookies["theme"].value == "dark"


def test_the_button_of_the_header_knows_where_an_account_keeps_the_theme(client, alice):
    button = re.compile(r'<button[^>]* data-action="theme"[^>]*>')
    assert "data-save" not in button.search(client.get("/").content.decode())[0]
    client.force_login(alice)
    found = button.search(client.get("/").content.decode())[0]
    assert f'data-save="{reverse("setting", args=["theme"])}" data-csrf="' in found


def test_cookies_of_others_make_no_look(client):
    client.cookies["tiles"] = 'ebony" onload="x'
    client.cookies["motion"] = "wild"
    assert "data-tiles" not in client.get("/").content.decode()
    assert "data-motion" not in client.get("/").content.decode()


def test_another_language_draws_the_page_again(client, alice):
    client.force_login(alice)
    answer = client.post(reverse("setting", args=["language"]), {"language": "tr"})
    assert answer["HX-Refresh"] == "true"
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "tr"


def test_the_page_saves_each_setting_and_has_a_button_for_all(client, alice):
    client.force_login(alice)
    page = client.get(reverse("settings")).content.decode()
    for name in PreferencesForm.base_fields:
        assert f'hx-post="{reverse("setting", args=[name])}"' in page
        assert f'<p class="setting__saved" id="saved-{name}" role="status"></p>' in page
    assert "settings__save" in page
    grouped = [name for _title, names in PreferencesForm.GROUPS for name in names]
    assert sorted(grouped) == sorted(PreferencesForm.base_fields)

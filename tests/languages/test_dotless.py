"""The letters i and ı: shown by the language, compared by none (B185, B187, B189, B191, B193)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.names import name_key, validate_name
from games import pieces
from tests.factories import make_user
from tests.languages.texts import texts

PASSWORD = "a-quiet-room-7"
WRITINGS = ("irmak", "IRMAK", "İRMAK", "ırmak", "Irmak", "İrmak")


def sign_up(name: str, language: str) -> Client:
    client = Client(headers={"accept-language": language})
    number = User.objects.count()
    given = {"username": name, "email": f"player{number}@example.org", "password1": PASSWORD}
    client.post(reverse("account_signup"), given)
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("first", WRITINGS)
def test_one_name_in_any_writing(settings, language: str, first: str) -> None:
    """B185, B193: whoever has it is found by each, and nobody else gets one of them."""
    settings.ACCOUNT_RATE_LIMITS = False
    sign_up(first, language)
    owner = User.objects.get()
    assert owner.username == first
    for writing in WRITINGS:
        sign_up(writing, language)
        client = Client(headers={"accept-language": language})
        client.post(reverse("account_login"), {"login": writing, "password": PASSWORD})
        assert client.session["_auth_user_id"] == str(owner.pk)
        assert client.get(reverse("player", args=[writing])).context["shown"] == owner
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("other", WRITINGS[1:])
def test_the_database_knows_one_name_too(other: str) -> None:
    """B193: by whatever door a second one comes, the admin or an import."""
    make_user("irmak")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username=other, email="other@example.org")


@pytest.mark.parametrize(
    ("name", "turkish", "elsewhere"), [("irmak", "İ", "I"), ("ırmak", "I", "I"), ("İpek ışık", "İI", "İI")]
)
def test_initials_are_those_of_the_language(name: str, turkish: str, elsewhere: str) -> None:
    assert pieces.initials(name, "tr") == turkish
    assert pieces.initials(name, "en") == pieces.initials(name, "pl") == elsewhere


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "shown"), [("tr", "İ"), ("en", "I")])
def test_the_page_of_a_player_shows_them(language: str, shown: str) -> None:
    make_user("irmak")
    page = Client(headers={"accept-language": language}).get(reverse("player", args=["IRMAK"])).content.decode()
    assert re.search(rf'class="avatar[^>]*>{shown}</span>', page)
    assert ">irmak<" in page


def sources(suffix: str) -> list[Path]:
    return sorted((settings.BASE_DIR / "static").rglob(f"*.{suffix}"))


def test_no_style_sheet_and_no_script_changes_the_case_of_words() -> None:
    """B187: labels stand in the catalogues as they are shown, and identifiers are compared as they are."""
    assert len(sources("css")) > 10
    for path in sources("css"):
        found = re.search(r"text-transform:\s*(?!none)|font-variant-caps|small-caps", path.read_text())
        assert found is None, path
    for path in sources("js"):
        assert not re.search(r"toLocale(Upper|Lower)Case|\.toUpperCase\(", path.read_text()), path


@pytest.mark.django_db
def test_addresses_classes_and_values_are_the_same_in_every_language() -> None:
    """B187."""
    skeletons = []
    for language in ("en", "tr", "pl"):
        page = Client(headers={"accept-language": language}).get("/").content.decode()
        found = re.findall(r'\b(?:id|class|name|href|action|data-action|for|type)="([^"]*)"', page)
        skeletons.append([value for value in found if not value.endswith(f"{language}.webmanifest")])
    assert skeletons[0] == skeletons[1] == skeletons[2]


@pytest.mark.django_db
def test_each_language_is_named_in_itself() -> None:
    """B187: a reader says "Türkçe" as a Turkish word, on every page."""
    page = Client(headers={"accept-language": "pl"}).get("/").content.decode()
    for code, name in settings.LANGUAGES:
        assert re.search(rf'value="{code}" lang="{code}"[^>]*>{name}<', page)
    assert "Türkçe" not in list(texts(page))


@pytest.mark.parametrize(
    "name",
    [
        "\u200b\u200b\u200b",
        "\u0301\u0301\u0301",
        "ab\u202ecd",
        "\u2066abc\u2069",
        "abc\ufeff",
        "😀😀😀",
        " " * 30,
        "x" * 300,
        "\u00ad\u00ad\u00ad",
        "\u3164\u3164\u3164",
        "a\u0300\u0301\u0302\u0303b",
    ],
)
@pytest.mark.django_db
def test_a_name_that_cannot_be_seen_is_refused_with_a_reason(name: str) -> None:
    """B189: so the text of a link to a player is never empty."""
    with pytest.raises(ValidationError):
        validate_name(name)
    client = Client()
    answer = client.post(reverse("account_signup"), {"username": name, "email": "a@b.org", "password1": PASSWORD})
    assert 'id="id_username_error"' in answer.content.decode()
    assert not User.objects.exists()
    refused = client.post("/device/", {"first": name, "second": "Bob"}) if name.strip() else None
    assert refused is None or refused.status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        *("Admin", "ADMİN", "admın", "AdmIn", "sistem", "SİSTEM", "SISTEM", "System", "moderatör", "Moderator"),
        *("Boneyard", "boneyard", "B0NEYARD", "support", "Supp0rt", "destek", "Yönetici", "yönetıcı", "Obsługa"),
    ],
)
def test_a_name_that_passes_for_the_site_is_refused(name: str) -> None:
    """B191."""
    with pytest.raises(ValidationError) as refused:
        validate_name(name)
    assert refused.value.code == "reserved"


@pytest.mark.django_db
def test_what_the_site_says_stands_where_no_name_does() -> None:
    """B191: its notices are a region above all content, which no name can make or get into."""
    player = make_user("notice role-status")
    page = Client().get(reverse("player", args=[player.username])).content.decode()
    assert 'class="notice"' not in page
    assert 'role="status"' not in page.split("<main")[1].split("</main>")[0].replace("notice role-status", "")


def test_keys_of_the_reserved_names_are_theirs_alone() -> None:
    assert name_key("ADMİN") == name_key("admın") == name_key("admin")

"""Beginning, finding again and ending a match at one device: plain pages for guests and accounts (D-4)."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client

from games import device, device_pages, service
from games.lobby import service as lobby
from games.lobby.shown import live_matches
from games.models import Match, Seat
from tests.device.desk import DEVICE, Desk
from tests.drivers import ManualClock
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def begin(client: Client, first: str = "Ada", second: str = "Bo-Bo") -> HttpResponse:
    return client.post("/device/", {"first": first, "second": second})


def names() -> list[str]:
    return list(Seat.objects.order_by("index").values_list("name", flat=True))


@pytest.mark.parametrize("signed_in", [False, True])
def test_two_names_and_a_press_lead_to_the_table(signed_in: bool) -> None:
    client = Client()
    if signed_in:
        client.force_login(make_user())
    assert "Two players, one device" in client.get("/").content.decode()
    answer = begin(client)
    match = Match.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/matches/{match.public_id}/")
    assert names() == ["Ada", "Bo-Bo"]
    cookie = answer.cookies[device.COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert match.device not in cookie.value
    shown = client.get(answer["Location"]).content.decode()
    assert 'id="start"' in shown
    assert "js/device.js" in shown


@pytest.mark.parametrize(("language", "wanted"), [("en", "Player 1"), ("tr", "Oyuncu 1"), ("pl", "Gracz 1")])
def test_names_need_not_be_given(language: str, wanted: str) -> None:
    client = Client(headers={"accept-language": language})
    assert f'value="{wanted}"' in client.get("/device/").content.decode()
    assert begin(client, "", "  ").status_code == 303
    assert names() == [wanted, wanted.replace("1", "2")]


@pytest.mark.parametrize(
    ("first", "second"), [("<b>Ada</b>", "Bob"), ("Ada", "ada"), ("A" * 31, "Bob"), ("admin", "Bob")]
)
def test_names_are_as_those_of_accounts(first: str, second: str) -> None:
    answer = begin(Client(), first, second)
    assert answer.status_code == 200
    assert "form-errors" in answer.content.decode()
    assert "<b>Ada" not in answer.content.decode()
    assert device.COOKIE not in answer.cookies
    assert not Match.objects.exists()


def test_a_running_match_is_found_again_and_can_be_ended() -> None:
    client = Client()
    path = begin(client)["Location"]
    for page in ("/", "/device/"):
        assert f'href="{path}"' in client.get(page).content.decode()
    assert begin(client, "Eve", "Mallory")["Location"] == "/device/"
    assert Match.objects.count() == 1
    assert client.post(f"{path}end/")["Location"] == "/device/"
    assert Match.objects.get().status == "cancelled"
    assert path not in client.get("/").content.decode()
    assert begin(client)["Location"] != path
    assert Match.objects.latest("pk").device == Match.objects.earliest("pk").device


def test_only_its_device_can_end_it() -> None:
    path = begin(Client())["Location"]
    other = Client()
    begin(other, "Eve", "Mallory")
    assert other.post(f"{path}end/").status_code == 404
    assert other.post(f"{path}leave/").status_code in (302, 404)
    assert Client().post(f"{path}end/").status_code == 404
    assert Match.objects.filter(status="waiting").count() == 2


def test_a_match_of_accounts_has_no_such_end(clock: ManualClock) -> None:
    client = Client()
    begin(client)
    match = service.start_match(users=(make_user(), make_user()), rated=True)
    assert client.post(f"/matches/{match.public_id}/end/").status_code == 404
    assert Match.objects.get(pk=match.pk).status == "waiting"


def test_the_lobby_tells_nobody(clock: ManualClock) -> None:
    before = lobby.fingerprint()
    Desk.dealt(clock)
    assert lobby.fingerprint() == before
    assert live_matches() == []
    assert lobby.open_offers() == []


def test_one_address_cannot_fill_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_pages, "STARTS_AN_HOUR", 2)
    monkeypatch.setattr(device_pages, "HOUR_S", 10**8)  # none begins meanwhile
    assert [begin(Client()).status_code for _guest in range(3)] == [303, 303, 429]
    assert Match.objects.count() == 2


def test_a_key_that_was_made_up_is_replaced() -> None:
    client = Client()
    client.cookies[device.COOKIE] = f"{DEVICE}:made-up"
    assert device.digest_of({device.COOKIE: client.cookies[device.COOKIE].value}) == ""
    answer = begin(client)
    assert device.digest_of({device.COOKIE: answer.cookies[device.COOKIE].value}) == Match.objects.get().device


def test_the_result_says_no_word_of_ratings() -> None:
    client = Client()
    path = begin(client)["Location"]
    match = Match.objects.get()
    for kind in ("start", "reveal", "resign"):
        match.refresh_from_db()
        form = {"type": kind, "seq": match.seq, "hand": match.hand_no, "id": kind}
        assert client.post(f"{path}commands/", form).status_code == 303
    shown = client.get(path).content.decode()
    assert 'data-kind="result"' in shown
    assert "sheet__rating" not in shown
    assert "not rated" not in shown
    assert 'id="lobby"' in shown


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("tr", ("Cihazı verin: Ada", "Taşlarımı göster", "Tek cihaz")),
        ("pl", ("Podaj urządzenie: Ada", "Pokaż moje klocki", "Jedno urządzenie")),
    ],
)
def test_the_curtain_speaks_the_language_of_the_page(language: str, told: tuple[str, ...]) -> None:
    client = Client(headers={"accept-language": language})
    path = begin(client, "Ada", "Ada Bis")["Location"]
    match = Match.objects.get()
    client.post(f"{path}commands/", {"type": "start", "hand": 0, "id": "start"})
    match.refresh_from_db()
    shown = client.get(path).content.decode()
    name = "Ada" if match.turn_seat == 0 else "Ada Bis"
    for text in (told[0].replace("Ada", name), *told[1:]):
        assert text in shown
    assert "Show my tiles" not in shown


def test_a_name_is_text_wherever_it_stands() -> None:
    """Names are checked at the door; what is stored is escaped all the same."""
    client = Client()
    path = begin(client)["Location"]
    Seat.objects.update(name="<i>&x")
    client.post(f"{path}commands/", {"type": "start", "hand": 0, "id": "start"})
    for page in (path, "/", "/device/"):
        shown = client.get(page).content.decode()
        assert "<i>" not in shown
        assert "&lt;i&gt;&amp;x" in shown

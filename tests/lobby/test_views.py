"""The lobby's page and forms, as a browser without scripts sees them."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from games.lobby import service
from games.lobby.models import Offer
from games.models import Match
from tests.factories import make_match, make_user

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 11, 2, 12, tzinfo=UTC)


@pytest.fixture
def alice():
    return make_user("Alice")


@pytest.fixture
def bob():
    return make_user("Bob")


def test_a_visitor_sees_the_offers_and_is_led_to_sign_up(client, alice):
    service.create_offer(alice)
    page = client.get(reverse("lobby")).content.decode()
    assert "Alice" in page
    assert f"{reverse('account_signup')}?next=/" in page
    assert "/take/" not in page


def test_an_empty_lobby_asks_nobody_for_what_they_cannot_do(client, alice, bob):
    assert "Sign up and make the first offer." in client.get("/").content.decode()
    client.force_login(alice)
    assert "Nobody is waiting. Make the first offer." in client.get("/").content.decode()
    make_match([alice, bob])
    page = client.get("/").content.decode()
    assert "Nobody is waiting." in page
    assert "first offer" not in page


def test_an_offer_made_and_accepted_brings_both_to_the_table(client, alice, bob):
    client.force_login(alice)
    made = client.post(reverse("offer-create"), {"variant": "spectacular-bid", "rated": "1"})
    offer = Offer.objects.get()
    assert made.url == f"/?waiting={offer.public_id}"
    client.force_login(bob)
    assert f"/offers/{offer.public_id}/take/" in client.get("/").content.decode()
    taken = client.post(reverse("offer-take", args=[offer.public_id]))
    match = Match.objects.get()
    assert taken.url == reverse("match", args=[match.public_id])
    client.force_login(alice)
    assert client.get(made.url).url == taken.url


def test_the_stake_is_shown_before_accepting(client, alice, bob):
    service.create_offer(alice)
    client.force_login(bob)
    assert "+10.0 / −10.0" in client.get("/").content.decode()


def test_a_casual_offer_is_called_casual_and_has_no_stake(client, alice, bob):
    service.create_offer(alice, rated=False)
    client.force_login(bob)
    page = client.get("/").content.decode()
    assert "Casual" in page
    assert "(K " not in page


def test_an_offer_that_is_gone_is_said_to_be_gone(client, alice, bob):
    offer = service.create_offer(alice)
    service.cancel_offer(alice, offer.public_id)
    client.force_login(bob)
    page = client.post(reverse("offer-take", args=[offer.public_id]), follow=True)
    assert "That offer is gone" in page.content.decode()
    assert not Match.objects.exists()


def test_a_running_match_leads_the_page(client, alice, bob):
    match = service.take_offer(bob, service.create_offer(alice).public_id)
    client.force_login(bob)
    page = client.get("/").content.decode()
    assert reverse("match", args=[match.public_id]) in page
    assert "against Alice" in page
    assert '/offers/"' not in page


def test_nobody_is_asked_to_watch_their_own_match(client, alice, bob):
    match = service.take_offer(bob, service.create_offer(alice).public_id)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING)
    client.force_login(bob)
    page = client.get("/").content.decode()
    assert page.count(reverse("match", args=[match.public_id])) == 1
    assert "No other match is running." in page
    client.force_login(make_user("Carol"))
    assert reverse("match", args=[match.public_id]) in client.get("/").content.decode()


@pytest.mark.parametrize("name", ["offer-take", "offer-cancel"])
def test_a_stranger_to_the_site_changes_nothing(client, alice, name):
    offer = service.create_offer(alice)
    answer = client.post(reverse(name, args=[offer.public_id]))
    # Afterwards to the lobby: the address of a form is no page to come back to.
    assert answer.url == f"{reverse('account_login')}?next={reverse('lobby')}"
    offer.refresh_from_db()
    assert offer.status == Offer.Status.OPEN


@pytest.mark.parametrize("variant", ["", "chess", "spectacular-bid\0", "x" * 400])
def test_an_unknown_game_is_refused_in_words(client, alice, variant):
    client.force_login(alice)
    page = client.post(reverse("offer-create"), {"variant": variant}, follow=True)
    assert "not offered here" in page.content.decode()
    assert not Offer.objects.exists()


def test_signing_out_withdraws_the_offer(client, alice):
    client.force_login(alice)
    service.create_offer(alice)
    client.post(reverse("account_logout"))
    assert service.open_offers() == []


def test_a_players_page_shows_name_rating_and_no_secret(client, alice, bob):
    page = client.get(reverse("player", args=["alice"])).content.decode()
    assert "Alice" in page
    assert "No rated match yet" in page
    assert alice.email not in page


def test_a_players_page_writes_dates_one_way_and_names_whole(client, alice):
    opponent = make_user("Przemysław Wiśniewski-Kowalczyk"[:30])
    match = make_match([alice, opponent])
    Match.objects.filter(pk=match.pk).update(status="finished", winner=0, ending="balance", cap_ms=None, ended_at=DAY)
    type(alice).objects.filter(pk=alice.pk).update(date_joined=DAY)
    page = client.get(reverse("player", args=["alice"])).content.decode()
    assert "Here since 2 Nov 2026" in page
    assert ">2 Nov 2026</time>" in page
    assert f">{opponent.username}</a>" in page
    assert "clip" not in page[page.index('id="h-matches"') :]


def test_an_unknown_player_is_not_found(client):
    assert client.get(reverse("player", args=["nobody"])).status_code == 404


@pytest.mark.parametrize("waiting", ["%00", "a%00b", "x" * 3_000, "%ED%A0%80", "%D9%A1", "1' or '1"])
def test_waiting_for_what_is_no_offer_shows_the_lobby(client, alice, waiting):
    client.force_login(alice)
    assert client.get(f"/?waiting={waiting}").status_code == 200


def test_nobody_is_led_to_a_stranger_s_match(client, alice, bob):
    offer = service.create_offer(alice)
    service.take_offer(bob, offer.public_id)
    client.force_login(make_user("Charlie"))
    assert client.get(f"/?waiting={offer.public_id}").status_code == 200


@pytest.mark.parametrize("name", ["offer-take", "offer-cancel"])
def test_a_form_with_a_name_no_offer_can_have_is_refused_in_words(client, alice, name):
    client.force_login(alice)
    page = client.post(reverse(name, args=["a\0b"]), follow=True)
    assert "That offer is gone" in page.content.decode()


def test_the_lobby_answers_who_asks_for_the_head_alone(client):
    answer = client.head("/")
    assert (answer.status_code, answer.content) == (200, b"")


def test_who_makes_and_cancels_offers_without_end_is_slowed_down(client, alice, settings):
    """B217: each is drawn by every open lobby."""
    settings.USER_RATE = 0.0  # however slowly the posts come
    client.force_login(alice)
    for _ in range(60):
        answer = client.post(reverse("offer-create"), {"variant": "chess"})
        if answer.status_code == 429:
            break
    assert answer.status_code == 429
    assert "wait a few minutes" in answer.content.decode()


def test_the_figures_of_a_stake_are_explained_with_k(client, alice, bob):
    """In a disclosure that a mouse, a finger, a key and a screen reader open alike, outside of what is swapped."""
    service.create_offer(alice)
    client.force_login(bob)
    page = client.get("/").content.decode()
    why = page[page.index('<details class="seeks-why">') : page.index("</details>", page.index("seeks-why"))]
    assert "<summary>What the rating figures and K mean</summary>" in why
    assert "half of it between equals" in why
    assert all(figure in why for figure in ("40", "30", "20", "2400", "10"))
    assert 'id="lobby-' not in why


@pytest.mark.parametrize("is_waiting", [True, False])
def test_a_page_without_scripts_looks_again_where_an_offer_leads(client, alice, is_waiting):
    """Also when the owner has come to the lobby by another way than the offer's form."""
    client.force_login(alice)
    address = f"/?waiting={service.create_offer(alice).public_id}" if is_waiting else ""
    page = client.get("/").content.decode()
    refresh = f"3;url={address}" if is_waiting else "10"
    assert f'<noscript><meta http-equiv="refresh" content="{refresh}"></noscript>' in page
    assert f'data-again="{address}"' in page  # the same for scripts that did not come: theme.js


def test_a_visitor_s_lobby_does_not_look_again_by_script(client):
    assert "data-again" not in client.get("/").content.decode()

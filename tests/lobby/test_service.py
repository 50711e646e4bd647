"""Offers: made, taken, cancelled and expired exactly once."""

import contextlib
import threading
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.service import close_account, issue_token
from games.lobby import service
from games.lobby.errors import (
    AlreadyPlaying,
    LobbyError,
    NotYourOffer,
    OfferGone,
    OpponentPlaying,
    OwnOffer,
    TooManyOffers,
)
from games.lobby.models import Offer
from games.lobby.shown import shown_offers
from games.models import Match
from games.service import leave
from tests.factories import make_user

pytestmark = pytest.mark.django_db

NOW = 1_700_000_000_000


@pytest.fixture
def alice():
    return make_user("alice")


@pytest.fixture
def bob():
    return make_user("bob")


@pytest.fixture
def charlie():
    return make_user("charlie")


def test_an_offer_taken_begins_a_match_of_the_two(alice, bob):
    offer = service.create_offer(alice, at_ms=NOW)
    match = service.take_offer(bob, offer.public_id, at_ms=NOW + 1)
    assert [seat.user for seat in match.seats.order_by("index")] == [alice, bob]
    assert match.rated
    assert Offer.objects.get().status == Offer.Status.TAKEN


def test_accepting_twice_leads_to_the_same_match(alice, bob):
    offer = service.create_offer(alice, at_ms=NOW)
    first = service.take_offer(bob, offer.public_id, at_ms=NOW + 1)
    again = service.take_offer(bob, offer.public_id, at_ms=NOW + 2)
    assert again == first
    assert Match.objects.count() == 1


def test_a_taken_offer_is_gone_for_a_third(alice, bob, charlie):
    offer = service.create_offer(alice, at_ms=NOW)
    service.take_offer(bob, offer.public_id, at_ms=NOW + 1)
    with pytest.raises(OfferGone):
        service.take_offer(charlie, offer.public_id, at_ms=NOW + 2)
    assert Match.objects.count() == 1


def test_nobody_plays_against_themselves(alice):
    offer = service.create_offer(alice, at_ms=NOW)
    with pytest.raises(OwnOffer):
        service.take_offer(alice, offer.public_id, at_ms=NOW)


def test_a_person_has_one_open_offer(alice):
    service.create_offer(alice, at_ms=NOW)
    with pytest.raises(TooManyOffers):
        service.create_offer(alice, at_ms=NOW)


def test_a_program_has_several_offers_up_to_a_limit():
    program = make_user("robo", is_program=True)
    for _ in range(service.PROGRAM_OFFERS):
        service.create_offer(program, at_ms=NOW)
    with pytest.raises(TooManyOffers):
        service.create_offer(program, at_ms=NOW)


def test_other_offers_end_when_a_match_begins(alice, bob):
    """B129: what else stood open of either player disappears with the start."""
    of_alice = service.create_offer(alice, at_ms=NOW)
    of_bob = service.create_offer(bob, at_ms=NOW)
    service.take_offer(bob, of_alice.public_id, at_ms=NOW + 1)
    of_bob.refresh_from_db()
    assert of_bob.status == Offer.Status.CANCELLED
    assert service.open_offers(at_ms=NOW + 1) == []


def test_who_plays_makes_and_takes_no_offer(alice, bob, charlie):
    offer = service.create_offer(alice, at_ms=NOW)
    service.take_offer(bob, offer.public_id, at_ms=NOW)
    with pytest.raises(AlreadyPlaying):
        service.create_offer(alice, at_ms=NOW)
    other = service.create_offer(charlie, at_ms=NOW)
    with pytest.raises(AlreadyPlaying):
        service.take_offer(bob, other.public_id, at_ms=NOW)


def test_an_offer_of_somebody_who_plays_by_now_is_refused(alice, bob, charlie):
    offer = service.create_offer(alice, at_ms=NOW)
    service.take_offer(bob, offer.public_id, at_ms=NOW)
    Offer.objects.filter(pk=offer.pk).update(status=Offer.Status.OPEN, taken_by=None, match=None)
    with pytest.raises(OpponentPlaying):
        service.take_offer(charlie, offer.public_id, at_ms=NOW)


def test_a_cancelled_offer_stays_cancelled(alice, bob):
    """B131: neither an old link nor a second try brings it back."""
    offer = service.create_offer(alice, at_ms=NOW)
    service.cancel_offer(alice, offer.public_id)
    with pytest.raises(OfferGone):
        service.take_offer(bob, offer.public_id, at_ms=NOW + 1)
    with pytest.raises(OfferGone):
        service.cancel_offer(alice, offer.public_id)


def test_only_its_owner_cancels_an_offer(alice, bob):
    offer = service.create_offer(alice, at_ms=NOW)
    with pytest.raises(NotYourOffer):
        service.cancel_offer(bob, offer.public_id)
    assert service.open_offers(at_ms=NOW) == [offer]


def test_an_offer_goes_with_its_owner(alice, bob):
    """B137, B139: gone for everybody, free for the owner, without anyone reloading."""
    offer = service.create_offer(alice, at_ms=NOW)
    gone = NOW + service.OWNER_GONE_MS
    assert service.open_offers(at_ms=gone - 1) == [offer]
    assert service.open_offers(at_ms=gone) == []
    with pytest.raises(OfferGone):
        service.take_offer(bob, offer.public_id, at_ms=gone)
    assert service.expire_offers(at_ms=gone) == 1
    service.create_offer(alice, at_ms=gone)


def test_an_owner_who_is_seen_keeps_the_offer(alice):
    offer = service.create_offer(alice, at_ms=NOW)
    service.owner_seen(alice.pk, at_ms=NOW + 20_000)
    assert service.open_offers(at_ms=NOW + 49_999) == [offer]
    assert service.expire_offers(at_ms=NOW + 50_000) == 1


def test_a_closed_socket_takes_the_offer_away_soon_unless_another_tab_keeps_it(alice):
    offer = service.create_offer(alice, at_ms=NOW)
    service.leave_lobby(alice.pk, at_ms=NOW + 1_000)
    assert service.open_offers(at_ms=NOW + 6_999) == [offer]
    assert service.open_offers(at_ms=NOW + 7_000) == []
    service.owner_seen(alice.pk, at_ms=NOW + 5_000)
    assert service.open_offers(at_ms=NOW + 7_000) == [offer]


def test_no_offer_outlives_ten_minutes(alice):
    offer = service.create_offer(alice, at_ms=NOW)
    end = NOW + service.OFFER_LIFE_MS
    service.owner_seen(alice.pk, at_ms=end)
    assert service.open_offers(at_ms=end - 1) == [offer]
    assert service.open_offers(at_ms=end) == []


def test_a_person_and_a_program_never_play_rated(alice):
    program = make_user("robo", is_program=True)
    offer = service.create_offer(program, at_ms=NOW)
    match = service.take_offer(alice, offer.public_id, at_ms=NOW)
    assert not match.rated


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rivals", ["take-take", "take-cancel"])
def test_one_offer_leads_to_one_match_or_none(rivals):
    """B111, B113: two takers, or a taker and the owner's cancel, in the same instant."""
    alice, bob, charlie = make_user("alice"), make_user("bob"), make_user("charlie")
    for _ in range(10):
        Offer.objects.all().delete()
        offer = service.create_offer(alice)
        take = partial(service.take_offer, public_id=offer.public_id)
        acts = {
            "take-take": [partial(take, bob), partial(take, charlie)],
            "take-cancel": [partial(take, bob), partial(service.cancel_offer, alice, offer.public_id)],
        }[rivals]
        done, refused = _at_once(acts)
        assert (len(done), len(refused)) == (1, 1)
        assert all(isinstance(error, OfferGone) for error in refused)
        begun = Match.objects.filter(status__in=Match.RUNNING)
        assert begun.count() == Offer.objects.filter(status=Offer.Status.TAKEN).count()
        for match in begun:
            _end(match, alice)


@pytest.mark.django_db(transaction=True)
def test_two_who_accept_each_other_s_offers_at_once_begin_one_match():
    """B113: neither waits for the other without end."""
    for _ in range(10):
        alice, bob = make_user(), make_user()
        of_alice, of_bob = service.create_offer(alice), service.create_offer(bob)
        acts = [
            partial(service.take_offer, bob, of_alice.public_id),
            partial(service.take_offer, alice, of_bob.public_id),
            partial(service.owners_seen, [alice.pk, bob.pk]),
        ]
        done, refused = _at_once(acts)
        assert (len(done), len(refused)) == (2, 1)
        assert Match.objects.filter(seats__user=alice).count() == 1
        assert not Offer.objects.filter(status=Offer.Status.OPEN).exists()


@pytest.mark.django_db(transaction=True)
def test_no_offer_is_made_while_a_match_of_its_owner_begins():
    """B129: the new offer is refused, or ended with the others."""
    for _ in range(10):
        alice, bob = make_user(), make_user()
        offer = service.create_offer(alice)
        acts = [partial(service.take_offer, bob, offer.public_id), partial(_try, service.create_offer, bob)]
        done, refused = _at_once(acts)
        assert (len(done), refused) == (2, [])
        assert not Offer.objects.filter(owner=bob, status=Offer.Status.OPEN).exists()


def test_who_became_a_program_meanwhile_is_not_rated_among_people(alice, bob):
    """The request read its user before the token was given."""
    offer = service.create_offer(alice, at_ms=NOW)
    issue_token(User.objects.get(pk=bob.pk))
    assert not bob.is_program
    match = service.take_offer(bob, offer.public_id, at_ms=NOW)
    assert not match.rated
    assert not match.seats.filter(active_person=bob).exists()


def test_an_offer_of_a_closed_account_is_gone(alice, bob):
    offer = service.create_offer(alice, at_ms=NOW)
    close_account(alice)
    with pytest.raises(OfferGone):
        service.take_offer(bob, offer.public_id, at_ms=NOW)


def test_a_lapsed_offer_is_not_in_the_way_of_a_new_one(alice):
    """B139: nobody can take the old one, whether the sweep has come by or not."""
    lapsed = service.create_offer(alice, at_ms=NOW)
    again = service.create_offer(alice, at_ms=NOW + service.OWNER_GONE_MS)
    lapsed.refresh_from_db()
    assert lapsed.status == Offer.Status.EXPIRED
    assert service.open_offers(at_ms=NOW + service.OWNER_GONE_MS) == [again]


def test_programs_that_play_many_matches_at_once_are_rated_in_five():
    """The limit of a pair counts the matches that are not in the ledger yet."""
    robo, other = make_user("robo", is_program=True), make_user("other", is_program=True)
    offers = [service.create_offer(robo) for _ in range(7)]
    rated = [service.take_offer(other, offer.public_id).rated for offer in offers]
    assert rated == [True] * 5 + [False] * 2
    service.create_offer(robo)
    (shown,) = shown_offers(other, service.open_offers())
    assert not shown.rated
    assert shown.casual_reason


@pytest.mark.parametrize("name", ["", "\0", "a\0b", "x" * 200, "١٢٣", "a/b", "a\n"])
def test_what_is_no_name_of_an_offer_is_gone(alice, name):
    for act in (service.take_offer, service.cancel_offer, service.own_offer):
        with pytest.raises(OfferGone):
            act(alice, name)
    assert service.taken_offer(alice, name) is None


def test_a_page_of_somebody_without_an_offer_writes_nothing(alice, bob):
    service.create_offer(alice)
    with CaptureQueriesContext(connection) as queries:
        service.owner_seen(bob.pk)
        service.expire_offers()
    assert [query["sql"][:6] for query in queries] == ["SELECT", "SELECT"]


def test_more_offers_take_no_more_queries(alice):
    """B262."""
    counts = []
    for _ in range(2):
        for _ in range(5):
            service.create_offer(make_user())
            service.create_offer(make_user(is_program=True))
        with CaptureQueriesContext(connection) as queries:
            shown = shown_offers(alice, service.open_offers())
        counts.append((len(shown), len(queries)))
    assert counts == [(10, 7), (20, 7)]


def test_the_own_offer_is_shown_however_many_there_are(alice, monkeypatch):
    monkeypatch.setattr("games.lobby.shown.OFFERS_SHOWN", 2)
    for at_ms in range(3):
        service.create_offer(make_user(), at_ms=NOW + at_ms)
    service.create_offer(alice, at_ms=NOW + 3)
    shown = shown_offers(alice, service.open_offers(at_ms=NOW + 3))
    assert [offer.own for offer in shown] == [False, False, True]


def _try(act, *given):
    with contextlib.suppress(AlreadyPlaying):
        act(*given)


def _at_once(acts):
    gate = threading.Barrier(len(acts))
    done, refused = [], []

    def run(act):
        gate.wait(timeout=10)
        try:
            done.append(act())
        except LobbyError as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return done, refused


def _end(match, user):
    leave(match.pk, user)

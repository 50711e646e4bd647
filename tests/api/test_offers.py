"""The JSON door: a token opens it, nothing else does, and each refusal has a code."""

import json

import pytest

from accounts.errors import TokenRefused
from accounts.service import issue_token
from games.lobby import service
from games.lobby.models import Offer
from games.models import Match
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def robo():
    return make_user("Robo")


@pytest.fixture
def door(client, robo):
    return Door(client, issue_token(robo))


class Door:
    """A program at the API."""

    def __init__(self, client, token):
        self.client = client
        self.headers = {"authorization": f"Bearer {token}"}

    def get(self, path):
        return self.client.get(path, headers=self.headers)

    def post(self, path, body=b"{}"):
        body = body if isinstance(body, bytes) else json.dumps(body)
        return self.client.post(path, body, content_type="application/json", headers=self.headers)

    def delete(self, path):
        return self.client.delete(path, headers=self.headers)


def test_a_program_makes_lists_and_cancels_an_offer(door):
    made = door.post("/api/offers/", {"variant": "spectacular-bid", "rated": True})
    assert made.status_code == 201
    name = made.json()["offer"]["id"]
    (listed,) = door.get("/api/offers/").json()["offers"]
    assert listed["id"] == name
    assert listed["owner_is_program"] is True
    assert listed["own"] is True
    assert door.delete(f"/api/offers/{name}/").json() == {"id": name, "status": "cancelled"}
    assert door.get("/api/offers/").json() == {"offers": []}
    assert door.get(f"/api/offers/{name}/").json() == {"id": name, "status": "cancelled", "match": None}


def test_the_head_alone_is_to_be_had(door):
    answer = door.client.head("/api/offers/", headers=door.headers)
    assert (answer.status_code, answer.content) == (200, b"")
    assert door.client.head("/api/offers/").status_code == 401
    assert door.client.put("/api/matches/", headers=door.headers)["Allow"] == "GET, HEAD"


def test_two_programs_meet_in_a_rated_match_of_their_own_pool(client, door, robo):
    other = make_user("Other")
    other_door = Door(client, issue_token(other))
    name = door.post("/api/offers/").json()["offer"]["id"]
    taken = other_door.post(f"/api/offers/{name}/take/")
    assert taken.status_code == 201
    match = Match.objects.get()
    assert taken.json() == {"match": match.public_id, "socket": f"/ws/matches/{match.public_id}/"}
    assert match.rated
    assert "program" in match.pool
    assert door.get(f"/api/offers/{name}/").json()["match"] == match.public_id
    (listed,) = door.get("/api/matches/").json()["matches"]
    assert listed["players"] == ["Robo", "Other"]
    assert listed["balances"] == [150, 150]


def test_an_offer_of_a_person_is_casual_for_a_program(door):
    service.create_offer(make_user("Alice"))
    (listed,) = door.get("/api/offers/").json()["offers"]
    assert listed["rated"] is False


@pytest.mark.parametrize(
    "headers", [{}, {"authorization": "Bearer nonsense"}, {"authorization": "Basic YTpi"}, {"authorization": "Bearer"}]
)
def test_without_a_token_nothing_is_told(client, headers):
    answer = client.get("/api/offers/", headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (401, "TokenNeeded")


def test_a_session_cookie_opens_nothing(client):
    client.force_login(make_user("Alice"))
    assert client.post("/api/offers/", "{}", content_type="application/json").status_code == 401
    assert not Offer.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"null",
        b"{",
        b"\xff\xfe",
        b'{"rated": 1}',
        b'{"rated": "true"}',
        b'{"variant": null}',
        b'{"sides": 2}',
        b"[" * 3000,
        b'{"variant": "' + b"x" * 5000 + b'"}',
    ],
)
def test_a_malformed_body_is_refused_by_name(door, body):
    answer = door.post("/api/offers/", body)
    assert (answer.status_code, answer.json()["error"]) == (400, "MalformedRequest")
    assert not Offer.objects.exists()


def test_refusals_have_codes_and_change_nothing(door):
    assert door.post("/api/offers/", {"variant": "chess"}).json()["error"] == "UnknownGame"
    assert door.post("/api/offers/nothing/take/").status_code == 410
    own = door.post("/api/offers/").json()["offer"]["id"]
    assert door.post(f"/api/offers/{own}/take/").json()["error"] == "OwnOffer"
    of_alice = service.create_offer(make_user("Alice")).public_id
    assert door.delete(f"/api/offers/{of_alice}/").status_code == 403
    assert door.client.put("/api/offers/", headers=door.headers).status_code == 405
    assert Offer.objects.filter(status=Offer.Status.OPEN).count() == 2
    assert not Match.objects.exists()


def test_asking_the_door_keeps_the_offer_open(door):
    name = door.post("/api/offers/").json()["offer"]["id"]
    Offer.objects.update(seen_at_ms=0)
    door.get("/api/matches/")
    assert [offer.public_id for offer in service.open_offers()] == [name]


def test_nobody_becomes_a_program_in_the_middle_of_a_match():
    alice, bob = make_user("Alice"), make_user("Bob")
    service.take_offer(bob, service.create_offer(alice).public_id)
    with pytest.raises(TokenRefused):
        issue_token(alice)
    alice.refresh_from_db()
    assert not alice.is_program


@pytest.mark.parametrize("length", ["abc", "2,2", "1e3", "9" * 5_000])
def test_a_length_that_is_no_number_is_refused(client, door, length):
    answer = client.generic(
        "POST", "/api/offers/", b"{}", content_type="application/json", headers=door.headers, CONTENT_LENGTH=length
    )
    assert answer.status_code == 400
    assert answer.json() == {"error": "MalformedRequest", "detail": {"field": "body"}}


@pytest.mark.parametrize("name", ["%00", "a%00b", "x" * 200, "%D9%A1"])
def test_what_is_no_name_of_an_offer_is_gone(door, name):
    for answer in (door.get(f"/api/offers/{name}/"), door.post(f"/api/offers/{name}/take/")):
        assert (answer.status_code, answer.json()["error"]) == (410, "OfferGone")
    assert door.delete(f"/api/offers/{name}/").status_code == 410

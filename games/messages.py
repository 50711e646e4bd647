"""Codes to sentences in the reader's language: refusals, and what has happened.

Facts come as `rules.sight_fact` gives them, so nothing hidden can get into a sentence: where a tile
is None, the sentence does without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

CHIP = 5  # points

FactData = Mapping[str, Any]


def error_text(code: str, detail: Mapping[str, Any] | None = None) -> str:
    """The refusal as a sentence for a person; unknown codes get a plain one."""
    detail = detail or {}
    if code == "MalformedCommand":
        return _malformed(detail)
    if code == "BidTooLow" and isinstance(least := detail.get("lowest"), int):
        return _("That bid is too low: at least %(least)d.") % {"least": least}
    if code == "BidUnaffordable" and isinstance(most := detail.get("highest"), int):
        return _("That bid is more than you could pay: at most %(most)d.") % {"most": most}
    if code == "MustOpenWith" and isinstance(tile := detail.get("tile"), str):
        return _("This hand must be opened with %(tile)s.") % {"tile": tile_text(tile)}
    if code == "MustPlayDrawnTile" and isinstance(tile := detail.get("tile"), str):
        return _("The tile you drew fits, so it must be played: %(tile)s.") % {"tile": tile_text(tile)}
    return _sentences().get(code) or _("That is not possible now. Nothing has changed.")


def fact_text(fact: FactData, names: Sequence[str], you: int | None = None) -> str:
    """What has happened, in a sentence or two; "" for what needs no words (a clock that stopped).

    `names` by seat; `you`: the seat of who reads it, who is spoken to and not named. What only a page for two is told,
    and whose turn it is, which a page says in other words, names everybody.
    """
    tell = _TELLERS.get(fact["type"])
    return "" if tell is None else tell(fact, names, you)


def news_text(facts: Iterable[FactData], names: Sequence[str], you: int | None = None) -> str:
    """All that one command has brought, for a live region or a line of the log."""
    return " ".join(text for fact in facts if (text := fact_text(fact, names, you)))


def tile_text(tile: str) -> str:
    """A tile for people: "1|4" becomes "1–4"."""
    return tile.replace("|", "–")


def site_text(site: str) -> str:
    """A place on the table for people: "the 4 of 1–4", "line A of 5–5"."""
    tile, _dot, port = site.partition(".")
    low, _bar, high = tile.partition("|")
    values = {"tile": tile_text(tile), "low": low, "high": high}
    sentences = {
        # Translators: stands after "on".
        "low": _("the %(low)s of %(tile)s"),
        # Translators: stands after "on".
        "high": _("the %(high)s of %(tile)s"),
        "line_a": _("line A of %(tile)s"),
        "line_b": _("line B of %(tile)s"),
        "arm_a": _("arm A of %(tile)s"),
        "arm_b": _("arm B of %(tile)s"),
    }
    return sentences[port] % values


def chips_text(points: int) -> str:
    """Points as chips: "4 chips"."""
    return ngettext("%(count)d chip", "%(count)d chips", points // CHIP) % {"count": points // CHIP}


def ending_text(ending: str, winner: int | None, names: Sequence[str], you: int | None = None) -> str:
    """How a match ended, in a sentence; `you` as in `fact_text`."""
    name = "" if winner is None else names[winner]
    loser = "" if winner is None else names[1 - winner]
    sentences = {
        "balance": _("%(name)s wins the match: %(loser)s has no points left."),
        "time": _("%(name)s wins the match: the time of %(loser)s is up."),
        "resign": _("%(name)s wins the match: %(loser)s resigned."),
        "cancelled": _("The match was cancelled: not everybody started. It is not rated."),
        "service_fault": _("The match was aborted for a fault of the service. It is not rated."),
    }
    if winner is not None and winner == you:
        sentences = {
            "balance": _("You win the match: %(loser)s has no points left."),
            "time": _("You win the match: the time of %(loser)s is up."),
            "resign": _("You win the match: %(loser)s resigned."),
        }
    elif winner is not None and 1 - winner == you:
        sentences = {
            "balance": _("%(name)s wins the match: you have no points left."),
            "time": _("%(name)s wins the match: your time is up."),
            "resign": _("%(name)s wins the match: you resigned."),
        }
    return sentences[ending] % {"name": name, "loser": loser}


# Refusals.


def _sentences() -> dict[str, str]:
    return {
        # Around the rules.
        "StaleCommand": _("The match has moved on. Look again: this is how it stands now."),
        "NotSeated": _("You do not play in this match."),
        "TimeIsUp": _("Time is up. The verdict follows in a moment."),
        "TimingFault": _(
            "Your move came in time, but was judged late. That was our fault, so the match does not count."
        ),
        "TooManyWaiting": _("Too many commands at once. This one was not taken."),
        "RateLimited": _("Too many commands in a short time. This one was not taken."),
        "Unavailable": _(
            "Part of the site is not answering. Matches go on, and clocks keep running. Please try again in a moment."
        ),
        "NoSuchMatch": _("There is no such match."),
        "AlreadyInMatch": _("You are in a match already. Finish it first."),
        "DeviceBusy": _("A match is running on this device already. Finish or end it first."),
        "AlreadyDealt": _("The tiles are dealt, so you can no longer leave, only resign."),
        "CannotStart": _("These players cannot start this match."),
        # The rules.
        "MatchIsOver": _("The match is over."),
        "WrongPhase": _("That is not possible in this part of the hand."),
        "NotYourTurn": _("It is not your turn."),
        "AlreadyReady": _("You have pressed already. Waiting for the other player."),
        "NoDeal": _("The tiles cannot be dealt now."),
        "NoBidStands": _("There is no bid yet to accept or to raise."),
        "BidStands": _("There is a bid already: accept it or raise it."),
        "BidTooLow": _("That bid is too low."),
        "BidNotMultipleOfFive": _("A bid is a multiple of five."),
        "BidUnaffordable": _("That bid is more than you could pay."),
        "TileNotHeld": _("You do not hold that tile."),
        "MustOpenWith": _("This hand must be opened with another tile."),
        "MustPlayDrawnTile": _("The tile you drew fits, so it must be played."),
        "SiteNotOpen": _("Nothing can be played at that place."),
        "TileDoesNotFit": _("That tile does not fit there."),
        "MustPlay": _("You have a tile that fits, so you must play."),
        "NothingToDraw": _("There is no tile left to draw."),
        "TimeRunsBackwards": _("The clock of the service stepped back. Please try again."),
    }


def _malformed(detail: Mapping[str, Any]) -> str:
    if detail.get("field") == "amount":
        return _("A bid is a whole number written in plain digits.")
    return _("That was not understood. Nothing has changed.")


# What has happened. One teller per type of fact.


def _ready(fact: FactData, names: Sequence[str], you: int | None) -> str:
    return _("You are ready.") if fact["seat"] == you else _("%(name)s is ready.") % {"name": names[fact["seat"]]}


def _dealt(fact: FactData, names: Sequence[str], you: int | None) -> str:
    return _("Hand %(number)d is dealt.") % {"number": fact["hand"]}


def _revealed(fact: FactData, names: Sequence[str], you: int | None) -> str:
    return _("%(name)s looks at the tiles.") % {"name": names[fact["seat"]]}


def _turn_started(fact: FactData, names: Sequence[str], you: int | None) -> str:
    sentences = {
        "auction": _("%(name)s decides in the auction."),
        "opening": _("%(name)s opens."),
        "turn": _("%(name)s is on turn."),
    }
    return sentences[fact["kind"]] % {"name": names[fact["seat"]]}


def _declined(fact: FactData, names: Sequence[str], you: int | None) -> str:
    values = {"name": names[fact["seat"]], "other": names[1 - fact["seat"]]}
    if fact["seat"] == you:
        return _("You make no bid: %(other)s opens free.") % values
    if 1 - fact["seat"] == you:
        return _("%(name)s makes no bid: you open free.") % values
    return _("%(name)s makes no bid: %(other)s opens free.") % values


def _bid(fact: FactData, names: Sequence[str], you: int | None) -> str:
    text = _("You bid %(amount)d.") if fact["seat"] == you else _("%(name)s bids %(amount)d.")
    return text % {"name": names[fact["seat"]], "amount": fact["amount"]}


def _raised(fact: FactData, names: Sequence[str], you: int | None) -> str:
    text = _("You raise to %(amount)d.") if fact["seat"] == you else _("%(name)s raises to %(amount)d.")
    return text % {"name": names[fact["seat"]], "amount": fact["amount"]}


def _accepted(fact: FactData, names: Sequence[str], you: int | None) -> str:
    text = _("%(name)s accepts the bid of %(amount)d: %(bidder)s pays %(net)d and opens.")
    if fact["seat"] == you:
        text = _("You accept the bid of %(amount)d: %(bidder)s pays %(net)d and opens.")
    elif fact["bidder"] == you:
        text = _("%(name)s accepts the bid of %(amount)d: you pay %(net)d and open.")
    return text % {
        "name": names[fact["seat"]],
        "bidder": names[fact["bidder"]],
        "amount": fact["amount"],
        "net": fact["net"],
    }


def _played(fact: FactData, names: Sequence[str], you: int | None) -> str:
    values = {"name": names[fact["seat"]], "tile": tile_text(fact["tile"]), "total": fact["total"]}
    is_you = fact["seat"] == you
    if fact["site"] is None:
        text = _("You opened with %(tile)s: %(total)d.") if is_you else _("%(name)s opened with %(tile)s: %(total)d.")
        return text % values
    text = (
        _("You played %(tile)s on %(site)s: %(total)d.")
        if is_you
        else _("%(name)s played %(tile)s on %(site)s: %(total)d.")
    )
    return text % {**values, "site": site_text(fact["site"])}


def _transferred(fact: FactData, names: Sequence[str], you: int | None) -> str:
    payer = fact["payer"]
    values = {
        "name": names[1 - payer],
        "payer": names[payer],
        "chips": chips_text(fact["paid"]),
        "due": fact["due"],
        "first": fact["balances"][0],
        "second": fact["balances"][1],
    }
    if fact["paid"] < fact["due"]:
        text = _("%(chips)s to %(name)s: %(due)d were due, but %(payer)s had no more. %(first)d to %(second)d.")
        if payer == you:
            text = _("%(chips)s to %(name)s: %(due)d were due, but you had no more. %(first)d to %(second)d.")
        elif 1 - payer == you:
            text = _("%(chips)s to you: %(due)d were due, but %(payer)s had no more. %(first)d to %(second)d.")
        return text % values
    sentences = {
        "placement": _("%(chips)s to %(name)s. %(first)d to %(second)d."),
        "bid": _("%(chips)s to %(name)s for the opening. %(first)d to %(second)d."),
        "block": _("%(chips)s to %(name)s for the block. %(first)d to %(second)d."),
    }
    if 1 - payer == you:
        sentences = {
            "placement": _("%(chips)s to you. %(first)d to %(second)d."),
            "bid": _("%(chips)s to you for the opening. %(first)d to %(second)d."),
            "block": _("%(chips)s to you for the block. %(first)d to %(second)d."),
        }
    return sentences[fact["cause"]] % values


def _drew(fact: FactData, names: Sequence[str], you: int | None) -> str:
    values = {"name": names[fact["seat"]], "left": fact["left"]}
    if fact.get("tile") is None:
        return (
            ngettext(
                "%(name)s draws a tile, %(left)d is left.", "%(name)s draws a tile, %(left)d are left.", fact["left"]
            )
            % values
        )
    text = (
        ngettext(
            "You draw %(tile)s, %(left)d tile is left.", "You draw %(tile)s, %(left)d tiles are left.", fact["left"]
        )
        if fact["seat"] == you
        else ngettext(
            "%(name)s draws %(tile)s, %(left)d tile is left.",
            "%(name)s draws %(tile)s, %(left)d tiles are left.",
            fact["left"],
        )
    )
    return text % {**values, "tile": tile_text(fact["tile"])}


def _passed(fact: FactData, names: Sequence[str], you: int | None) -> str:
    if fact["seat"] == you:
        return _("You have to pass.")
    return _("%(name)s has to pass.") % {"name": names[fact["seat"]]}


def _hand_over(fact: FactData, names: Sequence[str], you: int | None) -> str:
    winner = fact["winner"]
    if fact["how"] == "domino":
        if winner == you:
            return _("You go out: the hand is over.")
        return _("%(name)s goes out: the hand is over.") % {"name": names[winner]}
    pips = fact["pips"]
    if you is None:
        values = {"first": names[0], "first_pips": pips[0], "second": names[1], "second_pips": pips[1]}
        counted = _("The hand is blocked: %(first)s holds %(first_pips)d, %(second)s %(second_pips)d.") % values
    else:
        values = {"own_pips": pips[you], "name": names[1 - you], "pips": pips[1 - you]}
        counted = _("The hand is blocked: you hold %(own_pips)d, %(name)s %(pips)d.") % values
    if winner is None:
        return counted + " " + _("A tie: nothing is paid.")
    return counted


def _match_over(fact: FactData, names: Sequence[str], you: int | None) -> str:
    return ending_text(fact["ending"], fact["winner"], names, you)


_TELLERS: dict[str, Callable[[FactData, Sequence[str], int | None], str]] = {
    "ready": _ready,
    "dealt": _dealt,
    "revealed": _revealed,
    "turn_started": _turn_started,
    "declined": _declined,
    "bid": _bid,
    "raised": _raised,
    "accepted": _accepted,
    "played": _played,
    "transferred": _transferred,
    "drew": _drew,
    "passed": _passed,
    "hand_over": _hand_over,
    "match_over": _match_over,
}

"""Browsers that hold a device's key, or none: their pages and their sockets."""

from __future__ import annotations

from django.test import Client

from games import device
from tests.live.clients import HOST, ORIGIN, Page


def key() -> tuple[str, str]:
    """A browser's cookie and the digest that a match knows it by."""
    return device.key_for({})


def browser(cookie: str = "") -> Client:
    client = Client()
    if cookie:
        client.cookies[device.COOKIE] = cookie
    return client


class DevicePage(Page):
    """The socket of a page in a browser that holds a device's key."""

    def __init__(self, public_id: str, cookie: str, session: str | None = None) -> None:
        super().__init__(public_id, session)
        cookies = f"{device.COOKIE}={cookie}" + (f"; sessionid={session}" if session else "")
        self.scope["headers"] = [HOST, ORIGIN, (b"cookie", cookies.encode())]

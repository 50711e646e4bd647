"""Sockets of clients that do not read are cut off, whatever they write.

Daphne pings only who has not written for a while, and takes whatever comes in for the answer. A client that writes and
never reads would so stay for ever, and all that it is sent would pile up in this process.
"""

import time

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

PING_BYTES = 28  # the time and the number of the ping, and 16 bytes that nobody guesses


class AskedToRead(WebSocketProtocol):
    """Daphne's, but each socket is pinged, and only the very answer counts: it shows that all before it was read."""

    autoPingRestartOnAnyTraffic = False
    autoPingSize = PING_BYTES
    pinged_s = 0.0

    def check_timeouts(self) -> None:
        """Called every two seconds. One ping at a time: a second one would make the answer to the first worthless."""
        self.last_ping = time.time() if self.autoPingPending else self.pinged_s
        super().check_timeouts()
        self.pinged_s = self.last_ping


def ping_everybody() -> None:
    """From now on, of all sockets that this process opens."""
    WebSocketFactory.protocol = AskedToRead

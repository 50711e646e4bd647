"""The site as an ASGI application: pages and sockets."""

import gc
import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages: Any = get_asgi_application()  # sets Django up, which what follows needs

from config.keepalive import ping_everybody
from config.routing import websocket_urlpatterns
from games.arrival import StampBody
from games.processes import this_process

# Registered before the first request can come in: who judges alone must know of everybody else (D-27).
this_process.join()

ping_everybody()

# Each socket looks at Origin, session and token by itself (games.sockets): the two doors differ.
application = ProtocolTypeRouter({"http": StampBody(pages), "websocket": URLRouter(websocket_urlpatterns)})

# A full search for garbage stops everything: for 90 ms over what a start imports, for 200 ms with 500 sockets beside
# it. What is there by now never becomes garbage. The rest is searched in small parts, and as a whole very seldom.
gc.collect()
gc.freeze()
gc.set_threshold(2_000, 10, 100)

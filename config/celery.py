"""The Celery app and what beat asks for, and how often."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SWEEP_PERIOD_S = 0.5  # games.tasks goes on for as long after each sweep
OFFERS_PERIOD_S = 2.0

app = Celery("boneyard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["games", "games.lobby"])

# Plain seconds, not timedeltas. A sweep that nobody took within four periods is dropped: the next one does its work.
app.conf.beat_schedule = {
    "enforce-deadlines": {
        "task": "games.tasks.enforce_deadlines",
        "schedule": SWEEP_PERIOD_S,
        "options": {"queue": "clock", "expires": 4 * SWEEP_PERIOD_S, "ignore_result": True},
    },
    "expire-offers": {
        "task": "games.lobby.tasks.expire_offers",
        "schedule": OFFERS_PERIOD_S,
        "options": {"expires": 4 * OFFERS_PERIOD_S, "ignore_result": True},
    },
}

"""What the worker does for the lobby; a thin call into the service."""

from celery import shared_task

from . import service


@shared_task(ignore_result=True)
def expire_offers() -> None:
    """End the offers whose time is over or whose owner is gone."""
    service.expire_offers()

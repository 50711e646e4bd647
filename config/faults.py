"""A fault of the site: what whoever met it reads, and how an operator finds it in the log."""

import logging
import secrets

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template.loader import render_to_string

# Without those that are taken for another when they are read out or written down.
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUPS, GROUP_LENGTH = 2, 4


def server_error(request: HttpRequest) -> HttpResponse:
    """The page of a fault, with its reference: a new one each time, which says nothing about the fault."""
    reference = new_reference()
    # Django logs the fault when this page is made, and hands the request on.
    request.fault_reference = reference  # type: ignore[attr-defined] # of ours
    # Without the request: whatever broke, the page does not need it.
    return HttpResponseServerError(render_to_string("500.html", {"reference": reference}))


def new_reference() -> str:
    """Such as "K7QF-2M9X"."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS))
    return "-".join(groups)


def with_reference(record: logging.LogRecord) -> bool:
    """Always True. The line of a fault ends with the reference that its reader was shown."""
    reference = getattr(getattr(record, "request", None), "fault_reference", "")
    if reference:
        record.msg, record.args = f"{record.getMessage()} (reference {reference})", ()
    return True

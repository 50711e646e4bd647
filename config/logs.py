"""How the site logs: one line per event, for people or as JSON, always to standard error."""

import logging.config
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog

from config.faults import with_reference

STRANGERS_LENGTH = 200  # characters


def configure(choice: Mapping[str, Any]) -> None:
    """Sets up `logging` and structlog alike. `choice`: level (a name), format ("plain" or "json")."""
    before: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if choice["format"] == "json":
        last: list[structlog.types.Processor] = [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ]
    else:
        last = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *before,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": before,
                    "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
                }
            },
            "filters": {
                "faults": {"()": "django.utils.log.CallbackFilter", "callback": is_fault},
                "reference": {"()": "django.utils.log.CallbackFilter", "callback": with_reference},
                "terse": {"()": "django.utils.log.CallbackFilter", "callback": without_trace_of_strangers},
            },
            # On the handler: a logger's filter is not asked about what its children say.
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["terse"]}},
            "root": {"handlers": ["stderr"], "level": choice["level"]},
            "loggers": {
                # Each sweep would be two lines a second.
                "celery.worker.strategy": {"level": "WARNING"},
                "celery.app.trace": {"level": "WARNING"},
                "celery.beat": {"level": "WARNING"},
                "daphne": {"level": "WARNING"},
                "fontTools": {"level": "WARNING"},
                "django.request": {"filters": ["faults", "reference"]},
                "django.channels.server": {"level": "WARNING"},
            },
        }
    )


def is_fault(record: logging.LogRecord) -> bool:
    """Not the answer of /readyz while the site starts: it was asked for."""
    return getattr(record, "status_code", 0) != HTTPStatus.SERVICE_UNAVAILABLE


def without_trace_of_strangers(record: logging.LogRecord) -> bool:
    """Always True. What a stranger sent (a foreign Host, a body too large) is one short line: no fault of the site."""
    if record.name.startswith("django.security."):
        told = record.getMessage()
        record.msg, record.args = told[:STRANGERS_LENGTH] + ("…" if len(told) > STRANGERS_LENGTH else ""), ()
        record.exc_info = record.exc_text = record.stack_info = None
    return True

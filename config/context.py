"""What each page may say about the site itself."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """`test_deals`: True on a site whose deals were prepared, which every page has to say."""
    return {"test_deals": settings.TEST_DEALS is not None}

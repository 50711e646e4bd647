"""The site's settings, made quick for tests; the real processes of a test run on the site's own."""

from config.settings import *
from config.settings import DATABASES, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Pages of tests do not depend on what was collected.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True
JOINED_STYLES = False
# A connection that a thread leaves open would keep the test database from being dropped.
DATABASES["default"]["CONN_MAX_AGE"] = 0
if "sqlite3" in DATABASES["default"]["ENGINE"]:
    # A file, since a database in memory belongs to one thread.
    DATABASES["default"]["TEST"] = {"NAME": DATABASES["default"]["NAME"]}

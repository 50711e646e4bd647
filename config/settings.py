"""The only settings. What an operator may choose comes from the environment (environment.py)."""

from csp.constants import NONE, SELF

from config.addresses import broker_url, valkey_number
from config.environment import BASE_DIR, read_environment, secure_origins

ENVIRONMENT = read_environment()
VAR_DIR = ENVIRONMENT.var_dir
# What is made once from the checkout (fonts, static files) stays beside it, wherever the site's own files are.
BUILD_DIR = BASE_DIR / "var"

SECRET_KEY = ENVIRONMENT.secret_key
DEBUG = ENVIRONMENT.debug
ALLOWED_HOSTS = list(ENVIRONMENT.hosts)

INSTALLED_APPS = [
    "daphne",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.admin",
    "channels",
    "csp",
    "django_htmx",
    "allauth",
    "allauth.account",
    "config",
    "accounts",
    "ratings",
    "games",
    "games.lobby",
    "games.api",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Below WhiteNoise, whose files are no pages: a policy with each of them would be ten kB.
    "csp.middleware.CSPMiddleware",
    # These files are compressed already. Why pages with secrets may be: docs/adr/0013.
    "django.middleware.gzip.GZipMiddleware",
    "accounts.private_pages.PrivatePagesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.languages.AccountLanguageMiddleware",
    "accounts.looks.AccountLookMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.outage.OutageMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
        },
    },
]

# Storage. Never ATOMIC_REQUESTS: on SQLite each request would take the write lock.
DATABASES = {"default": ENVIRONMENT.database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
VALKEY_URL = ENVIRONMENT.valkey_url
VALKEY_IS_OURS = ENVIRONMENT.valkey_is_ours
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": VALKEY_URL,
        "KEY_PREFIX": "boneyard",
        "OPTIONS": {"socket_timeout": 2.0},
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            # Without a limit of its own redis-py may close an idle subscription.
            "hosts": [{"address": VALKEY_URL, "socket_timeout": None}],
            # Subscriptions know no database number, so the prefix keeps two sites on one server apart.
            "prefix": f"boneyard{valkey_number(VALKEY_URL)}",
        },
    }
}

# Celery. No result backend; the queue `clock` has a worker of its own, so that nothing delays it.
CELERY_BROKER_URL = broker_url(VALKEY_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "unacked_restore_throttle": 1,
    "global_keyprefix": "boneyard:celery:",
}
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {"games.tasks.enforce_deadlines": {"queue": "clock"}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ETA_TASK_LIMIT = 1000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_MAX_LOOP_INTERVAL = 0.5

# People.
AUTH_USER_MODEL = "accounts.User"
# One backend: with Django's beside it a wrong password would be hashed twice.
AUTHENTICATION_BACKENDS = ["accounts.auth.AccountBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# One password field: the page can show what was typed.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
# With mail on the console nobody could confirm an address.
ACCOUNT_EMAIL_VERIFICATION = (
    "optional" if ENVIRONMENT.mail["EMAIL_BACKEND"].startswith("django.core.mail.backends.console") else "mandatory"
)
# No page tells whether an address has an account (accounts/forms.py).
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "login": "accounts.forms.LoginForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "signup": "accounts.forms.SignupForm",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Boneyard] "
ALLAUTH_TRUSTED_PROXY_COUNT = ENVIRONMENT.trusted_proxies

# Mail.
globals().update(ENVIRONMENT.mail)
DEFAULT_FROM_EMAIL = ENVIRONMENT.mail_from
SERVER_EMAIL = ENVIRONMENT.mail_from

# The browser's side of safety.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "accounts.sessions"
CSRF_COOKIE_SAMESITE = "Lax"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
if ENVIRONMENT.https:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(livez|readyz)$"]
    SECURE_HSTS_SECONDS = 31_536_000
    CSRF_TRUSTED_ORIGINS = secure_origins(ENVIRONMENT.hosts)
    ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"

# Words, numbers and times.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("tr", "Türkçe"), ("pl", "Polski")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files, served by the web process itself.
FONTS_DIR = BUILD_DIR / "fonts"
ICONS_DIR = BUILD_DIR / "icons"
STYLES_DIR = BUILD_DIR / "styles"
STATIC_URL = "/static/"
STATIC_ROOT = BUILD_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", ("fonts", FONTS_DIR), ("icons", ICONS_DIR), ("css", STYLES_DIR)]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.StaticFiles"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = False
# Off, each sheet is asked for by itself: as it is in the checkout.
JOINED_STYLES = not DEBUG

LOGGING_CONFIG = "config.logs.configure"
LOGGING = {"level": ENVIRONMENT.log_level, "format": ENVIRONMENT.log_format}

# The table. Times in ms.
GRACE_MS = ENVIRONMENT.grace_ms
START_CAP_MS = ENVIRONMENT.start_cap_ms
CONTINUE_CAP_MS = ENVIRONMENT.continue_cap_ms
# Off: only the sweep ends a turn, as on a site where nobody is connected.
DEADLINE_TIMERS = ENVIRONMENT.timers
# A path to prepared deals: a site started with it says so on each page and is not fit to be deployed.
TEST_DEALS = ENVIRONMENT.test_deals

"""What others may say when something is asked of an account."""

from django.dispatch import Signal

# Sent with `user` before the first token makes an account a program's. A receiver that returns a
# code (a non-empty str) refuses it, since accounts cannot look into matches that still run.
token_wanted = Signal()

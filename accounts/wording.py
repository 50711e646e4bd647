"""Sentences of allauth and Django that our catalogues say in their own words.

Nothing imports this: it stands here for the extraction, which knows only what our sources name. Our
catalogues come before theirs: allauth's call a password by two words on one page. Its letters have
templates of our own (templates/account/email).
"""

from django.utils.translation import gettext_noop

# On pages.
gettext_noop("Password (again)")
gettext_noop("Incorrect password.")
gettext_noop("Password successfully changed.")
gettext_noop("Password successfully set.")
gettext_noop("Please type your current password.")
gettext_noop("The password reset token was invalid.")
gettext_noop("You must type the same password each time.")

# What allauth says of an address, of tries and of passwords.
gettext_noop("Be patient, you are sending too many requests.")
gettext_noop("Confirmation email sent to %(email)s.")
gettext_noop("Removed email address %(email)s.")
gettext_noop("The new value must be different from the current one.")
gettext_noop("This email address is already associated with this account.")
gettext_noop("Too many failed login attempts. Try again later.")
gettext_noop("Unable to confirm %(email)s because it is already confirmed by a different account.")
gettext_noop("You have confirmed %(email)s.")

# What Django says of them.
gettext_noop("Enter a valid email address.")
gettext_noop("This password is entirely numeric.")
gettext_noop("This password is too common.")

"""Sentences of allauth that our catalogues say in their own words.

Nothing imports this: it stands here for the extraction, which knows only what our sources name. Our
catalogues come before allauth's, whose translations call a password by two words on one page, or
bend the name of the site and its readers by rules that fit only some.
"""

from django.utils.translation import gettext_noop

# On pages.
gettext_noop("Current Password")
gettext_noop("New Password")
gettext_noop("New Password (again)")
gettext_noop("Password (again)")
gettext_noop("Incorrect password.")
gettext_noop("Password successfully changed.")
gettext_noop("Password successfully set.")
gettext_noop("Please type your current password.")
gettext_noop("The password reset token was invalid.")
gettext_noop("You must type the same password each time.")

# In mail.
gettext_noop("Hello from %(site_name)s!")
gettext_noop("Thank you for using %(site_name)s!\n%(site_domain)s")
gettext_noop("Password Changed")
gettext_noop("Password Reset Email")
gettext_noop("Please Confirm Your Email Address")
gettext_noop("Your password has been changed.")
gettext_noop("Your password has been reset.")
gettext_noop(
    "You're receiving this email because you or someone else has requested a password reset for your user account.\n"
    "It can be safely ignored if you did not request a password reset. Click the link below to reset your password."
)

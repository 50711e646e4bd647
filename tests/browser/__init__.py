"""The site in real browsers: Chromium against the site's real processes."""

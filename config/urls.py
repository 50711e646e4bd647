"""HTTP routes of all apps."""

urlpatterns: list = []

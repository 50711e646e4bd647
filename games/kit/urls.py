"""Addresses of the kit."""

from django.urls import path

from games.kit import views

urlpatterns = [
    path("", views.index, name="kit"),
    path("<slug:name>/", views.state, name="kit-state"),
]

"""Addresses of accounts beside allauth's."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("settings/", views.settings_page, name="settings"),
    path("settings/<slug:name>/", views.setting, name="setting"),
    path("language/", views.set_language, name="set_language"),
]

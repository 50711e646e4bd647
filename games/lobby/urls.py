"""Addresses of the lobby."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("offers/", views.create, name="offer-create"),
    path("offers/<str:public_id>/take/", views.take, name="offer-take"),
    path("offers/<str:public_id>/cancel/", views.cancel, name="offer-cancel"),
]

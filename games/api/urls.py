"""Addresses of the JSON door."""

from django.urls import path

from . import views

urlpatterns = [
    path("offers/", views.offers_view, name="api-offers"),
    path("offers/<str:public_id>/", views.offer_view, name="api-offer"),
    path("offers/<str:public_id>/take/", views.take_view, name="api-offer-take"),
    path("matches/", views.matches_view, name="api-matches"),
]

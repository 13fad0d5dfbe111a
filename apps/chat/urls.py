"""Addresses of asking, under /t/<slug>/."""

from django.urls import path

from apps.chat import review_views, views

app_name = "chat"

urlpatterns = [
    path("ask/", views.ask, name="ask"),
    path("ask/send/", views.send, name="send"),
    path("ask/<uuid:conversation_id>/", views.ask, name="conversation"),
    path("ask/<uuid:conversation_id>/rename/", views.rename, name="rename"),
    path("ask/<uuid:conversation_id>/delete/", views.delete, name="delete"),
    path("answers/<uuid:message_id>/stop/", views.stop, name="stop"),
    path("answers/<uuid:message_id>/retry/", views.retry, name="retry"),
    path("answers/<uuid:message_id>/feedback/", views.feedback, name="feedback"),
    path("audit/conversations/", review_views.list_conversations, name="reviews"),
    path("audit/conversations/<uuid:conversation_id>/", review_views.read, name="review"),
]

"""Addresses of asking, under /t/<slug>/."""

from django.urls import path

from apps.chat import inbox_views, review_views, scope_views, views

app_name = "chat"

urlpatterns = [
    path("ask/", views.ask, name="ask"),
    path("ask/send/", views.send, name="send"),
    path("ask/history/", views.history, name="history"),
    path("ask/scopes/", scope_views.save, name="save_scope"),
    path("ask/scopes/<uuid:scope_id>/", scope_views.use, name="use_scope"),
    path("ask/scopes/<uuid:scope_id>/delete/", scope_views.delete, name="delete_scope"),
    path("ask/<uuid:conversation_id>/", views.ask, name="conversation"),
    path("ask/<uuid:conversation_id>/rename/", views.rename, name="rename"),
    path("ask/<uuid:conversation_id>/pin/", views.pin, name="pin"),
    path("ask/<uuid:conversation_id>/delete/", views.delete, name="delete"),
    path("answers/<uuid:message_id>/stop/", views.stop, name="stop"),
    path("answers/<uuid:message_id>/retry/", views.retry, name="retry"),
    path("answers/<uuid:message_id>/feedback/", views.feedback, name="feedback"),
    path("answers/<uuid:message_id>/edit/", views.edit, name="edit"),
    path("answers/<uuid:message_id>/take-back/", views.take_back, name="take_back"),
    path("answers/<uuid:message_id>/text/", views.text, name="text"),
    path("inbox/", inbox_views.inbox, name="inbox"),
    path("inbox/read/", inbox_views.read_all, name="read_all"),
    path("inbox/<uuid:notice_id>/", inbox_views.open_notice, name="open_notice"),
    path("inbox/<uuid:notice_id>/read/", inbox_views.read, name="read_notice"),
    path("audit/conversations/", review_views.list_conversations, name="reviews"),
    path("audit/conversations/<uuid:conversation_id>/", review_views.read, name="review"),
]

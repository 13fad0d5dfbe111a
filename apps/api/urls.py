"""/api/v1. A token names the person and the organisation; every view answers as the pages do."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from apps.accounts import rest as accounts
from apps.chat import rest as chat
from apps.documents import rest as documents
from apps.jobs import rest as jobs
from apps.retrieval import rest as retrieval

app_name = "api"

urlpatterns = [
    path("sign-in/", accounts.SignInView.as_view(), name="sign_in"),
    path("schema/", SpectacularAPIView.as_view(authentication_classes=[], permission_classes=[]), name="schema"),
    path("collections/", accounts.CollectionsView.as_view(), name="collections"),
    path("documents/", documents.DocumentsView.as_view(), name="documents"),
    path("documents/<uuid:document_id>/", documents.DocumentView.as_view(), name="document"),
    path("documents/<uuid:document_id>/retry/", documents.RetryView.as_view(), name="retry"),
    path("documents/<uuid:document_id>/pages/<int:number>/", documents.PageView.as_view(), name="page"),
    path(
        "documents/<uuid:document_id>/pages/<int:number>/image/", documents.PageImageView.as_view(), name="page_image"
    ),
    path("search/", retrieval.SearchView.as_view(), name="search"),
    path("questions/", chat.QuestionsView.as_view(), name="questions"),
    path("questions/<uuid:question_id>/", chat.QuestionView.as_view(), name="question"),
    path("questions/<uuid:question_id>/events/", chat.QuestionEventsView.as_view(), name="question_events"),
    path("jobs/", jobs.JobsView.as_view(), name="jobs"),
    path("jobs/<uuid:job_id>/", jobs.JobView.as_view(), name="job"),
    path("jobs/<uuid:job_id>/events/", jobs.JobEventsView.as_view(), name="job_events"),
]

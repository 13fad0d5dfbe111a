"""/api/v1. A token names the person and the organisation; every view answers as the pages do."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from apps.accounts import people_rest as people
from apps.accounts import rest as accounts
from apps.api import rest as webhooks
from apps.chat import rest as chat
from apps.documents import bin_rest as bins
from apps.documents import rest as documents
from apps.documents import version_rest as versions
from apps.ingestion import rest as loads
from apps.jobs import rest as jobs
from apps.providers import rest as models
from apps.retrieval import rest as retrieval

app_name = "api"

urlpatterns = [
    path("sign-in/", accounts.SignInView.as_view(), name="sign_in"),
    path("schema/", SpectacularAPIView.as_view(authentication_classes=[], permission_classes=[]), name="schema"),
    path("me/", accounts.MeView.as_view(), name="me"),
    path("tokens/", accounts.TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:token_id>/", accounts.OwnTokenView.as_view(), name="token"),
    # knowledge
    path("collections/", accounts.CollectionsView.as_view(), name="collections"),
    path("collections/<uuid:collection_id>/", accounts.CollectionView.as_view(), name="collection"),
    path("collections/<uuid:collection_id>/grants/", accounts.GrantsView.as_view(), name="collection_grants"),
    path("collections/<uuid:collection_id>/reread/", loads.RereadView.as_view(), name="reread"),
    path("batches/", loads.BatchesView.as_view(), name="batches"),
    path("batches/<uuid:batch_id>/", loads.BatchView.as_view(), name="batch"),
    path("batches/<uuid:batch_id>/files/", loads.BatchFilesView.as_view(), name="batch_files"),
    path("batches/<uuid:batch_id>/pause/", loads.PauseView.as_view(), name="batch_pause"),
    path("batches/<uuid:batch_id>/resume/", loads.ResumeView.as_view(), name="batch_resume"),
    path("batches/<uuid:batch_id>/retry/", loads.RetryFailedView.as_view(), name="batch_retry"),
    path("documents/", documents.DocumentsView.as_view(), name="documents"),
    path("documents/<uuid:document_id>/", documents.DocumentView.as_view(), name="document"),
    path("documents/<uuid:document_id>/bin/", bins.BinDocumentView.as_view(), name="bin_document"),
    path("bin/", bins.BinView.as_view(), name="bin"),
    path("bin/days/", bins.BinDaysView.as_view(), name="bin_days"),
    path("bin/<uuid:document_id>/", bins.BinnedView.as_view(), name="binned"),
    path("bin/<uuid:document_id>/restore/", bins.RestoreView.as_view(), name="restore"),
    path("documents/<uuid:document_id>/versions/", versions.VersionsView.as_view(), name="versions"),
    path(
        "documents/<uuid:document_id>/versions/<uuid:version_id>/pages/<int:number>/",
        versions.VersionPageView.as_view(),
        name="version_page",
    ),
    path("documents/<uuid:document_id>/retry/", documents.RetryView.as_view(), name="retry"),
    path("documents/<uuid:document_id>/password/", documents.PasswordView.as_view(), name="password"),
    path("documents/<uuid:document_id>/copies/", documents.CopyView.as_view(), name="copies"),
    path("documents/<uuid:document_id>/original/", documents.OriginalView.as_view(), name="original"),
    path("documents/<uuid:document_id>/outline/", documents.OutlineView.as_view(), name="outline"),
    path("documents/<uuid:document_id>/metadata/", documents.MetadataView.as_view(), name="metadata"),
    path(
        "documents/<uuid:document_id>/metadata/<slug:field>/",
        documents.MetadataFieldView.as_view(),
        name="metadata_field",
    ),
    path("collections/<uuid:collection_id>/headers/", documents.HeaderModeView.as_view(), name="collection_headers"),
    path("documents/<uuid:document_id>/figures/", documents.FiguresView.as_view(), name="figures"),
    path("documents/<uuid:document_id>/history/", documents.HistoryView.as_view(), name="history"),
    path(
        "documents/<uuid:document_id>/pages/<int:number>/structure/",
        documents.InspectorView.as_view(),
        name="structure",
    ),
    path("documents/<uuid:document_id>/chunks/", retrieval.ChunksView.as_view(), name="chunks"),
    path("documents/<uuid:document_id>/find/", documents.FindView.as_view(), name="find"),
    path("documents/<uuid:document_id>/tables/", documents.TablesView.as_view(), name="tables"),
    path("documents/<uuid:document_id>/tables/<int:page>/<int:block>/", documents.TableView.as_view(), name="table"),
    path(
        "documents/<uuid:document_id>/tables/<int:page>/<int:block>/<slug:kind>/",
        documents.TableFileView.as_view(),
        name="table_file",
    ),
    path("documents/<uuid:document_id>/pages/<int:number>/", documents.PageView.as_view(), name="page"),
    path(
        "documents/<uuid:document_id>/pages/<int:number>/image/", documents.PageImageView.as_view(), name="page_image"
    ),
    path("search/", retrieval.SearchView.as_view(), name="search"),
    # questions
    path("questions/", chat.QuestionsView.as_view(), name="questions"),
    path("questions/<uuid:question_id>/", chat.QuestionView.as_view(), name="question"),
    path("questions/<uuid:question_id>/events/", chat.QuestionEventsView.as_view(), name="question_events"),
    path("questions/<uuid:question_id>/retry/", chat.QuestionRetryView.as_view(), name="question_retry"),
    path("questions/<uuid:question_id>/feedback/", chat.FeedbackView.as_view(), name="feedback"),
    path("conversations/", chat.ConversationsView.as_view(), name="conversations"),
    path("conversations/<uuid:conversation_id>/", chat.ConversationView.as_view(), name="conversation"),
    path("jobs/", jobs.JobsView.as_view(), name="jobs"),
    path("jobs/<uuid:job_id>/", jobs.JobView.as_view(), name="job"),
    path("jobs/<uuid:job_id>/retry/", jobs.JobRetryView.as_view(), name="job_retry"),
    path("jobs/<uuid:job_id>/events/", jobs.JobEventsView.as_view(), name="job_events"),
    # people
    path("organisation/", people.OrganisationView.as_view(), name="organisation"),
    path("members/", people.MembersView.as_view(), name="members"),
    path("members/<uuid:user_id>/", people.MemberView.as_view(), name="member"),
    path("members/<uuid:user_id>/reactivate/", people.MemberReturnView.as_view(), name="member_return"),
    path("members/<uuid:user_id>/password-link/", people.PasswordLinkView.as_view(), name="member_password"),
    path("groups/", people.GroupsView.as_view(), name="groups"),
    path("groups/<uuid:group_id>/", people.GroupView.as_view(), name="group"),
    path("invitations/", people.InvitationsView.as_view(), name="invitations"),
    path("invitations/<uuid:invitation_id>/", people.InvitationView.as_view(), name="invitation"),
    path("audit/events/", people.AuditEventsView.as_view(), name="audit_events"),
    path("audit/grants/", people.AuditGrantsView.as_view(), name="audit_grants"),
    path("audit/use/", people.AuditUseView.as_view(), name="audit_use"),
    path("audit/access/", people.AuditAccessView.as_view(), name="audit_access"),
    # models and webhooks
    path("models/", models.ModelsView.as_view(), name="models"),
    path("models/policy/", models.ModelPolicyView.as_view(), name="model_policy"),
    path("models/installation/try/", models.InstallationTrialView.as_view(), name="try_installation"),
    path("models/<uuid:profile_id>/", models.ModelView.as_view(), name="model"),
    path("models/<uuid:profile_id>/try/", models.ModelTrialView.as_view(), name="try_model"),
    path("webhooks/", webhooks.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/<uuid:webhook_id>/", webhooks.WebhookView.as_view(), name="webhook"),
    path("webhooks/<uuid:webhook_id>/secret/", webhooks.WebhookSecretView.as_view(), name="webhook_secret"),
    path("webhooks/<uuid:webhook_id>/try/", webhooks.WebhookTrialView.as_view(), name="try_webhook"),
    path("webhooks/<uuid:webhook_id>/deliveries/", webhooks.DeliveriesView.as_view(), name="deliveries"),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/resend/",
        webhooks.ResendView.as_view(),
        name="resend",
    ),
]

"""Addresses of people. Those of an organisation are included under /t/<slug>/ as `organisation_urlpatterns`.

Of allauth's addresses only those in use are mounted, under allauth's own names (`account_urlpatterns`): it looks
them up itself.
"""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.urls import include, path, re_path

from apps.accounts import member_views, oversight_views, self_views, views

app_name = "accounts"

organisation_urlpatterns = [
    path("members/", member_views.list_members, name="members"),
    path("members/invite/", member_views.invite, name="invite"),
    path("members/<uuid:user_id>/role/", member_views.change_role, name="member_role"),
    path("members/<uuid:user_id>/state/", member_views.set_state, name="member_state"),
    path("members/<uuid:user_id>/password/", member_views.password_link, name="member_password"),
    path("invitations/<uuid:invitation_id>/revoke/", member_views.revoke_invitation, name="revoke_invitation"),
    path("groups/", member_views.list_groups, name="groups"),
    path("groups/<uuid:group_id>/", member_views.group, name="group"),
    path("groups/<uuid:group_id>/delete/", member_views.delete_group, name="delete_group"),
    path("audit/", oversight_views.trail, name="audit"),
    path("audit/grants/", oversight_views.grants, name="audit_grants"),
    path("audit/settings/", oversight_views.organisation_settings, name="audit_settings"),
    path("audit/use/", oversight_views.use, name="audit_use"),
    path("audit/why/", oversight_views.why, name="why"),
    path("activity/", self_views.activity, name="activity"),
    path("collections/new/", views.new_collection, name="new_collection"),
    path("collections/<uuid:collection_id>/access/", views.access, name="access"),
]

urlpatterns = [
    path("", views.start, name="start"),
    path("setup/<str:token>/", views.first_run, name="first_run"),
    path("invitations/<str:token>/", views.invitation, name="invitation"),
    path("account/", self_views.preferences, name="preferences"),
    path("account/sessions/<int:session_id>/end/", self_views.end_session, name="end_session"),
    path("account/sessions/end-others/", self_views.end_other_sessions, name="end_other_sessions"),
    path("account/tokens/", self_views.tokens, name="tokens"),
    path("account/tokens/<uuid:token_id>/revoke/", self_views.revoke_token, name="revoke_token"),
    path("accounts/login/", views.sign_in, name="sign_in"),
    path("accounts/logout/", views.sign_out, name="sign_out"),
    path("t/<slug:tenant_slug>/", include(organisation_urlpatterns)),
]

account_urlpatterns = [
    path("accounts/login/", views.sign_in, name="account_login"),
    path("accounts/logout/", views.sign_out, name="account_logout"),
    path("accounts/signup/", account.signup, name="account_signup"),  # closed: says that people are invited
    path("accounts/inactive/", account.account_inactive, name="account_inactive"),
    path("accounts/reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("accounts/confirm-email/", account.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", account.confirm_email, name="account_confirm_email"),
    path("accounts/password/change/", account.password_change, name="account_change_password"),
    path("accounts/password/reset/", account.password_reset, name="account_reset_password"),
    path("accounts/password/reset/done/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "accounts/password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("accounts/2fa/", mfa.index, name="mfa_index"),
    path("accounts/2fa/authenticate/", mfa.authenticate, name="mfa_authenticate"),
    path("accounts/2fa/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("accounts/2fa/totp/activate/", totp.activate_totp, name="mfa_activate_totp"),
    path("accounts/2fa/totp/deactivate/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("accounts/2fa/recovery-codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("accounts/2fa/recovery-codes/generate/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("accounts/2fa/recovery-codes/download/", recovery.download_recovery_codes, name="mfa_download_recovery_codes"),
]

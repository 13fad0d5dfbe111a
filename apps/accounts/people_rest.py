"""API: members, invitations, groups, the organisation's switches, and what those who watch may read."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts import groups, invitations, members, oversight, selectors, services
from apps.accounts.api import ApiView, actor_of, checked, idempotent, list_of, listed
from apps.accounts.contracts import Actor, GrantLevel, InvitationDraft, MembershipSummary, Permission, Role, Scope
from apps.accounts.permissions import require
from apps.core.errors import InputError, NotFound
from apps.core.paging import PieceQuery, limit_of, piece_of_all, piece_of_rows, place_of
from apps.tenants import audit

MOST_PEOPLE = 1000  # in one request


class MemberSerializer(serializers.Serializer[Any]):
    user_id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Role.values)
    is_active = serializers.BooleanField()


class RoleSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=Role.values)


class LinkSerializer(serializers.Serializer[Any]):
    link = serializers.CharField(allow_blank=True, help_text="shown this once; empty when it went by mail")


class MembersView(ApiView):
    scopes = {"GET": Scope.MANAGE}

    @extend_schema(operation_id="members_list", parameters=[PieceQuery], responses=list_of(MemberSerializer))
    def get(self, request: Request) -> Response:
        """Members by name, those who left too (owners and administrators)."""
        actor = actor_of(request)
        require(actor, Permission.MANAGE_MEMBERS)
        found = selectors.list_members(actor=actor)
        return listed(piece_of_all(request, found, lambda m: (m.name.casefold(), str(m.user_id))), MemberSerializer)


class MemberView(ApiView):
    scopes = {"GET": Scope.MANAGE, "PATCH": Scope.MANAGE, "DELETE": Scope.MANAGE}

    @extend_schema(responses=MemberSerializer)
    def get(self, request: Request, user_id: UUID) -> Response:
        """A member."""
        return Response(MemberSerializer(_member(actor_of(request), user_id)).data)

    @extend_schema(request=RoleSerializer, responses=MemberSerializer)
    def patch(self, request: Request, user_id: UUID) -> Response:
        """Give the member another role."""
        actor = actor_of(request)
        _member(actor, user_id)
        members.change_role(actor=actor, user_id=user_id, role=Role(checked(RoleSerializer, request)["role"]))
        return Response(MemberSerializer(_member(actor, user_id)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, user_id: UUID) -> Response:
        """The member is out; their pages, tokens and streams end."""
        members.deactivate(actor=actor_of(request), user_id=user_id)
        return Response(status=204)


class MemberReturnView(ApiView):
    scopes = {"POST": Scope.MANAGE}

    @extend_schema(request=None, responses=MemberSerializer)
    def post(self, request: Request, user_id: UUID) -> Response:
        """A removed member is let in again, with the access they had."""
        actor = actor_of(request)
        members.reactivate(actor=actor, user_id=user_id)
        return Response(MemberSerializer(_member(actor, user_id)).data)


class PasswordLinkView(ApiView):
    scopes = {"POST": Scope.MANAGE}

    @extend_schema(request=None, responses={201: LinkSerializer})
    @idempotent("link")
    def post(self, request: Request, user_id: UUID) -> Response:
        """A one-time way to a new password for a member."""
        path = members.send_password_link(actor=actor_of(request), user_id=user_id)
        return Response({"link": settings.BASE_URL + path if path else ""}, status=201)


class InvitationSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Role.values)
    created_by_name = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InvitationGrantSerializer(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField()
    level = serializers.ChoiceField(choices=GrantLevel.values)


class InviteSerializer(serializers.Serializer[Any]):
    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(choices=Role.values)
    group_ids = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=200)
    grants = InvitationGrantSerializer(many=True, required=False)


class InvitationsView(ApiView):
    scopes = {"GET": Scope.MANAGE, "POST": Scope.MANAGE}

    @extend_schema(operation_id="invitations_list", parameters=[PieceQuery], responses=list_of(InvitationSerializer))
    def get(self, request: Request) -> Response:
        """Open invitations."""
        found = selectors.list_invitations(actor=actor_of(request))
        return listed(piece_of_all(request, found, lambda i: (i.email, str(i.id))), InvitationSerializer)

    @extend_schema(request=InviteSerializer, responses={201: LinkSerializer})
    @idempotent("link")
    def post(self, request: Request) -> Response:
        """Invite somebody. Without a mail server the answer holds the link, this once."""
        data = checked(InviteSerializer, request)
        draft = InvitationDraft(
            email=data["email"],
            role=Role(data["role"]),
            group_ids=tuple(data.get("group_ids", ())),
            grants={g["collection_id"]: GrantLevel(g["level"]) for g in data.get("grants", ())},
        )
        path = invitations.invite(actor=actor_of(request), draft=draft)
        return Response({"link": settings.BASE_URL + path if path else ""}, status=201)


class InvitationView(ApiView):
    scopes = {"DELETE": Scope.MANAGE}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, invitation_id: UUID) -> Response:
        """Take an invitation back: its link is dead."""
        invitations.revoke(actor=actor_of(request), invitation_id=invitation_id)
        return Response(status=204)


class GroupSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    member_count = serializers.IntegerField()
    collection_count = serializers.IntegerField()


class GroupDetailSerializer(GroupSerializer):
    user_ids = serializers.ListField(child=serializers.UUIDField())


class GroupNameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=groups.LONGEST_NAME)


class GroupChangeSerializer(GroupNameSerializer):
    user_ids = serializers.ListField(child=serializers.UUIDField(), max_length=MOST_PEOPLE)


class GroupsView(ApiView):
    scopes = {"GET": Scope.MANAGE, "POST": Scope.MANAGE}

    @extend_schema(operation_id="groups_list", parameters=[PieceQuery], responses=list_of(GroupSerializer))
    def get(self, request: Request) -> Response:
        """Groups by name."""
        actor = actor_of(request)
        require(actor, Permission.MANAGE_MEMBERS)
        found = selectors.list_groups(actor=actor)
        return listed(piece_of_all(request, found, lambda g: (g.name.casefold(), str(g.id))), GroupSerializer)

    @extend_schema(request=GroupNameSerializer, responses={201: GroupDetailSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Make an empty group."""
        actor = actor_of(request)
        group_id = groups.create_group(actor=actor, name=checked(GroupNameSerializer, request)["name"])
        return Response(_group(actor, group_id), status=201)


class GroupView(ApiView):
    scopes = {"GET": Scope.MANAGE, "PUT": Scope.MANAGE, "DELETE": Scope.MANAGE}

    @extend_schema(responses=GroupDetailSerializer)
    def get(self, request: Request, group_id: UUID) -> Response:
        """A group and its people."""
        return Response(_group(actor_of(request), group_id))

    @extend_schema(request=GroupChangeSerializer, responses=GroupDetailSerializer)
    def put(self, request: Request, group_id: UUID) -> Response:
        """The group has this name and exactly these people."""
        actor = actor_of(request)
        selectors.get_group(actor=actor, group_id=group_id)
        data = checked(GroupChangeSerializer, request)
        groups.set_members(actor=actor, group_id=group_id, name=data["name"], user_ids=data["user_ids"])
        return Response(_group(actor, group_id))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, group_id: UUID) -> Response:
        """The group and what it held are gone."""
        groups.delete_group(actor=actor_of(request), group_id=group_id)
        return Response(status=204)


class OrganisationSerializer(serializers.Serializer[Any]):
    private_files = serializers.BooleanField(required=False)
    conversation_review = serializers.BooleanField(required=False)


class OrganisationView(ApiView):
    scopes = {"GET": Scope.READ, "PATCH": Scope.MANAGE}

    @extend_schema(responses=OrganisationSerializer)
    def get(self, request: Request) -> Response:
        """What the organisation has switched on."""
        return Response(_organisation(actor_of(request)))

    @extend_schema(request=OrganisationSerializer, responses=OrganisationSerializer)
    def patch(self, request: Request) -> Response:
        """Switch private files (owners, administrators) or the reading of conversations by auditors (owners)."""
        actor, data = actor_of(request), checked(OrganisationSerializer, request)
        if "private_files" in data:
            services.set_private_files(actor=actor, is_allowed=data["private_files"])
        if "conversation_review" in data:
            services.set_conversation_review(actor=actor, is_allowed=data["conversation_review"])
        return Response(_organisation(actor))


class AuditEventSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    actor_id = serializers.UUIDField(allow_null=True)
    actor_name = serializers.CharField(allow_blank=True)
    action = serializers.CharField()
    object_type = serializers.CharField(allow_blank=True)
    object_id = serializers.UUIDField(allow_null=True)
    detail = serializers.DictField()


class AuditEventsView(ApiView):
    scopes = {"GET": Scope.AUDIT}

    @extend_schema(
        operation_id="audit_events_list",
        parameters=[PieceQuery, OpenApiParameter("action", str), OpenApiParameter("actor_id", UUID)],
        responses=list_of(AuditEventSerializer),
    )
    def get(self, request: Request) -> Response:
        """The trail, newest first (owners, administrators, auditors)."""
        require(actor_of(request), Permission.VIEW_AUDIT)
        limit = limit_of(request)
        rows = audit.list_events(
            limit=limit + 1,
            after=place_of(request),
            action=request.query_params.get("action", "")[:60].replace("\x00", ""),
            actor_id=_uuid(request, "actor_id"),
        )
        return listed(piece_of_rows(rows, limit, lambda e: (e.at, e.id or UUID(int=0))), AuditEventSerializer)


class GrantLineSerializer(serializers.Serializer[Any]):
    collection = serializers.CharField()
    holder = serializers.CharField()
    is_group = serializers.BooleanField()
    members = serializers.ListField(child=serializers.CharField())
    level = serializers.ChoiceField(choices=GrantLevel.values)


class AuditGrantsView(ApiView):
    scopes = {"GET": Scope.AUDIT}

    @extend_schema(operation_id="audit_grants_list", parameters=[PieceQuery], responses=list_of(GrantLineSerializer))
    def get(self, request: Request) -> Response:
        """Every grant on shared collections."""
        lines = oversight.list_all_grants(actor=actor_of(request))
        key = lambda line: (line.collection, str(not line.is_group), line.holder, line.level)  # noqa: E731
        return listed(piece_of_all(request, lines, key), GrantLineSerializer)


class UseSerializer(serializers.Serializer[Any]):
    month = serializers.DateField()
    person = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())


class AuditUseView(ApiView):
    scopes = {"GET": Scope.AUDIT}

    @extend_schema(operation_id="audit_use_list", parameters=[PieceQuery], responses=list_of(UseSerializer))
    def get(self, request: Request) -> Response:
        """What each person did in each month, in counts."""
        lines = [
            {
                "month": line.month,
                "person": line.person,
                "counts": dict(zip(oversight.COUNTED, line.counts, strict=True)),
            }
            for line in oversight.list_use(actor=actor_of(request))
        ]
        key = lambda line: (line["month"].isoformat(), line["person"])  # noqa: E731
        return listed(piece_of_all(request, lines, key), UseSerializer)


class AccessReasonSerializer(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField()
    collection = serializers.CharField()
    user_id = serializers.UUIDField()
    person = serializers.CharField()
    role = serializers.CharField()
    is_active = serializers.BooleanField()
    direct = serializers.ChoiceField(choices=GrantLevel.values, allow_null=True)
    groups = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    effective = serializers.ChoiceField(choices=GrantLevel.values, allow_null=True)
    is_capped = serializers.BooleanField()


class AuditAccessView(ApiView):
    scopes = {"GET": Scope.AUDIT}

    @extend_schema(
        operation_id="audit_access_list",
        parameters=[PieceQuery, OpenApiParameter("collection_id", UUID), OpenApiParameter("user_id", UUID)],
        responses=list_of(AccessReasonSerializer),
    )
    def get(self, request: Request) -> Response:
        """Why people reach a collection: give a collection, a person, or both."""
        actor = actor_of(request)
        require(actor, Permission.VIEW_AUDIT)
        collection_id, user_id = _uuid(request, "collection_id"), _uuid(request, "user_id")
        if collection_id is None and user_id is None:
            raise InputError(_("Give a collection, a person, or both."), field="collection_id")
        found = oversight.explain_access(actor=actor, collection_id=collection_id, user_id=user_id)
        key = lambda r: (r.collection, r.person, str(r.collection_id), str(r.user_id))  # noqa: E731
        return listed(piece_of_all(request, found, key), AccessReasonSerializer)


def _member(actor: Actor, user_id: UUID) -> MembershipSummary:
    require(actor, Permission.MANAGE_MEMBERS)
    found = next((m for m in selectors.list_members(actor=actor) if m.user_id == user_id), None)
    if found is None:
        raise NotFound
    return found


def _group(actor: Actor, group_id: UUID) -> dict[str, Any]:
    found, user_ids = selectors.get_group(actor=actor, group_id=group_id)
    return {**GroupSerializer(found).data, "user_ids": sorted(str(user_id) for user_id in user_ids)}


def _organisation(actor: Actor) -> dict[str, bool]:
    return {
        "private_files": selectors.allows_private_files(actor=actor),
        "conversation_review": selectors.allows_conversation_review(tenant_id=actor.tenant_id),
    }


def _uuid(request: Request, name: str) -> UUID | None:
    text = request.query_params.get(name, "")
    try:
        return UUID(text) if text else None
    except ValueError as exc:
        raise InputError(field=name) from exc

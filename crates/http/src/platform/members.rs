//! `/platform/workspaces/{ws}/members`: the members and invitations of a workspace.

use secrecy::ExposeSecret;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::Role;
use tidings_domain::body;
use tidings_domain::contacts::Email;
use tidings_domain::ids::UserId;
use tidings_domain::outcome::Done;
use tidings_domain::platform::{Invite, Invited, MemberView, may_change};
use tidings_domain::read::schema::Describe;
use tidings_domain::read::{Read, word};
use utoipa::ToSchema;

use crate::request::RequestContext;
use crate::request::email_address::email;
use crate::request::paging::{List, PageParams};
use crate::request::path::{MEMBER, MemberRef};
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

const READ_ONLY: &[&str] = &["id", "status", "name", "expires_at", "created_at", "updated_at", "version"];

body! {
    /// A user to invite.
    #[read_only(READ_ONLY)]
    struct InviteMember {
        /// Email address.
        required email: Email = email();
        /// Role of the member. Only owners can invite owners.
        required role: Role = role();
    }
}

body! {
    /// A new role.
    #[read_only(&["id", "status", "email", "name", "expires_at", "created_at", "updated_at", "version"])]
    struct UpdateMember {
        /// Role of the member. Only owners can add or remove the role `owner`.
        required role: Role = role();
    }
}

/// An invitation with its token.
#[derive(Serialize, ToSchema)]
struct InvitedMember {
    #[serde(flatten)]
    member: MemberView,
    /// Token for `POST /auth/invitations/{token}`; shown only once.
    invitation_token: String,
    /// URL of the page to accept the invitation; `null` if the server does not know its own address
    /// (`http.public_url`).
    invitation_url: Option<String>,
}

fn role() -> impl Read<Role> + Describe {
    word(Role::ALL.map(Role::as_str), Role::parse)
}

/// List members.
///
/// Includes open invitations.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/members", tag = "Platform", params(PageParams),
    responses((status = 200, description = "A page of members.", body = List<MemberView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().platform.member_views(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, Clone::clone))
}

/// Invite a member.
///
/// The response contains a token, whether or not the email address has an account. Send the token to the user; it is
/// valid once, for a week. The user becomes a member by accepting. A new invitation of the same address replaces the
/// token. At most 20 invitations of the last hour can be open, or have failed with `sign_in_required`.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/members", tag = "Platform",
    request_body = InviteMember, responses(
    (status = 201, description = "The invitation.", body = InvitedMember),
    (status = 409, description = "`name_taken`: a member of this workspace has this email address."),
    (status = 429, description = "`invitation_limit` or `rate_limited`.")))]
pub async fn invite(cx: RequestContext) -> Result<Answer, Problem> {
    let InviteMember { email, role } = cx.body()?;
    let invite = Invite { email, role };
    let (actor, workspace) = (cx.role()?, cx.access().workspace());
    // Checked before the idempotency record is read, which can contain the token of an owner's invitation.
    if !may_change(actor, None, Some(invite.role)) {
        return Err(Error::RoleTooLow(Role::Owner).into());
    }
    let render = |done: &Done<Invited>| {
        let Invited { view, token } = &done.value;
        let location = format!("/platform/workspaces/{workspace}/members/{}", view.id);
        let invitation_token = token.expose_secret().to_owned();
        let base = Some(cx.state.base.as_str()).filter(|base| !base.is_empty());
        let invitation_url = base.map(|base| format!("{base}/join/{invitation_token}"));
        let shown = InvitedMember { member: view.clone(), invitation_token, invitation_url };
        Answer::object(&shown, view.version).outcome(done.outcome).located(location)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().platform.invite(cx.access(), actor, invite, idempotency).await
    })
    .await
}

/// Update a member.
///
/// Changes the role. The last owner keeps the role `owner`.
#[utoipa::path(patch, path = "/platform/workspaces/{ws}/members/{id}", tag = "Platform",
    request_body = UpdateMember, responses(
    (status = 200, description = "The updated member.", body = MemberView),
    (status = 409, description = "`last_owner`: a workspace needs at least one owner.")))]
pub async fn patch(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateMember { role } = cx.body()?;
    let MemberRef::Person(user) = cx.path_parameter(&MEMBER)? else { return Err(cx.missing(&MEMBER)) };
    let expected = cx.expected(load_answer(&cx, user)).await?;
    let entry = cx.services().platform.set_role(cx.access(), cx.role()?, user, role, &expected).await?;
    Ok(Answer::object(&MemberView::from(&entry), entry.member.version))
}

/// Remove a member or withdraw an invitation.
///
/// Every member can remove themselves, with any role. The last owner cannot be removed.
#[utoipa::path(delete, path = "/platform/workspaces/{ws}/members/{id}", tag = "Platform",
    responses((status = 204, description = "Removed."),
    (status = 409, description = "`last_owner`: a workspace needs at least one owner.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    match cx.path_parameter(&MEMBER)? {
        MemberRef::Person(user) => {
            let expected = cx.expected(load_answer(&cx, user)).await?;
            cx.services().platform.remove_member(cx.access(), cx.role()?, user, &expected).await?;
        }
        MemberRef::Invitation(invitation) => {
            let withdrawn = cx.services().platform.withdraw(cx.access(), cx.role()?, invitation).await;
            withdrawn.map_err(|error| match error {
                Error::NotFound => Problem::new(Code::NotFound)
                    .detail("There is no such open invitation. It was accepted or withdrawn, or it has expired."),
                error => error.into(),
            })?;
        }
    }
    Ok(Answer::no_content())
}

async fn load_answer(cx: &RequestContext, user: UserId) -> Result<Answer, Error> {
    let entry = cx.services().platform.member(cx.access(), user).await?;
    Ok(Answer::object(&MemberView::from(&entry), entry.member.version))
}

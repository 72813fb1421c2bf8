//! `/auth/invitations/{token}`: shows and accepts an invitation. The token is the only proof, so the path appears in no
//! log and no problem.

use secrecy::SecretString;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{OpenInvitation, Role, UserView};
use tidings_domain::body;
use tidings_domain::outcome::Outcome;
use tidings_domain::read::{Body, Fields, name};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use super::{chosen_password, existing_password};
use crate::request::RequestContext;
use crate::request::path::INVITATION_TOKEN;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

body! {
    /// Accepts an invitation. Send `name` and `password` to create an account, or `current_password` and an access
    /// token to use an existing account.
    struct AcceptInvitation {
        /// Name of the new account.
        optional name: String = name(1..=100);
        /// Password of the new account.
        optional password: SecretString = chosen_password();
        /// Password of the signed-in account.
        optional current_password: SecretString = existing_password();
    }
}

enum Form {
    New { name: String, password: SecretString },
    SignedIn { current: SecretString },
}

fn form(cx: &RequestContext) -> Result<Form, Problem> {
    cx.read(AcceptInvitation::READ_ONLY, |body| {
        let read = AcceptInvitation::read(body);
        let is_given = |body: &Fields<'_>, name: &str| body.get(name).is_some();
        let is_signed_in = is_given(body, "current_password");
        for (name, pointer) in [("name", "/name"), ("password", "/password")] {
            match (is_given(body, name), is_signed_in) {
                (true, true) => body.error(pointer, "not_allowed", "cannot be combined with `current_password`"),
                (false, false) => body.error(pointer, "required", "is required, unless `current_password` is given"),
                (true, false) | (false, true) => {}
            }
        }
        match read? {
            AcceptInvitation { current_password: Some(current), .. } => Some(Form::SignedIn { current }),
            AcceptInvitation { name, password, current_password: None } => {
                Some(Form::New { name: name?, password: password? })
            }
        }
    })
}

/// The workspace of an invitation.
#[derive(Serialize, ToSchema)]
struct InvitingWorkspace {
    /// Display name.
    name: String,
}

/// An invitation, as the holder of its token sees it.
#[derive(Serialize, ToSchema)]
struct InvitationView {
    /// Email address of a new account. An existing account keeps its own address.
    email: String,
    /// The role that the invitation gives.
    role: Role,
    /// The workspace that the invitation gives access to.
    workspace: InvitingWorkspace,
    /// Name of the member who sent the invitation; `null` for invitations from before this was stored.
    invited_by: Option<String>,
    /// When the invitation expires.
    expires_at: Timestamp,
}

impl From<OpenInvitation> for InvitationView {
    fn from(it: OpenInvitation) -> Self {
        Self {
            email: it.invitation.email.to_string(),
            role: it.invitation.role,
            workspace: InvitingWorkspace { name: it.workspace.name },
            invited_by: it.invited_by.map(|sender| sender.user.name),
            expires_at: it.invitation.expires_at,
        }
    }
}

/// Returns the token in the path. A token that cannot be decoded is reported as not found.
fn token(cx: &RequestContext) -> Result<String, Problem> {
    cx.path_parameter(&INVITATION_TOKEN).map_err(|_| not_open())
}

fn not_open() -> Problem {
    Problem::new(Code::NotFound).detail("There is no such open invitation. Ask for a new invitation.")
}

fn invitation_problem(error: Error) -> Problem {
    if error == Error::NotFound { not_open() } else { error.into() }
}

/// Get an invitation.
///
/// Needs the token of the invitation. Accepted, withdrawn, expired and unknown invitations all return the same 404.
#[utoipa::path(get, path = "/auth/invitations/{token}", tag = "Login", responses(
    (status = 200, description = "The invitation.", body = InvitationView),
    (status = 404, description = "`not_found`: no open invitation has this token."),
    (status = 429, description = "`too_many_attempts`: too many requests from this address.")))]
pub async fn show(cx: RequestContext) -> Result<Answer, Problem> {
    let found = cx.services().platform.open_invitation(&token(&cx)?).await.map_err(invitation_problem)?;
    Ok(Answer::json(&InvitationView::from(found)))
}

/// Accept an invitation.
///
/// With `name` and `password`, creates an account with the email address of the invitation. With an access token and
/// `current_password`, adds the account of the token to the workspace; its email address can differ. This ends the
/// other sessions of the account and discards an open password reset link. The invitation token is valid once, until it
/// expires.
#[utoipa::path(post, path = "/auth/invitations/{token}", tag = "Login",
    request_body = AcceptInvitation, responses(
    (status = 201, description = "The user. They are now a member.", body = UserView),
    (status = 401, description = "`unauthorized`: `current_password` needs an access token."),
    (status = 404, description = "`not_found`: no open invitation has this token."),
    (status = 409, description = "`sign_in_required`: the address has an account, so sign in to accept. \
                                  `already_exists`: the account is already a member."),
    (status = 429, description = "`too_many_attempts`: too many requests from this address, or too many wrong \
                                  passwords.")))]
pub async fn accept(cx: RequestContext) -> Result<Answer, Problem> {
    let platform = &cx.services().platform;
    let user = match form(&cx)? {
        Form::New { name, password } => platform.accept(&token(&cx)?, name, password).await,
        Form::SignedIn { current } => platform.accept_signed_in(&token(&cx)?, cx.person()?, current).await,
    };
    Ok(Answer::json(&UserView::from(&user.map_err(invitation_problem)?))
        .outcome(Outcome::Created)
        .located("/auth/me".to_owned()))
}

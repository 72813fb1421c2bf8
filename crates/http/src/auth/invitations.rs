//! `/auth/invitations/{token}`: an invitation is read and accepted. The token is the only proof, so it is kept secret: no log
//! and no problem has the path.

use secrecy::SecretString;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{OpenInvitation, Role, UserView};
use tidings_domain::body;
use tidings_domain::outcome::Outcome;
use tidings_domain::read::{Body, Fields, name};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use super::{chosen, known};
use crate::answer::Answer;
use crate::path::INVITATION_TOKEN;
use crate::problem::{Code, Problem};
use crate::request::Cx;

body! {
    /// Accepts an invitation: with `name` and `password` by a new account, or with `current_password` and an access
    /// token by the account of that token.
    struct AcceptInvitation {
        /// The name of the new account.
        optional name: String = name(1..=100);
        /// The password of the new account.
        optional password: SecretString = chosen();
        /// The password of the account that is signed in.
        optional current_password: SecretString = known();
    }
}

/// The two ways to accept.
enum Form {
    /// A new account.
    New { name: String, password: SecretString },
    /// The account of the access token.
    SignedIn { current: SecretString },
}

fn form(cx: &Cx) -> Result<Form, Problem> {
    cx.read(AcceptInvitation::READ_ONLY, |body| {
        let read = AcceptInvitation::read(body);
        let is_given = |body: &Fields<'_>, name: &str| body.get(name).is_some();
        let is_signed_in = is_given(body, "current_password");
        for (name, pointer) in [("name", "/name"), ("password", "/password")] {
            match (is_given(body, name), is_signed_in) {
                (true, true) => body.error(pointer, "not_allowed", "is not allowed beside `current_password`"),
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

/// The workspace that an invitation asks to.
#[derive(Serialize, ToSchema)]
struct InvitingWorkspace {
    /// What people call it.
    name: String,
}

/// An invitation, as it is shown to who has its token.
#[derive(Serialize, ToSchema)]
struct InvitationView {
    /// The address that a new account gets. An existing account accepts with the address that it has.
    email: String,
    /// The role that it gives.
    role: Role,
    /// The workspace that it opens.
    workspace: InvitingWorkspace,
    /// The name of the member who sent it; `null` for an invitation from before that was stored.
    invited_by: Option<String>,
    /// Until when it is open.
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

/// The token in the path; what cannot be decoded opens nothing.
fn token(cx: &Cx) -> Result<String, Problem> {
    cx.named(&INVITATION_TOKEN).map_err(|_| not_open())
}

fn not_open() -> Problem {
    Problem::new(Code::NotFound).detail("There is no such invitation that is open; ask to be invited again.")
}

fn refused(error: Error) -> Problem {
    if error == Error::NotFound { not_open() } else { error.into() }
}

/// Shows an invitation to who has its token.
///
/// One that was taken or withdrawn, is over, or never was there is answered alike.
#[utoipa::path(get, path = "/auth/invitations/{token}", tag = "Login", responses(
    (status = 200, description = "The invitation.", body = InvitationView),
    (status = 404, description = "`not_found`: there is no such invitation that is open."),
    (status = 429, description = "`too_many_attempts`: from this address.")))]
pub async fn show(cx: Cx) -> Result<Answer, Problem> {
    let found = cx.services().platform.open_invitation(&token(&cx)?).await.map_err(refused)?;
    Ok(Answer::json(&InvitationView::from(found)))
}

/// Accepts an invitation.
///
/// With `name` and `password` it makes an account of the invitation's address. With an access token and `current_password`
/// it gives the place to the account of the token, whatever its address is: the account's other sessions and an open link to
/// another password end. The token of the invitation is valid once, until it expires.
#[utoipa::path(post, path = "/auth/invitations/{token}", tag = "Login",
    request_body = AcceptInvitation, responses(
    (status = 201, description = "The person. They are a member now.", body = UserView),
    (status = 401, description = "`unauthorized`: `current_password` needs an access token."),
    (status = 404, description = "`not_found`: there is no such invitation that is open."),
    (status = 409, description = "`sign_in_required`: the address has an account, so sign in to accept; or \
     `already_exists`: the account is a member already."),
    (status = 429, description = "`too_many_attempts`: from this address, or on the password.")))]
pub async fn accept(cx: Cx) -> Result<Answer, Problem> {
    let platform = &cx.services().platform;
    let user = match form(&cx)? {
        Form::New { name, password } => platform.accept(&token(&cx)?, name, password).await,
        Form::SignedIn { current } => platform.accept_signed_in(&token(&cx)?, cx.person()?, current).await,
    };
    Ok(Answer::json(&UserView::from(&user.map_err(refused)?)).outcome(Outcome::Created).located("/auth/me".to_owned()))
}

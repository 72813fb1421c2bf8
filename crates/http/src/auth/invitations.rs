//! `/auth/invitations/{token}`: who is asked into a workspace looks at the invitation and takes it.
//! The token is all that it needs, so it is told to nobody: no log and no problem has the path.

use secrecy::SecretString;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{OpenInvitation, Role, UserView};
use tidings_domain::body;
use tidings_domain::outcome::Outcome;
use tidings_domain::read::name;
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use super::chosen;
use crate::answer::Answer;
use crate::path::INVITATION_TOKEN;
use crate::problem::{Code, Problem};
use crate::request::Cx;

body! {
    /// Who takes an invitation.
    struct AcceptInvitation {
        /// What people call you.
        required name: String = name(1..=100);
        /// The password to sign in with.
        required password: SecretString = chosen();
    }
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
    /// Who is asked; the address to sign in with.
    email: String,
    /// What they will be.
    role: Role,
    /// Where.
    workspace: InvitingWorkspace,
    /// What people call who asked; `null`, as that is not kept.
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
            invited_by: None,
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

/// Takes an invitation: makes the account, with the place that it is for.
///
/// The link works once, until it expires.
#[utoipa::path(post, path = "/auth/invitations/{token}", tag = "Login",
    request_body = AcceptInvitation, responses(
    (status = 201, description = "The person, who may sign in now.", body = UserView),
    (status = 404, description = "`not_found`: there is no such invitation that is open."),
    (status = 409, description = "`name_taken`: somebody has the address by now; ask to be invited again."),
    (status = 429, description = "`too_many_attempts`: from this address.")))]
pub async fn accept(cx: Cx) -> Result<Answer, Problem> {
    let AcceptInvitation { name, password } = cx.body()?;
    let user = cx.services().platform.accept(&token(&cx)?, name, password).await.map_err(refused)?;
    Ok(Answer::json(&UserView::from(&user)).outcome(Outcome::Created).located("/auth/me".to_owned()))
}

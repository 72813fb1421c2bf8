//! Links that set a forgotten password: made for a member of a workspace, and used by who has the link. The token is all that
//! it needs, so it is told to nobody: no log and no problem has the path.

use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{ResetLink, UserView};
use tidings_domain::body;
use tidings_domain::outcome::Done;
use tidings_domain::platform::ResetBy;
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use super::chosen;
use crate::answer::Answer;
use crate::path::{MEMBER, MemberRef, RESET_TOKEN};
use crate::problem::{Code, Problem};
use crate::request::Cx;

body! {
    /// Another password.
    struct ResetPassword {
        /// The password as it will be.
        required password: SecretString = chosen();
    }
}

/// A link that was made.
#[derive(Serialize, ToSchema)]
struct ResetLinkView {
    /// For `POST /auth/reset-links/{token}`; shown this once.
    reset_token: String,
    /// Where the server knows its own address (`http.public_url`): the page on which the password is set.
    reset_url: Option<String>,
    /// From when on it opens nothing.
    expires_at: Timestamp,
}

/// A link, as it is shown to who has its token.
#[derive(Serialize, ToSchema)]
struct OpenResetLink {
    /// Whose password it sets; the address to sign in with.
    email: String,
    /// From when on it opens nothing.
    expires_at: Timestamp,
}

/// The token in the path; what cannot be decoded opens nothing.
fn token(cx: &Cx) -> Result<String, Problem> {
    cx.named(&RESET_TOKEN).map_err(|_| not_open())
}

fn not_open() -> Problem {
    Problem::new(Code::NotFound).detail("There is no such link that is open; ask for another one.")
}

fn refused(error: Error) -> Problem {
    if error == Error::NotFound { not_open() } else { error.into() }
}

/// Makes a link that sets a member's password.
///
/// It is good once, for an hour, and an earlier one is good no more: hand it over. Owners and admins make it for who belongs to this
/// workspace alone and does not run the service; operators for every member. Owners' links are made by owners.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/members/{id}/reset-link", tag = "Platform", responses(
    (status = 201, description = "The link.", body = ResetLinkView),
    (status = 409, description = "`needs_operator`: the person belongs to other workspaces, too, or runs the service.")))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let MemberRef::Person(member) = cx.named(&MEMBER)? else { return Err(cx.missing(&MEMBER)) };
    let person = &cx.person()?.user;
    let by = match person.operator {
        true => ResetBy::Operator(person.id),
        false => ResetBy::Member(person.id, cx.role()?),
    };
    let render = |done: &Done<ResetLink>| {
        let ResetLink { token, expires_at, .. } = &done.value;
        let token = token.expose_secret();
        let base = Some(cx.state.base.as_str()).filter(|base| !base.is_empty());
        let reset_url = base.map(|base| format!("{base}/reset/{token}"));
        let shown = ResetLinkView { reset_token: token.to_owned(), reset_url, expires_at: *expires_at };
        Answer::json(&shown).outcome(done.outcome)
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().platform.reset_link_of_member(cx.access(), by, member, idempotency).await
    })
    .await
}

/// Shows whose password a link sets.
///
/// One that was used or replaced, is over, or never was there is answered alike.
#[utoipa::path(get, path = "/auth/reset-links/{token}", tag = "Login", responses(
    (status = 200, description = "The link.", body = OpenResetLink),
    (status = 404, description = "`not_found`: there is no such link that is open."),
    (status = 429, description = "`too_many_attempts`: from this address.")))]
pub async fn show(cx: Cx) -> Result<Answer, Problem> {
    let (user, expires_at) = cx.services().login.open_reset(&token(&cx)?).await.map_err(refused)?;
    Ok(Answer::json(&OpenResetLink { email: user.email.to_string(), expires_at }))
}

/// Sets the password that a link is for.
///
/// The link is used up, and all sessions of the person end: sign in with the new password.
#[utoipa::path(post, path = "/auth/reset-links/{token}", tag = "Login", request_body = ResetPassword, responses(
    (status = 200, description = "The person, who may sign in now.", body = UserView),
    (status = 404, description = "`not_found`: there is no such link that is open."),
    (status = 429, description = "`too_many_attempts`: from this address.")))]
pub async fn set(cx: Cx) -> Result<Answer, Problem> {
    let ResetPassword { password } = cx.body()?;
    let user = cx.services().login.use_reset(&token(&cx)?, password).await.map_err(refused)?;
    Ok(Answer::json(&UserView::from(&user)))
}

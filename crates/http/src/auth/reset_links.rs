//! Password reset links: created for a member of a workspace, and used by the holder of the link. The token is the only
//! proof, so the path appears in no log and no problem.

use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{ResetLink, UserView};
use tidings_domain::body;
use tidings_domain::outcome::Done;
use tidings_domain::platform::ResetBy;
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use super::chosen_password;
use crate::request::RequestContext;
use crate::request::path::{MEMBER, MemberRef, RESET_TOKEN};
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

body! {
    /// A new password.
    struct ResetPassword {
        /// The new password.
        required password: SecretString = chosen_password();
    }
}

/// A new password reset link.
#[derive(Serialize, ToSchema)]
struct ResetLinkView {
    /// Token for `POST /auth/reset-links/{token}`; shown only once.
    reset_token: String,
    /// URL of the page that sets the password; `null` if the server does not know its own address (`http.public_url`).
    reset_url: Option<String>,
    /// When the link expires.
    expires_at: Timestamp,
}

/// A password reset link, as the holder of its token sees it.
#[derive(Serialize, ToSchema)]
struct OpenResetLink {
    /// Email address of the account, for signing in.
    email: String,
    /// When the link expires.
    expires_at: Timestamp,
}

/// Returns the token in the path. A token that cannot be decoded is reported as not found.
fn token(cx: &RequestContext) -> Result<String, Problem> {
    cx.path_parameter(&RESET_TOKEN).map_err(|_| not_open())
}

fn not_open() -> Problem {
    Problem::new(Code::NotFound).detail("There is no such open link. Ask for a new link.")
}

fn reset_link_problem(error: Error) -> Problem {
    if error == Error::NotFound { not_open() } else { error.into() }
}

/// Create a password reset link.
///
/// The link is valid once, for one hour. It replaces earlier links of the member. Send it to the member. Owners and
/// admins can create a link for a member who belongs only to this workspace and is not an operator. Operators can
/// create a link for every member. Only owners and operators can create a link for an owner.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/members/{id}/reset-link", tag = "Platform", responses(
    (status = 201, description = "The link.", body = ResetLinkView),
    (status = 409, description = "`needs_operator`: the user belongs to other workspaces or is an operator.")))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let MemberRef::Person(member) = cx.path_parameter(&MEMBER)? else { return Err(cx.missing(&MEMBER)) };
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

/// Get a password reset link.
///
/// Returns the account of the link. Used, replaced, expired and unknown links all return the same 404.
#[utoipa::path(get, path = "/auth/reset-links/{token}", tag = "Login", responses(
    (status = 200, description = "The link.", body = OpenResetLink),
    (status = 404, description = "`not_found`: no open link has this token."),
    (status = 429, description = "`too_many_attempts`: too many requests from this address.")))]
pub async fn show(cx: RequestContext) -> Result<Answer, Problem> {
    let (user, expires_at) = cx.services().login.open_reset(&token(&cx)?).await.map_err(reset_link_problem)?;
    Ok(Answer::json(&OpenResetLink { email: user.email.to_string(), expires_at }))
}

/// Reset a password.
///
/// Uses up the link and ends all sessions of the user. Sign in with the new password.
#[utoipa::path(post, path = "/auth/reset-links/{token}", tag = "Login", request_body = ResetPassword, responses(
    (status = 200, description = "The user, who can now sign in.", body = UserView),
    (status = 404, description = "`not_found`: no open link has this token."),
    (status = 429, description = "`too_many_attempts`: too many requests from this address.")))]
pub async fn set(cx: RequestContext) -> Result<Answer, Problem> {
    let ResetPassword { password } = cx.body()?;
    let user = cx.services().login.use_reset(&token(&cx)?, password).await.map_err(reset_link_problem)?;
    Ok(Answer::json(&UserView::from(&user)))
}

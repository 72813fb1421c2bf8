//! `/auth`: people sign in, stay signed in and sign out.

use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tidings_domain::access::{Membership, Role, Session, SessionHolder, TokenPair, UserView, WorkspaceView};
use tidings_domain::ids::SessionId;
use tidings_domain::outcome::Outcome;
use tidings_domain::time::Timestamp;
use tidings_domain::{Error, access};
use utoipa::{IntoParams, ToSchema};

use crate::answer::Answer;
use crate::json::{Json, text};
use crate::problem::{Code, Faults, Problem};
use crate::request::Cx;

/// The fewest characters of a password.
const SHORTEST: usize = 10;
/// The most.
const LONGEST: usize = 200;

/// Who signs in.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct Login {
    /// The address of the account.
    #[schema(min_length = 1, max_length = 254)]
    email: String,
    /// Its password.
    #[schema(min_length = 1, max_length = 200, format = "password")]
    password: String,
}

/// Who wants to stay signed in.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct Refresh {
    /// The refresh token that was given last; it is good once.
    #[schema(min_length = 1, max_length = 500)]
    refresh_token: String,
}

/// Who takes an invitation.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct AcceptInvitation {
    /// What people call you.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The password to sign in with.
    #[schema(min_length = 10, max_length = 200, format = "password")]
    password: String,
}

/// Another password.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct ChangePassword {
    /// The password as it is.
    #[schema(min_length = 1, max_length = 200, format = "password")]
    current_password: String,
    /// The password as it will be.
    #[schema(min_length = 10, max_length = 200, format = "password")]
    new_password: String,
}

/// An invitation in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct InvitationPath {
    /// The token of the invitation.
    token: String,
}

/// What a signed-in program is given.
#[derive(Serialize, ToSchema)]
struct Tokens {
    /// Opens the API, as `Authorization: Bearer …`.
    access_token: String,
    /// Gets the next tokens, once.
    refresh_token: String,
    /// `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// For how many seconds the access token is good.
    #[schema(example = 604_800)]
    expires_in: u64,
    /// For how many seconds the refresh token is good, where nobody uses it.
    #[schema(example = 2_592_000)]
    refresh_expires_in: u64,
}

/// The session that the access token is of.
#[derive(Serialize, ToSchema)]
struct SessionView {
    /// Its id.
    id: SessionId,
    /// When it began.
    created_at: Timestamp,
    /// When it ends at the latest.
    expires_at: Timestamp,
}

/// A place in a workspace.
#[derive(Serialize, ToSchema)]
struct MembershipView {
    /// Where.
    workspace: WorkspaceView,
    /// What the person is there.
    role: Role,
}

/// A person with their places.
#[derive(Serialize, ToSchema)]
struct Account {
    /// The person.
    user: UserView,
    /// The session that asks.
    session: SessionView,
    /// Their places, sandboxes included.
    memberships: Vec<MembershipView>,
}

impl From<&Session> for SessionView {
    fn from(it: &Session) -> Self {
        Self { id: it.id, created_at: it.created_at, expires_at: it.expires_at }
    }
}

impl From<&Membership> for MembershipView {
    fn from(it: &Membership) -> Self {
        Self { workspace: WorkspaceView::from(&it.workspace), role: it.role }
    }
}

impl From<&SessionHolder> for Account {
    fn from(it: &SessionHolder) -> Self {
        Self {
            user: UserView::from(&it.user),
            session: SessionView::from(&it.session),
            memberships: it.memberships.iter().map(MembershipView::from).collect(),
        }
    }
}

fn given(pair: &TokenPair) -> Answer {
    Answer::json(&Tokens {
        access_token: pair.access_token.expose_secret().to_owned(),
        refresh_token: pair.refresh_token.expose_secret().to_owned(),
        token_type: "Bearer",
        expires_in: pair.expires_in.as_secs(),
        refresh_expires_in: pair.refresh_expires_in.as_secs(),
    })
}

/// A password that is there already.
fn known(json: &Json) -> Result<SecretString, Faults> {
    text(1..=LONGEST)(json).map(SecretString::from)
}

/// A password that is chosen now.
fn chosen(json: &Json) -> Result<SecretString, Faults> {
    text(SHORTEST..=LONGEST)(json).map(SecretString::from)
}

/// Signs in.
///
/// An address that nobody has and a wrong password are answered alike.
#[utoipa::path(post, path = "/auth/login", tag = "Login", request_body = Login, responses(
    (status = 200, description = "The tokens of a new session.", body = Tokens),
    (status = 401, description = "`invalid_credentials`: the e-mail address or the password is wrong."),
    (status = 429, description = "`too_many_attempts`: on this account, or from this address.")))]
pub async fn login(cx: Cx) -> Result<Answer, Problem> {
    let (email, password) = cx.read(&[], |body| {
        let (email, password) = (body.required("email", text(1..=254)), body.required("password", known));
        Some((email?, password?))
    })?;
    match cx.services().login.login(&email, password, &cx.network.to_string()).await {
        Ok(pair) => Ok(given(&pair)),
        Err(Error::Unauthorized) => Err(Problem::new(Code::InvalidCredentials)),
        Err(error) => Err(error.into()),
    }
}

/// Gives the next tokens of a session.
///
/// Asked again within 20 seconds, the answer is the same; a refresh token that comes later a second
/// time ends the session.
#[utoipa::path(post, path = "/auth/refresh", tag = "Login", request_body = Refresh, responses(
    (status = 200, description = "The next tokens.", body = Tokens),
    (status = 401, description = "`unauthorized`: the refresh token opens nothing (any more)."),
    (status = 429, description = "`too_many_attempts`: from this address.")))]
pub async fn refresh(cx: Cx) -> Result<Answer, Problem> {
    let token = cx.read(&[], |body| body.required("refresh_token", text(1..=500)))?;
    Ok(given(&cx.services().login.refresh(&token).await?))
}

/// Ends the session.
///
/// Its tokens are refused everywhere within five seconds.
#[utoipa::path(post, path = "/auth/logout", tag = "Login",
    responses((status = 204, description = "It has ended.")))]
pub async fn logout(cx: Cx) -> Result<Answer, Problem> {
    cx.services().login.end(cx.person()?.session.id).await?;
    Ok(Answer::no_content())
}

/// Shows the person who asks, with their places.
#[utoipa::path(get, path = "/auth/me", tag = "Login",
    responses((status = 200, description = "The person.", body = Account)))]
pub async fn me(cx: Cx) -> Result<Answer, Problem> {
    Ok(Answer::json(&Account::from(cx.person()?)))
}

/// Changes the password.
///
/// All other sessions of the person end.
#[utoipa::path(post, path = "/auth/password", tag = "Login", request_body = ChangePassword,
    responses((status = 204, description = "The new password is the password.")))]
pub async fn password(cx: Cx) -> Result<Answer, Problem> {
    let (current, new) = cx.read(&[], |body| {
        let (current, new) = (body.required("current_password", known), body.required("new_password", chosen));
        Some((current?, new?))
    })?;
    cx.services().login.change_password(cx.person()?, current, new).await?;
    Ok(Answer::no_content())
}

/// Takes an invitation: makes the account, with the place that it is for.
#[utoipa::path(post, path = "/auth/invitations/{token}", tag = "Login", params(InvitationPath),
    request_body = AcceptInvitation, responses(
    (status = 201, description = "The person, who may sign in now.", body = UserView),
    (status = 409, description = "`name_taken`: somebody has the address by now; ask to be invited again."),
    (status = 429, description = "`too_many_attempts`: from this address.")))]
pub async fn accept(cx: Cx) -> Result<Answer, Problem> {
    let (name, password) = cx.read(&[], |body| {
        let (name, password) = (body.required("name", text(1..=100)), body.required("password", chosen));
        Some((name?, password?))
    })?;
    let token: String = cx.named("token", |text| Some(text.to_owned()))?;
    let user: access::User = cx.services().platform.accept(&token, name, password).await?;
    Ok(Answer::json(&UserView::from(&user)).outcome(Outcome::Created).located("/auth/me".to_owned()))
}

//! `/auth`: signing in, refreshing a session and signing out.
//!
//! A program receives and sends its refresh token in the body. A browser can use a cookie instead, which scripts cannot
//! read. The cookie works only for this server's own pages.

pub(crate) mod authenticate;
pub(crate) mod browser;
pub(crate) mod caller;
mod cookie;
pub(crate) mod credentials;
pub(crate) mod invitations;
pub(crate) mod me;
pub(crate) mod origin;
mod page;
pub(crate) mod reset_links;
pub(crate) mod sessions;

use std::ops::RangeInclusive;

use actix_web::http::header::SET_COOKIE;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{
    AccountPatch, Device, Language, Membership, Role, Session, SessionHolder, TokenPair, UserView, WorkspaceView,
};
use tidings_domain::body;
use tidings_domain::contacts::Email;
use tidings_domain::ids::SessionId;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, boolean, map, name, text, word};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;
use utoipa::openapi::{KnownFormat, SchemaFormat};

use self::cookie::Form;
use crate::request::RequestContext;
use crate::request::email_address::email;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

/// The minimum length of a new password in characters.
const SHORTEST: usize = 10;
/// The maximum length of a password.
const LONGEST: usize = 200;

body! {
    /// The credentials of a user.
    struct Login {
        /// Email address of the account.
        required email: String = text(1..=254);
        /// Password of the account.
        required password: SecretString = existing_password();
        /// Whether to return the refresh token in a cookie instead of the body. Only for browsers on this server's own
        /// pages, over HTTPS or on localhost.
        optional cookie: bool = boolean().default(false);
    }
}

body! {
    /// A refresh token.
    struct Refresh {
        /// The latest refresh token; it is valid once. If absent, the token from the cookie.
        optional refresh_token: String = text(1..=500);
    }
}

body! {
    /// Fields of the account to update. Absent fields stay.
    struct UpdateAccount {
        /// Display name.
        optional name: String = name(1..=100);
        /// Language of the panel. `null` for the language of the browser.
        patch language: Language = word(Language::WORDS, Language::parse);
        /// Email address for signing in.
        optional email: Email = email();
        /// The current password; required to change the email address.
        optional current_password: SecretString = existing_password();
    }
}

body! {
    /// A change of the password.
    struct ChangePassword {
        /// The current password.
        required current_password: SecretString = existing_password();
        /// The new password.
        required new_password: SecretString = chosen_password();
    }
}

/// The tokens of a session.
#[derive(Serialize, ToSchema)]
struct Tokens {
    /// Authenticates API requests, as `Authorization: Bearer …`.
    access_token: String,
    /// Gets the next tokens; valid once. Absent if it is in the cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    refresh_token: Option<String>,
    /// `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// Lifetime of the access token in seconds.
    #[schema(example = 604_800)]
    expires_in: u64,
    /// Lifetime of the refresh token in seconds, if it is not used.
    #[schema(example = 2_592_000)]
    refresh_expires_in: u64,
}

/// The session of the access token.
#[derive(Serialize, ToSchema)]
struct SessionView {
    /// ID of the session.
    id: SessionId,
    /// When the session began.
    created_at: Timestamp,
    /// Latest end of the session.
    expires_at: Timestamp,
}

/// A membership in a workspace.
#[derive(Serialize, ToSchema)]
struct MembershipView {
    /// The workspace.
    workspace: WorkspaceView,
    /// The role of the user in the workspace.
    role: Role,
}

/// A user and their memberships.
#[derive(Serialize, ToSchema)]
struct Account {
    /// The user.
    user: UserView,
    /// The session of this request.
    session: SessionView,
    /// The memberships, including sandboxes.
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

/// Returns the tokens. The refresh token is in this cookie, otherwise in the body.
fn token_answer(pair: &TokenPair, cookie: Option<Form>) -> Answer {
    let refresh = pair.refresh_token.expose_secret();
    let seconds = pair.refresh_expires_in.as_secs();
    let answer = Answer::json(&Tokens {
        access_token: pair.access_token.expose_secret().to_owned(),
        refresh_token: cookie.is_none().then(|| refresh.to_owned()),
        token_type: "Bearer",
        expires_in: pair.expires_in.as_secs(),
        refresh_expires_in: seconds,
    });
    cookie.into_iter().fold(answer, |answer, form| answer.with(SET_COOKIE, &form.keeping(refresh, seconds)))
}

/// Reads an existing password.
fn existing_password() -> impl Read<SecretString> + Describe {
    password_of(1..=LONGEST)
}

/// Reads a new password.
fn chosen_password() -> impl Read<SecretString> + Describe {
    password_of(SHORTEST..=LONGEST)
}

fn password_of(bounds: RangeInclusive<usize>) -> impl Read<SecretString> + Describe {
    map(text(bounds), SecretString::from).with(|it| it.format(Some(SchemaFormat::KnownFormat(KnownFormat::Password))))
}

/// Sign in.
///
/// An unknown email address and a wrong password return the same error. With `cookie`, the refresh token is in
/// `Set-Cookie` and not in the body. This works only on this server's own pages, which the server recognises by
/// `Origin`.
#[utoipa::path(post, path = "/auth/login", tag = "Login", request_body = Login, responses(
    (status = 200, description = "The tokens of a new session.", body = Tokens),
    (status = 401, description = "`invalid_credentials`: the email address or the password is wrong."),
    (status = 403, description = "`foreign_origin`: a page of another origin asked for a cookie."),
    (status = 429, description = "`too_many_attempts`: too many attempts on this account or from this address.")))]
pub async fn login(cx: RequestContext) -> Result<Answer, Problem> {
    let Login { email, password, cookie } = cx.body()?;
    let wants_cookie = cookie.unwrap_or_default();
    let browser = cx.browser()?;
    let cookie = if wants_cookie { Some(browser.page.form(cx.public_origin())?) } else { None };
    let device = Device { network: cx.network.to_string(), user_agent: browser.user_agent.clone() };
    match cx.services().login.login(&email, password, device).await {
        Ok(pair) => Ok(token_answer(&pair, cookie)),
        Err(Error::Unauthorized) => Err(Problem::new(Code::InvalidCredentials)),
        Err(error) => Err(error.into()),
    }
}

/// Refresh a session.
///
/// Returns the next tokens. A retry within 20 seconds returns the same tokens; later use of an old refresh token ends
/// the session. Without a token in the body, the server uses the cookie. This works only on this server's own pages,
/// which it recognises by `Origin`, or by `Sec-Fetch-Site` if `Origin` is absent. The next refresh token is then only
/// in `Set-Cookie`.
#[utoipa::path(post, path = "/auth/refresh", tag = "Login", request_body = Refresh, responses(
    (status = 200, description = "The next tokens.", body = Tokens),
    (status = 401, description = "`unauthorized`: the refresh token is missing, or is no longer valid."),
    (status = 403, description = "`foreign_origin`: a page of another origin sent the cookie."),
    (status = 429, description = "`too_many_attempts`: too many requests from this address.")))]
pub async fn refresh(cx: RequestContext) -> Result<Answer, Problem> {
    let login = &cx.services().login;
    let Refresh { refresh_token } = cx.body()?;
    if let Some(token) = refresh_token {
        let pair = login.refresh(&token).await.map_err(|error| match error {
            Error::Unauthorized => refused_token(),
            error => error.into(),
        });
        return Ok(token_answer(&pair?, None));
    }
    let browser = cx.browser()?;
    let no_token = "Send the refresh token as `refresh_token` in the body, or in the cookie from a page of this \
                    server.";
    let no_token = || Problem::new(Code::Unauthorized).detail(no_token);
    let (form, token) = browser.cookie.as_ref().ok_or_else(no_token)?;
    browser.page.may_use_cookie(cx.public_origin())?;
    match login.refresh(token).await {
        // The next token replaces this one in the same cookie.
        Ok(pair) => Ok(token_answer(&pair, Some(*form))),
        Err(Error::Unauthorized) => Err(refused_token().header(SET_COOKIE, &form.removing())),
        Err(error) => Err(error.into()),
    }
}

fn refused_token() -> Problem {
    Problem::new(Code::Unauthorized).detail("The refresh token is wrong, used or expired. Sign in again.")
}

/// Sign out.
///
/// Ends the session. All servers reject its tokens within five seconds. `Set-Cookie` removes the refresh token from the
/// browser.
#[utoipa::path(post, path = "/auth/logout", tag = "Login",
    responses((status = 204, description = "The session has ended.")))]
pub async fn logout(cx: RequestContext) -> Result<Answer, Problem> {
    cx.services().login.end(cx.person()?.session.id).await?;
    let forms = cx.browser()?.page.possible_forms().iter();
    Ok(forms.fold(Answer::no_content(), |answer, form| answer.with(SET_COOKIE, &form.removing())))
}

/// Get the current user.
///
/// Returns the user, the session, and the role in each workspace.
#[utoipa::path(get, path = "/auth/me", tag = "Login",
    responses((status = 200, description = "The user.", body = Account)))]
pub async fn me(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(Answer::json(&Account::from(cx.person()?)))
}

/// Update the current user.
///
/// Present fields replace, absent fields stay. A new email address needs `current_password`, and ends all other
/// sessions of the user.
#[utoipa::path(patch, path = "/auth/me", tag = "Login", request_body = UpdateAccount, responses(
    (status = 200, description = "The updated user.", body = Account),
    (status = 409, description = "`name_taken`: another account has this email address."),
    (status = 429, description = "`too_many_attempts`: too many wrong passwords.")))]
pub async fn patch_me(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateAccount { name, language, email, current_password } = cx.body()?;
    let holder = cx.person()?;
    let patch = AccountPatch { name, language, email, current_password };
    let user = cx.services().login.change_account(holder, patch).await?;
    Ok(Answer::json(&Account::from(&SessionHolder { user, ..holder.clone() })))
}

/// Change the password.
///
/// Ends all other sessions of the user.
#[utoipa::path(post, path = "/auth/password", tag = "Login", request_body = ChangePassword,
    responses((status = 204, description = "The password is changed.")))]
pub async fn password(cx: RequestContext) -> Result<Answer, Problem> {
    let ChangePassword { current_password: current, new_password: new } = cx.body()?;
    cx.services().login.change_password(cx.person()?, current, new).await?;
    Ok(Answer::no_content())
}

#[cfg(test)]
mod tests;

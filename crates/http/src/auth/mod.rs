//! `/auth`: people sign in, stay signed in and sign out.
//!
//! A program is given its refresh token in the body and sends it in the body. A browser may have it
//! kept in a cookie, where no script reads it: then both happen only for this server's own pages.

pub(crate) mod browser;
mod cookie;
pub(crate) mod invitations;
pub(crate) mod origin;
pub(crate) mod reset_links;
pub(crate) mod sessions;

use std::ops::RangeInclusive;

use actix_web::http::header::SET_COOKIE;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{
    AccountPatch, Device, Membership, Role, Session, SessionHolder, TokenPair, UserView, WorkspaceView,
};
use tidings_domain::body;
use tidings_domain::contacts::Email;
use tidings_domain::ids::SessionId;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, boolean, map, name, text};
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;
use utoipa::openapi::{KnownFormat, SchemaFormat};

use self::cookie::Form;
use crate::answer::Answer;
use crate::email_address::email;
use crate::problem::{Code, Problem};
use crate::request::Cx;

/// The fewest characters of a password.
const SHORTEST: usize = 10;
/// The most.
const LONGEST: usize = 200;

body! {
    /// Who signs in.
    struct Login {
        /// The address of the account.
        required email: String = text(1..=254);
        /// Its password.
        required password: SecretString = known();
        /// Whether the refresh token goes into a cookie instead of the answer: for browsers, on this
        /// server's own pages, over https or on this machine.
        optional cookie: bool = boolean().default(false);
    }
}

body! {
    /// Who wants to stay signed in.
    struct Refresh {
        /// The refresh token that was given last; it is good once. When absent, the one in the cookie.
        optional refresh_token: String = text(1..=500);
    }
}

body! {
    /// What changes of an account; what is absent stays.
    struct UpdateAccount {
        /// What people call you.
        optional name: String = name(1..=100);
        /// The address to sign in with.
        optional email: Email = email();
        /// The password as it is; required for another address.
        optional current_password: SecretString = known();
    }
}

body! {
    /// Another password.
    struct ChangePassword {
        /// The password as it is.
        required current_password: SecretString = known();
        /// The password as it will be.
        required new_password: SecretString = chosen();
    }
}

/// What a signed-in program is given.
#[derive(Serialize, ToSchema)]
struct Tokens {
    /// Opens the API, as `Authorization: Bearer …`.
    access_token: String,
    /// Gets the next tokens, once. Absent where it is in the cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    refresh_token: Option<String>,
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

/// The tokens, with the refresh token in this cookie, else in the body.
fn given(pair: &TokenPair, cookie: Option<Form>) -> Answer {
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

/// A password that is there already.
fn known() -> impl Read<SecretString> + Describe {
    password_of(1..=LONGEST)
}

/// A password that is chosen now.
fn chosen() -> impl Read<SecretString> + Describe {
    password_of(SHORTEST..=LONGEST)
}

fn password_of(bounds: RangeInclusive<usize>) -> impl Read<SecretString> + Describe {
    map(text(bounds), SecretString::from).with(|it| it.format(Some(SchemaFormat::KnownFormat(KnownFormat::Password))))
}

/// Signs in.
///
/// An address that nobody has and a wrong password are answered alike. With `cookie`, the refresh
/// token is in `Set-Cookie` and not in the body; that is for this server's own pages, by `Origin`.
#[utoipa::path(post, path = "/auth/login", tag = "Login", request_body = Login, responses(
    (status = 200, description = "The tokens of a new session.", body = Tokens),
    (status = 401, description = "`invalid_credentials`: the e-mail address or the password is wrong."),
    (status = 403, description = "`foreign_origin`: a cookie is wanted by a page of another origin."),
    (status = 429, description = "`too_many_attempts`: on this account, or from this address.")))]
pub async fn login(cx: Cx) -> Result<Answer, Problem> {
    let Login { email, password, cookie } = cx.body()?;
    let wants_cookie = cookie.unwrap_or_default();
    let browser = cx.browser()?;
    let cookie = if wants_cookie { Some(browser.page.form(cx.public_origin())?) } else { None };
    let device = Device { network: cx.network.to_string(), user_agent: browser.user_agent.clone() };
    match cx.services().login.login(&email, password, device).await {
        Ok(pair) => Ok(given(&pair, cookie)),
        Err(Error::Unauthorized) => Err(Problem::new(Code::InvalidCredentials)),
        Err(error) => Err(error.into()),
    }
}

/// Gives the next tokens of a session.
///
/// Asked again within 20 seconds, the answer is the same; a refresh token that comes later a second
/// time ends the session. Without one in the body, the one in the cookie is used: for this server's
/// own pages, by `Origin` or else `Sec-Fetch-Site`. The next one is then in `Set-Cookie` alone.
#[utoipa::path(post, path = "/auth/refresh", tag = "Login", request_body = Refresh, responses(
    (status = 200, description = "The next tokens.", body = Tokens),
    (status = 401, description = "`unauthorized`: there is no refresh token, or it opens nothing (any more)."),
    (status = 403, description = "`foreign_origin`: the cookie comes from a page of another origin."),
    (status = 429, description = "`too_many_attempts`: from this address.")))]
pub async fn refresh(cx: Cx) -> Result<Answer, Problem> {
    let login = &cx.services().login;
    let Refresh { refresh_token } = cx.body()?;
    if let Some(token) = refresh_token {
        let pair = login.refresh(&token).await.map_err(|error| match error {
            Error::Unauthorized => refused_token(),
            error => error.into(),
        });
        return Ok(given(&pair?, None));
    }
    let browser = cx.browser()?;
    let no_token = "Send the refresh token as `refresh_token` in the body, or in the cookie of a page of this server.";
    let no_token = || Problem::new(Code::Unauthorized).detail(no_token);
    let (form, token) = browser.cookie.as_ref().ok_or_else(no_token)?;
    browser.page.may_use_cookie(cx.public_origin())?;
    match login.refresh(token).await {
        // The next token takes the place of this one, in the cookie that it came in.
        Ok(pair) => Ok(given(&pair, Some(*form))),
        Err(Error::Unauthorized) => Err(refused_token().header(SET_COOKIE, &form.removing())),
        Err(error) => Err(error.into()),
    }
}

fn refused_token() -> Problem {
    Problem::new(Code::Unauthorized).detail("The refresh token is wrong, was used before, or is over; sign in again.")
}

/// Ends the session.
///
/// Its tokens are refused everywhere within five seconds. `Set-Cookie` removes the refresh token from
/// the browser.
#[utoipa::path(post, path = "/auth/logout", tag = "Login",
    responses((status = 204, description = "It has ended.")))]
pub async fn logout(cx: Cx) -> Result<Answer, Problem> {
    cx.services().login.end(cx.person()?.session.id).await?;
    let forms = cx.browser()?.page.possible_forms().iter();
    Ok(forms.fold(Answer::no_content(), |answer, form| answer.with(SET_COOKIE, &form.removing())))
}

/// Shows the person who asks, with their places.
///
/// With their role in each workspace.
#[utoipa::path(get, path = "/auth/me", tag = "Login",
    responses((status = 200, description = "The person.", body = Account)))]
pub async fn me(cx: Cx) -> Result<Answer, Problem> {
    Ok(Answer::json(&Account::from(cx.person()?)))
}

/// Changes the name or the address of the person who asks.
///
/// Another address takes the password, and ends all other sessions of the person.
#[utoipa::path(patch, path = "/auth/me", tag = "Login", request_body = UpdateAccount, responses(
    (status = 200, description = "The person afterwards.", body = Account),
    (status = 409, description = "`name_taken`: somebody has the address."),
    (status = 429, description = "`too_many_attempts`: on the password.")))]
pub async fn patch_me(cx: Cx) -> Result<Answer, Problem> {
    let UpdateAccount { name, email, current_password } = cx.body()?;
    let holder = cx.person()?;
    let user = cx.services().login.change_account(holder, AccountPatch { name, email, current_password }).await?;
    Ok(Answer::json(&Account::from(&SessionHolder { user, ..holder.clone() })))
}

/// Changes the password.
///
/// All other sessions of the person end.
#[utoipa::path(post, path = "/auth/password", tag = "Login", request_body = ChangePassword,
    responses((status = 204, description = "The new password is the password.")))]
pub async fn password(cx: Cx) -> Result<Answer, Problem> {
    let ChangePassword { current_password: current, new_password: new } = cx.body()?;
    cx.services().login.change_password(cx.person()?, current, new).await?;
    Ok(Answer::no_content())
}

#[cfg(test)]
mod tests;

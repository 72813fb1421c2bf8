//! The credential of a request: an API key or an access token.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use ring::digest::{SHA256, digest};
use tidings_domain::Error;
use tidings_domain::access::KeyHolder;

use crate::auth::caller::{Caller, Person};
use crate::limits::by_address::{check_rejected, count_token_lookup, wrong};
use crate::pipeline::state::State;
use crate::response::problem::{Code, Problem};

fn refused() -> Problem {
    Problem::new(Code::Unauthorized)
}

/// The source of the holder of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The cache, if it has a recent entry.
    Remembered,
    /// The store: for requests that change permissions.
    Stored,
}

/// Returns the holder of the API key or access token of a request.
///
/// # Errors
/// 401 if there is no valid credential; 503 if the store fails.
pub(crate) async fn authenticate(state: &State, request: &HttpRequest, reading: Reading) -> Result<Caller, Problem> {
    let presented = bearer(request.headers()).ok_or_else(refused)?;
    match state.services.ports.secrets.key_digest(presented) {
        Some(digest) => Ok(Caller::Key(key(state, request, digest, reading).await?)),
        None => Ok(Caller::Person(token(state, request, presented, reading).await?)),
    }
}

/// Returns the user of the access token of a request. An API key is rejected.
///
/// # Errors
/// As [`authenticate`].
pub(crate) async fn person(state: &State, request: &HttpRequest, reading: Reading) -> Result<Arc<Person>, Problem> {
    match authenticate(state, request, reading).await? {
        Caller::Person(person) => Ok(person),
        Caller::Key(_) | Caller::Nobody => Err(refused()),
    }
}

async fn key(
    state: &State,
    request: &HttpRequest,
    digest: [u8; 32],
    reading: Reading,
) -> Result<Arc<KeyHolder>, Problem> {
    let services = &state.services;
    let now = services.ports.clock.now();
    if let Some(holder) = state.keys.get(&digest, now).filter(|_| reading == Reading::Remembered) {
        return if holder.key.is_usable(now) { Ok(holder) } else { Err(refused()) };
    }
    // A key that was valid before is looked up at any time: another client in the same network cannot lock it out.
    if !state.keys.contains(&digest) {
        check_rejected(state, request)?;
    }
    let Some(found) = services.access.authenticate_digest(digest).await.map_err(Error::Store)? else {
        state.keys.remove(&digest);
        return Err(wrong(state, request, refused()));
    };
    let holder = Arc::new(found);
    state.keys.put(digest, Arc::clone(&holder), now);
    Ok(holder)
}

async fn token(
    state: &State,
    request: &HttpRequest,
    presented: &str,
    reading: Reading,
) -> Result<Arc<Person>, Problem> {
    let now = state.services.ports.clock.now();
    let digest = sha256(presented);
    let remembered = state.people.get(&digest, now);
    if let Some(person) = remembered.filter(|_| reading == Reading::Remembered) {
        return if person.is_usable(now) { Ok(person) } else { Err(refused()) };
    }
    if !state.people.contains(&digest) {
        count_token_lookup(state, request)?;
    }
    let Some((holder, expires_at)) = state.services.login.authenticate(presented).await.map_err(Error::Store)? else {
        state.people.remove(&digest);
        return Err(wrong(state, request, refused()));
    };
    let person = Arc::new(Person { holder, expires_at });
    state.people.put(digest, Arc::clone(&person), now);
    Ok(person)
}

fn sha256(presented: &str) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, presented.as_bytes()).as_ref());
    hash
}

/// Returns the credential of a request; `None` if there are two `Authorization` headers.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION);
    let (value, None) = (values.next()?, values.next()) else { return None };
    bearer_token(value.to_str().ok()?)
}

/// Returns the credential in an `Authorization` header of the form `Bearer …` (RFC 6750, section 2.1).
pub fn bearer_token(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start_matches(' '))
}

//! Who asks: the bearer key or access token, and for how long its holder is remembered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use ring::digest::{SHA256, digest};
use tidings_domain::Error;
use tidings_domain::access::{KeyHolder, Membership, SessionHolder};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::time::Timestamp;

use crate::entry::wrong;
use crate::problem::{Code, Problem};
use crate::state::State;

/// How long a holder is remembered. The contract gives five seconds from a revocation, or a change
/// of plan, to its effect; the rest is for a look-up that was under way.
const TIME_TO_LIVE: Duration = Duration::from_secs(4);

/// How many holders are remembered at the most.
const MOST: usize = 10_000;

/// Who was let in.
#[derive(Clone)]
pub(crate) enum Caller {
    /// Somebody without a credential, where none is needed.
    Nobody,
    /// A client with an API key.
    Key(Arc<KeyHolder>),
    /// A person with an access token.
    Person(Arc<Person>),
}

/// A person with an access token.
pub(crate) struct Person {
    pub(crate) holder: SessionHolder,
    /// From when on the token opens nothing.
    expires_at: Timestamp,
}

impl Person {
    /// Their place in a workspace.
    pub(crate) fn place(&self, workspace: WorkspaceId) -> Option<&Membership> {
        self.holder.memberships.iter().find(|it| it.workspace.id == workspace)
    }

    /// The only workspace in which they have a place, sandboxes aside.
    pub(crate) fn only_place(&self) -> Option<&Membership> {
        let mut live = self.holder.memberships.iter().filter(|it| it.workspace.live_workspace.is_none());
        live.next().filter(|_| live.next().is_none())
    }

    fn is_usable(&self, now: Timestamp) -> bool {
        self.holder.session.is_live(now) && now < self.expires_at
    }
}

/// Holders by the digest of what they presented. Only those that were found are here: what is
/// refused is looked up every time, so that a new key opens at once.
pub(crate) struct Remembered<H>(Mutex<HashMap<[u8; 32], Reading<H>>>);

/// A holder, and when it was read.
type Reading<H> = (Arc<H>, Timestamp);

impl<H> Default for Remembered<H> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<H> Remembered<H> {
    fn get(&self, digest: &[u8; 32], now: Timestamp) -> Option<Arc<H>> {
        let holders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        holders.get(digest).filter(|(_, read_at)| is_fresh(*read_at, now)).map(|(holder, _)| Arc::clone(holder))
    }

    /// `read_at` is the instant before the look-up: what it saw may be as old as that.
    fn put(&self, digest: [u8; 32], holder: Arc<H>, read_at: Timestamp) {
        let mut holders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if holders.len() >= MOST {
            holders.retain(|_, (_, earlier)| is_fresh(*earlier, read_at));
        }
        if holders.len() < MOST {
            holders.insert(digest, (holder, read_at));
        }
    }
}

fn is_fresh(read_at: Timestamp, now: Timestamp) -> bool {
    now >= read_at && now.since(read_at) < TIME_TO_LIVE
}

fn refused() -> Problem {
    Problem::new(Code::Unauthorized)
}

/// The holder of the request's key, or the person whose access token it carries.
///
/// # Errors
/// 401 where there is none that opens anything now; 503 where the store could not tell.
pub(crate) async fn authenticate(state: &State, request: &HttpRequest) -> Result<Caller, Problem> {
    let presented = bearer(request.headers()).ok_or_else(refused)?;
    match state.services.ports.secrets.key_digest(presented) {
        Some(digest) => Ok(Caller::Key(key(state, request, digest).await?)),
        None => Ok(Caller::Person(token(state, request, presented).await?)),
    }
}

/// The person whose access token the request carries; a key is none.
///
/// # Errors
/// As [`authenticate`].
pub(crate) async fn person(state: &State, request: &HttpRequest) -> Result<Arc<Person>, Problem> {
    match authenticate(state, request).await? {
        Caller::Person(person) => Ok(person),
        Caller::Key(_) | Caller::Nobody => Err(refused()),
    }
}

/// The same person as the store knows them now: what was not there a moment ago, such as a workspace
/// that was just made, is never refused from memory.
///
/// # Errors
/// As [`authenticate`].
pub(crate) async fn person_as_stored(state: &State, request: &HttpRequest) -> Result<Arc<Person>, Problem> {
    let presented = bearer(request.headers()).ok_or_else(refused)?;
    looked_up(state, request, presented, state.services.ports.clock.now()).await
}

async fn key(state: &State, request: &HttpRequest, digest: [u8; 32]) -> Result<Arc<KeyHolder>, Problem> {
    let services = &state.services;
    let now = services.ports.clock.now();
    if let Some(holder) = state.keys.get(&digest, now) {
        return if holder.key.is_usable(now) { Ok(holder) } else { Err(refused()) };
    }
    let found = services.access.authenticate_digest(digest).await.map_err(Error::Store)?;
    let holder = Arc::new(found.ok_or_else(|| wrong(state, request, refused()))?);
    state.keys.put(digest, Arc::clone(&holder), now);
    Ok(holder)
}

async fn token(state: &State, request: &HttpRequest, presented: &str) -> Result<Arc<Person>, Problem> {
    let services = &state.services;
    let now = services.ports.clock.now();
    if let Some(person) = state.people.get(&sha256(presented), now) {
        return if person.is_usable(now) { Ok(person) } else { Err(refused()) };
    }
    looked_up(state, request, presented, now).await
}

fn sha256(presented: &str) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, presented.as_bytes()).as_ref());
    hash
}

async fn looked_up(
    state: &State,
    request: &HttpRequest,
    presented: &str,
    now: Timestamp,
) -> Result<Arc<Person>, Problem> {
    let found = state.services.login.authenticate(presented).await.map_err(Error::Store)?;
    let (holder, expires_at) = found.ok_or_else(|| wrong(state, request, refused()))?;
    let person = Arc::new(Person { holder, expires_at });
    state.people.put(sha256(presented), Arc::clone(&person), now);
    Ok(person)
}

/// The credential of a request; two `Authorization` headers are none.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION);
    let (value, None) = (values.next()?, values.next()) else { return None };
    bearer_token(value.to_str().ok()?)
}

/// The credential in an `Authorization` header of the form `Bearer …` (RFC 6750, section 2.1).
pub fn bearer_token(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start_matches(' '))
}

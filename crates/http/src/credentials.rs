//! Who asks: the bearer key, and for how long its holder is remembered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use tidings_domain::Error;
use tidings_domain::access::KeyHolder;
use tidings_domain::time::Timestamp;

use crate::problem::{Code, Problem};
use crate::state::State;

/// How long a holder is remembered. The contract gives five seconds from a revocation, or a change
/// of plan, to its effect; the rest is for a look-up that was under way.
const TIME_TO_LIVE: Duration = Duration::from_secs(4);

/// How many holders are remembered at the most.
const MOST: usize = 10_000;

/// Holders by the digest of their key. Only keys that were found are here: what is refused is
/// looked up every time, so that a new key opens at once.
#[derive(Default)]
pub(crate) struct KeyCache(Mutex<HashMap<[u8; 32], Remembered>>);

/// A holder, and when it was read.
type Remembered = (Arc<KeyHolder>, Timestamp);

impl KeyCache {
    fn get(&self, digest: &[u8; 32], now: Timestamp) -> Option<Arc<KeyHolder>> {
        let holders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        holders.get(digest).filter(|(_, read_at)| is_fresh(*read_at, now)).map(|(holder, _)| Arc::clone(holder))
    }

    /// `read_at` is the instant before the look-up: what it saw may be as old as that.
    fn put(&self, digest: [u8; 32], holder: Arc<KeyHolder>, read_at: Timestamp) {
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

/// The holder of the request's key.
///
/// # Errors
/// 401 where there is none that opens anything now; 503 where the store could not tell.
pub(crate) async fn authenticate(state: &State, headers: &HeaderMap) -> Result<Arc<KeyHolder>, Problem> {
    let refused = || Problem::new(Code::Unauthorized);
    let services = &state.services;
    let presented = bearer(headers).ok_or_else(refused)?;
    let digest = services.access.secrets.key_digest(presented).ok_or_else(refused)?;
    let now = services.clock.now();
    if let Some(holder) = state.keys.get(&digest, now) {
        return if holder.key.is_usable(now) { Ok(holder) } else { Err(refused()) };
    }
    let found = services.access.authenticate_digest(digest).await.map_err(Error::Store)?;
    let holder = Arc::new(found.ok_or_else(refused)?);
    state.keys.put(digest, Arc::clone(&holder), now);
    Ok(holder)
}

/// The key in `Authorization: Bearer …` (RFC 6750, section 2.1); two such headers are none.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION);
    let (value, None) = (values.next()?, values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start_matches(' '))
}

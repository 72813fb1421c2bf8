//! Who was let in, and for how long that is remembered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::access::{KeyHolder, Membership, SessionHolder};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::time::Timestamp;

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
    pub(crate) expires_at: Timestamp,
}

impl Person {
    /// Their place in a workspace.
    pub(crate) fn place(&self, workspace: WorkspaceId) -> Option<&Membership> {
        self.holder.memberships.iter().find(|it| it.workspace.id == workspace)
    }

    /// The only workspace in which they have a place, sandboxes and deleted workspaces aside.
    pub(crate) fn only_place(&self) -> Option<&Membership> {
        let is_live = |it: &&Membership| it.workspace.live_workspace.is_none() && it.workspace.deletion.is_none();
        let mut live = self.holder.memberships.iter().filter(is_live);
        live.next().filter(|_| live.next().is_none())
    }

    /// Whether the token opens anything now.
    pub(crate) fn is_usable(&self, now: Timestamp) -> bool {
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
    /// Who presented this, if it was read a moment ago.
    pub(crate) fn get(&self, digest: &[u8; 32], now: Timestamp) -> Option<Arc<H>> {
        let holders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        holders.get(digest).filter(|(_, read_at)| is_fresh(*read_at, now)).map(|(holder, _)| Arc::clone(holder))
    }

    /// Remembers a holder. `read_at` is the instant before the look-up: what it saw may be as old as that.
    pub(crate) fn put(&self, digest: [u8; 32], holder: Arc<H>, read_at: Timestamp) {
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

//! Authenticated callers, and the cache of their credentials.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::access::{KeyHolder, Membership, SessionHolder};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::time::Timestamp;

/// The lifetime of a cached credential. The documented limit is five seconds from a revocation, or a change of plan, to its
/// effect; the rest is for a look-up in progress.
const TIME_TO_LIVE: Duration = Duration::from_secs(4);

/// The maximum number of cached credentials.
const MOST: usize = 10_000;

#[derive(Clone)]
pub(crate) enum Caller {
    /// A caller without a credential, on a route that needs none.
    Nobody,
    Key(Arc<KeyHolder>),
    Person(Arc<Person>),
}

pub(crate) struct Person {
    pub(crate) holder: SessionHolder,
    pub(crate) expires_at: Timestamp,
}

impl Person {
    /// Returns their membership in a workspace.
    pub(crate) fn membership(&self, workspace: WorkspaceId) -> Option<&Membership> {
        self.holder.memberships.iter().find(|it| it.workspace.id == workspace)
    }

    /// Returns their membership if they belong to exactly one workspace, not counting sandboxes and deleted workspaces.
    pub(crate) fn only_place(&self) -> Option<&Membership> {
        let is_live = |it: &&Membership| it.workspace.live_workspace.is_none() && it.workspace.deletion.is_none();
        let mut live = self.holder.memberships.iter().filter(is_live);
        live.next().filter(|_| live.next().is_none())
    }

    pub(crate) fn is_usable(&self, now: Timestamp) -> bool {
        self.holder.session.is_live(now) && now < self.expires_at
    }
}

/// A cache of credentials by digest. It contains only valid ones, so a new key works at once. An outdated entry shows
/// that the credential was valid before.
pub(crate) struct Remembered<H>(Mutex<HashMap<[u8; 32], Reading<H>>>);

type Reading<H> = (Arc<H>, Timestamp);

impl<H> Default for Remembered<H> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<H> Remembered<H> {
    /// Returns the holder of this credential, if it was read recently.
    pub(crate) fn get(&self, digest: &[u8; 32], now: Timestamp) -> Option<Arc<H>> {
        let holders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        holders.get(digest).filter(|(_, read_at)| is_fresh(*read_at, now)).map(|(holder, _)| Arc::clone(holder))
    }

    /// Whether this credential was valid at its last look-up, however long ago.
    pub(crate) fn contains(&self, digest: &[u8; 32]) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(digest)
    }

    /// Removes a credential that is no longer valid.
    pub(crate) fn remove(&self, digest: &[u8; 32]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(digest);
    }

    /// Adds a holder. `read_at` is the time before the look-up, because the result can be as old as that.
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

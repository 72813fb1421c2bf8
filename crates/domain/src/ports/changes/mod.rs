//! One value that holds everything a decision does, and the port that makes it true.

mod answer;
mod change;
mod due;
mod fold;
mod guard;
mod job;
mod object;
mod record_key;
mod row;
mod touches;

use async_trait::async_trait;

pub use answer::{IdempotencyRecord, ShownObject, StoredBody};
pub use change::Change;
pub use due::Due;
pub use guard::{Counted, Guard};
pub use job::{HeldUntil, JobChange};
pub use object::Object;
pub use record_key::RecordKey;
pub use row::Row;
pub use touches::Touches;

use super::errors::CommitError;
use super::jobs::NewJob;
use crate::access::Access;
use crate::audit::AuditDraft;
use crate::events::{Event, EventDraft};
use crate::ids::{AuditEntryId, EventId, TypedId, WorkspaceId};
use crate::ports::{Clock, Ids};

/// A change set writes at most this many rows; larger work is a job.
pub const MAX_ROWS: usize = 1_000;
/// A change set holds at most about this many bytes of text.
pub const MAX_BYTES: usize = 1 << 20;

/// Everything that one decision does, in one workspace: all of it happens, or none.
///
/// The order is guards, then changes in their order, then events, deliveries, jobs and the idempotency record.
/// The first contradiction in that order is the one that is reported.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeSet {
    /// The workspace of every row.
    pub workspace: WorkspaceId,
    /// What must hold.
    pub guards: Vec<Guard>,
    /// What changes.
    pub changes: Vec<Change>,
    /// What is to be told.
    pub events: Vec<Event>,
    /// What is to be done later.
    pub jobs: Vec<NewJob>,
    /// The answer to keep.
    pub idempotency: Option<IdempotencyRecord>,
}

impl ChangeSet {
    /// A set that does nothing yet.
    pub fn new(workspace: WorkspaceId) -> Self {
        Self { workspace, guards: vec![], changes: vec![], events: vec![], jobs: vec![], idempotency: None }
    }

    /// A set that touches no workspace: people, their sessions, and workspaces that are founded.
    pub fn outside() -> Self {
        Self::new(WorkspaceId::from_uuid(uuid::Uuid::nil()))
    }

    /// Adds a guard.
    pub fn guard(&mut self, guard: Guard) -> &mut Self {
        self.guards.push(guard);
        self
    }

    /// Adds a change.
    pub fn change(&mut self, change: Change) -> &mut Self {
        self.changes.push(change);
        self
    }

    /// Adds an event. What follows from it is added by the ledger that relays.
    pub fn tell(&mut self, draft: EventDraft, access: &Access, clock: &dyn Clock, ids: &dyn Ids) -> EventId {
        let now = clock.now();
        let mut event = draft.seal(EventId::from_uuid(ids.next()), now, access);
        let told: usize = self.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
        if told > MAX_BYTES {
            // Many facts about one large object: the later ones tell its id only.
            event.full.clone_from(&event.thin);
        }
        let id = event.id;
        self.events.push(event);
        id
    }

    /// Writes into the audit log what the set does, if that is anything to tell. Several of one set stand there in the order in
    /// which they were added.
    pub fn audit(
        &mut self,
        draft: impl Into<Option<AuditDraft>>,
        access: &Access,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> &mut Self {
        if let Some(draft) = draft.into() {
            let entry = draft.seal(AuditEntryId::from_uuid(ids.next()), clock.now(), access);
            self.change(Change::Audit(Box::new(entry)));
        }
        self
    }

    /// Whether it would change nothing at all.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.events.is_empty() && self.jobs.is_empty() && self.idempotency.is_none()
    }

    /// Whether a worker made the set: requests go before it.
    pub fn is_of_a_worker(&self) -> bool {
        let is_claimed = self.guards.iter().any(|guard| match guard {
            Guard::Claim(_) => true,
            Guard::Live(_)
            | Guard::Version(..)
            | Guard::OwnerBeside(_)
            | Guard::Standing { .. }
            | Guard::Room { .. }
            | Guard::Unused(_)
            | Guard::Listeners(_)
            | Guard::Catalog(_)
            | Guard::LaneFree(_) => false,
        });
        is_claimed || self.changes.iter().any(|change| change.touches().ends_claim())
    }

    /// How many rows it writes.
    pub fn rows(&self) -> usize {
        let rest = self.events.len() + self.jobs.len() + usize::from(self.idempotency.is_some());
        self.changes.iter().map(Change::rows).sum::<usize>() + rest
    }
}

/// Makes decisions true.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Writes all of the set in one transaction and returns after it is durable.
    ///
    /// # Errors
    /// [`CommitError::Conflict`] where a guard, a version or a unique key does not hold: nothing
    /// was written. [`CommitError::Store`] where the store did not do its part: nothing was written,
    /// unless it says [`super::StoreError::OutcomeUnknown`]. A set above [`MAX_ROWS`] rows is refused as
    /// [`super::StoreError::Corrupt`]: its maker is wrong.
    ///
    /// Where another attempt is worth it (a row was changed meanwhile, or others were at it), a store that is shared answers
    /// after a random wait, the longer the more of the workspace lost, too.
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError>;
}

//! The value that contains all changes of a decision, and the port that commits it.

mod answer;
mod change;
mod due;
mod fold;
mod guard;
mod job;
mod object;
mod record_key;
mod row;
mod row_effect;

use async_trait::async_trait;

pub use answer::{IdempotencyRecord, ShownObject, StoredBody};
pub use change::Change;
pub use due::Due;
pub use guard::{Counted, Guard};
pub use job::{HeldUntil, JobChange};
pub use object::Object;
pub use record_key::RecordKey;
pub use row::Row;
pub use row_effect::RowEffect;

use super::errors::CommitError;
use super::jobs::NewJob;
use crate::access::Access;
use crate::audit::AuditDraft;
use crate::events::{Event, EventDraft};
use crate::ids::{AuditEntryId, EventId, TypedId, WorkspaceId};
use crate::ports::{Clock, Ids};

/// The maximum number of rows that a change set writes. Larger work is a job.
pub const MAX_ROWS: usize = 1_000;
/// The approximate maximum text of a change set, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// All changes of one decision, in one workspace. They commit together or not at all.
///
/// They apply in this order: guards, changes in their order, events, deliveries, jobs, idempotency record. The first
/// conflict in this order is reported.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeSet {
    /// The workspace of every row.
    pub workspace: WorkspaceId,
    /// The conditions of the commit.
    pub guards: Vec<Guard>,
    /// The changes.
    pub changes: Vec<Change>,
    /// The events.
    pub events: Vec<Event>,
    /// The jobs to queue.
    pub jobs: Vec<NewJob>,
    /// The response to store.
    pub idempotency: Option<IdempotencyRecord>,
}

impl ChangeSet {
    /// Creates an empty set.
    pub fn new(workspace: WorkspaceId) -> Self {
        Self { workspace, guards: vec![], changes: vec![], events: vec![], jobs: vec![], idempotency: None }
    }

    /// Creates a set outside of workspaces, for users, sessions and new workspaces.
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

    /// Adds an event and returns its ID. The relaying ledger adds its deliveries and jobs.
    pub fn tell(&mut self, draft: EventDraft, access: &Access, clock: &dyn Clock, ids: &dyn Ids) -> EventId {
        let now = clock.now();
        let mut event = draft.seal(EventId::from_uuid(ids.next()), now, access);
        let told: usize = self.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
        if told > MAX_BYTES {
            // A set can have many events about one large object: the later ones contain only its ID.
            event.full.clone_from(&event.thin);
        }
        let id = event.id;
        self.events.push(event);
        id
    }

    /// Adds an entry to the audit log, if there is a draft. Entries of one set keep their order.
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

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.events.is_empty() && self.jobs.is_empty() && self.idempotency.is_none()
    }

    /// Whether a worker made the set. Sets of requests have priority.
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
        is_claimed || self.changes.iter().any(|change| change.row_effect().ends_claim())
    }

    /// Returns the number of rows that it writes.
    pub fn rows(&self) -> usize {
        let rest = self.events.len() + self.jobs.len() + usize::from(self.idempotency.is_some());
        self.changes.iter().map(Change::rows).sum::<usize>() + rest
    }
}

/// A change set that was not committed.
#[derive(Debug)]
pub struct RejectedChangeSet {
    /// The reason.
    pub error: CommitError,
    /// The set, without additions by ledgers; `None` if it is lost, for example because the outcome is unknown.
    pub set: Option<Box<ChangeSet>>,
}

impl From<RejectedChangeSet> for CommitError {
    fn from(refused: RejectedChangeSet) -> Self {
        refused.error
    }
}

/// Commits change sets.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Writes the whole set in one transaction. Returns after it is durable.
    ///
    /// # Errors
    /// [`CommitError::Conflict`] if a guard, a version or a unique key does not hold: nothing was written.
    /// [`CommitError::Store`] if the store failed: nothing was written, except possibly with
    /// [`super::StoreError::OutcomeUnknown`]. A set with more than [`MAX_ROWS`] rows is a bug of its maker and fails
    /// with [`super::StoreError::Corrupt`].
    ///
    /// If a retry can succeed (others changed or locked a row), a shared store answers after a random wait. The wait
    /// grows with the number of such commits of the workspace.
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError>;

    /// Commits a set, and returns a refused set to the caller, who can commit it again. Ledgers avoid a copy of the set
    /// if they can.
    ///
    /// # Errors
    /// See [`Ledger::commit`].
    async fn commit_or_return(&self, set: ChangeSet) -> Result<(), RejectedChangeSet> {
        let copy = Box::new(set.clone());
        self.commit(set).await.map_err(|error| RejectedChangeSet { error, set: Some(copy) })
    }
}

// Declared by hand: `automock` would also replace `commit_or_return`.
#[cfg(any(test, feature = "mocks"))]
mockall::mock! {
    /// A mock of a ledger.
    pub Ledger {}

    #[async_trait]
    impl Ledger for Ledger {
        async fn commit(&self, set: ChangeSet) -> Result<(), CommitError>;
    }
}

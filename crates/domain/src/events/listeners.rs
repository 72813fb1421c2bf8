//! Who listens to the events of a workspace. An event that nobody listens to makes no work beside itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;

use super::EventKind;
use crate::ids::WorkspaceId;
use crate::ports::{
    AnalyticsChange, Change, ChangeSet, CommitError, Conflict, Guard, Ledger, ListenerQueries, NewJob, StoreError,
};

/// How often a commit is tried while listeners come and go.
const ATTEMPTS: usize = 10;

/// The kinds of events that something follows from in a workspace: those that a webhook subscribes to, or a flow is
/// triggered by, or a sequence may end at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listeners {
    /// It rises whenever they change.
    pub revision: i64,
    /// The kinds.
    pub kinds: BTreeSet<EventKind>,
}

impl Listeners {
    /// The kinds at which a sequence may end.
    pub const OF_SEQUENCES: [EventKind; 3] =
        [EventKind::MessageReceived, EventKind::ContactUnsubscribed, EventKind::ContactDeleted];

    /// Whether something follows from an event of this kind.
    pub fn hear(&self, kind: EventKind) -> bool {
        self.kinds.contains(&kind)
    }
}

/// Adds what follows from a set's events to it: what they count as, and a job that relays each of those that somebody
/// listens to. A guard holds the revision of the listeners: who began to listen before the commit began hears of it.
pub fn relay(set: &mut ChangeSet, listeners: &Listeners) {
    if set.events.is_empty() {
        return;
    }
    set.guards.push(Guard::Listeners(listeners.revision));
    for event in &set.events {
        set.changes.extend(event.fact().map(|fact| Change::Analytics(AnalyticsChange::Record(fact))));
        if listeners.hear(event.kind) {
            set.jobs.push(NewJob::relay(event.id, event.depth, event.at));
        }
    }
}

/// A ledger that relays the events of what it writes to those who listen.
pub struct RelayingLedger {
    ledger: Arc<dyn Ledger>,
    listeners: Arc<dyn ListenerQueries>,
}

impl RelayingLedger {
    /// Commits through `ledger`.
    pub fn new(ledger: Arc<dyn Ledger>, listeners: Arc<dyn ListenerQueries>) -> Self {
        Self { ledger, listeners }
    }

    async fn listeners(&self, workspace: WorkspaceId, outdated: Option<i64>) -> Result<Arc<Listeners>, CommitError> {
        Ok(self.listeners.listeners(workspace, outdated).await?)
    }
}

#[async_trait]
impl Ledger for RelayingLedger {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let set = set.folded();
        if set.events.is_empty() {
            return self.ledger.commit(set).await;
        }
        let mut listeners = self.listeners(set.workspace, None).await?;
        for _ in 0..ATTEMPTS {
            let mut whole = set.clone();
            relay(&mut whole, &listeners);
            match self.ledger.commit(whole).await {
                Err(CommitError::Conflict(Conflict::ListenersChanged)) => {
                    listeners = self.listeners(set.workspace, Some(listeners.revision)).await?;
                }
                outcome => return outcome,
            }
        }
        Err(StoreError::Contention.into())
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use uuid::Uuid;

    use super::*;
    use crate::access::Access;
    use crate::events::EventDraft;
    use crate::ids::{EventId, TypedId};
    use crate::ports::{JobKind, MockLedger, MockListenerQueries};
    use crate::time::Timestamp;

    fn a_set(kinds: &[EventKind]) -> ChangeSet {
        let workspace = WorkspaceId::from_uuid(Uuid::from_u128(1));
        let mut set = ChangeSet::new(workspace);
        for (kind, number) in kinds.iter().zip(2..) {
            let id = EventId::from_uuid(Uuid::from_u128(number));
            set.events.push(EventDraft::sample(*kind).seal(id, Timestamp::EPOCH_2026, &Access::system(workspace)));
        }
        set
    }

    fn hearing(revision: i64, kinds: &[EventKind]) -> Listeners {
        Listeners { revision, kinds: kinds.iter().copied().collect() }
    }

    #[test]
    fn only_what_somebody_listens_to_is_relayed_and_everything_is_counted() {
        let mut set = a_set(&[EventKind::ContactCreated, EventKind::FlowStarted, EventKind::ContactUpdated]);
        relay(&mut set, &hearing(7, &[EventKind::FlowStarted]));
        assert_eq!(set.guards, [Guard::Listeners(7)]);
        let relayed: Vec<_> = set.jobs.iter().map(|job| (job.kind, job.subject)).collect();
        assert_eq!(relayed, [(JobKind::Relay, set.events[1].id.uuid())]);
        assert_eq!(set.changes.len(), 2, "an update of a contact counts as nothing");
    }

    #[test]
    fn where_the_listeners_have_changed_they_are_asked_for_anew() {
        let mut listeners = MockListenerQueries::new();
        listeners.expect_listeners().times(2).returning(|_, outdated| {
            Ok(Arc::new(match outdated {
                None => hearing(1, &[]),
                Some(1) => hearing(2, &[EventKind::ContactCreated]),
                Some(other) => panic!("{other}"),
            }))
        });
        let mut ledger = MockLedger::new();
        ledger.expect_commit().times(2).returning(|set| match set.guards[..] {
            [Guard::Listeners(1)] if set.jobs.is_empty() => Err(Conflict::ListenersChanged.into()),
            [Guard::Listeners(2)] if set.jobs.len() == 1 => Ok(()),
            _ => panic!("{set:?}"),
        });
        let relaying = RelayingLedger::new(Arc::new(ledger), Arc::new(listeners));
        block_on(relaying.commit(a_set(&[EventKind::ContactCreated]))).unwrap();
    }
}

//! Adds deliveries and jobs for the events of a change set to the set.

use std::sync::Arc;

use async_trait::async_trait;

use super::Listeners;
use crate::access::NO_AUTOMATION;
use crate::custom_events::CustomEvent;
use crate::flows::AwaitedKind;
use crate::ids::{DeliveryId, JobId, TypedId};
use crate::ports::{
    AnalyticsChange, Change, ChangeSet, CommitError, Conflict, ContactChange, Guard, Ids, Job, Ledger, ListenerQueries,
    NewJob, RejectedChangeSet, Row, StoreError,
};
use crate::webhooks::Delivery;

/// Maximum number of attempts to commit while listeners change.
const ATTEMPTS: usize = 10;
/// Maximum number of deliveries in a change set. Jobs relay its other events.
const MOST_DELIVERIES: usize = 16;

/// Adds facts and deliveries for the events of a set. Events with reactions or too many deliveries get a job, which
/// relays several events. A custom event with a listener gets a separate job. A guard on the revision of the listeners
/// ensures that a listener added before the commit gets the event.
pub fn relay(set: &mut ChangeSet, listeners: &Listeners, ids: &dyn Ids) {
    if !tells(set) {
        return;
    }
    set.guards.push(Guard::Listeners(listeners.revision));
    for (event, depth) in set.changes.iter().filter_map(recorded) {
        if listeners.custom.contains(event.name.as_str()) {
            set.jobs.push(NewJob::relay_custom(event.id, depth, event.at));
        }
        if !listeners.awaited.is_empty() && listeners.awaited.contains(&AwaitedKind::Custom(event.name.clone())) {
            let taking = Job::TakeCustomEvent { event: event.id, contact: event.contact, depth };
            set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), taking, event.at));
        }
    }
    let mut room = MOST_DELIVERIES;
    let mut relayed = Vec::new();
    for event in &set.events {
        set.changes.extend(event.fact().map(|fact| Change::Analytics(AnalyticsChange::Record(fact))));
        let has_automation = event.depth < NO_AUTOMATION;
        if let Some(contact) = event.contact
            && has_automation
            && listeners.awaited.contains(&AwaitedKind::Event(event.kind))
        {
            let taking = Job::TakeEvent { event: event.id, contact, depth: event.depth };
            set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), taking, event.at));
        }
        let subscribers = listeners.subscribers(event.kind).count();
        if (has_automation && listeners.reactions.contains(&event.kind)) || subscribers > room {
            relayed.push(event);
            continue;
        }
        room -= subscribers;
        for webhook in listeners.subscribers(event.kind) {
            let delivery = Delivery::new(DeliveryId::from_uuid(ids.next()), webhook, (event.id, event.kind), event.at);
            set.jobs.push(delivery.queued(event.at));
            set.changes.push(Change::Insert(Row::Delivery(delivery)));
        }
    }
    for together in relayed.chunk_by(|one, next| one.depth == next.depth) {
        let events: Vec<_> = together.iter().map(|event| event.id).collect();
        set.jobs.extend(together.last().into_iter().flat_map(|it| NewJob::relays(&events, it.depth, it.at)));
    }
}

/// Whether the set has events.
fn tells(set: &ChangeSet) -> bool {
    !set.events.is_empty() || set.changes.iter().any(|change| recorded(change).is_some())
}

/// Returns the custom event that a change records, with its depth.
fn recorded(change: &Change) -> Option<(&CustomEvent, i64)> {
    if let Change::Contact(ContactChange::RecordEvent { event, depth }) = change { Some((event, *depth)) } else { None }
}

/// The lengths of a set before something is added to it.
struct Length {
    guards: usize,
    changes: usize,
    jobs: usize,
}

impl Length {
    fn of(set: &ChangeSet) -> Self {
        Self { guards: set.guards.len(), changes: set.changes.len(), jobs: set.jobs.len() }
    }

    /// Removes everything that [`relay`] added: it only appends.
    fn restore(&self, set: &mut ChangeSet) {
        set.guards.truncate(self.guards);
        set.changes.truncate(self.changes);
        set.jobs.truncate(self.jobs);
    }
}

/// A ledger that relays the events of its change sets to listeners.
pub struct RelayingLedger {
    ledger: Arc<dyn Ledger>,
    listeners: Arc<dyn ListenerQueries>,
    ids: Arc<dyn Ids>,
}

impl RelayingLedger {
    /// Returns a ledger that commits through `ledger`.
    pub fn new(ledger: Arc<dyn Ledger>, listeners: Arc<dyn ListenerQueries>, ids: Arc<dyn Ids>) -> Self {
        Self { ledger, listeners, ids }
    }
}

#[async_trait]
impl Ledger for RelayingLedger {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        Ok(self.commit_or_return(set).await?)
    }

    async fn commit_or_return(&self, set: ChangeSet) -> Result<(), RejectedChangeSet> {
        let mut set = set.folded();
        if !tells(&set) {
            return self.ledger.commit_or_return(set).await;
        }
        let (workspace, own, mut outdated) = (set.workspace, Length::of(&set), None);
        for _ in 0..ATTEMPTS {
            let listeners = match self.listeners.listeners(workspace, outdated).await {
                Ok(listeners) => listeners,
                Err(error) => return Err(RejectedChangeSet { error: error.into(), set: Some(Box::new(set)) }),
            };
            relay(&mut set, &listeners, &*self.ids);
            let Err(RejectedChangeSet { error, set: returned }) = self.ledger.commit_or_return(set).await else {
                return Ok(());
            };
            let Some(mut returned) = returned else { return Err(RejectedChangeSet { error, set: None }) };
            own.restore(&mut returned);
            if error != CommitError::Conflict(Conflict::ListenersChanged) {
                return Err(RejectedChangeSet { error, set: Some(returned) });
            }
            (set, outdated) = (*returned, Some(listeners.revision));
        }
        Err(RejectedChangeSet { error: StoreError::Contention.into(), set: Some(Box::new(set)) })
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use uuid::Uuid;

    use super::*;
    use crate::access::Access;
    use crate::events::{EventDraft, EventKind};
    use crate::ids::{ContactId, CustomEventId, EventId, WebhookId, WorkspaceId};
    use crate::memory::CountingIds;
    use crate::ports::{ExtraIds, JobKind, MockLedger, MockListenerQueries};
    use crate::time::Timestamp;
    use crate::webhooks::Subscription;

    fn a_set(kinds: &[EventKind]) -> ChangeSet {
        let workspace = WorkspaceId::from_uuid(Uuid::from_u128(1));
        let mut set = ChangeSet::new(workspace);
        for (kind, number) in kinds.iter().zip(2..) {
            let id = EventId::from_uuid(Uuid::from_u128(number));
            set.events.push(EventDraft::sample(*kind).seal(id, Timestamp::EPOCH_2026, &Access::system(workspace)));
        }
        set
    }

    fn reacting(revision: i64, kinds: &[EventKind]) -> Listeners {
        Listeners { revision, reactions: kinds.iter().copied().collect(), ..Listeners::default() }
    }

    fn webhook(number: u128, wanted: Subscription) -> (WebhookId, Subscription) {
        (WebhookId::from_uuid(Uuid::from_u128(number)), wanted)
    }

    #[test]
    fn relays_only_events_with_listeners_but_counts_all() {
        let mut set = a_set(&[EventKind::ContactCreated, EventKind::FlowStarted, EventKind::ContactUpdated]);
        relay(&mut set, &reacting(7, &[EventKind::FlowStarted]), &CountingIds::default());
        assert_eq!(set.guards, [Guard::Listeners(7)]);
        let relayed: Vec<_> = set.jobs.iter().map(|job| job.job).collect();
        assert_eq!(relayed, [Job::Relay { event: set.events[1].id, depth: 0 }]);
        assert_eq!(set.changes.len(), 2, "an update of a contact is not counted");
    }

    #[test]
    fn events_without_automation_only_reach_webhooks() {
        let mut listeners = reacting(7, &[EventKind::MessageReceived]);
        listeners.awaited.insert(AwaitedKind::Event(EventKind::MessageReceived));
        listeners.webhooks.push(webhook(1, Subscription::All));
        let mut set = a_set(&[EventKind::MessageReceived]);
        set.events[0].contact = Some(ContactId::from_uuid(Uuid::from_u128(9)));
        let kinds = |set: &ChangeSet| set.jobs.iter().map(|job| job.job.kind()).collect::<Vec<_>>();
        let mut usual = set.clone();
        relay(&mut usual, &listeners, &CountingIds::default());
        assert_eq!(kinds(&usual), [JobKind::TakeEvent, JobKind::Relay]);
        set.events[0].depth = NO_AUTOMATION;
        relay(&mut set, &listeners, &CountingIds::default());
        assert_eq!(kinds(&set), [JobKind::AttemptDelivery]);
    }

    #[test]
    fn commits_few_deliveries_with_the_event_and_relays_others() {
        let mut listeners = reacting(7, &[EventKind::FlowStarted]);
        listeners.webhooks.push(webhook(1, Subscription::All));
        listeners.webhooks.push(webhook(2, Subscription::Kinds(vec![EventKind::ContactCreated])));
        let kinds = |set: &ChangeSet| set.jobs.iter().map(|job| job.job.kind()).collect::<Vec<_>>();
        let mut set = a_set(&[EventKind::ContactCreated, EventKind::FlowStarted, EventKind::ContactUpdated]);
        relay(&mut set, &listeners, &CountingIds::default());
        let attempt = JobKind::AttemptDelivery;
        assert_eq!(kinds(&set), [attempt, attempt, attempt, JobKind::Relay]);
        let to = |change: &Change| match change {
            Change::Insert(Row::Delivery(it)) => Some((it.webhook, it.event)),
            _ => None,
        };
        let (one, other, [first, _, last]) = (listeners.webhooks[0].0, listeners.webhooks[1].0, &set.events[..]) else {
            panic!("the set has three events")
        };
        let delivered: Vec<_> = set.changes.iter().filter_map(to).collect();
        assert_eq!(delivered, [(one, first.id), (other, first.id), (one, last.id)]);

        let mut many = a_set(&[EventKind::ContactUpdated; MOST_DELIVERIES + 1]);
        relay(&mut many, &listeners, &CountingIds::default());
        assert_eq!(kinds(&many).iter().filter(|kind| **kind == JobKind::Relay).count(), 1);
    }

    #[test]
    fn relays_up_to_eight_events_of_one_depth_per_job() {
        let mut set = a_set(&[EventKind::FlowStarted; 12]);
        let (ids, depths) =
            (set.events.iter().map(|event| event.id).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0]);
        for (place, event) in set.events.iter_mut().enumerate() {
            event.depth = depths[place];
            event.at = Timestamp::from_millis(place as i64);
        }
        relay(&mut set, &reacting(7, &[EventKind::FlowStarted]), &CountingIds::default());
        let further = |ids: &[EventId]| ExtraIds::new(&ids.iter().map(|id| id.uuid()).collect::<Vec<_>>()).unwrap();
        let expected = [
            Job::RelaySet { event: ids[0], further: further(&ids[1..8]), depth: 0 },
            Job::Relay { event: ids[8], depth: 0 },
            Job::RelaySet { event: ids[9], further: further(&ids[10..11]), depth: 1 },
            Job::Relay { event: ids[11], depth: 0 },
        ];
        assert_eq!(set.jobs.iter().map(|job| job.job).collect::<Vec<_>>(), expected);
        assert_eq!((set.jobs[0].id.uuid(), set.jobs[0].due_at), (ids[0].uuid(), set.events[8].at));
    }

    #[test]
    fn relays_a_custom_event_only_if_its_name_has_listeners() {
        let event = CustomEvent {
            id: CustomEventId::from_uuid(Uuid::from_u128(2)),
            contact: ContactId::from_uuid(Uuid::from_u128(3)),
            name: "order.paid".parse().unwrap(),
            data: serde_json::Map::new(),
            at: Timestamp::EPOCH_2026,
        };
        let jobs = |name: &str| {
            let mut set = ChangeSet::new(WorkspaceId::from_uuid(Uuid::from_u128(1)));
            let recorded = ContactChange::RecordEvent { event: Box::new(event.clone()), depth: 4 };
            set.change(Change::Contact(recorded));
            let listeners = Listeners { revision: 7, custom: [name.to_owned()].into(), ..Listeners::default() };
            relay(&mut set, &listeners, &CountingIds::default());
            assert_eq!(set.guards, [Guard::Listeners(7)], "the revision of the listeners is guarded in both cases");
            set.jobs.iter().map(|job| job.job).collect::<Vec<_>>()
        };
        assert_eq!(jobs("order.paid"), [Job::RelayCustomEvent { event: event.id, depth: 4 }]);
        assert_eq!(jobs("order.sent"), []);
    }

    #[test]
    fn reloads_listeners_that_have_changed() {
        let mut listeners = MockListenerQueries::new();
        listeners.expect_listeners().times(2).returning(|_, outdated| {
            Ok(Arc::new(match outdated {
                None => reacting(1, &[]),
                Some(1) => reacting(2, &[EventKind::ContactCreated]),
                Some(other) => panic!("{other}"),
            }))
        });
        let mut ledger = MockLedger::new();
        ledger.expect_commit().times(2).returning(|set| match set.guards[..] {
            [Guard::Listeners(1)] if set.jobs.is_empty() => Err(Conflict::ListenersChanged.into()),
            [Guard::Listeners(2)] if set.jobs.len() == 1 => Ok(()),
            _ => panic!("{set:?}"),
        });
        let relaying = RelayingLedger::new(Arc::new(ledger), Arc::new(listeners), Arc::new(CountingIds::default()));
        block_on(relaying.commit(a_set(&[EventKind::ContactCreated]))).unwrap();
    }

    #[test]
    fn returns_a_rejected_set_unchanged() {
        let mut listeners = MockListenerQueries::new();
        let heard = Arc::new(reacting(1, &[EventKind::ContactCreated]));
        listeners.expect_listeners().times(1).return_once(|_, _| Ok(heard));
        let mut ledger = MockLedger::new();
        ledger.expect_commit().times(1).return_once(|_| Err(StoreError::Contention.into()));
        let relaying = RelayingLedger::new(Arc::new(ledger), Arc::new(listeners), Arc::new(CountingIds::default()));
        let set = a_set(&[EventKind::ContactCreated]);
        let refused = block_on(relaying.commit_or_return(set.clone())).unwrap_err();
        assert_eq!((refused.error, refused.set.as_deref()), (StoreError::Contention.into(), Some(&set)));
    }
}

//! A worker and the use cases over one in-memory store, in virtual time.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Tidings;
use crate::access::Access;
use crate::contacts::{Contact, ContactRef, NewContact};
use crate::conversations::Message;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::flows::{InFlight, NewFlow};
use crate::ids::{ContactId, EnrollmentId, FlowId, SequenceId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::{Done, ExpectedVersion};
use crate::pagination::{PageRequest, SortedRequest};
use crate::ports::{
    ChangeSet, ClaimRequest, ClaimedJob, Clock, ConversationQueries, EngineStore, JobKind, Pool, Ports,
    SequenceQueries, StoreError,
};
use crate::sequences::{
    Enrollment, ExitOn, NewSequence, Reenroll, Sequence, SequencePatch, SequenceStatus, SequenceZone, parse_steps,
};
use crate::testing::with_workspace;
use crate::time::Timestamp;

pub(super) struct Bench {
    pub(super) store: Arc<MemoryStore>,
    pub(super) clock: Arc<FixedClock>,
    pub(super) tidings: Tidings,
    pub(super) access: Access,
}

/// A step that sends a text with its ID, after this delay and in this window.
pub(super) fn send(id: &str, delay: &str, window: Value) -> Value {
    let message = json!({"type": "text", "text": format!("{id} for {{{{ contact.first_name | default('you') }}}}")});
    json!({"id": id, "delay": delay, "window": window, "action": {"type": "send_message", "message": message}})
}

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().expect("a valid time")
}

/// An active sequence with these steps, which the test may modify.
pub(super) fn drip(steps: Value) -> NewSequence {
    NewSequence {
        name: "Drip".to_owned(),
        status: SequenceStatus::Active,
        steps: parse_steps(&steps).expect("valid steps"),
        exit_on: vec![ExitOn::Reply, ExitOn::Unsubscribe],
        exit_when: None,
        reenroll: Reenroll::Never,
        time_zone: SequenceZone::Contact,
    }
}

impl Bench {
    pub(super) fn new() -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
        let (tidings, access) = with_workspace(Ports { clock: clock.clone(), ..Ports::of(store.clone()) });
        Self { access, store, clock, tidings }
    }

    /// Performs all due jobs.
    pub(super) fn work(&self) {
        loop {
            let due = [Pool::Work, Pool::Sends].into_iter().flat_map(|pool| self.claim(pool)).collect::<Vec<_>>();
            if due.is_empty() {
                return;
            }
            for job in due {
                block_on(self.tidings.worker.perform(&job)).unwrap_or_else(|error| panic!("{job:?}: {error}"));
            }
        }
    }

    pub(super) fn claim(&self, pool: Pool) -> Vec<ClaimedJob> {
        let lease = Duration::from_secs(30);
        let request = ClaimRequest::new(pool, 100, lease, self.clock.now());
        block_on(self.store.claim(request)).expect("the claim succeeds")
    }

    /// Claims the due job of this type.
    pub(super) fn the_job(&self, kind: JobKind) -> ClaimedJob {
        self.claim(kind.pool()).into_iter().find(|job| job.job.kind() == kind).expect("a job of this kind is due")
    }

    /// Advances the clock from due time to due time until `until`.
    pub(super) fn advance_to(&self, until: Timestamp) {
        self.work();
        let next = || {
            let due = [Pool::Work, Pool::Sends]
                .into_iter()
                .filter_map(|pool| block_on(self.store.next_due(pool)).expect("the next due time can be read"));
            due.min().filter(|due| *due <= until)
        };
        while let Some(due) = next() {
            self.clock.set(due.max(self.clock.now()));
            self.work();
        }
        self.clock.set(until);
    }

    pub(super) fn contact(&self, describe: impl FnOnce(&mut NewContact)) -> Contact {
        let mut contact = NewContact::default();
        describe(&mut contact);
        block_on(self.tidings.contacts.create(&self.access, contact, None)).expect("the contact is created").value
    }

    pub(super) fn sequence(&self, sequence: NewSequence) -> Sequence {
        block_on(self.tidings.sequences.create(&self.access, sequence, None)).expect("the sequence is created").value
    }

    pub(super) fn edit(
        &self,
        sequence: SequenceId,
        describe: impl FnOnce(&mut SequencePatch),
    ) -> Result<Sequence, Error> {
        let mut patch = SequencePatch::default();
        describe(&mut patch);
        block_on(self.tidings.sequences.update(&self.access, sequence, patch, &ExpectedVersion::Any))
    }

    pub(super) fn enroll(&self, contact: ContactId, sequence: SequenceId) -> Result<Done<Enrollment>, Error> {
        block_on(self.tidings.enrollments.enroll(&self.access, &ContactRef::Id(contact), sequence, None))
    }

    pub(super) fn enrollment(&self, id: EnrollmentId) -> Enrollment {
        block_on(self.store.enrollment(&self.access, id))
            .expect("the enrollment can be read")
            .expect("the enrollment exists")
    }

    /// Creates and publishes a flow that waits for a day.
    pub(super) fn flow(&self) -> FlowId {
        let nodes = json!([{"id": "wait", "type": "delay", "for": "P1D", "next": "end"}, {"id": "end", "type": "end"}]);
        let flow = NewFlow { name: "Wait".into(), definition: json!({"start": "wait", "nodes": nodes}) };
        let flow = block_on(self.tidings.flows.create(&self.access, flow, None)).expect("the flow is created").value;
        block_on(self.tidings.flows.publish(&self.access, flow.id, InFlight::default(), &ExpectedVersion::Any, None))
            .expect("the flow is published");
        flow.id
    }

    /// The messages to a contact, oldest first.
    pub(super) fn messages(&self, contact: ContactId) -> Vec<Message> {
        let (access, page) = (&self.access, PageRequest { limit: 100, ..PageRequest::default() });
        block_on(async {
            let filter = crate::conversations::ConversationFilter { contact: Some(contact), ..Default::default() };
            let found = ConversationQueries::list(&*self.store, access, &filter, SortedRequest::default()).await?;
            let Some(conversation) = found.items.first() else { return Ok(Vec::new()) };
            let mut messages = self.store.messages(access, conversation.id, page).await?.items;
            messages.reverse();
            Ok::<_, StoreError>(messages)
        })
        .expect("the messages can be read")
    }

    /// The texts that were sent to a contact, with their times.
    pub(super) fn said(&self, contact: ContactId) -> Vec<(String, String)> {
        let line =
            |it: Message| (it.created_at.to_string().replace(":00.000Z", ""), it.content.text.unwrap_or_default());
        self.messages(contact).into_iter().map(line).collect()
    }

    /// The types of the events about sequences, with their exit reasons.
    pub(super) fn sequence_events(&self) -> Vec<(&'static str, Option<String>)> {
        let events = self.store.events(self.access.workspace());
        let of_sequences = events.iter().filter(|it| it.kind.as_str().starts_with("sequence."));
        let line = |it: &crate::events::Event| {
            let envelope: Value = serde_json::from_str(&it.full).expect("the envelope is JSON");
            let object = &envelope["data"]["object"];
            (it.kind.as_str(), object["exit_reason"].as_str().map(ToOwned::to_owned))
        };
        of_sequences.map(line).collect()
    }

    /// Records an event that another part of the service would cause.
    pub(super) fn happens(&self, kind: EventKind, object: &Value, about: ContactId) {
        let mut set = ChangeSet::new(self.access.workspace());
        set.tell(EventDraft::new(kind, object).about(about), &self.access, &*self.clock, &*self.tidings.ports.ids);
        block_on(self.tidings.ports.ledger.commit(set)).expect("the event is committed");
    }

    /// An unused ID.
    pub(super) fn nobody<I: crate::ids::TypedId>(&self) -> I {
        I::from_uuid(Uuid::from_u128(u128::MAX))
    }
}

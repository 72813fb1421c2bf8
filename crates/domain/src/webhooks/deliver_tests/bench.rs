//! Test bench: a workspace with one webhook, a settable clock, and a scripted receiver.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;

use crate::access::Access;
use crate::events::{EventDraft, EventKind};
use crate::ids::{DeliveryId, TypedId, WebhookId};
use crate::memory::{FixedClock, MemoryStore};
use crate::ports::{ChangeSet, ClaimRequest, Clock, EngineStore, Ledger, Pool, Ports};
use crate::retention::Retention;
use crate::testing::new_workspace;
use crate::time::Timestamp;
use crate::webhooks::sender::{AttemptOutcome, AttemptResult, DeliveryAttempt, WebhookSender};
use crate::webhooks::{Delivery, NewWebhook, PayloadForm, Subscription, Webhook};
use crate::{Tidings, TidingsSettings};

/// A sent attempt, with the number of secrets that signed it.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    pub(super) at: Timestamp,
    pub(super) delivery: String,
    pub(super) event: String,
    pub(super) number: u32,
    pub(super) secrets: usize,
}

/// Answers by a script, without one 204.
struct Receiver {
    clock: Arc<FixedClock>,
    answers: Mutex<VecDeque<AttemptOutcome>>,
    /// The answer after the script ends.
    then: Mutex<AttemptOutcome>,
    sent: Mutex<Vec<Sent>>,
}

#[async_trait]
impl WebhookSender for Receiver {
    async fn send(&self, attempt: DeliveryAttempt) -> AttemptResult {
        self.sent.lock().unwrap().push(Sent {
            at: self.clock.now(),
            delivery: attempt.delivery_id,
            event: attempt.event_id,
            number: attempt.number,
            secrets: attempt.secrets.len(),
        });
        let outcome = self.answers.lock().unwrap().pop_front();
        AttemptResult {
            outcome: outcome.unwrap_or_else(|| self.then.lock().unwrap().clone()),
            duration: Duration::from_millis(20),
            response_headers: vec![],
            response_body: String::new(),
        }
    }
}

/// A workspace with one webhook, and the services that deliver to it.
pub(super) struct Bench {
    pub(super) store: Arc<MemoryStore>,
    pub(super) clock: Arc<FixedClock>,
    receiver: Arc<Receiver>,
    pub(super) tidings: Tidings,
    pub(super) access: Access,
    pub(super) hook: WebhookId,
}

pub(super) fn status(status: u16) -> AttemptOutcome {
    AttemptOutcome::Answered { status, retry_after: None }
}

pub(super) fn bench() -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let receiver = Arc::new(Receiver {
        clock: clock.clone(),
        answers: Mutex::default(),
        then: Mutex::new(status(204)),
        sent: Mutex::default(),
    });
    let ports = Ports { clock: clock.clone(), sender: receiver.clone(), ..Ports::of(store.clone()) };
    let retention = Retention { events: 9, ..Retention::default() };
    let tidings = Tidings::with(ports, TidingsSettings { retention, ..TidingsSettings::default() });
    let access = new_workspace(&tidings.ports);
    let new = NewWebhook {
        url: "https://example.com/".into(),
        events: Subscription::All,
        description: None,
        payload: PayloadForm::Full,
        headers: Default::default(),
    };
    let hook = block_on(tidings.webhooks.create(&access, new, None)).unwrap().value.shown.webhook.id;
    Bench { store, clock, tidings, receiver, access, hook }
}

impl Bench {
    pub(super) fn answer(&self, answers: impl IntoIterator<Item = AttemptOutcome>) {
        self.receiver.answers.lock().unwrap().extend(answers);
    }

    pub(super) fn always(&self, outcome: AttemptOutcome) {
        *self.receiver.then.lock().unwrap() = outcome;
    }

    pub(super) fn deliver(&self) -> DeliveryId {
        let now = self.clock.now();
        let event = EventDraft::new(EventKind::ContactCreated, &serde_json::json!({"id": "contact_1"}));
        let event = event.seal(TypedId::from_uuid(self.tidings.ports.ids.next()), now, &self.access);
        let id = DeliveryId::from_uuid(self.tidings.ports.ids.next());
        let delivery = Delivery::new(id, self.hook, (event.id, event.kind), now);
        let job = delivery.queued(now);
        let mut set = ChangeSet::new(self.access.workspace());
        set.events.push(event);
        block_on(self.store.commit(set)).unwrap();
        let mut set = ChangeSet::new(self.access.workspace());
        set.change(crate::ports::Change::Insert(crate::ports::Row::Delivery(delivery)));
        set.jobs.push(job);
        block_on(self.store.commit(set)).unwrap();
        id
    }

    /// Runs all jobs that are due within this time, each when it is due.
    pub(super) fn run(&self, time: Duration) {
        let end = self.clock.now().plus(time);
        loop {
            let mut claimed = Vec::new();
            for pool in [Pool::Work, Pool::Deliveries] {
                let request = ClaimRequest::new(pool, 100, Duration::from_secs(30), self.clock.now());
                claimed.extend(block_on(self.store.claim(request)).unwrap());
            }
            for job in &claimed {
                block_on(self.tidings.worker.perform(job)).unwrap();
            }
            if !claimed.is_empty() {
                continue;
            }
            let next = [Pool::Work, Pool::Deliveries].map(|pool| block_on(self.store.next_due(pool)).unwrap());
            match next.into_iter().flatten().min().filter(|next| *next <= end) {
                Some(next) => self.clock.set(next),
                None => break self.clock.set(end),
            }
        }
    }

    pub(super) fn sent(&self) -> Vec<Sent> {
        self.receiver.sent.lock().unwrap().clone()
    }

    pub(super) fn hook(&self) -> Webhook {
        block_on(self.tidings.webhooks.get(&self.access, self.hook)).unwrap().webhook
    }

    pub(super) fn delivery(&self, id: DeliveryId) -> Delivery {
        block_on(self.tidings.webhooks.delivery(&self.access, self.hook, id)).unwrap().0
    }
}

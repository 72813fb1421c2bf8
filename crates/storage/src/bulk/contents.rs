//! What plain sets hold, sorted by the kinds of rows.

use std::collections::{BTreeMap, BTreeSet};

use tidings_domain::ports::{
    AnalyticsChange, Change, ChangeSet, ContactChange, Guard, JobChange, Object, Row, WebhookChange,
};
use tidings_domain::webhooks::STAMP;
use uuid::Uuid;

use super::misplaced;
use crate::analytics::FactRow;
use crate::contacts::{ContactRow, IdentityRow};
use crate::events::{AnswerRow, EventRow};
use crate::faults::Fault;
use crate::folding::Folded;
use crate::jobs::JobRow;
use crate::types::{DbId, DbTime};
use crate::webhook_counts::CountRow;
use crate::webhooks::{AttemptRow, DeliveryRow};

/// Whether the order of its changes among those of other sets does not matter.
pub(crate) fn is_plain(set: &ChangeSet) -> bool {
    let plain_guard = |guard: &Guard| matches!(guard, Guard::Live(Object::Webhook(_) | Object::Channel(_)));
    let plain_change = |change: &Change| {
        matches!(
            change,
            Change::Job(JobChange::Finish { .. })
                | Change::Insert(Row::Contact(_))
                | Change::Contact(ContactChange::InsertIdentity { .. })
                | Change::Insert(Row::Delivery(_))
                | Change::Update(Row::Delivery(_))
                | Change::Webhook(WebhookChange::InsertAttempt(_))
                | Change::Webhook(WebhookChange::Stamp { .. })
                | Change::Webhook(WebhookChange::CountAttempt(_))
                | Change::Analytics(AnalyticsChange::Record(_))
        )
    };
    set.guards.iter().all(plain_guard) && set.changes.iter().all(plain_change)
}

/// A claimed job that has ended.
pub(super) struct Finished {
    pub(super) workspace_id: DbId,
    pub(super) id: DbId,
    pub(super) token: i64,
}

/// When a receiver took a delivery.
pub(super) struct Stamp {
    pub(super) workspace_id: DbId,
    pub(super) webhook_id: DbId,
    pub(super) at: DbTime,
    /// A success that is later than this is enough.
    pub(super) enough: DbTime,
}

/// The rows of several sets.
#[derive(Default)]
pub(super) struct Contents {
    /// Workspace and id, each once.
    pub(super) webhooks: BTreeSet<(Uuid, Uuid)>,
    /// As well.
    pub(super) channels: BTreeSet<(Uuid, Uuid)>,
    pub(super) finished: Vec<Finished>,
    pub(super) contacts: Vec<(ContactRow, Folded)>,
    pub(super) identities: Vec<IdentityRow>,
    pub(super) deliveries: Vec<DeliveryRow>,
    pub(super) updated: Vec<DeliveryRow>,
    pub(super) attempts: Vec<AttemptRow>,
    /// Of workspace and webhook, in the order of their keys, as the counts.
    pub(super) stamps: Vec<Stamp>,
    /// One for each counter, in the order of their keys: two processes never wait for one another in a circle.
    pub(super) counts: Vec<CountRow>,
    pub(super) facts: Vec<FactRow>,
    pub(super) events: Vec<EventRow>,
    pub(super) jobs: Vec<JobRow>,
    pub(super) answers: Vec<AnswerRow>,
}

impl Contents {
    pub(super) fn of(sets: &[ChangeSet]) -> Result<Self, Fault> {
        let mut all = Self::default();
        for set in sets {
            all.add(set)?;
        }
        let mut sums = BTreeMap::<_, CountRow>::new();
        for row in std::mem::take(&mut all.counts) {
            let key = (row.workspace_id.0, row.webhook_id.0, row.hour, row.succeeded, row.bucket);
            match sums.get_mut(&key) {
                Some(sum) => sum.count += row.count,
                None => drop(sums.insert(key, row)),
            }
        }
        all.counts = sums.into_values().collect();
        let latest = BTreeMap::from_iter(all.stamps.drain(..).map(|it| ((it.workspace_id.0, it.webhook_id.0), it)));
        all.stamps = latest.into_values().collect();
        all.finished.sort_by_key(|it| (it.workspace_id.0, it.id.0));
        Ok(all)
    }

    fn add(&mut self, set: &ChangeSet) -> Result<(), Fault> {
        let ws = DbId::from(set.workspace);
        for guard in &set.guards {
            match guard {
                Guard::Live(Object::Webhook(id)) => self.webhooks.insert((ws.0, DbId::from(*id).0)),
                Guard::Live(Object::Channel(id)) => self.channels.insert((ws.0, DbId::from(*id).0)),
                _ => return Err(misplaced()),
            };
        }
        for change in &set.changes {
            match change {
                Change::Job(JobChange::Finish { job, token }) => {
                    self.finished.push(Finished { workspace_id: ws, id: (*job).into(), token: *token });
                }
                Change::Insert(Row::Contact(it)) => self.contacts.push((ContactRow::write(ws, it), Folded::of(it))),
                Change::Contact(ContactChange::InsertIdentity { contact, identity }) => {
                    self.identities.push(IdentityRow::write(ws, *contact, identity));
                }
                Change::Insert(Row::Delivery(it)) => self.deliveries.push(DeliveryRow::write(ws, it)),
                Change::Update(Row::Delivery(it)) => self.updated.push(DeliveryRow::write(ws, it)),
                Change::Webhook(WebhookChange::InsertAttempt(it)) => self.attempts.push(AttemptRow::write(ws, it)?),
                Change::Webhook(WebhookChange::Stamp { webhook, at }) => self.stamps.push(Stamp {
                    workspace_id: ws,
                    webhook_id: (*webhook).into(),
                    at: DbTime(*at),
                    enough: DbTime(at.minus(STAMP)),
                }),
                Change::Webhook(WebhookChange::CountAttempt(it)) => self.counts.push(CountRow::write(ws, it)),
                Change::Analytics(AnalyticsChange::Record(it)) => self.facts.push(FactRow::write(ws, it)),
                _ => return Err(misplaced()),
            }
        }
        self.events.extend(set.events.iter().map(|it| EventRow::write(ws, it)));
        self.jobs.extend(set.jobs.iter().map(|it| JobRow::write(ws, it)));
        self.answers.extend(set.idempotency.iter().map(|it| AnswerRow::write(ws, it)));
        Ok(())
    }
}

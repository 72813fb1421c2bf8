//! The queued job of a delivery, which exists while an attempt is planned.

use crate::ids::{DeliveryId, JobId, TypedId, WorkspaceId};
use crate::memory::{JobRecord, State};
use crate::time::Timestamp;
use crate::webhooks::{ClaimedDelivery, Delivery, DeliveryStatus};

impl State {
    /// Updates the job of a delivery from its row. An existing claim stays.
    pub(in crate::memory) fn queue_delivery(&mut self, ws: WorkspaceId, it: &Delivery) {
        let queued = it.queued(it.next_attempt_at.unwrap_or(Timestamp::END));
        if it.status != DeliveryStatus::Pending {
            self.jobs.remove(&queued.id);
            return;
        }
        let new = JobRecord {
            workspace: ws,
            queued,
            claimed: false,
            // A delivery that ended and is replayed had earlier claims.
            token: it.version - 1,
            claims: 0,
            attempts: 0,
            parked: false,
            held: None,
            dead: None,
            error: None,
        };
        let kept = self.jobs.entry(queued.id).or_insert(new);
        kept.queued.job = queued.job;
        if !kept.claimed {
            kept.queued.due_at = queued.due_at;
            kept.parked = it.next_attempt_at.is_none();
        }
    }

    /// Ends the claim of a delivery. It stays queued as planned in its row.
    pub(in crate::memory) fn end_claim(&mut self, ws: WorkspaceId, job: JobId) {
        if let Some(kept) = self.jobs.get_mut(&job) {
            (kept.claimed, kept.claims, kept.attempts) = (false, 0, 0);
        }
        match self.deliveries.get(&(ws, DeliveryId::from_uuid(job.uuid()))).cloned() {
            Some(delivery) => self.queue_delivery(ws, &delivery),
            None => drop(self.jobs.remove(&job)),
        }
    }

    /// Stores the due time of a queued delivery in its row.
    pub(in crate::memory) fn plan_delivery(&mut self, ws: WorkspaceId, job: JobId, due_at: Option<Timestamp>) {
        if let Some(delivery) = self.deliveries.get_mut(&(ws, DeliveryId::from_uuid(job.uuid()))) {
            delivery.next_attempt_at = due_at;
        }
    }

    /// The data of the job's delivery for a claim.
    pub(in crate::memory) fn told_of(&self, job: &JobRecord) -> Option<ClaimedDelivery> {
        let id = job.queued.job.delivery(job.queued.id)?;
        self.deliveries.get(&(job.workspace, id)).map(Delivery::as_claimed)
    }

    /// Removes the jobs of deleted deliveries.
    pub(in crate::memory) fn forget_places(&mut self) {
        let Self { jobs, deliveries, .. } = self;
        jobs.retain(|id, job| {
            let delivery = job.queued.job.delivery(*id);
            delivery.is_none_or(|delivery| deliveries.contains_key(&(job.workspace, delivery)))
        });
    }
}

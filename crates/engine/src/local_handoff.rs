//! Local hand-off: a job that is due when written runs in this process without a separate claim.
//!
//! A slot is reserved in the pool, the job is written as claimed, and it starts after the commit. If the process dies
//! before that, the lease expires and the job is claimed like any other.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{ClaimedJob, NewJob};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::ClaimedDelivery;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::slots::{Key, Slots, key};

/// The outcome of writing a job that has a reserved slot.
#[derive(Debug)]
pub(crate) enum HandoffOutcome {
    Written(Box<ClaimedJob>),
    Unwritten(Key),
}

/// The slots of a pool's loop, and the channel that hands jobs to it.
#[derive(Debug)]
pub(crate) struct LocalHandoff {
    slots: Mutex<Slots>,
    outcomes: UnboundedSender<HandoffOutcome>,
    lease: Duration,
}

impl LocalHandoff {
    /// Returns the hand-off and the receiver for the pool's loop. No job is handed over after the receiver is dropped.
    pub(crate) fn open(slots: Slots, lease: Duration) -> (Arc<Self>, UnboundedReceiver<HandoffOutcome>) {
        let (outcomes, receiver) = unbounded_channel();
        (Arc::new(Self { slots: Mutex::new(slots), outcomes, lease }), receiver)
    }

    pub(crate) fn slots<T>(&self, act: impl FnOnce(&mut Slots) -> T) -> T {
        act(&mut self.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reserves a slot for a job that is due, and marks the job to be written as claimed. `delivery` is the data that a
    /// claim of a delivery attempt would return. Returns `None` if the job is not due or no slot is available.
    pub(crate) fn reserve(
        self: Arc<Self>,
        workspace: WorkspaceId,
        job: &mut NewJob,
        delivery: Option<ClaimedDelivery>,
        now: Timestamp,
    ) -> Option<ReservedSlot> {
        if job.due_at > now || self.outcomes.is_closed() {
            return None;
        }
        let claimed = ClaimedJob { delivery, ..job.first_claim(workspace) };
        self.slots(|slots| slots.reserve(&claimed)).then(|| {
            job.due_at = now;
            job.lease = Some(self.lease);
            ReservedSlot { handoff: self, job: Some(claimed) }
        })
    }
}

/// A slot reserved for a job. It is freed when this is dropped.
#[derive(Debug)]
pub(crate) struct ReservedSlot {
    handoff: Arc<LocalHandoff>,
    job: Option<ClaimedJob>,
}

impl ReservedSlot {
    /// Starts the job after its commit.
    pub(crate) fn start_job(mut self) {
        if let Some(job) = self.job.take() {
            let _ = self.handoff.outcomes.send(HandoffOutcome::Written(Box::new(job)));
        }
    }
}

impl Drop for ReservedSlot {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            let _ = self.handoff.outcomes.send(HandoffOutcome::Unwritten(key(&job)));
        }
    }
}

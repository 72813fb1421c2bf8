//! Local hand-off: a job that is due as it is written goes to this process, without a claim of its own.
//!
//! A place is kept in the pool, the job is written as claimed, and once it is written it starts. If the process
//! dies between, the lease runs out and the job is claimed like any other.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{ClaimedJob, NewJob};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::ClaimedDelivery;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::slots::{Key, Slots, key};

/// What became of a job for which a place is kept.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// It is to start.
    Written(Box<ClaimedJob>),
    /// Its place is free again.
    Unwritten(Key),
}

/// The slots of a pool's loop, and the way by which others hand it jobs.
#[derive(Debug)]
pub(crate) struct LocalHandoff {
    slots: Mutex<Slots>,
    arrivals: UnboundedSender<Arrival>,
    lease: Duration,
}

impl LocalHandoff {
    /// With the receiver for the pool's loop; once that is gone, nothing is handed over any more.
    pub(crate) fn open(slots: Slots, lease: Duration) -> (Arc<Self>, UnboundedReceiver<Arrival>) {
        let (arrivals, receiver) = unbounded_channel();
        (Arc::new(Self { slots: Mutex::new(slots), arrivals, lease }), receiver)
    }

    /// Looks at the slots, or changes them.
    pub(crate) fn slots<T>(&self, act: impl FnOnce(&mut Slots) -> T) -> T {
        act(&mut self.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has a job written as claimed, if it is due and there is a place for it; of an attempt at a delivery with what a
    /// claim would tell.
    pub(crate) fn reserve(
        self: Arc<Self>,
        workspace: WorkspaceId,
        job: &mut NewJob,
        delivery: Option<ClaimedDelivery>,
        now: Timestamp,
    ) -> Option<ReservedSlot> {
        if job.due_at > now || self.arrivals.is_closed() {
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

/// A place that is kept for a job. It is freed when this is dropped.
#[derive(Debug)]
pub(crate) struct ReservedSlot {
    handoff: Arc<LocalHandoff>,
    job: Option<ClaimedJob>,
}

impl ReservedSlot {
    /// The job is written: it starts.
    pub(crate) fn written(mut self) {
        if let Some(job) = self.job.take() {
            let _ = self.handoff.arrivals.send(Arrival::Written(Box::new(job)));
        }
    }
}

impl Drop for ReservedSlot {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            let _ = self.handoff.arrivals.send(Arrival::Unwritten(key(&job)));
        }
    }
}

//! Adoption: a job that is due as it is written goes to this process, without a claim of its own.
//!
//! A place is kept on the pool's board, the job is written as claimed, and once it is written it starts. If the process
//! dies between, the lease runs out and the job is claimed like any other.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{ClaimedJob, NewJob};
use tidings_domain::time::Timestamp;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::board::{Board, Key, key};

/// What became of a job for which a place is kept.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// It is to start.
    Written(ClaimedJob),
    /// Its place is free again.
    Unwritten(Key),
}

/// The board of a pool's loop, and the way by which others hand it jobs.
#[derive(Debug)]
pub(crate) struct Desk {
    board: Mutex<Board>,
    arrivals: UnboundedSender<Arrival>,
    lease: Duration,
}

impl Desk {
    /// With the receiver for the pool's loop; once that is gone, nothing is adopted any more.
    pub(crate) fn open(board: Board, lease: Duration) -> (Arc<Self>, UnboundedReceiver<Arrival>) {
        let (arrivals, receiver) = unbounded_channel();
        (Arc::new(Self { board: Mutex::new(board), arrivals, lease }), receiver)
    }

    /// Looks at the board, or changes it.
    pub(crate) fn board<T>(&self, act: impl FnOnce(&mut Board) -> T) -> T {
        act(&mut self.board.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has a job written as claimed, if it is due and there is a place for it.
    pub(crate) fn adopt(self: Arc<Self>, workspace: WorkspaceId, job: &mut NewJob, now: Timestamp) -> Option<Adoption> {
        if job.due_at > now || self.arrivals.is_closed() {
            return None;
        }
        let claimed = job.first_claim(workspace);
        self.board(|board| board.reserve(&claimed)).then(|| {
            job.due_at = now;
            job.lease = Some(self.lease);
            Adoption { desk: self, job: Some(claimed) }
        })
    }
}

/// A place that is kept for a job. It is freed when this is dropped.
#[derive(Debug)]
pub(crate) struct Adoption {
    desk: Arc<Desk>,
    job: Option<ClaimedJob>,
}

impl Adoption {
    /// The job is written: it starts.
    pub(crate) fn written(mut self) {
        if let Some(job) = self.job.take() {
            let _ = self.desk.arrivals.send(Arrival::Written(job));
        }
    }
}

impl Drop for Adoption {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            let _ = self.desk.arrivals.send(Arrival::Unwritten(key(&job)));
        }
    }
}

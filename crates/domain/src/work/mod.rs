//! What is done later: each kind of job and the use case that does it.

mod deliver;
#[cfg(test)]
mod delivery_tests;
mod inbound;
mod options;
mod relay;
mod replay;
mod send;
mod sweep;
#[cfg(test)]
mod tests;
mod wake;

use std::sync::Arc;
use std::time::Duration;

pub use deliver::DeliveryExecutor;
pub use inbound::InboundRouter;
pub(crate) use relay::Reaction;
pub use relay::Relay;
pub use replay::Replayer;
pub use send::MessageSender;
pub use sweep::Sweeper;
pub use wake::ConversationWaker;

use crate::access::Access;
use crate::error::Error;
use crate::flows::RunExecutor;
use crate::ids::{JobId, TypedId};
use crate::ports::{
    Change, ChangeSet, ClaimedJob, CommitError, Conflict, JobChange, JobKind, Ports, StoreError, WebhookChange,
};
use crate::sequences::{EnrollmentExecutor, SequenceReviewer};
use crate::settle::Setback;
use crate::webhooks::RetrySchedule;

/// How often a failing job is tried before it is put aside.
const MAX_ATTEMPTS: i32 = 12;
/// The first wait of a failing job; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_secs(10);
/// The longest wait of a failing job.
const LONGEST_WAIT: Duration = Duration::from_secs(6 * 3_600);

/// Does due work. Each job ends in one commit together with its effect, fenced by its claim.
#[derive(Clone)]
pub struct Worker {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
    /// When deliveries that failed are tried again.
    pub schedule: RetrySchedule,
}

impl Worker {
    /// Does one job, once.
    ///
    /// # Errors
    /// [`Error`] where it could not be done now: give it back with [`Worker::give_back`].
    pub async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        if job.kind.pool().leaves() && self.ports.outbound.held(job.workspace).await?.is_some() {
            return self.put_back(job).await;
        }
        let (access, ports) = (Access::system(job.workspace), self.ports.clone());
        match job.kind {
            JobKind::RelayEvent => Relay { ports }.relay(&access, job).await,
            JobKind::RouteInbound => InboundRouter { ports }.route(&access, job).await,
            JobKind::WakeConversation => ConversationWaker { ports }.wake(&access, job).await,
            JobKind::StepRun => RunExecutor { ports }.step(job).await,
            JobKind::StepEnrollment => EnrollmentExecutor { ports }.step(job).await,
            JobKind::ReviewSequence => SequenceReviewer { ports }.review(&access, job).await,
            JobKind::SendMessage => MessageSender { ports }.send(&access, job).await,
            JobKind::AttemptDelivery | JobKind::RetryDelivery => self.deliveries().attempt(&access, job).await,
            JobKind::ReplayDeliveries => Replayer { ports }.replay(&access, job).await,
            JobKind::SweepTag => Sweeper { ports }.sweep_tag(&access, job).await,
            JobKind::SweepField => Sweeper { ports }.sweep_field(&access, job).await,
            JobKind::TakeOptionsOff => Sweeper { ports }.take_options_off(&access, job).await,
        }
    }

    fn deliveries(&self) -> DeliveryExecutor {
        DeliveryExecutor { ports: self.ports.clone(), schedule: self.schedule.clone() }
    }

    /// Gives a job back that was claimed before its workspace was held, as it was.
    async fn put_back(&self, job: &ClaimedJob) -> Result<(), Error> {
        let (id, token) = (job.id, job.token);
        let mut set = ChangeSet::new(job.workspace);
        set.change(Change::Job(JobChange::Reschedule { job: id, token, due_at: self.ports.clock.now(), error: None }));
        match self.ports.ledger.commit(set).await {
            Ok(()) | Err(CommitError::Conflict(_)) => Ok(()),
            Err(CommitError::Store(error)) => Err(error.into()),
        }
    }

    /// Gives a job back after a failure: due again after a growing wait, put aside after twelve.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will run out, and another worker takes it.
    pub async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        let mut set = ChangeSet::new(job.workspace);
        let (id, token, text) = (job.id, job.token, error.to_string());
        if job.attempts + 1 >= MAX_ATTEMPTS {
            set.change(Change::Job(JobChange::Bury { job: id, token, error: text, at: self.ports.clock.now() }));
            // Nobody waits for ever for what will not come.
            let (access, ports) = (Access::system(job.workspace), self.ports.clone());
            match job.kind {
                JobKind::StepRun => RunExecutor { ports }.abandon(&access, job, &mut set).await?,
                JobKind::StepEnrollment => EnrollmentExecutor { ports }.abandon(&access, job, &mut set).await?,
                JobKind::SendMessage => MessageSender { ports }.abandon(&access, job, &mut set).await?,
                JobKind::AttemptDelivery | JobKind::RetryDelivery => {
                    self.deliveries().abandon(&access, job, &mut set).await?;
                }
                JobKind::ReplayDeliveries => {
                    set.change(Change::Webhook(WebhookChange::DropReplay(JobId::from_uuid(job.subject))));
                }
                JobKind::RelayEvent | JobKind::RouteInbound | JobKind::SweepTag | JobKind::SweepField => {}
                JobKind::ReviewSequence | JobKind::TakeOptionsOff => {}
                JobKind::WakeConversation => {}
            }
        } else {
            let due_at = self.ports.clock.now().plus(backoff(job.attempts, self.ports.random.unit()));
            set.change(Change::Job(JobChange::Reschedule { job: id, token, due_at, error: Some(text) }));
        }
        match self.ports.ledger.commit(set).await {
            Ok(()) | Err(CommitError::Conflict(_)) => Ok(()),
            Err(CommitError::Store(error)) => Err(error),
        }
    }
}

/// The wait before attempt `attempts + 1`, moved by up to 20 % to either side.
fn backoff(attempts: i32, jitter: f64) -> Duration {
    let doublings = u32::try_from(attempts).unwrap_or(0).min(20);
    (FIRST_WAIT * 2_u32.saturating_pow(doublings)).min(LONGEST_WAIT).mul_f64(0.8 + 0.4 * jitter.clamp(0.0, 1.0))
}

/// A claim that is lost is somebody else's work: there is nothing to report.
pub(crate) fn unless_lost(outcome: Result<(), CommitError>) -> Result<(), Setback> {
    match outcome {
        Err(CommitError::Conflict(Conflict::ClaimLost)) => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod backoff_tests {
    use super::*;

    #[test]
    fn waits_double_up_to_six_hours() {
        let seconds: Vec<u64> = (0..13).map(|attempts| backoff(attempts, 0.5).as_secs()).collect();
        assert_eq!(seconds[..4], [10, 20, 40, 80]);
        assert_eq!(seconds[12], 21_600);
        assert_eq!((backoff(0, 0.0).as_secs(), backoff(0, 1.0).as_secs()), (8, 12));
    }
}

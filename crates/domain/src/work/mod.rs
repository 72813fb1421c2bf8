//! What is done later: who does it, job by job. Each kind of job is done in its subject.

mod again;
mod attempt;
mod backoff;
mod due;
#[cfg(test)]
mod due_tests;
mod lost;
#[cfg(test)]
mod pause_tests;
mod reaction;
mod relay;
mod sweep;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod waits_tests;
mod weight;

use std::sync::Arc;
use std::time::Duration;

pub(crate) use again::again;
pub use attempt::{Failed, Perform, attempt, bury_poison, give_back};
pub(crate) use backoff::{LONGEST_WAIT, MAX_ATTEMPTS, backoff};
pub use due::DueWork;
pub(crate) use lost::unless_lost;
pub(crate) use reaction::Reaction;
pub use relay::Relay;
pub(crate) use sweep::{BATCH_OF_SWEEP, sweep};
pub(crate) use weight::{ROWS_BESIDE, weight};

use crate::access::Access;
use crate::broadcasts::{BroadcastCloser, BroadcastStarter, PortionSender};
use crate::bulk::BulkExecutor;
use crate::conversations::{ContactPlayer, ConversationWaker, InboundRouter, MessageSender, OptOutWords};
use crate::erasures::Eraser;
use crate::error::Error;
use crate::fields::FieldSweeper;
use crate::flows::{RunExecutor, ScheduleExecutor};
use crate::imports::Importer;
use crate::merges::Merger;
use crate::ports::{Change, ChangeSet, ClaimedJob, CommitError, Job, JobChange, Ports, StoreError};
use crate::segments::SegmentCounter;
use crate::sequences::{EnrollmentExecutor, SequenceReviewer};
use crate::tags::TagSweeper;
use crate::time::Timestamp;
use crate::webhooks::{DeliveryExecutor, Replayer, RetrySchedule};

/// Delay of a job if its workspace is being erased; the job is erased with it.
const ERASING: Duration = Duration::from_secs(60);

/// Does due work. Each job ends in one commit together with its effect, fenced by its claim.
#[derive(Clone)]
pub struct Worker {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
    /// When deliveries that failed are tried again.
    pub schedule: RetrySchedule,
    /// The words by which contacts say that they want no more messages, or want them again.
    pub words: OptOutWords,
}

impl Worker {
    /// Does one job, once.
    ///
    /// # Errors
    /// [`Error`] where it could not be done now: give it back with [`Worker::give_back`].
    pub async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        if let Some(until) = self.ports.outbound.deleted_until(job.workspace).await? {
            return self.put_off(job, until).await;
        }
        match self.in_time_of(job).await? {
            Some(there) => there.perform_here(job).await,
            None => self.perform_here(job).await,
        }
    }

    /// The worker with the clock of the job's workspace, where that is another.
    async fn in_time_of(&self, job: &ClaimedJob) -> Result<Option<Self>, StoreError> {
        let ports = self.ports.in_time_of(job.workspace).await?;
        Ok(ports.map(|ports| Self { ports: Arc::new(ports), ..self.clone() }))
    }

    async fn perform_here(&self, job: &ClaimedJob) -> Result<(), Error> {
        if job.job.pool().leaves() && self.ports.outbound.held(job.workspace).await?.is_some() {
            return self.put_back(job).await;
        }
        let (access, ports) = (Access::system(job.workspace), self.ports.clone());
        match job.job {
            Job::Relay { event, depth } => Relay { ports }.relay(&access, job, event, depth).await,
            Job::RelaySet { event, further, depth } => {
                Relay { ports }.relay_set(&access, job, (event, further), depth).await
            }
            Job::RelayEvent { event, depth } => Relay { ports }.relay_uncounted(&access, job, event, depth).await,
            Job::RelayCustomEvent { event, depth } => Relay { ports }.relay_custom(&access, job, event, depth).await,
            Job::TakeEvent { event, contact, depth } => {
                RunExecutor { ports }.take_event(&access, job, (contact, event), depth).await
            }
            Job::TakeCustomEvent { event, contact, depth } => {
                RunExecutor { ports }.take_custom_event(&access, job, (contact, event), depth).await
            }
            Job::RouteInbound { message, .. } => {
                InboundRouter { ports, words: self.words.clone() }.route(&access, job, message).await
            }
            Job::PlayContact { message, act } => {
                ContactPlayer { ports, words: self.words.clone() }.play(&access, job, message, act).await
            }
            Job::WakeConversation { conversation } => {
                ConversationWaker { ports }.wake(&access, job, conversation).await
            }
            Job::StepRun { run, visit } => RunExecutor { ports }.step(job, run, visit).await,
            Job::StepEnrollment { enrollment, visit } => {
                EnrollmentExecutor { ports }.step(job, enrollment, visit).await
            }
            Job::ReviewSequence { sequence } => SequenceReviewer { ports }.review(&access, job, sequence).await,
            Job::FireSchedule { flow, visit } => ScheduleExecutor { ports }.fire(&access, job, flow, visit).await,
            Job::StartFrozen { flow } => ScheduleExecutor { ports }.start_frozen(&access, job, flow).await,
            Job::PlanSchedules { .. } => ScheduleExecutor { ports }.plan(&access, job).await,
            Job::CountSegments { .. } => SegmentCounter { ports }.refresh(&access, job).await,
            Job::SendMessage { message, depth, .. } => MessageSender { ports }.send(&access, job, message, depth).await,
            Job::AttemptDelivery { delivery, webhook, round } | Job::RetryDelivery { delivery, webhook, round } => {
                self.deliveries().attempt(&access, job, (delivery, webhook, round)).await
            }
            Job::CallHttp { run, visit } => RunExecutor { ports }.call(job, run, visit).await,
            Job::StartBroadcast { broadcast, round } => {
                BroadcastStarter { ports }.start(&access, job, broadcast, round).await
            }
            Job::SpreadBroadcast { broadcast, round } => {
                BroadcastStarter { ports }.spread(&access, job, broadcast, round).await
            }
            Job::SendPortion { broadcast, round, from } => {
                PortionSender { ports }.send(&access, job, (broadcast, round, from)).await
            }
            Job::CloseBroadcast { broadcast, .. } => BroadcastCloser { ports }.close(&access, job, broadcast).await,
            Job::ReplayDeliveries { replay } => Replayer { ports }.replay(&access, job, replay).await,
            Job::SweepTag { tag } => TagSweeper { ports }.sweep(&access, job, tag).await,
            Job::SweepField { field } => FieldSweeper { ports }.sweep(&access, job, field).await,
            Job::TakeOptionsOff { field } => FieldSweeper { ports }.take_options_off(&access, job, field).await,
            Job::ImportContacts { import } => Importer { ports }.advance(&access, job, import).await,
            Job::ForgetImport { import } => Importer { ports }.forget(&access, job, import).await,
            Job::ChangeContacts { operation } => BulkExecutor { ports }.advance(&access, job, operation).await,
            Job::ForgetBulkOperation { operation } => BulkExecutor { ports }.forget(&access, job, operation).await,
            Job::EraseContact { contact } => Eraser { ports }.erase(&access, job, contact).await,
            Job::MoveContact { contact } => Merger { ports }.carry_on(&access, job, contact).await,
        }
    }

    fn deliveries(&self) -> DeliveryExecutor {
        DeliveryExecutor { ports: self.ports.clone(), schedule: self.schedule.clone() }
    }

    /// Gives a job back that was claimed before its workspace was held, as it was.
    async fn put_back(&self, job: &ClaimedJob) -> Result<(), Error> {
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.reschedule(self.ports.clock.now(), None));
        Ok(self.commit_if_held(set).await?)
    }

    /// Reschedules a job of a deleted workspace to the end of the deletion, by the store's clock. The ledger of a sandbox
    /// subtracts by how much its clock is ahead.
    async fn put_off(&self, job: &ClaimedJob, until: Timestamp) -> Result<(), Error> {
        let ahead = match job.workspace.is_sandbox() {
            true => self.ports.sandboxes.ahead(job.workspace).await?,
            false => Duration::ZERO,
        };
        let due_at = until.max(self.ports.clock.now().plus(ERASING)).plus(ahead);
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.reschedule(due_at, None));
        Ok(self.commit_if_held(set).await?)
    }

    /// Gives a job back after a failure: due again after a growing wait, put aside after twelve.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will run out, and another worker takes it.
    pub async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        if job.attempts + 1 >= MAX_ATTEMPTS {
            return self.bury(job, told(error)).await;
        }
        let there = self.in_time_of(job).await?;
        let clock = &there.as_ref().unwrap_or(self).ports.clock;
        let mut set = ChangeSet::new(job.workspace);
        let due_at = clock.now().plus(backoff(job.attempts, self.ports.random.unit()));
        set.change(job.reschedule(due_at, Some(told(error))));
        self.commit_if_held(set).await
    }

    /// Puts a job aside that will not be done, and settles what waits for it: nobody waits for ever for what will not
    /// come.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will run out, and another worker takes it.
    pub async fn bury(&self, job: &ClaimedJob, error: String) -> Result<(), StoreError> {
        match self.in_time_of(job).await? {
            Some(there) => there.bury_here(job, error).await,
            None => self.bury_here(job, error).await,
        }
    }

    async fn bury_here(&self, job: &ClaimedJob, error: String) -> Result<(), StoreError> {
        let mut set = ChangeSet::new(job.workspace);
        set.change(Change::Job(JobChange::Bury { job: job.id, token: job.token, error, at: self.ports.clock.now() }));
        let (access, ports) = (Access::system(job.workspace), self.ports.clone());
        match job.job {
            Job::StepRun { run, visit } => RunExecutor { ports }.abandon(&access, run, visit, &mut set).await?,
            Job::CallHttp { run, visit } => {
                set = RunExecutor { ports }.abandon_call(&access, run, visit, set).await?;
            }
            Job::StepEnrollment { enrollment, visit } => {
                EnrollmentExecutor { ports }.abandon(&access, enrollment, visit, &mut set).await?;
            }
            Job::SendMessage { message, .. } => MessageSender { ports }.abandon(&access, message, &mut set).await?,
            Job::AttemptDelivery { delivery, .. } | Job::RetryDelivery { delivery, .. } => {
                self.deliveries().abandon(&access, delivery, &mut set).await?;
            }
            Job::StartBroadcast { broadcast, .. }
            | Job::SpreadBroadcast { broadcast, .. }
            | Job::SendPortion { broadcast, .. }
            | Job::CloseBroadcast { broadcast, .. } => {
                BroadcastStarter { ports }.abandon(&access, broadcast, &mut set).await?;
            }
            Job::ImportContacts { import } => Importer { ports }.abandon(&access, import, &mut set).await?,
            Job::ChangeContacts { operation } => BulkExecutor { ports }.abandon(&access, operation, &mut set).await?,
            Job::ReplayDeliveries { replay } => Replayer::abandon(replay, &mut set),
            Job::FireSchedule { flow, visit } => {
                ScheduleExecutor { ports }.abandon(&access, flow, visit, &mut set).await?;
            }
            Job::WakeConversation { conversation } => {
                ConversationWaker { ports }.open(&access, conversation, &mut set).await?;
            }
            // People are not to stay half erased, half merged or half forgotten, and an enrollment that came due while its
            // sequence was paused has no job until the sequence is reviewed.
            Job::EraseContact { .. }
            | Job::MoveContact { .. }
            | Job::ForgetImport { .. }
            | Job::ForgetBulkOperation { .. }
            | Job::ReviewSequence { .. } => set.jobs.push(again(job.job, &ports)),
            // Nothing hangs by these; what they left undone is told of by the job that lies aside, and done when that is
            // retried.
            //
            // What an event would have set off has not begun: nobody waits for it.
            Job::Relay { .. } | Job::RelayEvent { .. } | Job::RelayCustomEvent { .. } => {}
            // Each of its events is tried by itself before any lies aside.
            Job::RelaySet { event, further, depth } => {
                set = Relay { ports }.parted(&access, job, (event, further), depth);
            }
            // The run that waits for the event goes on when its time is over.
            Job::TakeEvent { .. } | Job::TakeCustomEvent { .. } => {}
            // The message stands in its conversation, unread; a run that waits for it goes on when its time is over, and
            // the contact's next message is routed.
            Job::RouteInbound { .. } => {}
            // In a sandbox the other side may be silent.
            Job::PlayContact { .. } => {}
            // Those who are left stay frozen, and are the first to be started when the flow fires again, goes on or is
            // published; when it is over they are dropped.
            Job::StartFrozen { .. } => {}
            // A flow that was planned by other clocks is planned anew when that plan comes due.
            Job::PlanSchedules { .. } => {}
            // Lists show the last counts, and have them refreshed later.
            Job::CountSegments { .. } => {}
            // What a tag, a field or an option left behind is not shown since it went.
            Job::SweepTag { .. } | Job::SweepField { .. } | Job::TakeOptionsOff { .. } => {}
        }
        self.commit_if_held(set).await
    }

    /// Commits what becomes of a claim; one that is lost is somebody else's.
    async fn commit_if_held(&self, set: ChangeSet) -> Result<(), StoreError> {
        match self.ports.ledger.commit(set).await {
            Ok(()) | Err(CommitError::Conflict(_)) => Ok(()),
            Err(CommitError::Store(error)) => Err(error),
        }
    }
}

/// What is kept with a job of why it failed.
fn told(error: &Error) -> String {
    match error {
        Error::Store(error) => error.told(),
        error => error.to_string(),
    }
}

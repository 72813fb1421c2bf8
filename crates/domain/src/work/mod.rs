//! Workers: they run jobs. Each kind of job is implemented in the module of its subject.

mod attempt;
mod backoff;
mod due;
#[cfg(test)]
mod due_tests;
mod follow_up;
mod interruption;
mod lost_claim;
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

pub use attempt::{JobFailure, Perform, attempt, bury_poison, give_back};
pub(crate) use backoff::{LONGEST_WAIT, MAX_ATTEMPTS, backoff};
pub use due::DueWork;
pub(crate) use follow_up::follow_up_job;
pub use interruption::{MOST_CLAIMS, WAITS_AFTER_INTERRUPTIONS};
pub(crate) use lost_claim::ignore_lost_claim;
pub(crate) use reaction::Reaction;
pub use relay::Relay;
pub(crate) use sweep::{BATCH_OF_SWEEP, sweep};
pub(crate) use weight::{ROWS_BESIDE, weight};

use crate::access::Access;
use crate::broadcasts::{BroadcastCloser, BroadcastStarter, PortionSender};
use crate::bulk::BulkExecutor;
use crate::channels::ChannelChecker;
use crate::conversations::{
    CatchUp, ContactPlayer, ConversationWaker, InboundRouter, MediaFetcher, MessageSender, OptOutWords, OutcomeLookUp,
};
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

/// Runs due jobs. A job commits its effect and its end together, fenced by its claim. A send to a provider that is not
/// idempotent also commits before each call.
#[derive(Clone)]
pub struct Worker {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The retry schedule of deliveries.
    pub schedule: RetrySchedule,
    /// The keywords with which contacts opt out or in.
    pub words: OptOutWords,
}

impl Worker {
    /// Runs one job once.
    ///
    /// # Errors
    /// [`Error`] if it could not be done now. Give it back with [`Worker::give_back`].
    pub async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        if let Some(until) = self.ports.outbound.deleted_until(job.workspace).await? {
            return self.put_off(job, until).await;
        }
        match self.in_time_of(job).await? {
            Some(there) => there.perform_here(job).await,
            None => self.perform_here(job).await,
        }
    }

    /// Returns a worker with the clock of the job's workspace, if that differs.
    async fn in_time_of(&self, job: &ClaimedJob) -> Result<Option<Self>, StoreError> {
        let ports = self.ports.in_time_of(job.workspace).await?;
        Ok(ports.map(|ports| Self { ports: Arc::new(ports), ..self.clone() }))
    }

    async fn perform_here(&self, job: &ClaimedJob) -> Result<(), Error> {
        if job.job.pool().leaves() && self.ports.outbound.paused_by(job.workspace).await?.is_some() {
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
            Job::LookUpMessage { message, attempt, .. } => {
                OutcomeLookUp { ports }.look_up(&access, job, message, attempt).await
            }
            Job::CheckChannel { channel, round } => {
                let missed = CatchUp { ports: Arc::clone(&ports), words: self.words.clone() };
                missed.catch_up(&access, channel, round).await?;
                ChannelChecker { ports }.check(&access, job, channel, round).await
            }
            Job::FetchMedia { message, .. } => MediaFetcher { ports }.fetch(&access, job, message).await,
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

    /// Returns a job to the queue unchanged. It was claimed before its workspace was paused.
    async fn put_back(&self, job: &ClaimedJob) -> Result<(), Error> {
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.reschedule(self.ports.clock.now(), None));
        Ok(self.commit_if_held(set).await?)
    }

    /// Reschedules a job of a deleted workspace to the end of the deletion period, by the store's clock. `ahead` is
    /// added because the ledger of a sandbox subtracts it.
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

    /// Returns a job to the queue after a failure: due after a growing delay, dead-lettered after twelve attempts.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will expire, and another worker claims the job.
    pub async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        if job.attempts + 1 >= MAX_ATTEMPTS {
            return self.bury(job, failure_text(error)).await;
        }
        let there = self.in_time_of(job).await?;
        let clock = &there.as_ref().unwrap_or(self).ports.clock;
        let mut set = ChangeSet::new(job.workspace);
        let due_at = clock.now().plus(backoff(job.attempts, self.ports.random.unit()));
        set.change(job.reschedule(due_at, Some(failure_text(error))));
        self.commit_if_held(set).await
    }

    /// Dead-letters a job and settles its subject: nothing may wait forever for a job that will not run.
    ///
    /// # Errors
    /// [`StoreError`]: the lease will expire, and another worker claims the job.
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
            // Erasures, merges and removals must not stay half done, and channels are checked regularly. An enrollment
            // that became due while its sequence was paused has no job until the sequence is reviewed.
            Job::EraseContact { .. }
            | Job::MoveContact { .. }
            | Job::ForgetImport { .. }
            | Job::ForgetBulkOperation { .. }
            | Job::CheckChannel { .. }
            | Job::ReviewSequence { .. } => set.jobs.push(follow_up_job(job.job, &ports)),
            // Nothing depends on the following kinds. The dead letter documents their unfinished work, and a retry does
            // it.
            //
            // The work of an event's listeners has not started: nothing waits for it.
            Job::Relay { .. } | Job::RelayEvent { .. } | Job::RelayCustomEvent { .. } => {}
            // Each event gets its own job before any of them is dead-lettered.
            Job::RelaySet { event, further, depth } => {
                set = Relay { ports }.parted(&access, job, (event, further), depth);
            }
            // The run that waits for the event continues after its timeout.
            Job::TakeEvent { .. } | Job::TakeCustomEvent { .. } => {}
            // The message is in its conversation, unread. A run that waits for it continues after its timeout, and the
            // contact's next message is routed.
            Job::RouteInbound { .. } => {}
            Job::FetchMedia { message, .. } => MediaFetcher { ports }.abandon(&access, message, &mut set).await?,
            // The message stays `uncertain`.
            Job::LookUpMessage { .. } => {}
            // In a sandbox, reactions are optional.
            Job::PlayContact { .. } => {}
            // The remaining contacts stay selected. They are started first when the flow fires again, is resumed or
            // published. They are dropped when the flow is archived or deleted.
            Job::StartFrozen { .. } => {}
            // A flow with a schedule from the former time zone is rescheduled when that schedule is due.
            Job::PlanSchedules { .. } => {}
            // Lists show the last counts, and request a refresh later.
            Job::CountSegments { .. } => {}
            // Remaining data of a deleted tag, field or option is already hidden.
            Job::SweepTag { .. } | Job::SweepField { .. } | Job::TakeOptionsOff { .. } => {}
        }
        self.commit_if_held(set).await
    }

    /// Commits the end of a claim. A lost claim is ignored: another worker has the job.
    async fn commit_if_held(&self, set: ChangeSet) -> Result<(), StoreError> {
        match self.ports.ledger.commit(set).await {
            Ok(()) | Err(CommitError::Conflict(_)) => Ok(()),
            Err(CommitError::Store(error)) => Err(error),
        }
    }
}

/// Returns the stored error message.
fn failure_text(error: &Error) -> String {
    match error {
        Error::Store(error) => error.public_message(),
        error => error.to_string(),
    }
}

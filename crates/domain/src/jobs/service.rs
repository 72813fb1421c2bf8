//! Use cases of jobs: list dead letters, retry them and discard them.

use std::sync::Arc;

use super::{JobStatus, QueuedJob};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{JobId, TypedId};
use crate::outcome::{Done, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Job, JobChange, NewJob, Ports};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};
use crate::webhooks::Replay;

/// Use cases of jobs.
#[derive(Clone)]
pub struct JobService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl JobService {
    /// Returns a page of the dead-lettered jobs of the workspace, ordered by the time when they were dead-lettered.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn dead(&self, access: &Access, page: PageRequest) -> Result<Page<QueuedJob>, Error> {
        let mut dead = self.ports.jobs.dead(access, page).await?;
        dead.items.iter_mut().for_each(|job| self.by_own_clock(job));
        Ok(dead)
    }

    /// Returns an unfinished job, with its replay if it has one.
    ///
    /// # Errors
    /// [`Error::NotFound`], also for a finished job; [`Error::Store`].
    pub async fn get(&self, access: &Access, job: JobId) -> Result<(QueuedJob, Option<Replay>), Error> {
        let job = self.find(access, job).await?;
        let replay = match job.job {
            Job::ReplayDeliveries { replay } => self.ports.webhooks.replay(access, replay).await?,
            _ => None,
        };
        Ok((job, replay))
    }

    /// Retries a dead-lettered job: queues a new job with a new ID, due immediately, as the last one of its lane.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::JobNotDead`], [`Error::JobSettled`], [`Error::Store`].
    pub async fn retry(
        &self,
        access: &Access,
        job: JobId,
        idempotency: IdempotencyHook<'_, QueuedJob>,
    ) -> Result<Done<QueuedJob>, Error> {
        retry_on_conflict(|| async {
            let before = self.find_dead(access, job).await?;
            if let Some(advice) = before.settled_advice() {
                return Err(Error::JobSettled(advice).into());
            }
            let (id, due_at) = (JobId::from_uuid(self.ports.ids.next()), self.ports.clock.now());
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Job(JobChange::DropDead { job }));
            set.jobs.push(NewJob::new(id, before.job, due_at));
            let draft = AuditDraft::about(AuditAction::JobRetried, Some(job.to_string())).with("successor_id", &id);
            self.ports.add_audit(draft, access, &mut set);
            let status = JobStatus::Queued;
            let after = QueuedJob { id, status, attempts: 0, error: None, due_at, dead_at: None, ..before };
            let done = Done::accepted(after);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Discards a dead-lettered job.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::JobNotDead`], [`Error::Store`].
    pub async fn drop_dead(&self, access: &Access, job: JobId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            self.find_dead(access, job).await?;
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Job(JobChange::DropDead { job }));
            let draft = AuditDraft::about(AuditAction::JobDropped, Some(job.to_string()));
            self.ports.add_audit(draft, access, &mut set);
            Ok::<_, AttemptError>(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    async fn find(&self, access: &Access, job: JobId) -> Result<QueuedJob, Error> {
        let mut found = self.ports.jobs.get(access, job).await?.ok_or(Error::NotFound)?;
        self.by_own_clock(&mut found);
        Ok(found)
    }

    /// Converts the due time from the clock of the store.
    fn by_own_clock(&self, job: &mut QueuedJob) {
        job.due_at = job.due_at.plus(self.ports.ahead);
    }

    async fn find_dead(&self, access: &Access, job: JobId) -> Result<QueuedJob, Error> {
        let found = self.find(access, job).await?;
        if found.status == JobStatus::Dead { Ok(found) } else { Err(Error::JobNotDead) }
    }
}

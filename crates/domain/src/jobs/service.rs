//! Use cases of jobs: looking at those that were put aside, having them done again, and letting them go.

use std::sync::Arc;

use super::{JobStatus, QueuedJob};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{JobId, TypedId};
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Job, JobChange, NewJob, Ports};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::webhooks::Replay;

/// Use cases of jobs.
#[derive(Clone)]
pub struct JobService {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl JobService {
    /// The jobs of the workspace that were put aside, page by page, by the time at which they were.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn dead(&self, access: &Access, page: PageRequest) -> Result<Page<QueuedJob>, Error> {
        let mut dead = self.ports.jobs.dead(access, page).await?;
        dead.items.iter_mut().for_each(|job| self.by_own_clock(job));
        Ok(dead)
    }

    /// A job that is not done yet, with what it replays.
    ///
    /// # Errors
    /// [`Error::NotFound`] for one that was done, too, [`Error::Store`].
    pub async fn get(&self, access: &Access, job: JobId) -> Result<(QueuedJob, Option<Replay>), Error> {
        let job = self.find(access, job).await?;
        let replay = match job.job {
            Job::ReplayDeliveries { replay } => self.ports.webhooks.replay(access, replay).await?,
            _ => None,
        };
        Ok((job, replay))
    }

    /// Queues a job that was put aside anew, due at once, as the last of its lane: a new job under an id of its own.
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
            if let Some(advice) = before.settled() {
                return Err(Error::JobSettled(advice).into());
            }
            let (id, due_at) = (JobId::from_uuid(self.ports.ids.next()), self.ports.clock.now());
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Job(JobChange::DropDead { job }));
            set.jobs.push(NewJob::new(id, before.job, due_at));
            let draft = AuditDraft::about(AuditAction::JobRetried, Some(job.to_string())).with("successor_id", &id);
            set.audit(draft, access, &*self.ports.clock, &*self.ports.ids);
            let status = JobStatus::Queued;
            let after = QueuedJob { id, status, attempts: 0, error: None, due_at, dead_at: None, ..before };
            let done = Done::accepted(after);
            set.idempotency = record_of(idempotency, &done);
            self.ports.ledger.commit(set).await?;
            Ok::<_, AttemptError>(done)
        })
        .await
    }

    /// Lets a job go that was put aside: it is never done.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::JobNotDead`], [`Error::Store`].
    pub async fn drop_dead(&self, access: &Access, job: JobId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            self.find_dead(access, job).await?;
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Job(JobChange::DropDead { job }));
            let draft = AuditDraft::about(AuditAction::JobDropped, Some(job.to_string()));
            set.audit(draft, access, &*self.ports.clock, &*self.ports.ids);
            Ok::<_, AttemptError>(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    async fn find(&self, access: &Access, job: JobId) -> Result<QueuedJob, Error> {
        let mut found = self.ports.jobs.get(access, job).await?.ok_or(Error::NotFound)?;
        self.by_own_clock(&mut found);
        Ok(found)
    }

    /// Stores tell when a job falls due by their clock.
    fn by_own_clock(&self, job: &mut QueuedJob) {
        job.due_at = job.due_at.plus(self.ports.ahead);
    }

    async fn find_dead(&self, access: &Access, job: JobId) -> Result<QueuedJob, Error> {
        let found = self.find(access, job).await?;
        if found.status == JobStatus::Dead { Ok(found) } else { Err(Error::JobNotDead) }
    }
}

//! Jobs: changes and queries.

mod claim_order;
mod engine;
mod outbound;
mod stored_bytes;

use async_trait::async_trait;

use super::apply::Applied;
use super::{JobRecord, MemoryStore, State};
use crate::access::Access;
use crate::ids::{JobId, WorkspaceId};
use crate::jobs::{JobStatus, QueuedJob};
use crate::memory::tables::pages::{Answer, at, page};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Claim, Conflict, HeldUntil, Job, JobChange, JobQueries, NewJob};
use crate::time::Timestamp;

impl State {
    pub(super) fn change_jobs(&mut self, ws: WorkspaceId, change: JobChange) -> Applied {
        match change {
            JobChange::Finish { job, token } => {
                self.check_claim(ws, Claim { job, token })?;
                match self.is_of_delivery(job) {
                    true => self.end_claim(ws, job),
                    false => drop(self.jobs.remove(&job)),
                }
                Ok(())
            }
            JobChange::Reschedule { job, token, due_at, error } => {
                self.check_claim(ws, Claim { job, token })?;
                self.plan_delivery(ws, job, Some(due_at));
                if let Some(job) = self.jobs.get_mut(&job) {
                    job.claimed = false;
                    job.claims = 0;
                    job.attempts += i32::from(error.is_some());
                    job.error = error.or(job.error.take());
                    job.queued.due_at = due_at;
                }
                Ok(())
            }
            JobChange::Park { job, token } => {
                self.check_claim(ws, Claim { job, token })?;
                self.plan_delivery(ws, job, None);
                if let Some(job) = self.jobs.get_mut(&job) {
                    (job.claimed, job.claims, job.parked) = (false, 0, true);
                    job.queued.due_at = Timestamp::END;
                }
                Ok(())
            }
            JobChange::Hold { job, token, until } => {
                self.check_claim(ws, Claim { job, token })?;
                let kept = self.jobs.get_mut(&job).ok_or(Conflict::ClaimLost)?;
                (kept.claimed, kept.claims, kept.parked) = (false, 0, true);
                kept.queued.due_at = Timestamp::END;
                kept.held = Some((until, None));
                if let Job::SendMessage { conversation, .. } = &mut kept.queued.job {
                    kept.held = Some((until, conversation.take()));
                }
                Ok(())
            }
            JobChange::ReleaseHeld { until, due_at } => {
                self.release_held(ws, until, due_at);
                Ok(())
            }
            JobChange::Release { group, due_at } => {
                let of_group = |job: &&mut JobRecord| {
                    job.workspace == ws && job.queued.job.columns().group == Some(group) && job.parked
                };
                let mut released = Vec::new();
                for job in self.jobs.values_mut().filter(of_group) {
                    job.parked = false;
                    job.queued.due_at = due_at;
                    released.push(job.queued.id);
                }
                released.into_iter().for_each(|job| self.plan_delivery(ws, job, Some(due_at)));
                Ok(())
            }
            JobChange::Bury { job, token, error, at } => {
                self.check_claim(ws, Claim { job, token })?;
                if self.is_of_delivery(job) {
                    self.end_claim(ws, job);
                } else if let Some(job) = self.jobs.get_mut(&job) {
                    (job.claimed, job.dead, job.error) = (false, Some(at), Some(error));
                }
                Ok(())
            }
            JobChange::DropDead { job } => {
                let lies_aside = |kept: &&JobRecord| kept.workspace == ws && kept.dead.is_some();
                self.jobs.get(&job).filter(lies_aside).ok_or(Conflict::NoLink)?;
                self.jobs.remove(&job);
                Ok(())
            }
        }
    }

    /// Makes the jobs due that were held for an event. Messages return to their lanes.
    pub(super) fn release_held(&mut self, ws: WorkspaceId, until: HeldUntil, due_at: Timestamp) {
        for kept in self.jobs.values_mut().filter(|kept| kept.workspace == ws) {
            let Some((_, lane)) = kept.held.take_if(|(of, _)| *of == until) else { continue };
            kept.parked = false;
            kept.queued.due_at = due_at;
            if let Job::SendMessage { conversation, .. } = &mut kept.queued.job {
                *conversation = lane;
            }
        }
    }

    fn is_of_delivery(&self, job: JobId) -> bool {
        self.jobs.get(&job).is_some_and(|kept| kept.queued.job.delivery(job).is_some())
    }
}

impl JobRecord {
    /// Creates an unclaimed job.
    pub(super) fn new(workspace: WorkspaceId, queued: NewJob) -> Self {
        Self {
            workspace,
            queued,
            claimed: false,
            token: 0,
            claims: 0,
            attempts: 0,
            parked: false,
            held: None,
            dead: None,
            error: None,
        }
    }

    fn shown(&self) -> QueuedJob {
        let status = match (self.dead, self.claimed) {
            (Some(_), _) => JobStatus::Dead,
            (None, true) => JobStatus::Running,
            (None, false) => JobStatus::Queued,
        };
        QueuedJob {
            id: self.queued.id,
            job: self.queued.job,
            status,
            attempts: self.attempts,
            error: self.error.clone(),
            due_at: self.queued.due_at,
            dead_at: self.dead,
        }
    }
}

#[async_trait]
impl JobQueries for MemoryStore {
    async fn get(&self, access: &Access, job: JobId) -> Answer<Option<QueuedJob>> {
        let state = self.lock();
        let is_own =
            |kept: &&JobRecord| kept.workspace == access.workspace() && kept.queued.job.delivery(job).is_none();
        Ok(state.jobs.get(&job).filter(is_own).map(JobRecord::shown))
    }

    async fn dead(&self, access: &Access, request: PageRequest) -> Answer<Page<QueuedJob>> {
        let state = self.lock();
        let is_dead = |kept: &&JobRecord| kept.workspace == access.workspace() && kept.dead.is_some();
        let dead = state.jobs.values().filter(is_dead).map(JobRecord::shown).collect();
        Ok(page(dead, request, |it: &QueuedJob| at(it.dead_at.unwrap_or(it.due_at), it.id)))
    }
}

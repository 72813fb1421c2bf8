//! What becomes of claimed jobs.

use super::apply::Applied;
use super::{KeptJob, State};
use crate::ids::{JobId, WorkspaceId};
use crate::ports::{Claim, JobChange};
use crate::time::Timestamp;

impl State {
    pub(super) fn change_jobs(&mut self, ws: WorkspaceId, change: JobChange) -> Applied {
        match change {
            JobChange::Finish { job, token } => {
                self.held(ws, Claim { job, token })?;
                match self.is_of_delivery(job) {
                    true => self.end_claim(ws, job),
                    false => drop(self.jobs.remove(&job)),
                }
                Ok(())
            }
            JobChange::Reschedule { job, token, due_at, error } => {
                self.held(ws, Claim { job, token })?;
                self.plan_delivery(ws, job, Some(due_at));
                if let Some(job) = self.jobs.get_mut(&job) {
                    job.claimed = false;
                    job.claims = 0;
                    job.attempts += i32::from(error.is_some());
                    job.queued.due_at = due_at;
                }
                Ok(())
            }
            JobChange::Park { job, token } => {
                self.held(ws, Claim { job, token })?;
                self.plan_delivery(ws, job, None);
                if let Some(job) = self.jobs.get_mut(&job) {
                    (job.claimed, job.claims, job.parked) = (false, 0, true);
                    job.queued.due_at = Timestamp::END;
                }
                Ok(())
            }
            JobChange::Release { group, due_at } => {
                let of_group = |job: &&mut KeptJob| {
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
            JobChange::Bury { job, token, .. } => {
                self.held(ws, Claim { job, token })?;
                if self.is_of_delivery(job) {
                    self.end_claim(ws, job);
                } else if let Some(job) = self.jobs.get_mut(&job) {
                    (job.claimed, job.dead) = (false, true);
                }
                Ok(())
            }
        }
    }

    fn is_of_delivery(&self, job: JobId) -> bool {
        self.jobs.get(&job).is_some_and(|kept| kept.queued.job.delivery(job).is_some())
    }
}

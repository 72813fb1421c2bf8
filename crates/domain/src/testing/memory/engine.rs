//! Claims, with the lease kept in the job's due time.

use std::time::Duration;

use async_trait::async_trait;

use super::MemoryStore;
use crate::ids::{EventId, WorkspaceId};
use crate::ports::{Claim, ClaimRequest, ClaimedJob, EngineStore, Pool, StoreError, StoredEvent};
use crate::time::Timestamp;

#[async_trait]
impl EngineStore for MemoryStore {
    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError> {
        let mut state = self.lock();
        for job in state.jobs.values_mut() {
            if job.job.kind.pool() == request.pool && job.job.due_at <= request.now && job.claims >= 5 {
                (job.claimed, job.dead) = (false, true);
            }
        }
        let is_due = |job: &super::Job| {
            job.job.kind.pool() == request.pool
                && !job.dead
                && job.job.due_at <= request.now
                && !job.job.group.is_some_and(|group| request.full_groups.contains(&group))
        };
        let mut due: Vec<_> =
            state.jobs.iter().filter(|(_, job)| is_due(job)).map(|(id, job)| (job.job.due_at, *id)).collect();
        due.sort_unstable();
        due.retain(|(_, id)| {
            let lane = state.jobs.get(id).and_then(|job| job.job.lane);
            lane.is_none_or(|lane| state.lane_is_free(lane, *id))
        });
        let mut claimed = Vec::new();
        for (_, id) in due.into_iter().take(request.limit as usize) {
            let Some(job) = state.jobs.get_mut(&id) else { continue };
            job.claimed = true;
            job.token += 1;
            job.claims += 1;
            job.job.due_at = request.now.plus(request.lease);
            claimed.push(ClaimedJob {
                id,
                workspace: job.workspace,
                kind: job.job.kind,
                subject: job.job.subject,
                mark: job.job.mark,
                group: job.job.group,
                token: job.token,
                attempts: job.attempts,
            });
        }
        Ok(claimed)
    }

    async fn extend(&self, claims: Vec<Claim>, lease: Duration, now: Timestamp) -> Result<Vec<Claim>, StoreError> {
        let mut state = self.lock();
        let mut extended = Vec::new();
        for claim in claims {
            let held = state.jobs.get_mut(&claim.job).filter(|job| job.claimed && job.token == claim.token);
            if let Some(job) = held {
                job.job.due_at = now.plus(lease);
                extended.push(claim);
            }
        }
        Ok(extended)
    }

    async fn next_due(&self, pool: Pool) -> Result<Option<Timestamp>, StoreError> {
        let state = self.lock();
        let open = state.jobs.iter().filter(|(id, job)| {
            let is_open = job.job.kind.pool() == pool && !job.dead && !job.claimed;
            is_open && job.job.lane.is_none_or(|lane| state.lane_is_free(lane, **id))
        });
        Ok(open.map(|(_, job)| job.job.due_at).min())
    }

    async fn event(&self, workspace: WorkspaceId, event: EventId) -> Result<Option<StoredEvent>, StoreError> {
        let state = self.lock();
        Ok(state.events.get(&(workspace, event)).map(|it| StoredEvent {
            id: it.id,
            kind: it.kind,
            at: it.at,
            full: it.full.clone(),
            thin: it.thin.clone(),
        }))
    }

    async fn count_facts(&self, limit: u32) -> Result<u64, StoreError> {
        Ok(self.move_facts(limit))
    }

    async fn expire_idempotency(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut state = self.lock();
        let old = state.answers.iter().filter(|(_, record)| record.created_at < before);
        let old: Vec<_> = old.map(|(key, _)| key.clone()).take(limit as usize).collect();
        for key in &old {
            state.answers.remove(key);
        }
        Ok(old.len() as u64)
    }
}

//! The slots of a pool: the claims of this process, running or waiting.

mod group;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

use tidings_domain::ids::{JobId, WorkspaceId};
use tidings_domain::ports::{Claim, ClaimedJob, HeldClaim, JobKind, Pool};
use uuid::Uuid;

use group::Group;
#[cfg(test)]
pub(crate) use group::QUICK;

/// Maximum number of claims of one workspace, if its share of the slots is not lower. Beyond it, a workspace gets no
/// more sends and deliveries, and short work only while no other workspace has due jobs.
pub(crate) const WORKSPACE_CLAIMED: usize = 128;

/// The key of a claim: job ID and token.
pub(crate) type Key = (JobId, i64);

pub(crate) fn key(job: &ClaimedJob) -> Key {
    (job.id, job.token)
}

/// The claims of one pool. Waiting claims use no slot: a slow group does not block the others.
#[derive(Debug)]
pub(crate) struct Slots {
    total: usize,
    /// Number of open slots, at most `total`; see [`Slots::opening`].
    open: usize,
    /// Whether new jobs may reserve a slot before they are written. True only if no due job waits in the store.
    pub(crate) accepts: bool,
    running: HashMap<Key, Running>,
    groups: HashMap<Uuid, Group>,
}

#[derive(Debug, Clone, Copy)]
struct Running {
    group: Option<Uuid>,
    workspace: WorkspaceId,
    is_retry: bool,
    /// Whether the duration shows how fast the receiver is. That of a download depends on the size of the file.
    shows_speed: bool,
    /// False while the job has a reserved slot and is not written yet. It cannot be claimed before that.
    is_written: bool,
}

impl Running {
    fn of(job: &ClaimedJob) -> Self {
        let kind = job.job.kind();
        let (is_retry, shows_speed) = (kind == JobKind::RetryDelivery, kind != JobKind::FetchMedia);
        Self { group: job.group(), workspace: job.workspace, is_retry, shows_speed, is_written: true }
    }
}

impl Slots {
    pub(crate) fn new(total: usize) -> Self {
        Self { total, open: total, accepts: false, running: HashMap::new(), groups: HashMap::new() }
    }

    /// Slots for `total` jobs at once, of which one is open at first. Each job that ends opens another, and
    /// [`Slots::open_more`] doubles them. See [`EngineSettings::warm_up`](crate::EngineSettings::warm_up).
    pub(crate) fn opening(total: usize) -> Self {
        Self { open: total.min(1), ..Self::new(total) }
    }

    /// Doubles the open slots, up to all.
    pub(crate) fn open_more(&mut self) {
        self.open = self.open.saturating_mul(2).min(self.total);
    }

    /// Whether all slots are open.
    pub(crate) fn is_open(&self) -> bool {
        self.open == self.total
    }

    /// Returns how many more jobs may be claimed.
    pub(crate) fn free(&self) -> usize {
        let taken = if self.is_open() { self.running.len() } else { self.count_claims() };
        self.open.saturating_sub(taken)
    }

    pub(crate) fn is_crowded(&self) -> bool {
        self.free() * 2 < self.open
    }

    pub(crate) fn count_claims(&self) -> usize {
        self.running.len() + self.groups.values().map(|group| group.waiting.len()).sum::<usize>()
    }

    /// Returns true if no slot is in use or reserved.
    pub(crate) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Returns the groups that have their maximum of claims.
    pub(crate) fn full_groups(&self) -> Vec<Uuid> {
        self.groups.iter().filter(|(_, group)| group.is_full()).map(|(id, _)| *id).collect()
    }

    /// Returns how many deliveries of a workspace are running or waiting. Other kinds of work are not limited this way.
    fn claims_of(&self, workspace: WorkspaceId) -> usize {
        let running = self.running.values().filter(|running| running.group.is_some() && running.workspace == workspace);
        let waiting = self.groups.values().flat_map(|group| &group.waiting).filter(|job| job.workspace == workspace);
        running.count() + waiting.count()
    }

    /// Returns the workspaces that have their maximum of claims. For short work, their share is half of the slots. A
    /// send, a delivery or a poll can wait long for another system, so their share depends on the number of free slots,
    /// and some stay free for a workspace that has none yet. One workspace occupies half of the slots for deliveries or
    /// polls, and two occupy two thirds. For sends it is two thirds and four fifths, because these slots are few. Waiting
    /// sends do not count, so a channel that does not answer leaves the share to other channels of its workspace.
    pub(crate) fn full_workspaces(&self, pool: Pool) -> Vec<WorkspaceId> {
        let mut held = HashMap::<WorkspaceId, usize>::new();
        let running = self.running.values().map(|running| running.workspace);
        let counted = self.groups.values().filter(|_| pool != Pool::Sends);
        let waiting = counted.flat_map(|group| &group.waiting).map(|job| job.workspace);
        for workspace in running.chain(waiting) {
            *held.entry(workspace).or_default() += 1;
        }
        let share = match pool {
            Pool::Deliveries | Pool::Polls => self.free(),
            Pool::Sends => self.free() * 2,
            Pool::Work => self.open.div_ceil(2),
        };
        let enough = WORKSPACE_CLAIMED.min(share);
        held.into_iter().filter(|(_, claims)| *claims >= enough).map(|(workspace, _)| workspace).collect()
    }

    /// Returns the maximum number of jobs in the next claim. All of them may belong to one workspace, so a claim of
    /// sends, deliveries or polls leaves a part of the free slots to others.
    pub(crate) fn claim_limit(&self, pool: Pool) -> usize {
        match pool {
            Pool::Deliveries | Pool::Polls => self.free().div_ceil(2),
            Pool::Sends => (self.free() * 2).div_ceil(3),
            Pool::Work => self.free(),
        }
    }

    /// Returns how many more retries may be claimed. A quarter of the slots is reserved for first attempts.
    pub(crate) fn free_for_retries(&self) -> usize {
        let running = self.running.values().filter(|running| running.is_retry).count();
        self.open.saturating_sub(self.open.div_ceil(4)).max(1).saturating_sub(running)
    }

    pub(crate) fn claims(&self) -> Vec<HeldClaim> {
        let written = self.running.iter().filter(|(_, running)| running.is_written);
        let running = written.map(|((job, token), running)| HeldClaim {
            workspace: running.workspace,
            claim: Claim { job: *job, token: *token },
        });
        running.chain(self.waiting_claims()).collect()
    }

    pub(crate) fn waiting_claims(&self) -> impl Iterator<Item = HeldClaim> {
        self.groups.values().flat_map(|group| &group.waiting).map(ClaimedJob::held_claim)
    }

    /// Adds a claimed job. Returns the job if it can start now.
    pub(crate) fn take(&mut self, job: ClaimedJob) -> Option<ClaimedJob> {
        if let Some(id) = job.group() {
            let group = self.groups.entry(id).or_insert_with(|| Group::new(job.job.pool(), self.total));
            if !group.may_run() {
                group.waiting.push_back(job);
                return None;
            }
            group.running += 1;
        }
        self.running.insert(key(&job), Running::of(&job));
        Some(job)
    }

    /// Reserves a slot for a job that is about to be written as claimed. Returns false if the job must wait in the
    /// store. [`Slots::end`] frees the slot.
    pub(crate) fn reserve(&mut self, job: &ClaimedJob) -> bool {
        let is_full = |group: Uuid| self.groups.get(&group).is_some_and(|group| !group.may_run());
        let refused = !self.accepts
            || self.is_crowded()
            || job.group().is_some_and(is_full)
            || self.running.contains_key(&key(job))
            || self.claims_of(job.workspace) >= WORKSPACE_CLAIMED;
        if !refused {
            if let Some(id) = job.group() {
                self.groups.entry(id).or_insert_with(|| Group::new(job.job.pool(), self.total)).running += 1;
            }
            self.running.insert(key(job), Running { is_written: false, ..Running::of(job) });
        }
        !refused
    }

    /// Marks the job of a reserved slot as written. Returns false if the slot is no longer reserved.
    pub(crate) fn confirm_reserved(&mut self, job: &ClaimedJob) -> bool {
        let kept = self.running.get_mut(&key(job));
        kept.map(|running| running.is_written = true).is_some()
    }

    /// Removes a claim that ended or was lost. `took` is the duration of the job. Returns the jobs that may start now.
    pub(crate) fn end(&mut self, ended: Key, took: Option<Duration>) -> Vec<ClaimedJob> {
        let Some(Running { group, shows_speed, .. }) = self.running.remove(&ended) else {
            for group in self.groups.values_mut() {
                group.waiting.retain(|job| key(job) != ended);
            }
            return Vec::new();
        };
        self.open = (self.open + 1).min(self.total);
        let Some((id, group)) = group.and_then(|id| Some((id, self.groups.get_mut(&id)?))) else { return Vec::new() };
        group.end(took.filter(|_| shows_speed));
        let mut next = Vec::new();
        while group.may_run()
            && (group.running == 0 || self.running.len() < self.open)
            && let Some(job) = group.waiting.pop_front()
        {
            group.running += 1;
            self.running.insert(key(&job), Running::of(&job));
            next.push(job);
        }
        if group.running == 0 && group.waiting.is_empty() {
            self.groups.remove(&id);
        }
        next
    }

    /// Returns older claims of the same job. Their leases have expired, because the job was claimed again.
    pub(crate) fn superseded_by(&self, job: &ClaimedJob) -> Vec<Key> {
        let waiting = self.groups.values().flat_map(|group| &group.waiting).map(key);
        self.running.keys().copied().chain(waiting).filter(|(id, token)| *id == job.id && *token != job.token).collect()
    }

    /// Removes the waiting jobs and returns their claims.
    pub(crate) fn drop_waiting(&mut self) -> Vec<HeldClaim> {
        let dropped = self.waiting_claims().collect();
        self.groups.values_mut().for_each(|group| group.waiting.clear());
        dropped
    }
}

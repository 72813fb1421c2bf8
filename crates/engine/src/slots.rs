//! The slots of a pool: the claims of this process, running or waiting.

mod group;

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
    /// send or a delivery can wait long for another system, so their share depends on the number of free slots, and
    /// some stay free for a workspace that has none yet. One workspace occupies half of the slots for deliveries, and
    /// two occupy two thirds. For sends it is two thirds and four fifths, because these slots are few. Waiting sends do
    /// not count, so a channel that does not answer leaves the share to other channels of its workspace.
    pub(crate) fn full_workspaces(&self, pool: Pool) -> Vec<WorkspaceId> {
        let mut held = HashMap::<WorkspaceId, usize>::new();
        let running = self.running.values().map(|running| running.workspace);
        let counted = self.groups.values().filter(|_| pool != Pool::Sends);
        let waiting = counted.flat_map(|group| &group.waiting).map(|job| job.workspace);
        for workspace in running.chain(waiting) {
            *held.entry(workspace).or_default() += 1;
        }
        let share = match pool {
            Pool::Deliveries => self.free(),
            Pool::Sends => self.free() * 2,
            Pool::Work => self.open.div_ceil(2),
        };
        let enough = WORKSPACE_CLAIMED.min(share);
        held.into_iter().filter(|(_, claims)| *claims >= enough).map(|(workspace, _)| workspace).collect()
    }

    /// Returns the maximum number of jobs in the next claim. All of them may belong to one workspace, so a claim of
    /// sends or deliveries leaves a part of the free slots to others.
    pub(crate) fn claim_limit(&self, pool: Pool) -> usize {
        match pool {
            Pool::Deliveries => self.free().div_ceil(2),
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

#[cfg(test)]
mod tests {
    use super::*;
    use tidings_domain::ids::TypedId;
    use tidings_domain::ports::Job;

    use crate::testing::{a_delivery, a_fetch_by, a_job, a_send_by};

    const HOOK: u128 = 0xB0;

    fn take_all(slots: &mut Slots, jobs: &[ClaimedJob]) {
        for job in jobs {
            slots.take(*job);
        }
    }

    #[test]
    fn runs_eight_jobs_of_a_group_and_queues_the_rest() {
        let mut slots = Slots::new(32);
        let started = (0..20).filter_map(|number| slots.take(a_delivery(number, HOOK))).count();
        assert_eq!((started, slots.free(), slots.claims().len()), (8, 24, 20));
        assert_eq!(slots.full_groups(), [Uuid::from_u128(HOOK)]);
        assert!(slots.take(a_delivery(100, HOOK + 1)).is_some(), "another group is not delayed");
    }

    #[test]
    fn opens_a_slot_per_ended_job_and_doubles_them_in_time() {
        let mut slots = Slots::opening(8);
        assert_eq!((slots.free(), slots.is_open()), (1, false));
        slots.take(a_job(1));
        assert_eq!(slots.free(), 0);
        slots.end(key(&a_job(1)), Some(QUICK));
        assert_eq!(slots.free(), 2);
        slots.open_more();
        assert_eq!((slots.free(), slots.is_open()), (4, false));
        slots.open_more();
        slots.open_more();
        assert_eq!((slots.free(), slots.is_open()), (8, true));
    }

    #[test]
    fn claims_no_jobs_to_wait_while_slots_open() {
        let mut slots = Slots::opening(64);
        (0..4).for_each(|_| slots.open_more());
        take_all(&mut slots, &(0..16).map(|number| a_delivery(number, HOOK)).collect::<Vec<_>>());
        assert_eq!((slots.count_claims(), slots.free()), (16, 0), "eight run, eight wait");
        slots.open_more();
        slots.open_more();
        assert_eq!((slots.is_open(), slots.free()), (true, 56));
    }

    #[test]
    fn a_group_is_full_at_sixteen_claims() {
        let mut slots = Slots::new(32);
        take_all(&mut slots, &(0..15).map(|number| a_delivery(number, HOOK)).collect::<Vec<_>>());
        assert!(slots.full_groups().is_empty());
        slots.take(a_delivery(15, HOOK));
        assert_eq!(slots.full_groups().len(), 1);
    }

    #[test]
    fn starts_the_next_job_of_a_group_in_order() {
        let mut slots = Slots::new(32);
        let jobs: Vec<_> = (0..10).map(|number| a_delivery(number, HOOK)).collect();
        take_all(&mut slots, &jobs);
        let slowly = Some(QUICK * 2);
        assert_eq!(slots.end(key(&jobs[3]), slowly), [jobs[8]]);
        assert_eq!(slots.end(key(&jobs[8]), slowly), [jobs[9]]);
        assert_eq!(slots.end(key(&jobs[9]), slowly), []);
        assert_eq!(slots.free(), 25);
    }

    #[test]
    fn a_fast_group_gets_more_slots_until_it_is_slow_again() {
        let mut slots = Slots::new(256);
        let jobs: Vec<_> = (0..200).map(|number| a_delivery(number, HOOK)).collect();
        take_all(&mut slots, &jobs[..16]);
        assert_eq!(slots.full_groups().len(), 1);
        assert_eq!(slots.end(key(&jobs[0]), Some(QUICK)).len(), 8, "all waiting jobs start");
        assert!(slots.full_groups().is_empty());
        let started = jobs[16..].iter().filter_map(|job| slots.take(*job)).count();
        assert_eq!((started, slots.full_groups().len()), (96 - 15, 1));
        assert_eq!(slots.end(key(&jobs[1]), Some(QUICK * 2)), []);
        assert_eq!(slots.free(), 256 - 95, "running jobs keep their slots");
    }

    #[test]
    fn never_starts_a_waiting_job_with_a_lost_claim() {
        let mut slots = Slots::new(32);
        let jobs: Vec<_> = (0..10).map(|number| a_delivery(number, HOOK)).collect();
        take_all(&mut slots, &jobs);
        assert_eq!(slots.end(key(&jobs[8]), None), []);
        assert_eq!(slots.end(key(&jobs[0]), None), [jobs[9]]);
    }

    #[test]
    fn a_newer_claim_of_the_same_job_supersedes_the_older() {
        let mut slots = Slots::new(4);
        let old = a_job(1);
        slots.take(old);
        let newer = ClaimedJob { token: old.token + 1, ..old };
        assert_eq!(slots.superseded_by(&newer), [key(&old)]);
        assert_eq!(slots.superseded_by(&old), []);
    }

    #[test]
    fn a_workspace_is_full_at_128_claims() {
        let mut slots = Slots::new(256);
        take_all(&mut slots, &(0..127).map(|number| a_delivery(number, HOOK + number / 8)).collect::<Vec<_>>());
        assert!(slots.full_workspaces(Pool::Deliveries).is_empty());
        slots.take(a_delivery(127, HOOK));
        assert_eq!(slots.full_workspaces(Pool::Deliveries).len(), 1);
        assert_eq!(slots.free(), 256 - 127, "the last job waits because eight jobs of its webhook run");
    }

    /// Claims jobs that wait for another system for these workspaces in turn, until none may claim more. Returns the
    /// number of free slots.
    fn fill(slots: &mut Slots, pool: Pool, workspaces: u128) -> usize {
        let all = (0..workspaces).map(|number| WorkspaceId::from_uuid(Uuid::from_u128(number)));
        let mut number = slots.claims().len() as u128;
        loop {
            let full = slots.full_workspaces(pool);
            let open: Vec<_> = all.clone().filter(|workspace| !full.contains(workspace)).collect();
            if open.is_empty() {
                return slots.free();
            }
            for workspace in open.iter().cycle().take(slots.claim_limit(pool)) {
                slots.take(ClaimedJob { workspace: *workspace, ..a_delivery(number, HOOK + number) });
                number += 1;
            }
        }
    }

    #[test]
    fn leaves_slots_for_sends_and_deliveries_of_further_workspaces() {
        for (pool, total, workspaces, free) in [
            (Pool::Deliveries, 256, 1, 128),
            (Pool::Deliveries, 256, 2, 64),
            (Pool::Deliveries, 256, 10, 16),
            (Pool::Deliveries, 64, 1, 32),
            (Pool::Sends, 64, 1, 21),
            (Pool::Sends, 64, 2, 7),
        ] {
            assert_eq!(fill(&mut Slots::new(total), pool, workspaces), free, "{pool:?}, {workspaces} workspaces");
        }
        let mut slots = Slots::new(256);
        let free = fill(&mut slots, Pool::Deliveries, 2);
        assert!(slots.claim_limit(Pool::Deliveries) >= free / 2, "a third workspace can claim");
        assert!(fill(&mut slots, Pool::Deliveries, 3) > 0);
    }

    #[test]
    fn waiting_sends_of_a_silent_channel_leave_the_share_of_the_workspace() {
        let mut slots = Slots::new(64);
        take_all(&mut slots, &(0..43).map(|number| a_send_by(HOOK, number)).collect::<Vec<_>>());
        assert_eq!((slots.free(), slots.count_claims()), (32, 43), "half of the slots run");
        assert_eq!(slots.full_groups(), [Uuid::from_u128(HOOK)]);
        for number in 100..108 {
            assert!(slots.full_workspaces(Pool::Sends).is_empty(), "{number}");
            assert!(slots.take(a_send_by(HOOK + number, number)).is_some());
        }
    }

    #[test]
    fn downloads_count_in_the_group_of_their_channel_and_do_not_change_its_limit() {
        let mut slots = Slots::new(64);
        let fetches: Vec<_> = (0..40).map(|number| a_fetch_by(HOOK, number)).collect();
        assert_eq!(fetches.iter().filter_map(|job| slots.take(*job)).count(), 32);
        assert_eq!(slots.full_groups(), [Uuid::from_u128(HOOK)]);
        assert!(slots.take(a_send_by(HOOK + 1, 100)).is_some(), "another channel is not delayed");
        for fetch in &fetches[1..] {
            slots.end(key(fetch), Some(Duration::from_secs(30)));
        }
        let sends = (200..240).filter_map(|number| slots.take(a_send_by(HOOK, number)));
        assert_eq!(sends.count(), 31, "large files do not slow down messages");
    }

    #[test]
    fn a_workspace_is_full_at_half_of_the_slots_for_short_work() {
        let mut slots = Slots::new(32);
        take_all(&mut slots, &(0..15).map(a_job).collect::<Vec<_>>());
        assert!(slots.full_workspaces(Pool::Work).is_empty());
        slots.take(a_job(15));
        assert_eq!((slots.full_workspaces(Pool::Work).len(), slots.claim_limit(Pool::Work)), (1, 16));
    }

    #[test]
    fn reserves_a_quarter_of_the_slots_for_first_attempts() {
        let mut slots = Slots::new(32);
        assert_eq!(slots.free_for_retries(), 24);
        let retry = |number| {
            let first = a_delivery(number, HOOK + number / 8);
            let Job::AttemptDelivery { delivery, webhook, round } = first.job else { panic!("{first:?}") };
            ClaimedJob { job: Job::RetryDelivery { delivery, webhook, round }, ..first }
        };
        take_all(&mut slots, &(0..24).map(retry).collect::<Vec<_>>());
        assert_eq!((slots.free_for_retries(), slots.free()), (0, 8));
        slots.end(key(&retry(3)), None);
        assert_eq!((slots.free_for_retries(), Slots::new(1).free_for_retries()), (1, 1));
    }

    #[test]
    fn is_idle_after_all_jobs_end() {
        let mut slots = Slots::new(4);
        let jobs: Vec<_> = (0..12).map(|number| a_delivery(number, HOOK)).collect();
        take_all(&mut slots, &jobs);
        for job in &jobs {
            slots.end(key(job), Some(QUICK));
        }
        assert!(slots.is_idle() && slots.claims().is_empty() && slots.groups.is_empty());
    }
}

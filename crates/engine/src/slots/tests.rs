//! Slots, groups and shares of workspaces.

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
fn leaves_slots_for_jobs_of_further_workspaces_that_wait_for_others() {
    for (pool, total, workspaces, free) in [
        (Pool::Deliveries, 256, 1, 128),
        (Pool::Deliveries, 256, 2, 64),
        (Pool::Deliveries, 256, 10, 16),
        (Pool::Deliveries, 64, 1, 32),
        (Pool::Sends, 64, 1, 21),
        (Pool::Sends, 64, 2, 7),
        (Pool::Polls, 64, 1, 32),
        (Pool::Polls, 64, 10, 4),
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

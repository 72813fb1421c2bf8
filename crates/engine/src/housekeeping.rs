//! Periodic work: deletion of expired rows and of files, poison jobs, deleted workspaces, sort keys, analytics counters
//! and first checks of channels.

mod expiry;
#[cfg(test)]
mod tests;

use std::time::Duration;

use tidings_domain::ports::{Pool, StoreError};
use tidings_domain::work::bury_poison;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::pool::{LoopContext, stopped};
use expiry::{Passed, expire};

/// Interval between deletions.
const EVERY: Duration = Duration::from_secs(60);
/// Interval between searches for files without a row. Each search reads the list of all files.
const FILES_EVERY: Duration = Duration::from_secs(3_600);
/// Interval between searches for connected channels without a planned check. An API process of an earlier release
/// connects a channel without one.
const CHECKS_EVERY: Duration = Duration::from_secs(15 * 60);
/// Maximum number of channels that one search reads at once.
const CHANNEL_BATCH: u32 = 200;
/// Interval between searches for names without a sort key.
const SORTED_EVERY: Duration = Duration::from_secs(60);
/// Maximum number of contacts, and of tags, that get their sort keys in one transaction.
const SORT_BATCH: u32 = 200;
/// Interval between moves of facts into the analytics counters.
const COUNTED_EVERY: Duration = Duration::from_secs(1);
/// Interval between searches for poison jobs, which have five expired leases. Each search also scans the rows of
/// claimed jobs that are not vacuumed yet.
const POISON_EVERY: Duration = Duration::from_secs(5);
/// Maximum number of rows that one transaction deletes, to not block other writers for long.
const BATCH: u32 = 1_000;
/// As [`BATCH`], for rows of a deleted workspace. A row can be one mebibyte, and other writers wait on SQLite.
const ERASE_BATCH: u32 = 200;

/// Runs until `stop` turns true. The tasks run concurrently: a slow deletion does not delay the others.
pub(crate) async fn run_housekeeping(context: LoopContext, stop: watch::Receiver<bool>) {
    futures::join!(
        delete_expired(&context, stop.clone()),
        bury_poison_jobs(&context, stop.clone()),
        erase_workspaces(&context, stop.clone()),
        sort(&context, stop.clone()),
        sweep_files(&context, stop.clone()),
        plan_checks(&context, stop.clone()),
        count_new_facts(&context, stop)
    );
}

async fn delete_expired(context: &LoopContext, mut stop: watch::Receiver<bool>) {
    let (mut beat, mut failures) = (beat(EVERY), FailureLog::default());
    let mut passed = Passed::default();
    while next(&mut beat, &mut stop).await {
        let Some(outcome) = until(&mut stop, expire(context, &mut passed)).await else { return };
        failures.log(outcome);
    }
}

async fn bury_poison_jobs(context: &LoopContext, mut stop: watch::Receiver<bool>) {
    let (mut beat, mut failures) = (beat(POISON_EVERY), FailureLog::default());
    while next(&mut beat, &mut stop).await {
        let Some(outcome) = until(&mut stop, bury(context)).await else { return };
        failures.log(outcome);
    }
}

/// Erases deleted workspaces. A failure here does not block other work.
async fn erase_workspaces(context: &LoopContext, mut stop: watch::Receiver<bool>) {
    let (mut beat, mut failures) = (beat(EVERY), FailureLog::default());
    while next(&mut beat, &mut stop).await {
        let Some(outcome) = until(&mut stop, erase(context)).await else { return };
        failures.log(outcome);
    }
}

async fn erase(context: &LoopContext) -> Result<(), StoreError> {
    while context.store.erase_workspace(context.clock.now(), ERASE_BATCH).await? > 0 {}
    Ok(())
}

async fn sweep_files(context: &LoopContext, mut stop: watch::Receiver<bool>) {
    let (mut beat, mut failures) = (beat(FILES_EVERY), FailureLog::default());
    while next(&mut beat, &mut stop).await {
        let Some(outcome) = until(&mut stop, context.performer.sweep_files()).await else { return };
        if let Ok(deleted @ 1..) = &outcome {
            tracing::info!(files = *deleted, "files without a row were deleted");
        }
        failures.log(outcome.map(|_| ()));
    }
}

async fn plan_checks(context: &LoopContext, mut stop: watch::Receiver<bool>) {
    let (mut beat, mut failures) = (beat(CHECKS_EVERY), FailureLog::default());
    while next(&mut beat, &mut stop).await {
        let Some(outcome) = until(&mut stop, plan_first_checks(context)).await else { return };
        failures.log(outcome);
    }
}

async fn plan_first_checks(context: &LoopContext) -> Result<(), StoreError> {
    let mut after = context.performer.plan_checks(None, CHANNEL_BATCH).await?;
    while after.is_some() {
        after = context.performer.plan_checks(after, CHANNEL_BATCH).await?;
    }
    Ok(())
}

async fn sort(context: &LoopContext, mut stop: watch::Receiver<bool>) {
    let (mut beat, mut failures) = (beat(SORTED_EVERY), FailureLog::default());
    while next(&mut beat, &mut stop).await {
        let Some(outcome) = until(&mut stop, fill_sort_keys(context)).await else { return };
        failures.log(outcome);
    }
}

async fn count_new_facts(context: &LoopContext, mut stop: watch::Receiver<bool>) {
    let (mut beat, mut failures) = (beat(COUNTED_EVERY), FailureLog::default());
    while next(&mut beat, &mut stop).await {
        let Some(outcome) = until(&mut stop, count(context)).await else { return };
        failures.log(outcome);
    }
}

fn beat(every: Duration) -> Interval {
    let mut beat = interval(every);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat
}

/// Waits for the next beat. Returns false if the engine stops.
async fn next(beat: &mut Interval, stop: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        () = stopped(stop) => false,
        _ = beat.tick() => true,
    }
}

/// Logs the first of a series of failures of the store.
#[derive(Default)]
struct FailureLog {
    is_logged: bool,
}

impl FailureLog {
    fn log(&mut self, outcome: Result<(), StoreError>) {
        let Err(error) = outcome else {
            self.is_logged = false;
            return;
        };
        if !std::mem::replace(&mut self.is_logged, true) {
            tracing::warn!(%error, "housekeeping failed; retrying");
        }
    }
}

/// Returns the outcome of `work`, or `None` if the engine stops first.
async fn until<T>(stop: &mut watch::Receiver<bool>, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        () = stopped(stop) => None,
        outcome = work => Some(outcome),
    }
}

async fn bury(context: &LoopContext) -> Result<(), StoreError> {
    let (lease, now) = (context.settings.lease, context.clock.now());
    while bury_poison(&*context.store, &*context.performer, lease, now).await? > 0 {
        tracing::error!(
            "jobs that were claimed five times without a result are now dead letters: see `tidings jobs list`"
        );
        Pool::ALL.into_iter().for_each(|pool| context.wake.wake(pool));
    }
    Ok(())
}

async fn fill_sort_keys(context: &LoopContext) -> Result<(), StoreError> {
    while context.store.fill_sort_keys(SORT_BATCH).await? > 0 {}
    Ok(())
}

async fn count(context: &LoopContext) -> Result<(), StoreError> {
    while context.store.count_facts(BATCH).await? >= u64::from(BATCH) {}
    Ok(())
}

//! Periodic work: deletion of expired rows and of files, poison jobs, deleted workspaces, sort keys, analytics counters
//! and first checks of channels.

use std::time::Duration;

use tidings_domain::channels::{EVENT_DAYS, UNPARSED_DAYS};
use tidings_domain::media::UNUSED_HOURS;
use tidings_domain::ports::{Pool, StoreError, SweepPlace};
use tidings_domain::retention::days;
use tidings_domain::time::Timestamp;
use tidings_domain::work::bury_poison;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::pool::{LoopContext, stopped};

/// Retention of responses to requests with an idempotency key.
const KEPT: Duration = Duration::from_secs(24 * 3_600);
/// Retention of attempt counters. Statistics cover the last day.
const COUNTS_KEPT: Duration = Duration::from_secs(48 * 3_600);
/// Interval between deletions.
const EVERY: Duration = Duration::from_secs(60);
/// Interval between complete passes over old messages. Passes between them examine only messages that became old.
const MESSAGES_EVERY: Duration = Duration::from_secs(24 * 3_600);
/// Retention of files that no message uses.
const UNUSED_KEPT: Duration = Duration::from_secs(UNUSED_HOURS * 3_600);
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
/// As [`BATCH`], for large rows: events with their deliveries, deliveries with their attempts, and requests that were not
/// understood.
const EVENT_BATCH: u32 = 100;

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

/// Instants from where the next deletion of dependent rows continues.
struct Passed {
    /// Runs that ended before this have no traces left.
    traces: Timestamp,
    /// Broadcasts that ended before this have no recipients left.
    recipients: Timestamp,
    /// Messages up to this place were examined since `pass_began`.
    messages: SweepPlace,
    /// Start of the last complete pass over old messages.
    pass_began: Option<Timestamp>,
    /// Contacts that were deleted up to this place are erased.
    contacts: SweepPlace,
}

impl Default for Passed {
    fn default() -> Self {
        let start = Timestamp::from_millis(0);
        let (messages, contacts) = (SweepPlace::before(start), SweepPlace::before(start));
        Self { traces: start, recipients: start, messages, pass_began: None, contacts }
    }
}

/// Deletes expired rows in batches of bounded size.
async fn expire(context: &LoopContext, passed: &mut Passed) -> Result<(), StoreError> {
    let (store, now, kept) = (&context.store, context.clock.now(), context.settings.retention);
    while store.expire_idempotency(now.minus(KEPT), BATCH).await? >= u64::from(BATCH) {}
    let (deliveries, events) = (now.minus(days(kept.deliveries)), now.minus(days(kept.events)));
    while store.expire_deliveries(deliveries, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    while store.expire_events(events, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    while store.expire_counts(now.minus(COUNTS_KEPT), BATCH).await? >= u64::from(BATCH) {}
    let custom_events = now.minus(days(kept.custom_events));
    while store.expire_custom_events(custom_events, BATCH).await? >= u64::from(BATCH) {}
    let received = now.minus(days(UNPARSED_DAYS));
    while store.expire_unparsed(received, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    let received = now.minus(days(EVENT_DAYS));
    while store.expire_provider_events(received, BATCH).await? >= u64::from(BATCH) {}
    expire_content(context, passed).await?;
    while store.expire_media(now.minus(UNUSED_KEPT), BATCH).await? >= u64::from(BATCH) {}
    while store.expire_audit_log(now.minus(days(kept.audit_log)), BATCH).await? >= u64::from(BATCH) {}
    let ended = now.minus(days(kept.traces));
    while let Some(next) = store.expire_traces(passed.traces, ended, EVENT_BATCH).await? {
        passed.traces = next;
    }
    passed.traces = passed.traces.max(ended);
    while store.expire_runs(now.minus(days(kept.runs)), EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    let ended = now.minus(days(kept.recipients));
    while let Some(next) = store.expire_recipients(passed.recipients, ended, BATCH).await? {
        passed.recipients = next;
    }
    passed.recipients = passed.recipients.max(ended);
    Ok(())
}

/// Deletes old messages and conversations, and erases contacts that were deleted long ago, if they have a retention.
async fn expire_content(context: &LoopContext, passed: &mut Passed) -> Result<(), StoreError> {
    let (store, now, kept) = (&context.store, context.clock.now(), context.settings.retention);
    if kept.messages > 0 {
        let before = now.minus(days(kept.messages));
        if passed.pass_began.is_none_or(|began| began.plus(MESSAGES_EVERY) <= now) {
            // Messages that remained earlier may be deleted now: their conversations have newer messages, for example.
            (passed.messages, passed.pass_began) = (SweepPlace::before(Timestamp::from_millis(0)), Some(now));
        }
        while let Some(next) = store.expire_messages(passed.messages, before, EVENT_BATCH).await? {
            passed.messages = next;
        }
        passed.messages = passed.messages.max(SweepPlace::before(before));
    }
    if kept.conversations > 0 {
        let before = now.minus(days(kept.conversations));
        while store.expire_conversations(before, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    }
    if kept.deleted_contacts > 0 {
        let before = now.minus(days(kept.deleted_contacts));
        while let Some(next) = context.performer.erase_deleted(passed.contacts, before, EVENT_BATCH).await? {
            passed.contacts = next;
        }
        passed.contacts = passed.contacts.max(SweepPlace::before(before));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tidings_domain::ports::MockEngineStore;
    use tidings_domain::retention::Retention;

    use super::*;
    use crate::testing::{Scripted, loop_context};

    #[tokio::test(start_paused = true)]
    async fn removes_expired_rows_until_a_batch_is_not_full() {
        let mut store = MockEngineStore::new();
        let a_day_ago = Timestamp::EPOCH_2026.minus(Duration::from_secs(86_400));
        let mut left = vec![12, 1_000, 1_000].into_iter().rev().collect::<Vec<_>>();
        store
            .expect_expire_idempotency()
            .withf(move |before, limit| *before == a_day_ago && *limit == 1_000)
            .times(3)
            .returning(move |_, _| Ok(left.remove(0)));
        store.expect_poisoned().returning(|_, _, _| Ok(Vec::new()));
        store.expect_count_facts().returning(|_| Ok(0));
        let mut left = vec![0, 7, 400].into_iter().rev();
        store
            .expect_fill_sort_keys()
            .withf(|limit| *limit == 200)
            .times(3)
            .returning(move |_| Ok(left.next().unwrap()));
        let days_ago = move |days: u64| Timestamp::EPOCH_2026.minus(Duration::from_secs(days * 86_400));
        let is_old = move |before: &Timestamp, _: &u32| *before == days_ago(40);
        store.expect_expire_events().withf(is_old).times(1).returning(|_, _| Ok(99));
        let is_old = move |before: &Timestamp, _: &u32| *before == days_ago(7);
        let mut left = vec![100, 3].into_iter();
        store.expect_expire_deliveries().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let mut asked = Vec::new();
        store
            .expect_expire_traces()
            .withf(move |_, before, limit| *before == days_ago(400) && *limit == 100)
            .times(2)
            .returning(move |from, _, _| {
                asked.push(from);
                Ok((asked.len() == 1).then(|| days_ago(500)))
            });
        let is_old = move |before: &Timestamp, limit: &u32| *before == days_ago(300) && *limit == 1_000;
        let mut left = vec![1_000, 7].into_iter();
        store.expect_expire_custom_events().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let is_old = move |before: &Timestamp, limit: &u32| *before == days_ago(7) && *limit == 100;
        let mut left = vec![100, 5].into_iter();
        store.expect_expire_unparsed().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let is_old = move |before: &Timestamp, limit: &u32| *before == days_ago(8) && *limit == 1_000;
        let mut left = vec![1_000, 3].into_iter();
        store.expect_expire_provider_events().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let is_old = move |before: &Timestamp, limit: &u32| *before == days_ago(1) && *limit == 1_000;
        let mut left = vec![1_000, 4].into_iter();
        store.expect_expire_media().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let is_old = move |before: &Timestamp, limit: &u32| *before == days_ago(60) && *limit == 1_000;
        let mut left = vec![1_000, 2].into_iter();
        store.expect_erase_workspace().returning(|_, _| Ok(0));
        store.expect_expire_audit_log().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let is_old = move |before: &Timestamp, _: &u32| *before == days_ago(2);
        store.expect_expire_counts().withf(is_old).times(1).returning(|_, _| Ok(0));
        let mut left = vec![100, 0].into_iter();
        let is_old = move |before: &Timestamp, limit: &u32| *before == days_ago(200) && *limit == 100;
        store.expect_expire_runs().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let mut asked = Vec::new();
        store
            .expect_expire_recipients()
            .withf(move |_, before, limit| *before == days_ago(100) && *limit == 1_000)
            .times(2)
            .returning(move |from, _, _| {
                asked.push(from);
                assert!(asked.len() == 1 || from == days_ago(150), "it continues at its last position");
                Ok((asked.len() == 1).then(|| days_ago(150)))
            });
        let retention = Retention {
            events: 40,
            deliveries: 7,
            usage: 30,
            traces: 400,
            custom_events: 300,
            runs: 200,
            recipients: 100,
            audit_log: 60,
            deleted_workspaces: 7,
            ..Retention::default()
        };
        left_alone_after_the_first_round(store, retention).await;
    }

    #[tokio::test(start_paused = true)]
    async fn deletes_only_content_that_has_a_retention() {
        let mut store = idle();
        let days_ago = move |days: u64| Timestamp::EPOCH_2026.minus(Duration::from_secs(days * 86_400));
        let place = SweepPlace::before(days_ago(70));
        let mut asked = Vec::new();
        store
            .expect_expire_messages()
            .withf(move |_, before, limit| *before == days_ago(50) && *limit == 100)
            .times(2)
            .returning(move |from, _, _| {
                asked.push(from);
                assert!(asked.len() == 1 || from == place, "it continues at its last position");
                Ok((asked.len() == 1).then_some(place))
            });
        let is_old = move |before: &Timestamp, limit: &u32| *before == days_ago(45) && *limit == 100;
        let mut left = vec![100, 8].into_iter();
        store.expect_expire_conversations().withf(is_old).times(2).returning(move |_, _| Ok(left.next().unwrap()));
        let retention = Retention { messages: 50, conversations: 45, deleted_contacts: 35, ..Retention::default() };
        let performer = left_alone_after_the_first_round(store, retention).await;
        assert_eq!(performer.erased_before(), [days_ago(35)]);
        let performer = left_alone_after_the_first_round(idle(), Retention::default()).await;
        assert_eq!(performer.erased_before(), [], "content has no retention by default");
    }

    #[tokio::test(start_paused = true)]
    async fn plans_the_first_checks_of_all_channels_at_the_start() {
        let performer = left_alone_after_the_first_round(idle(), Retention::default()).await;
        let planned = performer.planned_after();
        assert!(matches!(planned[..], [None, Some(_)]), "{planned:?}");
    }

    /// Returns a store without expired rows. It panics if content is deleted.
    fn idle() -> MockEngineStore {
        let mut store = without_expired_rows();
        store.expect_poisoned().returning(|_, _, _| Ok(Vec::new()));
        store.expect_count_facts().returning(|_| Ok(0));
        store
    }

    fn without_expired_rows() -> MockEngineStore {
        let mut store = MockEngineStore::new();
        store.expect_expire_idempotency().returning(|_, _| Ok(0));
        store.expect_expire_events().returning(|_, _| Ok(0));
        store.expect_expire_deliveries().returning(|_, _| Ok(0));
        store.expect_expire_traces().returning(|_, _, _| Ok(None));
        store.expect_expire_counts().returning(|_, _| Ok(0));
        store.expect_expire_custom_events().returning(|_, _| Ok(0));
        store.expect_expire_unparsed().returning(|_, _| Ok(0));
        store.expect_expire_provider_events().returning(|_, _| Ok(0));
        store.expect_expire_media().returning(|_, _| Ok(0));
        store.expect_erase_workspace().returning(|_, _| Ok(0));
        store.expect_expire_audit_log().returning(|_, _| Ok(0));
        store.expect_expire_runs().returning(|_, _| Ok(0));
        store.expect_expire_recipients().returning(|_, _, _| Ok(None));
        store.expect_fill_sort_keys().returning(|_| Ok(0));
        store
    }

    #[tokio::test(start_paused = true)]
    async fn counts_facts_every_second() {
        let mut store = without_expired_rows();
        store.expect_poisoned().times(12..=13).returning(|_, _, _| Ok(Vec::new()));
        let mut left = vec![1_000, 3];
        store
            .expect_count_facts()
            .times(59..=61)
            .returning(move |_| Ok(if left.is_empty() { 0 } else { left.remove(0) }));
        left_alone_after_the_first_round(store, Retention::default()).await;
    }

    /// Returns the performer.
    async fn left_alone_after_the_first_round(store: MockEngineStore, retention: Retention) -> Scripted {
        let (stop, stopped) = watch::channel(false);
        let performer = Scripted::default();
        let mut context = loop_context(store, performer.clone());
        context.settings.retention = retention;
        let housekeeping = tokio::spawn(run_housekeeping(context, stopped));
        tokio::time::sleep(Duration::from_secs(59)).await;
        stop.send(true).unwrap();
        housekeeping.await.unwrap();
        performer
    }
}

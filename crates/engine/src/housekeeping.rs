//! What is thrown away when its time is over, and what is gathered meanwhile.

use std::time::Duration;

use tidings_domain::ports::{Pool, StoreError};
use tokio::sync::watch;
use tokio::time::interval;

use crate::pool::{Means, stopped};

/// For how long the answer to a request with an idempotency key is kept.
const KEPT: Duration = Duration::from_secs(24 * 3_600);
/// For how long events are kept, with what became of their deliveries.
const EVENTS_KEPT: Duration = Duration::from_secs(30 * 24 * 3_600);
/// For how long the counters of attempts are: statistics look back a day.
const COUNTS_KEPT: Duration = Duration::from_secs(48 * 3_600);
/// How often is looked for older ones.
const EVERY: Duration = Duration::from_secs(60);
/// How often poison is put aside, and facts are moved into the counters of the analytics.
const COUNTED_EVERY: Duration = Duration::from_secs(1);
/// How many rows one transaction removes, so that it never holds up others for long.
const BATCH: u32 = 1_000;
/// How many events, each with its deliveries and their attempts.
const EVENT_BATCH: u32 = 100;

/// Keeps house until `stop` turns true.
pub(crate) async fn keep_house(means: Means, mut stop: watch::Receiver<bool>) {
    let (mut minute, mut second) = (interval(EVERY), interval(COUNTED_EVERY));
    let mut failing = false;
    loop {
        let outcome = tokio::select! {
            () = stopped(&mut stop) => return,
            _ = minute.tick() => until(&mut stop, expire(&means)).await,
            _ = second.tick() => until(&mut stop, each_second(&means)).await,
        };
        let Some(outcome) = outcome else { return };
        match outcome {
            Ok(()) => failing = false,
            Err(error) if !failing => {
                failing = true;
                tracing::warn!(%error, "the store could not be kept in order; trying again");
            }
            Err(_) => {}
        }
    }
}

/// What `work` comes to, unless it is time to stop.
async fn until<T>(stop: &mut watch::Receiver<bool>, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        () = stopped(stop) => None,
        outcome = work => Some(outcome),
    }
}

async fn each_second(means: &Means) -> Result<(), StoreError> {
    if means.store.bury_poison(means.clock.now()).await? > 0 {
        tracing::error!("work that was claimed five times without a result was put aside: see the table `jobs`");
        Pool::ALL.into_iter().for_each(|pool| means.wake.wake(pool));
    }
    while means.store.count_facts(BATCH).await? >= u64::from(BATCH) {}
    Ok(())
}

async fn expire(means: &Means) -> Result<(), StoreError> {
    let now = means.clock.now();
    while means.store.expire_idempotency(now.minus(KEPT), BATCH).await? >= u64::from(BATCH) {}
    while means.store.expire_events(now.minus(EVENTS_KEPT), EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    while means.store.expire_counts(now.minus(COUNTS_KEPT), BATCH).await? >= u64::from(BATCH) {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use tidings_domain::ports::MockEngineStore;
    use tidings_domain::time::Timestamp;

    use super::*;
    use crate::testing::{Scripted, means};

    #[tokio::test(start_paused = true)]
    async fn a_full_batch_is_followed_by_the_next_and_what_is_a_day_old_goes() {
        let mut store = MockEngineStore::new();
        let a_day_ago = Timestamp::EPOCH_2026.minus(Duration::from_secs(86_400));
        let mut left = vec![12, 1_000, 1_000].into_iter().rev().collect::<Vec<_>>();
        store
            .expect_expire_idempotency()
            .withf(move |before, limit| *before == a_day_ago && *limit == 1_000)
            .times(3)
            .returning(move |_, _| Ok(left.remove(0)));
        store.expect_bury_poison().returning(|_| Ok(0));
        store.expect_count_facts().returning(|_| Ok(0));
        let days_ago = move |days: u64| Timestamp::EPOCH_2026.minus(Duration::from_secs(days * 86_400));
        let is_old = move |before: &Timestamp, _: &u32| *before == days_ago(30);
        store.expect_expire_events().withf(is_old).times(1).returning(|_, _| Ok(99));
        let is_old = move |before: &Timestamp, _: &u32| *before == days_ago(2);
        store.expect_expire_counts().withf(is_old).times(1).returning(|_, _| Ok(0));
        left_alone_after_the_first_round(store).await;
    }

    #[tokio::test(start_paused = true)]
    async fn facts_are_counted_each_second_until_none_is_left() {
        let mut store = MockEngineStore::new();
        store.expect_expire_idempotency().returning(|_, _| Ok(0));
        store.expect_expire_events().returning(|_, _| Ok(0));
        store.expect_expire_counts().returning(|_, _| Ok(0));
        store.expect_bury_poison().times(59..=61).returning(|_| Ok(0));
        let mut left = vec![1_000, 3];
        store
            .expect_count_facts()
            .times(59..=61)
            .returning(move |_| Ok(if left.is_empty() { 0 } else { left.remove(0) }));
        left_alone_after_the_first_round(store).await;
    }

    async fn left_alone_after_the_first_round(store: MockEngineStore) {
        let (stop, stopped) = watch::channel(false);
        let house = tokio::spawn(keep_house(means(store, Scripted::default()), stopped));
        tokio::time::sleep(Duration::from_secs(59)).await;
        stop.send(true).unwrap();
        house.await.unwrap();
    }
}

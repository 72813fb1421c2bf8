//! The periodic work, with a scripted store.

use tidings_domain::ports::{MockEngineStore, SweepPlace};
use tidings_domain::retention::Retention;
use tidings_domain::time::Timestamp;

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
    store.expect_fill_sort_keys().withf(|limit| *limit == 200).times(3).returning(move |_| Ok(left.next().unwrap()));
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
    store.expect_count_facts().times(59..=61).returning(move |_| Ok(if left.is_empty() { 0 } else { left.remove(0) }));
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

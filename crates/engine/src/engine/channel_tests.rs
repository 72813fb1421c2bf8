//! Sends of channels with fast and silent providers. Tokio's time is paused and advances only while all tasks are idle.

use std::time::Duration;

use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::ports::{ClaimedJob, Pool};
use tokio::time::sleep;
use uuid::Uuid;

use super::tests::{INSTANT, started};
use crate::testing::{JobsInMemory, Script, Scripted, a_job, a_poll, a_send_by};

const SILENT: u128 = 0xC0;
const FAST: u128 = 0xC1;
/// The timeout of a call to a provider.
const TIME_OUT: Duration = Duration::from_secs(12);

#[tokio::test(start_paused = true)]
async fn a_silent_channel_does_not_delay_another_channel_of_its_workspace() {
    let store = JobsInMemory::default();
    (0..500).for_each(|number| store.add_due(a_send_by(SILENT, number)));
    let performer = (0..500).fold(Scripted::on(&store), |it, number| it.script(number, Script::Take(TIME_OUT)));
    let answers = Script::Take(Duration::from_millis(100));
    let performer = (500..1_150).fold(performer, |it, number| it.script(number, answers));
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    assert_eq!(performer.started().len(), 32);
    // 25 messages each second, for longer than two timeouts.
    for number in 500..1_150 {
        store.add_due(a_send_by(FAST, number));
        wake.wake(Pool::Sends);
        sleep(Duration::from_millis(40)).await;
        let finished = performer.finished().iter().filter(|it| **it >= 500).count() as u128;
        assert!(number - 499 - finished <= 4, "{finished} of {} were sent", number - 499);
    }
    let silent = performer.finished().iter().filter(|it| **it < 500).count();
    assert_eq!(silent, 32 + 4, "after the first timeouts, four run");
    let claims = store.claims(Pool::Sends).len();
    sleep(Duration::from_secs(5)).await;
    assert!(store.claims(Pool::Sends).len() - claims <= 20, "claims are rare while the channel is full");
}

#[tokio::test(start_paused = true)]
async fn a_fast_channel_sends_two_hundred_messages_each_second() {
    let store = JobsInMemory::default();
    (0..1_000).for_each(|number| store.add_due(a_send_by(FAST, number)));
    let takes = Script::Take(Duration::from_millis(120));
    let performer = (0..1_000).fold(Scripted::on(&store), |it, number| it.script(number, takes));
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_secs(5)).await;
    assert_eq!((performer.finished().len(), performer.most_running()), (1_000, 32));
}

#[tokio::test(start_paused = true)]
async fn slow_claims_beside_a_full_channel_leave_half_of_the_time_to_others() {
    let store = JobsInMemory::default();
    (0..100).for_each(|number| store.add_due(a_send_by(SILENT, number)));
    let performer = (0..100).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (_engine, wake) = started(&store, &performer);
    sleep(Duration::from_millis(100)).await;
    store.slow_down_claims(Duration::from_millis(40));
    let before = store.claims(Pool::Sends).len();
    for _ in 0..1_000 {
        wake.wake(Pool::Sends);
        sleep(INSTANT).await;
    }
    let claims = store.claims(Pool::Sends).len() - before;
    assert!((10..=14).contains(&claims), "{claims}: each takes 40 ms, and the pause after it as long");
}

#[tokio::test(start_paused = true)]
async fn silent_polls_delay_neither_messages_nor_polls_of_other_workspaces() {
    let store = JobsInMemory::default();
    (0..500).for_each(|number| store.add_due(ClaimedJob { job: a_poll(number), ..a_job(number) }));
    let performer = (0..500).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    assert_eq!(performer.started().len(), 32, "half of the slots for polls");
    let workspace = WorkspaceId::from_uuid(Uuid::from_u128(1));
    store.add_due(ClaimedJob { job: a_poll(600), workspace, ..a_job(600) });
    store.add_due(a_send_by(FAST, 601));
    store.add_due(a_job(602));
    [Pool::Polls, Pool::Sends, Pool::Work].into_iter().for_each(|pool| wake.wake(pool));
    sleep(Duration::from_millis(50)).await;
    let mut finished = performer.finished();
    finished.sort_unstable();
    assert_eq!(finished, [600, 601, 602]);
    assert_eq!(performer.started().len(), 32 + 3);
}

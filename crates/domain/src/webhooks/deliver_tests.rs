//! Tests of days of deliveries in virtual time, over the memory store and a scripted receiver.

mod bench;

use std::time::Duration;

use futures::executor::block_on;

use crate::ids::TypedId;
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::ports::{ChangeSet, ClaimRequest, Clock, EngineStore, Job, Ledger, NewJob, Pool};
use crate::time::Timestamp;
use crate::webhooks::sender::AttemptOutcome;
use crate::webhooks::{DeliveryFilter, DeliveryStatus, ReplayRange, WebhookStatus};
use bench::{bench, status};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(24 * 3_600);

#[test]
fn sends_the_same_event_ten_times_on_schedule() {
    let bench = bench();
    bench.always(status(500));
    let began = bench.clock.now();
    let id = bench.deliver();
    bench.run(4 * DAY);
    let sent = bench.sent();
    let minutes: Vec<u64> = sent.iter().map(|it| it.at.since(began).as_secs() / 60).collect();
    assert_eq!(minutes, [0, 0, 5, 35, 155, 455, 1_055, 1_895, 3_095, 4_535]);
    assert!((1..).zip(&sent).all(|(number, it)| it.number == number && it.event == sent[0].event));
    let delivery = bench.delivery(id);
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Failed, 10));
    let stats = block_on(bench.tidings.webhooks.get(&bench.access, bench.hook)).unwrap().stats;
    assert_eq!((stats.succeeded_24h, stats.failed_24h), (0, 1), "the last attempt is within the last 24 hours");
}

#[test]
fn waits_as_long_as_retry_after_asks() {
    let bench = bench();
    let busy = AttemptOutcome::Answered { status: 429, retry_after: Some(Duration::from_secs(90)) };
    bench.answer([busy, AttemptOutcome::TimedOut, status(204)]);
    let began = bench.clock.now();
    bench.deliver();
    bench.run(HOUR);
    let seconds: Vec<u64> = bench.sent().iter().map(|it| it.at.since(began).as_secs()).collect();
    assert_eq!(seconds, [0, 90, 390]);
    assert_eq!(bench.hook().health.last_delivery_at, Some(began.plus(Duration::from_secs(390))));
}

#[test]
fn an_open_breaker_parks_deliveries_without_using_attempts() {
    let bench = bench();
    bench.always(status(500));
    (0..10).for_each(|_| {
        bench.deliver();
    });
    bench.run(Duration::ZERO);
    assert_eq!(bench.sent().len(), 10, "ten failures open the breaker");
    let parked = bench.deliver();
    bench.run(Duration::from_secs(59));
    let delivery = bench.delivery(parked);
    assert_eq!((delivery.attempts, delivery.status), (0, DeliveryStatus::Pending));
    assert!(delivery.next_attempt_at.is_some());
    assert_eq!(bench.sent().len(), 10, "an open breaker sends nothing");
    bench.run(10 * Duration::from_secs(1));
    assert_eq!(bench.sent().len(), 11, "only one delivery probes the endpoint");
    bench.always(status(204));
    bench.run(10 * MINUTE);
    assert_eq!(bench.delivery(parked).status, DeliveryStatus::Succeeded);
    let health = bench.hook().health;
    assert_eq!((health.failures, health.parked_until), (0, None));
    bench.run(DAY);
    let page = PageRequest { limit: 100, ..PageRequest::default() };
    let all = block_on(bench.tidings.webhooks.deliveries(&bench.access, bench.hook, &DeliveryFilter::default(), page))
        .unwrap();
    assert!(all.items.iter().all(|it| it.status == DeliveryStatus::Succeeded && it.attempts <= 3), "{all:?}");
}

#[test]
fn disables_after_five_days_of_failures_and_resets_on_enable() {
    let bench = bench();
    bench.always(status(500));
    let hours = |count: u64| {
        for _ in 0..count {
            bench.deliver();
            bench.run(HOUR);
        }
    };
    hours(5 * 24 - 1);
    assert_eq!(bench.hook().status, WebhookStatus::Active);
    hours(2);
    let hook = bench.hook();
    assert_eq!((hook.status, hook.disabled_reason.is_some()), (WebhookStatus::Disabled, true));
    let before = bench.sent().len();
    let waiting = bench.deliver();
    bench.run(10 * DAY);
    assert_eq!(bench.sent().len(), before, "a disabled webhook gets no deliveries");
    assert_eq!(bench.delivery(waiting).next_attempt_at, None);
    bench.always(status(204));
    block_on(bench.tidings.webhooks.enable(&bench.access, bench.hook, &ExpectedVersion::Any, None)).unwrap();
    bench.run(MINUTE);
    assert_eq!(bench.delivery(waiting).status, DeliveryStatus::Succeeded);
    let hook = bench.hook();
    assert_eq!((hook.status, hook.disabled_reason, hook.health.failures), (WebhookStatus::Active, None, 0));
}

#[test]
fn disables_a_webhook_that_answers_410() {
    let bench = bench();
    bench.answer([status(410)]);
    let id = bench.deliver();
    let other = bench.deliver();
    bench.run(DAY);
    assert_eq!(bench.sent().len(), 1);
    assert_eq!((bench.hook().status, bench.delivery(id).status), (WebhookStatus::Disabled, DeliveryStatus::Failed));
    assert_eq!(bench.delivery(other).status, DeliveryStatus::Pending);
}

#[test]
fn delivers_the_events_of_a_pause_after_it() {
    let bench = bench();
    block_on(bench.tidings.webhooks.pause(&bench.access, bench.hook, &ExpectedVersion::Any, None)).unwrap();
    let ids: Vec<_> = (0..3).map(|_| bench.deliver()).collect();
    bench.run(DAY);
    assert!(bench.sent().is_empty());
    block_on(bench.tidings.webhooks.enable(&bench.access, bench.hook, &ExpectedVersion::Any, None)).unwrap();
    bench.run(Duration::ZERO);
    assert!(ids.iter().all(|id| bench.delivery(*id).status == DeliveryStatus::Succeeded));
    assert!(bench.sent().iter().all(|it| it.number == 1));
}

#[test]
fn a_replay_restarts_the_schedule_and_continues_the_numbering() {
    let bench = bench();
    bench.always(status(500));
    let id = bench.deliver();
    bench.run(4 * DAY);
    bench.answer([status(500)]);
    bench.always(status(204));
    let replay =
        || block_on(bench.tidings.webhooks.replay_delivery(&bench.access, bench.hook, id, None)).unwrap().value;
    assert_eq!(replay().status, DeliveryStatus::Pending);
    assert_eq!(replay(), bench.delivery(id), "a second replay changes nothing");
    // The breaker is open by now: the second replay waits until it closes.
    bench.run(10 * MINUTE);
    let delivery = bench.delivery(id);
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Succeeded, 12));
    let sent = bench.sent();
    assert_eq!(sent.iter().map(|it| it.number).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    assert!(sent.iter().all(|it| (&it.event, &it.delivery) == (&sent[0].event, &sent[0].delivery)));
    // A replay replaces a planned retry.
    bench.answer([status(500), status(204)]);
    let other = bench.deliver();
    bench.run(Duration::ZERO);
    block_on(bench.tidings.webhooks.replay_delivery(&bench.access, bench.hook, other, None)).unwrap();
    bench.run(DAY);
    assert_eq!((bench.delivery(other).attempts, bench.sent().len()), (2, 14));
}

#[test]
fn a_replay_during_an_attempt_runs_after_it_on_a_new_schedule() {
    let bench = bench();
    bench.answer([status(500), status(500), status(500)]);
    let id = bench.deliver();
    bench.run(Duration::ZERO);
    bench.clock.set(bench.delivery(id).next_attempt_at.unwrap());
    let request = ClaimRequest::new(Pool::Deliveries, 1, Duration::from_secs(30), bench.clock.now());
    let claimed = block_on(bench.store.claim(request)).unwrap().pop().unwrap();
    block_on(bench.tidings.webhooks.replay_delivery(&bench.access, bench.hook, id, None)).unwrap();
    bench.run(Duration::ZERO);
    assert_eq!(bench.sent().len(), 1, "only one attempt runs at a time");
    block_on(bench.tidings.worker.perform(&claimed)).unwrap();
    let delivery = bench.delivery(id);
    assert_eq!(
        (delivery.attempts, delivery.round_start),
        (2, 2),
        "the attempt is recorded in the round before the replay"
    );
    assert_eq!((delivery.status, delivery.next_attempt_at), (DeliveryStatus::Pending, Some(bench.clock.now())));
    bench.run(Duration::ZERO);
    let delivery = bench.delivery(id);
    assert_eq!(delivery.attempts, 3);
    let wait = delivery.next_attempt_at.unwrap().since(bench.clock.now());
    assert!(wait <= Duration::from_secs(10), "the schedule starts at its first retry: {wait:?}");
    bench.run(MINUTE);
    assert_eq!((bench.delivery(id).status, bench.sent().len()), (DeliveryStatus::Succeeded, 4));
    let attempts = block_on(bench.tidings.webhooks.delivery(&bench.access, bench.hook, id)).unwrap().1;
    assert_eq!(attempts.iter().map(|it| it.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn a_retry_job_of_the_previous_release_runs_once() {
    let bench = bench();
    let id = bench.deliver();
    bench.run(Duration::ZERO);
    bench.always(status(500));
    let other = bench.deliver();
    bench.run(Duration::ZERO);
    bench.always(status(204));
    let queue = |delivery, round| {
        let job = Job::RetryDelivery { delivery, webhook: bench.hook, round };
        let job = NewJob::new(TypedId::from_uuid(bench.tidings.ports.ids.next()), job, bench.clock.now());
        let mut set = ChangeSet::new(bench.access.workspace());
        set.jobs.push(job);
        block_on(bench.store.commit(set)).unwrap();
    };
    queue(id, 0);
    queue(other, 7);
    bench.run(Duration::ZERO);
    assert_eq!(bench.sent().len(), 2, "jobs of a settled delivery or another round send nothing");
    queue(other, 0);
    queue(other, 0);
    bench.run(Duration::ZERO);
    assert_eq!((bench.sent().len(), bench.delivery(other).status), (3, DeliveryStatus::Succeeded));
    bench.run(DAY);
    assert_eq!(bench.sent().len(), 3);
}

#[test]
fn replays_a_range_at_fifty_per_second() {
    let bench = bench();
    bench.always(status(404));
    let since = bench.clock.now();
    (0..5).for_each(|_| {
        bench.deliver();
    });
    bench.run(4 * DAY);
    // The receiver has recovered and gets the rest. 120 failures on schedule would open the breaker.
    bench.always(status(204));
    for _ in 0..115 {
        bench.deliver();
    }
    bench.run(HOUR);
    let before = bench.sent().len();
    let began = bench.clock.now();
    let range = |status| ReplayRange { since, until: None, status };
    let replay =
        |status| block_on(bench.tidings.webhooks.replay(&bench.access, bench.hook, range(status), None)).unwrap();
    replay(DeliveryStatus::Succeeded);
    bench.run(MINUTE);
    let sent = bench.sent().split_off(before);
    assert_eq!(sent.len(), 115);
    let took = sent.last().unwrap().at.since(began);
    assert!((2_000..3_000).contains(&took.as_millis()), "{took:?}");
    assert!(sent.iter().all(|it| it.number == 2));
    replay(DeliveryStatus::Failed);
    bench.run(MINUTE);
    assert_eq!(bench.sent().len(), before + 120);
    let wrong = |since: Timestamp, until| {
        let range = ReplayRange { since, until, status: DeliveryStatus::Failed };
        block_on(bench.tidings.webhooks.replay(&bench.access, bench.hook, range, None)).unwrap_err()
    };
    wrong(began, Some(began));
    // Retention here: nine days for events, thirty for deliveries.
    wrong(bench.clock.now().minus(9 * DAY + MINUTE), None);
    wrong(bench.clock.now().plus(HOUR), None);
}

#[test]
fn an_older_secret_signs_until_it_expires() {
    let bench = bench();
    let rotate = |overlap| {
        block_on(bench.tidings.webhooks.rotate_secret(&bench.access, bench.hook, overlap, &ExpectedVersion::Any, None))
            .unwrap();
    };
    let secrets = || {
        bench.deliver();
        bench.run(Duration::ZERO);
        bench.sent().last().unwrap().secrets
    };
    assert_eq!(secrets(), 1);
    rotate(DAY);
    rotate(HOUR);
    assert_eq!(secrets(), 3);
    bench.run(HOUR);
    assert_eq!(secrets(), 2, "a secret stops signing when it expires");
    bench.run(DAY);
    assert_eq!(secrets(), 1);
    rotate(Duration::ZERO);
    assert_eq!(secrets(), 1);
}

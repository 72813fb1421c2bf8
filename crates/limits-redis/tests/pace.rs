//! Two processes count the calls of channels in one Redis that may fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../../tests/service/support/redis.rs"]
#[allow(dead_code, reason = "shared by several tests; a part of it is used here")]
mod redis;

use std::time::{Duration, Instant};

use futures::future::join_all;
use redis::Redis;
use tidings_domain::channels::PaceLimit;
use tidings_domain::ports::{Booking, BucketCall, SharedBuckets};
use tidings_limits_redis::{SharedLimits, SharedPace};

const HOUR: Duration = Duration::from_secs(3_600);

/// A call that is made at once or not at all. During the test, its bucket allows no further call.
fn a_call(bucket: u128, burst: u32) -> BucketCall {
    BucketCall { bucket, limit: PaceLimit { every: HOUR, burst }, longest: Duration::ZERO }
}

fn is_booked(booking: Option<Booking>) -> bool {
    matches!(booking.expect("Redis answers"), Booking::Booked(_))
}

async fn two_processes(redis: &Redis) -> [SharedPace; 2] {
    let processes = ["a", "b"].map(|name| {
        let settings = SharedLimits { url: redis.url().into(), instance: name.to_owned(), instances: 5 };
        SharedPace::start(settings).unwrap()
    });
    until("both processes are present", || processes.iter().all(|it| it.is_shared() && it.processes() == 2)).await;
    processes
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_make_exactly_the_calls_of_a_burst() {
    let redis = Redis::start();
    let processes = two_processes(&redis).await;
    let calls = [a_call(1, 10)];
    let asked = (0..40).map(|number| processes[number % 2].book(&calls));
    let booked = join_all(asked).await.into_iter().filter(|booking| is_booked(*booking)).count();
    assert_eq!(booked, 10);
    let refused = processes[0].book(&calls).await;
    let Some(Booking::Refused { bucket: 0, wait }) = refused else { panic!("{refused:?}") };
    assert!(wait <= HOUR && wait > HOUR - Duration::from_secs(60), "{wait:?}");
    assert!(is_booked(processes[1].book(&[a_call(2, 1)]).await), "another bucket");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_may_wait_are_spread_over_both_processes() {
    let redis = Redis::start();
    let processes = two_processes(&redis).await;
    let limit = PaceLimit { every: Duration::from_secs(60), burst: 1 };
    let calls = [BucketCall { bucket: 1, limit, longest: Duration::from_secs(120) }];
    for (number, minutes) in [(0, 0), (1, 1), (0, 2)] {
        let booked = processes[number].book(&calls).await;
        let Some(Booking::Booked(wait)) = booked else { panic!("{booked:?}") };
        let due = Duration::from_secs(60 * minutes);
        assert!(wait <= due && wait + Duration::from_secs(50) > due, "{wait:?}");
    }
    let refused = processes[1].book(&calls).await;
    assert!(matches!(refused, Some(Booking::Refused { bucket: 0, .. })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_call_counts_in_no_bucket() {
    let redis = Redis::start();
    let processes = two_processes(&redis).await;
    let (channel, recipient) = (a_call(1, 1), a_call(2, 1));
    assert!(is_booked(processes[0].book(&[recipient]).await));
    let refused = processes[1].book(&[channel, recipient]).await;
    assert!(matches!(refused, Some(Booking::Refused { bucket: 1, .. })), "{refused:?}");
    assert!(is_booked(processes[0].book(&[channel]).await));
}

/// Sets the time of the next call of a bucket to the year 2100, as if the clock of Redis had gone back since.
async fn turn_clock_back(redis: &Redis, bucket: u128) {
    let client = ::redis::Client::open(redis.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut set = ::redis::cmd("SET");
    set.arg(format!("{{tidings}}:pace:{bucket:032x}")).arg("4102444800000000").arg("XX");
    let answer: Option<String> = set.query_async(&mut connection).await.unwrap();
    assert_eq!(answer.as_deref(), Some("OK"), "the bucket exists");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_goes_back_does_not_stop_the_calls() {
    let redis = Redis::start();
    let processes = two_processes(&redis).await;
    let calls = [a_call(1, 2)];
    assert!(is_booked(processes[0].book(&calls).await));
    turn_clock_back(&redis, 1).await;
    let booked = join_all((0..4).map(|number| processes[number % 2].book(&calls))).await;
    assert_eq!(booked.into_iter().filter(|booking| is_booked(*booking)).count(), 2, "as many as of a full bucket");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_continue_alone_without_redis_and_together_after_its_return() {
    let mut redis = Redis::start();
    let processes = two_processes(&redis).await;
    redis.kill();
    for process in &processes {
        assert_eq!(process.book(&[a_call(1, 1)]).await, None);
        assert_eq!((process.is_shared(), process.processes()), (false, 2), "each knows its part");
    }
    redis.begin();
    until("both processes are back", || processes.iter().all(SharedPace::is_shared)).await;
    assert!(is_booked(processes[0].book(&[a_call(1, 1)]).await));
    assert!(!is_booked(processes[1].book(&[a_call(1, 1)]).await));
}

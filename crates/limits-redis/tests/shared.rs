//! Several instances share one Redis that may fail. Together they never admit more than the limit.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../../tests/service/support/redis.rs"]
#[allow(dead_code, reason = "each of several tests uses a part of it")]
mod redis;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use redis::Redis;
use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::ports::{Clock, LimitedClient, RateLimiter};
use tidings_domain::time::Timestamp;
use tidings_limits_redis::{SharedLimiter, SharedLimits};
use uuid::Uuid;

/// The limit of these tests. With two instances, the share of each is half.
const LIMIT: u32 = 100;

#[derive(Clone)]
struct Since(Instant);

impl Clock for Since {
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH_2026.plus(self.0.elapsed())
    }
}

struct Setup {
    redis: Redis,
    clock: Since,
    instances: Vec<SharedLimiter>,
}

impl Setup {
    async fn of_two() -> Self {
        let mut setup = Self { redis: Redis::start(), clock: Since(Instant::now()), instances: Vec::new() };
        for name in ["a", "b"] {
            let settings = SharedLimits { url: setup.redis.url().into(), instance: name.to_owned(), instances: 2 };
            setup.instances.push(SharedLimiter::start(settings, Arc::new(setup.clock.clone())).unwrap());
        }
        setup.until_shared(true).await;
        setup
    }

    async fn until_shared(&self, shared: bool) {
        let began = Instant::now();
        while self.instances.iter().any(|it| it.health().shared != shared) {
            assert!(began.elapsed() < Duration::from_secs(20), "not all instances reported `shared: {shared}` in time");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Sends requests one after another and returns how many are admitted.
    async fn ask(&self, instance: usize, client: u128, requests: u32) -> u32 {
        let mut admitted = 0;
        for _ in 0..requests {
            let decision = self.instances[instance].admit(workspace(client), LIMIT, self.clock.now()).await;
            assert_eq!(decision.limit, LIMIT);
            assert!(decision.reset_seconds >= 1);
            admitted += u32::from(decision.admitted);
            if !decision.admitted {
                assert_eq!(decision.remaining, 0);
                // A refused client stays refused. More requests would only take time.
                break;
            }
        }
        admitted
    }
}

fn workspace(number: u128) -> LimitedClient {
    LimitedClient::Workspace(WorkspaceId::from_uuid(Uuid::from_u128(number)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_instance_can_use_the_whole_limit() {
    let setup = Setup::of_two().await;
    assert_eq!(setup.ask(0, 1, LIMIT + 5).await, LIMIT);
    assert_eq!(setup.ask(1, 1, 5).await, 0);
    assert_eq!(setup.ask(1, 2, 5).await, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn admits_exactly_the_limit_of_concurrent_requests() {
    let setup = Setup::of_two().await;
    let asked = (0..LIMIT as usize * 2).map(|number| setup.ask(number % 2, 1, 1));
    assert_eq!(join_all(asked).await.into_iter().sum::<u32>(), LIMIT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_admit_their_shares_when_redis_dies() {
    let mut setup = Setup::of_two().await;
    assert_eq!(setup.ask(0, 1, 30).await, 30);
    setup.redis.kill();
    // The first instance has used 30 of its share. No request waits.
    assert_eq!(setup.ask(0, 1, LIMIT).await, 20);
    assert_eq!(setup.ask(1, 1, LIMIT).await, 50);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_failure_does_not_renew_a_used_limit() {
    let mut setup = Setup::of_two().await;
    assert_eq!(setup.ask(0, 1, 80).await, 80);
    setup.redis.kill();
    assert_eq!(setup.ask(0, 1, LIMIT).await, 0, "the instance has used more than its share");
    assert_eq!(setup.ask(1, 1, LIMIT).await, 0, "the share of the second instance was given to the first");
    assert_eq!(setup.ask(1, 2, 10).await, 10, "the share of another client is not used");

    setup.redis.begin();
    setup.until_shared(true).await;
    assert_eq!(setup.ask(1, 1, LIMIT).await, 20, "the rest of the last minute is admitted");
    assert_eq!(setup.ask(0, 1, 5).await, 0);
    assert_eq!(setup.ask(0, 2, LIMIT).await, LIMIT - 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_without_redis_admit_only_their_shares() {
    let mut setup = Setup::of_two().await;
    setup.redis.kill();
    setup.instances.clear();
    for name in ["c", "d"] {
        let settings = SharedLimits { url: setup.redis.url().into(), instance: name.to_owned(), instances: 2 };
        setup.instances.push(SharedLimiter::start(settings, Arc::new(setup.clock.clone())).unwrap());
    }
    assert_eq!(setup.ask(0, 1, LIMIT).await + setup.ask(1, 1, LIMIT).await, LIMIT);
    // Requests that they admitted alone are reported once Redis is available.
    setup.redis.begin();
    setup.until_shared(true).await;
    assert_eq!(setup.ask(0, 1, 5).await + setup.ask(1, 1, 5).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reserves_the_share_of_a_missing_instance() {
    let mut setup = Setup::of_two().await;
    // The instance may be running but disconnected from Redis.
    drop(setup.instances.pop());
    assert_eq!(setup.ask(0, 1, LIMIT).await, LIMIT / 2);
}

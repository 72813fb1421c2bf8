//! The order of waiting change sets, and the limit of their number.

use std::time::Duration;

use tidings_domain::ports::{Change, Claim, ClaimRequest, Guard, Job, JobChange, NewJob, Pool, Row, StoreError};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_storage_suite::fixtures::{NOW, World, id};

use super::{Limits, Setup, WIDE, answer};
use crate::connection::faults::Fault;

#[tokio::test]
async fn writes_a_request_before_waiting_engine_work() {
    let setup = Setup::new(WIDE).await;
    setup.world.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, NOW))).await.unwrap();
    let lease = Duration::from_secs(60);
    let request = ClaimRequest::new(Pool::Work, 1, lease, NOW);
    let job = setup.world.ports.engine.claim(request).await.unwrap().pop().unwrap();
    let release = setup.hold_up().await;
    let tag = Tag::new(id(), "of the engine", NOW);
    let claim = Claim { job: job.id, token: job.token };
    let guarded = setup.queue(|set| {
        set.guard(Guard::Claim(claim)).change(Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(
            id(),
            "under a claim",
            NOW,
        )))));
    });
    let guarded = guarded.await;
    let parks = setup.queue(|set| {
        set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag))))
            .change(Change::Job(JobChange::Park { job: job.id, token: job.token }));
    });
    let (parks, requests) = (parks.await, setup.queue_tag("of a request").await);
    drop(release);
    for task in [guarded, parks, requests] {
        answer(task).await.unwrap();
    }
    assert_eq!(setup.tags(), ["of a request", "under a claim", "of the engine"]);
}

/// Sets of requests and of engines alternate while both wait.
#[tokio::test]
async fn requests_and_engines_write_in_turn() {
    let setup = Setup::new(WIDE).await;
    setup.world.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, NOW))).await.unwrap();
    let request = ClaimRequest::new(Pool::Work, 1, Duration::from_secs(60), NOW);
    let job = setup.world.ports.engine.claim(request).await.unwrap().pop().unwrap();
    let release = setup.hold_up().await;
    let mut tasks = Vec::new();
    for number in 0..4 {
        tasks.push(setup.queue_tag(&format!("tag {number}")).await);
    }
    for name in ["of the engine", "of the engine too"] {
        let guarded = setup.queue(|set| {
            set.guard(Guard::Claim(Claim { job: job.id, token: job.token }));
            set.change(Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(id(), name, NOW)))));
        });
        tasks.push(guarded.await);
    }
    drop(release);
    for task in tasks {
        answer(task).await.unwrap();
    }
    assert_eq!(setup.tags(), ["tag 0", "of the engine", "tag 1", "of the engine too", "tag 2", "tag 3"]);
}

/// Another workspace waits behind only one change set of a workspace with a long queue.
#[tokio::test]
async fn workspaces_take_turns() {
    let setup = Setup::new(Limits { batch: 4, each: 20, ..WIDE }).await;
    let other = World::new(&setup.world.ports).await.workspace;
    let release = setup.hold_up().await;
    let mut tasks = Vec::new();
    for number in 0..20 {
        tasks.push(setup.queue_tag(&format!("tag {number}")).await);
    }
    let refused = answer(setup.queue_tag("too much").await).await;
    assert!(matches!(refused, Err(Fault::Store(StoreError::Unavailable(_)))));
    let theirs = setup.queue(|set| {
        set.workspace = other;
        set.changes.push(Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(id(), "of a neighbour", NOW)))));
    });
    tasks.push(theirs.await);
    drop(release);
    for task in tasks {
        answer(task).await.unwrap();
    }
    assert_eq!(setup.tags()[..3], ["tag 0", "of a neighbour", "tag 1"]);
}

#[tokio::test]
async fn rejects_sets_when_the_queue_is_full() {
    let setup = Setup::new(Limits { queue: 2, ..WIDE }).await;
    let release = setup.hold_up().await;
    let waiting = [setup.queue_tag("a").await, setup.queue_tag("b").await];
    let refused = answer(setup.queue_tag("c").await).await;
    assert!(matches!(refused, Err(Fault::Store(StoreError::Unavailable(_)))));
    drop(release);
    for task in waiting {
        answer(task).await.unwrap();
    }
    answer(setup.queue_tag("c").await).await.unwrap();
}

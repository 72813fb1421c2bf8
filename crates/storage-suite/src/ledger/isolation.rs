//! Rule 1: a set belongs to one workspace and cannot read or change another one.

mod catalog;
mod contacts;
mod endings;
mod flows;
mod sample_changes;

use std::time::Duration;

use tidings_domain::channels::ChannelHealth;
use tidings_domain::contacts::ChannelReach;
use tidings_domain::ports::{
    Change, Claim, ClaimRequest, CommitError, Conflict, Counted, Guard, JobChange, Object, Pool, StoreError,
};

use crate::Ports;
use crate::fixtures::seed::Seed;
use crate::fixtures::{NOW, World, conflict};
use sample_changes::is_tried;

fn request(limit: u32) -> ClaimRequest {
    ClaimRequest::new(Pool::Work, limit, Duration::from_secs(3_600), NOW)
}

/// Guards on another workspace's objects find nothing.
pub async fn nothing_of_another_workspace_can_be_guarded(store: Ports) {
    let (ada, bob) = (Seed::new(&store, 1).await, World::new(&store).await);
    for object in ada.objects() {
        for guard in [Guard::Live(object), Guard::Version(object, 1)] {
            let here = ada.world.commit(|set| set.guards.push(guard)).await;
            assert_eq!(here, Ok(()), "{object:?} in its own workspace");
            let there = bob.commit(|set| set.guards.push(guard)).await;
            assert_eq!(conflict(there), Conflict::Stale(object));
        }
    }
    let contact = ada.contact.id;
    let (flow, since) = (ada.flow.id, NOW);
    let (starts, refusals) = (Counted::Starts { flow, contact, since }, Counted::Refusals { flow, contact, since });
    for what in [Counted::TagsOf(contact), starts, refusals] {
        let guard = Guard::Room { what, adding: 0, most: 100 };
        assert_eq!(conflict(bob.commit(|set| set.guards.push(guard)).await), Conflict::Stale(Object::Contact(contact)));
    }
    let job = store.engine.claim(request(1)).await.unwrap().pop().unwrap();
    let guard = Guard::Claim(Claim { job: job.id, token: job.token });
    assert_eq!(ada.world.commit(|set| set.guards.push(guard)).await, Ok(()));
    assert_eq!(conflict(bob.commit(|set| set.guards.push(guard)).await), Conflict::ClaimLost);
}

/// A change attempted by another workspace, and whether it must fail.
type Attempt = (Change, bool);

/// Returns all attempts by another workspace.
fn attempts(ada: &Seed, bob: &Seed, token: i64) -> Vec<Attempt> {
    let tried = [
        contacts::places(ada, bob),
        contacts::contacts(ada, bob),
        catalog::catalog(ada, bob),
        catalog::conversations(ada, bob),
        flows::flows(ada, bob),
        flows::deliveries(ada, bob, token),
        endings::copies(ada),
        endings::endings(ada, bob),
    ];
    tried.into_iter().flatten().collect()
}

/// No attempt by another workspace changes any data of this one. If an insert only repeats an ID, the other workspace
/// gets its own row.
pub async fn nothing_of_another_workspace_can_be_changed(store: Ports) {
    let (ada, bob) = (Seed::new(&store, 1).await, Seed::new(&store, 2).await);
    let claimed = store.engine.claim(request(10)).await.unwrap();
    let job = claimed.into_iter().find(|job| job.id == ada.job.id).expect("Ada's job");
    let before = ada.dump().await;
    for (change, must_be_told) in attempts(&ada, &bob, job.token) {
        is_tried(&change);
        let shown = format!("{change:?}");
        let outcome = bob.world.change(change).await;
        assert!(outcome.is_err() || !must_be_told, "the change must be rejected: {shown}");
        // An error in the store's table of statements: the change could never be written.
        let unwritten = "no statement of the step";
        assert!(
            !matches!(&outcome, Err(CommitError::Store(StoreError::Corrupt(why))) if why.contains(unwritten)),
            "{shown}"
        );
        let unavailable = matches!(outcome, Err(CommitError::Store(StoreError::Unavailable(_))));
        assert!(!unavailable, "a rejected change must not be reported as an unavailable store: {shown}: {outcome:?}");
        let after = ada.dump().await;
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before, after, "{shown}");
        }
    }
    assert_eq!(store.access.key_by_digest([99; 32]).await.unwrap(), None);
    ada.world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
}

/// Every query for this seed by another workspace returns the same as for missing objects.
pub async fn nothing_of_another_workspace_can_be_read(store: Ports) {
    let (ada, bob) = (Seed::new(&store, 1).await, World::new(&store).await);
    let own = ada.seen_by(&ada.world.access).await;
    let others = ada.seen_by(&bob.access).await;
    // A channel that was never checked.
    let unchecked = format!("{:?}", ChannelHealth::default());
    let nobody = format!("{:?}", ChannelReach::default());
    for (own, other) in own.iter().zip(others) {
        assert_ne!(*own, other);
        let answer = other.split_once(": ").unwrap().1;
        let nothing = [
            "None",
            "[]",
            "0",
            "false",
            "Page { items: [], next: None, places: [], total: None }",
            "FeedRead { events: [], head: 0 }",
            "Remembered { revision: 0, digests: [] }",
            "[Total { rows: 0, is_capped: false }]",
            unchecked.as_str(),
            nobody.as_str(),
        ];
        assert!(nothing.contains(&answer), "{other}");
    }
}

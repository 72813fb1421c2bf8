//! Concurrent replies of many contacts: queued steps are replaced, and opt-ins are stored.

use std::collections::BTreeMap;

use futures::future::join_all;
use tidings_domain::contacts::Identity;
use tidings_domain::ids::RunId;
use tidings_domain::ports::{Change, ContactChange, FlowChange, Job, NewJob, Pool};

use crate::Ports;
use crate::fixtures::{World, at, id};
use crate::jobs::request;

/// The number of concurrent replies.
const MANY: usize = 24;
/// A time that is never reached.
const FAR: u64 = 90_000_000;

/// The queued steps of many runs in several workspaces are removed concurrently, each with the one queued behind it,
/// and their replacements are due.
pub async fn concurrent_replies_replace_the_steps_of_many_runs(store: Ports) {
    let worlds = [World::new(&store).await, World::new(&store).await];
    let runs: Vec<(World, RunId)> = (0..MANY).map(|place| (worlds[place % 2].clone(), id())).collect();
    let step = |run: RunId, visit: i64, seconds: u64| NewJob::new(id(), Job::StepRun { run, visit }, at(seconds));
    for (place, (world, run)) in runs.iter().enumerate() {
        let behind = (place % 3 == 0).then(|| step(*run, 1, FAR));
        world.commit(|set| set.jobs.extend([Some(step(*run, 0, FAR)), behind].into_iter().flatten())).await.unwrap();
    }
    let replies = runs.iter().map(|(world, run)| {
        let (world, run, next) = (world.clone(), *run, step(*run, 2, 0));
        tokio::spawn(async move {
            world
                .commit(|set| {
                    set.change(Change::Flow(FlowChange::DropSteps { run }));
                    set.jobs.push(next);
                })
                .await
        })
    });
    for outcome in join_all(replies).await {
        outcome.unwrap().unwrap();
    }
    let claimed = store.engine.claim(request(Pool::Work, 100)).await.unwrap();
    let visits: BTreeMap<_, _> = claimed.iter().map(|it| (it.job.columns().subject, it.job.columns().mark)).collect();
    assert_eq!((claimed.len(), visits.len()), (MANY, MANY), "{claimed:?}");
    assert!(visits.values().all(|visit| *visit == 2), "{visits:?}");
    assert_eq!(store.engine.next_due(Pool::Work).await.unwrap(), None, "no step remains queued");
}

/// Many contacts set their opt-in concurrently; each keeps its last value.
pub async fn concurrent_opt_in_changes_store_the_last_value(store: Ports) {
    let world = World::new(&store).await;
    let mut contacts = Vec::new();
    for place in 0..MANY {
        let (contact, identity) = (world.contact().await.id, world.identity(&format!("address-{place}")));
        world.add(Change::Contact(ContactChange::InsertIdentity { contact, identity })).await;
        contacts.push(contact);
    }
    let channel = world.channel.id;
    let wish = |contact, opted_in| Change::Contact(ContactChange::SetOptIn { contact, channel, opted_in });
    let said = contacts.iter().enumerate().map(|(place, contact)| {
        // Some contacts set it twice in a set.
        let wishes = [wish(*contact, place % 4 < 2), wish(*contact, place % 2 == 0)];
        let world = world.clone();
        tokio::spawn(async move { world.commit(|set| set.changes.extend(wishes)).await })
    });
    for outcome in join_all(said).await {
        outcome.unwrap().unwrap();
    }
    for (place, contact) in contacts.into_iter().enumerate() {
        let found = store.contacts.find_even_deleted(&world.access, contact).await.unwrap().unwrap();
        let said = Identity { opted_in: place % 2 == 0, ..world.identity(&format!("address-{place}")) };
        assert_eq!(found.identities, [said]);
    }
}

//! Facts are added to counters, each exactly once.

pub mod reply_times;

use futures::future::join_all;
use tidings_domain::analytics::{Count, Fact, Metric, Part};
use tidings_domain::ports::{AnalyticsChange, Change};

use crate::Ports;
use crate::fixtures::{NOW, World, at, uuid};

fn fact(metric: Metric, dimension: &str, seconds: u64) -> Change {
    Change::Analytics(AnalyticsChange::Record(Fact {
        id: uuid(),
        metric,
        dimension: dimension.to_owned(),
        amount: 1,
        at: at(seconds),
    }))
}

async fn counts(world: &World) -> Vec<Count> {
    let mut counts = world.ports.analytics.counts(&world.access, NOW, at(86_400)).await.unwrap();
    counts.sort_by_key(|it| (it.quarter, it.metric));
    counts
}

fn count(metric: Metric, seconds: u64, amount: i64) -> Count {
    Count { metric, quarter: at(seconds), amount }
}

async fn parts(world: &World, until: u64) -> Vec<Part> {
    let mut parts = world.ports.analytics.parts(&world.access, NOW, at(until)).await.unwrap();
    parts.sort_by_key(|it| (it.metric, it.dimension.clone()));
    parts
}

fn part(metric: Metric, dimension: &str, amount: i64) -> Part {
    Part { metric, dimension: dimension.to_owned(), amount }
}

/// Facts with the same quarter, metric and channel share one counter; a second round adds to it.
pub async fn facts_are_counted_once_by_quarter_and_channel(store: Ports) {
    use Metric::{ContactsCreated, MessagesSent};
    let world = World::new(&store).await;
    while store.engine.count_facts(100).await.unwrap() > 0 {}
    let facts = [
        fact(MessagesSent, "a", 0),
        fact(MessagesSent, "a", 899),
        fact(MessagesSent, "b", 899),
        fact(MessagesSent, "a", 900),
        fact(ContactsCreated, "", 10),
    ];
    for fact in facts {
        world.add(fact).await;
    }
    assert_eq!(store.analytics.oldest_fact(&world.access).await.unwrap(), Some(NOW));
    assert!(counts(&world).await.is_empty());
    assert_eq!(store.engine.count_facts(3).await.unwrap(), 3);
    assert_eq!(store.engine.count_facts(3).await.unwrap(), 2);
    assert_eq!(store.engine.count_facts(3).await.unwrap(), 0);
    assert_eq!(store.analytics.oldest_fact(&world.access).await.unwrap(), None);
    world.add(fact(MessagesSent, "a", 1)).await;
    store.engine.count_facts(3).await.unwrap();
    let mut expected = [count(MessagesSent, 0, 4), count(ContactsCreated, 0, 1), count(MessagesSent, 900, 1)];
    expected.sort_by_key(|it| (it.quarter, it.metric));
    assert_eq!(counts(&world).await, expected);
    assert_eq!(parts(&world, 86_400).await, [part(MessagesSent, "a", 4), part(MessagesSent, "b", 1)]);
    assert_eq!(parts(&world, 900).await, [part(MessagesSent, "a", 3), part(MessagesSent, "b", 1)]);
    let asked = vec![MessagesSent, Metric::FlowsFailed];
    assert_eq!(store.analytics.sums(&world.access, asked.clone(), at(900)).await.unwrap(), [(MessagesSent, 4)]);
    assert_eq!(store.analytics.sums(&world.access, asked, at(901)).await.unwrap(), [(MessagesSent, 5)]);
}

/// Several processes may count at the same time, and each fact is counted once.
pub async fn concurrent_counting_counts_each_fact_once(store: Ports) {
    let world = World::new(&store).await;
    for number in 0..200 {
        world.add(fact(Metric::FlowsStarted, "", number % 50 * 60)).await;
    }
    let moved: u64 = join_all((0..8).map(|_| async {
        let mut moved = 0;
        for _ in 0..20 {
            moved += store.engine.count_facts(10).await.unwrap_or(0);
        }
        moved
    }))
    .await
    .into_iter()
    .sum();
    let rest = store.engine.count_facts(1_000).await.unwrap();
    assert_eq!(moved + rest, 200);
    assert_eq!(counts(&world).await.iter().map(|it| it.amount).sum::<i64>(), 200);
}

/// Counters and facts belong to their workspace.
pub async fn keeps_facts_and_counters_within_their_workspace(store: Ports) {
    let (one, other) = (World::new(&store).await, World::new(&store).await);
    one.add(fact(Metric::FlowsStarted, "", 0)).await;
    assert_eq!(store.analytics.oldest_fact(&other.access).await.unwrap(), None);
    store.engine.count_facts(10).await.unwrap();
    assert_eq!(counts(&one).await.len(), 1);
    assert!(counts(&other).await.is_empty() && parts(&other, 86_400).await.is_empty());
    assert!(store.analytics.sums(&other.access, vec![Metric::FlowsStarted], at(900)).await.unwrap().is_empty());
}

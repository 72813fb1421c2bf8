//! Schedules of flows, and the recipients of their firings.

use std::time::Duration;

use serde_json::json;
use tidings_domain::Tidings;
use tidings_domain::conditions::{Operand, Place, Question, Selection};
use tidings_domain::flows::{Flow, FlowSchedule, InFlight, NewFlow, RunFilter};
use tidings_domain::ids::{ContactId, FlowId};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::ports::{Change, Conflict, FlowChange, Job, NewJob, Object, Pool, Row};
use tidings_domain::time::Timestamp;

use crate::Ports;
use crate::fixtures::{NOW, World, a_schedule, at, conflict, id};

impl World {
    async fn freezes(&self, flow: FlowId, at: Timestamp, audience: Selection) {
        self.add(Change::Flow(FlowChange::FreezeAudience { flow, at, audience })).await;
    }

    async fn frozen(&self, flow: &Flow) -> Vec<(Timestamp, ContactId)> {
        self.ports.flows.recipients(&self.access, flow.id, 1_000).await.unwrap()
    }
}

/// The first plan has number one, and each later plan follows the one before; no other plan is written.
pub async fn rejects_a_plan_that_does_not_follow_the_previous_one(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (flow, paused) = (world.flow().await, world.flow().await);
    let put = |it: FlowSchedule| world.change(Change::Flow(FlowChange::PutSchedule(it)));
    let stale = Conflict::Stale(Object::Flow(flow.id));
    assert_eq!(store.flows.schedule(&world.access, flow.id).await.unwrap(), None);
    assert_eq!(conflict(put(a_schedule(&flow, 2)).await), stale, "the first plan must have number one");
    put(a_schedule(&flow, 1)).await.unwrap();
    assert_eq!(conflict(put(a_schedule(&flow, 1)).await), stale);
    let fired = FlowSchedule { fired_at: Some(at(60)), next_at: Some(at(120)), ..a_schedule(&flow, 2) };
    put(fired).await.unwrap();
    assert_eq!(conflict(put(fired).await), stale);
    assert_eq!(store.flows.schedule(&world.access, flow.id).await.unwrap(), Some(fired));
    assert_eq!(store.flows.schedule(&other.access, flow.id).await.unwrap(), None);
    put(FlowSchedule { next_at: None, ..a_schedule(&paused, 1) }).await.unwrap();
    assert_eq!(
        store.flows.schedules(&world.access).await.unwrap(),
        [fired],
        "only schedules with a next time are returned"
    );
    let (one, two) = (FlowSchedule { visit: 3, ..fired }, FlowSchedule { visit: 3, next_at: None, ..fired });
    let outcomes = futures::join!(put(one), put(two));
    assert_eq!(u8::from(outcomes.0.is_ok()) + u8::from(outcomes.1.is_ok()), 1, "{outcomes:?}");
}

/// The audience contains the existing contacts that match at that moment; later changes have no effect.
pub async fn freezes_the_contacts_that_match_a_condition(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let flow = world.flow().await;
    let mut chosen = Vec::new();
    for number in 0..40 {
        let contact = world.contact_with(|it| it.locale = if number % 2 == 0 { "de" } else { "en" }.parse().ok()).await;
        chosen.extend((number % 2 == 0).then_some(contact));
    }
    let mut gone = chosen.pop().unwrap();
    gone.deleted_at = Some(NOW);
    gone.touch(NOW);
    world.add(Change::Update(Row::Contact(Box::new(gone)))).await;
    other.contact_with(|it| it.locale = "de".parse().ok()).await;
    let locale = Place::Contact(tidings_domain::conditions::ContactAttribute::Locale);
    let german = Selection::Holds(locale, Question::OneOf(vec![Operand::Text("de".to_owned())]));
    world.freezes(flow.id, at(1), Selection::Any(vec![german.clone()])).await;
    let mut expected: Vec<_> = chosen.iter().map(|it| (at(1), it.id)).collect();
    expected.sort();
    assert_eq!(world.frozen(&flow).await, expected);
    let mut left = chosen.swap_remove(0);
    left.locale = "fr".parse().ok();
    left.touch(NOW);
    world.add(Change::Update(Row::Contact(Box::new(left)))).await;
    world.freezes(flow.id, at(2), Selection::Any(vec![german])).await;
    world.freezes(flow.id, at(3), Selection::Any(vec![])).await;
    let mut later: Vec<_> = chosen.iter().map(|it| (at(2), it.id)).collect();
    later.sort();
    assert_eq!(world.frozen(&flow).await, [expected, later].concat(), "the earliest firing comes first");
    assert_eq!(store.flows.recipients(&world.access, flow.id, 3).await.unwrap().len(), 3);
    assert!(store.flows.recipients(&other.access, flow.id, 3).await.unwrap().is_empty());
    let dropping = || Change::Flow(FlowChange::DropRecipients { flow: flow.id, limit: 30 });
    world.add(dropping()).await;
    world.add(dropping()).await;
    assert!(world.frozen(&flow).await.is_empty());
}

/// Of two concurrent attempts to take a recipient, one succeeds; the other writes nothing.
pub async fn takes_a_recipient_once(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    world.freezes(flow.id, at(1), Selection::Constant(true)).await;
    world.freezes(flow.id, at(2), Selection::Constant(true)).await;
    let take = || {
        world.commit(|set| {
            set.jobs.push(NewJob::new(id(), Job::StartFrozen { flow: flow.id }, NOW));
            set.change(Change::Flow(FlowChange::TakeRecipient { flow: flow.id, at: at(1), contact: contact.id }));
        })
    };
    let outcomes = futures::join!(take(), take(), take());
    let outcomes = [outcomes.0, outcomes.1, outcomes.2];
    assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 1, "{outcomes:?}");
    for lost in outcomes.into_iter().filter(Result::is_err) {
        assert_eq!(conflict(lost), Conflict::ClaimLost);
    }
    assert_eq!(world.frozen(&flow).await, [(at(2), contact.id)]);
    let jobs = store.engine.claim(crate::jobs::request(Pool::Work, 10)).await.unwrap();
    assert_eq!(jobs.len(), 1, "one job is claimed, and none of the rejected sets");
}

/// Two engines process the same portion, as after a false death: each contact is started once.
pub async fn two_engines_start_each_contact_of_a_firing_once(store: Ports) {
    let world = World::new(&store).await;
    let tidings = Tidings::new(store.clone());
    let definition =
        json!({"start": "end", "nodes": [{"id": "end", "type": "end"}], "settings": {"reentry": "parallel"}});
    let new = NewFlow { name: "Morning".to_owned(), definition };
    let flow = tidings.flows.create(&world.access, new, None).await.unwrap().value.id;
    tidings.flows.publish(&world.access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await.unwrap();
    let mut contacts = Vec::new();
    for _ in 0..120 {
        contacts.push(world.contact().await.id);
    }
    world.freezes(flow, at(1), Selection::Constant(true)).await;
    world.commit(|set| set.jobs.push(NewJob::new(id(), Job::StartFrozen { flow }, NOW))).await.unwrap();
    let jobs = store.engine.claim(crate::jobs::request(Pool::Work, 10)).await.unwrap();
    let portion = jobs.into_iter().find(|job| job.job == Job::StartFrozen { flow }).unwrap();
    let outcomes = futures::join!(tidings.worker.perform(&portion), tidings.worker.perform(&portion));
    assert_eq!(outcomes, (Ok(()), Ok(())));
    assert!(
        store.flows.recipients(&world.access, flow, 100).await.unwrap().len() <= 20,
        "only the next portion is left"
    );
    world.commit(|set| set.jobs.push(NewJob::new(id(), Job::StartFrozen { flow }, NOW))).await.unwrap();
    let later = NOW.plus(Duration::from_secs(60));
    while !store.flows.recipients(&world.access, flow, 1).await.unwrap().is_empty() {
        tidings.run_due(later).await.unwrap();
    }
    for contact in contacts {
        let filter = RunFilter { contact: Some(contact), ..RunFilter::default() };
        let runs = store.flows.runs(&world.access, &filter, Default::default()).await.unwrap().items;
        assert_eq!(runs.len(), 1, "{contact}: {runs:?}");
    }
}

//! Runs that wait for events: look-ups, and the race between a wait and the events of its contact.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::{Map, json};
use tidings_domain::Tidings;
use tidings_domain::contacts::{Contact, ContactRef};
use tidings_domain::custom_events::NewCustomEvent;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{
    AwaitedEvent, AwaitedKind, Flow, InFlight, NewFlow, Run, RunFilter, RunStatus, StartFlow, Wait,
};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::ports::{Change, FlowChange, Guard, Job, NewJob, Row};

use crate::Ports;
use crate::fixtures::{NOW, World, a_run, at, id, uuid};

fn order_paid() -> AwaitedKind {
    AwaitedKind::Custom("order.paid".parse().unwrap())
}

async fn waiting(world: &World, flow: &Flow, contact: &Contact, awaited: &AwaitedKind, since: u64) -> Run {
    let mut run = a_run(flow, contact);
    (run.slot, run.status, run.updated_at) = (uuid(), RunStatus::Waiting, at(since));
    let event = AwaitedEvent { awaited: awaited.clone(), passed: Some(vec![uuid()]), came: None };
    run.wait = Some(Wait::for_event(event, at(600)));
    world.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
    run
}

/// Waiting runs are found by contact and event, the longest wait first, until the event arrives or the run ends.
pub async fn finds_the_runs_that_wait_for_an_event(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (flow, ada, eve) = (world.flow().await, world.contact().await, world.contact().await);
    let tagged = AwaitedKind::Event(EventKind::ContactTagAdded);
    let late = waiting(&world, &flow, &ada, &order_paid(), 2).await;
    let early = waiting(&world, &flow, &ada, &order_paid(), 1).await;
    let of_tag = waiting(&world, &flow, &ada, &tagged, 3).await;
    waiting(&world, &flow, &eve, &order_paid(), 1).await;
    let find = async |access, awaited: &AwaitedKind| store.flows.awaiting_event(access, ada.id, awaited).await.unwrap();
    assert_eq!(find(&world.access, &order_paid()).await, [early.clone(), late.clone()]);
    assert_eq!(find(&world.access, &tagged).await, [of_tag]);
    assert_eq!(find(&world.access, &AwaitedKind::Event(EventKind::ContactCreated)).await, []);
    assert_eq!(find(&other.access, &order_paid()).await, []);

    let mut came = early.clone();
    (came.status, came.version) = (RunStatus::Active, 2);
    let event = AwaitedEvent { awaited: order_paid(), passed: None, came: Some(json!({"data": {"total": 7.5}})) };
    came.wait = Some(Wait::for_event(event, at(600)));
    world.add(Change::Update(Row::Run(Box::new(came.clone())))).await;
    assert_eq!(find(&world.access, &order_paid()).await, [late], "a run that received its event no longer waits");
    assert_eq!(store.flows.run(&world.access, came.id).await.unwrap(), Some(came));
    world.add(Change::Flow(FlowChange::Interrupt { flow: flow.id, at: at(9), due_at: at(9) })).await;
    assert_eq!(find(&world.access, &order_paid()).await, []);
    let ended = store.flows.run(&world.access, early.id).await.unwrap().unwrap();
    assert_eq!((ended.status, ended.wait), (RunStatus::Interrupted, None));
}

/// Committed events that are not yet delivered to runs are returned, even if their jobs are claimed.
pub async fn returns_events_that_are_not_yet_delivered_to_runs(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (ada, eve) = (world.contact().await, world.contact().await);
    let taking = |contact: &Contact| Job::TakeEvent { event: id(), contact: contact.id, depth: 0 };
    let told = Job::TakeCustomEvent { event: id(), contact: ada.id, depth: 0 };
    let (first, of_eve) = (taking(&ada), taking(&eve));
    let route = Job::RouteInbound { message: id(), contact: ada.id };
    for job in [first, told, of_eve, route] {
        world.commit(|set| set.jobs.push(NewJob::new(id(), job, NOW))).await.unwrap();
    }
    let subject = |job: &Job| job.columns().subject;
    let under_way = async |access| store.flows.events_under_way(access, ada.id).await.unwrap();
    assert_eq!(under_way(&world.access).await, [subject(&told), subject(&first)]);
    assert!(under_way(&other.access).await.is_empty());
    let claimed = store.engine.claim(crate::jobs::request(tidings_domain::ports::Pool::Work, 10)).await.unwrap();
    assert_eq!(under_way(&world.access).await.len(), 2, "events with claimed jobs are returned");
    let done = claimed.iter().find(|job| job.job == first).unwrap();
    world.add(done.finish()).await;
    assert_eq!(under_way(&world.access).await, [subject(&told)]);
}

/// The events that a run of any published version may wait for have listeners until the flow is deleted.
pub async fn awaited_events_have_listeners(store: Ports) {
    let world = World::new(&store).await;
    let (flow, other) = (world.flow().await, world.flow().await);
    let tagged = AwaitedKind::Event(EventKind::ContactTagAdded);
    let mut revision = store.listeners.listeners(world.workspace, None).await.unwrap().revision;
    let mut listened = async || {
        let now = store.listeners.listeners(world.workspace, Some(revision)).await.unwrap();
        revision = now.revision;
        world
            .commit(|set| set.guards.push(Guard::Listeners(now.revision)))
            .await
            .expect("the guard accepts the current revision");
        now.awaited.iter().cloned().collect::<Vec<_>>()
    };
    let put = async |flow: &Flow, awaited: &[&AwaitedKind], keeps_earlier| {
        let awaited = awaited.iter().map(|it| (*it).clone()).collect();
        world.add(Change::Flow(FlowChange::PutAwaited { flow: flow.id, awaited, keeps_earlier })).await;
    };
    put(&flow, &[&order_paid()], true).await;
    assert_eq!(listened().await, [order_paid()]);
    put(&flow, &[&tagged, &order_paid()], true).await;
    assert_eq!(listened().await, [tagged.clone(), order_paid()], "events of earlier versions keep their listeners");
    put(&flow, &[&tagged], false).await;
    assert_eq!(listened().await, std::slice::from_ref(&tagged), "events of earlier versions lose their listeners");
    put(&other, &[&tagged], true).await;
    world.add(Change::Flow(FlowChange::Delete { flow: flow.id, at: at(1) })).await;
    assert_eq!(listened().await, [tagged], "the other flow still waits for the event");
}

/// Events arrive while a run starts to wait and workers deliver them: an event committed before the wait was requested
/// never ends it, and the first event after the wait's commit is never missed.
pub async fn an_event_after_the_wait_is_never_missed(store: Ports) {
    let world = World::new(&store).await;
    let tidings = Tidings::new(store.clone());
    let definition = json!({"start": "wait", "nodes": [
        {"id": "wait", "type": "wait_for_event", "custom_event": "order.paid", "timeout": "P1D",
         "filter": {"field": "event.data.number", "op": "exists"}, "save_to": "vars.order",
         "next": "end", "on_timeout": "end"},
        {"id": "end", "type": "end"}]});
    let new = NewFlow { name: "Wait".to_owned(), definition };
    let flow = tidings.flows.create(&world.access, new, None).await.unwrap().value.id;
    tidings.flows.publish(&world.access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await.unwrap();
    for round in 0..6 {
        let contact = world.contact().await.id;
        let is_over = Arc::new(AtomicBool::new(false));
        let (began, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let tells = {
            let (tidings, access, is_over) = (tidings.clone(), world.access.clone(), is_over.clone());
            let (began, done) = (began.clone(), done.clone());
            tokio::spawn(async move {
                while !is_over.load(Ordering::SeqCst) {
                    let number = began.fetch_add(1, Ordering::SeqCst) + 1;
                    let data = json!({"number": number}).as_object().cloned().unwrap();
                    let told = NewCustomEvent { name: "order.paid".parse().unwrap(), data };
                    tidings.custom_events.record(&access, &ContactRef::Id(contact), told, None).await.unwrap();
                    done.store(number, Ordering::SeqCst);
                }
            })
        };
        let works = [(); 2].map(|()| {
            let (tidings, is_over) = (tidings.clone(), is_over.clone());
            tokio::spawn(async move {
                while !is_over.load(Ordering::SeqCst) {
                    tidings.run_due(NOW).await.unwrap();
                    tokio::task::yield_now().await;
                }
            })
        });
        while done.load(Ordering::SeqCst) < 2 {
            tokio::task::yield_now().await;
        }
        let before = done.load(Ordering::SeqCst);
        let start = StartFlow { flow, vars: Map::new(), mode: None };
        let started = tidings.flows.start(&world.access, &ContactRef::Id(contact), start, None).await.unwrap().value;
        let mut run = started;
        while run.visit == 0 {
            run = store.flows.run(&world.access, run.id).await.unwrap().unwrap();
            tokio::task::yield_now().await;
        }
        let after = began.load(Ordering::SeqCst) + 1;
        while done.load(Ordering::SeqCst) < after {
            tokio::task::yield_now().await;
        }
        is_over.store(true, Ordering::SeqCst);
        tells.await.unwrap();
        for work in works {
            work.await.unwrap();
        }
        tidings.run_due(NOW).await.unwrap();
        let filter = RunFilter { contact: Some(contact), ..RunFilter::default() };
        let runs = store.flows.runs(&world.access, &filter, Default::default()).await.unwrap().items;
        assert_eq!((runs.len(), runs[0].status), (1, RunStatus::Completed), "round {round}: {runs:?}");
        let number = runs[0].vars["order"]["number"].as_u64().unwrap();
        assert!(before < number && number <= after, "round {round}: {before} < {number} <= {after}");
    }
}

//! Rule 6: a flow, contact and slot have at most one live run.

use futures::future::join_all;
use serde_json::json;
use tidings_domain::access::Actor;
use tidings_domain::channels::Channel;
use tidings_domain::contacts::Contact;
use tidings_domain::flows::{Caller, Flow, FlowStats, Run, RunError, RunFilter, RunStatus, TraceEntry, Wait, WaitKind};
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{
    Change, Conflict, ConversationChange, Counted, FlowChange, Guard, Job, NewJob, Pool, Row, TagChange, UniqueKey,
};

use crate::Ports;
use crate::fixtures::{NOW, World, a_conversation, a_flow_version, a_run, at, conflict, id, uuid};

/// A slot has one live run. Another slot is free, and so is the same one after the run ends.
pub async fn a_slot_has_one_live_run(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let mut first = world.run(&flow, &contact).await;
    let again = a_run(&flow, &contact);
    let refused = world.change(Change::Insert(Row::Run(Box::new(again.clone())))).await;
    assert_eq!(conflict(refused), Conflict::Exists(UniqueKey::LiveRun));
    let mut parallel = a_run(&flow, &contact);
    parallel.slot = parallel.id.uuid();
    world.add(Change::Insert(Row::Run(Box::new(parallel)))).await;
    let live = store.flows.live_run(&world.access, flow.id, contact.id).await.unwrap();
    assert_eq!(live.map(|run| run.id), Some(first.id), "the run of the shared slot, not the parallel one");

    (first.status, first.ended_at, first.version) = (RunStatus::Completed, Some(at(1)), 2);
    world.add(Change::Update(Row::Run(Box::new(first)))).await;
    assert_eq!(store.flows.live_run(&world.access, flow.id, contact.id).await.unwrap(), None);
    world.add(Change::Insert(Row::Run(Box::new(again.clone())))).await;
    let live = store.flows.live_run(&world.access, flow.id, contact.id).await.unwrap();
    assert_eq!(live, Some(again));
}

/// Of two concurrent starts, one creates a live run.
pub async fn one_of_two_concurrent_starts_succeeds(store: Ports) {
    let world = World::new(&store).await;
    let flow = world.flow().await;
    for _ in 0..10 {
        let contact = world.contact().await;
        let start = || {
            let (world, run) = (world.clone(), a_run(&flow, &contact));
            tokio::spawn(async move { world.change(Change::Insert(Row::Run(Box::new(run)))).await })
        };
        let outcomes: Vec<_> = join_all([start(), start()]).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
        let lost = outcomes.into_iter().find(Result::is_err).unwrap();
        assert_eq!(conflict(lost), Conflict::Exists(UniqueKey::LiveRun));
    }
}

/// The limit on starts counts from a given time, including ended runs, and holds for concurrent starts.
pub async fn counts_starts_from_a_given_time(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let since = at(100);
    let start = |seconds: u64| {
        let (world, mut run) = (world.clone(), a_run(&flow, &contact));
        (run.slot, run.started_at) = (uuid(), at(seconds));
        let what = Counted::Starts { flow: flow.id, contact: contact.id, since };
        tokio::spawn(async move {
            world
                .commit(|set| {
                    set.guard(Guard::Room { what, adding: 1, most: 3 });
                    set.change(Change::Insert(Row::Run(Box::new(run))));
                })
                .await
        })
    };
    for seconds in [1, 50, 99] {
        start(seconds).await.unwrap().expect("starts before the instant do not count");
    }
    let outcomes: Vec<_> = join_all((100..108).map(start)).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3, "{outcomes:?}");
    let starts = store.flows.recent_starts(&world.access, flow.id, contact.id, 4).await.unwrap();
    assert_eq!(starts.len(), 4);
    assert!(starts.is_sorted_by(|a, b| a >= b) && starts[2] >= since && starts[3] == at(99), "{starts:?}");
}

/// A run that failed before its first node counts as a refusal, not as a start.
pub async fn a_refused_run_does_not_count_as_a_start(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact, other) = (world.flow().await, world.contact().await, world.contact().await);
    let run = |seconds: u64, status, nodes_visited| {
        let mut run = a_run(&flow, &contact);
        (run.slot, run.started_at, run.ended_at) = (uuid(), at(seconds), Some(at(seconds)));
        (run.status, run.nodes_visited) = (status, nodes_visited);
        Change::Insert(Row::Run(Box::new(run)))
    };
    let refused = async |contact: &Contact, since| {
        store.flows.is_refused_since(&world.access, flow.id, contact.id, since).await.unwrap()
    };
    world.add(run(1, RunStatus::Failed, 1)).await;
    world.add(run(2, RunStatus::Interrupted, 0)).await;
    assert!(!refused(&contact, at(0)).await);
    world.add(run(3, RunStatus::Failed, 0)).await;
    assert!(refused(&contact, at(3)).await);
    assert!(!refused(&contact, at(4)).await && !refused(&other, at(0)).await);
    let starts = store.flows.recent_starts(&world.access, flow.id, contact.id, 9).await.unwrap();
    assert_eq!(starts, [at(2), at(1)]);
    let room = |most| Guard::Room {
        what: Counted::Starts { flow: flow.id, contact: contact.id, since: at(0) },
        adding: 1,
        most,
    };
    assert!(world.commit(|set| set.guards.push(room(2))).await.is_err());
    world.commit(|set| set.guards.push(room(3))).await.unwrap();
    let told = |most| Guard::Room {
        what: Counted::Refusals { flow: flow.id, contact: contact.id, since: at(3) },
        adding: 1,
        most,
    };
    assert!(world.commit(|set| set.guards.push(told(1))).await.is_err());
    world.commit(|set| set.guards.push(told(2))).await.unwrap();
}

/// All fields of a run are stored.
pub async fn stores_all_fields_of_a_run(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let mut run = a_run(&flow, &contact);
    (run.node, run.status) = (Some("wait".to_owned()), RunStatus::Waiting);
    run.vars = json!({"b": 1, "a": {"deep": [1.5, null, "\u{0}"]}}).as_object().cloned().unwrap();
    run.wait = Some(Wait::for_reply(Some(at(60)), 2));
    run.channel = Some(world.channel.id);
    (run.cause, run.depth) = (Some(uuid()), 7);
    run.caller = Some(Caller { run: id(), depth: 3 });
    run.event = Some(json!({"type": "contact.tag_added", "tag": {"name": "vip"}}));
    run.started_by = Actor::flow(flow.id, run.id);
    (run.visit, run.nodes_visited) = (3, 7);
    world.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
    assert_eq!(store.flows.run(&world.access, run.id).await.unwrap(), Some(run.clone()));
    let entry = |node: &str| TraceEntry {
        node: node.to_owned(),
        kind: "send".to_owned(),
        at: at(61),
        outcome: "queued".to_owned(),
        exit: Some("next".to_owned()),
        resumed: node == "b",
        message: Some(id()),
        run: Some(id()),
        decision: None,
    };
    run.trace = vec![entry("a"), entry("b")];
    (run.status, run.wait, run.ended_at, run.version) = (RunStatus::Failed, None, Some(at(61)), 2);
    let path = vec!["a".to_owned(), "b".to_owned()];
    run.error =
        Some(RunError { code: "loop_guard".to_owned(), message: "m".to_owned(), node: Some("b".to_owned()), path });
    world.add(Change::Update(Row::Run(Box::new(run.clone())))).await;
    assert_eq!(store.flows.run(&world.access, run.id).await.unwrap(), Some(run));
    let version = store.flows.version(&world.access, flow.id, 1).await.unwrap().unwrap();
    assert_eq!(version.definition.to_string(), flow.definition.to_string());
    assert_eq!(store.flows.get(&world.access, flow.id).await.unwrap(), Some(flow.clone()));
    let stats = store.flows.stats(&world.access, flow.id).await.unwrap();
    assert_eq!(stats, FlowStats { failed: 1, ..FlowStats::default() });
    assert_eq!(store.flows.version(&world.access, flow.id, 2).await.unwrap(), None);
}

/// A run is read with its contact, deleted or not, and with all conversations of the contact, the most recent first.
/// Many runs can be read at once.
pub async fn a_run_is_read_with_its_contact(store: Ports) {
    let (world, neighbour) = (World::new(&store).await, World::new(&store).await);
    let (flow, contact, mut gone) = (world.flow().await, world.contact().await, world.contact().await);
    let elsewhere = Channel::sandbox(id(), false, NOW);
    world.add(Change::Insert(Row::Channel(elsewhere.clone()))).await;
    let (quiet, used) = (world.conversation(&contact).await, a_conversation(&contact, &elsewhere));
    world.add(Change::Insert(Row::Conversation(used.clone()))).await;
    world.add(Change::Conversation(ConversationChange::Touch { conversation: used.id, at: at(1) })).await;
    let tag = world.tag("vip").await;
    world.add(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW })).await;
    let mut parallel = a_run(&flow, &contact);
    parallel.slot = parallel.id.uuid();
    world.add(Change::Insert(Row::Run(Box::new(parallel.clone())))).await;
    let runs = [world.run(&flow, &contact).await, parallel, world.run(&flow, &gone).await];
    (gone.deleted_at, gone.version) = (Some(at(1)), 2);
    world.add(Change::Update(Row::Contact(Box::new(gone.clone())))).await;

    let read = |run: &Run| {
        let (flows, access, run) = (store.flows.clone(), world.access.clone(), run.id);
        async move { flows.run_with_contact(&access, run).await.unwrap() }
    };
    let mut found: Vec<_> = join_all(runs.iter().map(read)).await.into_iter().flatten().collect();
    assert_eq!(read(&runs[0]).await.as_ref(), Some(&found[0]), "a single read equals a concurrent one");
    assert_eq!(found.iter().map(|it| &it.run).collect::<Vec<_>>(), runs.iter().collect::<Vec<_>>());
    let last = found.pop().unwrap();
    assert_eq!((last.contact.deleted_at, last.conversations), (gone.deleted_at, Vec::new()));
    for it in found {
        let whole = store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap();
        assert_eq!(Some(it.contact), whole.filter(|it| it.tags.iter().any(|it| it.id == tag.id)));
        assert_eq!(it.conversations.iter().map(|it| it.id).collect::<Vec<_>>(), [used.id, quiet.id]);
    }
    assert_eq!(store.flows.run_with_contact(&neighbour.access, runs[0].id).await.unwrap(), None);
    assert_eq!(store.flows.run_with_contact(&world.access, id()).await.unwrap(), None);
}

/// All live runs of the contact end, each with its next version; other runs continue.
pub async fn runs_of_a_deleted_contact_end(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact, other) = (world.flow().await, world.contact().await, world.contact().await);
    let (live, untouched) = (world.run(&flow, &contact).await, world.run(&flow, &other).await);
    let mut ended = a_run(&flow, &contact);
    (ended.slot, ended.status, ended.ended_at) = (uuid(), RunStatus::Completed, Some(at(1)));
    world.add(Change::Insert(Row::Run(Box::new(ended.clone())))).await;
    world.add(Change::Flow(FlowChange::InterruptRuns { contact: contact.id, at: at(9) })).await;
    let read = async |run| store.flows.run(&world.access, run).await.unwrap().unwrap();
    let interrupted = read(live.id).await;
    assert_eq!((interrupted.status, interrupted.ended_at), (RunStatus::Interrupted, Some(at(9))));
    assert_eq!((interrupted.version, interrupted.updated_at), (2, at(9)));
    assert_eq!(read(ended.id).await, ended);
    assert_eq!(read(untouched.id).await, untouched);
}

/// An event or a message starts a flow once; starts without a cause are not limited.
pub async fn a_cause_starts_a_flow_once(store: Ports) {
    let world = World::new(&store).await;
    let (flow, other) = (world.flow().await, world.flow().await);
    let cause = uuid();
    let of_cause = |flow: &Flow, contact: &tidings_domain::contacts::Contact| {
        let mut run = a_run(flow, contact);
        (run.slot, run.cause) = (uuid(), Some(cause));
        run
    };
    let (ada, eve) = (world.contact().await, world.contact().await);
    world.add(Change::Insert(Row::Run(Box::new(of_cause(&flow, &ada))))).await;
    let again = world.change(Change::Insert(Row::Run(Box::new(of_cause(&flow, &eve))))).await;
    assert_eq!(conflict(again), Conflict::Exists(UniqueKey::RunCause));
    world.add(Change::Insert(Row::Run(Box::new(of_cause(&other, &ada))))).await;
    let mut started = store.flows.started_by(&world.access, cause).await.unwrap();
    started.sort();
    assert_eq!(started, [flow.id, other.id]);
    assert_eq!(store.flows.started_by(&world.access, uuid()).await.unwrap(), []);
}

/// Of the runs that wait for the contact's reply, the one with the last question comes first.
pub async fn finds_the_runs_that_wait_for_a_reply(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact, other) = (world.flow().await, world.contact().await, world.contact().await);
    let waiting = async |contact, asked: u64, kind: WaitKind| {
        let mut run = a_run(&flow, contact);
        (run.slot, run.status, run.updated_at) = (uuid(), RunStatus::Waiting, at(asked));
        run.wait = Some(Wait { kind, ..Wait::for_reply(None, 1) });
        world.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
        run
    };
    let early = waiting(&contact, 1, WaitKind::Reply).await;
    let late = waiting(&contact, 2, WaitKind::Reply).await;
    waiting(&contact, 3, WaitKind::Until).await;
    waiting(&other, 4, WaitKind::Reply).await;
    let found = store.flows.awaiting_reply(&world.access, contact.id).await.unwrap();
    assert_eq!(found, [late.clone(), early.clone()]);
    world.add(Change::Flow(FlowChange::InterruptRuns { contact: contact.id, at: at(9) })).await;
    assert_eq!(store.flows.awaiting_reply(&world.access, contact.id).await.unwrap(), []);
}

/// Runs are listed by flow, contact and status, newest first.
pub async fn lists_runs_by_flow_contact_and_status(store: Ports) {
    let world = World::new(&store).await;
    let (flow, other) = (world.flow().await, world.flow().await);
    let (ada, eve) = (world.contact().await, world.contact().await);
    let started = async |flow, contact, seconds: u64, status: RunStatus| {
        let mut run = a_run(flow, contact);
        (run.slot, run.status, run.started_at) = (uuid(), status, at(seconds));
        run.ended_at = (!status.is_live()).then_some(at(seconds));
        world.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
        run.id
    };
    let first = started(&flow, &ada, 1, RunStatus::Completed).await;
    let second = started(&flow, &eve, 2, RunStatus::Active).await;
    let third = started(&other, &ada, 3, RunStatus::Expired).await;
    let list = async |filter: RunFilter| {
        let page = store.flows.runs(&world.access, &filter, Default::default()).await.unwrap();
        page.items.iter().map(|run| run.id).collect::<Vec<_>>()
    };
    assert_eq!(list(RunFilter::default()).await, [third, second, first]);
    assert_eq!(list(RunFilter { flow: Some(flow.id), ..RunFilter::default() }).await, [second, first]);
    assert_eq!(list(RunFilter { contact: Some(ada.id), ..RunFilter::default() }).await, [third, first]);
    assert_eq!(list(RunFilter { status: Some(RunStatus::Active), ..RunFilter::default() }).await, [second]);
}

/// All live runs of a flow end or move together; runs of other flows do not change.
pub async fn migrates_and_interrupts_all_live_runs_of_a_flow(store: Ports) {
    let world = World::new(&store).await;
    let (flow, other, contact) = (world.flow().await, world.flow().await, world.contact().await);
    world.add(Change::Flow(FlowChange::InsertVersion(a_flow_version(&flow, 2)))).await;
    let at_node = async |flow, node: Option<&str>| {
        let mut run = a_run(flow, &contact);
        (run.slot, run.node) = (uuid(), node.map(ToOwned::to_owned));
        world.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
        run
    };
    let (fresh, here, gone) =
        (at_node(&flow, None).await, at_node(&flow, Some("kept")).await, at_node(&flow, Some("gone")).await);
    let untouched = at_node(&other, Some("kept")).await;
    let read = async |run| store.flows.run(&world.access, run).await.unwrap().unwrap();
    world
        .add(Change::Flow(FlowChange::MigrateRuns { flow: flow.id, to: 2, nodes: vec!["kept".to_owned()], at: at(5) }))
        .await;
    let (fresh, here) = (read(fresh.id).await, read(here.id).await);
    assert_eq!((fresh.flow_version, here.flow_version, here.version), (2, 2, 2));
    assert_eq!(read(gone.id).await, gone, "a run at a missing node stays on its version");

    world.add(Change::Flow(FlowChange::Interrupt { flow: flow.id, at: at(9), due_at: at(9) })).await;
    for run in [fresh.id, here.id, gone.id] {
        let run = read(run).await;
        assert_eq!((run.status, run.ended_at, run.wait), (RunStatus::Interrupted, Some(at(9)), None));
    }
    assert_eq!(read(untouched.id).await, untouched);
    let stats = store.flows.stats(&world.access, flow.id).await.unwrap();
    assert_eq!((stats.interrupted, stats.active), (3, 0));
}

/// Steps are removed with their runs or flow, and become due when their flow is resumed.
pub async fn drops_and_wakes_queued_steps_with_their_runs(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let waiting = async |until: u64| {
        let mut run = a_run(&flow, &contact);
        (run.slot, run.status) = (uuid(), RunStatus::Waiting);
        run.wait = Some(Wait::until(at(until)));
        let job = NewJob::new(id(), Job::StepRun { run: run.id, visit: 0 }, at(3_600 + until));
        let run_id = run.id;
        let commit = world.commit(|set| {
            set.change(Change::Insert(Row::Run(Box::new(run))));
            set.jobs.push(job);
        });
        commit.await.unwrap();
        run_id
    };
    let (due, dropped, _later) = (waiting(10).await, waiting(11).await, waiting(5_000).await);
    let next = async || store.engine.next_due(Pool::Work).await.unwrap();
    assert_eq!(next().await, Some(at(3_610)));
    world.add(Change::Flow(FlowChange::DropSteps { run: dropped })).await;
    world.add(Change::Flow(FlowChange::WakeRuns { flow: flow.id, at: at(20), due_at: at(20) })).await;
    assert_eq!(next().await, Some(at(20)), "steps that fell due during the pause are due at once");
    world.add(Change::Flow(FlowChange::DropSteps { run: due })).await;
    assert_eq!(next().await, Some(at(8_600)), "steps with a later due time keep it");
    world.add(Change::Flow(FlowChange::Interrupt { flow: flow.id, at: at(30), due_at: at(30) })).await;
    assert_eq!(next().await, None);
}

/// The traces of runs are removed in portions, some time after the end of the run. The runs and the traces of live runs
/// stay.
pub async fn removes_traces_of_ended_runs_in_portions(store: Ports) {
    let world = World::new(&store).await;
    let flow = world.flow().await;
    let (node, kind, outcome) = ("hello".to_owned(), "send_message".to_owned(), "queued".to_owned());
    let (exit, message, run, decision) = (None, None, None, None);
    let entry = TraceEntry { node, kind, at: at(1), outcome, exit, resumed: false, message, run, decision };
    let mut runs = Vec::new();
    for ended in [Some(1), Some(2), Some(2), Some(2), Some(3), None] {
        let contact = world.contact().await;
        let mut run = a_run(&flow, &contact);
        run.ended_at = ended.map(at);
        run.trace = vec![entry.clone()];
        world.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
        runs.push(run);
    }
    let expire = async |from, limit| store.engine.expire_traces(from, at(3), limit).await.unwrap();
    assert_eq!(expire(at(0), 2).await, Some(at(2)));
    assert_eq!(expire(at(2), 1).await, Some(at(2)), "other runs that ended at the same time are found");
    assert_eq!(expire(at(2), 2).await, None);
    assert_eq!(expire(at(0), 10).await, None);
    let mut left = Vec::new();
    for run in runs {
        let found = store.flows.run(&world.access, run.id).await.unwrap().unwrap();
        left.push(found.trace.len());
        assert_eq!(found, Run { trace: found.trace.clone(), ..run });
    }
    assert_eq!(left, [0, 0, 0, 0, 1, 1]);

    let expire = async |limit| store.engine.expire_runs(at(3), limit).await.unwrap();
    assert_eq!((expire(3).await, expire(3).await, expire(3).await), (3, 1, 0), "the ended runs are removed");
}

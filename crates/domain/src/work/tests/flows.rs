//! Tests of triggers and of waiting runs: replies, keywords, events and their races.

mod documentation;
mod handovers;
mod live_runs;
mod pauses;
pub(super) mod played;
mod referrals;

use serde_json::Value;
use uuid::Uuid;

use super::*;
use crate::conversations::{Conversation, ConversationStatus, Handler};
use crate::ids::{ConversationId, JobId, TypedId};
use crate::ports::{Change, ChangeSet, ChannelQueries, ConversationQueries, FlowQueries, Job, Ledger, NewJob, Row};
use played::{answering, asking, keyword};

#[test]
fn a_reply_resumes_the_waiting_run_and_triggers_no_flow() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.flow("Any", answering(keyword("contains", "@"), "Triggered"));
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.runs()[0].status, RunStatus::Waiting);
    bench.hears(&contact, "Ada@Example.com");
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Thanks"]);
    let contact = block_on(bench.tidings.contacts.get(&bench.access, &ContactRef::Id(contact.id))).unwrap();
    assert_eq!(contact.email.map(|it| it.to_string()).as_deref(), Some("ada@example.com"));
    assert_eq!(bench.runs().len(), 1, "an answer triggers no keyword");
    assert!(bench.event_kinds().contains(&"contact.updated"));
    assert_eq!(bench.runs()[0].status, RunStatus::Completed);
}

#[test]
fn asks_again_for_an_email_of_another_contact() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    let eve = NewContact { email: "eve@example.com".parse().ok(), ..NewContact::default() };
    block_on(bench.tidings.contacts.create(&bench.access, eve, None)).unwrap();
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    bench.hears(&contact, "eve@example.com");
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Your e-mail?"]);
    assert_eq!(bench.runs()[0].status, RunStatus::Waiting);
}

/// A reply and a timeout race: the first commit gets the run.
#[test]
fn the_first_of_a_reply_and_a_timeout_moves_the_run() {
    for reply_first in [true, false] {
        let bench = bench();
        let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
        bench.flow("Any", answering(keyword("contains", "@"), "Triggered"));
        bench.start(flow, &contact).unwrap();
        bench.finish_due_work();
        bench.clock.set(bench.clock.now().plus(Duration::from_secs(3_600)));
        bench.hears(&contact, "ada@example.com");
        let mut due = bench.claimed();
        due.retain(|job| matches!(job.job, Job::StepRun { .. } | Job::RouteInbound { .. }));
        assert_eq!(due.len(), 2, "the reply and the timeout are claimed together");
        due.sort_by_key(|job| (job.job.kind() == JobKind::StepRun) == reply_first);
        for job in &due {
            block_on(bench.tidings.worker.perform(job)).unwrap();
        }
        bench.finish_due_work();
        let expected: &[&str] =
            if reply_first { &["Your e-mail?", "Thanks"] } else { &["Your e-mail?", "Another time", "Triggered"] };
        assert_eq!(bench.texts(&contact), expected, "reply first: {reply_first}");
        assert_eq!(bench.runs().len(), if reply_first { 1 } else { 2 });
    }
}

#[test]
fn a_message_starts_one_flow_the_best_then_the_oldest_match() {
    let bench = bench();
    let contact = bench.contact();
    bench.flow("Contains", answering(keyword("contains", "hi"), "contains"));
    bench.flow("Begins", answering(keyword("starts_with", "hi"), "begins"));
    bench.flow("Exact", answering(keyword("exact", "hi there"), "exact"));
    bench.flow("Later", answering(keyword("exact", "hi there"), "later"));
    for (text, expected) in
        [(" HI  There ", Some("exact")), ("hi you", Some("begins")), ("oh hi", Some("contains")), ("ho", None)]
    {
        let before = bench.runs().len();
        bench.hears(&contact, text);
        bench.finish_due_work();
        match expected {
            Some(expected) => assert_eq!(bench.texts(&contact).last().map(String::as_str), Some(expected), "{text}"),
            None => assert_eq!(bench.runs().len(), before, "{text}"),
        }
    }
    assert_eq!(bench.runs().len(), 3);
    assert_eq!(bench.runs()[0].started_by, crate::access::Actor::contact(contact.id));
}

#[test]
fn a_message_that_is_routed_twice_starts_its_flow_once() {
    let bench = bench();
    let contact = bench.contact();
    let parallel = {
        let mut definition = answering(keyword("exact", "hi"), "Hello");
        definition["settings"] = json!({"reentry": "parallel"});
        definition
    };
    bench.flow("Hi", parallel);
    let message = bench.hears(&contact, "hi");
    let ids = bench.tidings.ports.ids.clone();
    let mut set = ChangeSet::new(bench.access.workspace());
    let route = Job::RouteInbound { message, contact: contact.id };
    set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), route, bench.clock.now()));
    block_on(bench.store.commit(set)).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.runs().len(), 1);
}

/// A message that no flow handles opens the conversation. Automation stays its handler, so keywords and waiting runs
/// continue.
#[test]
fn flows_still_run_in_a_conversation_that_an_unhandled_message_opened() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.flow("Hi", answering(keyword("exact", "hi"), "Hello"));
    let channel = block_on(bench.store.default_channel(&bench.access)).unwrap().unwrap();
    let (id, now) = (ConversationId::from_uuid(bench.tidings.ports.ids.next()), bench.clock.now());
    let mut waiting = Conversation::new(id, contact.id, channel.id, now);
    waiting.hear(now);
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Insert(Row::Conversation(waiting)));
    block_on(bench.store.commit(set)).unwrap();
    let state = || {
        let it = block_on(bench.store.between(&bench.access, contact.id, channel.id)).unwrap().unwrap();
        (it.status, it.handler, it.assignee)
    };
    bench.hears(&contact, "Anyone there?");
    bench.finish_due_work();
    assert_eq!(state(), (ConversationStatus::Open, Handler::Bot, None));
    bench.hears(&contact, "hi");
    bench.finish_due_work();
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    bench.hears(&contact, "ada@example.com");
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Hello", "Your e-mail?", "Thanks"]);
    assert_eq!(state(), (ConversationStatus::Open, Handler::Bot, None), "it stays open until it is resolved");
}

/// Starts a run that asked a question with a timeout. Agents then handle the conversation until after the timeout, with
/// or without replies.
fn with_people(replies: bool) -> (Bench, ConversationId) {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.flow("Hi", answering(keyword("exact", "hi"), "Hello"));
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let channel = block_on(bench.store.default_channel(&bench.access)).unwrap().unwrap();
    let mut conversation = block_on(bench.store.between(&bench.access, contact.id, channel.id)).unwrap().unwrap();
    assert!(conversation.escalate(bench.clock.now()));
    assert_eq!(conversation.handler, Handler::Human);
    let mut set = ChangeSet::new(bench.access.workspace());
    let id = conversation.id;
    set.change(Change::Update(Row::Conversation(conversation)));
    block_on(bench.store.commit(set)).unwrap();
    if replies {
        bench.hears(&contact, "hi");
        bench.hears(&contact, "ada@example.com");
    }
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?"]);
    assert_eq!(bench.runs()[0].status, RunStatus::Waiting, "the run still waits");
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(3_600)));
    bench.finish_due_work();
    (bench, id)
}

#[test]
fn a_timeout_during_human_handling_sends_no_message() {
    let (bench, _) = with_people(false);
    let run = &bench.runs()[0];
    assert_eq!(run.status, RunStatus::Completed);
    assert!(run.trace.iter().any(|entry| entry.outcome.contains("suppressed: human_handling")), "{:?}", run.trace);
}

#[test]
fn takes_the_last_reply_when_agents_return_the_conversation() {
    let (bench, conversation) = with_people(true);
    assert_eq!(bench.runs()[0].status, RunStatus::Waiting);
    block_on(bench.tidings.conversations.resolve(&bench.access, conversation, &ExpectedVersion::Any, None)).unwrap();
    bench.finish_due_work();
    let run = &bench.runs()[0];
    assert_eq!(run.status, RunStatus::Completed);
    let taken: Vec<_> = run.trace.iter().filter(|it| it.resumed).map(|it| it.outcome.as_str()).collect();
    assert_eq!(taken, ["saved to contact.email"]);
}

#[test]
fn an_event_starts_each_flow_with_a_matching_filter_once() {
    let bench = bench();
    let tag = |name: &str| NewTagCommand { name: name.into(), color: None, description: None };
    for name in ["vip", "other"] {
        block_on(bench.tidings.tags.create(&bench.access, tag(name), None)).unwrap();
    }
    let on_tag = |filter: Value| json!([{"type": "event", "event": "contact.tag_added", "filter": filter}]);
    let by_name = json!({"field": "event.tag.name", "op": "eq", "value": "vip"});
    bench.flow("Vip", answering(on_tag(by_name), "Welcome, {{ event.tag.name }}"));
    bench.flow("Mail", answering(on_tag(json!({"field": "email", "op": "exists"})), "never"));
    let contact = bench.contact();
    let add = |name: &str| {
        let tag = crate::contacts::NewTag { tag: crate::contacts::TagRef::Name(name.into()), pointer: "/name".into() };
        block_on(bench.tidings.contacts.add_tag(
            &bench.access,
            &ContactRef::Id(contact.id),
            tag,
            &ExpectedVersion::Any,
            None,
        ))
        .unwrap();
        bench.finish_due_work();
    };
    add("other");
    assert_eq!(bench.runs().len(), 0);
    add("vip");
    assert_eq!(bench.texts(&contact), ["Welcome, vip"]);
    let run = &bench.runs()[0];
    assert_eq!((run.depth, run.started_by.kind_str()), (1, "system"));
    assert_eq!(block_on(bench.store.started_by(&bench.access, run.cause.unwrap())).unwrap(), [run.flow]);
}

#[test]
fn ends_a_chain_of_starts_at_depth_sixteen() {
    let bench = bench();
    let mut first = bench.flow("Last", answering(json!([]), "never"));
    for place in 0..16 {
        let hands_over =
            json!({"start": "go", "nodes": [{"id": "go", "type": "start_flow", "flow_id": first.to_string()}]});
        first = bench.flow(&format!("Flow {place}"), hands_over);
    }
    bench.start(first, &bench.contact()).unwrap();
    bench.finish_due_work();
    let mut runs = bench.runs();
    runs.sort_by_key(|run| run.depth);
    let chain: Vec<_> = runs.iter().map(|run| (run.depth, run.status)).collect();
    let mut expected: Vec<_> = (1..=16).map(|depth| (depth, RunStatus::Completed)).collect();
    expected.push((17, RunStatus::Failed));
    assert_eq!(chain, expected);
    let depth = bench.access.at_depth(16);
    let flow = block_on(bench.tidings.flows.get(&bench.access, first)).unwrap();
    let ada = bench.contact();
    let plan = crate::flows::StartPlan {
        flow: flow.id,
        version: crate::flows::Startable::of(&flow),
        contact: ada.id,
        vars: Map::new(),
        channel: None,
        cause: Some(Uuid::max()),
        caller: None,
        event: None,
    };
    let mut set = ChangeSet::new(bench.access.workspace());
    let starter = Starter { ports: bench.tidings.ports.clone() };
    let started = block_on(starter.add(&depth, &plan, None, &mut set)).unwrap();
    assert_eq!(started, crate::flows::StartOutcome::TooDeep);
    assert!(set.events.is_empty() && set.jobs.is_empty(), "a refused start causes no events and jobs");
    block_on(bench.store.commit(set)).unwrap();
    let refused = bench.runs().into_iter().find(|run| run.contact == ada.id).unwrap();
    assert_eq!((refused.status, refused.error.unwrap().code.as_str()), (RunStatus::Failed, "loop_guard"));
}

//! Tests of triggers and of waiting runs: replies, keywords, events, pauses and their races.

pub(super) mod played;

use serde_json::Value;
use uuid::Uuid;

use super::*;
use crate::contacts::Contact;
use crate::conversations::Handler;
use crate::flows::{FlowPatch, FlowStatus};
use crate::ids::{ConversationId, JobId, TypedId};
use crate::pagination::PageRequest;
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

#[test]
fn a_paused_flow_holds_its_runs_until_it_is_resumed() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let patch = |status| FlowPatch { status: Some(status), ..FlowPatch::default() };
    let draft =
        block_on(bench.tidings.flows.update(&bench.access, flow, patch(FlowStatus::Draft), &ExpectedVersion::Any));
    let Err(Error::Invalid(wrong)) = draft else { panic!("a published flow cannot become a draft: {draft:?}") };
    assert_eq!((wrong[0].pointer.as_str(), wrong[0].code), ("/status", "not_allowed"));
    let set = |status| {
        block_on(bench.tidings.flows.update(&bench.access, flow, patch(status), &ExpectedVersion::Any)).unwrap()
    };
    assert_eq!(set(FlowStatus::Paused).status, FlowStatus::Paused);
    assert_eq!(bench.start(flow, &bench.contact()), Err(Error::FlowNotActive));
    bench.clock.set(bench.clock.now().plus(Duration::from_secs(3_600)));
    bench.finish_due_work();
    assert_eq!(bench.runs()[0].status, RunStatus::Waiting, "the timeout does not move the paused run");
    set(FlowStatus::Active);
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Another time"]);
}

#[test]
fn a_resumed_run_takes_the_last_reply_over_the_timeout() {
    for time_out_first in [true, false] {
        let bench = bench();
        let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
        bench.start(flow, &contact).unwrap();
        bench.finish_due_work();
        let set = |status| {
            let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
            block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap()
        };
        set(FlowStatus::Paused);
        let pass = || {
            bench.clock.set(bench.clock.now().plus(Duration::from_secs(7_200)));
            bench.finish_due_work();
        };
        if time_out_first {
            pass();
        }
        bench.hears(&contact, "no address");
        bench.hears(&contact, "ada@example.com");
        bench.finish_due_work();
        assert_eq!(bench.runs()[0].updated_at, bench.clock.now(), "keeping a reply changes the run");
        if !time_out_first {
            pass();
        }
        assert_eq!(bench.texts(&contact), ["Your e-mail?"]);
        set(FlowStatus::Active);
        bench.finish_due_work();
        assert_eq!(bench.texts(&contact), ["Your e-mail?", "Thanks"], "time-out first: {time_out_first}");
        let run = bench.runs().remove(0);
        assert_eq!((run.status, run.trace.iter().filter(|it| it.resumed).count()), (RunStatus::Completed, 1));
        bench.hears(&contact, "eve@example.com");
        bench.finish_due_work();
        assert_eq!(bench.texts(&contact).len(), 2);
    }
}

#[test]
fn a_run_resumed_before_its_timeout_takes_the_reply() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let set = |status| {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap()
    };
    set(FlowStatus::Paused);
    bench.hears(&contact, "ada@example.com");
    bench.finish_due_work();
    assert_eq!(block_on(bench.tidings.next_due()).unwrap(), None, "no job is due during the pause");
    set(FlowStatus::Active);
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Thanks"]);
}

#[test]
fn a_keyword_of_another_flow_is_no_reply_to_a_paused_flow() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    bench.flow("Help", answering(keyword("exact", "help"), "Here you are"));
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let patch = |status| FlowPatch { status: Some(status), ..FlowPatch::default() };
    block_on(bench.tidings.flows.update(&bench.access, flow, patch(FlowStatus::Paused), &ExpectedVersion::Any))
        .unwrap();
    bench.hears(&contact, "Help!");
    bench.finish_due_work();
    block_on(bench.tidings.flows.update(&bench.access, flow, patch(FlowStatus::Active), &ExpectedVersion::Any))
        .unwrap();
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Your e-mail?", "Here you are"]);
}

#[test]
fn cancelling_a_run_or_archiving_its_flow_interrupts_it() {
    let bench = bench();
    let flow = bench.flow("Ask", asking());
    let contact = bench.contact();
    let run = bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let cancelled = block_on(bench.tidings.flows.cancel(&bench.access, run.id, None)).unwrap();
    assert_eq!((cancelled.outcome, cancelled.value.status), (Outcome::Changed, RunStatus::Interrupted));
    let again = block_on(bench.tidings.flows.cancel(&bench.access, run.id, None)).unwrap();
    assert_eq!(again.outcome, Outcome::Unchanged);
    let run = bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let told = bench.event_kinds();
    let patch = FlowPatch { status: Some(FlowStatus::Archived), ..FlowPatch::default() };
    let archived = block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!((archived.stats.interrupted, archived.stats.waiting), (2, 0));
    assert_eq!(block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap().status, RunStatus::Interrupted);
    assert_eq!(bench.event_kinds(), told, "an interruption is no event");
    bench.ends_silently(&contact, 2);
}

#[test]
fn deleting_a_flow_interrupts_its_live_runs() {
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    let run = bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    block_on(bench.tidings.flows.delete(&bench.access, flow, Deletion::IfUnused, &ExpectedVersion::Any)).unwrap();
    assert_eq!(block_on(bench.tidings.flows.get(&bench.access, flow)), Err(Error::NotFound));
    let run = block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap();
    assert_eq!((run.status, run.ended_at), (RunStatus::Interrupted, Some(bench.clock.now())));
    bench.ends_silently(&contact, 1);
}

impl Bench {
    /// Asserts that neither a reply nor the timeout continues an interrupted run that asked `questions` times.
    fn ends_silently(&self, contact: &Contact, questions: usize) {
        self.hears(contact, "ada@example.com");
        self.finish_due_work();
        self.clock.set(self.clock.now().plus(Duration::from_secs(3_600)));
        self.finish_due_work();
        assert_eq!(self.texts(contact), vec!["Your e-mail?"; questions]);
    }
}

#[test]
fn a_second_start_is_skipped_parallel_or_a_restart_by_its_mode() {
    use crate::flows::Reentry;
    let bench = bench();
    let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
    let start = |mode| {
        let start = StartFlow { flow, vars: Map::new(), mode };
        block_on(bench.tidings.flows.start(&bench.access, &ContactRef::Id(contact.id), start, None)).unwrap()
    };
    let first = start(None);
    bench.finish_due_work();
    let skipped = start(Some(Reentry::Skip));
    assert_eq!((skipped.outcome, skipped.value.id), (Outcome::Unchanged, first.value.id));
    let beside = start(Some(Reentry::Parallel));
    let anew = start(Some(Reentry::Restart));
    let status = |run| block_on(bench.tidings.flows.run(&bench.access, run)).unwrap().status;
    assert_eq!(status(first.value.id), RunStatus::Interrupted);
    assert!(status(beside.value.id).is_live() && status(anew.value.id).is_live());
}

#[test]
fn publishing_pins_migrates_or_cancels_active_runs() {
    for (running, expected) in [
        (InFlight::Pin, (1, RunStatus::Waiting)),
        (InFlight::Migrate, (2, RunStatus::Waiting)),
        (InFlight::Cancel, (1, RunStatus::Interrupted)),
    ] {
        let bench = bench();
        let (flow, contact) = (bench.flow("Ask", asking()), bench.contact());
        let run = bench.start(flow, &contact).unwrap();
        bench.finish_due_work();
        let mut definition = asking();
        definition["nodes"][1]["message"]["text"] = json!("Thank you");
        let patch = FlowPatch { definition: Some(definition), ..FlowPatch::default() };
        block_on(bench.tidings.flows.update(&bench.access, flow, patch, &ExpectedVersion::Any)).unwrap();
        block_on(bench.tidings.flows.publish(&bench.access, flow, running, &ExpectedVersion::Any, None)).unwrap();
        let run = block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap();
        assert_eq!((run.flow_version, run.status), expected);
        if run.status == RunStatus::Waiting {
            bench.hears(&contact, "ada@example.com");
            bench.finish_due_work();
            let thanks = if running == InFlight::Pin { "Thanks" } else { "Thank you" };
            assert_eq!(bench.texts(&contact).last().map(String::as_str), Some(thanks));
        }
        let (_, versions) =
            block_on(bench.tidings.flows.versions(&bench.access, flow, PageRequest::default())).unwrap();
        assert_eq!(versions.items.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 1]);
        let restored =
            block_on(bench.tidings.flows.restore(&bench.access, flow, 1, &ExpectedVersion::Any, None)).unwrap().value;
        assert!(restored.has_unpublished_changes && restored.definition == asking());
    }
}

#[test]
fn a_run_hands_over_to_another_flow_with_its_variables() {
    let bench = bench();
    let other = bench.flow("Other", answering(json!([]), "Hello {{ vars.who }}"));
    let first = json!({"start": "set", "nodes": [
        {"id": "set", "type": "set_field", "field": "vars.who", "value": "Ada", "next": "go"},
        {"id": "go", "type": "start_flow", "flow_id": other.to_string()}]});
    let (flow, contact) = (bench.flow("First", first), bench.contact());
    bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.texts(&contact), ["Hello Ada"]);
    let runs = bench.runs();
    assert_eq!((runs.len(), runs.iter().map(|run| run.depth).max()), (2, Some(2)));
    assert!(runs.iter().all(|run| run.status == RunStatus::Completed));
}

#[test]
fn a_run_notes_hands_over_and_resolves_the_conversation() {
    let bench = bench();
    let definition = json!({"start": "hi", "nodes": [
        {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "A person comes"}, "next": "note"},
        {"id": "note", "type": "note", "text": "Wants {{ contact.id }}", "next": "hand"},
        {"id": "hand", "type": "assign_conversation", "next": "hush"},
        {"id": "hush", "type": "send_message", "message": {"type": "text", "text": "Still me"}, "next": "done"},
        {"id": "done", "type": "resolve_conversation", "next": "end"},
        {"id": "end", "type": "end"}]});
    let (flow, contact) = (bench.flow("Hand over", definition), bench.contact());
    let run = bench.start(flow, &contact).unwrap();
    bench.finish_due_work();
    let run = block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap();
    let outcomes: Vec<&str> = run.trace.iter().map(|entry| entry.outcome.as_str()).collect();
    assert_eq!(
        outcomes,
        ["queued", "noted", "handed over to agents", "suppressed: human_handling", "resolved", "completed"]
    );
    assert!(bench.event_kinds().contains(&"conversation.resolved"));
}

/// Publishing checks the member. Later changes are found by the run, which hands over without an assignee.
#[test]
fn a_run_assigns_no_member_who_became_a_viewer_or_left() {
    use crate::access::Role;
    use crate::platform::NewUser;
    let bench = bench();
    let (platform, access) = (&bench.tidings.platform, &bench.access);
    let ada = NewUser {
        email: "ada@example.com".parse().unwrap(),
        name: "Ada".to_owned(),
        password: "password".to_owned().into(),
        operator: false,
        workspace: access.workspace(),
        role: Role::Member,
    };
    let user = block_on(platform.create_user(ada)).unwrap().id;
    let definition = json!({"start": "hi", "nodes": [
        {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "hand"},
        {"id": "hand", "type": "assign_conversation", "user_id": user.to_string(), "next": "end"},
        {"id": "end", "type": "end"}]});
    let flow = bench.flow("Hand over", definition);
    let outcome = |number: u128| {
        let contact = NewContact { external_id: format!("crm-{number}").parse().ok(), ..NewContact::default() };
        let contact = block_on(bench.tidings.contacts.create(&bench.access, contact, None)).unwrap().value;
        let run = bench.start(flow, &contact).unwrap();
        bench.finish_due_work();
        let run = block_on(bench.tidings.flows.run(&bench.access, run.id)).unwrap();
        let conversations = block_on(bench.store.with(&bench.access, contact.id)).unwrap();
        (run.trace[1].outcome.clone(), conversations[0].assignee, conversations[0].handler)
    };
    assert_eq!(outcome(1), ("assigned".to_owned(), Some(user), Handler::Human));
    block_on(platform.set_role(access, Role::Owner, user, Role::Viewer, &ExpectedVersion::Any)).unwrap();
    let failed = |code: &str| (format!("failed: {code}; handed over to agents"), None, Handler::Human);
    assert_eq!(outcome(2), failed("not_assignable"));
    block_on(platform.remove_member(access, Role::Owner, user, &ExpectedVersion::Any)).unwrap();
    assert_eq!(outcome(3), failed("unknown_member"));
}

#[test]
fn every_example_can_be_published() {
    let bench = bench();
    for name in ["vip", "newsletter"] {
        let tag = NewTagCommand { name: name.into(), color: None, description: None };
        block_on(bench.tidings.tags.create(&bench.access, tag, None)).unwrap();
    }
    let field = crate::fields::CustomField {
        name: "Plan".into(),
        ..crate::fields::CustomField::new(
            crate::ids::FieldId::from_uuid(Uuid::from_u128(99)),
            "plan",
            crate::fields::FieldKind::Text,
            bench.clock.now(),
        )
    };
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Insert(Row::Field(field)));
    block_on(bench.store.commit(set)).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Folders contain other examples.
        if path.is_dir() {
            continue;
        }
        let body: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let found = block_on(bench.tidings.flows.validate(&bench.access, &body["definition"], None)).unwrap();
        assert_eq!(found.findings, [], "{path:?}");
        bench.flow(body["name"].as_str().unwrap(), body["definition"].clone());
        names.push(path);
    }
    assert_eq!(names.len(), 5);
}

#[test]
fn the_documentation_lists_every_node_and_field() {
    let told = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/flows.md")).unwrap();
    for kind in crate::flows::definition::NODE_TYPES {
        let row = told.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{}`", kind.word)));
        let row = row.unwrap_or_else(|| panic!("{} is not documented", kind.word));
        for field in kind.fields {
            assert!(row.contains(field.name), "{}: {} is not documented", kind.word, field.name);
        }
    }
}

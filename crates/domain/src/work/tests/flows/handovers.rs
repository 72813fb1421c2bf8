//! Tests of runs that hand over: to another flow, to agents, and to members.

use super::super::*;
use super::played::answering;
use crate::conversations::Handler;
use crate::ports::ConversationQueries;

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

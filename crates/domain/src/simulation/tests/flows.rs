//! Tests of simulated flows.

use futures::executor::block_on;
use serde_json::{Value, json};

use super::setup::{acme, scripted, wrong};
use crate::error::Error;
use crate::flows::RunStatus;
use crate::ids::{RunId, TypedId};
use crate::simulation::{EndReason, FlowVersionRef, Moment, Script, SimulationRequest};

fn say(id: &str, text: &str, next: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next})
}

fn greeting() -> Value {
    json!({"triggers": [{"type": "keyword", "keywords": ["hi"]}, {"type": "custom_event", "name": "order.paid"}],
        "start": "greet", "nodes": [
        say("greet", "Hi {{ contact.first_name|default('there') }}", "ask"),
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Your e-mail?"}, "expect": "email",
         "save_to": "contact.email", "attempts": 2, "timeout": "PT24H", "next": "vip", "on_timeout": "bye"},
        {"id": "vip", "type": "branch", "otherwise": "bye", "branches": [
            {"when": {"field": "custom_fields.plan", "op": "eq", "value": "gold"}, "next": "tag"},
            {"when": {"any": [{"field": "email", "op": "contains", "value": "example"}, {"field": "tags", "op": "has", "value": "vip"}]},
             "next": "later"}]},
        {"id": "tag", "type": "add_tag", "tag": "vip", "next": "later"},
        {"id": "later", "type": "delay", "for": "P1D", "next": "bye"},
        say("bye", "Bye {{ contact.email|default('you') }}", "end"),
        {"id": "end", "type": "end"}]})
}

#[test]
fn a_message_through_a_start_link_matches_its_trigger() {
    let acme = acme();
    let definition = json!({"triggers": [{"type": "referral", "ref": "spring", "match": "starts_with"}], "start": "a",
        "nodes": [say("a", "Spring", "end"), {"id": "end", "type": "end"}]});
    let texts = |entry: Value| {
        let script = json!({"start": "trigger", "script": [entry]});
        let simulated = acme.tried(&definition, script).unwrap();
        simulated.only().texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(texts(json!({"message": "Hello", "ref": "spring-26"})), ["Spring"]);
    assert_eq!(texts(json!({"message": "Hello", "ref": "summer"})), [] as [&str; 0]);
    assert_eq!(texts(json!({"message": "spring-26"})), [] as [&str; 0]);
    let misplaced = json!({"script": [{"advance": "P1D", "ref": "spring"}]});
    let refused = Script::parse(&misplaced).unwrap_err();
    assert_eq!((refused[0].pointer.as_str(), refused[0].code), ("/script/0/ref", "not_allowed"));
}

#[test]
fn reports_texts_waits_decisions_and_times() {
    let acme = acme();
    let events = acme.store.events(acme.access.workspace()).len();
    let script = json!({"script": [{"message": "hi"}, {"message": "none of yours"}, {"message": "ada@example.com"}, {"advance": "P2D"}]});
    let simulated = acme.tried(&greeting(), script).unwrap();
    let told = simulated.only();
    assert_eq!(told.texts(), ["Hi Ada", "Your e-mail?", "Your e-mail?", "Bye ada@example.com"]);
    assert_eq!(
        told.outcomes(),
        [
            ("greet", "queued"),
            ("ask", "queued"),
            ("ask", "not valid, asked again: expected an email address such as ada@example.com; queued"),
            ("ask", "saved to contact.email"),
            ("vip", "the condition of branch 1 matches"),
            ("later", "waits until 2026-01-02T00:00:00.000Z"),
            ("later", "continued"),
            ("bye", "queued"),
            ("end", "completed"),
        ]
    );
    let nodes = told.nodes();
    assert!(nodes[1].awaits_reply() && nodes[1].exit.is_none());
    assert_eq!(nodes[5].wait.as_ref().unwrap().until.unwrap().to_string(), "2026-01-02T00:00:00.000Z");
    assert_eq!(nodes[7].at.to_string(), "2026-01-02T00:00:00.000Z");
    let decision = serde_json::to_value(nodes[4].decision.as_ref().unwrap()).unwrap();
    assert_eq!(
        decision,
        json!({"conditions": [
            {"holds": false, "comparisons": [
                {"field": "custom_fields.plan", "op": "eq", "value": "gold", "found": "silver", "holds": false}]},
            {"holds": true, "comparisons": [
                {"field": "email", "op": "contains", "value": "example", "found": "ada@example.com", "holds": true},
                {"field": "tags", "op": "has", "value": "vip", "found": [], "holds": false}]}], "weights": []})
    );
    assert_eq!(
        (told.end.reason, told.end.at.to_string().as_str()),
        (EndReason::ScriptOver, "2026-01-03T00:00:00.000Z")
    );
    assert_eq!(told.runs.len(), 1);
    assert_eq!(told.runs[0].status, RunStatus::Completed);
    assert_eq!(told.contact.email.as_deref(), Some("ada@example.com"));
    assert_eq!(simulated.not_visited.nodes, ["tag"]);
    let exits: Vec<_> = simulated.not_visited.exits.iter().map(|it| (it.node_id.as_str(), it.exit.as_str())).collect();
    assert_eq!(exits, [("ask", "on_timeout"), ("vip", "branches/0"), ("vip", "otherwise")]);

    assert_eq!(acme.store.events(acme.access.workspace()).len(), events, "the simulation records no events");
    let ada = block_on(acme.tidings.contacts.get(&acme.access, &acme.ada)).unwrap();
    assert_eq!((ada.email, ada.last_message_at), (None, None));
}

#[test]
fn plays_each_script_from_the_start_with_a_made_up_contact() {
    let acme = acme();
    let mut definition = greeting();
    definition["scripts"] = json!([
        {"name": "gold", "contact": {"first_name": "Zoë", "custom_fields": {"plan": "gold"}}, "start_at": "2026-03-01T09:00:00Z",
         "script": [{"event": "order.paid", "data": {"total": 7}}, {"message": "zoe@example.com"}],
         "expect": {"nodes": ["greet", "vip", "tag"], "texts": ["Hi Zoë"], "tags": ["VIP"]}},
        {"name": "silent", "expect": {"nodes": ["bye", "ask"], "texts": ["Hi there", "Bye you", "Bye you"], "tags": ["vip"]}}]);
    let simulated = acme.with(&definition, SimulationRequest::default()).unwrap();
    let [gold, silent] = &simulated.simulations[..] else { panic!("expected two simulations") };
    assert_eq!((gold.name.as_deref(), gold.failed_expectations.len()), (Some("gold"), 0), "{gold:#?}");
    assert_eq!(gold.started_at.to_string(), "2026-03-01T09:00:00.000Z");
    assert_eq!(gold.runs[0].node_id.as_deref(), Some("later"));
    assert_eq!(
        (silent.texts(), silent.end.reason),
        (vec!["Hi there", "Your e-mail?", "Bye you"], EndReason::NothingMore)
    );
    let failed: Vec<_> = silent.failed_expectations.iter().map(|it| it.pointer.as_str()).collect();
    assert_eq!(failed, ["/expect/nodes/1", "/expect/texts/2", "/expect/tags/0"]);
    let exits: Vec<_> = simulated.not_visited.exits.iter().map(|it| (it.node_id.as_str(), it.exit.as_str())).collect();
    assert_eq!(
        (simulated.not_visited.nodes.len(), exits),
        (0, vec![("vip", "branches/1"), ("vip", "otherwise"), ("later", "next")])
    );
}

/// Otherwise the published version would take the keywords of the scripts.
#[test]
fn an_unsaved_definition_replaces_the_published_version_of_its_flow() {
    let acme = acme();
    let mut definition = json!({
        "triggers": [{"type": "keyword", "keywords": ["news"]}], "start": "hello",
        "nodes": [{"id": "hello", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
                  {"id": "end", "type": "end"}],
        "scripts": [{"script": [{"message": "news"}], "expect": {"nodes": ["hello"], "texts": ["Hello"]}}]});
    let flow = acme.flow(definition.clone());
    definition["nodes"][0]["message"]["text"] = json!("Hello");
    let unsaved = acme.tidings.simulations.unsaved(&acme.access, flow, &definition, SimulationRequest::default());
    let simulated = block_on(unsaved).unwrap().play(&|| true).unwrap();
    assert_eq!(simulated.only().failed_expectations, []);
}

#[test]
fn the_script_answers_calls_and_secrets_appear_by_name() {
    let acme = acme();
    let secret = crate::secrets::PutSecret {
        name: "TOKEN".to_owned(),
        value: "tr0ub4dor&3".to_owned().into(),
        hosts: vec!["api.example.com".to_owned()],
    };
    block_on(acme.tidings.secrets.put(&acme.access, secret, &crate::outcome::ExpectedVersion::Any)).unwrap();
    let definition = json!({"start": "call", "nodes": [
        {"id": "call", "type": "http_request", "method": "POST", "url": "https://api.example.com/{{ contact.first_name }}",
         "headers": {"Authorization": "Bearer {{ secrets.TOKEN }}"}, "body": {"who": "{{ contact.id }}"},
         "save": {"id": "body.id"}, "next": "said", "on_error": "sorry"},
        say("said", "Order {{ vars.id }}", "end"), say("sorry", "Sorry", "end"), {"id": "end", "type": "end"}]});
    let script =
        json!({"http": [{"node_id": "call", "status": 503}, {"status": 200, "body": {"id": "o-7 secrets.TOKEN"}}]});
    let simulated = acme.tried(&definition, script).unwrap();
    let told = simulated.only();
    assert_eq!(told.texts(), ["Order o-7 ••••"]);
    let calls: Vec<_> =
        told.trace.iter().filter_map(|it| if let Moment::Call(call) = it { Some(call) } else { None }).collect();
    assert_eq!(calls.len(), 2);
    assert_eq!(
        (calls[0].url.as_str(), calls[0].status, calls[1].answer),
        ("https://api.example.com/Ada", Some(503), Some(1))
    );
    assert_eq!(calls[0].headers["Authorization"], "Bearer secrets.TOKEN");
    assert_eq!(calls[1].at.since(calls[0].at).as_secs(), 10);

    let unanswered = acme.tried(&definition, json!({})).unwrap();
    assert_eq!(unanswered.only().texts(), ["Sorry"]);
    assert!(
        unanswered.only().nodes()[1]
            .outcome
            .starts_with("no_answer_given: the script has no response left for the node call")
    );
    let all = format!("{simulated:?}{unanswered:?}");
    assert!(!all.contains("tr0ub4dor"), "{all}");
}

#[test]
fn a_split_chooses_by_the_given_run_id() {
    let acme = acme();
    let definition = json!({"start": "split", "nodes": [
        {"id": "split", "type": "split", "arms": [{"weight": 1, "next": "a"}, {"weight": 1, "next": "b"}]},
        say("a", "A", "end"), say("b", "B", "end"), {"id": "end", "type": "end"}]});
    let by = |number: u128| {
        let run = RunId::from_uuid(uuid::Uuid::from_u128(number << 70 | number));
        let simulated = acme.with(&definition, SimulationRequest { run: Some(run), ..scripted(json!({})) }).unwrap();
        assert_eq!(simulated.only().runs[0].id, run);
        let decision = simulated.only().nodes()[0].decision.clone().unwrap();
        assert_eq!(decision.weights, [1, 1]);
        simulated.only().texts()[0].to_owned()
    };
    let ways: std::collections::BTreeSet<String> = (1..20).map(by).collect();
    assert_eq!(ways.len(), 2);
    assert_eq!(by(7), by(7));
}

#[test]
fn plays_triggered_and_called_flows_of_the_given_version() {
    let acme = acme();
    let child =
        acme.flow(json!({"start": "hi", "nodes": [say("hi", "I am the child", "end"), {"id": "end", "type": "end"}]}));
    acme.flow(json!({"triggers": [{"type": "event", "event": "contact.tag_added",
        "filter": {"field": "event.tag.name", "op": "eq", "value": "vip"}}],
        "start": "hi", "nodes": [say("hi", "A tag, {{ event.tag.name }}", "end"), {"id": "end", "type": "end"}]}));
    let parent = acme.flow(json!({"start": "tag", "nodes": [
        {"id": "tag", "type": "add_tag", "tag": "vip", "next": "call"},
        {"id": "call", "type": "start_flow", "flow_id": child.to_string(), "next": "done"},
        say("done", "I am back", "end"), {"id": "end", "type": "end"}]}));
    let play = |version| {
        let request = SimulationRequest { contact: Some(acme.ada.clone()), ..SimulationRequest::default() };
        block_on(acme.tidings.simulations.flow(&acme.access, parent, version, request))?.play(&|| true)
    };
    let simulated = play(FlowVersionRef::Number(1)).unwrap();
    let mut texts = simulated.only().texts();
    texts.sort_unstable();
    assert_eq!((simulated.version, texts), (Some(1), vec!["A tag, vip", "I am back", "I am the child"]));
    assert_eq!(simulated.only().runs.len(), 3);
    assert_eq!(play(FlowVersionRef::Draft).unwrap().version, None);
    assert_eq!(wrong(play(FlowVersionRef::Number(2)).unwrap_err()), [("/version".to_owned(), "unknown_version")]);
    let other = crate::ids::FlowId::from_uuid(uuid::Uuid::from_u128(99));
    let missing =
        acme.tidings.simulations.flow(&acme.access, other, FlowVersionRef::Draft, SimulationRequest::default());
    assert_eq!(block_on(missing).unwrap_err(), Error::NotFound);
}

#[test]
fn reports_a_flow_that_no_entry_starts() {
    let acme = acme();
    let script = json!({"start": "trigger", "script": [{"message": "hello"}, {"advance": "P1D"}]});
    let simulated = acme.tried(&greeting(), script).unwrap();
    assert_eq!((simulated.only().end.reason, simulated.only().runs.len()), (EndReason::NotStarted, 0));
    assert_eq!(simulated.not_visited.nodes.len(), 7);
}

#[test]
fn shows_the_files_of_messages() {
    let acme = acme();
    let media = block_on(async {
        let mut upload = acme.tidings.media.begin(&acme.access, None).await.unwrap();
        upload.write(b"\x89PNG\r\n\x1a\n").await.unwrap();
        let file = upload.finish().await.unwrap();
        acme.tidings.media.create(&acme.access, ("cat.png", &file), None).await.unwrap().value.id
    });
    let definition = json!({"triggers": [{"type": "keyword", "keywords": ["hi"]}], "start": "cat", "nodes": [
        {"id": "cat", "type": "send_message", "next": "end",
         "message": {"type": "image", "attachments": [{"media_id": media}]}},
        {"id": "end", "type": "end"}]});
    let simulated = acme.tried(&definition, json!({"script": [{"message": "hi"}]})).unwrap();
    let message = simulated.only().nodes()[0].message.clone().unwrap();
    let url = format!("/api/v1/media/{media}");
    let shown = json!([{"media_id": media, "url": url, "name": "cat.png", "mime_type": "image/png"}]);
    assert_eq!((serde_json::to_value(&message.attachments).unwrap(), message.sent), (shown, true));
}

//! Tests of the parser and its violations.

use serde_json::{Value, json};

use super::*;
use crate::conversations::Referral;
use crate::time::IsoDuration;

fn read(node: Value) -> Result<Node, Vec<(String, &'static str)>> {
    let definition = json!({"start": "a", "nodes": [node, {"id": "b", "type": "end"}]});
    let reading = Reading::of(&definition);
    let wrong = reading.violations.iter().map(|it| (it.pointer.clone(), it.code)).collect();
    reading
        .definition
        .map(|mut definition| definition.nodes.remove("a").expect("the definition has the node"))
        .ok_or(wrong)
}

fn wrong(node: Value) -> Vec<(String, &'static str)> {
    read(node).expect_err("the node is invalid")
}

fn at(pointer: &str, code: &'static str) -> (String, &'static str) {
    (format!("/nodes/0{pointer}"), code)
}

/// Returns a node `a` of each type; it leads to `b` unless the type has no exits.
fn examples() -> Vec<Value> {
    let seq = "seq_01h455vb4pex5vsknk084sn02q";
    let mut examples = vec![
        json!({"type": "send_message", "message": {"type": "text", "text": "Hi"}}),
        json!({"type": "ask", "message": {"type": "text", "text": "?"}, "expect": "email", "save_to": "contact.email"}),
        json!({"type": "wait_for_event", "custom_event": "order.paid", "timeout": "P1D", "on_timeout": "b"}),
        json!({"type": "delay", "for": "P1D"}),
        json!({"type": "branch", "branches": [], "otherwise": "b"}),
        json!({"type": "split", "arms": [{"weight": 1, "next": "b"}, {"weight": 9, "next": "b"}]}),
        json!({"type": "set_field", "field": "vars.x", "value": 1}),
        json!({"type": "set_bot_field", "field": "season", "value": "summer"}),
        json!({"type": "add_tag", "tag": "vip"}),
        json!({"type": "remove_tag", "tag": "vip"}),
        json!({"type": "enroll_sequence", "sequence": seq}),
        json!({"type": "exit_sequence", "sequence": seq}),
        json!({"type": "http_request", "method": "POST", "url": "https://api.example.com/orders",
            "headers": {"Authorization": "Bearer {{ secrets.TOKEN }}"}, "body": {"id": "{{ contact.id }}"},
            "save": {"order": "body.id"}, "on_error": "b"}),
        json!({"type": "resolve_conversation"}),
        json!({"type": "assign_conversation"}),
        json!({"type": "note", "text": "Look"}),
        json!({"type": "start_flow", "flow_id": "flow_01h455vb4pex5vsknk084sn02q"}),
        json!({"type": "end"}),
    ];
    assert_eq!(examples.len(), NODE_TYPES.len());
    for (example, kind) in examples.iter_mut().zip(NODE_TYPES) {
        example["id"] = json!("a");
        if kind.fields.iter().any(|field| field.name == "next") {
            example["next"] = json!("b");
        }
    }
    examples
}

#[test]
fn reads_every_node_type_of_the_table() {
    for (example, kind) in examples().into_iter().zip(NODE_TYPES) {
        let node = read(example.clone()).unwrap_or_else(|wrong| panic!("{example}: {wrong:?}"));
        assert_eq!((node.action.kind(), node.action.node_type().word), (kind.word, kind.word));
        for field in kind.fields.iter().filter(|field| field.required) {
            let mut without = example.clone();
            without.as_object_mut().expect("an object").remove(field.name);
            let told = wrong(without);
            assert!(told.iter().any(|(pointer, _)| *pointer == format!("/nodes/0/{}", field.name)), "{told:?}");
        }
        let mut more = example;
        more["nxet"] = json!("b");
        assert_eq!(wrong(more), [at("/nxet", "unknown_field")]);
    }
}

#[test]
fn descriptions_of_numbers_state_their_bounds() {
    let thousands = |number: u64| match number {
        0..1_000 => number.to_string(),
        _ => format!("{} {:03}", number / 1_000, number % 1_000),
    };
    let mut looked_at = 0;
    for field in NODE_TYPES.iter().flat_map(|kind| kind.fields) {
        let bounds = match field.holds {
            FieldContent::Count(count) => vec![(*count.start(), *count.end())],
            FieldContent::Arms { count, weight } => {
                vec![(*count.start() as u64, *count.end() as u64), (*weight.start(), *weight.end())]
            }
            _ => Vec::new(),
        };
        looked_at += bounds.len();
        for (least, most) in bounds {
            let said = format!("{} to {}", thousands(least), thousands(most));
            assert!(field.about.contains(&said), "{}: {said}", field.about);
        }
    }
    assert!(looked_at >= 3, "at least the bounds of attempts, arms and weights are checked");
}

#[test]
fn a_start_flow_node_with_next_is_a_call() {
    let start = |more: Value| {
        let mut node = json!({"id": "a", "type": "start_flow", "flow_id": "flow_01h455vb4pex5vsknk084sn02q"});
        node.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        node
    };
    let calls = |more: Value| match read(start(more)).expect("the node is valid").action {
        Action::StartFlow(it) => (it.calls, it.save_to.map(|target| target.to_string())),
        other => panic!("{other:?}"),
    };
    assert_eq!(calls(json!({})), (false, None));
    assert_eq!(calls(json!({"next": "b"})), (true, None));
    let whole = json!({"next": "b", "save_to": "vars.answers", "on_error": "b"});
    assert_eq!(calls(whole), (true, Some("vars.answers".to_owned())));
    assert_eq!(wrong(start(json!({"save_to": "vars.x"}))), [at("/save_to", "not_allowed")]);
    assert_eq!(wrong(start(json!({"on_error": "b"}))), [at("/on_error", "not_allowed")]);
    assert_eq!(wrong(start(json!({"next": "b", "save_to": "contact.email"}))), [at("/save_to", "invalid_format")]);
    assert_eq!(wrong(start(json!({"next": "b", "save_to": 7}))), [at("/save_to", "wrong_type")]);
    assert_eq!(wrong(start(json!({"next": "c", "on_error": "d"}))).len(), 2, "both exits name unknown nodes");
}

#[test]
fn finds_exits_by_name() {
    let node = read(json!({"id": "a", "type": "branch", "otherwise": "b", "branches": [
        {"when": {"field": "email", "op": "exists"}, "next": "a"}, {"when": {"all": []}, "next": "b"}]}));
    let node = node.expect("the node is valid");
    assert_eq!(
        (node.exit("branches/0"), node.exit("branches/1"), node.exit("otherwise")),
        (Some("a"), Some("b"), Some("b"))
    );
    let pointers: Vec<&str> = node.exits.iter().map(|exit| exit.pointer.as_str()).collect();
    assert_eq!(pointers, ["/nodes/0/branches/0/next", "/nodes/0/branches/1/next", "/nodes/0/otherwise"]);
}

#[test]
fn checks_the_fields_of_questions() {
    let ask = |more: Value| {
        let mut node = json!({"id": "a", "type": "ask", "message": {"type": "text", "text": "?"}, "next": "b"});
        node.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        node
    };
    let Action::Ask(it) = read(ask(json!({"expect": "text", "timeout": "PT24H"}))).expect("the node is valid").action
    else {
        panic!("expected a question")
    };
    assert_eq!((it.attempts, it.timeout), (3, Some("P1D".parse::<IsoDuration>().expect("a valid duration").get())));
    let Action::Ask(it) = read(ask(json!({}))).expect("the node is valid").action else {
        panic!("expected a question")
    };
    assert_eq!(it.expect.kind, crate::fields::FieldKind::Text, "the default type of a question is text");
    assert_eq!(wrong(ask(json!({"options": ["a"]}))), [at("/options", "not_allowed")]);
    assert_eq!(wrong(ask(json!({"expect": null}))), [at("/expect", "wrong_type")]);
    assert_eq!(wrong(ask(json!({"expect": "emial"}))), [at("/expect", "invalid_value")]);
    assert_eq!(wrong(ask(json!({"expect": "select"}))), [at("/options", "required")]);
    assert_eq!(wrong(ask(json!({"expect": "text", "options": ["a"]}))), [at("/options", "not_allowed")]);
    assert_eq!(wrong(ask(json!({"expect": "text", "attempts": 0}))), [at("/attempts", "out_of_range")]);
    assert_eq!(wrong(ask(json!({"expect": "text", "save_to": "contact.emial"}))), [at("/save_to", "unknown_field")]);
    assert_eq!(wrong(ask(json!({"expect": "text", "save_to": "email"}))), [at("/save_to", "invalid_format")]);
    assert_eq!(wrong(ask(json!({"expect": "text", "on_timeout": "c"}))), [at("/on_timeout", "unknown_node")]);
}

#[test]
fn a_delay_names_exactly_one_moment() {
    let delay = |more: Value| {
        let mut node = json!({"id": "a", "type": "delay", "next": "b"});
        node.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        node
    };
    let moment = |more: Value| match read(delay(more)).expect("the node is valid").action {
        Action::Delay(delay) => delay.moment,
        _ => panic!("expected a delay"),
    };
    assert!(matches!(moment(json!({"until": "2026-12-24T18:00:00Z"})), Moment::Instant(_)));
    assert!(matches!(moment(json!({"until": "2026-12-24T18:00"})), Moment::Local(_)));
    assert!(matches!(moment(json!({"until": "{{ vars.when }}"})), Moment::Template(_)));
    assert!(matches!(moment(json!({"window": {"from": "09:00"}})), Moment::Now));
    assert_eq!(wrong(delay(json!({}))), [at("/for", "required")]);
    assert_eq!(wrong(delay(json!({"for": "P1D", "until": "x"}))), [at("/until", "not_allowed")]);
    assert_eq!(wrong(delay(json!({"until": "soon"}))), [at("/until", "invalid_format")]);
    assert_eq!(wrong(delay(json!({"window": {"form": "09:00"}}))), [at("/window/form", "unknown_field")]);
}

#[test]
fn reads_triggers_and_settings() {
    let definition = |triggers: Value, settings: Value| {
        Reading::of(
            &json!({"triggers": triggers, "settings": settings, "start": "b", "nodes": [{"id": "b", "type": "end"}]}),
        )
    };
    let right = definition(
        json!([{"type": "keyword", "match": "contains", "keywords": [" Hello "]},
               {"type": "event", "event": "contact.tag_added", "filter": {"all": []}}]),
        json!({"reentry": "parallel", "expires_after": "P7D"}),
    );
    let read = right.definition.expect("the definition is valid");
    assert_eq!(read.settings.reentry, Reentry::Parallel);
    let [keyword, Trigger::Event { .. }] = &read.triggers[..] else { panic!("{:?}", read.triggers) };
    let channel = crate::testing::a_channel().id;
    assert_eq!(keyword.fits("oh, HELLO there", channel), Some(KeywordMatch::Contains));
    assert_eq!(keyword.fits("hullo", channel), None);
    assert!(keyword.fits_as_search("oh, Hèllø there", channel) && !keyword.fits_as_search("hullo", channel));
    let wrong = definition(
        json!([{"type": "keyword", "match": "like", "keywords": []}, {"type": "event", "event": "contact.tagged"},
               {"type": "schedule", "cron": "9 o'clock"}, {"type": "webhook"}, 7]),
        json!({"reentry": "never", "expires_after": "PT0S"}),
    );
    let told: Vec<_> = wrong.violations.iter().map(|it| (it.pointer.as_str(), it.code)).collect();
    assert_eq!(
        told,
        [
            ("/triggers/0/match", "invalid_value"),
            ("/triggers/0/keywords", "too_few"),
            ("/triggers/1/event", "unknown_event"),
            ("/triggers/2/cron", "invalid_format"),
            ("/triggers/2/audience", "required"),
            ("/triggers/3/type", "invalid_value"),
            ("/triggers/4", "wrong_type"),
            ("/settings/reentry", "invalid_value"),
        ]
    );
}

#[test]
fn operations_accept_only_values_of_their_types() {
    let set = |more: Value| {
        let mut node = json!({"id": "a", "type": "set_field", "field": "vars.x", "next": "b"});
        node.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        node
    };
    for right in [
        json!({"value": null}),
        json!({"operation": "set", "value": [1]}),
        json!({"operation": "increment", "value": -1.5}),
        json!({"operation": "increment", "value": "{{ vars.n }}"}),
        json!({"operation": "append", "value": "a"}),
        json!({"operation": "toggle"}),
    ] {
        assert!(read(set(right.clone())).is_ok(), "{right}");
    }
    assert_eq!(wrong(set(json!({}))), [at("/value", "required")]);
    assert_eq!(wrong(set(json!({"operation": "increment"}))), [at("/value", "required")]);
    assert_eq!(wrong(set(json!({"operation": "increment", "value": "1"}))), [at("/value", "wrong_type")]);
    assert_eq!(wrong(set(json!({"operation": "increment", "value": null}))), [at("/value", "wrong_type")]);
    assert_eq!(wrong(set(json!({"operation": "append", "value": ["a"]}))), [at("/value", "wrong_type")]);
    assert_eq!(wrong(set(json!({"operation": "toggle", "value": true}))), [at("/value", "not_allowed")]);
    assert_eq!(wrong(set(json!({"operation": "toggle", "value": null}))), [at("/value", "not_allowed")]);
    assert_eq!(wrong(set(json!({"operation": "incremet", "value": 1}))), [at("/operation", "invalid_value")]);
    assert_eq!(wrong(set(json!({"operation": null, "value": 1}))), [at("/operation", "wrong_type")]);
}

#[test]
fn a_custom_event_trigger_requires_a_valid_name() {
    let read = |trigger: Value| {
        let definition = json!({"triggers": [trigger], "start": "b", "nodes": [{"id": "b", "type": "end"}]});
        Definition::parse(&definition)
            .map(|it| it.triggers)
            .map_err(|wrong| wrong.into_iter().map(|it| (it.pointer, it.code)).collect::<Vec<_>>())
    };
    let filter = json!({"field": "event.data.total", "op": "gt", "value": 7});
    let triggers = read(json!({"type": "custom_event", "name": "order.paid", "filter": filter}));
    let expected = Trigger::CustomEvent { name: "order.paid".parse().expect("a name"), filter: Some(filter) };
    assert_eq!(triggers, Ok(vec![expected]));
    let at = |place: &str, code: &'static str| Err(vec![(format!("/triggers/0/{place}"), code)]);
    assert_eq!(read(json!({"type": "custom_event"})), at("name", "required"));
    assert_eq!(read(json!({"type": "custom_event", "name": "Order"})), at("name", "invalid_format"));
    assert_eq!(read(json!({"type": "custom_event", "name": "contact.created"})), at("name", "not_allowed"));
    let other = json!({"type": "custom_event", "name": "order.paid", "event": "contact.created"});
    assert_eq!(read(other), at("event", "unknown_field"));
}

#[test]
fn a_referral_trigger_compares_the_reference() {
    let read = |trigger: Value| {
        let definition = json!({"triggers": [trigger], "start": "b", "nodes": [{"id": "b", "type": "end"}]});
        Definition::parse(&definition)
            .map(|it| it.triggers)
            .map_err(|wrong| wrong.into_iter().map(|it| (it.pointer, it.code)).collect::<Vec<_>>())
    };
    let fits = |trigger: Value, reference: &str| {
        read(trigger).expect("the trigger is valid")[0].fits_referral(&Referral::of("start_link", reference))
    };
    let exact = json!({"type": "referral", "ref": "spring"});
    assert_eq!(fits(exact.clone(), "spring"), Some(KeywordMatch::Exact));
    assert_eq!((fits(exact.clone(), "Spring"), fits(exact.clone(), "spring-26")), (None, None));
    let prefix = json!({"type": "referral", "ref": "spring", "match": "starts_with"});
    assert_eq!(fits(prefix.clone(), "spring-26"), Some(KeywordMatch::StartsWith));
    assert_eq!(fits(prefix, "a-spring"), None);
    let without = Referral { source: "ad".to_owned(), ..Referral::default() };
    assert_eq!(read(exact).expect("the trigger is valid")[0].fits_referral(&without), None);

    let at = |place: &str, code: &'static str| Err(vec![(format!("/triggers/0/{place}"), code)]);
    assert_eq!(read(json!({"type": "referral"})), at("ref", "required"));
    assert_eq!(read(json!({"type": "referral", "ref": ""})), at("ref", "too_short"));
    assert_eq!(read(json!({"type": "referral", "ref": "x".repeat(256)})), at("ref", "too_long"));
    assert_eq!(read(json!({"type": "referral", "ref": "x", "match": "contains"})), at("match", "invalid_value"));
    assert_eq!(read(json!({"type": "referral", "ref": "x", "keywords": ["x"]})), at("keywords", "unknown_field"));
}

#[test]
fn a_wait_names_one_event_and_saves_to_a_variable() {
    let wait = |more: Value| {
        let mut node = json!({"id": "a", "type": "wait_for_event", "timeout": "P1D", "next": "b", "on_timeout": "b"});
        node.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        node
    };
    assert_eq!(wrong(wait(json!({}))), [at("/event", "required")]);
    let both = json!({"event": "contact.created", "custom_event": "order.paid"});
    assert_eq!(wrong(wait(both)), [at("/custom_event", "not_allowed")]);
    assert_eq!(wrong(wait(json!({"event": "contact.create"}))), [at("/event", "unknown_event")]);
    assert_eq!(wrong(wait(json!({"custom_event": "contact.created"}))), [at("/custom_event", "not_allowed")]);
    let elsewhere = json!({"event": "contact.created", "save_to": "contact.email"});
    assert_eq!(wrong(wait(elsewhere)), [at("/save_to", "invalid_format")]);
    assert!(read(wait(json!({"event": "contact.created", "save_to": "vars.e"}))).is_ok());
}

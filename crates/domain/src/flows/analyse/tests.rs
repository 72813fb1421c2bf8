//! Tests of all findings.

use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::fields::{CustomField, FieldKind};
use crate::ids::{FieldId, FlowId, TypedId};
use crate::tags::Tag;
use crate::time::Timestamp;

pub(super) fn known() -> KnownObjects {
    let vip = Tag::new(TagId::from_uuid(Uuid::from_u128(7)), "VIP", Timestamp::from_millis(0));
    KnownObjects { tags: vec![vip], ..KnownObjects::default() }
}

pub(super) fn found(definition: Value) -> Vec<(String, &'static str)> {
    let analysis = analyse(&definition, &known());
    assert_eq!(analysis.is_valid(), analysis.definition.is_some());
    analysis.findings.into_iter().map(|it| (it.pointer, it.code)).collect()
}

pub(super) fn at(pointer: &str, code: &'static str) -> (String, &'static str) {
    (pointer.to_owned(), code)
}

fn say(id: &str, text: &str, next: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next})
}

pub(super) fn flow(nodes: Vec<Value>) -> Value {
    let start = nodes[0]["id"].clone();
    json!({"start": start, "nodes": nodes})
}

#[test]
fn accepts_a_valid_graph_and_finds_tags_in_any_case() {
    let definition = json!({"start": "a", "layout": {"a": {"x": 1, "y": 2}}, "nodes": [
        say("a", "Hi {{ contact.name }}", "b"),
        {"id": "b", "type": "delay", "for": "P1D", "next": "c"},
        {"id": "c", "type": "add_tag", "tag": "vip", "next": "e"},
        {"id": "e", "type": "branch", "branches": [{"when": {"field": "tags", "op": "has", "value": "Vip"}, "next": "d"}], "otherwise": "d"},
        {"id": "d", "type": "end"},
    ]});
    assert_eq!(found(definition.clone()), []);
    let tags = analyse(&definition, &known()).tags;
    assert_eq!(tags.keys().map(String::as_str).collect::<Vec<_>>(), ["Vip", "vip"]);
}

#[test]
fn findings_and_violations_include_message_parameters() {
    let definition = flow(vec![
        say("a", "{{ contact.nmae }}", "b"),
        json!({"id": "b", "type": "add_tag", "tag": "nobody", "next": "gone"}),
    ]);
    let analysis = analyse(&definition, &known());
    let params = |code: &str| {
        let finding = analysis.findings.iter().find(|it| it.code == code).unwrap();
        finding.params.iter().map(|(name, value)| (*name, value.clone())).collect::<Vec<_>>()
    };
    assert_eq!(params("unknown_name"), [("name", "contact.nmae".to_owned())]);
    assert_eq!(params("unknown_tag"), [("name", "nobody".to_owned())]);
    assert_eq!(params("unknown_node"), [("name", "gone".to_owned())]);
    let violations = analysis.violations("/definition");
    let unknown = violations.iter().find(|it| it.code == "unknown_node").unwrap();
    assert_eq!(unknown.params.get("name").map(String::as_str), Some("gone"));
}

#[test]
fn cuts_long_parameters_of_findings() {
    let definition = flow(vec![json!({"id": "a", "type": "add_tag", "tag": "t".repeat(10_000), "next": "a"})]);
    let findings = analyse(&definition, &known()).findings;
    assert!(findings.iter().flat_map(|it| it.params.values()).all(|value| value.len() <= crate::read::MOST_PARAM));
}

#[test]
fn lists_every_object_that_a_definition_uses() {
    let now = Timestamp::from_millis(0);
    let field =
        |id: u128, key: &str| CustomField::new(FieldId::from_uuid(Uuid::from_u128(id)), key, FieldKind::Text, now);
    let fields = [field(1, "plan"), field(2, "town"), field(3, "size"), field(4, "unused")];
    let other = FlowId::from_uuid(Uuid::from_u128(9));
    let known = KnownObjects { fields: fields.to_vec(), flows: [other].into(), ..known() };
    let definition = flow(vec![
        say("a", "You live in {{ custom_fields.town }}", "b"),
        json!({"id": "b", "type": "set_field", "field": "custom_fields.plan", "value": "gold", "next": "c"}),
        json!({"id": "c", "type": "branch", "otherwise": "e",
               "branches": [{"when": {"field": "custom_fields.size", "op": "exists"}, "next": "d"}]}),
        json!({"id": "d", "type": "add_tag", "tag": "vip", "next": "e"}),
        json!({"id": "e", "type": "start_flow", "flow_id": other}),
    ]);
    let analysis = analyse(&definition, &known);
    assert_eq!(analysis.findings, []);
    let wanted = [
        Referent::Tag(TagId::from_uuid(Uuid::from_u128(7))),
        Referent::Field(fields[0].id),
        Referent::Field(fields[1].id),
        Referent::Field(fields[2].id),
        Referent::Flow(other),
    ];
    assert_eq!(analysis.uses, wanted.into());
}

#[test]
fn reports_all_findings_at_once() {
    let definition = json!({"start": "nowhere", "trigers": [], "nodes": [
        {"id": "a", "type": "send_mesage", "next": "b"},
        {"id": "b", "type": "send_message", "message": {"type": "text", "text": "{{ x"}, "next": "bb"},
        {"id": "b", "type": "end"},
        {"id": "c", "type": "delay", "for": "1 day", "next": "a"},
        {"id": "d", "type": "delay", "for": "PT1S"},
        7,
        {"id": "b", "type": "add_tag", "tag": "nope", "next": "zz"},
    ]});
    assert_eq!(
        found(definition),
        [
            at("/nodes/0/type", "unknown_node_type"),
            at("/nodes/1/message/text", "template_error"),
            at("/nodes/1/next", "unknown_node"),
            at("/nodes/2/id", "duplicate_id"),
            at("/nodes/3/for", "invalid_format"),
            at("/nodes/4/next", "dead_end"),
            at("/nodes/5", "wrong_type"),
            at("/nodes/6/id", "duplicate_id"),
            at("/nodes/6/tag", "unknown_tag"),
            at("/start", "unknown_node"),
            at("/trigers", "unknown_field"),
        ]
    );
    assert_eq!(found(json!([])), [at("", "wrong_type")]);
    assert_eq!(found(json!({})), [at("/nodes", "required"), at("/start", "required")]);
}

#[test]
fn suggests_similar_names() {
    let definition = flow(vec![
        say("a", "Hi {{ contact.frist_name }}, {{ contcat.name }}, {{ custom_fields.plan }}", "b"),
        json!({"id": "b", "type": "add_tag", "tag": "vipp", "nxt": "c", "next": "c"}),
        json!({"id": "c", "type": "end"}),
    ]);
    let findings = analyse(&definition, &known()).findings;
    let near = |code: &str| -> Vec<String> {
        findings.iter().filter(|it| it.code == code).flat_map(|it| it.did_you_mean.clone()).collect()
    };
    assert_eq!(near("unknown_name"), ["contact.first_name", "contact.last_name", "contact"]);
    assert_eq!(near("unknown_tag"), ["VIP"]);
    assert_eq!(near("unknown_field"), ["next"]);
    let analysis = Analysis { findings, definition: None, tags: Default::default(), uses: Default::default() };
    let told = analysis.violations("/definition");
    assert!(told.iter().any(|it| it.pointer == "/definition/nodes/1/tag" && it.message.ends_with("did you mean: VIP")));
}

#[test]
fn reports_unsaved_variables_if_a_trigger_starts_the_run() {
    let mut definition = flow(vec![
        json!({"id": "a", "type": "set_field", "field": "vars.size", "value": "large", "next": "b"}),
        say("b", "{{ vars.szie }} {{ vars.size }}", "c"),
        json!({"id": "c", "type": "end"}),
    ]);
    let told = |definition: &Value| -> Vec<(&'static str, Vec<String>)> {
        analyse(definition, &known()).findings.into_iter().map(|it| (it.code, it.did_you_mean)).collect()
    };
    definition["triggers"] = json!([]);
    assert_eq!(told(&definition), []);
    definition["triggers"] = json!([{"type": "keyword", "keywords": ["hi"]}]);
    assert_eq!(told(&definition), [("unsaved_variable", vec!["vars.size".to_owned()])]);
}

#[test]
fn reports_only_the_first_node_behind_a_broken_exit() {
    let definition = flow(vec![
        say("a", "1", "bb"),
        say("b", "2", "c"),
        say("c", "3", "d"),
        say("d", "4", "e"),
        json!({"id": "e", "type": "end"}),
    ]);
    let findings = analyse(&definition, &known()).findings;
    let told: Vec<_> = findings.iter().map(|it| (it.code, it.pointer.as_str())).collect();
    assert_eq!(told, [("unknown_node", "/nodes/0/next"), ("unreachable_node", "/nodes/1")]);
}

#[test]
fn findings_include_the_path_to_their_node() {
    let definition =
        flow(vec![say("a", "Hi", "b"), say("b", "Hi {{ contact.nam }}", "c"), json!({"id": "c", "type": "end"})]);
    let findings = analyse(&definition, &known()).findings;
    assert_eq!(findings[0].node_path, ["a", "b"]);
}

#[test]
fn checks_conditions_of_branches_and_triggers() {
    let branch = |when: Value| {
        flow(vec![
            json!({"id": "a", "type": "branch", "branches": [{"when": when, "next": "b"}], "otherwise": "b"}),
            json!({"id": "b", "type": "end"}),
        ])
    };
    let wrong = found(branch(json!({"field": "custom_fields.plam", "op": "eq", "value": 1})));
    assert_eq!(wrong, [at("/nodes/0/branches/0/when/field", "unknown_field")]);
    assert_eq!(found(branch(json!({"field": "vars.x", "op": "eq", "value": 1}))), []);
    let trigger = json!({"triggers": [{"type": "event", "event": "contact.tag_added", "filter": {"field": "vars.x", "op": "exists"}}],
        "start": "b", "nodes": [{"id": "b", "type": "end"}]});
    assert!(found(trigger)[0].0.starts_with("/triggers/0/filter"), "a trigger cannot use variables");
}

#[test]
fn reports_unknown_sequences_fields_and_flows() {
    let (id, seq) = (FlowId::from_uuid(Uuid::from_u128(1)), "seq_01h455vb4pex5vsknk084sn02q");
    let definition = flow(vec![
        json!({"id": "a", "type": "enroll_sequence", "sequence": seq, "next": "b"}),
        json!({"id": "b", "type": "set_bot_field", "field": "seson", "value": 1, "next": "c"}),
        json!({"id": "c", "type": "start_flow", "flow_id": id.to_string()}),
    ]);
    let expected = [
        at("/nodes/0/sequence", "unknown_sequence"),
        at("/nodes/1/field", "unknown_field"),
        at("/nodes/2/flow_id", "unknown_flow"),
    ];
    assert_eq!(found(definition.clone()), expected);
    let own = KnownObjects { own: Some(id), ..known() };
    assert!(analyse(&definition, &own).findings.iter().any(|it| it.code == "recursion"));
}

#[test]
fn makes_no_assumptions_about_unreadable_nodes() {
    let asking = json!({"id": "w", "type": "ask", "text": "Your address?", "expect": "emial", "save_to": "vars.a", "next": "b", "otherwise": "b"});
    let waiting = json!({"id": "w", "type": "delay", "for": "1h", "next": "b"});
    for wait in [waiting, asking] {
        let definition = flow(vec![
            json!({"id": "a", "type": "add_tag", "tag": "vip", "next": "w"}),
            wait,
            json!({"id": "b", "type": "add_tag", "tag": "vip", "next": "a"}),
        ]);
        let findings = analyse(&definition, &known()).findings;
        assert!(!findings.is_empty() && findings.iter().all(|it| it.pointer.starts_with("/nodes/1/")), "{findings:?}");
    }
    let definition = flow(vec![
        json!({"id": "a", "type": "add_tg", "tag": "vip", "next": "b"}),
        json!({"id": "b", "type": "set_field", "field": "vars.x", "value": 1, "next": "c"}),
        json!({"id": "c", "type": "end"}),
    ]);
    assert_eq!(found(definition), [at("/nodes/0/type", "unknown_node_type")]);
}

#[test]
fn makes_no_assumptions_about_unreadable_texts() {
    let definition = flow(vec![
        json!({"id": "a", "type": "set_field", "field": "vars.a", "value": 1, "next": "b"}),
        json!({"id": "b", "type": "set_field", "field": "contact.locale", "value": "{{ vars.a | uper }}", "next": "c"}),
        json!({"id": "c", "type": "end"}),
    ]);
    assert_eq!(found(definition), [at("/nodes/1/value", "template_error")]);
}

#[test]
fn reports_secrets_in_wrong_places_or_for_other_hosts() {
    let now = Timestamp::from_millis(0);
    let secret = |id: u128, name: &str| crate::secrets::Secret {
        id: crate::ids::SecretId::from_uuid(Uuid::from_u128(id)),
        name: name.to_owned(),
        sealed: Vec::new(),
        hosts: vec!["api.example.com".to_owned()],
        created_at: now,
        updated_at: now,
        version: 1,
    };
    let forbidden = [("https://10.0.0.1/".to_owned(), "It is private.".to_owned())];
    let known = KnownObjects {
        secrets: vec![secret(1, "TOKEN"), secret(2, "OTHER")],
        forbidden_urls: forbidden.into(),
        ..known()
    };
    let call = |id: &str, url: &str, body: &str, next: &str| json!({"id": id, "type": "http_request", "method": "POST", "url": url, "body": body, "next": next});
    let definition = flow(vec![
        call("a", "https://api.example.com/{{ vars.x }}", "{{ secrets.TOKEN }}", "b"),
        call("b", "https://api.example.org/{{ vars.x }}", "{{ secrets.TOKEN }}", "c"),
        call("c", "{{ vars.x }}", "{{ secrets.TOKNE }}", "d"),
        call("d", "https://10.0.0.1/", "{% for one in secrets %}{{ one }}{% endfor %}", "e"),
        say("e", "{{ secrets.TOKEN }}", "f"),
        json!({"id": "f", "type": "end"}),
    ]);
    let analysis = analyse(&definition, &known);
    let told: Vec<_> = analysis.findings.iter().map(|it| (it.pointer.as_str(), it.code)).collect();
    assert_eq!(
        told,
        [
            ("/nodes/1/url", "secret_not_for_host"),
            ("/nodes/2/body", "unknown_secret"),
            ("/nodes/3/body", "secret_not_bare"),
            ("/nodes/3/url", "forbidden_address"),
            ("/nodes/4/message/text", "secret_not_allowed"),
        ]
    );
    assert_eq!(analysis.findings[1].did_you_mean, ["secrets.TOKEN"]);
    assert!(analysis.uses.contains(&Referent::Secret(known.secrets[0].id)));
    assert!(!analysis.uses.contains(&Referent::Secret(known.secrets[1].id)));
    let names = named(&definition);
    assert_eq!(names.urls.into_iter().collect::<Vec<_>>(), ["https://10.0.0.1/"]);
    assert_eq!(names.secrets.into_iter().collect::<Vec<_>>(), ["TOKEN", "TOKNE"]);
}

#[test]
fn suspicious_parts_yield_warnings_and_allow_publishing() {
    let definition = flow(vec![
        json!({"id": "a", "type": "delay", "window": {"days": []}, "next": "b"}),
        json!({"id": "b", "type": "set_field", "field": "vars.unused", "value": 1, "next": "c"}),
        json!({"id": "c", "type": "branch", "branches": [
            {"when": {"any": []}, "next": "d"},
            {"when": {"field": "email", "op": "exists"}, "next": "d"},
            {"when": {"field": "email", "op": "exists"}, "next": "d"}], "otherwise": "d"}),
        json!({"id": "d", "type": "end"}),
    ]);
    let analysis = analyse(&definition, &known());
    assert!(analysis.is_valid(), "{:?}", analysis.findings);
    let told: Vec<_> = analysis.findings.iter().map(|it| (it.pointer.as_str(), it.code)).collect();
    assert_eq!(
        told,
        [
            ("/nodes/0/window", "empty_window"),
            ("/nodes/1/field", "unused_variable"),
            ("/nodes/2/branches/0/when", "branch_never_matches"),
            ("/nodes/2/branches/2/when", "branch_never_matches"),
        ]
    );
}

#[test]
fn reports_texts_that_are_not_allowed_but_reads_stored_ones() {
    let definition = flow(vec![
        json!({"id": "a", "type": "send_message", "next": "b", "message":
            {"type": "text", "text": "Hi", "quick_replies": [{"title": "{{ 'a'|indent(9) }}"}]}}),
        json!({"id": "b", "type": "set_field", "field": "contact.locale", "value": "{{ x|uper }}", "next": "c"}),
        json!({"id": "c", "type": "end"}),
    ]);
    let analysis = analyse(&definition, &known());
    let told: Vec<_> = analysis.findings.iter().map(|it| (it.pointer.as_str(), it.code, it.message.as_str())).collect();
    assert_eq!(
        told,
        [
            (
                "/nodes/0/message/quick_replies/0/title",
                "template_error",
                "the filter indent is not allowed in texts (line 1)"
            ),
            ("/nodes/1/value", "template_error", "unknown filter uper (line 1)"),
        ]
    );
    assert_eq!(analysis.findings[1].did_you_mean, ["upper"]);
    assert!(Definition::parse(&definition).is_ok());
}

#[test]
fn reports_operations_that_do_not_fit_their_field() {
    let field = |key: &str, kind| CustomField {
        options: if kind == FieldKind::Select { vec!["gold".to_owned()] } else { Vec::new() },
        ..CustomField::new(FieldId::from_uuid(Uuid::from_u128(1)), key, kind, Timestamp::from_millis(0))
    };
    let fields = vec![field("age", FieldKind::Number), field("plan", FieldKind::Select)];
    let known = KnownObjects { fields, ..known() };
    let set = |id: &str, field: &str, operation: &str, value: Value, next: &str| {
        let mut node = json!({"id": id, "type": "set_field", "field": field, "operation": operation, "next": next});
        if operation != "toggle" {
            node["value"] = value;
        }
        node
    };
    let definition = flow(vec![
        set("a", "custom_fields.age", "increment", json!(1), "b"),
        set("b", "custom_fields.plan", "increment", json!(1), "c"),
        set("c", "custom_fields.age", "append", json!("x"), "d"),
        set("d", "contact.first_name", "toggle", json!(null), "e"),
        set("e", "custom_fields.plan", "set", json!("gold"), "f"),
        say("f", "{{ vars.go }}", "g"),
        set("g", "vars.go", "toggle", json!(null), "h"),
        json!({"id": "h", "type": "end"}),
    ]);
    let findings = analyse(&definition, &known).findings;
    let found: Vec<_> = findings.iter().map(|it| (it.pointer.clone(), it.code)).collect();
    let wrong = [1, 2, 3].map(|place| at(&format!("/nodes/{place}/operation"), "not_allowed"));
    assert_eq!(found, wrong);
    assert_eq!(findings[0].message, "custom_fields.plan has the type select, but increment requires the type number");
    assert_eq!(findings[0].hint.as_deref(), Some("use set, or choose a variable or a custom field of the type number"));
    assert_eq!(findings[2].node_path, ["a", "b", "c", "d"]);
}

#[test]
fn checks_literal_date_formats_and_time_zones() {
    let wrong = |text: &str| found(flow(vec![say("a", text, "b"), json!({"id": "b", "type": "end"})]));
    assert_eq!(wrong("{{ now|date('%d.%m.%Y', 'workspace') }} {{ contact.created_at|date }}"), []);
    assert_eq!(wrong("{{ now|date('%Q') }}"), [at("/nodes/0/message/text", "template_error")]);
    assert_eq!(wrong("{{ now|date('%d', 'Mars/Base') }}"), [at("/nodes/0/message/text", "template_error")]);
}

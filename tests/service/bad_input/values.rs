//! Values of the wrong type or format, and drafts that cannot be published.

use serde_json::{Value, json};

use super::case::{Case, post, put};
use super::setup::Setup;

const CONTACTS: &str = "/api/v1/contacts";

pub fn cases(setup: &Setup) -> Vec<Case> {
    let mut cases = wrong_forms();
    cases.extend(values_of_fields(setup));
    cases.extend(definitions_of_fields());
    cases.extend(conversations_and_channels(setup));
    cases.extend(webhooks(setup));
    cases
}

fn conversations_and_channels(setup: &Setup) -> Vec<Case> {
    let conversation = format!("/api/v1/conversations/{}", setup.seed.id("conv"));
    let (snooze, assign) = (format!("{conversation}/snooze"), format!("{conversation}/assign"));
    let (channels, nobody) = ("/api/v1/channels", crate::support::seed::absent("user"));
    let channel = format!("{channels}/{}", setup.seed.id("chan"));
    let at = |url: &str| json!({"kind": "http", "config": {"url": url}});
    let inside = "http://10.0.0.1/";
    let bot = json!({"kind": "telegram", "config": {"base_url": inside}, "secrets": {"bot_token": "1:a"}});
    let number = json!({"kind": "whatsapp", "config": {"phone_number_id": "1", "waba_id": "2", "base_url": inside},
                        "secrets": {"access_token": "EAAJ", "app_secret": "614fc2afde15eee07a26b2fe3eaee9b9"}});
    let account = json!({"account_sid": "AC0123456789abcdef0123456789abcdef", "from": "+15005550006",
                         "base_url": inside});
    let texts = json!({"kind": "sms", "config": account, "secrets": {"auth_token": "t0ken"}});
    let message = format!("{conversation}/messages");
    let far = json!({"type": "location", "attachments": [{"url": "geo:91,0"}]});
    let noted = json!({"type": "note", "text": "a", "template": {"name": "b"}});
    vec![
        post(message.clone(), far).wrong_at("/attachments/0/url", "invalid_format"),
        post(message, noted).wrong_at("/template", "not_allowed"),
        post(channels, bot).wrong_at("/config/base_url", "forbidden_address"),
        post(channels, number).wrong_at("/config/base_url", "forbidden_address"),
        post(channels, texts).wrong_at("/config/base_url", "forbidden_address"),
        post(snooze.clone(), json!({})).wrong_at("/until", "required"),
        post(snooze.clone(), json!({"until": "tomorrow"})).wrong_at("/until", "invalid_format"),
        post(snooze, json!({"until": "2020-01-01T00:00:00Z"})).wrong_at("/until", "out_of_range"),
        post(assign.clone(), json!({})).wrong_at("/assignee_id", "required"),
        post(assign.clone(), json!({"assignee_id": "ada"})).wrong_at("/assignee_id", "invalid_id"),
        post(assign, json!({"assignee_id": nobody})).wrong_at("/assignee_id", "unknown_member"),
        post(channels, json!({})).wrong_at("/kind", "required"),
        post(channels, json!({"kind": "pigeon"})).wrong_at("/kind", "invalid_value"),
        post(channels, json!({"kind": "telegram"})).wrong_at("/secrets/bot_token", "required"),
        post(channels, json!({"kind": "whatsapp"}))
            .wrong_at("/config/phone_number_id", "required")
            .wrong_at("/config/waba_id", "required")
            .wrong_at("/secrets/access_token", "required")
            .wrong_at("/secrets/app_secret", "required"),
        post(channels, json!({"kind": "email", "config": {"from": {"address": "a@b.example"}, "smtp": {}}}))
            .wrong_at("/config/smtp/host", "required"),
        post(channels, json!({"kind": "sms"}))
            .wrong_at("/config/account_sid", "required")
            .wrong_at("/secrets/auth_token", "required"),
        post(channels, json!({"kind": "http"})).wrong_at("/config/url", "required"),
        post(channels, json!({"kind": "sandbox", "config": {"url": "https://example.com/"}}))
            .wrong_at("/config/url", "not_allowed"),
        post(channels, at("http://10.0.0.1/")).wrong_at("/config/url", "forbidden_address"),
        post(channels, at("ftp://example.com/")).wrong_at("/config/url", "forbidden_address"),
        post(channels, json!({"kind": "sandbox", "secret": "whsec_a"})).wrong_at("/secret", "unknown_field"),
        put(channel.clone(), json!({"kind": "http"})).wrong_at("/kind", "unknown_field"),
        put(channel.clone(), json!({"config": {"url": "https://example.com/"}})).wrong_at("/config/url", "not_allowed"),
        put(channel, json!({"is_default": null})).wrong_at("/is_default", "null_not_allowed"),
    ]
}

fn wrong_forms() -> Vec<Case> {
    let mut cases = Vec::new();
    for status in ["", "dead", "Active", "active "] {
        cases.push(post(CONTACTS, json!({"status": status})).wrong_at("/status", "invalid_value"));
    }
    for color in ["", "red", "#12345", "#1234567", "#12345g", "123456"] {
        cases.push(post("/api/v1/tags", json!({"name": "a", "color": color})).wrong_at("/color", "invalid_format"));
    }
    for event in ["", "contact", "contact.*", "contact.create", "Contact.created"] {
        let body = json!({"url": "https://example.com/", "events": [event]});
        cases.push(post("/api/v1/webhooks", body).wrong_at("/events/0", "invalid_value"));
    }
    let near = json!({"url": "https://example.com/", "events": ["contact.created", "contact.craeted"]});
    cases.push(post("/api/v1/webhooks", near).wrong_at("/events/1", "invalid_value").hinting("`contact.created`"));
    cases
}

fn values_of_fields(setup: &Setup) -> Vec<Case> {
    let wrong: [(&str, Value, &str); 29] = [
        ("plan", json!(1), "wrong_type"),
        ("plan", json!(["gold"]), "wrong_type"),
        ("age", json!("40"), "wrong_type"),
        ("age", json!(true), "wrong_type"),
        ("age", json!(-1), "too_small"),
        ("age", json!(150.5), "too_large"),
        ("vegan", json!("true"), "wrong_type"),
        ("vegan", json!(1), "wrong_type"),
        ("born", json!(20260131), "wrong_type"),
        ("born", json!("31.01.2026"), "invalid_format"),
        ("born", json!("2026-02-30"), "invalid_format"),
        ("born", json!("2026-01-31T00:00:00Z"), "wrong_type"),
        ("seen", json!("2026-01-31"), "invalid_format"),
        ("seen", json!("2026-01-31T09:30:00"), "invalid_format"),
        ("seen", json!("2026-01-31T25:00:00Z"), "invalid_format"),
        ("seen", json!(1_769_850_000), "wrong_type"),
        ("second_email", json!("nobody"), "invalid_format"),
        ("second_email", json!(1), "wrong_type"),
        ("fax", json!("110"), "invalid_format"),
        ("fax", json!(49_301_234_567_u64), "wrong_type"),
        ("homepage", json!("example.com"), "invalid_format"),
        ("homepage", json!("javascript:alert(1)"), "invalid_format"),
        ("homepage", json!("ftp://example.com/"), "invalid_format"),
        ("size", json!("blue"), "invalid_value"),
        ("size", json!("Red"), "invalid_value"),
        ("size", json!(["red"]), "wrong_type"),
        ("colours", json!("red"), "wrong_type"),
        ("colours", json!(["red", "blue"]), "invalid_value"),
        ("colours", json!(["red", 1]), "wrong_type"),
    ];
    let mut cases = Vec::new();
    for (key, value, code) in wrong {
        let place = format!("/custom_fields/{key}");
        cases.push(post(CONTACTS, json!({"custom_fields": {key: value}})).wrong_at(&place, code));
        cases.push(put(setup.contact(), json!({"custom_fields": {key: value}})).wrong_at(&place, code));
        let path = format!("{}/custom-fields/{key}", setup.contact());
        cases.push(post(path, json!({"value": value})).wrong_at("/value", code));
    }
    let unknown = json!({"custom_fields": {"plann": 1, "colors": 2}});
    cases.push(
        post(CONTACTS, unknown)
            .wrong_at("/custom_fields/plann", "unknown_field")
            .wrong_at("/custom_fields/colors", "unknown_field")
            .hinting("colours"),
    );
    let path = format!("{}/custom-fields/plan", setup.contact());
    cases.push(post(path, json!({})).wrong_at("/value", "required"));
    let bot_field = format!("/api/v1/bot-fields/{}", setup.seed.id("botfield"));
    cases.push(post(bot_field, json!({"value": 1})).wrong_at("/value", "wrong_type"));
    cases
}

fn definitions_of_fields() -> Vec<Case> {
    let path = "/api/v1/custom-fields";
    vec![
        post(path, json!({"name": "a", "type": "colour"})).wrong_at("/type", "invalid_value"),
        post(path, json!({"name": "a", "type": "text", "key": "A b"})).wrong_at("/key", "invalid_format"),
        post(path, json!({"name": "a", "type": "text", "key": "1a"})).wrong_at("/key", "invalid_format"),
        post(path, json!({"name": "a", "type": "text", "key": "a".repeat(37)})).wrong_at("/key", "invalid_format"),
        post(path, json!({"name": "日本", "type": "text"})).wrong_at("/key", "required"),
        post(path, json!({"name": "a", "type": "select"})).wrong_at("/options", "required"),
        post(path, json!({"name": "a", "type": "select", "options": ["b", "b"]})).wrong_at("/options/1", "duplicate"),
        post(path, json!({"name": "a", "type": "text", "options": ["b"]})).wrong_at("/options", "not_allowed"),
        post(path, json!({"name": "a", "type": "text", "validation": {"pattern": "("}}))
            .wrong_at("/validation/pattern", "invalid_format"),
        post(path, json!({"name": "a", "type": "number", "validation": {"min": 2, "max": 1}}))
            .wrong_at("/validation/max", "too_small"),
        post("/api/v1/bot-fields", json!({"name": "a", "type": "select"})).wrong_at("/type", "invalid_value"),
        post("/api/v1/bot-fields", json!({"name": "a", "type": "number", "value": "b"}))
            .wrong_at("/value", "wrong_type"),
    ]
}

/// Drafts can be saved; publishing them reports all errors.
pub async fn drafts(setup: &Setup) -> Vec<Case> {
    let end = json!({"id": "end", "type": "end"});
    let node = |mut node: Value| {
        node["id"] = json!("a");
        json!({"start": "a", "nodes": [node, end]})
    };
    let tag = |word: &str| node(json!({"type": "add_tag", "tag": word, "next": "end"}));
    // The tests of the analysis in the domain check the other findings.
    let drafts: [(Value, &str, &str); 9] = [
        (node(json!({"type": "delay", "for": "PT1S", "next": "ende"})), "/nodes/0/next", "unknown_node"),
        (tag(setup.neighbour.id("tag")), "/nodes/0/tag", "unknown_tag"),
        (tag(setup.seed.id("contact")), "/nodes/0/tag", "unknown_tag"),
        (
            node(json!({"type": "send_message", "message": {"type": "text", "text": "{{ x"}, "next": "end"})),
            "/nodes/0/message/text",
            "template_error",
        ),
        (json!({"start": "end", "nodes": [end], "trigger": {}}), "/trigger", "unknown_field"),
        (
            node(
                json!({"type": "ask", "message": {"type": "text", "text": "?"}, "expect": "text", "save_to": "custom_fields.nobody", "next": "end"}),
            ),
            "/nodes/0/save_to",
            "unknown_field",
        ),
        (
            node(
                json!({"type": "branch", "branches": [{"when": {"field": "custom_fields.age", "op": "gt", "value": "x"}, "next": "end"}], "otherwise": "end"}),
            ),
            "/nodes/0/branches/0/when/value",
            "wrong_type",
        ),
        (
            node(json!({"type": "start_flow", "flow_id": setup.neighbour.id("flow")})),
            "/nodes/0/flow_id",
            "unknown_flow",
        ),
        (
            json!({"start": "end", "nodes": [end], "triggers": [
                {"type": "keyword", "keywords": ["a"], "channel_ids": [setup.neighbour.id("chan")]}]}),
            "/triggers/0/channel_ids/0",
            "unknown_channel",
        ),
    ];
    let mut cases = Vec::new();
    for (definition, place, code) in drafts {
        let flow = setup.client.post("/api/v1/flows", &json!({"name": "Wrong", "definition": definition})).await;
        let flow = flow.expect(201)["id"].as_str().unwrap().to_owned();
        let publish = post(format!("/api/v1/flows/{flow}/publish"), json!({}));
        let mut case = publish.wrong_at(format!("/definition{place}"), code);
        // If the first node has no next node, the second is unreachable.
        if ["unknown_node", "unknown_flow"].contains(&code) {
            case = case.wrong_at("/definition/nodes/1", "unreachable_node");
        }
        cases.push(case);
    }
    cases
}

fn webhooks(setup: &Setup) -> Vec<Case> {
    let hook = format!("/api/v1/webhooks/{}", setup.seed.id("hook"));
    let header = |name: &str, value: &str| put(&hook, json!({"headers": {name: value}}));
    let at = |name: &str| format!("/headers/{}", name.replace('~', "~0").replace('/', "~1"));
    let mut cases = Vec::new();
    for name in ["", "a\r\nX-Evil: 1", "a/b"] {
        cases.push(header(name, "v").wrong_at(at(name), "invalid_name"));
    }
    cases.push(header("X-Service-Signature", "v").wrong_at(at("X-Service-Signature"), "reserved_name"));
    cases.push(header("x", "a\r\nX-Evil: 1").wrong_at("/headers/x", "invalid_format"));
    let many: Value = (0..21).map(|number| (format!("x-{number}"), json!("v"))).collect();
    let replay = format!("{hook}/replay");
    let (begin, month) = ("2026-01-01T00:00:00Z", "2026-02-01T00:00:01Z");
    cases.extend([
        put(&hook, json!({"headers": many})).wrong_at("/headers", "too_many"),
        put(&hook, json!({"headers": {"X-A": "1", "x-a": "2"}})).wrong_at("/headers/x-a", "duplicate_name"),
        put(&hook, json!({"headers": {"x": 1}})).wrong_at("/headers/x", "wrong_type"),
        put(&hook, json!({"headers": []})).wrong_at("/headers", "wrong_type"),
        put(&hook, json!({"url": "ftp://example.com/"})).wrong_at("/url", "forbidden_address"),
        put(&hook, json!({"events": ["contact.create"]})).wrong_at("/events/0", "invalid_value"),
        put(&hook, json!({"events": ["ai_session.escalated"]})).wrong_at("/events/0", "invalid_value"),
        post(format!("{hook}/test"), json!({"event_type": "ai_session.escalated"}))
            .wrong_at("/event_type", "invalid_value"),
        post(format!("{hook}/rotate-secret"), json!({"overlap": "P8D"})).wrong_at("/overlap", "out_of_range"),
        post(format!("{hook}/rotate-secret"), json!({"overlap": "1 day"})).wrong_at("/overlap", "invalid_format"),
        post(&replay, json!({})).wrong_at("/since", "required"),
        post(&replay, json!({"since": begin, "status": "pending"})).wrong_at("/status", "invalid_value"),
        post(&replay, json!({"since": begin, "until": begin})).wrong_at("/until", "out_of_range"),
        post(&replay, json!({"since": begin, "until": month})).wrong_at("/since", "out_of_range"),
        post(&replay, json!({"since": "2999-01-01T00:00:00Z"})).wrong_at("/since", "out_of_range"),
    ]);
    cases
}

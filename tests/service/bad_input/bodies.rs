//! Bodies that are not JSON, not an object, too large, too deep, or not of the expected form.

use serde_json::{Value, json};

use super::case::{Case, post, put, raw};
use super::setup::Setup;

const CONTACTS: &str = "/api/v1/contacts";

pub fn cases(setup: &Setup) -> Vec<Case> {
    let mut cases = broken_json();
    cases.extend(duplicate_keys());
    cases.extend(unknown_and_read_only(setup));
    cases.extend(zeros(setup));
    cases.extend(too_large_and_too_deep(setup));
    cases.extend(too_many_and_too_long(setup));
    cases
}

fn broken_json() -> Vec<Case> {
    // The tests of the parser in the domain check every malformed text.
    let texts: [&[u8]; 4] = [b"", b"{\"first_name\": \"Ada\",}", b"{\"first_name\": \"\xff\"}", b"{} {}"];
    texts.into_iter().map(|text| raw("POST", CONTACTS, text).earns(400, "malformed_json")).collect()
}

fn duplicate_keys() -> Vec<Case> {
    let texts = [
        (r#"{"first_name": "Ada", "first_name": "Ada"}"#, "/first_name"),
        (r#"{"unknown": [{"a": 1, "a": 2}]}"#, "/unknown/0/a"),
    ];
    let twice =
        |(text, place)| raw("POST", CONTACTS, text).wrong_at(place, "duplicate_key").earns(400, "duplicate_key");
    texts.into_iter().map(twice).collect()
}

fn unknown_and_read_only(setup: &Setup) -> Vec<Case> {
    let seed = &setup.seed;
    vec![
        post(CONTACTS, json!({"emial": "a@example.com"})).wrong_at("/emial", "unknown_field").hinting("`email`"),
        post(CONTACTS, json!({"a/b": 1, "c~d": 2}))
            .wrong_at("/a~1b", "unknown_field")
            .wrong_at("/c~0d", "unknown_field"),
        post(CONTACTS, json!({"": 1})).wrong_at("/", "unknown_field"),
        post(CONTACTS, json!({"Email": "a@example.com"})).wrong_at("/Email", "unknown_field"),
        // All errors are reported together.
        post(CONTACTS, json!({"emial": 1, "email": "nobody", "phone": 7, "subscribed": "yes"}))
            .wrong_at("/emial", "unknown_field")
            .wrong_at("/email", "invalid_format")
            .wrong_at("/phone", "wrong_type")
            .wrong_at("/subscribed", "wrong_type"),
        post("/api/v1/custom-fields", json!({"name": "Weight", "type": "number", "validation": {"mn": 1}}))
            .wrong_at("/validation/mn", "unknown_field"),
        post(format!("{}/tags", setup.contact()), json!({"name": "a", "tag": "b"})).wrong_at("/tag", "unknown_field"),
        post(format!("{}/send-message", setup.contact()), json!({"type": "text", "text": "a", "txt": "b"}))
            .wrong_at("/txt", "unknown_field"),
        post(format!("{}/start-flow", setup.contact()), json!({"flow_id": seed.id("flow"), "flow": "b"}))
            .wrong_at("/flow", "unknown_field"),
        post(format!("{}/custom-fields/plan", setup.contact()), json!({"value": "b", "velue": "c"}))
            .wrong_at("/velue", "unknown_field"),
        post(format!("{}/publish", setup.draft()), json!({"runing": "pin"})).wrong_at("/runing", "unknown_field"),
        post(format!("{}/publish", setup.draft()), json!({"running": "stop"})).wrong_at("/running", "invalid_value"),
        put(setup.draft(), json!({"status": "draft"})).wrong_at("/status", "not_published"),
        put(setup.draft(), json!({"status": "paused"})).wrong_at("/status", "not_published"),
        put(format!("/api/v1/flows/{}", seed.id("flow")), json!({"status": "draft"}))
            .wrong_at("/status", "not_allowed"),
    ]
}

/// U+0000, which PostgreSQL cannot store. The parser rejects it in every text and key.
fn zeros(setup: &Setup) -> Vec<Case> {
    let zero = "invalid_character";
    let text = "a\0b";
    vec![
        post(CONTACTS, json!({"custom_fields": {"colours": ["red", text]}})).wrong_at("/custom_fields/colours/1", zero),
        put(setup.draft(), json!({"definition": {"layout": {text: 1}}})).wrong_at("/definition/layout/a\0b", zero),
        post(format!("{}/start-flow", setup.contact()), json!({"flow_id": setup.draft, "vars": {"a": text}}))
            .wrong_at("/vars/a", zero),
    ]
}

fn too_large_and_too_deep(setup: &Setup) -> Vec<Case> {
    let filler = |bytes: usize| "x".repeat(bytes);
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let objects = |depth: usize| format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    let deep = |depth: usize| format!(r#"{{"custom_fields": {{"plan": {}}}}}"#, nested(depth));
    // The root and `custom_fields` are two of 32 levels; the array at level 33 is inside 30 others.
    let place = format!("/custom_fields/plan{}", "/0".repeat(30));
    let definition = format!(r#"{{"definition": {{"layout": {}}}}}"#, objects(10_000));
    vec![
        raw("POST", CONTACTS, filler(300 * 1024)).earns(413, "payload_too_large"),
        post(CONTACTS, json!({"first_name": filler(300 * 1024)})).earns(413, "payload_too_large"),
        post("/api/v1/tags", json!({"name": filler(256 * 1024)})).earns(413, "payload_too_large"),
        put(setup.draft(), json!({"definition": {"layout": filler(1024 * 1024)}})).earns(413, "payload_too_large"),
        // Below the size limit of the body, the limits of each value apply.
        post(CONTACTS, json!({"first_name": filler(255 * 1024)})).wrong_at("/first_name", "too_long"),
        raw("POST", CONTACTS, deep(31)).wrong_at(place, "too_deep"),
        raw("POST", CONTACTS, nested(10_000)).wrong_at("", "wrong_type"),
        raw("POST", CONTACTS, r#"{"a":"#.repeat(10_000)).earns(400, "malformed_json"),
        raw("PUT", setup.draft(), definition).wrong_at(format!("/definition/layout{}", "/a".repeat(30)), "too_deep"),
    ]
}

fn too_many_and_too_long(setup: &Setup) -> Vec<Case> {
    let many = |count: usize| (0..count).map(|number| format!("many {number}")).collect::<Vec<_>>();
    let entries = |count: usize| (0..count).map(|number| (format!("k{number}"), json!(1))).collect::<Value>();
    let long = |length: usize| "é".repeat(length);
    let select = json!({"name": "Taste", "type": "select", "options": many(101)});
    let start = json!({"flow_id": setup.seed.id("flow"), "vars": entries(101)});
    vec![
        post(CONTACTS, json!({"tags": many(101)})).wrong_at("/tags", "too_many"),
        post(format!("/api/v1/contacts/{}/tags", setup.laden), json!({"name": "one more"}))
            .earns(422, "limit_exceeded"),
        post(CONTACTS, json!({"custom_fields": {"colours": many(101)}})).wrong_at("/custom_fields/colours", "too_many"),
        post(CONTACTS, json!({"custom_fields": entries(201)})).wrong_at("/custom_fields", "too_many"),
        post("/api/v1/custom-fields", select).wrong_at("/options", "too_many"),
        post("/api/v1/webhooks", json!({"url": "https://example.com/", "events": vec!["*"; 101]}))
            .wrong_at("/events", "too_many"),
        post("/api/v1/webhooks", json!({"url": "https://example.com/", "events": []})).wrong_at("/events", "too_few"),
        post(format!("{}/start-flow", setup.contact()), start).wrong_at("/vars", "too_many"),
        post(CONTACTS, json!({"first_name": long(101)})).wrong_at("/first_name", "too_long"),
        post(CONTACTS, json!({"first_name": " \t"})).wrong_at("/first_name", "blank"),
        post("/api/v1/tags", json!({"name": ""})).wrong_at("/name", "blank"),
        post("/api/v1/tags", json!({"name": "a", "description": long(501)})).wrong_at("/description", "too_long"),
        post("/api/v1/flows", json!({"name": long(101)})).wrong_at("/name", "too_long"),
        post(format!("{}/send-message", setup.contact()), json!({"type": "text", "text": long(4_097)}))
            .wrong_at("/text", "too_long"),
        post(format!("{}/custom-fields/plan", setup.contact()), json!({"value": long(4_097)}))
            .wrong_at("/value", "too_long"),
        raw("POST", CONTACTS, r#"{"custom_fields": {"age": 1e999}}"#).wrong_at("/custom_fields/age", "out_of_range"),
    ]
}

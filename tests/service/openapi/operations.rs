//! Two requests for each operation: one that succeeds and one that fails.

use std::time::Duration;

use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_http::routes::{BodyKind, Route};

use crate::support::seed::{Seed, absent, with_ids};
use objects::{
    another_broadcast, another_sequence, deleted, failed_broadcast, failed_message, slow_broadcast, tagged, unwanted,
};

mod objects;

pub struct Request {
    pub path: String,
    pub body: Option<Value>,
    pub status: u16,
}

/// Returns a request that succeeds with another status than the one of [`right`].
pub fn right_otherwise(route: &Route) -> Option<Request> {
    let table = "email,Since,Opted out\nada@example.com,03/04/2026,yes\nnobody,2026-05-01,\n";
    let path = format!("{}?check=true&column=Since:-", route.path);
    (route.operation_id == "import_contacts").then(|| Request { path, body: Some(json!(table)), status: 200 })
}

/// Creates the objects that the operation needs; returns a request that succeeds.
pub async fn right(route: &Route, seed: &Seed) -> Request {
    let contact = format!("/api/v1/contacts/{}", seed.id("contact"));
    let nodes = json!([{"id": "wait", "type": "delay", "for": "PT1H", "next": "end"}, {"id": "end", "type": "end"}]);
    let definition = json!({"start": "wait", "nodes": nodes});
    let of = |collection: &str, kind: &str| format!("/api/v1/{collection}/{}", seed.id(kind));
    let (path, body, status) = match route.operation_id {
        "create_contact" => (
            route.path.to_owned(),
            json!({
                "external_id": "eve", "first_name": "Eve", "last_name": "Adams", "email": "eve@example.com",
                "phone": "+4930765", "locale": "de", "time_zone": "Europe/Berlin", "status": "active",
                "subscribed": true, "tags": ["vip", "new"], "custom_fields": {"plan": "gold"},
            }),
            201,
        ),
        "batch_contacts" => (
            route.path.to_owned(),
            json!({"operations": [
                {"action": "create", "contact": {"first_name": "Ada", "tags": ["made by a batch"]}},
                {"action": "update", "id": seed.id("contact"), "contact": {"last_name": "Lovelace"}},
                {"action": "delete", "id": "external_id:nobody"},
            ]}),
            200,
        ),
        "search_contacts" => (
            route.path.to_owned(),
            json!({
                "filter": {"all": [
                    {"field": "custom_fields.plan", "op": "exists"},
                    {"any": [{"field": "tags", "op": "has", "value": "vip"}, {"field": "subscribed", "op": "eq", "value": true}]},
                    {"not": {"field": "created_at", "op": "before", "value": "2020-01-01T00:00:00Z"}},
                ]},
                "sort": "created_at", "limit": 1,
            }),
            200,
        ),
        "update_contact" | "patch_contact" => (contact, json!({"last_name": "Lovelace", "locale": null}), 200),
        "add_contact_tag" => (format!("{contact}/tags"), json!({"name": "added"}), 201),
        "replace_contact_tags" => (format!("{contact}/tags"), json!({"tags": ["vip", "more"]}), 200),
        "remove_contact_tag" => (tagged(seed, &contact).await, Value::Null, 204),
        "set_contact_field" => {
            (format!("{contact}/custom-fields/{}", seed.id("field")), json!({"value": "silver"}), 200)
        }
        "send_message" => (
            format!("{contact}/send-message"),
            json!({"type": "text", "text": "Hello", "channel_id": seed.id("chan")}),
            202,
        ),
        "start_flow" => (
            format!("{contact}/start-flow"),
            json!({"flow_id": seed.id("flow"), "vars": {"a": 1}, "mode": "skip"}),
            202,
        ),
        "record_custom_event" => {
            (format!("{contact}/events"), json!({"name": "order.paid", "data": {"total": 7}}), 201)
        }
        "create_tag" => {
            (route.path.to_owned(), json!({"name": "made", "color": "#1A2b3c", "description": "Made here"}), 201)
        }
        "update_tag" | "patch_tag" => (of("tags", "tag"), json!({"color": "#ffffff", "description": null}), 200),
        "create_custom_field" => (
            route.path.to_owned(),
            json!({"key": "age", "name": "Age", "type": "number", "validation": {"min": 0, "max": 150}}),
            201,
        ),
        "update_custom_field" | "patch_custom_field" => {
            (of("custom-fields", "field"), json!({"name": "Tariff", "validation": {"max_length": 50}}), 200)
        }
        "create_bot_field" => (route.path.to_owned(), json!({"name": "Open", "type": "boolean", "value": true}), 201),
        "patch_bot_field" => (of("bot-fields", "botfield"), json!({"name": "Time of year"}), 200),
        "set_bot_field" => (of("bot-fields", "botfield"), json!({"value": "summer"}), 200),
        "put_secret" => {
            (of("secrets", "secret"), json!({"value": "a value without an object", "hosts": ["api.example.com"]}), 200)
        }
        "create_flow" => (route.path.to_owned(), json!({"name": "Wait", "definition": definition}), 201),
        "update_flow" | "patch_flow" => (of("flows", "flow"), json!({"definition": definition}), 200),
        "publish_flow" => (format!("{}/publish", of("flows", "flow")), json!({"running": "pin"}), 200),
        "create_broadcast" => (
            route.path.to_owned(),
            json!({"name": "Sale", "audience": {"field": "custom_fields.plan", "op": "eq", "value": "gold"},
                "message": {"type": "text", "text": "Hi", "quick_replies": [{"title": "Yes"}]},
                "channel_id": seed.id("chan"), "scheduled_at": "2999-01-01T09:00:00.000Z", "time_zone": "contact",
                "rate_per_minute": 600}),
            201,
        ),
        "update_broadcast" | "patch_broadcast" => {
            (of("broadcasts", "bcast"), json!({"name": "Old news", "rate_per_minute": null}), 200)
        }
        "preview_broadcast" => (format!("{}/preview", of("broadcasts", "bcast")), Value::Null, 200),
        "test_broadcast" => {
            (format!("{}/test", of("broadcasts", "bcast")), json!({"contact_ids": [seed.id("contact")]}), 202)
        }
        "send_broadcast" => {
            (format!("{}/send", another_broadcast(seed, false).await), json!({"expected_count": 0}), 202)
        }
        "cancel_broadcast" => (format!("{}/cancel", another_broadcast(seed, true).await), Value::Null, 200),
        "pause_broadcast" | "resume_broadcast" => {
            let slow = slow_broadcast(seed).await;
            if route.operation_id == "resume_broadcast" {
                seed.client.post(&format!("{slow}/pause"), &json!({})).await.expect(200);
            }
            (format!("{slow}/{}", route.operation_id.split('_').next().unwrap()), Value::Null, 200)
        }
        "repeat_broadcast" => (format!("{}/repeat", failed_broadcast(seed).await), Value::Null, 201),
        "delete_broadcast" => (another_broadcast(seed, false).await, Value::Null, 204),
        "create_saved_reply" => (
            route.path.to_owned(),
            json!({"name": "Prices", "text": "A night costs 80, {{ contact.first_name }}."}),
            201,
        ),
        "update_saved_reply" | "patch_saved_reply" => {
            (of("saved-replies", "reply"), json!({"name": "Opening hours", "text": "From 10"}), 200)
        }
        "create_segment" => (
            route.path.to_owned(),
            json!({"name": "Golden, too", "condition": {"any": [
                {"field": "custom_fields.plan", "op": "in", "value": ["gold"]},
                {"not": {"field": "tags", "op": "has", "value": "vip"}}]}}),
            201,
        ),
        "update_segment" | "patch_segment" => {
            (of("segments", "seg"), json!({"name": "Old", "condition": {"field": "email", "op": "exists"}}), 200)
        }
        "create_sequence" => (
            route.path.to_owned(),
            json!({
                "name": "Drip", "status": "active", "exit_on": ["reply", "unsubscribe"], "time_zone": "workspace",
                "exit_when": {"field": "tags", "op": "has", "value": "vip"}, "reenroll": {"after": "P30D"},
                "steps": [
                    {"id": "hi", "delay": "P1D", "window": {"days": ["mon"], "from": "09:00", "to": "18:00"}, "action":
                        {"type": "send_message", "message": {"type": "text", "text": "Hi {{ contact.name }}"}}},
                    {"id": "go", "delay": "PT1H", "action": {"type": "start_flow", "flow_id": seed.id("flow")}},
                ],
            }),
            201,
        ),
        "update_sequence" | "patch_sequence" => {
            (of("sequences", "seq"), json!({"name": "Drops", "exit_when": null, "reenroll": "always"}), 200)
        }
        "enroll_contact" => {
            let other = another_sequence(seed).await;
            (format!("{contact}/sequences/{other}"), Value::Null, 201)
        }
        "exit_enrollment" => {
            let other = another_sequence(seed).await;
            let path = format!("{contact}/sequences/{other}");
            seed.client.post(&path, &json!({})).await.expect(201);
            (path, Value::Null, 204)
        }
        "pause_enrollment" => (format!("{contact}/sequences/{}/pause", seed.id("seq")), Value::Null, 200),
        "resume_enrollment" => (format!("{contact}/sequences/{}/resume", seed.id("seq")), Value::Null, 200),
        "write_message" => (
            format!("{}/messages", of("conversations", "conv")),
            json!({"type": "card", "text": "Choose", "attachments": [{"url": "https://example.com/a.png"}],
                "quick_replies": [{"title": "This", "payload": "1"}]}),
            202,
        ),
        "resend_message" => (format!("{}/resend", failed_message(seed).await), Value::Null, 202),
        "snooze_conversation" => {
            (format!("{}/snooze", of("conversations", "conv")), json!({"until": "2999-01-01T00:00:00.000Z"}), 200)
        }
        "assign_conversation" => (format!("{}/assign", of("conversations", "conv")), json!({"assignee_id": null}), 200),
        "resolve_conversation"
        | "reopen_conversation"
        | "read_conversation"
        | "pause_flow"
        | "resume_flow"
        | "connect_channel"
        | "disconnect_channel"
        | "test_channel" => (with_ids(route, |kind| seed.id(kind).to_owned()), Value::Null, 200),
        "create_channel" => (
            route.path.to_owned(),
            json!({"kind": "http", "name": "Ours", "is_default": false, "config": {"url": "https://example.com/"}}),
            201,
        ),
        "preview_message" => (
            format!("{}/preview", of("channels", "chan")),
            json!({"message": {"type": "text", "text": "Which?", "quick_replies": [{"title": "Red", "payload": "r"}]}}),
            200,
        ),
        "update_channel" | "patch_channel" => (of("channels", "chan"), json!({"name": "Try it"}), 200),
        "render_template" => (
            route.path.to_owned(),
            json!({"template": "Hi {{ contact.first_name|default(vars.name) }}", "contact_id": seed.id("contact"),
                   "vars": {"name": "you"}, "event": {"type": "order.paid"}}),
            200,
        ),
        "validate_flow" => {
            (route.path.to_owned(), json!({"definition": {"start": "nowhere", "nodes": [nodes[0]]}}), 200)
        }
        "simulate_flow" => (
            format!("{}/simulate", of("flows", "flow")),
            json!({"version": 1, "contact_id": seed.id("contact"), "run_id": seed.id("run"), "start": "api",
                "start_at": "2026-03-02T09:00:00.000Z", "vars": {"a": 1}, "expect": {"nodes": ["nowhere"], "tags": ["vip"]},
                "script": [{"message": "Hello"}, {"advance": "PT1H"}, {"event": "order.paid", "data": {"total": 7}}]}),
            200,
        ),
        "simulate_definition" => (
            route.path.to_owned(),
            json!({"definition": {"start": "say", "nodes": [
                    {"id": "say", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "way"},
                    {"id": "way", "type": "branch", "otherwise": "call",
                     "branches": [{"when": {"field": "email", "op": "exists"}, "next": "end"}]},
                    {"id": "call", "type": "http_request", "method": "GET", "url": "https://example.com/",
                     "save": {"a": "body.a"}, "next": "split", "on_error": "end"},
                    {"id": "split", "type": "split", "arms": [{"weight": 1, "next": "wait"}, {"weight": 2, "next": "wait"}]},
                    {"id": "wait", "type": "delay", "for": "P1D", "next": "fail"},
                    {"id": "fail", "type": "send_message", "message": {"type": "text", "text": "{{ vars.a }}"}, "next": "end"},
                    {"id": "end", "type": "end"}]},
                "scripts": [
                    {"name": "One", "contact": {"first_name": "Ada", "tags": ["new"], "time_zone": "Asia/Tokyo"},
                     "http": [{"node_id": "call", "status": 200, "body": {"a": ""}}], "expect": {"texts": ["Hi"]}},
                    {"http": [{"failure": "timeout"}, {"url": "https://example.com/", "status": 404}], "script": []}]}),
            200,
        ),
        "simulate_sequence" => (
            format!("{}/simulate", of("sequences", "seq")),
            json!({"contact": {"first_name": "Ada", "custom_fields": {}}, "script": [{"advance": "P30D"}]}),
            200,
        ),
        "restore_flow_version" => (format!("{}/versions/1/restore", of("flows", "flow")), Value::Null, 200),
        "cancel_flow_run" => (format!("{}/cancel", of("flow-runs", "run")), Value::Null, 200),
        "create_webhook" => (
            route.path.to_owned(),
            json!({"url": "https://example.com/", "events": ["contact.deleted"], "description": "A", "payload": "thin"}),
            201,
        ),
        "update_webhook" | "patch_webhook" => {
            (of("webhooks", "hook"), json!({"description": "B", "headers": {"X-Tenant": "7"}, "payload": "full"}), 200)
        }
        "test_webhook" => (format!("{}/test", of("webhooks", "hook")), json!({"event_type": "contact.tag_added"}), 200),
        "rotate_webhook_secret" => {
            (format!("{}/rotate-secret", of("webhooks", "hook")), json!({"overlap": "PT1H"}), 200)
        }
        "rotate_channel_secret" => {
            let body = json!({"kind": "http", "name": "Rotated", "config": {"url": "https://example.com/"}});
            let channel = seed.client.create("/api/v1/channels", &body).await;
            (format!("/api/v1/channels/{channel}/rotate-secret"), json!({"overlap": "PT1H"}), 200)
        }
        "enable_webhook" => (format!("{}/enable", of("webhooks", "hook")), Value::Null, 200),
        "pause_webhook" => (format!("{}/pause", of("webhooks", "hook")), Value::Null, 200),
        "replay_deliveries" => {
            let (until, a_day) = (SystemClock.now(), Duration::from_secs(86_400));
            let range = json!({"since": until.minus(a_day), "until": until, "status": "failed"});
            (format!("{}/replay", of("webhooks", "hook")), range, 202)
        }
        "replay_delivery" => {
            let delivery = format!("{}/deliveries/{}", of("webhooks", "hook"), seed.id("dlv"));
            (format!("{delivery}/replay"), Value::Null, 202)
        }
        "delete_contact"
        | "delete_tag"
        | "delete_custom_field"
        | "delete_bot_field"
        | "delete_webhook"
        | "delete_segment"
        | "delete_saved_reply"
        | "delete_media"
        | "delete_sequence"
        | "delete_channel"
        | "delete_flow" => (unwanted(route, seed).await, Value::Null, 204),
        "delete_secret" => {
            let path = "/api/v1/secrets/UNWANTED".to_owned();
            let value = json!({"value": "a value without an object", "hosts": ["api.example.com"]});
            seed.client.call("PUT", &path, Some(&value)).await.expect(201);
            (path, Value::Null, 204)
        }
        "retry_job" => (format!("/api/v1/jobs/{}/retry", seed.dead_job().await), Value::Null, 202),
        "delete_job" => (format!("/api/v1/jobs/{}", seed.dead_job().await), Value::Null, 204),
        "restore_contact" => (deleted(seed).await, Value::Null, 200),
        "bulk_contacts" => {
            let filter = json!({"field": "first_name", "op": "eq", "value": "Nobody"});
            let action = json!({"type": "untag", "tag_id": seed.id("tag")});
            (route.path.to_owned(), json!({"filter": filter, "action": action, "expected_count": 0}), 202)
        }
        "preview_bulk_operation" => {
            let filter = json!({"field": "first_name", "op": "exists"});
            let action = json!({"type": "set_field", "field": "plan", "value": "gold"});
            (route.path.to_owned(), json!({"filter": filter, "action": action}), 200)
        }
        "import_contacts" => ("/api/v1/contacts/import".to_owned(), json!("external_id\n7\n"), 202),
        "upload_media" => (route.path.to_owned(), json!("A file"), 201),
        "link_media" => (format!("{}/link", of("media", "media")), json!({"expires_in": "PT1H"}), 200),
        "cancel_bulk_operation" | "cancel_import" => {
            (with_ids(route, |kind| seed.id(kind).to_owned()), Value::Null, 200)
        }
        "erase_contact" => {
            let made = seed.client.post("/api/v1/contacts", &json!({"first_name": "Gone"})).await.expect(201);
            (format!("/api/v1/contacts/{}/erase", made["id"].as_str().unwrap()), Value::Null, 202)
        }
        "merge_contact" => {
            let make = async |name: &str| {
                let made = seed.client.post("/api/v1/contacts", &json!({"first_name": name})).await.expect(201);
                made["id"].as_str().unwrap().to_owned()
            };
            let (gone, stays) = (make("Gone").await, make("Stays").await);
            (format!("/api/v1/contacts/{gone}/merge"), json!({"into": stays}), 200)
        }
        _ if route.method == "GET" => (with_ids(route, |kind| seed.id(kind).to_owned()), Value::Null, 200),
        other => panic!("the test needs a request to {other}"),
    };
    Request { path, body: Some(body).filter(|body| !body.is_null()), status }
}

/// Returns a request that the operation rejects.
pub fn wrong(route: &Route) -> Option<Request> {
    let path = with_ids(route, absent);
    let asks_for_nothing = route.traits.body == BodyKind::None;
    match (asks_for_nothing, route.path.contains('{')) {
        (true, true) => Some(Request { path, body: None, status: 404 }),
        (true, false) if route.path.starts_with("/api/") => {
            Some(Request { path: format!("{path}?nobody=1"), body: None, status: 422 })
        }
        (true, false) => None,
        (false, _) if matches!(route.traits.body, BodyKind::Table | BodyKind::File) => {
            Some(Request { path: format!("{path}?nobody=1"), body: None, status: 422 })
        }
        (false, _) => Some(Request { path, body: Some(json!({"nobody": 1})), status: 422 }),
    }
}

//! Bulk operations over HTTP: contacts that match a filter are tagged, untagged and deleted.

use serde_json::{Value, json};

use crate::support::{Client, Server};

const BULK: &str = "/api/v1/contacts/bulk";
const CONTACTS: &str = "/api/v1/contacts";

/// Imports contacts with this first name. An import creates no events of the types that the tests count.
async fn named(client: &Client, name: &str, many: usize) {
    let mut table = "external_id,first_name\n".to_owned();
    (0..many).for_each(|number| table.push_str(&format!("{name}-{number},{name}\n")));
    let started = client.post(&format!("{CONTACTS}/import"), &Value::String(table)).await.expect(202);
    let path = format!("{CONTACTS}/imports/{}", started["id"].as_str().unwrap());
    client.until(&path, |it| it["status"] == "completed").await;
}

async fn tag(client: &Client, name: &str) -> String {
    let made = client.post("/api/v1/tags", &json!({"name": name})).await.expect(201);
    made["id"].as_str().unwrap().to_owned()
}

/// Waits for the end of the operation and returns it.
async fn over(client: &Client, started: &Value) -> Value {
    let path = format!("{BULK}/{}", started["id"].as_str().unwrap());
    client.until(&path, |it| !["queued", "running"].contains(&it["status"].as_str().unwrap())).await
}

async fn done(client: &Client, body: Value) -> Value {
    let started = client.post(BULK, &body).await.expect(202);
    over(client, &started).await
}

async fn total(client: &Client, query: &str) -> Value {
    client.get(&format!("{CONTACTS}?limit=1&include=total{query}")).await.expect(200)["total"].clone()
}

fn counts(it: &Value) -> Value {
    json!([it["matched"], it["done"], it["changed"], it["unchanged"], it["failed"]])
}

fn is_named(name: &str) -> Value {
    json!({"field": "first_name", "op": "eq", "value": name})
}

/// Contacts are tagged, untagged and deleted on behalf of the caller; flows and receivers get an event for each.
pub async fn contacts_are_changed_in_bulk(server: &Server) {
    let client = server.new_client("Bulk", "full");
    named(&client, "ada", 300).await;
    named(&client, "eve", 20).await;
    let vip = tag(&client, "vip").await;
    tag(&client, "noted").await;
    let definition = json!({
        "triggers": [{"type": "event", "event": "contact.tag_added",
            "filter": {"field": "event.tag.name", "op": "eq", "value": "vip"}}], "start": "tag",
        "nodes": [{"id": "tag", "type": "add_tag", "tag": "noted", "next": "end"}, {"id": "end", "type": "end"}]});
    client.publish_flow("Noted", &definition).await;
    client.post(&format!("{CONTACTS}/external_id:ada-7/tags"), &json!({"name": "vip"})).await.expect(201);

    let body = json!({"filter": is_named("ADA"), "action": {"type": "tag", "tag_id": vip}, "expected_count": 300});
    let headers = [("content-type", "application/json"), ("idempotency-key", "once")];
    let ask = async || client.send("POST", BULK, &headers, Some(body.to_string().into_bytes())).await.unwrap();
    let started = ask().await;
    let location = started.header("location").map(ToOwned::to_owned);
    let started = started.expect(202);
    assert_eq!(location, Some(format!("{BULK}/{}", started["id"].as_str().unwrap())));
    assert!(started["id"].as_str().unwrap().starts_with("bulk_"), "{started}");
    let action = (&started["action"]["type"], &started["action"]["tag_id"]);
    assert_eq!((action, &started["filter"]), ((&json!("tag"), &json!(vip)), &body["filter"]));
    assert_eq!((&started["matched"], &started["created_by"]["type"]), (&json!(300), &json!("api_key")));
    let again = ask().await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.expect(202)["id"], started["id"]);

    let tagged = over(&client, &started).await;
    assert_eq!((&tagged["status"], counts(&tagged)), (&json!("completed"), json!([300, 300, 299, 1, 0])), "{tagged}");
    assert_eq!(
        tagged["filter"],
        json!({"field": "first_name", "op": "eq"}),
        "the compared value is removed from the filter"
    );
    assert!(tagged["started_at"].is_string() && tagged["ended_at"].is_string() && tagged["error"].is_null());
    assert_eq!(total(&client, "&tag=vip").await, 300);
    let told = client.until("/api/v1/events?types=contact.tag_added&limit=5", |it| it["data"][4].is_object()).await;
    assert_eq!(told["data"][4]["actor"], tagged["created_by"]);
    client.until(&format!("{CONTACTS}?limit=1&include=total&tag=noted"), |it| it["total"] == 300).await;

    let untagged = done(
        &client,
        json!({"filter": {"field": "tags", "op": "has", "value": "noted"},
        "action": {"type": "untag", "tag_id": vip}}),
    )
    .await;
    assert_eq!(counts(&untagged), json!([300, 300, 300, 0, 0]));
    assert_eq!(untagged["filter"]["value"], "noted", "tag names stay in the filter");
    assert_eq!(total(&client, "&tag=vip").await, 0);

    let segment = json!({"name": "Eves", "condition": is_named("eve")});
    let segment = client.post("/api/v1/segments", &segment).await.expect(201);
    let filter = json!({"segment_id": segment["id"]});
    let deleted = done(&client, json!({"filter": filter, "action": {"type": "delete"}, "expected_count": 20})).await;
    assert_eq!((counts(&deleted), &deleted["filter"]), (json!([20, 20, 20, 0, 0]), &filter));
    let nothing = json!({"type": "delete", "tag_id": null, "field": null, "sequence_id": null, "flow_id": null});
    assert_eq!(deleted["action"], nothing);
    assert_eq!(total(&client, "").await, 300);
    client.until("/api/v1/events?types=contact.deleted&limit=100", |it| it["data"][19].is_object()).await;

    let list = client.get(&format!("{BULK}?sort=created_at")).await.expect(200);
    assert_eq!(list["data"], json!([tagged, untagged, deleted]));
    assert_eq!(client.get(&format!("{BULK}?status=completed&limit=1")).await.expect(200)["data"][0], deleted);
    assert_eq!(client.get(&format!("{BULK}?status=running")).await.expect(200)["data"], json!([]));
}

/// Contacts get fields, subscriptions, enrollments and runs, after a preview; opted-out contacts stay opted out.
pub async fn fields_subscriptions_enrollments_and_runs_in_bulk(server: &Server) {
    let workspace = server.new_workspace("More in bulk");
    let [client, write] =
        ["full", "write"].map(|scope| server.client().with_key(Some(&server.new_key(&workspace, scope))));
    let table = "external_id,first_name,subscribed\na1,ada,no\na2,ada,no\na3,ada,yes\n";
    let started = client.post(&format!("{CONTACTS}/import"), &Value::String(table.to_owned())).await.expect(202);
    let path = format!("{CONTACTS}/imports/{}", started["id"].as_str().unwrap());
    client.until(&path, |it| it["status"] == "completed").await;
    let preview = async |action: &Value| {
        let body = json!({"filter": is_named("ada"), "action": action});
        client.post(&format!("{BULK}/preview"), &body).await.expect(200)
    };
    let more = |it: &Value| json!([it["changed"], it["unchanged"], it["skipped"], it["still_opted_out"], it["failed"]]);
    let run = async |action: &Value| {
        let matched = preview(action).await["matched"].clone();
        done(&client, json!({"filter": is_named("ada"), "action": action, "expected_count": matched})).await
    };

    let field = json!({"name": "Plan", "key": "plan", "type": "select", "options": ["free", "pro"]});
    client.post("/api/v1/custom-fields", &field).await.expect(201);
    let set = json!({"type": "set_field", "field": "plan", "value": "pro"});
    let shown = preview(&set).await;
    assert_eq!((&shown["matched"], &shown["sample"][0]["outcome"]), (&json!(3), &json!("changed")), "{shown}");
    assert_eq!((shown["sample"].as_array().unwrap().len(), &shown["sample"][0]["name"]), (3, &json!("ada")));
    assert_eq!(total(&client, "&custom_fields.plan=pro").await, 0, "a preview changes nothing");
    let it = run(&set).await;
    // The value is removed in the end.
    let action = json!({"type": "set_field", "tag_id": null, "field": "plan", "sequence_id": null, "flow_id": null});
    assert_eq!((more(&it), &it["action"]), (json!([3, 0, 0, 0, 0]), &action));
    assert_eq!(total(&client, "&custom_fields.plan=pro").await, 3);
    assert_eq!(more(&run(&set).await), json!([0, 3, 0, 0, 0]));
    assert_eq!(more(&run(&json!({"type": "clear_field", "field": "plan"})).await), json!([3, 0, 0, 0, 0]));

    let own = format!("{CONTACTS}/external_id:a2");
    for subscribed in [true, false] {
        client.call("PATCH", &own, Some(&json!({"subscribed": subscribed}))).await.expect(200);
    }
    let subscribe = json!({"type": "subscribe"});
    let body = json!({"filter": is_named("ada"), "action": subscribe});
    assert_eq!(write.post(BULK, &body).await.expect(403)["code"], "insufficient_scope");
    assert_eq!(write.post(&format!("{BULK}/preview"), &body).await.expect(403)["code"], "insufficient_scope");
    assert_eq!(more(&run(&subscribe).await), json!([1, 1, 0, 1, 0]));
    assert_eq!(
        client.get(&own).await.expect(200)["subscribed"],
        json!(false),
        "the contact opted out and stays unsubscribed"
    );
    assert_eq!(total(&client, "&subscribed=true").await, 2);

    let step = json!({"id": "a", "delay": "P9D", "action": {"type": "send_message", "message": {"type": "text", "text": "Hi"}}});
    let sequence = json!({"name": "Welcome", "status": "active", "steps": [step]});
    let sequence = client.create("/api/v1/sequences", &sequence).await;
    client.post(&format!("{own}/sequences/{sequence}"), &json!({})).await.expect(201);
    let enroll = json!({"type": "enroll", "sequence_id": sequence});
    assert_eq!(more(&run(&enroll).await), json!([2, 0, 1, 0, 0]));
    client
        .call("PATCH", &format!("/api/v1/sequences/{sequence}"), Some(&json!({"status": "paused"})))
        .await
        .expect(200);
    let body = json!({"filter": is_named("ada"), "action": enroll});
    assert_eq!(client.post(BULK, &body).await.expect(409)["code"], "sequence_not_active");

    let nodes = json!([{"id": "wait", "type": "delay", "for": "P9D", "next": "end"}, {"id": "end", "type": "end"}]);
    let flow = json!({"name": "Wait", "definition": {"start": "wait", "nodes": nodes}});
    let flow = client.create("/api/v1/flows", &flow).await;
    let start = json!({"type": "start_flow", "flow_id": flow});
    let body = json!({"filter": is_named("ada"), "action": start});
    assert_eq!(client.post(&format!("{BULK}/preview"), &body).await.expect(409)["code"], "flow_not_active");
    client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await.expect(200);
    client.post(&format!("{own}/start-flow"), &json!({"flow_id": flow})).await.expect(202);
    assert_eq!(more(&run(&start).await), json!([2, 0, 1, 0, 0]));
    let runs = client.get(&format!("/api/v1/flow-runs?flow_id={flow}&limit=10")).await.expect(200);
    assert_eq!(runs["data"].as_array().unwrap().len(), 3);

    let wrong = [
        (json!({"type": "set_field", "field": "plan", "value": "gold"}), "/action/value", "invalid_value"),
        (json!({"type": "set_field", "field": "plan"}), "/action/value", "required"),
        (json!({"type": "clear_field", "field": "nothing"}), "/action/field", "unknown_field"),
        (json!({"type": "subscribe", "tag_id": "x"}), "/action/tag_id", "unknown_field"),
    ];
    for (action, pointer, code) in wrong {
        let refused = client.post(BULK, &json!({"filter": is_named("ada"), "action": action})).await.expect(422);
        let told = |it: &Value| it["pointer"] == pointer && it["code"] == code;
        assert!(refused["errors"].as_array().unwrap().iter().any(told), "{pointer} {code}: {refused}");
    }
}

/// A repeated request gets the first response, although its custom field was deleted since.
pub async fn replays_the_answer_after_the_field_is_deleted(server: &Server) {
    let client = server.new_client("Repeats of bulk operations", "full");
    named(&client, "ada", 3).await;
    let field = json!({"name": "Plan", "key": "plan", "type": "text"});
    let field = client.post("/api/v1/custom-fields", &field).await.expect(201);
    for action in
        [json!({"type": "set_field", "field": "plan", "value": "pro"}), json!({"type": "clear_field", "field": "plan"})]
    {
        let kind = action["type"].as_str().unwrap().to_owned();
        let body = json!({"filter": is_named("ada"), "action": action}).to_string().into_bytes();
        let headers = [("content-type", "application/json"), ("idempotency-key", kind.as_str())];
        let ask = async || client.send("POST", BULK, &headers, Some(body.clone())).await.unwrap();
        let started = ask().await.expect(202);
        over(&client, &started).await;
        if kind == "clear_field" {
            let path = format!("/api/v1/custom-fields/{}", field["id"].as_str().unwrap());
            client.delete(&path).await.expect(204);
        }
        let again = ask().await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"), "{kind}");
        assert_eq!(again.expect(202)["id"], started["id"], "{kind}");
    }
}

/// A cancelled operation stops; a second cancellation has no effect. Only a few operations may wait at once.
pub async fn a_bulk_operation_is_cancelled(server: &Server) {
    let client = server.new_client("Cancelled in bulk", "full");
    named(&client, "ada", 2_000).await;
    let vip = tag(&client, "vip").await;
    let body = json!({"filter": is_named("ada"), "action": {"type": "tag", "tag_id": vip}});
    let started = client.post(BULK, &body).await.expect(202);
    let path = format!("{BULK}/{}", started["id"].as_str().unwrap());
    let cancelled = client.post(&format!("{path}/cancel"), &json!({})).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(client.post(&format!("{path}/cancel"), &json!({})).await.expect(200), cancelled);
    assert!(cancelled["done"].as_i64().unwrap() < 2_000, "{cancelled}");
    assert_eq!(
        total(&client, "&tag=vip").await,
        cancelled["changed"],
        "completed changes stay, and no further ones follow"
    );
    assert_eq!(client.get(&path).await.expect(200), cancelled);
    // A new operation skips the contacts that the first one changed.
    let done = done(&client, body).await;
    assert_eq!((&done["matched"], &done["done"]), (&json!(2_000), &json!(2_000)));
    assert_eq!((&done["unchanged"], total(&client, "&tag=vip").await), (&cancelled["changed"], json!(2_000)));
}

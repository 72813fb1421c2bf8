//! The timeline of a contact.

use serde_json::{Value, json};

use crate::support::Server;

/// Returns the types of the entries, newest first.
fn kinds(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect()
}

/// Everything that happened with the contact is listed by page, with the reason if nothing was sent, and only in its
/// workspace.
pub async fn a_timeline_lists_all_activity_of_a_contact(server: &Server) {
    let workspace = server.new_workspace("Timelines");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "write")));
    let reader = client.with_key(Some(&server.new_key(&workspace, "read")));
    let made = client.post("/api/v1/contacts", &json!({"first_name": "Ada", "external_id": "ada"})).await.expect(201);
    let path = format!("/api/v1/contacts/{}", made["id"].as_str().unwrap());
    let timeline = format!("{path}/timeline");
    client.post(&format!("{path}/send-message"), &json!({"type": "text", "text": "Hello"})).await.expect(202);
    client.post(&format!("{path}/events"), &json!({"name": "order.paid", "data": {"total": 7}})).await.expect(201);
    let flow = json!({"start": "note", "nodes": [
        {"id": "note", "type": "note", "text": "looked at", "next": "end"}, {"id": "end", "type": "end"}]});
    let flow = client.publish_flow("Look", &flow).await;
    let run = client.post(&format!("{path}/start-flow"), &json!({"flow_id": flow})).await.expect(202);
    let run = run["id"].as_str().unwrap();
    client.until(&format!("/api/v1/flow-runs/{run}"), |run| run["status"] == "completed").await;
    let steps = json!([{"id": "a", "delay": "P1D", "action": {"type": "send_message",
        "message": {"type": "text", "text": "Later"}}}]);
    let sequence = json!({"name": "Drip", "status": "active", "steps": steps});
    let sequence = client.create("/api/v1/sequences", &sequence).await;
    client.post(&format!("{path}/sequences/{sequence}"), &json!({})).await.expect(201);
    client.call("PATCH", &path, Some(&json!({"subscribed": false}))).await.expect(200);
    client.post(&format!("{path}/send-message"), &json!({"type": "text", "text": "Unheard"})).await;
    let has_all = |page: &Value| {
        let kinds = kinds(page);
        ["event", "custom_event", "message", "suppression", "run_step", "enrollment"]
            .iter()
            .all(|it| kinds.contains(it))
    };
    let whole = reader.until(&format!("{timeline}?limit=100"), has_all).await;
    let entries = whole["data"].as_array().unwrap();
    let times: Vec<&str> = entries.iter().map(|entry| entry["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted_by(|one, next| one >= next), "{whole}");
    let one = |kind: &str| entries.iter().find(|entry| entry["kind"] == kind).unwrap();
    assert_eq!(one("suppression")["summary"]["reason"], "unsubscribed", "{whole}");
    assert_eq!(one("custom_event")["summary"], json!({"name": "order.paid", "data": {"total": 7}}));
    assert_eq!(one("enrollment")["summary"]["sequence_id"], sequence);
    let updated = entries.iter().find(|entry| entry["summary"]["type"] == "contact.updated").unwrap();
    let changes = json!([{"field": "subscribed", "previous": true, "value": false}]);
    assert_eq!((&updated["summary"]["changes"], &updated["summary"]["actor"]["type"]), (&changes, &json!("api_key")));
    assert_eq!(updated["summary"]["data"], json!({"object": {"id": made["id"], "external_id": "ada"}}));
    let steps: Vec<_> = entries.iter().filter(|entry| entry["kind"] == "run_step").collect();
    assert_eq!(
        steps.iter().map(|it| it["id"].as_str().unwrap()).collect::<Vec<_>>(),
        [format!("{run}.1"), format!("{run}.0")]
    );
    assert_eq!(steps[1]["summary"]["node_id"], "note");
    assert_eq!(steps[1]["summary"]["outcome_parts"], json!([{"code": "noted"}]));

    let some = reader.get(&format!("{timeline}?kind=run_step,enrollment&limit=2")).await.expect(200);
    assert_eq!(kinds(&some).len(), 2);
    let cursor = some["next_cursor"].as_str().unwrap();
    let rest = reader.get(&format!("{timeline}?kind=run_step,enrollment&limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!((kinds(&rest).len(), &rest["next_cursor"]), (1, &Value::Null));
    let by_name = reader.get("/api/v1/contacts/external_id:ada/timeline?kind=custom_event").await.expect(200);
    assert_eq!(kinds(&by_name), ["custom_event"]);
    assert_eq!(reader.get(&format!("{timeline}?kind=message&cursor={cursor}")).await.code(), "invalid_cursor");
    let wrong = reader.get(&format!("{timeline}?kind=messages")).await.expect(422);
    assert_eq!(
        (&wrong["errors"][0]["parameter"], &wrong["errors"][0]["code"]),
        (&json!("kind"), &json!("invalid_value"))
    );
    let other = client.with_key(Some(&server.new_key(&server.new_workspace("Elsewhere"), "full")));
    assert_eq!(other.get(&timeline).await.code(), "not_found");
}

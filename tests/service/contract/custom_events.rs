//! Custom events of contacts.

use serde_json::{Value, json};

use crate::support::{Client, Server};

/// Creates a contact of a new workspace; returns the paths of the contact and of its runs.
async fn contact(client: &Client) -> (String, String) {
    let id = client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    (format!("/api/v1/contacts/{id}"), format!("/api/v1/flow-runs?contact_id={id}"))
}

async fn publish(client: &Client, definition: Value) -> String {
    client.publish_flow("Orders", &definition).await
}

/// A custom event is recorded once, however often the request is repeated. It starts the flow with a matching filter
/// and does not appear in the feed.
pub async fn custom_events_start_flows_and_are_not_in_the_feed(server: &Server) {
    let workspace = server.new_workspace("Custom events");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "write")));
    let reader = client.with_key(Some(&server.new_key(&workspace, "read")));
    let ((path, runs), end) = (contact(&client).await, json!([{"id": "end", "type": "end"}]));
    let trigger = json!({"type": "custom_event", "name": "order.paid",
        "filter": {"field": "event.data.total", "op": "gte", "value": 100}});
    publish(&client, json!({"triggers": [trigger], "start": "end", "nodes": end})).await;

    let (events, order) = (format!("{path}/events"), json!({"name": "order.paid", "data": {"total": 120}}));
    let small = json!({"name": "order.paid", "data": {"total": "120"}});
    client.post(&events, &small).await.expect(201);
    let headers = [("content-type", "application/json"), ("idempotency-key", "order-7")];
    let body = || Some(order.to_string().into_bytes());
    let first = client.send("POST", &events, &headers, body()).await.unwrap().expect(201);
    let again = client.send("POST", &events, &headers, body()).await.unwrap();
    assert_eq!((again.header("idempotency-replayed"), again.expect(201)), (Some("true"), first.clone()));
    assert_eq!((&first["name"], &first["data"]), (&order["name"], &order["data"]));
    let page = client.until(&runs, |page| page["data"].as_array().is_some_and(|it| !it.is_empty())).await;
    assert_eq!(page["data"].as_array().unwrap().len(), 1, "{page}");

    let feed = client.get("/api/v1/events?limit=100").await.expect(200).to_string();
    assert!(!feed.contains("order.paid"), "{feed}");
    assert_eq!(reader.post(&events, &order).await.code(), "insufficient_scope");
    let taken = client.post(&events, &json!({"name": "contact.created"})).await.expect(422);
    assert_eq!((&taken["errors"][0]["pointer"], &taken["errors"][0]["code"]), (&json!("/name"), &json!("not_allowed")));
    let other = client.with_key(Some(&server.new_key(&server.new_workspace("Others"), "full")));
    assert_eq!(other.post(&events, &order).await.code(), "not_found");
    let remover = client.with_key(Some(&server.new_key(&workspace, "full")));
    remover.delete(&path).await.expect(204);
    assert_eq!(client.post(&events, &order).await.code(), "not_found");
}

/// Returns a flow that waits a day for an order, optionally with a filter.
fn waits(filter: &Value) -> Value {
    let mut wait = json!({"id": "wait", "type": "wait_for_event", "custom_event": "order.paid", "timeout": "P1D",
        "save_to": "vars.order", "next": "end", "on_timeout": "late"});
    if !filter.is_null() {
        wait["filter"] = filter.clone();
    }
    let late = json!({"id": "late", "type": "set_field", "field": "vars.late", "value": true, "next": "end"});
    json!({"start": "wait", "nodes": [wait, late, {"id": "end", "type": "end"}]})
}

/// Starts a flow for a contact. Its run waits at once; returns the path of the run.
async fn start(client: &Client, contact: &str, flow: &str) -> String {
    let run = client.post(&format!("{contact}/start-flow"), &json!({"flow_id": flow})).await.expect(202);
    let seen = (&run["status"], &run["wait"]["kind"], &run["node_id"]);
    assert_eq!(seen, (&json!("waiting"), &json!("event"), &json!("wait")), "{run}");
    assert!(run["wait"]["until"].is_string(), "{run}");
    format!("/api/v1/flow-runs/{}", run["id"].as_str().unwrap())
}

async fn tell(client: &Client, contact: &str, total: i64) {
    let event = json!({"name": "order.paid", "data": {"total": total}});
    client.post(&format!("{contact}/events"), &event).await.expect(201);
}

/// A run waits for the next matching event of its contact and gets its data. All waiting runs process an event
/// together. Once a run that accepts any event has continued, the test knows that the other run ignored the event.
pub async fn a_run_waits_for_an_event(server: &Server) {
    let client = server.new_client("Awaited events", "write");
    let ((ada, _), (eve, _)) = (contact(&client).await, contact(&client).await);
    let large = json!({"field": "event.data.total", "op": "gte", "value": 100});
    let flow = publish(&client, waits(&large)).await;
    let any = publish(&client, waits(&Value::Null)).await;
    tell(&client, &ada, 500).await;
    let (run, of_eve) = (start(&client, &ada, &flow).await, start(&client, &eve, &any).await);
    let stays = async |why: &str| {
        let now = client.get(&run).await.expect(200);
        assert_eq!((&now["status"], &now["wait"]["kind"]), (&json!("waiting"), &json!("event")), "{why}: {now}");
    };
    let completed = async |run: &str| client.until(run, |run| run["status"] == "completed").await;

    tell(&client, &eve, 500).await;
    assert_eq!(completed(&of_eve).await["vars"]["order"], json!({"total": 500}));
    stays("another contact's event").await;
    let witness = start(&client, &ada, &any).await;
    tell(&client, &ada, 20).await;
    assert_eq!(completed(&witness).await["vars"]["order"], json!({"total": 20}));
    stays("an event that its filter does not hold for").await;
    tell(&client, &ada, 120).await;
    tell(&client, &ada, 300).await;
    let ended = completed(&run).await;
    assert_eq!((&ended["vars"], &ended["wait"]), (&json!({"order": {"total": 120}}), &Value::Null), "{ended}");
}

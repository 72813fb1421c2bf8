//! Flows that call other flows.

use serde_json::{Value, json};

use crate::support::{Client, Server};

async fn publish(client: &Client, name: &str, nodes: Value) -> String {
    let mut nodes = nodes.as_array().cloned().unwrap();
    nodes.push(json!({"id": "end", "type": "end"}));
    let definition = json!({"start": nodes[0]["id"], "nodes": nodes});
    client.publish_flow(name, &definition).await
}

/// Publishes a flow that waits for an order, and one that calls it. Returns the second one.
async fn flows(client: &Client) -> String {
    let waits = json!([
        {"id": "wait", "type": "wait_for_event", "custom_event": "order.paid", "timeout": "P1D",
         "save_to": "vars.order", "next": "end", "on_timeout": "end"}]);
    let called = publish(client, "Order", waits).await;
    let calls = json!([
        {"id": "call", "type": "start_flow", "flow_id": called, "save_to": "vars.back", "next": "end",
         "on_error": "end"}]);
    publish(client, "Call", calls).await
}

/// Starts a flow for a new contact; returns the paths of the contact, the run and the called run.
async fn start(client: &Client, flow: &str) -> (String, String, String) {
    let contact = client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    let contact = format!("/api/v1/contacts/{contact}");
    let command = json!({"flow_id": flow, "vars": {"who": "Ada"}});
    let run = client.post(&format!("{contact}/start-flow"), &command).await.expect(202);
    let caller = format!("/api/v1/flow-runs/{}", run["id"].as_str().unwrap());
    let run = client.until(&caller, |run| run["wait"]["kind"] == "flow").await;
    assert_eq!((&run["status"], &run["called_by"]), (&json!("waiting"), &Value::Null), "{run}");
    let called = run["wait"]["run_id"].as_str().unwrap();
    assert_eq!((&run["trace"][0]["run_id"], &run["wait"]["until"]), (&json!(called), &Value::Null), "{run}");
    let called = format!("/api/v1/flow-runs/{called}");
    let seen = client.until(&called, |run| run["status"] == "waiting").await;
    assert_eq!((&seen["called_by"], &seen["vars"]), (&run["id"], &json!({"who": "Ada"})), "{seen}");
    (contact, caller, called)
}

/// The called run gets the variables of its caller. After its end, the caller continues with the called run's
/// variables.
pub async fn a_flow_calls_another_and_continues_afterwards(server: &Server) {
    let client = server.new_client("Calls", "write");
    let calls = flows(&client).await;
    let (contact, caller, called) = start(&client, &calls).await;
    let order = json!({"name": "order.paid", "data": {"total": 7}});
    client.post(&format!("{contact}/events"), &order).await.expect(201);
    let run = client.until(&caller, |run| run["status"] != "waiting").await;
    assert_eq!((&run["status"], &run["wait"]), (&json!("completed"), &Value::Null), "{run}");
    assert_eq!(run["vars"], json!({"who": "Ada", "back": {"who": "Ada", "order": {"total": 7}}}), "{run}");
    assert_eq!((&run["trace"][1]["exit"], &run["trace"][1]["node_id"]), (&json!("next"), &json!("call")), "{run}");
    assert_eq!(client.get(&called).await.expect(200)["status"], "completed");
}

//! HTTP calls of flows with secrets, to a service on this machine.

use serde_json::{Value, json};

use crate::support::{Client, Receiver, Server};

const VALUE: &str = "s3cret-of-the-shop";

async fn put_secret(client: &Client, host: &str) {
    let secret = json!({"value": VALUE, "hosts": [host]});
    client.call("PUT", "/api/v1/secrets/SHOP_TOKEN", Some(&secret)).await.expect(201);
}

/// Returns a flow that calls a URL and sets `vars.failed` if the call fails.
fn calling(url: &str) -> Value {
    json!({"start": "call", "nodes": [
        {"id": "call", "type": "http_request", "method": "POST", "url": url,
         "headers": {"Authorization": "Bearer {{ secrets.SHOP_TOKEN }}"}, "body": {"name": "{{ contact.first_name }}"},
         "save": {"echo": "body.echo", "status": "status"}, "next": "end", "on_error": "failed"},
        {"id": "failed", "type": "set_field", "field": "vars.failed", "value": true, "next": "end"},
        {"id": "end", "type": "end"}]})
}

/// Starts a flow for a new contact; returns the run after its end.
async fn run(client: &Client, flow: &str, vars: &Value) -> Value {
    let contact = client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    let path = format!("/api/v1/contacts/{contact}/start-flow");
    let run = client.post(&path, &json!({"flow_id": flow, "vars": vars})).await.expect(202);
    assert_eq!((&run["status"], &run["wait"]["kind"]), (&json!("waiting"), &json!("http")), "{run}");
    client.until(&format!("/api/v1/flow-runs/{}", run["id"].as_str().unwrap()), |run| run["ended_at"].is_string()).await
}

/// The request contains the secret. If the service returns it, it is masked, as everywhere.
pub async fn a_flow_calls_a_service_with_a_secret(server: &Server) {
    let (client, service) = (server.new_client("Calls", "full"), Receiver::start());
    service.answer_with(200, &json!({"echo": format!("you said {VALUE}")}).to_string());
    put_secret(&client, "127.0.0.1").await;
    let flow = client.publish_flow("Call", &calling(&service.url)).await;
    let ended = run(&client, &flow, &json!({})).await;
    assert_eq!(ended["vars"], json!({"echo": "you said ••••", "status": 200}), "{ended}");
    assert!(!ended.to_string().contains(VALUE), "{ended}");
    let received = service.received().remove(0);
    assert_eq!(received.headers["authorization"], format!("Bearer {VALUE}"));
    assert_eq!(received.headers["content-type"], "application/json");
    assert!(received.headers["idempotency-key"].contains(ended["id"].as_str().unwrap()), "{received:?}");
    assert_eq!(received.envelope(), json!({"name": "Ada"}));
}

/// A host without permission for the secret and a forbidden address are reported if they are literal; otherwise the
/// call fails and nothing is sent.
pub async fn rejects_calls_to_forbidden_hosts(server: &Server) {
    let (client, service) = (server.new_client("Calls to others", "full"), Receiver::start());
    put_secret(&client, "api.example.com").await;
    let found = async |url: &str| {
        let body = json!({"definition": calling(url)});
        let reply = client.post("/api/v1/flows/validate", &body).await.expect(200).to_string();
        ["secret_not_for_host", "forbidden_address", "unknown_secret"].map(|code| reply.contains(code))
    };
    assert_eq!(found("https://api.example.com/").await, [false, false, false]);
    assert_eq!(found(&service.url).await, [true, false, false]);
    assert_eq!(found("https://169.254.169.254/").await, [true, true, false]);
    assert_eq!(found("https://api.example.com/{{ secrets.OTHER }}").await, [false, false, true]);

    let flow = client.publish_flow("Call", &calling("{{ vars.url }}")).await;
    let ended = run(&client, &flow, &json!({"url": service.url})).await;
    let outcome = ended["trace"][1]["outcome"].as_str().unwrap();
    assert!(outcome.starts_with("secret_not_for_host: ") && !outcome.contains("127.0.0.1"), "{ended}");
    assert_eq!((&ended["vars"]["failed"], service.received().len()), (&json!(true), 0));
    let mut plain = calling("{{ vars.url }}");
    plain["nodes"][0]["headers"] = json!({});
    let flow = client.publish_flow("Call", &plain).await;
    let ended = run(&client, &flow, &json!({"url": "http://169.254.169.254/latest"})).await;
    assert!(ended["trace"][1]["outcome"].as_str().unwrap().starts_with("forbidden_address: "), "{ended}");
    service.answer_with(404, "");
    let ended = run(&client, &flow, &json!({"url": service.url})).await;
    assert_eq!((&ended["trace"][1]["outcome"], service.received().len()), (&json!("call_refused: answered 404"), 1));
    let params = json!({"reason": "call_refused", "detail": "answered 404"});
    assert_eq!(ended["trace"][1]["outcome_parts"], json!([{"code": "failed", "params": params}]));
}

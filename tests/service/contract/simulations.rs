//! Simulations of flows.

use serde_json::{Value, json};

use crate::support::Server;

fn say(id: &str, text: &str, next: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next})
}

/// Returns a flow that asks twice, waits, splits, branches, calls another flow and waits for an order.
fn story(called: &str) -> Value {
    json!({"triggers": [{"type": "keyword", "keywords": ["hi"]}], "start": "greet", "nodes": [
        say("greet", "Hi {{ contact.first_name }}, you are on {{ custom_fields.plan|default('nothing') }}", "ask"),
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "How many?"}, "expect": "number",
         "save_to": "vars.count", "timeout": "P1D", "next": "rest", "on_timeout": "end"},
        {"id": "rest", "type": "delay", "for": "PT1S", "next": "split"},
        {"id": "split", "type": "split", "arms": [{"weight": 1, "next": "left"}, {"weight": 1, "next": "right"}]},
        say("left", "Left", "many"), say("right", "Right", "many"),
        {"id": "many", "type": "branch", "otherwise": "call", "branches": [
            {"when": {"field": "vars.count", "op": "gt", "value": 3}, "next": "tag"}]},
        {"id": "tag", "type": "add_tag", "tag": "many", "next": "call"},
        {"id": "call", "type": "start_flow", "flow_id": called, "save_to": "vars.back", "next": "order", "on_error": "end"},
        {"id": "order", "type": "wait_for_event", "custom_event": "order.paid", "timeout": "P1D",
         "filter": {"field": "event.data.total", "op": "gte", "value": 100}, "save_to": "vars.order",
         "next": "thanks", "on_timeout": "end"},
        say("thanks", "{{ vars.count }} for {{ vars.order.total|number(2) }}", "end"),
        {"id": "end", "type": "end"}]})
}

/// The store does not change: no run, message, event or count.
pub async fn a_simulation_leaves_nothing_behind(server: &Server) {
    let client = server.new_client("Nothing", "full");
    let called = client.publish_flow("Called", &json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]})).await;
    client.post("/api/v1/tags", &json!({"name": "many"})).await.expect(201);
    client.post("/api/v1/custom-fields", &json!({"name": "Plan", "type": "text"})).await.expect(201);
    let ada = client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    let before = client.get(&format!("/api/v1/contacts/{ada}")).await.expect(200);
    let told = |feed: &Value| !feed["data"].as_array().unwrap().is_empty();
    let feed = client.until("/api/v1/events?after=0", told).await;
    let script = json!([{"message": "5"}, {"advance": "PT1S"}, {"event": "order.paid", "data": {"total": 100}}]);
    let body = json!({"definition": story(&called), "contact_id": ada, "start": "api", "script": script});
    let simulated = client.post("/api/v1/flows/simulate", &body).await.expect(200);
    assert_eq!(simulated["simulations"][0]["runs"][0]["status"], "completed", "{simulated:#}");
    assert_eq!(simulated["version"], Value::Null);
    assert_eq!(client.get(&format!("/api/v1/contacts/{ada}")).await.expect(200), before);
    for (path, field) in [("flow-runs", "data"), ("conversations", "data")] {
        assert_eq!(client.get(&format!("/api/v1/{path}")).await.expect(200)[field], json!([]), "{path}");
    }
    assert_eq!(client.get("/api/v1/events?after=0").await.expect(200)["data"], feed["data"]);
    // A read-only POST stores nothing for its idempotency key.
    let headers = [("content-type", "application/json"), ("idempotency-key", "simulated")];
    for _ in 0..2 {
        let bytes = serde_json::to_vec(&body).unwrap();
        let reply = client.send("POST", "/api/v1/flows/simulate", &headers, Some(bytes)).await.unwrap();
        assert_eq!((reply.status, reply.header("Idempotency-Replayed")), (200, None));
    }
}

/// Each error is reported with its place.
pub async fn reports_errors_of_a_simulation(server: &Server) {
    let client = server.new_client("Wrong", "write");
    let plain = json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]});
    let flow = client.publish_flow("Plain", &plain).await;
    let path = format!("/api/v1/flows/{flow}/simulate");
    let wrong = async |path: &str, body: Value| {
        let told = client.post(path, &body).await.expect(422);
        (told["errors"][0]["pointer"].clone(), told["errors"][0]["code"].clone())
    };
    let many = vec![json!({"message": "hi"}); 10_000];
    for (body, pointer, code) in [
        (json!({"version": 2}), "/version", "unknown_version"),
        (json!({"version": "published"}), "/version", "invalid_value"),
        (json!({"contact_id": "contact_01h455vb4pex5vsknk084sn02q"}), "/contact_id", "unknown_contact"),
        (json!({"script": [{"advance": "P36500D"}]}), "/script/0/advance", "invalid_format"),
        (json!({"script": [{"say": "hi"}]}), "/script/0/say", "unknown_field"),
        (json!({"script": many}), "/script", "too_many"),
        (json!({"scripts": []}), "/scripts", "too_few"),
        (json!({"scripts": [{}], "script": []}), "/scripts", "not_allowed"),
        (
            json!({"scripts": [{}, {"contact": {"time_zone": "Mars"}}]}),
            "/scripts/1/contact/time_zone",
            "invalid_format",
        ),
    ] {
        assert_eq!(wrong(&path, body).await, (json!(pointer), json!(code)));
    }
    let nowhere = json!({"definition": {"start": "a", "nodes": []}});
    assert_eq!(wrong("/api/v1/flows/simulate", nowhere).await, (json!("/definition/start"), json!("unknown_node")));
    let mut large = plain.clone();
    large["layout"] = json!({"end": {"note": "x".repeat(1_000_000)}});
    client.post("/api/v1/flows/simulate", &json!({"definition": large})).await.expect(200);
    large["layout"] = json!({"end": {"note": "x".repeat(1_100_000)}});
    client.post("/api/v1/flows/simulate", &json!({"definition": large})).await.expect(413);
    let absent = "/api/v1/flows/flow_01h455vb4pex5vsknk084sn02q/simulate";
    client.post(absent, &json!({})).await.expect(404);
    let read = server.new_client("Reads", "read");
    read.post(&path, &json!({})).await.expect(403);
}

/// Scripts in a definition are versioned with it and run when the flow is validated or published. An unmet expectation
/// is a warning.
pub async fn versions_scripts_and_publishes_despite_failed_ones(server: &Server) {
    let client = server.new_client("Kept", "write");
    let definition = |expected: &str| {
        json!({"start": "greet", "nodes": [say("greet", "Hi {{ contact.first_name }}", "end"), {"id": "end", "type": "end"}],
            "scripts": [{"name": "one", "contact": {"first_name": "Ada"}, "expect": {"texts": [expected]}}, {"name": "two"}]})
    };
    let made = client.post("/api/v1/flows", &json!({"name": "Kept", "definition": definition("Hello Ada")})).await;
    let flow = format!("/api/v1/flows/{}", made.expect(201)["id"].as_str().unwrap());
    let key = [("content-type", "application/json"), ("idempotency-key", "publish")];
    let first = client.send("POST", &format!("{flow}/publish"), &key, Some(b"{}".to_vec())).await.unwrap();
    let published = first.expect(200);
    let finding = &published["findings"][0];
    assert_eq!(published["status"], "active");
    assert_eq!((&finding["severity"], &finding["code"]), (&json!("warning"), &json!("expectation_failed")));
    assert_eq!(finding["pointer"], "/scripts/0/expect/texts/0");
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains("“one”") && message.contains("Hi Ada"), "{message}");
    let again = client.send("POST", &format!("{flow}/publish"), &key, Some(b"{}".to_vec())).await.unwrap();
    assert_eq!((again.header("idempotency-replayed"), again.json()), (Some("true"), published.clone()));
    let validated =
        client.post("/api/v1/flows/validate", &json!({"definition": definition("Hello Ada")})).await.expect(200);
    assert_eq!((&validated["valid"], &validated["findings"]), (&json!(true), &published["findings"]));

    client.call("PATCH", &flow, Some(&json!({"definition": definition("Hi Ada")}))).await.expect(200);
    assert_eq!(client.post(&format!("{flow}/publish"), &json!({})).await.expect(200)["findings"], json!([]));
    for (version, failed) in [(json!(1), 1), (json!(2), 0), (json!("draft"), 0)] {
        let played = client.post(&format!("{flow}/simulate"), &json!({"version": version})).await.expect(200);
        let names: Vec<&Value> = played["simulations"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, [&json!("one"), &json!("two")]);
        assert_eq!(played["simulations"][0]["failed_expectations"].as_array().unwrap().len(), failed, "{version}");
    }

    let definition = json!({
        "triggers": [{"type": "keyword", "keywords": ["gazette"]}], "start": "hello",
        "nodes": [{"id": "hello", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
                  {"id": "end", "type": "end"}],
        "scripts": [{"script": [{"message": "gazette"}], "expect": {"nodes": ["hello"]}}]});
    let made = client.post("/api/v1/flows", &json!({"name": "Gazette", "definition": definition})).await.expect(201);
    let flow = made["id"].as_str().unwrap();
    client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await.expect(200);
    let body = json!({"definition": definition, "flow_id": flow});
    let validated = client.post("/api/v1/flows/validate", &body).await.expect(200);
    assert_eq!(validated["findings"], json!([]), "the published version does not take the keyword");
}

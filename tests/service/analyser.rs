//! The findings of the flow analyser, as clients and operators see them: validation and publishing report the same, and
//! findings never prevent publishing.

use serde_json::{Value, json};

use crate::support::people::OFTEN;
use crate::support::{Client, Server, Store};

async fn findings(client: &Client, definition: &Value) -> Vec<String> {
    let told = client.post("/api/v1/flows/validate", &json!({ "definition": definition })).await.expect(200);
    let findings = told["findings"].as_array().unwrap().iter();
    findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

async fn flow(client: &Client, name: &str, definition: &Value) -> String {
    let made = client.post("/api/v1/flows", &json!({"name": name, "definition": definition})).await.expect(201);
    made["id"].as_str().unwrap().to_owned()
}

async fn publish(client: &Client, flow: &str) -> crate::support::Reply {
    client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn returns_the_params_of_findings_and_errors() {
    let server = server().await;
    let client = server.client();
    let definition = json!({"start": "a", "nodes": [
        {"id": "a", "type": "add_tag", "tag": "nobody", "next": "gone"},
    ]});
    let told = client.post("/api/v1/flows/validate", &json!({ "definition": definition })).await.expect(200);
    let found = |code: &str| {
        let findings = told["findings"].as_array().unwrap();
        findings.iter().find(|it| it["code"] == code).unwrap_or_else(|| panic!("{code}: {told}")).clone()
    };
    assert_eq!(found("unknown_tag")["params"], json!({"name": "nobody"}), "{told}");
    assert_eq!(found("unknown_node")["params"], json!({"name": "gone"}), "{told}");
    let saved = flow(&client, "Params", &definition).await;
    let refused = publish(&client, &saved).await;
    assert_eq!(refused.status, 422);
    let refused = refused.json();
    let errors = refused["errors"].as_array().unwrap();
    let error = errors.iter().find(|it| it["code"] == "unknown_node").unwrap();
    assert_eq!(error["params"], json!({"name": "gone"}), "{refused}");
    let expects = json!({"start": "end", "nodes": [{"id": "end", "type": "end"}],
        "scripts": [{"name": "vips", "start": "api", "expect": {"tags": ["vip"]}}]});
    let told = client.post("/api/v1/flows/validate", &json!({ "definition": expects })).await.expect(200);
    let params = json!({"script": "vips", "failure": "tag_missing", "expected": "vip"});
    let finding = told["findings"].as_array().unwrap().iter().find(|it| it["code"] == "expectation_failed").unwrap();
    assert_eq!(finding["params"], params, "{told}");
}

/// Starts a server with the fields and tags that several examples use.
async fn server() -> Server {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let client = server.client();
    for tag in ["vip", "newsletter"] {
        client.post("/api/v1/tags", &json!({"name": tag})).await.expect(201);
    }
    let plan = json!({"key": "plan", "name": "Plan", "type": "select", "options": ["gold", "silver"]});
    for field in [
        plan,
        json!({"key": "age", "name": "Age", "type": "number"}),
        json!({"key": "remark", "name": "Remark", "type": "text"}),
    ] {
        client.post("/api/v1/custom-fields", &field).await.expect(201);
    }
    let secret = json!({"value": "of the shop", "hosts": ["api.example.com"]});
    client.call("PUT", "/api/v1/secrets/SHOP_TOKEN", Some(&secret)).await.expect(201);
    let upgrades = json!([{"type": "keyword", "keywords": ["upgrade"]}, {"type": "referral", "ref": "upgrade-link"}]);
    let upsell = json!({"triggers": upgrades,
        "start": "end", "nodes": [{"id": "end", "type": "end"}]});
    let upsell = flow(&client, "Upsell", &upsell).await;
    publish(&client, &upsell).await.expect(200);
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn validating_and_publishing_reject_the_wrong_examples() {
    let server = server().await;
    let client = server.client();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/wrong");
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // These need a flow and a viewer of another workspace.
        if name == "recursion" || name == "not_assignable" {
            continue;
        }
        let body: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let code = name.split('-').next().unwrap();
        // No flow leads back to an unsaved flow, but the unsaved flow can receive its own events.
        assert_eq!(findings(&client, &body["definition"]).await, [code], "{name}");
        let saved = flow(&client, body["name"].as_str().unwrap(), &body["definition"]).await;
        let reply = publish(&client, &saved).await;
        if reply.status == 422 {
            let told = reply.json();
            assert_eq!(told["errors"][0]["code"], code, "{name}: {told}");
        } else {
            reply.expect(200);
            client.delete(&format!("/api/v1/flows/{saved}")).await.expect(204);
        }
        tried += 1;
    }
    assert!(tried > 30, "{tried}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn published_flows_run_despite_later_findings() {
    let mut server = server().await;
    let client = server.client();
    let definition = json!({"start": "set", "nodes": [
        {"id": "set", "type": "set_field", "field": "custom_fields.age", "value": 90, "next": "end"},
        {"id": "end", "type": "end"}]});
    let set = flow(&client, "Set", &definition).await;
    publish(&client, &set).await.expect(200);
    let fields = client.get("/api/v1/custom-fields").await.expect(200);
    let age = fields["data"].as_array().unwrap().iter().find(|field| field["key"] == "age").unwrap();
    let path = format!("/api/v1/custom-fields/{}", age["id"].as_str().unwrap());
    client.call("PATCH", &path, Some(&json!({"validation": {"max": 60}}))).await.expect(200);
    assert_eq!(findings(&client, &definition).await, ["value_refused"]);
    // A restart does not check the published flow again, and neither does a start of the flow.
    server.kill();
    server.serve();
    let client = server.client();
    client.get("/readyz").await.expect(200);
    let contact = client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    let start = format!("/api/v1/contacts/{contact}/start-flow");
    let run = client.post(&start, &json!({"flow_id": set})).await.expect(202);
    let path = format!("/api/v1/flow-runs/{}", run["id"].as_str().unwrap());
    let run = client.until(&path, |run| !run["ended_at"].is_null()).await;
    assert_eq!(run["status"], "completed");
}

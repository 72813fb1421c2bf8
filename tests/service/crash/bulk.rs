//! kill -9 during a bulk operation: it continues, and no contact is changed twice.

use serde_json::{Value, json};

use crate::support::{Client, Server, Store};

const CONTACTS: usize = 2_400;

/// Imports contacts that are not subscribed.
async fn import(server: &Server) {
    let mut table = "external_id,first_name,subscribed\n".to_owned();
    (0..CONTACTS).for_each(|row| table.push_str(&format!("c{row},Ada,no\n")));
    let import = server.client().post("/api/v1/contacts/import", &Value::String(table)).await.expect(202);
    let import = format!("/api/v1/contacts/imports/{}", import["id"].as_str().unwrap());
    server.client().until(&import, |it| it["status"] == "completed").await;
}

/// Starts a server with a short lease, after which claims of a killed process are free again.
fn start(store: Store) -> Server {
    Server::start(store, &[("TIDINGS__LIMITS__PLANS__BUSINESS", "10000000"), ("TIDINGS__ENGINE__LEASE", "PT5S")])
}

/// Starts an operation, kills the server several times while it runs, and checks that it changed every contact once.
async fn killed(server: &mut Server, body: &Value, kills: usize) {
    let started = server.client().post("/api/v1/contacts/bulk", body).await.expect(202);
    let path = format!("/api/v1/contacts/bulk/{}", started["id"].as_str().unwrap());
    for kill in 1..=kills {
        let goal = (CONTACTS * kill / (kills + 1)) as i64;
        let operation = server.client().until(&path, |it| it["done"].as_i64().unwrap() >= goal).await;
        println!("{} killed at {} of {CONTACTS}", body["action"]["type"], operation["done"]);
        server.kill();
        server.serve();
    }
    let done = server.client().until(&path, |it| it["status"] == "completed").await;
    assert_eq!((&done["done"], &done["changed"]), (&CONTACTS.into(), &CONTACTS.into()), "{done}");
}

/// Checks that all contacts match a query, and the versions of some of them.
async fn all_have_version(client: &Client, query: &str, version: i64) {
    let total = client.get(&format!("/api/v1/contacts?limit=1&include=total&{query}")).await.expect(200);
    assert_eq!(total["total"], CONTACTS, "{query}");
    let page = client.get(&format!("/api/v1/contacts?limit=100&{query}")).await.expect(200);
    let versions: Vec<_> = page["data"].as_array().unwrap().iter().map(|it| it["version"].clone()).collect();
    assert_eq!(versions, vec![json!(version); 100], "each contact changed once: {query}");
}

pub async fn bulk_operations_resume_after_kills(store: Store, kills: usize) {
    let mut server = start(store);
    import(&server).await;
    let tag = server.client().post("/api/v1/tags", &json!({"name": "all"})).await.expect(201);
    let untagged = json!({"not": {"field": "tags", "op": "has", "value": "all"}});
    let body = json!({"filter": untagged, "action": {"type": "tag", "tag_id": tag["id"]}});
    killed(&mut server, &body, kills).await;
    all_have_version(&server.client(), "tag=all", 2).await;
}

/// Runs the actions on fields, subscriptions, sequences and flows one after another.
pub async fn bulk_operations_of_every_action_resume_after_kills(store: Store, kills: usize) {
    let mut server = start(store);
    import(&server).await;
    let client = server.client();
    let field = json!({"name": "Plan", "key": "plan", "type": "select", "options": ["free", "pro"]});
    client.post("/api/v1/custom-fields", &field).await.expect(201);
    let step = json!({"id": "a", "delay": "P9D", "action": {"type": "send_message", "message": {"type": "text", "text": "Hi"}}});
    let sequence = json!({"name": "Welcome", "status": "active", "steps": [step]});
    let sequence = client.post("/api/v1/sequences", &sequence).await.expect(201);
    let nodes = json!([{"id": "wait", "type": "delay", "for": "P9D", "next": "end"}, {"id": "end", "type": "end"}]);
    let flow_id = client.publish_flow("Wait", &json!({"start": "wait", "nodes": nodes})).await;
    let flow = format!("/api/v1/flows/{flow_id}");
    let named = json!({"field": "first_name", "op": "eq", "value": "Ada"});
    let body = |action: Value| json!({"filter": named, "action": action, "expected_count": CONTACTS});

    killed(&mut server, &body(json!({"type": "set_field", "field": "plan", "value": "pro"})), kills).await;
    all_have_version(&server.client(), "custom_fields.plan=pro", 2).await;
    killed(&mut server, &body(json!({"type": "clear_field", "field": "plan"})), kills).await;
    all_have_version(&server.client(), "subscribed=false", 3).await;
    killed(&mut server, &body(json!({"type": "subscribe"})), kills).await;
    all_have_version(&server.client(), "subscribed=true", 4).await;

    killed(&mut server, &body(json!({"type": "enroll", "sequence_id": sequence["id"]})), kills).await;
    let contact = "/api/v1/contacts/external_id:c7";
    let enrollments = server.client().get(&format!("{contact}/sequences")).await.expect(200);
    assert_eq!(enrollments["data"].as_array().unwrap().len(), 1, "{enrollments}");
    killed(&mut server, &body(json!({"type": "start_flow", "flow_id": flow_id})), kills).await;
    let flow = server.client().until(&flow, |it| it["stats"]["waiting"] == CONTACTS).await;
    let others = ["active", "completed", "interrupted", "expired", "failed"].map(|status| &flow["stats"][status]);
    assert_eq!(others, [&json!(0); 5], "each contact has one run: {flow}");
}

//! Idempotency keys of several actors, from the table of routes: no actor gets the response to another actor's request.

use serde_json::{Value, json};
use tidings_http::routes::{ROUTES, Route};

use super::people::is_for_people;
use crate::openapi::operations;
use crate::support::noise;
use crate::support::people::OFTEN;
use crate::support::seed::Seed;
use crate::support::{Client, Person, Receiver, Reply, Server, Store};

/// Whether responses of the route are stored under idempotency keys.
fn is_keyed(route: &Route) -> bool {
    route.method == "POST" && !route.scope.is_open() && !route.traits.reads && !route.path.starts_with("/auth/")
}

/// A request, with the workspace that users name in it.
struct Request {
    path: String,
    body: Option<Value>,
    workspace: String,
}

impl Request {
    async fn send(&self, client: &Client, key: Option<&str>) -> Reply {
        let kind = if matches!(self.body, Some(Value::String(_))) { "text/csv" } else { "application/json" };
        let mut headers = vec![("content-type", kind), ("x-workspace-id", &self.workspace)];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        let body = self.body.as_ref().map(|body| match body {
            Value::String(table) => table.clone().into_bytes(),
            body => serde_json::to_vec(body).unwrap(),
        });
        client.send("POST", &self.path, &headers, body).await.unwrap()
    }
}

/// Returns a request that succeeds for an owner.
async fn request(route: &'static Route, seed: &Seed, owner: &Client, member: &Person, sandbox: &str) -> Request {
    let of_sandbox = route.path.starts_with("/api/v1/sandbox/");
    if !is_for_people(route) && !of_sandbox {
        let operations::Request { path, body, .. } = operations::right(route, seed).await;
        return Request { path, body, workspace: seed.workspace.clone() };
    }
    let mut path = route.path.replace("{ws}", &seed.workspace);
    let body = match route.operation_id {
        "create_workspace" => json!({"name": "Another"}),
        "invite_member" => json!({"email": "eve@example.com", "role": "viewer"}),
        "create_api_key" => json!({"name": "CI", "scope": "read"}),
        "move_sandbox_clock" | "move_clock_of_sandbox" => json!({"advance": "PT1S"}),
        "play_sandbox_inbound" | "play_inbound" => json!({"contact": "eve", "text": "Hello"}),
        "rotate_api_key" => {
            let keys = format!("/platform/workspaces/{}/api-keys", seed.workspace);
            let made = owner.post(&keys, &json!({"name": "Old", "scope": "read"})).await.expect(201);
            path = path.replace("{id}", made["id"].as_str().unwrap());
            json!({"overlap": "PT1H"})
        }
        "create_reset_link" => {
            path = path.replace("{id}", &member.id);
            Value::Null
        }
        "restore_workspace" => json!({}),
        "create_sandbox" | "reset_sandbox" | "reset_sandbox_of_workspace" => Value::Null,
        other => panic!("the test needs a request to {other}"),
    };
    let workspace = if of_sandbox { sandbox } else { &seed.workspace };
    Request { path, body: Some(body).filter(|it| !it.is_null()), workspace: workspace.to_owned() }
}

/// Returns the part of a response that does not depend on its time: success or the error, and whether it contains the
/// first object. Work started by the first request may be done by now: a retried job is queued or finished.
fn kind_of(route: &Route, reply: &Reply, first: &Reply) -> (u16, Value, bool) {
    let body = serde_json::from_str::<Value>(&reply.text).unwrap_or_default();
    let same_object = first.text.contains("\"id\"") && body["id"] == first.json()["id"];
    match (reply.status, route.operation_id) {
        (..300, _) => (200, Value::Null, same_object),
        (404 | 409, "retry_job") => (404, Value::Null, same_object),
        (status, _) => (status, body["code"].clone(), same_object),
    }
}

/// Waits until bulk operations of earlier actors have ended, because a workspace can run only a few at once.
async fn no_bulk_operation_is_left(route: &Route, seed: &Seed) {
    if route.operation_id == "bulk_contacts" {
        let is_over = |it: &Value| matches!(it["status"].as_str(), Some("completed" | "cancelled" | "failed"));
        let list = |it: &Value| it["data"].as_array().is_some_and(|all| all.iter().all(is_over));
        seed.client.until("/api/v1/contacts/bulk?limit=100", list).await;
    }
}

/// Adds incompressible fields to the seed's contact, so each response with it is large.
async fn enlarge_contact(seed: &Seed) {
    let mut values = serde_json::Map::new();
    for number in 0..10 {
        let field = json!({"key": format!("note_{number}"), "name": format!("Note {number}"), "type": "text"});
        seed.client.post("/api/v1/custom-fields", &field).await.expect(201);
        values.insert(format!("note_{number}"), json!(noise(number, 4_000)));
    }
    let contact = format!("/api/v1/contacts/{}", seed.id("contact"));
    seed.client.put(&contact, &json!({"custom_fields": values})).await.expect(200);
}

async fn stored_responses(owner: &Client, seed: &Seed) -> i64 {
    let storage = owner.get(&format!("/platform/workspaces/{}/storage", seed.workspace)).await.expect(200);
    storage["by_kind"]["idempotency"].as_i64().unwrap()
}

/// The largest record of a response that can be rendered again, including its key.
const RECORD: i64 = 17 * 1024;

async fn separates_idempotency_keys_by_actor(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let receiver = Receiver::start();
    let seed = Seed::new(&server, "acme", &receiver).await;
    let person = async |role: &str| Person::new(&server, &seed.workspace, role).client(&server).await;
    let elsewhere = server.new_workspace("Elsewhere");
    let (owner, operator) = (person("owner").await, Person::operator(&server, &elsewhere, "owner"));
    let operator = operator.client(&server).await;
    let member = Person::new(&server, &seed.workspace, "member");
    let mut others: Vec<(&str, Client)> = vec![("an operator", operator.clone())];
    for role in ["viewer", "member", "admin", "owner"] {
        others.push((role, person(role).await));
    }
    for scope in ["read", "write", "full"] {
        others.push((scope, seed.client.with_key(Some(&server.new_key(&seed.workspace, scope)))));
    }
    let sandboxes = format!("/platform/workspaces/{}/sandbox", seed.workspace);
    let sandbox = owner.create(&sandboxes, &json!({})).await;
    enlarge_contact(&seed).await;
    let (mut replayed, mut rendered, mut cases) = (0, 0, 0);
    for route in ROUTES.iter().filter(|route| is_keyed(route)) {
        let by_operator = route.operation_id == "create_workspace";
        let maker = if by_operator { &operator } else { &owner };
        let request = request(route, &seed, &owner, &member, &sandbox).await;
        let key = Some("one-key-for-all");
        let before = stored_responses(&owner, &seed).await;
        let first = request.send(maker, key).await;
        let stored = stored_responses(&owner, &seed).await - before;
        let sent = request.body.as_ref().map_or(0, |body| body.to_string().len()) as i64;
        let records = if route.operation_id == "batch_contacts" { 3 } else { 1 };
        assert!(stored <= records * RECORD + 2 * sent, "{}: {stored} bytes for {sent}", route.operation_id);
        assert!(first.status < 300, "{}: {} {}", route.operation_id, first.status, first.text);
        let again = request.send(maker, key).await;
        if again.header("idempotency-replayed").is_some() {
            assert_eq!(again.status, first.status, "{}", route.operation_id);
            assert_eq!(again.json()["id"], first.json()["id"], "{}", route.operation_id);
            let is_rendered = again.header("idempotency-replayed") == Some("rendered");
            assert!(is_rendered || again.text == first.text, "{}", route.operation_id);
            (replayed, rendered) = (replayed + 1, rendered + usize::from(is_rendered));
        }
        for (name, client) in others.iter().filter(|(name, _)| *name != "an operator" || !by_operator) {
            no_bulk_operation_is_left(route, &seed).await;
            let with_key = request.send(client, key).await;
            let without = request.send(client, None).await;
            let case = format!("{} by {name}: {}", route.operation_id, with_key.text);
            assert_eq!(with_key.header("idempotency-replayed"), None, "{case}");
            assert_eq!(kind_of(route, &with_key, &first), kind_of(route, &without, &first), "{case}");
            assert!(!route.traits.secret || with_key.text != first.text, "{case}");
            cases += 1;
        }
    }
    println!("{cases} cases, {replayed} routes replay, {rendered} of them by rendering");
    assert!(replayed > 50 && rendered > 1 && cases > 400, "{cases} cases, {replayed} routes, {rendered} rendered");
}

on_both! {
    separates_idempotency_keys_by_actor,
}

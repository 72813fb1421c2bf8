//! A workspace that has used all its storage.

use std::time::Duration;

use serde_json::json;
use tidings_http::routes::ROUTES;

use crate::openapi::operations;
use crate::support::people::OFTEN;
use crate::support::seed::Seed;
use crate::support::{Patience, Person, Receiver, Server, Store, noise};

const LIMIT: i64 = 1_500_000;

async fn rejects_writes_to_a_full_workspace(store: Store) {
    let limit = LIMIT.to_string();
    let mut server = Server::start(store, &[OFTEN, ("TIDINGS__LIMITS__STORED_BYTES__BUSINESS", &limit)]);
    let receiver = Receiver::start();
    let seed = Seed::new(&server, "acme", &receiver).await;
    let owner = Person::new(&server, &seed.workspace, "owner").client(&server).await;
    let storage = format!("/platform/workspaces/{}/storage", seed.workspace);
    let before = owner.get(&storage).await.expect(200);
    assert_eq!((&before["limit"], &before["level"]), (&json!(LIMIT), &json!("ok")));
    let note = json!({"key": "note", "name": "Note", "type": "text"});
    seed.client.post("/api/v1/custom-fields", &note).await.expect(201);
    let mut requests = Vec::new();
    let of_api = ROUTES.iter().filter(|route| route.method != "GET" && route.scope.required().is_some());
    for route in of_api.filter(|route| !route.path.starts_with("/api/v1/sandbox/")) {
        requests.push((route, operations::right(route, &seed).await));
    }
    let headers = [("content-type", "application/json"), ("idempotency-key", "one")];
    let once = async |server: &Server| {
        let client = server.client().with_key(Some(&seed.full));
        let body = json!({"first_name": "Once"}).to_string().into_bytes();
        client.send("POST", "/api/v1/contacts", &headers, Some(body)).await.unwrap()
    };
    let first = once(&server).await;
    first.expect(201);

    // An accepted contact counts at once.
    let mut accepted = 0;
    let refused = loop {
        let contact = json!({"first_name": "Ada", "custom_fields": {"note": noise(accepted, 4_000)}});
        match seed.client.post("/api/v1/contacts", &contact).await {
            reply if reply.status == 201 => accepted += 1,
            reply => break reply,
        }
        assert!(accepted < 600, "the limit has no effect");
    };
    assert_eq!((refused.status, refused.code().as_str()), (409, "storage_full"), "{}", refused.text);
    assert_eq!(refused.json()["limit"], LIMIT);
    assert_eq!(owner.get(&storage).await.expect(200)["level"], "full");

    let mut counts = [0, 0];
    for (route, request) in &requests {
        let reply = seed.client.call(route.method.as_str(), &request.path, request.body.as_ref()).await;
        let case = format!("{} {} is {}: {}", route.method, request.path, reply.status, reply.text);
        let is_full = reply.status == 409 && reply.code() == "storage_full";
        // An update of a contact is rejected if it may enlarge the contact; the handler decides.
        let grows = route.traits.grows || ["update_contact", "patch_contact"].contains(&route.operation_id);
        assert_eq!(is_full, grows, "{case}");
        counts[usize::from(grows)] += 1;
    }
    assert!(counts[0] > 40 && counts[1] > 40, "{counts:?}");

    // Requests that enlarge nothing succeed, and a repeated request gets its stored response.
    let contact = format!("/api/v1/contacts/{}", seed.id("contact"));
    seed.client.call("PATCH", &contact, Some(&json!({"subscribed": false}))).await.expect(200);
    let batch = json!({"operations": [
        {"action": "update", "id": seed.id("contact"), "contact": {"status": "active", "subscribed": true}},
        {"action": "create", "contact": {"first_name": "Eve"}},
    ]});
    let outcomes = seed.client.post("/api/v1/contacts/batch", &batch).await.expect(200)["outcomes"].clone();
    assert_eq!((&outcomes[0]["status"], &outcomes[1]["problem"]["code"]), (&json!(200), &json!("storage_full")));
    let again = once(&server).await;
    assert_eq!((again.header("idempotency-replayed"), &again.text), (Some("true"), &first.text));
    let keys = format!("/platform/workspaces/{}/api-keys", seed.workspace);
    owner.post(&keys, &json!({"name": "CI", "scope": "read"})).await.expect(201);
    let everyone = json!({"field": "first_name", "op": "eq", "value": "Ada"});
    let delete = json!({"filter": everyone, "action": {"type": "delete"}, "expected_count": accepted});
    seed.client.post("/api/v1/contacts/bulk", &delete).await.expect(202);

    // A killed process loses its count of recent writes, so a new process measures at its start.
    server.kill();
    server.serve();
    let client = server.client().with_key(Some(&seed.full));
    let mut patience = Patience::new();
    while client.post("/api/v1/tags", &json!({"name": "more"})).await.code() != "storage_full" {
        assert!(patience.allows(()), "the stored sums are not used");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (_, report) = server.attempt(&["doctor", "--json"], &[]);
    assert!(report.contains(&format!("{} (acme, ", seed.workspace)), "{report}");
}

on_both! {
    rejects_writes_to_a_full_workspace,
}

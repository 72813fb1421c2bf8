//! Several contacts in one request: each has its own outcome, and is processed once.

use serde_json::{Value, json};

use crate::support::Server;

const PATH: &str = "/api/v1/contacts/batch";

fn create(external_id: &str) -> Value {
    json!({"action": "create", "contact": {"external_id": external_id, "tags": ["vip"]}})
}

fn statuses(reply: &Value) -> Vec<u64> {
    reply["outcomes"].as_array().unwrap().iter().map(|it| it["status"].as_u64().unwrap()).collect()
}

/// Each operation has the same outcome as a separate request.
pub async fn returns_an_outcome_for_each_operation_of_a_batch(server: &Server) {
    let client = server.new_client("Batch", "full");
    let first = json!({"operations": [create("a"), create("b"), create("c")]});
    let made = client.post(PATH, &first).await.expect(200);
    assert_eq!(statuses(&made), [201, 201, 201]);
    let of = |index: usize| made["outcomes"][index]["contact"].clone();
    for index in 0..3 {
        let path = format!("/api/v1/contacts/{}", of(index)["id"].as_str().unwrap());
        assert_eq!(client.get(&path).await.expect(200), of(index));
    }

    let second = json!({"operations": [
        create("a"),
        {"action": "update", "id": "external_id:b", "contact": {"first_name": "Bo"}},
        {"action": "update", "id": "external_id:nobody", "contact": {"first_name": "Bo"}},
        {"action": "delete", "id": of(2)["id"]},
        {"action": "create", "contact": {"external_id": "d", "custom_fields": {"unknown": 1}}},
        create("e"),
    ]});
    let told = client.post(PATH, &second).await.expect(200);
    assert_eq!(statuses(&told), [409, 200, 404, 204, 422, 201]);
    let outcome = |index: usize| &told["outcomes"][index];
    assert_eq!(outcome(0)["problem"]["existing_id"], of(0)["id"]);
    assert_eq!((&outcome(1)["contact"]["first_name"], &outcome(1)["contact"]["version"]), (&json!("Bo"), &json!(2)));
    assert_eq!(outcome(3), &json!({"status": 204, "contact": null, "omitted": null, "problem": null}));
    assert_eq!(outcome(4)["problem"]["errors"][0]["pointer"], "/custom_fields/unknown");
    client.get("/api/v1/contacts/external_id:d").await.expect(404);
    client.get("/api/v1/contacts/external_id:c").await.expect(404);

    let again = client.post(&format!("{PATH}?on_conflict=update"), &first).await.expect(200);
    assert_eq!(statuses(&again), [200, 200, 201]);
}

/// A batch with an invalid operation changes nothing, wherever the error is.
pub async fn an_invalid_batch_changes_nothing(server: &Server) {
    let client = server.new_client("Wrong batch", "full");
    let wrong = json!({"operations": [
        create("a"),
        {"action": "create", "contact": {"email": "no address"}},
        {"action": "update", "contact": {}},
        {"action": "move", "id": "external_id:a"},
        {"action": "delete", "id": "external_id:a", "contact": {}},
    ]});
    let refused = client.post(PATH, &wrong).await.expect(422);
    let places: Vec<&str> =
        refused["errors"].as_array().unwrap().iter().map(|it| it["pointer"].as_str().unwrap()).collect();
    let expected = ["/operations/1/contact/email", "/operations/2/id", "/operations/3/action", "/operations/4/contact"];
    assert!(expected.iter().all(|it| places.contains(it)), "{places:?}");
    assert_eq!(client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));
    client.post(PATH, &json!({"operations": []})).await.expect(422);
    let many: Vec<Value> = (0..101).map(|n| create(&n.to_string())).collect();
    client.post(PATH, &json!({"operations": many})).await.expect(422);
    let hundred: Vec<Value> = (0..100).map(|n| create(&n.to_string())).collect();
    assert_eq!(statuses(&client.post(PATH, &json!({"operations": hundred})).await.expect(200)), [201; 100]);
}

/// A key without permission to delete cannot delete in a batch either.
pub async fn deleting_in_a_batch_requires_a_full_key(server: &Server) {
    let workspace = server.new_workspace("Batch that deletes");
    let (full, write) = (server.new_key(&workspace, "full"), server.new_key(&workspace, "write"));
    let writer = server.client().with_key(Some(&write));
    let batch = json!({"operations": [create("a"), {"action": "delete", "id": "external_id:a"}]});
    let refused = writer.post(PATH, &batch).await;
    assert_eq!((refused.status, refused.code()), (403, "insufficient_scope".to_owned()));
    assert_eq!(refused.json()["required_scope"], "full");
    assert_eq!(writer.get("/api/v1/contacts").await.expect(200)["data"], json!([]));
    let creates = json!({"operations": [create("a")]});
    assert_eq!(statuses(&writer.post(PATH, &creates).await.expect(200)), [201]);
    let deletes = json!({"operations": [{"action": "delete", "id": "external_id:a"}]});
    let deleted = writer.with_key(Some(&full)).post(PATH, &deletes).await.expect(200);
    assert_eq!(statuses(&deleted), [204]);
}

/// With an idempotency key, each operation is done once, and its outcome is returned again unchanged.
pub async fn runs_a_repeated_batch_once(server: &Server) {
    let client = server.new_client("Batch again", "full");
    client.post("/api/v1/contacts", &json!({"external_id": "old"})).await.expect(201);
    let batch = json!({"operations": [
        create("a"),
        {"action": "update", "id": "external_id:a2", "contact": {"first_name": "Ada"}},
        {"action": "delete", "id": "external_id:old"},
    ]});
    let post = async |body: &Value| {
        let headers = [("content-type", "application/json"), ("idempotency-key", "batch-1")];
        client.send("POST", PATH, &headers, Some(body.to_string().into_bytes())).await.unwrap()
    };
    let first = post(&batch).await.expect(200);
    assert_eq!(statuses(&first), [201, 404, 204]);
    // Failed operations are tried again; the outcomes of successful ones are returned unchanged.
    client.post("/api/v1/contacts", &json!({"external_id": "a2"})).await.expect(201);
    let path = format!("/api/v1/contacts/{}", first["outcomes"][0]["contact"]["id"].as_str().unwrap());
    client.call("PATCH", &path, Some(&json!({"first_name": "Changed since"}))).await.expect(200);
    let second = post(&batch).await.expect(200);
    assert_eq!(statuses(&second), [201, 200, 204]);
    assert_eq!(second["outcomes"][0], first["outcomes"][0]);
    let other = post(&json!({"operations": [create("b"), create("c")]})).await;
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused".to_owned()));
    client.get("/api/v1/contacts/external_id:c").await.expect(404);
    client.get("/api/v1/contacts/external_id:b").await.expect(404);
}

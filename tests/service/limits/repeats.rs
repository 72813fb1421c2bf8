//! Idempotency keys: one key, one effect, one response.

use futures::future::join_all;
use serde_json::json;

use super::post;
use crate::support::{Person, Reply, Server, Store};

fn assert_replay(first: &Reply, again: &Reply) {
    assert_eq!(first.header("idempotency-replayed"), None);
    assert_eq!(again.header("idempotency-replayed"), Some("true"), "{}", again.text);
    assert_eq!((again.status, &again.text), (first.status, &first.text));
    for name in ["etag", "location", "content-type"] {
        assert_eq!(again.header(name), first.header(name), "{name}");
    }
}

async fn runs_a_repeated_request_once(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    let ada = json!({"external_id": "ada"});
    let first = post(&client, "/api/v1/contacts", "one", &ada).await;
    let contact = format!("/api/v1/contacts/{}", first.expect(201)["id"].as_str().unwrap());
    for key in ["one", "\"one\"", " one "] {
        assert_replay(&first, &post(&client, "/api/v1/contacts", key, &ada).await);
    }
    // The stored response is returned, whatever has changed since.
    client.put(&contact, &json!({"first_name": "Ada"})).await.expect(200);
    assert_replay(&first, &post(&client, "/api/v1/contacts", "one", &ada).await);

    // Another request with the same key is an error; another route has separate keys.
    let grace = json!({"external_id": "grace"});
    for (path, body) in [("/api/v1/contacts", &grace), ("/api/v1/contacts?", &grace)] {
        let reused = post(&client, path, "one", body).await;
        assert_eq!((reused.status, reused.code().as_str()), (422, "idempotency_key_reused"));
    }
    post(&client, "/api/v1/tags", "one", &json!({"name": "vip"})).await.expect(201);

    // A failed request leaves no record, so a corrected request can use the key.
    post(&client, "/api/v1/contacts", "two", &json!({"email": "nobody"})).await.expect(422);
    post(&client, "/api/v1/contacts", "two", &ada).await.expect(409);
    post(&client, "/api/v1/contacts", "two", &grace).await.expect(201);

    // A request without changes is stored, too.
    let tagged = format!("{contact}/tags");
    post(&client, &tagged, "tag", &json!({"name": "vip"})).await.expect(201);
    let unchanged = post(&client, &tagged, "again", &json!({"name": "VIP"})).await;
    unchanged.expect(200);
    assert_replay(&unchanged, &post(&client, &tagged, "again", &json!({"name": "VIP"})).await);

    // A replayed response contains its secret.
    let hook = json!({"url": "https://example.com/", "events": ["contact.deleted"]});
    let made = post(&client, "/api/v1/webhooks", "hook", &hook).await;
    assert!(made.expect(201)["secret"].is_string());
    let again = post(&client, "/api/v1/webhooks", "hook", &hook).await;
    assert_replay(&made, &again);
    assert_eq!(again.header("cache-control"), Some("no-store"));

    // Another workspace has separate keys.
    let other = server.new_workspace("Other");
    let other = client.with_key(Some(&server.new_key(&other, "write")));
    let theirs = post(&other, "/api/v1/contacts", "one", &ada).await;
    assert_ne!(theirs.expect(201)["id"], first.json()["id"]);
    assert_eq!(theirs.header("idempotency-replayed"), None);
}

async fn shares_stored_answers_of_a_rotated_key_and_its_successor(store: Store) {
    let server = Server::start(store, &[]);
    let workspace = server.new_workspace("Acme");
    let owner = Person::new(&server, &workspace, "owner").client(&server).await;
    let keys = format!("/platform/workspaces/{workspace}/api-keys");
    let made = owner.post(&keys, &json!({"name": "CI", "scope": "write"})).await.expect(201);
    let old = server.client().with_key(made["key"].as_str());
    let first = post(&old, "/api/v1/flows", "one", &json!({"name": "Welcome"})).await;
    first.expect(201);
    let mut last = made;
    for overlap in ["PT1H", "PT0S"] {
        let rotate = format!("{keys}/{}/rotate", last["id"].as_str().unwrap());
        last = owner.post(&rotate, &json!({"overlap": overlap})).await.expect(201);
        let successor = server.client().with_key(last["key"].as_str());
        assert_replay(&first, &post(&successor, "/api/v1/flows", "one", &json!({"name": "Welcome"})).await);
    }
    let other = server.client().with_key(Some(&server.new_key(&workspace, "write")));
    let theirs = post(&other, "/api/v1/flows", "one", &json!({"name": "Welcome"})).await;
    assert_ne!(theirs.expect(201)["id"], first.json()["id"], "another key is another actor");
}

async fn runs_one_of_many_concurrent_repeats(store: Store) {
    const AT_ONCE: usize = 20;
    let mut server = Server::start(store, &[]);
    let client = server.client();
    client.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    let message = json!({"type": "text", "text": "Hello"});
    let requests = [
        ("/api/v1/contacts", json!({"first_name": "Grace"})),
        ("/api/v1/contacts", json!({"external_id": "unique", "email": "unique@example.com"})),
        ("/api/v1/tags", json!({"name": "vip"})),
        ("/api/v1/flows", json!({"name": "Welcome"})),
        ("/api/v1/webhooks", json!({"url": "https://example.com/", "events": ["contact.deleted"]})),
        ("/api/v1/contacts/external_id:ada/send-message", message),
        ("/api/v1/contacts/external_id:ada/tags", json!({"name": "shared"})),
    ];
    let mut firsts = Vec::new();
    for (number, (path, body)) in requests.iter().enumerate() {
        let key = format!("key-{number}");
        let replies = join_all((0..AT_ONCE).map(|_| post(&client, path, &key, body))).await;
        let (first, replayed): (Vec<_>, Vec<_>) =
            replies.into_iter().partition(|reply| reply.header("idempotency-replayed").is_none());
        assert_eq!(
            (first.len(), replayed.len()),
            (1, AT_ONCE - 1),
            "{path}: one request runs, the others get its answer"
        );
        assert!(first[0].status < 300, "{path}: {}", first[0].text);
        replayed.iter().for_each(|again| assert_replay(&first[0], again));
        firsts.push(first.into_iter().next().unwrap());
    }
    let count = async |path: &str| client.get(path).await.expect(200)["data"].as_array().unwrap().len();
    assert_eq!(count("/api/v1/contacts").await, 3);
    assert_eq!(count("/api/v1/tags").await, 2);
    assert_eq!(count("/api/v1/flows").await, 1);
    assert_eq!(count("/api/v1/webhooks").await, 1);
    let conversation = firsts[5].json()["conversation_id"].as_str().unwrap().to_owned();
    assert_eq!(count(&format!("/api/v1/conversations/{conversation}/messages")).await, 1);

    // The record is part of the transaction, so it survives a crash.
    server.kill();
    server.serve();
    for (number, (path, body)) in requests.iter().enumerate() {
        assert_replay(&firsts[number], &post(&server.client(), path, &format!("key-{number}"), body).await);
    }
}

on_both! {
    runs_a_repeated_request_once,
    runs_one_of_many_concurrent_repeats,
    shares_stored_answers_of_a_rotated_key_and_its_successor,
}

//! The master key: a wrong key is rejected, and the key can be replaced while servers run.

use serde_json::{Value, json};
use tidings_storage_suite::databases::{run, texts};

use crate::support::server::MASTER_KEY;
use crate::support::{Client, Person, Receiver, Server, Store};

const KEY: &str = "TIDINGS__SECRETS__MASTER_KEY";
const PREVIOUS: &str = "TIDINGS__SECRETS__PREVIOUS_KEYS";
const NEW_KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// Returns the status and the advice of a check.
fn diagnosis(report: &Value, name: &str) -> (String, String) {
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name).unwrap();
    (check["status"].as_str().unwrap().to_owned(), check["advice"].as_str().unwrap_or_default().to_owned())
}

/// Returns the report of `doctor`, even if a check failed.
fn doctor(server: &Server) -> Value {
    let child = server.begin(&["doctor", "--json"]);
    serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_a_wrong_master_key_before_any_change() {
    let mut server = Server::start(Store::sqlite().await, &[]);
    server.client().get("/readyz").await.expect(200);
    server.kill();
    assert_eq!(diagnosis(&doctor(&server), "secrets").0, "ok");

    server.set(KEY, NEW_KEY);
    for arguments in [&["serve"][..], &["secrets", "reseal"], &["workspace", "list"]] {
        let said = server.refused(arguments);
        assert!(said.contains("is not the key that encrypted") && said.contains("secrets.previous_keys"), "{said}");
    }
    let report = doctor(&server);
    let (status, advice) = diagnosis(&report, "secrets");
    assert!(status == "wrong" && advice.contains("secrets.master_key") && report["ok"] == false, "{report}");
    assert!(!report.to_string().contains(NEW_KEY));

    server.set(PREVIOUS, "too short");
    assert!(server.refused(&["serve"]).contains("secrets.previous_keys"));
    server.set(PREVIOUS, &format!("{MASTER_KEY},{NEW_KEY}"));
    server.serve();
    server.client().get("/readyz").await.expect(200);
}

/// Functions that must continue: a signed webhook, an idempotency record with a secret, a page cursor, a signed-in
/// user.
struct Seed {
    webhook: String,
    creation: (Vec<u8>, Value),
    cursor: String,
    person: String,
    receiver: Receiver,
}

impl Seed {
    async fn make(server: &Server) -> Self {
        let (client, receiver) = (server.client(), Receiver::start());
        for name in ["one", "two"] {
            client.post("/api/v1/tags", &json!({"name": name})).await.expect(201);
        }
        let secret = json!({"value": "the shop gave us this", "hosts": ["api.example.com"]});
        client.call("PUT", "/api/v1/secrets/TOKEN", Some(&secret)).await.expect(201);
        client.post("/api/v1/contacts", &json!({"external_id": "out", "subscribed": false})).await.expect(201);
        client.delete("/api/v1/contacts/external_id:out").await.expect(204);
        let page = client.get("/api/v1/tags?limit=1").await.expect(200);
        let body = json!({"url": receiver.url, "events": ["contact.created"]}).to_string().into_bytes();
        let made = create(&client, &body).await;
        let person = Person::new(server, &server.workspace, "owner").token(server).await;
        Self {
            webhook: made["id"].as_str().unwrap().to_owned(),
            creation: (body, made),
            cursor: page["next_cursor"].as_str().unwrap().to_owned(),
            person,
            receiver,
        }
    }

    async fn goes_on_at(&self, server: &Server) {
        let client = server.client();
        let tested = client.post(&format!("/api/v1/webhooks/{}/test", self.webhook), &json!({})).await.expect(200);
        assert_eq!(tested["succeeded"], true, "{tested}");
        assert!(!self.receiver.received().is_empty());
        assert_eq!(create(&client, &self.creation.0).await, self.creation.1, "the stored answer is replayed");
        let back = client.post("/api/v1/contacts", &json!({"external_id": "out"})).await.expect(201);
        assert_eq!(back["subscribed"], false, "the opt-out is recognised");
        client.delete("/api/v1/contacts/external_id:out").await.expect(204);
        let page = client.get(&format!("/api/v1/tags?limit=1&cursor={}", self.cursor)).await.expect(200);
        assert_eq!(page["data"].as_array().unwrap().len(), 1);
        client.with_key(Some(&self.person)).get("/auth/me").await.expect(200);
        client.get("/readyz").await.expect(200);
    }
}

async fn create(client: &Client, body: &[u8]) -> Value {
    let headers = [("content-type", "application/json"), ("idempotency-key", "hook")];
    client.send("POST", "/api/v1/webhooks", &headers, Some(body.to_vec())).await.unwrap().expect(201)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replaces_the_master_key_while_two_servers_run() {
    let mut server = Server::start(Store::postgres().await, &[]);
    let seed = Seed::make(&server).await;
    seed.goes_on_at(&server).await;
    // The instances are updated one after another: each first opens values of the new key, too, and then seals with it.
    server.set(PREVIOUS, NEW_KEY);
    let still_old = server.twin();
    server.kill();
    server.set(KEY, NEW_KEY);
    server.set(PREVIOUS, MASTER_KEY);
    server.serve();
    for server in [&server, &still_old] {
        seed.goes_on_at(server).await;
    }
    assert!(diagnosis(&doctor(&server), "secrets").1.contains("tidings secrets reseal"));

    let done = server.command(&["secrets", "reseal"]);
    assert!(done["resealed"].as_u64() >= Some(5), "{done}");
    let values = (&done["values"]["previous"], &done["values"]["unreadable"], &done["previous_keys_may_go"]);
    assert_eq!(values, (&json!(0), &json!(0), &json!(true)), "{done}");
    assert_eq!(server.command(&["secrets", "reseal"])["resealed"], 0);
    for server in [&server, &still_old] {
        seed.goes_on_at(server).await;
    }

    drop(still_old);
    server.kill();
    server.set(PREVIOUS, "");
    server.serve();
    let client = server.client();
    let tested = client.post(&format!("/api/v1/webhooks/{}/test", seed.webhook), &json!({})).await.expect(200);
    assert_eq!(tested["succeeded"], true, "{tested}");
    assert_eq!(create(&client, &seed.creation.0).await, seed.creation.1);
    client.with_key(Some(&seed.person)).get("/auth/me").await.expect(200);
    assert_eq!(diagnosis(&doctor(&server), "secrets").0, "ok");
    server.kill();
    server.set(KEY, MASTER_KEY);
    assert!(server.refused(&["serve"]).contains("is not the key that encrypted"), "the old key is rejected");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_no_secret_in_plain_text() {
    let store = Store::postgres().await;
    let url = store.url();
    let server = Server::start(store, &[]);
    let secret = json!({"value": "the shop gave us this", "hosts": ["api.example.com"]});
    server.client().call("PUT", "/api/v1/secrets/TOKEN", Some(&secret)).await.expect(201);
    let rows = texts(&url, "SELECT name || ' ' || hosts || ' ' || encode(sealed, 'hex') FROM secrets").await;
    let plain: String = "the shop gave us this".bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(rows[0].starts_with(r#"TOKEN ["api.example.com"] "#) && !rows[0].contains(&plain), "{rows:?}");
    assert_eq!(texts(&url, "SELECT key FROM idempotency_keys").await, [""; 0], "a PUT stores no answer");
}

/// Returns the stored header values of a webhook.
async fn stored(url: &str) -> String {
    let rows = "SELECT headers || ' ' || sealed_headers FROM webhooks";
    texts(url, rows).await.remove(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seals_headers_and_older_ones_at_the_next_start() {
    let store = Store::postgres().await;
    let url = store.url();
    let mut server = Server::start(store, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    let headers = json!({"Authorization": "Bearer 0123456789", "X-Tenant": "7"});
    let shown = json!({"Authorization": "••••6789", "X-Tenant": "••••"});
    let body = json!({"url": receiver.url, "events": ["contact.created"], "headers": headers});
    let made = client.post("/api/v1/webhooks", &body).await.expect(201);
    assert_eq!(made["headers"], shown);
    let path = format!("/api/v1/webhooks/{}", made["id"].as_str().unwrap());
    assert!(!stored(&url).await.contains("0123456789"));

    // Masked values can be sent back, together with new ones.
    let again = json!({"headers": {"authorization": "••••6789", "X-New": "a new value of mine"}});
    let after = client.put(&path, &again).await.expect(200);
    assert_eq!(after["headers"], json!({"authorization": "••••6789", "X-New": "••••mine"}));
    let refused = client.put(&path, &json!({"headers": {"X-Other": "••••6789"}})).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/headers/X-Other", "{refused}");

    // The form of the previous release.
    server.kill();
    let plain = r#"UPDATE webhooks SET headers = '[["X-Old","an old value of mine"]]', sealed_headers = '[]'"#;
    run(&url, plain).await;
    server.serve();
    let client = server.client();
    assert_eq!(client.get(&path).await.expect(200)["headers"], json!({"X-Old": "••••mine"}));
    assert!(stored(&url).await.starts_with("[] [") && !stored(&url).await.contains("an old value"));
    client.post(&format!("{path}/test"), &json!({})).await.expect(200);
    let came = receiver.until("a test", |received| !received.is_empty()).await;
    assert_eq!(came[0].headers["x-old"], "an old value of mine");
}

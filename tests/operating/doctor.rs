//! What the doctor finds in a database that is in use.

use serde_json::{Value, json};

use crate::support::{Server, Store};

fn looked_at(server: &Server, name: &str) -> Value {
    let report = server.begin(&["doctor", "--json"]).wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    report["checks"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webhooks_that_the_settings_forbid_are_told() {
    let mut server = Server::start(Store::sqlite().await, &[]);
    for url in ["http://127.0.0.1:9/hook", "https://example.com/hook"] {
        let body = json!({"url": url, "events": ["contact.created"]});
        server.client().post("/api/v1/webhooks", &body).await.expect(201);
    }
    assert_eq!(looked_at(&server, "webhooks")["status"], "ok");
    server.kill();
    server.set("TIDINGS__EGRESS__ALLOW_LOOPBACK", "false");
    let found = looked_at(&server, "webhooks");
    let told = found["found"].as_str().unwrap();
    assert!(found["status"] == "warning" && told.starts_with("1 of 2 active webhooks may not be called"), "{found}");
    assert!(told.contains("egress.allow_loopback"), "{found}");
}

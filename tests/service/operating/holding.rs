//! Pausing outbound traffic of a workspace, and of the whole store.

use serde_json::{Value, json};

use super::{contact, deliveries, hook};
use crate::support::people::OFTEN;
use crate::support::{Client, Person, Receiver, Server, Store};

/// Checks that the deliveries wait unchanged: due, without an attempt.
async fn waits_untouched(client: &Client, hook: &str, count: usize) {
    let path = format!("/api/v1/webhooks/{hook}/deliveries?limit=100");
    let page = client.until(&path, |page| page["data"].as_array().unwrap().len() == count).await;
    for delivery in page["data"].as_array().unwrap() {
        assert_eq!((&delivery["status"], &delivery["attempt_count"]), (&json!("pending"), &json!(0)), "{delivery}");
    }
}

/// Sends a message; returns the path of its conversation's messages.
pub async fn message(client: &Client, contact: &str) -> String {
    let body = json!({"type": "text", "text": "Hello"});
    let sent = client.post(&format!("/api/v1/contacts/{contact}/send-message"), &body).await.expect(202);
    format!("/api/v1/conversations/{}/messages", sent["conversation_id"].as_str().unwrap())
}

pub fn check<'v>(ready: &'v Value, name: &str) -> &'v Value {
    ready["checks"].as_array().unwrap().iter().find(|check| check["name"] == name).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_everything_once_after_a_workspace_pause() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let (client, receiver) = (server.client(), Receiver::start());
    let hook = hook(&client, &receiver).await;
    let path = format!("/platform/workspaces/{}/outbound", server.workspace);
    let admin = Person::new(&server, &server.workspace, "admin").client(&server).await;
    let member = Person::new(&server, &server.workspace, "member").client(&server).await;
    let hold = json!({"mode": "hold"});
    assert_eq!(member.put(&path, &hold).await.status, 403);
    assert_eq!(client.put(&path, &hold).await.status, 401, "an API key cannot pause a workspace");
    admin.put(&path, &json!({"mode": "maybe"})).await.expect(422);
    let held = admin.put(&path, &hold).await.expect(200);
    assert_eq!(held["outbound"], "hold");
    assert_eq!(admin.put(&path, &hold).await.expect(200)["version"], held["version"], "a repeated pause has no effect");

    let first = contact(&client, "a").await;
    contact(&client, "b").await;
    waits_untouched(&client, &hook, 2).await;
    let messages = message(&client, &first).await;
    let test = client.post(&format!("/api/v1/webhooks/{hook}/test"), &json!({})).await;
    assert_eq!((test.status, test.code()), (409, "outbound_held".to_owned()));
    assert_eq!(client.get(&messages).await.expect(200)["data"][0]["status"], "queued");
    waits_untouched(&client, &hook, 2).await;
    assert_eq!(receiver.received().len(), 0, "nothing was sent");

    let other = server.new_workspace("Other");
    let elsewhere = client.with_key(Some(&server.new_key(&other, "full")));
    let theirs = Receiver::start();
    super::hook(&elsewhere, &theirs).await;
    contact(&elsewhere, "c").await;
    theirs.until("the event of a workspace that sends", |came| came.len() == 1).await;

    assert_eq!(admin.put(&path, &json!({"mode": "send"})).await.expect(200)["outbound"], "send");
    receiver.until("what was held", |came| came.len() >= 2).await;
    client.until(&messages, |list| list["data"][0]["status"] == "sent").await;
    let path = format!("/api/v1/webhooks/{hook}/deliveries?limit=100");
    let all = |page: &Value| page["data"].as_array().unwrap().iter().all(|it| it["status"] == "succeeded");
    client.until(&path, all).await;
    assert!(deliveries(&client, &hook).await.iter().all(|it| it["attempt_count"] == 1));
    assert_eq!(receiver.received().len(), 2, "each event is sent once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_pauses_sending_of_a_running_server() {
    let server = Server::start(Store::sqlite().await, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    let hook = hook(&client, &receiver).await;
    let shown = server.command(&["outbound", "hold", "--reason", "a wrong import"]);
    assert_eq!((&shown["mode"], &shown["reason"]), (&json!("hold"), &json!("a wrong import")));
    client.until("/readyz", |ready| check(ready, "outbound")["status"] == "warning").await;
    // The process knows of a pause by another process within half a second; after that it sends nothing.
    let path = format!("/api/v1/webhooks/{hook}/test");
    let begun = std::time::Instant::now();
    while client.post(&path, &json!({})).await.status != 409 {
        assert!(begun.elapsed().as_secs() < 10, "the process does not notice the pause");
    }
    let before = receiver.received().len();
    contact(&client, "a").await;
    waits_untouched(&client, &hook, 1).await;
    assert_eq!(receiver.received().len(), before);
    assert_eq!(server.command(&["outbound", "send"])["mode"], "send");
    receiver.until("what was held", |came| came.len() == before + 1).await;
    assert_eq!(check(&client.get("/readyz").await.expect(200), "outbound")["status"], "ok");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_setting_pauses_sending_but_no_internal_work() {
    let server = Server::start(Store::sqlite().await, &[("TIDINGS__ENGINE__OUTBOUND", "hold")]);
    let (client, receiver) = (server.client(), Receiver::start());
    let hook = hook(&client, &receiver).await;
    contact(&client, "a").await;
    // The relay, which is internal work, has created the delivery.
    waits_untouched(&client, &hook, 1).await;
    client.until("/api/v1/events", |feed| !feed["data"].as_array().unwrap().is_empty()).await;
    let ready = client.get("/readyz").await.expect(200);
    assert_eq!(check(&ready, "outbound")["status"], "warning");
    assert_eq!(check(&ready, "engine")["status"], "ok");
    assert_eq!(ready["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(receiver.received().len(), 0);
}

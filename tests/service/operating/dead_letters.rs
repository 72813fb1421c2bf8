//! Dead-lettered jobs: listed, retried, discarded.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_storage_suite::databases::texts;

use super::contact;
use super::holding::{check, message};
use crate::support::{Client, Receiver, Server, Store};

/// Creates a conversation that is snoozed.
async fn snoozed(client: &Client, name: &str) -> String {
    let contact = contact(client, name).await;
    let messages = message(client, &contact).await;
    let conversation = messages.trim_end_matches("/messages").to_owned();
    let until = json!({"until": "2099-01-01T00:00:00Z"});
    client.post(&format!("{conversation}/snooze"), &until).await.expect(200);
    conversation
}

/// Waits for `count` dead-lettered jobs and returns them.
async fn dead(client: &Client, count: usize) -> Vec<Value> {
    let page = client.until("/api/v1/jobs?status=dead", |page| page["data"].as_array().unwrap().len() == count).await;
    page["data"].as_array().unwrap().clone()
}

/// Makes the job look like one that repeatedly killed its process, and due at once.
const POISON: &str = "UPDATE jobs SET claims = 5, due_at = now() WHERE kind = 'wake_conversation' RETURNING kind";
const AWAKE: &str = "UPDATE conversations SET snoozed_until = now() RETURNING id::text";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_retries_and_discards_dead_lettered_jobs() {
    let store = Store::postgres().await;
    let url = store.url();
    let server = Server::start(store, &[]);
    let client = server.client();
    assert_eq!(check(&client.get("/readyz").await.expect(200), "jobs")["status"], "ok");
    let conversation = snoozed(&client, "a").await;
    assert_eq!(texts(&url, POISON).await.len(), 1);

    let lost = dead(&client, 1).await.remove(0);
    let id = lost["id"].as_str().unwrap();
    assert_eq!((&lost["kind"], &lost["status"]), (&json!("wake_conversation"), &json!("dead")));
    assert!(conversation.ends_with(lost["subject"]["id"].as_str().unwrap()), "{lost}");
    assert!(lost["error"].as_str().unwrap().contains("five times"), "{lost}");
    assert_eq!((&lost["is_retriable"], lost["dead_at"].is_string()), (&json!(true), true));
    assert_eq!(client.get(&format!("/api/v1/jobs/{id}")).await.expect(200), lost);
    client.until("/readyz", |ready| check(ready, "jobs")["status"] == "warning").await;
    let listed = server.command(&["jobs", "list"]);
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["workspace_id"]), (&lost["id"], &json!(server.workspace)));

    let other = server.new_workspace("Other");
    let elsewhere = client.with_key(Some(&server.new_key(&other, "full")));
    assert_eq!(elsewhere.get("/api/v1/jobs").await.expect(200)["data"], json!([]));
    elsewhere.get(&format!("/api/v1/jobs/{id}")).await.expect(404);
    elsewhere.post(&format!("/api/v1/jobs/{id}/retry"), &json!({})).await.expect(404);
    elsewhere.delete(&format!("/api/v1/jobs/{id}")).await.expect(404);

    // Its due time has passed by now.
    texts(&url, AWAKE).await;
    let reply = client.post(&format!("/api/v1/jobs/{id}/retry"), &json!({})).await;
    let place = reply.header("location").unwrap().to_owned();
    let queued = reply.expect(202);
    assert_eq!((&queued["status"], &queued["subject"]), (&json!("queued"), &lost["subject"]));
    assert_ne!(queued["id"], lost["id"]);
    client.until(&conversation, |it| it["status"] == "open").await;
    client.until_status(&place, 404).await;
    client.get(&format!("/api/v1/jobs/{id}")).await.expect(404);
    client.post(&format!("/api/v1/jobs/{id}/retry"), &json!({})).await.expect(404);

    let put_off = snoozed(&client, "b").await;
    let waiting = texts(&url, POISON).await;
    assert_eq!(waiting.len(), 1);
    let id = dead(&client, 1).await[0]["id"].as_str().unwrap().to_owned();
    client.delete(&format!("/api/v1/jobs/{id}")).await.expect(204);
    client.delete(&format!("/api/v1/jobs/{id}")).await.expect(404);
    assert_eq!(dead(&client, 0).await, [] as [Value; 0]);
    assert_eq!(client.get(&put_off).await.expect(200)["status"], "snoozed");
}

/// Without an engine the job waits; it is not dead-lettered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_retrying_or_discarding_a_queued_job() {
    let server = Server::provision(Store::postgres().await, &[]);
    let mut api = server.begin(&["serve", "--role", "api", "--json"]);
    let mut line = String::new();
    BufReader::new(api.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    let client = Client::new(said["address"].as_str().unwrap(), Some(&server.key));

    client.get("/api/v1/jobs?status=queued").await.expect(422);
    let receiver = Receiver::start();
    let hook = super::hook(&client, &receiver).await;
    let yesterday = SystemClock.now().minus(Duration::from_secs(86_400));
    let range = json!({"since": yesterday, "status": "succeeded"});
    let replay = client.post(&format!("/api/v1/webhooks/{hook}/replay"), &range).await.expect(202);
    let path = format!("/api/v1/jobs/{}", replay["id"].as_str().unwrap());
    let shown = client.get(&path).await.expect(200);
    assert_eq!((&shown["status"], &shown["kind"]), (&json!("queued"), &json!("replay_deliveries")));
    assert_eq!((&shown["replay"], &shown["is_retriable"]), (&replay, &json!(false)));
    let retried = client.post(&format!("{path}/retry"), &json!({})).await;
    assert_eq!((retried.status, retried.code()), (409, "job_not_dead".to_owned()));
    let dropped = client.delete(&path).await;
    assert_eq!((dropped.status, dropped.code()), (409, "job_not_dead".to_owned()));
    assert_eq!(client.get(&path).await.expect(200), shown);
    api.kill().unwrap();
    api.wait().unwrap();
}

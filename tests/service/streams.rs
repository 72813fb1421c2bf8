//! `GET /api/v1/stream` of the running program, on both databases.

mod bounds;
mod credentials;
mod ends;
mod events;
mod instances;
mod relay;
mod requests;

use serde_json::{Value, json};

use crate::support::{Person, Server, Store};

/// A client that reads nothing for long is disconnected without an event; on a busy machine that would happen before a
/// buffer is full.
const PATIENT: (&str, &str) = ("TIDINGS__HTTP__TIMEOUTS__WRITE", "PT5M");

fn begin(store: Store) -> Server {
    Server::start(store, &[crate::support::people::OFTEN, PATIENT])
}

/// Creates a sandbox; returns a key with scope `full` and one with scope `read`.
async fn sandbox(server: &Server) -> (String, String) {
    let person = Person::new(server, &server.workspace, "admin").client(server).await;
    let platform = format!("/platform/workspaces/{}/sandbox", server.workspace);
    let keys = format!("/platform/workspaces/{}/api-keys", person.create(&platform, &Value::Null).await);
    let key = async |scope: &str| {
        let made = person.post(&keys, &json!({"name": scope, "scope": scope})).await.expect(201);
        made["key"].as_str().unwrap().to_owned()
    };
    (key("full").await, key("read").await)
}

on_both! {
    |store| &mut super::begin(store);
    sends_each_event_once_and_hints_for_other_changes in events,
    resumes_a_stream_after_a_disconnect in events,
    rejects_missing_and_malformed_positions in events,
    sends_request_hints_only_to_readers_of_the_log in requests,
    ends_a_stream_when_its_credential_ends in credentials,
    limits_streams_per_client_and_frees_closed_ones in bounds,
    closes_streams_of_slow_clients_with_the_reason in bounds,
    reports_a_shutdown_to_open_streams in ends,
    reports_an_emptied_sandbox in ends,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_of_one_database_stream_the_same_events() {
    instances::streams_changes_made_at_the_other_server(&begin(Store::postgres().await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_each_hint_once_to_the_other_server() {
    relay::sends_each_hint_once_to_the_other_server(&begin(Store::postgres().await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_changes_of_a_separate_engine() {
    let server = Server::provision(Store::postgres().await, &[]);
    relay::streams_changes_of_a_separate_engine(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resumes_hints_after_a_gap() {
    relay::resumes_hints_after_a_gap(&begin(Store::postgres().await)).await;
}

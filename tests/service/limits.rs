//! Rules of every response: the plan's limit, HTTP conformance, and one effect for each idempotency key.

mod plan;
mod repeats;
mod shared;
mod storage_full;
mod stored_responses;
mod wire;

use serde_json::Value;

use crate::support::{Client, Reply};

/// Sends a request with an idempotency key.
async fn post(client: &Client, path: &str, key: &str, body: &Value) -> Reply {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    client.send("POST", path, &headers, Some(body.to_string().into_bytes())).await.unwrap()
}

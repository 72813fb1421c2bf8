//! Features for operators: backups, the outbound pause, metrics for alerts, and packaging.

mod alerts;
mod copies;
mod dead_letters;
mod doctor;
mod holding;
mod licences;
mod packaging;
mod upgrades;
mod workspaces;

use serde_json::{Value, json};

use crate::support::{Client, Receiver};

/// Creates a webhook for new contacts; returns its ID.
pub async fn hook(client: &Client, receiver: &Receiver) -> String {
    let body = json!({"url": receiver.url, "events": ["contact.created"]});
    client.create("/api/v1/webhooks", &body).await
}

/// Creates a contact and returns its ID.
pub async fn contact(client: &Client, name: &str) -> String {
    let made = client.post("/api/v1/contacts", &json!({"external_id": name})).await.expect(201);
    made["id"].as_str().unwrap().to_owned()
}

pub async fn deliveries(client: &Client, hook: &str) -> Vec<Value> {
    let page = client.get(&format!("/api/v1/webhooks/{hook}/deliveries?limit=100")).await.expect(200);
    page["data"].as_array().unwrap().clone()
}

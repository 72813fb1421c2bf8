//! The effect on other contacts of ten thousand messages due in one conversation.

use std::sync::Arc;

use anyhow::Result;
use serde_json::{Value, json};

use super::churn::{Churning, measure};
use super::flows::Runs;
use super::place::Place;
use crate::http::{Answer, Traffic, Until, request};
use crate::results::{Churn, Form, On};
use crate::scenarios::Bench;
use crate::service::word;

const CONNECTIONS: usize = 16;

/// Measures runs of other contacts without and with the backlog. The backlog's channel is slow: the backlog lasts until
/// the end and costs only the processor time to skip it.
pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Churn>> {
    let mut sides = Vec::new();
    for name in ["others", "others_beside_backlog"] {
        let place = Place::found(bench, &bench.program, On::Postgres, name).await?;
        let mut runs = Runs::begin(place, bench.plan.wild.contacts / 2).await?.beside_others();
        if !sides.is_empty() {
            fill(bench, runs.place_mut()).await?;
        }
        let churn = Churning { name, unit: "run", on: On::Postgres }.churn(Form::Wild, false);
        sides.push((runs, churn));
    }
    measure(bench, Form::Wild, sides).await
}

/// Queues the messages of one contact while the engine is off, and then starts it.
async fn fill(bench: &Bench, place: &mut Place<'_>) -> Result<()> {
    let channel = json!({"kind": "http", "name": "Slow", "config": {"url": bench.receiver.slow_url("messages")}});
    let made = place.post("/api/v1/channels", &channel, 201).await?;
    let channel = word(&made, "id")?;
    place.post(&format!("/api/v1/channels/{channel}/connect"), &Value::Null, 200).await?;
    let contact = json!({"identities": [{"channel_id": channel, "address": "one"}]});
    let contact = place.post("/api/v1/contacts", &contact, 201).await?;
    let messages = Messages {
        key: place.seed.key.clone(),
        path: format!("/api/v1/contacts/{}/send-message", word(&contact, "id")?),
        body: json!({"type": "text", "text": "Now", "channel_id": channel}).to_string(),
    };
    place.serve("api")?;
    place.load(CONNECTIONS, Until::Requests(bench.plan.wild.backlog))?.run(Arc::new(messages)).await?;
    place.serve("all")
}

/// The same message repeatedly.
struct Messages {
    key: String,
    path: String,
    body: String,
}

impl Traffic for Messages {
    fn write(&self, _: u64, out: &mut Vec<u8>) {
        request("POST", &self.path, &self.key, "", &self.body, out);
    }

    fn check(&self, _: u64, answer: Answer<'_>) -> Result<()> {
        answer.expect(202).map(|_| ())
    }
}

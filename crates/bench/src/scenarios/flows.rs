//! Runs of a flow with three steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::Bench;
use super::creates::{forget, idle};
use crate::http::{Answer, Load, Traffic, Until, request};
use crate::postgres::text;
use crate::results::Scenario;
use crate::rounds::{Done, measured};
use crate::seed::{FIRST, contact_id};
use crate::service::word;

const CONNECTIONS: usize = 16;

/// Starts the flow for one contact after the other.
struct Starts {
    key: String,
    flow: String,
    first: u64,
}

impl Traffic for Starts {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        let contact = contact_id(self.first + number).map(|it| it.to_string()).unwrap_or_default();
        let body = json!({"flow_id": self.flow}).to_string();
        request("POST", &format!("/api/v1/contacts/{contact}/start-flow"), &self.key, "", &body, out);
    }

    fn check(&self, _: u64, answer: Answer<'_>) -> Result<()> {
        answer.expect(202).map(|_| ())
    }
}

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    let seed = bench.writable("flows").await?;
    let flow = {
        let service = bench.serve(&seed, "api")?;
        service.post("/api/v1/tags", &json!({"name": "welcomed"}), 201).await?;
        let flow = json!({"name": "Welcome", "definition": {"start": "hi", "nodes": [
            {"id": "hi", "type": "send_message", "next": "tag",
             "message": {"type": "text", "text": "Hi {{ contact.name }}"}},
            {"id": "tag", "type": "add_tag", "tag": "welcomed", "next": "city"},
            {"id": "city", "type": "set_field", "field": "custom_fields.city", "value": "Berlin", "next": "end"},
            {"id": "end", "type": "end"}]}});
        let made = service.post("/api/v1/flows", &flow, 201).await?;
        let id = word(&made, "id")?.to_owned();
        service.call("POST", &format!("/api/v1/flows/{id}/publish"), &Value::Null, 200).await?;
        id
    };
    let row = Scenario::new(
        "flow-runs",
        "Background work",
        "flow runs of three steps (a message, a tag, a field), from the first start to the last end",
        "none",
        "run",
    );
    // A contact starts a flow ten times an hour at the most, so each round has contacts of its own.
    let runs = bench.plan.flow_runs.min(seed.contacts / u64::from(bench.plan.rounds + 1));
    let done = AtomicU64::new(0);
    let row = row.alone(bench.plan.rounds, async |_| {
        forget(bench, &seed).await?;
        let first = FIRST + done.fetch_add(runs, Ordering::Relaxed);
        let traffic = Arc::new(Starts { key: seed.key.clone(), flow: flow.clone(), first });
        let service = bench.serve(&seed, "all")?;
        let load = Load { address: service.address()?, connections: CONNECTIONS, until: Until::Requests(runs) };
        let sample = measured(bench.meter(&service), async {
            let began = Instant::now();
            load.run(traffic).await?;
            completed(bench, &seed, done.load(Ordering::Relaxed)).await?;
            Ok(Done { operations: runs, seconds: began.elapsed().as_secs_f64(), ..Done::default() })
        });
        let sample = sample.await?;
        // What the runs caused has to end before the next round.
        idle(bench, &seed).await?;
        Ok(sample)
    });
    Ok(vec![row.await?])
}

/// Waits until so many runs are complete.
async fn completed(bench: &Bench, seed: &crate::seed::Seed, wanted: u64) -> Result<()> {
    let client = bench.cluster.connect(&seed.name).await?;
    for _ in 0..6_000 {
        let count = "SELECT count(*) FROM flow_runs WHERE status = 'completed'";
        if text(&client, count).await?.parse::<u64>()? >= wanted {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    bail!("the runs did not complete within two minutes")
}

//! The time from the request to the delivery, one event at a time, compared with a commit and a plain send.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Result;
use hdrhistogram::Histogram;
use serde_json::json;

use super::traffic::Create;
use super::{Bench, creates};
use crate::http::Connection;
use crate::meter::Meter;
use crate::results::{Compares, Sample, Scenario};
use crate::rounds::{Done, measured};
use crate::seed::Seed;
use crate::service::{Service, word};

/// Higher than the numbers of the other scenarios.
static NEXT: AtomicU64 = AtomicU64::new(900_000_000_000);

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    let (seed, beside_it) = (bench.writable("accept").await?, bench.writable("accept_limit").await?);
    let service = bench.serve(&seed, "all")?;
    beside(bench, &seed, &beside_it, &service, bench.plan.rounds).await.map(|row| vec![row])
}

/// Runs `rounds` rounds on one database, with the limit on a copy of it.
pub(super) async fn beside(
    bench: &Bench,
    seed: &Seed,
    beside: &Seed,
    service: &Service,
    rounds: u32,
) -> Result<Scenario> {
    let script = creates::transaction(bench, seed, service).await?;
    let hook = json!({"url": bench.receiver.url("accept"), "events": ["contact.created"]});
    let hook = service.post("/api/v1/webhooks", &hook, 201).await?;
    bench.receiver.expect("accept", word(&hook, "secret")?)?;
    let row = Scenario::new(
        "accept",
        "From the request to the receiver",
        "`POST /contacts` until its event has reached a webhook, one at a time, p50",
        "the same transaction in one round trip, then one bare reqwest send",
        "event",
    );
    let row = row.comparing(Compares::Time).at_most(1.7);
    let mut connection = Connection::open(service.address()?).await?;
    let client = bench.cluster.connect(&beside.name).await?;
    let sender = super::webhooks::sender()?;
    let url = bench.receiver.url("accept-limit");
    row.interleave(
        rounds,
        async |_| {
            let meter = bench.meter(service);
            each(bench, meter, async |number| {
                let mut bytes = Vec::new();
                Create::request(&seed.key, number, &mut bytes);
                connection.exchange(&bytes).await?.expect(201).map(|_| ())
            })
            .await
        },
        async |_| {
            let meter = Meter { service: None, database: Some(bench.cluster.postmaster) };
            each(bench, meter, async |number| {
                client.batch_execute(&script.literal(number)).await?;
                super::webhooks::send(&sender, &url, number, super::webhooks::BODY).await
            })
            .await
        },
    )
    .await
}

/// Repeats: runs the operation once and waits for the arrival.
async fn each(bench: &Bench, meter: Meter, mut one: impl AsyncFnMut(u64) -> Result<()>) -> Result<Sample> {
    measured(meter, async {
        bench.receiver.clear();
        let mut latencies = Histogram::<u64>::new(3)?;
        let begun = Instant::now();
        for arrived in 1..=bench.plan.events {
            let began = Instant::now();
            one(NEXT.fetch_add(1, Ordering::Relaxed)).await?;
            let at = bench.receiver.nth(arrived).await?;
            latencies.record(u64::try_from(at.duration_since(began).as_micros())?)?;
        }
        let at = |quantile: f64| Some(latencies.value_at_quantile(quantile) as f64 / 1_000.0);
        let seconds = begun.elapsed().as_secs_f64();
        Ok(Done { operations: bench.plan.events, seconds, p50_ms: at(0.5), p99_ms: at(0.99) })
    })
    .await
}

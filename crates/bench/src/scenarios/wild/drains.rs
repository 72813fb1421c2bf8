//! Events that wait while nobody works, and then are delivered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Result;

use super::churn::Churning;
use super::place::Place;
use crate::console::progress;
use crate::http::{Answer, Traffic, Until};
use crate::results::{Churn, Form, On, Sample};
use crate::rounds::{Done, measured};
use crate::scenarios::Bench;
use crate::scenarios::traffic::Create;
use crate::scenarios::webhooks::hooks;

const CLIENTS: usize = 64;
/// Keeps the names of all rounds apart.
static SERIES: AtomicU64 = AtomicU64::new(1);

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Churn>> {
    Ok(vec![draining(bench, 1, "drain-1").await?, draining(bench, 100, "drain-100").await?])
}

/// Fills and drains for as long as other scenarios churn.
async fn draining(bench: &Bench, webhooks: u64, name: &str) -> Result<Churn> {
    let mut place = Place::found(bench, &bench.program, On::Postgres, name).await?;
    let workspaces = hooks(bench, &place.seed, place.service()?, webhooks).await?;
    let keys: Vec<String> = workspaces.into_iter().map(|(_, key)| key).collect();
    let mut churn = Churning { name, unit: "delivery", on: On::Postgres }.churn(Form::Wild, false);
    let (began, enough) = (Instant::now(), bench.plan.wild.slice * bench.plan.wild.slices);
    while churn.slices.len() < 2 || began.elapsed() < enough {
        let sample = drain(bench, &mut place, &keys, webhooks).await?;
        progress(&format!("{} {}: {}", churn.title(), churn.slices.len() + 1, sample.words()));
        churn.profile = bench.cluster.spent(&place.seed.name, sample.operations).await?;
        churn.slices.push(sample);
    }
    place.close().await?;
    Ok(churn)
}

async fn drain(bench: &Bench, place: &mut Place<'_>, keys: &[String], webhooks: u64) -> Result<Sample> {
    bench.receiver.clear();
    place.serve("api")?;
    // Each event goes to every webhook of its workspace.
    let events = (bench.plan.wild.events * keys.len() as u64 / webhooks).max(1);
    let series = SERIES.fetch_add(1, Ordering::Relaxed);
    let creates = keys.iter().map(|key| Create::new(key, series)).collect();
    let made = place.load(CLIENTS, Until::Requests(events))?.run(Arc::new(InTurn(creates))).await?;
    let expected = made.operations * webhooks / keys.len() as u64;
    // What was said to create them is no part of it.
    bench.cluster.forget_spent().await?;
    place.serve("all")?;
    measured(place.meter()?, async {
        let seconds = bench.receiver.all(expected).await?;
        place.idle().await?;
        Ok(Done { operations: expected, seconds, ..Done::default() })
    })
    .await
}

/// New contacts in one workspace after the other.
struct InTurn(Vec<Create>);

impl InTurn {
    fn of(&self, number: u64) -> Option<&Create> {
        self.0.get(usize::try_from(number).ok()?.checked_rem(self.0.len())?)
    }
}

impl Traffic for InTurn {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        if let Some(create) = self.of(number) {
            create.write(number, out);
        }
    }

    fn check(&self, number: u64, answer: Answer<'_>) -> Result<()> {
        self.of(number).map_or(Ok(()), |create| create.check(number, answer))
    }
}

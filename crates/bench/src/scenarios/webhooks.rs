//! From waiting events to received, signed deliveries, compared with a plain reqwest loop to the same receiver.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use serde_json::json;
use tidings_domain::ids::{TypedId, WorkspaceId};

use super::creates::{forget, idle};
use super::{Bench, traffic};
use crate::http::Connection;
use crate::meter::Meter;
use crate::postgres::text;
use crate::results::Scenario;
use crate::rounds::{Done, measured};
use crate::seed::Seed;
use crate::service::{Service, word};

/// The number of webhooks in each workspace, the plan's maximum.
const A_WORKSPACE: u64 = 20;
/// The number of concurrent requests of the plain sender.
const UNDER_WAY: usize = 32;
/// A body as long as the envelope of a created contact.
pub(super) const BODY: &str = include_str!("envelope.json");

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    Ok(vec![draining(bench, 1).await?, draining(bench, 100).await?])
}

async fn draining(bench: &Bench, webhooks: u64) -> Result<Scenario> {
    let seed = bench.writable("webhooks").await?;
    let (seed, service) = prepare(bench, seed).await?;
    let workspaces = hooks(bench, &seed, &service, webhooks).await?;
    drop(service);
    let service = bench.serve(&seed, "all")?;
    let meter = bench.meter(&service);
    let row = Scenario::new(
        format!("drain-{webhooks}"),
        "Webhooks",
        format!("event → signed delivery: draining {} to {webhooks} webhook(s)", bench.plan.deliveries),
        "a bare reqwest loop to the same receiver",
        "delivery",
    );
    let ends: Vec<String> = (0..webhooks).map(|number| bench.receiver.url(&format!("limit/{number}"))).collect();
    let row = row.at_least(0.35).interleave(
        bench.plan.rounds,
        async |round| {
            forget(bench, &seed).await?;
            bench.receiver.clear();
            let wanted = wanted(bench, webhooks, round);
            let sample = measured(meter, async {
                // Each event is delivered to every webhook of its workspace.
                queue(bench, &seed, &workspaces, wanted / webhooks).await?;
                let seconds = bench.receiver.all(wanted).await?;
                Ok(Done { operations: wanted, seconds, ..Done::default() })
            });
            let sample = sample.await?;
            if bench.receiver.verified() == 0 && wanted > 100 {
                bail!("no signature was verified");
            }
            recorded(bench, &seed, wanted).await?;
            Ok(sample)
        },
        async |round| {
            bench.receiver.clear();
            let wanted = wanted(bench, webhooks, round);
            measured(Meter::default(), async {
                send_all(ends.clone(), wanted).await?;
                let seconds = bench.receiver.all(wanted).await?;
                Ok(Done { operations: wanted, seconds, ..Done::default() })
            })
            .await
        },
    );
    row.await
}

/// Returns the number of deliveries of a round; the first is a short warm-up.
fn wanted(bench: &Bench, webhooks: u64, round: u32) -> u64 {
    let all = if round == 0 { bench.plan.deliveries / 10 } else { bench.plan.deliveries };
    (all / webhooks).max(1) * webhooks
}

/// Saves one event and its relay job as a pattern.
async fn prepare(bench: &Bench, seed: Seed) -> Result<(Seed, Service)> {
    let service = bench.serve(&seed, "api")?;
    let mut bytes = Vec::new();
    traffic::Create::request(&seed.key, 1, &mut bytes);
    Connection::open(service.address()?).await?.exchange(&bytes).await?.expect(201)?;
    let client = bench.cluster.connect(&seed.name).await?;
    let keep = "CREATE TABLE bench_event AS SELECT to_jsonb(e) AS row FROM events e WHERE kind = 'contact.created'; \
                CREATE TABLE bench_job AS SELECT jsonb_build_object('pool', 'work', 'kind', 'relay', 'mark', 0, \
                'claimed', false, 'token', 0, 'claims', 0, 'attempts', 0, 'parked', false, 'followed', false) AS row";
    client.batch_execute(keep).await?;
    Ok((seed, service))
}

/// Creates the webhooks in as many workspaces as needed; returns each workspace with a key.
pub(super) async fn hooks(
    bench: &Bench,
    seed: &Seed,
    service: &Service,
    webhooks: u64,
) -> Result<Vec<(WorkspaceId, String)>> {
    let mut workspaces = vec![(WorkspaceId::from_uuid(seed.workspace), seed.key.clone())];
    for number in 1..webhooks.div_ceil(A_WORKSPACE) {
        let name = format!("Bench {number}");
        let made = ["workspace", "create", "--name", &name, "--plan", "business"];
        let id: WorkspaceId = word(&bench.program.run(&seed.storage, &made)?, "id")?.parse()?;
        let key = ["key", "create", "--workspace", &id.to_string(), "--scope", "full", "--name", "bench"];
        let key = word(&bench.program.run(&seed.storage, &key)?, "key")?.to_owned();
        workspaces.push((id, key));
    }
    for number in 0..webhooks {
        let (_, key) = workspaces.get(usize::try_from(number / A_WORKSPACE)?).context("a workspace")?;
        let end = format!("drain/{webhooks}/{number}");
        let body = json!({"url": bench.receiver.url(&end), "events": ["contact.created"]});
        let made = service.post_as(key, "/api/v1/webhooks", &body, 201).await?;
        bench.receiver.expect(&end, word(&made, "secret")?)?;
    }
    Ok(workspaces)
}

/// Adds `events` events with their relay jobs to each workspace, in one transaction.
async fn queue(bench: &Bench, seed: &Seed, workspaces: &[(WorkspaceId, String)], events: u64) -> Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(100_000_000_000);
    let client = bench.cluster.connect(&seed.name).await?;
    let mut fill = "BEGIN;".to_owned();
    for (workspace, _) in workspaces {
        let first = NEXT.fetch_add(events, Ordering::Relaxed);
        let (id, last) = (workspace.uuid(), first + events - 1);
        let numbers = format!("generate_series({first}::bigint, {last}::bigint) AS numbers (n)");
        fill.push_str(&format!(
            "INSERT INTO events SELECT made.* FROM {numbers}, bench_event b, jsonb_populate_record(NULL::events, b.row || \
             jsonb_build_object('workspace_id', '{id}', 'id', '01910000-0000-7000-8000-' || n, 'recorded_at', now(), \
             'position', NULL)) made; \
             INSERT INTO jobs SELECT made.* FROM {numbers}, bench_job b, jsonb_populate_record(NULL::jobs, b.row || \
             jsonb_build_object('workspace_id', '{id}', 'id', '01920000-0000-7000-8000-' || n, \
             'subject', '01910000-0000-7000-8000-' || n, 'due_at', now())) made;"
        ));
    }
    fill.push_str("COMMIT");
    client.batch_execute(&fill).await?;
    Ok(())
}

/// Checks that the service recorded each delivery as succeeded at the first attempt.
async fn recorded(bench: &Bench, seed: &Seed, wanted: u64) -> Result<()> {
    idle(bench, seed).await?;
    let client = bench.cluster.connect(&seed.name).await?;
    let count = "SELECT count(*) FROM deliveries WHERE status = 'succeeded' AND attempts = 1";
    let succeeded: u64 = text(&client, count).await?.parse()?;
    if succeeded != wanted {
        bail!("{succeeded} deliveries succeeded at the first attempt, but {wanted} arrived");
    }
    Ok(())
}

/// Creates an unguarded client: the limit.
#[expect(
    clippy::disallowed_methods,
    reason = "it calls the receiver of this run, and is what the guarded one is compared to"
)]
pub(super) fn sender() -> Result<reqwest::Client> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Ok(reqwest::Client::builder().no_proxy().build()?)
}

pub(super) async fn send(client: &reqwest::Client, url: &str, number: u64, body: &'static str) -> Result<()> {
    let request = client.post(url).header("content-type", "application/json").header("webhook-id", number.to_string());
    let answer = request.body(body).send().await?;
    if answer.status() != 204 {
        bail!("the receiver answered {}", answer.status());
    }
    Ok(())
}

/// Sends to the endpoints in turn, on a separate runtime with one thread per core.
async fn send_all(ends: Vec<String>, count: u64) -> Result<()> {
    let work = move || -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let (client, next) = (sender()?, Arc::new(AtomicU64::new(0)));
            let ends = Arc::new(ends);
            let tasks = (0..UNDER_WAY).map(|_| {
                let (client, next, ends) = (client.clone(), Arc::clone(&next), Arc::clone(&ends));
                tokio::spawn(async move {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            return anyhow::Ok(());
                        }
                        let end = ends.get(usize::try_from(number)? % ends.len().max(1)).context("an end")?;
                        send(&client, end, number, BODY).await?;
                    }
                })
            });
            for task in tasks.collect::<Vec<_>>() {
                task.await??;
            }
            Ok(())
        })
    };
    tokio::task::spawn_blocking(work).await?
}

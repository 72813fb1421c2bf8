//! A broadcast to all contacts through the sandbox, while another workspace continues to work.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tidings_domain::ids::WorkspaceId;

use super::churn::{Churning, LOOK};
use super::place::Place;
use crate::console::progress;
use crate::meter::resident_mib;
use crate::results::{Churn, Fact, Form, On, Sample, Spread};
use crate::rounds::{Done, measured};
use crate::scenarios::Bench;
use crate::service::word;

/// The pause of the other workspace between its contacts.
const BETWEEN: Duration = Duration::from_millis(500);
const MEMORY: &str = "a broadcast: the largest change of the service's memory since the first messages were created";

/// The observations of one broadcast, in addition to its rate.
#[derive(Default)]
struct Seen {
    frozen_seconds: f64,
    /// Minimum and maximum of the service's memory, in MiB.
    memory: Option<(f64, f64)>,
    /// Milliseconds from the other workspace's request to its delivery.
    neighbour: Vec<f64>,
}

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<(Vec<Churn>, Vec<Fact>)> {
    let (mut churns, mut facts) = (Vec::new(), Vec::new());
    for on in [On::Postgres, On::Sqlite] {
        let mut place = Place::found(bench, &bench.program, on, "broadcast").await?;
        let neighbour = neighbour(bench, &place).await?;
        place.populate(0..bench.plan.wild.audience).await?;
        place.idle().await?;
        let mut churn = Churning { name: "broadcast", unit: "message", on }.churn(Form::Wild, false);
        let mut all = Vec::new();
        for _ in 0..bench.plan.wild.broadcasts {
            bench.cluster.forget_spent().await?;
            let (sample, seen) = broadcast(bench, &place, &neighbour).await?;
            progress(&format!(
                "{} {}: {}, frozen in {:.2} s",
                churn.title(),
                churn.slices.len() + 1,
                sample.words(),
                seen.frozen_seconds
            ));
            if on == On::Postgres {
                churn.profile = bench.cluster.spent(&place.seed.name, sample.operations).await?;
            }
            churn.slices.push(sample);
            all.push(seen);
        }
        let spread = |figures: Vec<f64>| Spread::of(figures).context("a figure");
        let latest = |it: &Seen| it.neighbour.iter().copied().fold(0.0, f64::max);
        for (what, unit, figures, aim) in [
            ("a broadcast: its audience is frozen", "s", all.iter().map(|it| it.frozen_seconds).collect(), 60.0),
            (MEMORY, "MiB", all.iter().filter_map(|it| it.memory.map(|(least, most)| most - least)).collect(), 32.0),
            (
                "a broadcast: from another workspace's request to its webhook, the slowest",
                "ms",
                all.iter().map(latest).collect(),
                3_000.0,
            ),
        ] {
            let (title, value) =
                (format!("{what}, {} contacts, {}", bench.plan.wild.audience, on.word()), spread(figures)?);
            facts.push(Fact { title, unit: unit.to_owned(), value, aim: Some(aim) });
        }
        churns.push(churn);
        place.end();
        place.close().await?;
    }
    Ok((churns, facts))
}

/// Creates another workspace with a webhook; returns its key.
async fn neighbour(bench: &Bench, place: &Place<'_>) -> Result<String> {
    let storage = &place.seed.storage;
    let made = ["workspace", "create", "--name", "Neighbour", "--plan", "business"];
    let id: WorkspaceId = word(&bench.program.run(storage, &made)?, "id")?.parse()?;
    let key = ["key", "create", "--workspace", &id.to_string(), "--scope", "full", "--name", "bench"];
    let key = word(&bench.program.run(storage, &key)?, "key")?.to_owned();
    let body = json!({"url": bench.receiver.url("neighbour"), "events": ["contact.created"]});
    let hook = place.service()?.post_as(&key, "/api/v1/webhooks", &body, 201).await?;
    bench.receiver.expect("neighbour", word(&hook, "secret")?)?;
    Ok(key)
}

/// Sends one broadcast and waits until it is complete.
async fn broadcast(bench: &Bench, place: &Place<'_>, neighbour: &str) -> Result<(Sample, Seen)> {
    let draft = json!({
        "name": "News",
        "audience": {"all": []},
        "message": {"type": "text", "text": "Hello {{ contact.first_name | default(\"there\") }}, we open at nine."},
    });
    let made = place.post("/api/v1/broadcasts", &draft, 201).await?;
    let path = format!("/api/v1/broadcasts/{}", word(&made, "id")?);
    bench.receiver.clear();
    let mut seen = Seen::default();
    let sample = measured(place.meter()?, async {
        let began = Instant::now();
        place.post(&format!("{path}/send"), &json!({}), 202).await?;
        let watching = watch(place, &path, began, &mut seen.frozen_seconds, &mut seen.memory);
        let beside = work(bench, place, neighbour, &mut seen.neighbour);
        let operations = tokio::select! {
            operations = watching => operations?,
            ended = beside => { ended?; bail!("the other workspace stopped") }
        };
        Ok(Done { operations, seconds: began.elapsed().as_secs_f64(), ..Done::default() })
    })
    .await?;
    Ok((sample, seen))
}

/// Watches a broadcast until every contact has the message.
async fn watch(
    place: &Place<'_>,
    path: &str,
    began: Instant,
    frozen: &mut f64,
    memory: &mut Option<(f64, f64)>,
) -> Result<u64> {
    let pid = place.service()?.pid();
    loop {
        let it = place.service()?.get(path).await?;
        let count = |what: &str| it.pointer(&format!("/stats/{what}")).and_then(Value::as_u64).unwrap_or_default();
        if *frozen == 0.0 && count("targeted") > 0 {
            *frozen = began.elapsed().as_secs_f64();
        }
        if count("sent") > 0 {
            let now = resident_mib(pid)?;
            let (least, most) = memory.unwrap_or((now, now));
            *memory = Some((least.min(now), most.max(now)));
        }
        match word(&it, "status")? {
            "completed" if count("sent") == place.bench.plan.wild.audience => return Ok(count("sent")),
            "scheduled" | "sending" => tokio::time::sleep(LOOK).await,
            _ => bail!("the broadcast ended as {it}"),
        }
    }
}

/// Creates a contact at intervals and measures the time until its event is delivered. Never returns.
async fn work(bench: &Bench, place: &Place<'_>, key: &str, took: &mut Vec<f64>) -> Result<()> {
    for number in 1.. {
        let began = Instant::now();
        place.service()?.post_as(key, "/api/v1/contacts", &json!({}), 201).await?;
        let arrived = bench.receiver.nth(number).await?;
        took.push(arrived.duration_since(began).as_secs_f64() * 1e3);
        tokio::time::sleep(BETWEEN).await;
    }
    Ok(())
}

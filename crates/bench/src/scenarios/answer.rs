//! A small response through everything before a handler: API key, rate limiter, usage log and access log.

use std::io::BufReader;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result};

use super::Bench;
use super::traffic::Same;
use crate::http::{Load, Until};
use crate::meter::Meter;
use crate::results::Scenario;
use crate::rounds::measured;
use crate::service::Service;

const CONNECTIONS: usize = 16;

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    let seed = bench.seed(bench.plan.fewest())?;
    let service = bench.serve(seed, "api")?;
    let traffic = Arc::new(Same::of(&service, &seed.key, "/api/v1/me").await?);
    let bare = bare(&String::from_utf8(traffic.body.clone())?)?;
    let load = |address| Load { address, connections: CONNECTIONS, until: Until::Time(bench.plan.load) };
    let (ours, limit) = (load(service.address()?), load(bare.address()?));
    let scenario = Scenario::new(
        "answer",
        "A small answer",
        "`GET /api/v1/me`, 16 connections: key, limiter, usage log, access log",
        "bare actix-web with the same body",
        "answer",
    );
    let scenario = scenario.at_least(0.70).interleave(
        bench.plan.rounds,
        async |_| measured(bench.meter(&service), ours.run(traffic.clone())).await,
        async |_| {
            let meter = Meter { service: Some(bare.pid()), database: None };
            measured(meter, limit.run(traffic.clone())).await
        },
    );
    Ok(vec![scenario.await?])
}

/// Starts this program as a server that always returns the same body.
fn bare(body: &str) -> Result<Service> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bare", "--body", body]).stdout(Stdio::piped());
    let mut child = command.spawn()?;
    let out = child.stdout.take().context("its output")?;
    Service::of(child, &mut BufReader::new(out))
}

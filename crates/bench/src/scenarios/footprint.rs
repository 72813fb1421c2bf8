//! The footprint of the program: memory, start time and size on disk.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Bench;
use super::traffic::ById;
use crate::http::{Load, Until};
use crate::meter::resident_mib;
use crate::results::{Fact, Spread};
use crate::seed::Seed;

const CONNECTIONS: usize = 64;

pub(super) async fn run(bench: &Bench) -> Result<Vec<Fact>> {
    let postgres = bench.seed(bench.plan.fewest())?.clone();
    let sqlite = Seed::on_sqlite(&bench.folder, &bench.program, bench.plan.fewest()).await?;
    let mut facts = Vec::new();
    for (on, seed, role) in [("PostgreSQL", postgres, "api"), ("SQLite", sqlite, "all")] {
        let mut starts = Vec::new();
        for _ in 0..bench.plan.starts {
            let began = Instant::now();
            let service = bench.serve(&seed, role)?;
            service.get("/api/v1/me").await?;
            starts.push(began.elapsed().as_secs_f64() * 1_000.0);
        }
        facts.push(fact(format!("from the start to the first 200, {on}"), "ms", starts, Some(150.0))?);
        let service = bench.serve(&seed, role)?;
        service.get("/api/v1/me").await?;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let idle = resident_mib(service.pid())?;
        facts.push(fact(format!("memory when idle, {on}"), "MiB", [idle], Some(40.0))?);
        let until = Until::Time(bench.plan.load * 2);
        let load = Load { address: service.address()?, connections: CONNECTIONS, until };
        load.run(Arc::new(ById::new(&seed.key, seed.contacts))).await?;
        let loaded = resident_mib(service.pid())?;
        let title = format!("memory after gets from {CONNECTIONS} connections, {on}");
        facts.push(fact(title, "MiB", [loaded], Some(80.0))?);
    }
    let stripped = stripped(bench.program.path(), &bench.folder)?;
    facts.push(fact("the program, stripped".to_owned(), "MB", [stripped], Some(35.0))?);
    Ok(facts)
}

fn fact(title: String, unit: &str, figures: impl IntoIterator<Item = f64>, aim: Option<f64>) -> Result<Fact> {
    Ok(Fact { title, unit: unit.to_owned(), value: Spread::of(figures).context("a figure")?, aim })
}

/// Returns the megabytes of a copy without symbols, or of the program itself if `strip` is missing.
fn stripped(program: &Path, folder: &Path) -> Result<f64> {
    let copy = folder.join("stripped");
    let ran = std::process::Command::new("strip").arg(program).arg("-o").arg(&copy).status();
    let file = if ran.is_ok_and(|it| it.success()) { copy.as_path() } else { program };
    Ok(std::fs::metadata(file)?.len() as f64 / 1e6)
}

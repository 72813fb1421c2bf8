//! pgbench, PostgreSQL's own benchmark client, with the service's statements.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hdrhistogram::Histogram;
use tokio::process::Command;

use super::{Cluster, Script};
use crate::meter::Meter;
use crate::results::Sample;
use crate::rounds::{Done, measured};

/// The length of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Extent {
    Time(Duration),
    /// A number of transactions for each client.
    Transactions(u64),
}

/// A run of pgbench against a database.
#[derive(Debug, Clone)]
pub(crate) struct Pgbench<'c> {
    cluster: &'c Cluster,
    database: String,
    clients: usize,
    extent: Extent,
    folder: PathBuf,
}

impl<'c> Pgbench<'c> {
    pub(crate) fn new(cluster: &'c Cluster, database: &str, clients: usize, extent: Extent, folder: &Path) -> Self {
        Self { cluster, database: database.to_owned(), clients, extent, folder: folder.to_owned() }
    }

    /// Runs a script with prepared statements.
    ///
    /// # Errors
    /// A transaction failed.
    pub(crate) async fn run(&self, script: &Script) -> Result<Sample> {
        let meter = Meter { service: None, database: Some(self.cluster.postmaster) };
        measured(meter, self.transactions(script)).await
    }

    async fn transactions(&self, script: &Script) -> Result<Done> {
        let (file, log) = (self.folder.join("script.sql"), self.folder.join("latency"));
        std::fs::write(&file, script.text())?;
        let threads = self.clients.min(std::thread::available_parallelism()?.get());
        let mut command = Command::new(&self.cluster.pgbench);
        command.current_dir(&self.folder).args(self.cluster.arguments()).args(["-n", "-M", "prepared", "-l"]);
        command.args(["-c", &self.clients.to_string(), "-j", &threads.to_string(), "--log-prefix"]).arg(&log);
        command.arg("-f").arg(&file);
        match self.extent {
            Extent::Time(time) => command.args(["-T", &time.as_secs().max(1).to_string()]),
            Extent::Transactions(count) => command.args(["-t", &count.to_string()]),
        };
        command.args(script.variables.iter().map(|(name, value)| format!("-D{name}={value}"))).arg(&self.database);
        let output = command.output().await.context("pgbench did not start")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaints = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || complaints.contains("aborted") || complaints.contains("ERROR") {
            let first: Vec<&str> = complaints.lines().filter(|it| it.contains("error")).take(3).collect();
            bail!("pgbench failed: {}\n{}", first.join("\n"), script.text());
        }
        let operations = number(&said, "number of transactions actually processed: ").context("pgbench counts")?;
        let rate = number(&said, "tps = ").context("pgbench completed nothing in time: the machine is busy")?;
        let latencies = self.latencies()?;
        let at = |quantile: f64| Some(latencies.value_at_quantile(quantile) as f64 / 1_000.0);
        Ok(Done { operations: operations as u64, seconds: operations / rate, p50_ms: at(0.5), p99_ms: at(0.99) })
    }

    /// Reads and deletes the logs. Each line is a transaction, and its third word is the time in microseconds.
    fn latencies(&self) -> Result<Histogram<u64>> {
        let mut latencies = Histogram::new(3)?;
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|it| it.to_string_lossy().starts_with("latency")) {
                for line in std::fs::read_to_string(&path)?.lines() {
                    let micros = line.split(' ').nth(2).and_then(|it| it.parse().ok());
                    latencies.record(micros.context("a latency of pgbench")?)?;
                }
                std::fs::remove_file(path)?;
            }
        }
        Ok(latencies)
    }
}

/// Returns the number that follows some words; `number of transactions … 5/5` is five.
fn number(said: &str, words: &str) -> Option<f64> {
    let rest = said.split_once(words)?.1;
    let end = rest.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

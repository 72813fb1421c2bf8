//! One flow run alone: its statements on PostgreSQL after all of them were prepared.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::churn::Work;
use super::flows::Runs;
use super::place::Place;
use crate::http::Until;
use crate::postgres::{Asked, Step};
use crate::results::{On, OneRun};
use crate::scenarios::Bench;

/// The number of concurrent runs before it, so each connection has prepared its statements.
const BEFORE: u64 = 200;
/// The number of runs one at a time after those.
const ONE_BY_ONE: u64 = 5;
/// The number of counted runs; periodic work falls into at most one of them.
const COUNTED: usize = 3;
/// Work shared by all runs or unrelated to them: event positions, request and key usage logs, analytics counts, and the
/// queries that run each second (holds, due rows, the next due time). A transaction that contains one of them does not
/// belong to the run.
const OTHERS: &[&str] = &[
    "feed_heads",
    "leases",
    "\"event_outbox\"",
    "api_usage",
    "last_used_at",
    "analytics_counters",
    "write_probe",
    "claims >= 5",
    "store_marks",
    "outbound = 'hold'",
    "q.queued_for",
    "SELECT \"jobs\".\"due_at\" FROM \"jobs\"",
];

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<OneRun> {
    let place = Place::found(bench, &bench.program, On::Postgres, "alone").await?;
    let mut runs = Runs::begin(place, BEFORE).await?;
    runs.slice(Until::Requests(BEFORE)).await?;
    for _ in 0..ONE_BY_ONE {
        runs.slice(Until::Requests(1)).await?;
    }
    let own = runs.place().number("SELECT pg_backend_pid()").await?;
    let name = runs.place().seed.name.clone();
    let mut counted = Vec::new();
    for _ in 0..COUNTED {
        let one = async { runs.slice(Until::Requests(1)).await.map(|_| ()) };
        let steps = bench.cluster.listen_closely(&name, one).await?;
        counted.push(count(steps.into_iter().filter(|it| u64::from(it.pid) != own)));
    }
    runs.close().await?;
    let middle = |take: fn(&OneRun) -> u64| {
        let mut sorted: Vec<u64> = counted.iter().map(take).collect();
        sorted.sort_unstable();
        sorted.get(COUNTED / 2).copied().context("a run")
    };
    Ok(OneRun {
        statements: middle(|it| it.statements)?,
        transactions: middle(|it| it.transactions)?,
        prepared: middle(|it| it.prepared)?,
    })
}

/// Counts the statements of the run, including begin and commit.
fn count(steps: impl Iterator<Item = Step>) -> OneRun {
    let mut counted = OneRun { statements: 0, transactions: 0, prepared: 0 };
    // The statements of each connection since its transaction began.
    let mut open: BTreeMap<u32, Vec<Step>> = BTreeMap::new();
    for step in steps {
        let is_own = !is_of_others(&step);
        let (pid, word) = (step.pid, step.sql.trim_end_matches(';').to_uppercase());
        match (step.asked, open.get_mut(&pid)) {
            (Asked::Parse, _) => counted.prepared += u64::from(is_own),
            (Asked::Bind, _) => {}
            (Asked::Execute, None) if word.starts_with("BEGIN") => drop(open.insert(pid, vec![step])),
            (Asked::Execute, None) => counted.statements += u64::from(is_own),
            (Asked::Execute, Some(said)) => {
                said.push(step);
                if matches!(word.as_str(), "COMMIT" | "ROLLBACK") {
                    counted.add(&open.remove(&pid).unwrap_or_default());
                }
            }
        }
    }
    counted
}

impl OneRun {
    /// Adds a complete transaction.
    fn add(&mut self, said: &[Step]) {
        if !said.iter().any(is_of_others) {
            self.statements += said.len() as u64;
            self.transactions += 1;
        }
    }
}

fn is_of_others(step: &Step) -> bool {
    OTHERS.iter().any(|it| step.sql.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_not_count_the_statements_of_other_work() {
        let step = |pid, asked, sql: &str| Step { pid, asked, micros: 1, sql: sql.to_owned() };
        let execute = |pid, sql| step(pid, Asked::Execute, sql);
        let said = [
            step(1, Asked::Parse, "SELECT 1"),
            execute(1, "SELECT 1"),
            execute(2, "BEGIN"),
            execute(3, "BEGIN"),
            execute(2, "UPDATE flow_runs"),
            execute(3, "SELECT now()"),
            execute(3, "UPDATE \"leases\""),
            execute(2, "COMMIT"),
            execute(3, "COMMIT"),
            execute(1, "INSERT INTO api_usage"),
        ];
        let counted = count(said.into_iter());
        assert_eq!((counted.statements, counted.transactions, counted.prepared), (4, 1, 1));
    }
}

//! One run alone: what it says to PostgreSQL when everything it needs was prepared before.

use std::collections::BTreeMap;

use anyhow::Result;

use super::churn::Work;
use super::flows::Runs;
use super::place::Place;
use crate::http::Until;
use crate::postgres::{Asked, Step};
use crate::results::{On, OneRun};
use crate::scenarios::Bench;

/// So many runs come before it.
const BEFORE: u64 = 40;
/// What goes on for all runs together, or for no run at all: positions of events, logs of requests and uses of keys,
/// counts for the analytics, and what is looked for again and again.
const OTHERS: &[&str] = &[
    "event_heads",
    "position IS NULL",
    "leases",
    "api_usage",
    "last_used_at",
    "analytics_",
    "pg_stat",
    "pg_reload_conf",
];

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<OneRun> {
    let place = Place::found(bench, &bench.program, On::Postgres, "alone").await?;
    let mut runs = Runs::begin(place, BEFORE * 2).await?;
    for _ in 0..BEFORE {
        runs.slice(Until::Requests(1)).await?;
    }
    let own = runs.place().number("SELECT pg_backend_pid()").await?;
    let name = runs.place().estate.name.clone();
    let steps = bench.cluster.listen_closely(&name, async { runs.slice(Until::Requests(1)).await.map(|_| ()) }).await?;
    let counted = count(steps.into_iter().filter(|it| u64::from(it.pid) != own));
    runs.close().await?;
    Ok(counted)
}

/// Counts what is of the run: transactions in which nothing of it is done do not count.
fn count(steps: impl Iterator<Item = Step>) -> OneRun {
    let mut counted = OneRun { statements: 0, transactions: 0, prepared: 0 };
    // What each connection said since its transaction began.
    let mut open: BTreeMap<u32, Vec<Step>> = BTreeMap::new();
    for step in steps {
        if step.asked == Asked::Prepare {
            counted.prepared += u64::from(is_of_run(&step));
            continue;
        }
        let word = step.sql.trim_end_matches(';').to_uppercase();
        if word.starts_with("BEGIN") {
            open.insert(step.pid, vec![step]);
        } else if let Some(mut said) = open.remove(&step.pid) {
            said.push(step);
            if word == "COMMIT" || word == "ROLLBACK" {
                // The first and the last are not a statement that does something.
                let inner = said.len().saturating_sub(2);
                let of_run = said.iter().skip(1).take(inner).filter(|it| is_of_run(it)).count() as u64;
                if of_run > 0 {
                    counted.statements += of_run + 2;
                    counted.transactions += 1;
                }
            } else if let Some(first) = said.first() {
                open.insert(first.pid, said);
            }
        } else if is_of_run(&step) {
            counted.statements += 1;
        }
    }
    counted
}

fn is_of_run(step: &Step) -> bool {
    !OTHERS.iter().any(|it| step.sql.contains(it))
}

//! Jobs without work, compared with pgbench that claims and completes fifty at a time.

use anyhow::{Context, Result, bail};

use super::Bench;
use super::creates::{forget, idle};
use crate::postgres::{Extent, Pgbench, Script, Statement, text};
use crate::results::Scenario;
use crate::rounds::{Done, measured};
use crate::seed::Seed;

/// The number of jobs that the limit claims at once.
const CLAIM: u64 = 50;
/// The number of clients of the limit.
const CLIENTS: u64 = 4;

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    let (seed, beside) = (bench.writable("jobs").await?, bench.writable("jobs_limit").await?);
    let service = bench.serve(&seed, "all")?;
    let meter = bench.meter(&service);
    let script = claim(bench, &seed).await?;
    let jobs = bench.plan.jobs / (CLAIM * CLIENTS) * CLAIM * CLIENTS;
    let extent = Extent::Transactions(jobs / CLAIM / CLIENTS);
    let pgbench = Pgbench::new(&bench.cluster, &beside.name, CLIENTS as usize, extent, &bench.folder);
    let row = Scenario::new(
        "jobs",
        "Background work",
        format!("{jobs} jobs that find nothing to do, each ended in the ledger"),
        "pgbench: the same claim with SKIP LOCKED, 50 at a time, then one DELETE of the 50",
        "job",
    );
    let row = row.at_least(0.5).interleave(
        bench.plan.rounds,
        async |_| {
            forget(bench, &seed).await?;
            fill(bench, &seed, jobs).await?;
            measured(meter, async {
                let began = begun(bench, &seed).await?;
                idle(bench, &seed).await?;
                Ok(Done { operations: jobs, seconds: began.elapsed().as_secs_f64(), ..Done::default() })
            })
            .await
        },
        async |_| {
            forget(bench, &beside).await?;
            fill(bench, &beside, jobs).await?;
            let mut sample = pgbench.run(&script).await?;
            let client = bench.cluster.connect(&beside.name).await?;
            let left: u64 = text(&client, "SELECT count(*) FROM jobs").await?.parse()?;
            if left > jobs / 10 {
                bail!("pgbench left {left} of {jobs} jobs");
            }
            // Each transaction handles many jobs.
            let each = |it: f64| it * sample.operations as f64 / (jobs - left) as f64;
            (sample.database_cpu_us, sample.client_cpu_us) = (each(sample.database_cpu_us), each(sample.client_cpu_us));
            (sample.operations, sample.p50_ms, sample.p99_ms) = (jobs - left, None, None);
            Ok(sample)
        },
    );
    Ok(vec![row.await?])
}

/// Waits for the first claim, because the engine's idle time before it is not measured.
async fn begun(bench: &Bench, seed: &Seed) -> Result<std::time::Instant> {
    let client = bench.cluster.connect(&seed.name).await?;
    let claimed = "SELECT exists(SELECT 1 FROM jobs WHERE claimed) OR NOT exists(SELECT 1 FROM jobs)";
    while text(&client, claimed).await? != "t" {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    Ok(std::time::Instant::now())
}

/// Adds jobs that relay missing events: the engine reads them, finds no event and completes them.
async fn fill(bench: &Bench, seed: &Seed, jobs: u64) -> Result<()> {
    let client = bench.cluster.connect(&seed.name).await?;
    let fill = format!(
        "INSERT INTO jobs (workspace_id, id, pool, kind, subject, mark, due_at, claimed, token, claims, attempts) \
         SELECT '{}', ('01920000-0000-7000-8000-' || n)::uuid, 'work', 'relay', gen_random_uuid(), 0, now(), \
         false, 0, 0, 0 FROM generate_series(100000000000, 100000000000 + {jobs} - 1) AS numbers (n)",
        seed.workspace
    );
    client.batch_execute(&fill).await?;
    Ok(())
}

/// Captures the engine's claim statement, changes it to claim fifty, and adds their completion.
async fn claim(bench: &Bench, seed: &Seed) -> Result<Script> {
    let probe = async {
        fill(bench, seed, 1).await?;
        idle(bench, seed).await
    };
    let statements = bench.cluster.listen(&seed.name, probe).await?;
    let is_claim =
        |it: &&Statement| it.sql.contains("SKIP LOCKED") && it.parameters.iter().flatten().any(|value| value == "work");
    let mut claim = statements.iter().find(is_claim).context("no claim was seen")?.clone();
    let limit = claim.sql.split_once("LIMIT $").context("a claim without a limit")?.1;
    let digits: String = limit.chars().take_while(char::is_ascii_digit).collect();
    let place = digits.parse::<usize>()?.checked_sub(1).context("a parameter")?;
    *claim.parameters.get_mut(place).context("the limit of a claim")? = Some(CLAIM.to_string());
    claim.sql =
        format!("WITH claimed AS ({}) SELECT coalesce(array_agg(id)::text, '{{}}') AS ids FROM claimed", claim.sql);
    let script = Script::fixed().say(&[claim], None)?;
    // Stores the claimed IDs in a variable: \gset replaces the semicolon.
    Ok(script
        .with("FROM claimed;", "FROM claimed \\gset")
        .line(format!("DELETE FROM jobs WHERE workspace_id = '{}' AND id = ANY(:ids::uuid[]);", seed.workspace)))
}

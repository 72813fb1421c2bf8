//! New contacts with their event, outbox job and idempotency record, compared with pgbench running the same statements
//! in one transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use tokio_postgres::error::SqlState;

use super::Bench;
use super::traffic::Create;
use crate::http::{Connection, Load, Until};
use crate::postgres::{MARKER, Script, Statement, is_idle, text};
use crate::results::Scenario;
use crate::rounds::measured;
use crate::seed::{HISTORY, Seed};
use crate::service::Service;

/// Keeps the names of all rounds distinct.
static SERIES: AtomicU64 = AtomicU64::new(1);

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    let (seed, beside) = (bench.writable("creates").await?, bench.writable("creates_limit").await?);
    let mut rows = Vec::new();
    for (clients, role, target) in [(16, "api", Some(0.65)), (bench.plan.crowd, "api", Some(1.0)), (16, "all", None)] {
        forget(bench, &seed).await?;
        forget(bench, &beside).await?;
        let service = bench.serve(&seed, role)?;
        rows.push(creating(bench, [&seed, &beside], &service, clients, role, target).await?);
    }
    Ok(rows)
}

async fn creating(
    bench: &Bench,
    // Two databases with the same data, so the service's engine does not process the rows of pgbench.
    [seed, beside]: [&Seed; 2],
    service: &Service,
    clients: usize,
    role: &str,
    target: Option<f64>,
) -> Result<Scenario> {
    let script = transaction(bench, seed, service).await?;
    let also = if role == "all" { ", the engine relays in the same process" } else { "" };
    let row = Scenario::new(
        format!("create-{clients}{}", if role == "all" { "-with-engine" } else { "" }),
        "Create a contact",
        format!("`POST /contacts` with `Idempotency-Key`, {clients} clients{also}"),
        "pgbench, the same statements in one transaction, as many clients",
        "create",
    );
    let row = row.note(format!("{} in the transaction", script.size()));
    let row = target.into_iter().fold(row, Scenario::at_least);
    let load = Load { address: service.address()?, connections: clients, until: Until::Time(bench.plan.load) };
    let pgbench = bench.pgbench(beside, clients);
    row.interleave(
        bench.plan.rounds,
        async |_| {
            let before = kept(bench, seed).await?;
            let traffic = Arc::new(Create::new(&seed.key, SERIES.fetch_add(1, Ordering::Relaxed)));
            let sample = measured(bench.meter(service), load.run(traffic)).await?;
            let made = kept(bench, seed).await? - before;
            if made != sample.operations {
                bail!("{made} contacts exist, but {} were acknowledged", sample.operations);
            }
            if role == "all" {
                idle(bench, seed).await?;
            }
            Ok(sample)
        },
        async |_| pgbench.run(&script.in_round(SERIES.fetch_add(1, Ordering::Relaxed))).await,
    )
    .await
}

/// Deletes the history, but not the contacts.
pub(super) async fn forget(bench: &Bench, seed: &Seed) -> Result<()> {
    let client = bench.cluster.connect(&seed.name).await?;
    let truncate = format!("TRUNCATE {} CASCADE", HISTORY.join(", "));
    for _ in 0..10 {
        match client.batch_execute(&truncate).await {
            // The service uses the same tables in another order. The truncation had no effect and is retried.
            Err(error) if error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED) => {}
            outcome => return Ok(outcome?),
        }
    }
    bail!("the tables were in use the whole time")
}

/// Returns the number of contacts with both their event and their idempotency record. A record's name ends in the
/// client's key.
async fn kept(bench: &Bench, seed: &Seed) -> Result<u64> {
    let client = bench.cluster.connect(&seed.name).await?;
    // Autovacuum is off; without statistics of the new rows, the join would be a nested loop.
    client.batch_execute("ANALYZE contacts, events, idempotency_keys").await?;
    let count = "SELECT count(*) FROM contacts c JOIN events e ON e.workspace_id = c.workspace_id \
                 AND e.contact_id = c.id AND e.kind = 'contact.created' JOIN idempotency_keys k \
                 ON k.workspace_id = c.workspace_id AND substring(k.key FROM '[^ ]+$') = c.external_id";
    Ok(text(&client, count).await?.parse()?)
}

/// Waits until the engine has no work left.
pub(super) async fn idle(bench: &Bench, seed: &Seed) -> Result<()> {
    let client = bench.cluster.connect(&seed.name).await?;
    for _ in 0..6_000 {
        if is_idle(&client).await? {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    bail!("the engine did not finish within two minutes")
}

/// Captures the transaction that creates a contact.
pub(super) async fn transaction(bench: &Bench, seed: &Seed, service: &Service) -> Result<Script> {
    let first = create_one(service, &seed.key, SERIES.fetch_add(1, Ordering::Relaxed));
    first.await?;
    let client = bench.cluster.connect(&seed.name).await?;
    let forget = format!(
        "DELETE FROM contact_identities i USING contacts c WHERE c.id = i.contact_id AND c.external_id = 'new-{MARKER}'; \
         DELETE FROM contacts WHERE external_id = 'new-{MARKER}'; \
         DELETE FROM idempotency_keys WHERE key LIKE '% new-{MARKER}'"
    );
    client.batch_execute(&forget).await?;
    let other = 800_000_000_000 + SERIES.fetch_add(1, Ordering::Relaxed);
    let one = bench.cluster.listen(&seed.name, create_one(service, &seed.key, MARKER.parse()?)).await?;
    let another = bench.cluster.listen(&seed.name, create_one(service, &seed.key, other)).await?;
    Script::of_new().say(&writing(&one)?, Some(&writing(&another)?))
}

async fn create_one(service: &Service, key: &str, number: u64) -> Result<()> {
    let mut bytes = Vec::new();
    Create::request(key, number, &mut bytes);
    Connection::open(service.address()?).await?.exchange(&bytes).await?.expect(201)?;
    Ok(())
}

/// Returns the statements from BEGIN to COMMIT of the transaction that inserts a contact.
fn writing(statements: &[Statement]) -> Result<Vec<Statement>> {
    let is = |it: &Statement, word: &str| it.sql.trim_end_matches(';').eq_ignore_ascii_case(word);
    let insert = statements.iter().position(|it| it.sql.starts_with("INSERT INTO contacts "));
    let insert = insert.context("no insert of a contact was seen")?;
    let pid = statements.get(insert).map(|it| it.pid);
    let of_connection = |(place, it): (usize, &Statement)| (Some(it.pid) == pid).then(|| (place, it.clone()));
    let own: Vec<(usize, Statement)> = statements.iter().enumerate().filter_map(of_connection).collect();
    let begin = own.iter().rposition(|(place, it)| *place < insert && is(it, "BEGIN")).context("no BEGIN was seen")?;
    let end = own.iter().position(|(place, it)| *place > insert && is(it, "COMMIT")).context("no COMMIT was seen")?;
    Ok(own.into_iter().skip(begin).take(end - begin + 1).map(|(_, it)| it).collect())
}

//! The same service on a SQLite file.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::Bench;
use super::traffic::{ById, Create, Same};
use crate::http::{Connection, Load, Traffic, Until};
use crate::machine::fdatasync;
use crate::meter::Meter;
use crate::postgres::MARKER;
use crate::results::Scenario;
use crate::rounds::measured;
use crate::seed::Seed;
use crate::service::Service;
use crate::sqlite::{Inserts, Read, read};

const READERS: usize = 16;
const WRITERS: usize = 64;
/// If a sync takes at least this many milliseconds, grouping commits must be several times faster.
const SLOW_MS: f64 = 1.0;

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    // A separate folder: these sizes may have been measured before.
    let folder = bench.folder.join("sqlite");
    std::fs::create_dir_all(&folder)?;
    let seed = Seed::on_sqlite(&folder, &bench.program, bench.plan.fewest()).await?;
    let service = bench.serve(&seed, "all")?;
    let meter = Meter { service: Some(service.pid()), database: None };
    let mut rows = vec![
        reading(bench, &seed, &service, Read::One { contacts: seed.contacts }).await?,
        reading(bench, &seed, &service, Read::Newest).await?,
    ];
    rows.push(creating(bench, &seed, &service, meter).await?);
    Ok(rows)
}

async fn reading(bench: &Bench, seed: &Seed, service: &Service, what: Read) -> Result<Scenario> {
    let (name, unit, traffic): (_, _, Arc<dyn Traffic>) = match what {
        Read::One { contacts } => ("sqlite-get", "get", Arc::new(ById::new(&seed.key, contacts))),
        Read::Newest => {
            let list = Same::of(service, &seed.key, "/api/v1/contacts?limit=20").await?;
            ("sqlite-list", "list", Arc::new(list))
        }
    };
    let title = format!("{unit}, {READERS} connections, {} contacts", seed.contacts);
    let row = Scenario::new(name, "SQLite", title, "SQLite in a loop on two threads", unit).at_least(0.6);
    let load = Load { address: service.address()?, connections: READERS, until: Until::Time(bench.plan.load) };
    let (meter, path) = (Meter { service: Some(service.pid()), database: None }, PathBuf::from(&seed.name));
    row.interleave(
        bench.plan.rounds,
        async |_| measured(meter, load.run(traffic.clone())).await,
        async |_| measured(Meter::default(), read(&path, seed.workspace, what, bench.plan.load)).await,
    )
    .await
}

async fn creating(bench: &Bench, seed: &Seed, service: &Service, meter: Meter) -> Result<Scenario> {
    let mut bytes = Vec::new();
    Create::request(&seed.key, MARKER.parse()?, &mut bytes);
    Connection::open(service.address()?).await?.exchange(&bytes).await?.expect(201)?;
    // The limit uses a separate file with the same contacts, next to the service's file.
    let beside = PathBuf::from(format!("{}.limit", seed.name));
    let copy = rusqlite::Connection::open(&seed.name)?;
    copy.execute("VACUUM INTO ?1", [beside.to_string_lossy()])?;
    let mut inserts = Some(Inserts::like(&beside)?);
    let disk = fdatasync(&bench.folder)?;
    let row = Scenario::new(
        "sqlite-create",
        "SQLite",
        format!("`POST /contacts` with `Idempotency-Key`, `synchronous=FULL`, {WRITERS} clients"),
        "the same rows, one transaction for each contact, on the same file system",
        "create",
    );
    let row = row.at_least(if disk.median >= SLOW_MS { 5.0 } else { 1.0 });
    let row = row.note(format!("one fdatasync took {:.2} ms ({:.2} to {:.2})", disk.median, disk.min, disk.max));
    let load = Load { address: service.address()?, connections: WRITERS, until: Until::Time(bench.plan.load) };
    let (mut series, mut made) = (0, 0);
    let count = |path: &str| -> Result<u64> {
        let query = "SELECT count(*) FROM contacts WHERE external_id LIKE 'new-2%'";
        let count: i64 = rusqlite::Connection::open(path)?.query_row(query, [], |row| row.get(0))?;
        Ok(u64::try_from(count)?)
    };
    row.interleave(
        bench.plan.rounds,
        async |_| {
            series += 1;
            let traffic = Arc::new(Create::new(&seed.key, series));
            let sample = measured(meter, load.run(traffic)).await?;
            made += sample.operations;
            if count(&seed.name)? != made {
                bail!("{} contacts exist, but {made} were acknowledged", count(&seed.name)?);
            }
            Ok(sample)
        },
        async |_| {
            let (time, mut loops) = (bench.plan.load, inserts.take().ok_or_else(|| anyhow::anyhow!("in use"))?);
            let work = tokio::task::spawn_blocking(move || loops.run(time).map(|done| (done, loops)));
            measured(Meter::default(), async {
                let (done, loops) = work.await??;
                inserts = Some(loops);
                Ok(done)
            })
            .await
        },
    )
    .await
}

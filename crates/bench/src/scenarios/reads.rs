//! Contacts by ID and in lists, compared with pgbench running the same statements.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Bench;
use super::traffic::{ById, Same};
use crate::http::{Load, Until};
use crate::postgres::Script;
use crate::results::Scenario;
use crate::rounds::measured;
use crate::seed::{FIRST, PATTERNS, Seed, contact_id};
use crate::service::{Service, word};

const CONNECTIONS: usize = 16;
const PAGE: usize = 20;
/// The contact that is requested while PostgreSQL's log is captured.
const PROBED: u64 = FIRST + 7;

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    let mut rows = Vec::new();
    for contacts in bench.plan.read_at() {
        let seed = bench.seed(contacts)?;
        let service = bench.serve(seed, "api")?;
        rows.extend(by_id(bench, seed, &service).await?);
        for list in lists(&service, contacts).await? {
            rows.push(a_list(bench, seed, &service, list).await?);
        }
    }
    Ok(rows)
}

async fn by_id(bench: &Bench, seed: &Seed, service: &Service) -> Result<Vec<Scenario>> {
    let path = format!("/api/v1/contacts/{}", contact_id(PROBED)?);
    let script = Script::of_any(FIRST, seed.contacts, PROBED);
    let script = said(bench, seed, service, &path, script).await?;
    let row = Scenario::new(
        format!("get-{}", seed.contacts),
        "Contact by id",
        format!("`GET /contacts/{{id}}`, 16 connections, {} contacts", seed.contacts),
        "pgbench, the same SELECTs",
        "get",
    );
    let row = row.at_least(0.55).p99_at_most(3.0).note(format!("{} for each get", script.size()));
    let load = Load { address: service.address()?, connections: CONNECTIONS, until: Until::Time(bench.plan.load) };
    let traffic = Arc::new(ById::new(&seed.key, seed.contacts));
    let pgbench = bench.pgbench(seed, CONNECTIONS);
    // However many statements a get takes, it cannot be faster than one.
    let floor = Scenario::new(
        format!("get-floor-{}", seed.contacts),
        "Contact by id",
        format!("the same, {} contacts", seed.contacts),
        "pgbench, only the first of these SELECTs: the contact's row without its tags and fields",
        "get",
    );
    let mut rows = Vec::new();
    let sides = if script.statements() > 1 {
        vec![(row, script.clone()), (floor, script.first())]
    } else {
        vec![(row, script)]
    };
    for (row, script) in sides {
        let row = row.interleave(
            bench.plan.rounds,
            async |_| measured(bench.meter(service), load.run(traffic.clone())).await,
            async |_| pgbench.run(&script).await,
        );
        rows.push(row.await?);
    }
    Ok(rows)
}

/// A list request and the numbers of the expected contacts, in order.
struct List {
    name: &'static str,
    path: String,
    expected: Vec<u64>,
}

async fn lists(service: &Service, contacts: u64) -> Result<Vec<List>> {
    let newest = || (FIRST..FIRST + contacts).rev();
    let of_group = |number: u64| number % PATTERNS == 3;
    // Five first names repeat, and Ada sorts before all others.
    let by_name = (FIRST..FIRST + contacts).filter(|number| number % 5 == 0).take(PAGE).collect();
    let (deep, skipped) = deep_cursor(service, contacts / 2).await?;
    Ok(vec![
        List { name: "newest", path: "limit=20".to_owned(), expected: newest().take(PAGE).collect() },
        List { name: "deep", path: deep, expected: newest().skip(skipped).take(PAGE).collect() },
        List {
            name: "tag",
            path: "limit=20&tag=group-3".to_owned(),
            expected: newest().filter(|it| of_group(*it)).take(PAGE).collect(),
        },
        List {
            name: "field",
            path: "limit=20&custom_fields.plan=plan-3".to_owned(),
            expected: newest().filter(|it| of_group(*it)).take(PAGE).collect(),
        },
        List { name: "name", path: "limit=20&sort=name".to_owned(), expected: by_name },
    ])
}

/// Reads pages until `depth` contacts are skipped; returns the cursor and the number skipped.
async fn deep_cursor(service: &Service, depth: u64) -> Result<(String, usize)> {
    let (mut path, mut skipped) = ("limit=100".to_owned(), 0);
    loop {
        let page = service.get(&format!("/api/v1/contacts?{path}")).await?;
        skipped += page.get("data").and_then(Value::as_array).map_or(0, Vec::len);
        let cursor = word(&page, "next_cursor")?;
        if skipped as u64 >= depth {
            return Ok((format!("limit=20&cursor={cursor}"), skipped));
        }
        path = format!("limit=100&cursor={cursor}");
    }
}

async fn a_list(bench: &Bench, seed: &Seed, service: &Service, list: List) -> Result<Scenario> {
    let path = format!("/api/v1/contacts?{}", list.path);
    let traffic = Arc::new(Same::of(service, &seed.key, &path).await?);
    verify(&traffic.body, &list.expected).with_context(|| path.clone())?;
    let script = said(bench, seed, service, &path, Script::fixed()).await?;
    let row = Scenario::new(
        format!("list-{}-{}", list.name, seed.contacts),
        "Lists of 20",
        format!("{}, 16 connections, {} contacts", words(list.name), seed.contacts),
        "pgbench, the same SELECTs",
        "list",
    );
    let row = row.at_least(0.50).note(format!("{} for each list", script.size()));
    let load = Load { address: service.address()?, connections: CONNECTIONS, until: Until::Time(bench.plan.load) };
    let pgbench = bench.pgbench(seed, CONNECTIONS);
    row.interleave(
        bench.plan.rounds,
        async |_| measured(bench.meter(service), load.run(traffic.clone())).await,
        async |_| pgbench.run(&script).await,
    )
    .await
}

fn words(list: &str) -> &'static str {
    match list {
        "newest" => "newest first",
        "deep" => "newest first, half way down",
        "tag" => "by tag (a tenth of all)",
        "field" => "by custom field (a tenth of all)",
        _ => "by name",
    }
}

/// Captures the statements of a request for contacts.
async fn said(bench: &Bench, seed: &Seed, service: &Service, path: &str, script: Script) -> Result<Script> {
    // The first request caches the key and the plans.
    service.get(path).await?;
    let probe = async { service.get(path).await.map(|_| ()) };
    let statements = bench.cluster.listen(&seed.name, probe).await?;
    let reading: Vec<_> = statements.into_iter().filter(|it| it.reads_contacts()).collect();
    if reading.is_empty() {
        bail!("no SELECT was seen for {path}");
    }
    script.say(&reading, None)
}

/// Checks that exactly these contacts were returned, in this order.
fn verify(body: &[u8], expected: &[u64]) -> Result<()> {
    let page: Value = serde_json::from_slice(body)?;
    let data = page.get("data").and_then(Value::as_array).context("a page")?;
    let came = data.iter().map(|it| Ok(word(it, "id")?.to_owned())).collect::<Result<Vec<_>>>()?;
    let wanted = expected.iter().map(|it| Ok(contact_id(*it)?.to_string())).collect::<Result<Vec<_>>>()?;
    if came != wanted {
        bail!("{came:?} was returned instead of {wanted:?}");
    }
    Ok(())
}

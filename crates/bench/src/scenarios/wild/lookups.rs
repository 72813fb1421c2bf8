//! Contacts by external ID, while the service keeps its plans from the empty database. The limit is pgbench with the
//! same statement on as many analysed contacts.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::churn::Churning;
use super::place::{Place, external_id};
use crate::console::progress;
use crate::http::{Answer, Traffic, Until, request};
use crate::postgres::{Extent, Pgbench, Script};
use crate::results::{Churn, Form, On};
use crate::rounds::measured;
use crate::scenarios::Bench;
use crate::scenarios::traffic::spread;
use crate::seed::FIRST;

/// The numbers of clients. The first is also used by the scenario that creates contacts. With more concurrent requests,
/// PostgreSQL answers fewer queries.
const CLIENTS: [(&str, usize); 2] = [("lookups", 64), ("lookups-16", 16)];
const CONNECTIONS: usize = 16;
/// The number of contacts of a user who tries the service.
const FIRST_ONES: u64 = 10;
/// PostgreSQL keeps a plan after five executions, on each of several connections.
const FIRST_LOOKS: u64 = 2_000;

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Churn>> {
    let place = Place::found(bench, &bench.program, On::Postgres, "lookups").await?;
    let contacts = bench.plan.wild.contacts;
    place.populate(0..FIRST_ONES).await?;
    let few = ByExternalId { key: place.seed.key.clone(), contacts: FIRST_ONES };
    place.load(CONNECTIONS, Until::Requests(FIRST_LOOKS))?.run(Arc::new(few)).await?;
    place.populate(FIRST_ONES..contacts).await?;

    let (beside, script) = limit(bench).await?;
    let extent = Extent::Time(bench.plan.wild.slice);
    let traffic = Arc::new(ByExternalId { key: place.seed.key.clone(), contacts });
    let mut churns = Vec::new();
    for (name, clients) in CLIENTS {
        let pgbench = Pgbench::new(&bench.cluster, &beside.seed.name, clients, extent, &bench.folder);
        let mut churn = Churning { name, unit: "look-up", on: On::Postgres }.churn(Form::Wild, false);
        for number in 1..=bench.plan.wild.slices {
            let load = place.load(clients, Until::Time(bench.plan.wild.slice))?;
            bench.cluster.forget_spent().await?;
            let ours = measured(place.meter()?, load.run(traffic.clone())).await?;
            churn.profile = bench.cluster.spent(&place.seed.name, ours.operations).await?;
            let limit = pgbench.run(&script).await?;
            progress(&format!("{} {number}: {} | pgbench {}", churn.title(), ours.words(), limit.words()));
            churn.slices.push(ours);
            churn.limits.push(limit);
        }
        churns.push(churn);
    }
    beside.close().await?;
    // No emptied form: contacts are no queue.
    for form in [Form::Analysed, Form::Snapshot].into_iter().filter(|it| bench.plan.wild.measures(*it)) {
        churns.push(again(bench, &place, form, &traffic).await?);
    }
    place.close().await?;
    Ok(churns)
}

/// Measures the same contacts in another form. With a snapshot, each contact is changed before each slice, so all its
/// versions are kept.
async fn again(bench: &Bench, place: &Place<'_>, form: Form, traffic: &Arc<ByExternalId>) -> Result<Churn> {
    let [(name, clients), _] = CLIENTS;
    let mut churn = Churning { name, unit: "look-up", on: On::Postgres }.churn(form, false);
    let held = if form == Form::Snapshot { Some(place.hold().await?) } else { None };
    if form == Form::Analysed {
        bench.cluster.connect(&place.seed.name).await?.batch_execute("VACUUM ANALYZE").await?;
    }
    for number in 1..=bench.plan.wild.slices {
        if held.is_some() {
            let renames = Renames { key: place.seed.key.clone(), name: format!("Ada {number}") };
            place.load(CONNECTIONS, Until::Requests(traffic.contacts))?.run(Arc::new(renames)).await?;
        }
        bench.cluster.forget_spent().await?;
        let load = place.load(clients, Until::Time(bench.plan.wild.slice))?;
        let sample = measured(place.meter()?, load.run(traffic.clone())).await?;
        churn.profile = bench.cluster.spent(&place.seed.name, sample.operations).await?;
        progress(&format!("{} {number}: {}", churn.title(), sample.words()));
        churn.slices.push(sample);
    }
    Ok(churn)
}

/// Creates as many contacts in another store, analysed and without a service, and captures the look-up statement.
async fn limit(bench: &Bench) -> Result<(Place<'_>, Script)> {
    let mut place = Place::found(bench, &bench.program, On::Postgres, "lookups_limit").await?;
    let contacts = bench.plan.wild.contacts;
    place.populate(0..contacts).await?;
    let probed = contacts / 2;
    let path = format!("/api/v1/contacts/external_id:{}", external_id(probed));
    let probe = async { place.service()?.get(&path).await.map(|_| ()) };
    let said = bench.cluster.listen(&place.seed.name, probe).await?;
    let reading: Vec<_> = said.into_iter().filter(|it| it.reads_contacts()).collect();
    if reading.is_empty() {
        bail!("no SELECT was seen for {path}");
    }
    place.end();
    bench.cluster.connect(&place.seed.name).await?.batch_execute("VACUUM ANALYZE").await?;
    Ok((place, Script::of_any(FIRST, contacts, FIRST + probed).say(&reading, None)?))
}

/// Random contacts by external ID.
struct ByExternalId {
    key: String,
    contacts: u64,
}

impl ByExternalId {
    fn id(&self, number: u64) -> String {
        external_id(spread(number) % self.contacts.max(1))
    }
}

impl Traffic for ByExternalId {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        request("GET", &format!("/api/v1/contacts/external_id:{}", self.id(number)), &self.key, "", "", out);
    }

    fn check(&self, number: u64, answer: Answer<'_>) -> Result<()> {
        let wanted = format!("\"external_id\":\"{}\"", self.id(number));
        let body = std::str::from_utf8(answer.body).context("text")?;
        if answer.status != 200 || !body.contains(&wanted) {
            bail!("{}: a different contact: {body}", answer.status);
        }
        Ok(())
    }
}

/// Gives each contact in turn another name.
struct Renames {
    key: String,
    name: String,
}

impl Traffic for Renames {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        let body = json!({"first_name": self.name}).to_string();
        let path = format!("/api/v1/contacts/external_id:{}", external_id(number));
        request("PATCH", &path, &self.key, "", &body, out);
    }

    fn check(&self, _: u64, answer: Answer<'_>) -> Result<()> {
        answer.expect(200).map(|_| ())
    }
}

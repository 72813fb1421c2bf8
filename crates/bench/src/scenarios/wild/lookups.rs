//! Contacts by their external ids, while the service keeps the plans that it made when there were none, beside pgbench
//! with the same statement where as many contacts were analysed.

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

/// With how many clients, as many as those who create contacts first. The more ask at the same time, the fewer questions
/// PostgreSQL has to answer.
const CLIENTS: [(&str, usize); 2] = [("lookups", 64), ("lookups-16", 16)];
const CONNECTIONS: usize = 16;
/// As many contacts as somebody has who just tries the service.
const FIRST_ONES: u64 = 10;
/// PostgreSQL keeps a plan after five times; there are several connections.
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
    // They are not emptied: contacts are no queue.
    for form in [Form::Analysed, Form::Snapshot].into_iter().filter(|it| bench.plan.wild.measures(*it)) {
        churns.push(again(bench, &place, form, &traffic).await?);
    }
    place.close().await?;
    Ok(churns)
}

/// The same contacts in another form. Beside a snapshot each is changed before each slice, so that all it ever was is kept.
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

/// As many contacts at another place, analysed, and the statement by which one is looked up there. Nobody serves it.
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

/// Contacts by their external ids, at random.
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

/// Another name for each contact in turn.
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

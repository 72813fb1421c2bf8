//! The same requests with many contacts, compared with few contacts.

use std::sync::Arc;

use anyhow::Result;

use super::Bench;
use super::traffic::{ById, Same};
use crate::http::{Load, Traffic, Until};
use crate::results::{Compares, Scenario};
use crate::rounds::measured;

const CONNECTIONS: usize = 16;

pub(super) async fn run(bench: &Bench) -> Result<Vec<Scenario>> {
    let (few, many) = (bench.seed(bench.plan.fewest())?, bench.seed(bench.plan.most())?);
    let (here, there) = (bench.serve(many, "api")?, bench.serve(few, "api")?);
    let by_id: [Arc<dyn Traffic>; 2] =
        [Arc::new(ById::new(&many.key, many.contacts)), Arc::new(ById::new(&few.key, few.contacts))];
    let path = "/api/v1/contacts?limit=20";
    let list: [Arc<dyn Traffic>; 2] =
        [Arc::new(Same::of(&here, &many.key, path).await?), Arc::new(Same::of(&there, &few.key, path).await?)];
    let mut rows = Vec::new();
    for (name, unit, [of_many, of_few]) in [("growth-get", "get", by_id), ("growth-list", "list", list)] {
        let title = format!("{unit} at {} contacts", many.contacts);
        let limit = format!("itself at {} contacts", few.contacts);
        let row = Scenario::new(name, "Growth", title, &limit, unit).comparing(Compares::Time).at_most(1.2);
        let load = |address| Load { address, connections: CONNECTIONS, until: Until::Time(bench.plan.load) };
        let (ours, limit) = (load(here.address()?), load(there.address()?));
        let row = row.interleave(
            bench.plan.rounds,
            async |_| measured(bench.meter(&here), ours.run(of_many.clone())).await,
            async |_| measured(bench.meter(&there), limit.run(of_few.clone())).await,
        );
        rows.push(row.await?);
    }
    Ok(rows)
}

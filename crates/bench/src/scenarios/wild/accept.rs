//! The time from the request to the delivery, one event at a time, on a database without `ANALYZE`.

use anyhow::Result;

use super::churn::Churning;
use super::place::Place;
use crate::results::{Churn, Form, On};
use crate::scenarios::{Bench, accept};

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Churn>> {
    let mut place = Place::found(bench, &bench.program, On::Postgres, "accept").await?;
    place.populate(0..bench.plan.wild.contacts).await?;
    place.idle().await?;
    let beside = place.copy("wild_accept_limit").await?;
    let wild = bench.plan.wild;
    // A round takes about a second.
    let rounds = u32::try_from(wild.slice.as_secs())?.saturating_mul(wild.slices);
    let row = accept::beside(bench, &place.seed, &beside, place.service()?, rounds).await?;
    let mut churn = Churning { name: "accept", unit: "event", on: On::Postgres }.churn(Form::Wild, false);
    for round in row.rounds {
        churn.slices.push(round.ours);
        churn.limits.extend(round.limit);
    }
    bench.cluster.drop(&beside.name).await?;
    place.close().await?;
    Ok(vec![churn])
}

//! Events that wait while no engine runs and are then delivered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Result;

use super::churn::{Churning, Work, measure};
use super::place::Place;
use crate::http::{Answer, Traffic, Until};
use crate::results::{Churn, Form, On, Sample};
use crate::rounds::{Done, measured};
use crate::scenarios::Bench;
use crate::scenarios::traffic::Create;
use crate::scenarios::webhooks::hooks;

const CLIENTS: usize = 64;
/// Keeps the names of all rounds distinct.
static SERIES: AtomicU64 = AtomicU64::new(1);

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Churn>> {
    let mut churns = Vec::new();
    for (name, webhooks) in [("drain-1", 1), ("drain-100", 100)] {
        for form in Form::ALL.into_iter().filter(|it| bench.plan.wild.measures(*it)) {
            let place = Place::found(bench, &bench.program, On::Postgres, name).await?;
            let workspaces = hooks(bench, &place.seed, place.service()?, webhooks).await?;
            let keys = workspaces.into_iter().map(|(_, key)| key).collect();
            let churn = Churning { name, unit: "delivery", on: On::Postgres }.churn(form, false);
            churns.extend(measure(bench, form, vec![(Drains { place, keys, webhooks, drained: 0 }, churn)]).await?);
        }
    }
    Ok(churns)
}

/// Fills and drains the queue of one store.
struct Drains<'b> {
    place: Place<'b>,
    /// One key for each workspace.
    keys: Vec<String>,
    webhooks: u64,
    /// The number of deliveries in the last drain.
    drained: u64,
}

impl Drains<'_> {
    /// Creates `events` contacts; returns the number of resulting deliveries. Each event is delivered to every webhook
    /// of its workspace.
    async fn fill(&self, events: u64) -> Result<u64> {
        let series = SERIES.fetch_add(1, Ordering::Relaxed);
        let creates = self.keys.iter().map(|key| Create::new(key, series)).collect();
        let until = Until::Requests(events.max(1));
        let made = self.place.load(CLIENTS, until)?.run(Arc::new(InTurn(creates))).await?;
        Ok(made.operations * self.webhooks / self.keys.len() as u64)
    }

    /// Returns the number of events that fill the queue for a drain.
    fn events(&self) -> u64 {
        self.place.bench.plan.wild.events * self.keys.len() as u64 / self.webhooks
    }

    async fn drain(&mut self) -> Result<Sample> {
        let bench = self.place.bench;
        bench.receiver.clear();
        self.place.serve("api")?;
        let expected = self.fill(self.events()).await?;
        bench.cluster.forget_spent().await?;
        self.place.serve("all")?;
        let sample = measured(self.place.meter()?, async {
            let seconds = bench.receiver.all(expected).await?;
            self.place.idle().await?;
            Ok(Done { operations: expected, seconds, ..Done::default() })
        })
        .await?;
        self.drained = expected;
        Ok(sample)
    }
}

impl Work for Drains<'_> {
    fn place(&self) -> &Place<'_> {
        &self.place
    }

    /// The profile excludes the creation of the events.
    fn operations_of_profile(&self, _: u64) -> u64 {
        self.drained
    }

    fn serve(&mut self, role: &str) -> Result<()> {
        self.place.serve(role)
    }

    async fn ask(&mut self, until: Until) -> Result<()> {
        let events = if let Until::Requests(events) = until { events } else { self.events() };
        self.fill(events).await.map(|_| ())
    }

    /// Drains until half of the time is over, at least once. A drain is not interrupted.
    async fn slice(&mut self, until: Until) -> Result<Sample> {
        let began = Instant::now();
        let mut drains = vec![self.drain().await?];
        while matches!(until, Until::Time(time) if began.elapsed() < time / 2) {
            drains.push(self.drain().await?);
        }
        Ok(Sample::sum(&drains))
    }

    async fn close(self) -> Result<()> {
        self.place.close().await
    }
}

/// New contacts in the workspaces in turn.
struct InTurn(Vec<Create>);

impl InTurn {
    fn of(&self, number: u64) -> Option<&Create> {
        self.0.get(usize::try_from(number).ok()?.checked_rem(self.0.len())?)
    }
}

impl Traffic for InTurn {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        if let Some(create) = self.of(number) {
            create.write(number, out);
        }
    }

    fn check(&self, number: u64, answer: Answer<'_>) -> Result<()> {
        self.of(number).map_or(Ok(()), |create| create.check(number, answer))
    }
}

//! New contacts by 64 clients: without an engine, with an engine but no webhook, and until a webhook has received each.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::json;

use super::churn::{Churning, Work, measure};
use super::place::Place;
use crate::http::{Answer, Traffic, Until};
use crate::receiver::Receiver;
use crate::results::{Churn, Form, On, Sample};
use crate::rounds::{Done, measured};
use crate::scenarios::Bench;
use crate::scenarios::traffic::Create;
use crate::service::word;

const CLIENTS: usize = 64;
/// The most contacts that may be created but not yet delivered, so the last slice has about as much work as the first.
const UNDER_WAY: u64 = 1_024;
const END: &str = "created";
/// Keeps the names of all slices distinct.
static SERIES: AtomicU64 = AtomicU64::new(1);

/// Creates contacts without and with an engine. The events of the former are numbered at the end.
pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Churn>> {
    let mut churns = Vec::new();
    for form in Form::ALL.into_iter().filter(|it| bench.plan.wild.measures(*it)) {
        let mut sides = Vec::new();
        for (name, role) in [("create", "api"), ("create_with_engine", "all")] {
            let mut place = Place::found(bench, &bench.program, On::Postgres, name).await?;
            place.serve(role)?;
            let churn = Churning { name, unit: "create", on: On::Postgres }.churn(form, false);
            sides.push((Creates { place, role, delivers: false }, churn));
        }
        churns.extend(measure(bench, form, sides).await?);
    }
    Ok(churns)
}

/// Creates contacts until each is relayed and delivered.
pub(in crate::scenarios) async fn delivered(bench: &Bench) -> Result<Vec<Churn>> {
    let mut churns = Vec::new();
    let forms = Form::ALL.map(|form| (On::Postgres, form)).into_iter().chain([(On::Sqlite, Form::Wild)]);
    for (on, form) in forms.filter(|(_, form)| bench.plan.wild.measures(*form)) {
        let place = Place::found(bench, &bench.program, on, "delivered").await?;
        let hook = json!({"url": bench.receiver.url(END), "events": ["contact.created"]});
        bench.receiver.expect(END, word(&place.post("/api/v1/webhooks", &hook, 201).await?, "secret")?)?;
        let churn = Churning { name: "delivered", unit: "create", on }.churn(form, false);
        let work = Creates { place, role: "all", delivers: true };
        churns.extend(measure(bench, form, vec![(work, churn)]).await?);
    }
    Ok(churns)
}

/// The creation of contacts in one store.
struct Creates<'b> {
    place: Place<'b>,
    role: &'static str,
    /// Whether there is a webhook.
    delivers: bool,
}

impl Creates<'_> {
    async fn create(&self, until: Until) -> Result<Done> {
        let create = Create::new(&self.place.seed.key, SERIES.fetch_add(1, Ordering::Relaxed));
        let receiver = self.delivers.then(|| self.place.bench.receiver.clone());
        let traffic = Arc::new(Heard { create, receiver, written: AtomicU64::new(0) });
        self.place.load(CLIENTS, until)?.run(traffic).await
    }

    async fn all(&self, until: Until) -> Result<Done> {
        let mut done = self.create(until).await?;
        if self.delivers {
            self.place.bench.receiver.all(done.operations).await?;
        }
        if self.role == "all" {
            self.place.idle().await?;
            numbered(&self.place).await?;
        }
        // Includes the time until the last delivery.
        done.seconds = 0.0;
        Ok(done)
    }
}

impl Work for Creates<'_> {
    fn place(&self) -> &Place<'_> {
        &self.place
    }

    fn role(&self) -> &'static str {
        self.role
    }

    fn serve(&mut self, role: &str) -> Result<()> {
        self.place.serve(role)
    }

    async fn ask(&mut self, until: Until) -> Result<()> {
        let key = &self.place.seed.key;
        let traffic = Arc::new(Create::new(key, SERIES.fetch_add(1, Ordering::Relaxed)));
        self.place.load(CLIENTS, until)?.run(traffic).await.map(|_| ())
    }

    async fn slice(&mut self, until: Until) -> Result<Sample> {
        const MADE: &str = "SELECT count(*) FROM contacts WHERE external_id LIKE 'new-%'";
        let before = self.place.number(MADE).await?;
        self.place.bench.receiver.clear();
        let sample = measured(self.place.meter()?, self.all(until)).await?;
        let made = self.place.number(MADE).await? - before;
        if made != sample.operations {
            bail!("{made} contacts exist, but {} were acknowledged", sample.operations);
        }
        Ok(sample)
    }

    async fn after(&mut self, form: Form) -> Result<Vec<Churn>> {
        if self.role == "all" {
            return Ok(Vec::new());
        }
        // All created events wait for their positions. No webhook exists, so there is no other work.
        let mut churn = Churning { name: "position", unit: "event", on: On::Postgres }.churn(form, false);
        let events = self.place.number(UNNUMBERED).await?;
        self.place.bench.cluster.forget_spent().await?;
        self.place.serve("all")?;
        let numbering = async {
            numbered(&self.place).await?;
            self.place.idle().await?;
            Ok(Done { operations: events, ..Done::default() })
        };
        churn.slices.push(measured(self.place.meter()?, numbering).await?);
        churn.profile = self.place.bench.cluster.spent(&self.place.seed.name, events).await?;
        Ok(vec![churn])
    }

    async fn close(self) -> Result<()> {
        self.place.close().await
    }
}

const UNNUMBERED: &str = "SELECT count(*) FROM event_outbox";

/// Waits until each event has its position.
async fn numbered(place: &Place<'_>) -> Result<()> {
    for _ in 0..1_200 {
        if place.number("SELECT count(*) FROM (SELECT 1 FROM event_outbox LIMIT 1) it").await? == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("events had no position for a minute")
}

/// Contact creation that waits for the receiver, if there is one.
struct Heard {
    create: Create,
    receiver: Option<Receiver>,
    written: AtomicU64,
}

impl Traffic for Heard {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        self.written.fetch_add(1, Ordering::Relaxed);
        self.create.write(number, out);
    }

    fn check(&self, number: u64, answer: Answer<'_>) -> Result<()> {
        self.create.check(number, answer)
    }

    fn is_open(&self) -> bool {
        let arrived = self.receiver.as_ref().map(Receiver::arrived);
        arrived.is_none_or(|arrived| self.written.load(Ordering::Relaxed) < arrived + UNDER_WAY)
    }
}

//! Runs of a flow with three steps: a message, a tag and a field.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::churn::{Churning, LOOK, Work, measure, slice};
use super::place::Place;
use crate::http::{Answer, Traffic, Until, request};
use crate::results::{Churn, Form, On, Sample};
use crate::rounds::{Done, measured};
use crate::scenarios::Bench;
use crate::service::word;

const CONNECTIONS: usize = 16;
/// The minimum number of runs that may be in progress. Clients start runs faster than they complete, and queues grow.
/// With this bound, the last slice has about as much work as the first.
const UNDER_WAY: u64 = 2_000;
/// The number of times that the messages are polled.
const LOOKS: u32 = 1_200;
/// A contact starts a flow at most ten times an hour.
const STARTS: u64 = 10;
const COMPLETED: &str = "SELECT count(*) FROM flow_runs WHERE status = 'completed'";
const SENT: &str =
    "SELECT count(*) FROM messages WHERE text LIKE 'Hi %' AND status NOT IN ('queued', 'sending', 'failed')";

pub(in crate::scenarios) async fn run(bench: &Bench) -> Result<Vec<Churn>> {
    let mut churns = Vec::new();
    for (on, form, beside) in [
        (On::Postgres, Form::Wild, true),
        (On::Postgres, Form::Analysed, true),
        (On::Postgres, Form::Emptied, false),
        (On::Postgres, Form::Snapshot, false),
        (On::Sqlite, Form::Wild, false),
    ] {
        let churning = Churning { name: "runs", unit: "run", on };
        let against = bench.against.as_ref().filter(|_| beside);
        let mut sides = Vec::new();
        for (name, program, earlier) in std::iter::once(("runs", &bench.program, false))
            .chain(against.map(|program| ("runs_earlier", program, true)))
        {
            let place = Place::found(bench, program, on, name).await?;
            // PostgreSQL analyses tables automatically within a minute, so a new database is measured first.
            let is_new = form == Form::Wild;
            if is_new && against.is_some() {
                place.after_autovacuum().await?;
            }
            let mut side = (Runs::begin(place, bench.plan.wild.contacts).await?, churning.churn(form, earlier));
            if is_new {
                slice(bench, &mut side.0, &mut side.1).await?;
                if against.is_some() && side.0.place.is_analysed().await? {
                    bail!(
                        "{name}: autovacuum analysed the contacts before the end of the first slice, so the database \
                         is not new"
                    );
                }
            }
            sides.push(side);
        }
        churns.extend(measure(bench, form, sides).await?);
    }
    Ok(churns)
}

/// Runs of one flow, contact by contact.
pub(super) struct Runs<'b> {
    place: Place<'b>,
    starts: Arc<Starts>,
    /// Whether the store has no other work.
    is_alone: bool,
}

impl<'b> Runs<'b> {
    /// Creates the contacts and the flow.
    ///
    /// # Errors
    /// The service rejects a request.
    pub(super) async fn begin(place: Place<'b>, contacts: u64) -> Result<Self> {
        let contacts = place.populate(0..contacts).await?;
        place.post("/api/v1/tags", &json!({"name": "welcomed"}), 201).await?;
        place.post("/api/v1/custom-fields", &json!({"key": "city", "name": "City", "type": "text"}), 201).await?;
        let flow = json!({"name": "Welcome", "definition": {"start": "hi", "nodes": [
            {"id": "hi", "type": "send_message", "next": "tag",
             "message": {"type": "text", "text": "Hi {{ contact.first_name }}"}},
            {"id": "tag", "type": "add_tag", "tag": "welcomed", "next": "city"},
            {"id": "city", "type": "set_field", "field": "custom_fields.city", "value": "Berlin", "next": "end"},
            {"id": "end", "type": "end"}]}});
        let made = place.post("/api/v1/flows", &flow, 201).await?;
        let flow = word(&made, "id")?;
        place.post(&format!("/api/v1/flows/{flow}/publish"), &Value::Null, 200).await?;
        let starts = Starts {
            key: place.seed.key.clone(),
            body: json!({"flow_id": flow}).to_string(),
            contacts,
            started: AtomicU64::new(0),
            allowed: AtomicU64::new(u64::MAX),
        };
        Ok(Self { place, starts: Arc::new(starts), is_alone: true })
    }

    /// Waits only for the work of the runs, because other work stays due.
    pub(super) fn beside_others(self) -> Self {
        Self { is_alone: false, ..self }
    }

    pub(super) fn place_mut(&mut self) -> &mut Place<'b> {
        &mut self.place
    }

    /// Runs one slice; returns the number of runs.
    async fn runs(&self, until: Until) -> Result<Done> {
        let (before, sent) = (self.place.number(COMPLETED).await?, self.place.number(SENT).await?);
        let began = Instant::now();
        let first = self.starts.started();
        let few = UNDER_WAY.min(self.starts.contacts.len() as u64 / 4);
        self.starts.allow(first + few);
        let loading = self.place.load(CONNECTIONS, until)?.run(self.starts.clone());
        tokio::pin!(loading);
        let (mut asked, mut completed, mut moved) = (None, 0, Instant::now());
        while asked.is_none_or(|asked| completed < asked) {
            tokio::select! {
                done = &mut loading, if asked.is_none() => asked = Some(done?.operations),
                () = tokio::time::sleep(if asked.is_some() { LOOK / 5 } else { LOOK }) => {}
            }
            let now = self.place.number(COMPLETED).await? - before;
            // Allows as many again as completed since the last check, so the engine never waits for the clients.
            self.starts.allow(first + now + few.max(2 * (now - completed)));
            if now > completed {
                (completed, moved) = (now, Instant::now());
            } else if moved.elapsed() > Duration::from_secs(60) {
                bail!("{completed} of {asked:?} runs completed, then none within a minute");
            }
        }
        // Includes the sent messages and relayed events, because they are part of a run's cost.
        self.sent(sent + completed).await?;
        if self.is_alone {
            self.place.idle().await?;
        }
        if self.starts.started() > STARTS * self.starts.contacts.len() as u64 {
            bail!("a contact starts a flow at most {STARTS} times an hour: more contacts are required");
        }
        Ok(Done { operations: completed, seconds: began.elapsed().as_secs_f64(), ..Done::default() })
    }

    /// Waits until exactly `wanted` messages were sent.
    async fn sent(&self, wanted: u64) -> Result<()> {
        let mut sent = 0;
        for _ in 0..LOOKS {
            sent = self.place.number(SENT).await?;
            if sent >= wanted {
                break;
            }
            tokio::time::sleep(LOOK / 5).await;
        }
        if sent != wanted {
            bail!("{sent} messages were sent instead of {wanted}");
        }
        Ok(())
    }
}

impl Work for Runs<'_> {
    fn place(&self) -> &Place<'_> {
        &self.place
    }

    fn serve(&mut self, role: &str) -> Result<()> {
        self.place.serve(role)
    }

    async fn ask(&mut self, until: Until) -> Result<()> {
        self.starts.allow(u64::MAX);
        self.place.load(CONNECTIONS, until)?.run(self.starts.clone()).await.map(|_| ())
    }

    async fn slice(&mut self, until: Until) -> Result<Sample> {
        measured(self.place.meter()?, self.runs(until)).await
    }

    async fn close(self) -> Result<()> {
        self.place.close().await
    }
}

/// Starts of the flow, each by the next contact.
struct Starts {
    key: String,
    body: String,
    contacts: Vec<String>,
    started: AtomicU64,
    /// The number of starts that are allowed so far.
    allowed: AtomicU64,
}

impl Starts {
    fn started(&self) -> u64 {
        self.started.load(Ordering::SeqCst)
    }

    fn allow(&self, starts: u64) {
        self.allowed.store(starts, Ordering::SeqCst);
    }
}

impl Traffic for Starts {
    fn write(&self, _: u64, out: &mut Vec<u8>) {
        let number = self.started.fetch_add(1, Ordering::SeqCst);
        let place = number.checked_rem(self.contacts.len() as u64).and_then(|it| usize::try_from(it).ok());
        let contact = place.and_then(|it| self.contacts.get(it)).map_or("", String::as_str);
        request("POST", &format!("/api/v1/contacts/{contact}/start-flow"), &self.key, "", &self.body, out);
    }

    fn check(&self, _: u64, answer: Answer<'_>) -> Result<()> {
        answer.expect(202).map(|_| ()).context("a start of the flow")
    }

    fn is_open(&self) -> bool {
        self.started() < self.allowed.load(Ordering::SeqCst)
    }
}

//! Churn: the same operations for a minute, in slices, in each form of the tables.

use std::time::Duration;

use anyhow::Result;

use super::place::Place;
use crate::console::progress;
use crate::http::Until;
use crate::postgres::by_steps;
use crate::results::{Churn, Form, On, Sample, Spent};
use crate::scenarios::Bench;

/// The repeated work of a scenario.
pub(super) trait Work {
    fn place(&self) -> &Place<'_>;

    /// The service's role during the measurement.
    fn role(&self) -> &'static str {
        "all"
    }

    /// Returns the number of operations in the profile, given the number of all operations so far.
    fn operations_of_profile(&self, all: u64) -> u64 {
        all
    }

    /// Restarts the service with this role.
    ///
    /// # Errors
    /// The service does not start.
    fn serve(&mut self, role: &str) -> Result<()>;

    /// Sends requests and waits only for their responses.
    ///
    /// # Errors
    /// A wrong response.
    async fn ask(&mut self, until: Until) -> Result<()>;

    /// Sends requests, waits for all resulting work, and measures the cost.
    ///
    /// # Errors
    /// Some resulting work did not happen.
    async fn slice(&mut self, until: Until) -> Result<Sample>;

    /// Measures further scenarios on the data that the slices left.
    ///
    /// # Errors
    /// As for a slice.
    async fn after(&mut self, _form: Form) -> Result<Vec<Churn>> {
        Ok(Vec::new())
    }

    /// Removes the store.
    ///
    /// # Errors
    /// Errors of the database.
    async fn close(self) -> Result<()>;
}

/// The scenario and its database.
#[derive(Debug, Clone, Copy)]
pub(super) struct Churning<'n> {
    pub(super) name: &'n str,
    pub(super) unit: &'n str,
    pub(super) on: On,
}

impl Churning<'_> {
    /// Creates a result without figures.
    pub(super) fn churn(self, form: Form, earlier: bool) -> Churn {
        Churn {
            name: self.name.to_owned(),
            unit: self.unit.to_owned(),
            on: self.on,
            form,
            earlier,
            slices: Vec::new(),
            limits: Vec::new(),
            profile: Vec::new(),
        }
    }
}

/// Measures one slice.
///
/// # Errors
/// A precondition of the figures does not hold.
pub(super) async fn slice(bench: &Bench, work: &mut impl Work, churn: &mut Churn) -> Result<()> {
    let sample = work.slice(Until::Time(bench.plan.wild.slice)).await?;
    churn.slices.push(sample);
    if let Some(sample) = churn.slices.last() {
        progress(&format!("{} {}: {}", churn.title(), churn.slices.len(), sample.words()));
    }
    Ok(())
}

/// Measures sides of one form in turn, slice by slice, and removes their stores. Slices that a side already has count.
///
/// # Errors
/// A precondition of the figures does not hold.
pub(super) async fn measure<W: Work>(bench: &Bench, form: Form, sides: Vec<(W, Churn)>) -> Result<Vec<Churn>> {
    let mut prepared = Vec::new();
    for (mut work, churn) in sides {
        // Kept until the end of all slices.
        let held = prepare(bench, &mut work, form).await?;
        let before = churn.slices.len();
        prepared.push((work, churn, held, before));
    }
    bench.cluster.forget_spent().await?;
    for number in 1..=bench.plan.wild.slices {
        for (work, churn, ..) in &mut prepared {
            if churn.slices.len() < number as usize {
                slice(bench, work, churn).await?;
            }
        }
    }
    for (work, churn, _, before) in &mut prepared {
        if churn.on == On::Postgres {
            let operations = churn.slices.iter().skip(*before).map(|it| it.operations).sum();
            churn.profile = profile(bench, work, work.operations_of_profile(operations)).await?;
        }
    }
    let mut churns = Vec::new();
    for (mut work, churn, held, _) in prepared {
        drop(held);
        churns.push(churn);
        churns.extend(work.after(form).await?);
        work.close().await?;
    }
    Ok(churns)
}

/// Returns the statements with the most PostgreSQL time in these operations. Without `pg_stat_statements`, runs more
/// operations and reads the log.
async fn profile(bench: &Bench, work: &mut impl Work, operations: u64) -> Result<Vec<Spent>> {
    let name = work.place().seed.name.clone();
    if bench.cluster.has_statements {
        return bench.cluster.spent(&name, operations).await;
    }
    let mut listened = 0;
    let little = Until::Time(bench.plan.wild.slice / 10);
    let probe = async {
        listened = work.slice(little).await?.operations;
        Ok(())
    };
    let steps = bench.cluster.listen_closely(&name, probe).await?;
    Ok(by_steps(&steps, listened))
}

/// Brings the tables into this form. The returned connection keeps them in it.
async fn prepare(bench: &Bench, work: &mut impl Work, form: Form) -> Result<Option<tokio_postgres::Client>> {
    let filling = Until::Requests(bench.plan.wild.filling);
    match form {
        Form::Wild => {}
        Form::Emptied => {
            work.slice(filling).await?;
            // No engine runs during this step, so the queues are full.
            work.serve("api")?;
            work.ask(filling).await?;
            work.place().empty().await?;
            work.serve("all")?;
            work.place().idle().await?;
            if work.role() != "all" {
                work.serve(work.role())?;
            }
        }
        Form::Snapshot => return Ok(Some(work.place().hold().await?)),
        Form::Analysed => {
            let client = bench.cluster.connect(&work.place().seed.name).await?;
            let analysed = async {
                tokio::time::sleep(bench.plan.wild.slice / 4).await;
                client.batch_execute("VACUUM ANALYZE").await
            };
            // The queues are analysed while rows pass through them.
            let (sample, analysed) = tokio::join!(work.slice(Until::Time(bench.plan.wild.slice / 2)), analysed);
            sample?;
            analysed?;
        }
    }
    Ok(None)
}

/// The interval of progress checks.
pub(super) const LOOK: Duration = Duration::from_millis(250);

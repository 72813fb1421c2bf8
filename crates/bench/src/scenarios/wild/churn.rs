//! Churn: the same operations for a minute, in slices, in each form that the tables may be in.

use std::time::Duration;

use anyhow::Result;

use super::place::Place;
use crate::console::progress;
use crate::http::Until;
use crate::postgres::by_steps;
use crate::results::{Churn, Form, On, Sample, Spent};
use crate::scenarios::Bench;

/// What is done over and over at a place.
pub(super) trait Work {
    fn place(&self) -> &Place<'_>;

    /// The role that the service has while it is measured.
    fn role(&self) -> &'static str {
        "all"
    }

    /// Of how many operations is what PostgreSQL spent since it last forgot, where it was so many by now.
    fn operations_of_profile(&self, all: u64) -> u64 {
        all
    }

    /// Ends the service, and starts it with this role.
    ///
    /// # Errors
    /// Where it does not start.
    fn serve(&mut self, role: &str) -> Result<()>;

    /// Asks, and waits for no more than the answers.
    ///
    /// # Errors
    /// Where an answer is not right.
    async fn ask(&mut self, until: Until) -> Result<()>;

    /// Asks, waits for all that follows, and says what it cost.
    ///
    /// # Errors
    /// Where something did not follow.
    async fn slice(&mut self, until: Until) -> Result<Sample>;

    /// What can be measured with what the slices left behind.
    ///
    /// # Errors
    /// As for a slice.
    async fn after(&mut self, _form: Form) -> Result<Vec<Churn>> {
        Ok(Vec::new())
    }

    /// Removes the place.
    ///
    /// # Errors
    /// Those of the database.
    async fn close(self) -> Result<()>;
}

/// What is measured, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Churning<'n> {
    pub(super) name: &'n str,
    pub(super) unit: &'n str,
    pub(super) on: On,
}

impl Churning<'_> {
    /// One without figures.
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
/// Where something that the figures rely on did not happen.
pub(super) async fn slice(bench: &Bench, work: &mut impl Work, churn: &mut Churn) -> Result<()> {
    let sample = work.slice(Until::Time(bench.plan.wild.slice)).await?;
    churn.slices.push(sample);
    if let Some(sample) = churn.slices.last() {
        progress(&format!("{} {}: {}", churn.title(), churn.slices.len(), sample.words()));
    }
    Ok(())
}

/// Measures sides of one form in turn, slice by slice, and removes their places. What a side was measured before counts.
///
/// # Errors
/// Where something that the figures rely on did not happen.
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

/// What PostgreSQL spent the time of so many operations in. Where it cannot say, more of them are listened to.
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

/// Brings the tables into this form. What is returned keeps them in it.
async fn prepare(bench: &Bench, work: &mut impl Work, form: Form) -> Result<Option<tokio_postgres::Client>> {
    let filling = Until::Requests(bench.plan.wild.filling);
    match form {
        Form::Wild => {}
        Form::Emptied => {
            work.slice(filling).await?;
            // Nobody works meanwhile, so that the queues are full.
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
            // The queues are analysed while rows go through them.
            let (sample, analysed) = tokio::join!(work.slice(Until::Time(bench.plan.wild.slice / 2)), analysed);
            sample?;
            analysed?;
        }
    }
    Ok(None)
}

/// How long is waited before it is looked again how far the work is.
pub(super) const LOOK: Duration = Duration::from_millis(250);

//! Rounds that alternate between the service and the limit, and their ratios.

use std::time::Instant;

use anyhow::Result;

use crate::console::progress;
use crate::meter::{Meter, resident_mib};
use crate::results::{Compares, Round, Sample, Scenario, Spread, Target};

impl Scenario {
    /// Creates a row without figures.
    pub(crate) fn new(name: impl Into<String>, group: &str, title: impl Into<String>, limit: &str, unit: &str) -> Self {
        Self {
            name: name.into(),
            group: group.to_owned(),
            title: title.into(),
            limit: limit.to_owned(),
            unit: unit.to_owned(),
            compares: Compares::Rate,
            target: None,
            rounds: Vec::new(),
            ratio: None,
            p99_ratio: None,
            p99_target: None,
            notes: Vec::new(),
        }
    }

    pub(crate) fn comparing(self, compares: Compares) -> Self {
        Self { compares, ..self }
    }

    pub(crate) fn at_least(self, ratio: f64) -> Self {
        Self { target: Some(Target::AtLeast(ratio)), ..self }
    }

    pub(crate) fn at_most(self, ratio: f64) -> Self {
        Self { target: Some(Target::AtMost(ratio)), ..self }
    }

    pub(crate) fn p99_at_most(self, ratio: f64) -> Self {
        Self { p99_target: Some(Target::AtMost(ratio)), ..self }
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Runs both sides in turn. Round 0 is a warm-up and is discarded.
    ///
    /// # Errors
    /// The first error of either side.
    pub(crate) async fn interleave(
        mut self,
        rounds: u32,
        mut ours: impl AsyncFnMut(u32) -> Result<Sample>,
        mut limit: impl AsyncFnMut(u32) -> Result<Sample>,
    ) -> Result<Self> {
        for round in 0..=rounds {
            let round_of_both = Round { ours: ours(round).await?, limit: Some(limit(round).await?) };
            self.keep(round, round_of_both);
        }
        Ok(self.concluded())
    }

    fn keep(&mut self, number: u32, round: Round) {
        if number > 0 {
            let against =
                round.limit.as_ref().map(|limit| format!(" | limit {:.0}/s", limit.rate())).unwrap_or_default();
            progress(&format!("{} {number}: ours {:.0}/s{against}", self.name, round.ours.rate()));
            self.rounds.push(round);
        }
    }

    fn concluded(mut self) -> Self {
        let both = || self.rounds.iter().filter_map(|it| Some((&it.ours, it.limit.as_ref()?)));
        let quotient = |(ours, limit): (Option<f64>, Option<f64>)| Some(ours? / limit?);
        self.ratio = match self.compares {
            Compares::Rate => Spread::of(both().map(|(ours, limit)| ours.rate() / limit.rate())),
            Compares::Time => Spread::of(both().filter_map(|(ours, limit)| quotient((ours.p50_ms, limit.p50_ms)))),
        };
        self.p99_ratio = Spread::of(both().filter_map(|(ours, limit)| quotient((ours.p99_ms, limit.p99_ms))));
        self
    }
}

/// The work of one side, before its costs are known.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Done {
    pub(crate) operations: u64,
    pub(crate) seconds: f64,
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
}

/// Runs work and measures its cost.
///
/// # Errors
/// Errors of the work.
pub(crate) async fn measured(meter: Meter, work: impl Future<Output = Result<Done>>) -> Result<Sample> {
    let (before, began) = (meter.read()?, Instant::now());
    let done = work.await?;
    let (used, elapsed) = (meter.read()?.since(before), began.elapsed().as_secs_f64());
    let each = |seconds: f64| seconds * 1e6 / (done.operations.max(1) as f64);
    Ok(Sample {
        operations: done.operations,
        seconds: if done.seconds > 0.0 { done.seconds } else { elapsed },
        p50_ms: done.p50_ms,
        p99_ms: done.p99_ms,
        service_cpu_us: each(used.service),
        database_cpu_us: each(used.database),
        client_cpu_us: each(used.client),
        resident_mib: meter.service.map(resident_mib).transpose()?,
    })
}

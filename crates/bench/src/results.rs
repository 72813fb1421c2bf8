//! The results of a run, stored in one JSON file.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) version: String,
    /// The version of the program of `--against`, if given.
    #[serde(default)]
    pub(crate) against: Option<String>,
    /// `smoke`, `brief`, `standard` or `full`.
    pub(crate) plan: String,
    /// Settings that differ from the defaults.
    pub(crate) settings: Vec<String>,
    pub(crate) machine: Machine,
    pub(crate) scenarios: Vec<Scenario>,
    pub(crate) facts: Vec<Fact>,
    /// The measurements on a new database, in each form.
    #[serde(default)]
    pub(crate) churns: Vec<Churn>,
    /// The statements of one flow run.
    #[serde(default)]
    pub(crate) one_run: Option<OneRun>,
}

impl Results {
    /// Returns the measured program's result in one form.
    pub(crate) fn churn(&self, name: &str, on: On, form: Form) -> Option<&Churn> {
        self.churns.iter().find(|it| !it.earlier && it.name == name && it.on == on && it.form == form)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) processor: String,
    pub(crate) memory_gib: f64,
    /// Whether the kernel shares the processors by thread or by session.
    pub(crate) sharing: String,
    /// The load averages of 1, 5 and 15 minutes when the run began.
    pub(crate) load_at_start: [f32; 3],
    pub(crate) postgres: String,
    /// Milliseconds: the median of writing 4 KiB and one fdatasync.
    pub(crate) fdatasync_ms: f64,
    pub(crate) fdatasync_ms_max: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Scenario {
    /// A short name, for `--only` and for charts.
    pub(crate) name: String,
    /// Scenarios of one group are listed together.
    pub(crate) group: String,
    /// The measured work.
    pub(crate) title: String,
    /// The limit it is compared with.
    pub(crate) limit: String,
    /// The name of one operation.
    pub(crate) unit: String,
    /// The basis of the ratio.
    pub(crate) compares: Compares,
    pub(crate) target: Option<Target>,
    pub(crate) rounds: Vec<Round>,
    /// Over the rounds.
    pub(crate) ratio: Option<Spread>,
    /// The ratio of the 99th percentiles, if both sides have one.
    pub(crate) p99_ratio: Option<Spread>,
    pub(crate) p99_target: Option<Target>,
    pub(crate) notes: Vec<String>,
}

/// The basis of a ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Compares {
    /// Operations per second: more is better.
    Rate,
    /// The median time of one operation: less is better.
    Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
}

impl Target {
    pub(crate) fn is_met(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(least) => ratio >= least,
            Self::AtMost(most) => ratio <= most,
        }
    }
}

/// One round of the service and then the limit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) ours: Sample,
    pub(crate) limit: Option<Sample>,
}

/// The measurements of one side in one round.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Sample {
    pub(crate) operations: u64,
    pub(crate) seconds: f64,
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
    /// Microseconds of processor time per operation.
    pub(crate) service_cpu_us: f64,
    pub(crate) database_cpu_us: f64,
    pub(crate) client_cpu_us: f64,
    /// The service's memory at the end of the round.
    pub(crate) resident_mib: Option<f64>,
}

impl Sample {
    pub(crate) fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.operations as f64 / self.seconds } else { 0.0 }
    }

    /// Describes the rate and its cost.
    pub(crate) fn words(&self) -> String {
        let (service, database) = (self.service_cpu_us / 1e3, self.database_cpu_us / 1e3);
        format!("{:.0}/s, service {service:.3} ms, PostgreSQL {database:.3} ms", self.rate())
    }

    /// Returns the microseconds of processor time per operation, of the service and PostgreSQL together.
    pub(crate) fn cost_us(&self) -> f64 {
        self.service_cpu_us + self.database_cpu_us
    }

    /// Combines samples: costs are weighted by the number of operations; percentiles are the median of all samples.
    pub(crate) fn sum(samples: &[Self]) -> Self {
        let operations: u64 = samples.iter().map(|it| it.operations).sum();
        let each = |take: fn(&Self) -> f64| {
            samples.iter().map(|it| take(it) * it.operations as f64).sum::<f64>() / operations.max(1) as f64
        };
        let middle = |take: fn(&Self) -> Option<f64>| Spread::of(samples.iter().filter_map(take)).map(|it| it.median);
        Self {
            operations,
            seconds: samples.iter().map(|it| it.seconds).sum(),
            p50_ms: middle(|it| it.p50_ms),
            p99_ms: middle(|it| it.p99_ms),
            service_cpu_us: each(|it| it.service_cpu_us),
            database_cpu_us: each(|it| it.database_cpu_us),
            client_cpu_us: each(|it| it.client_cpu_us),
            resident_mib: samples.last().and_then(|it| it.resident_mib),
        }
    }
}

/// One scenario that ran for some time in one form.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Churn {
    /// A short name.
    pub(crate) name: String,
    /// The name of one operation.
    pub(crate) unit: String,
    pub(crate) on: On,
    pub(crate) form: Form,
    /// Whether this is the program of `--against`.
    #[serde(default)]
    pub(crate) earlier: bool,
    /// The slices in order.
    pub(crate) slices: Vec<Sample>,
    /// The limit for each slice, if there is one.
    #[serde(default)]
    pub(crate) limits: Vec<Sample>,
    /// The statements with the most PostgreSQL time, longest first.
    #[serde(default)]
    pub(crate) profile: Vec<Spent>,
}

/// The database of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum On {
    Postgres,
    Sqlite,
}

impl On {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
        }
    }
}

/// The state of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    /// A new database, filled only through the API and analysed only by autovacuum.
    Wild,
    /// Filled, emptied to one row, vacuumed and analysed without returning pages, and filled again.
    Emptied,
    /// As wild, while another transaction keeps a snapshot open.
    Snapshot,
    /// Analysed during the work.
    Analysed,
}

impl Form {
    /// The form that the others are compared with comes second.
    pub(crate) const ALL: [Self; 4] = [Self::Wild, Self::Analysed, Self::Emptied, Self::Snapshot];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Wild => "wild",
            Self::Emptied => "emptied",
            Self::Snapshot => "snapshot held",
            Self::Analysed => "analysed",
        }
    }
}

/// The share of one statement in PostgreSQL's time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) statement: String,
    /// Calls per operation.
    pub(crate) calls: f64,
    /// Microseconds per operation, including waits.
    pub(crate) micros: f64,
}

/// The statements of one flow run, without event numbering and logs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct OneRun {
    pub(crate) statements: u64,
    pub(crate) transactions: u64,
    /// Statements that had to be parsed.
    pub(crate) prepared: u64,
}

impl Churn {
    /// Describes the measurement in one line.
    pub(crate) fn title(&self) -> String {
        let who = if self.earlier { ", the earlier program" } else { "" };
        format!("{} on {}, {}{who}", self.name, self.on.word(), self.form.word())
    }

    pub(crate) fn whole(&self) -> Sample {
        Sample::sum(&self.slices)
    }

    /// Returns the cost of one operation in the first or the last slice, whichever is higher. Averaging would hide a
    /// bad state that recovers during the run.
    pub(crate) fn worse_end_us(&self) -> Option<f64> {
        Some(self.slices.first()?.cost_us().max(self.slices.last()?.cost_us()))
    }

    /// Returns the cost of one operation in the last slice, divided by the cost in the first.
    pub(crate) fn drift(&self) -> Option<f64> {
        let (first, last) = (self.slices.first()?, self.slices.last()?);
        (self.slices.len() > 1 && first.cost_us() > 0.0).then(|| last.cost_us() / first.cost_us())
    }
}

/// A median with its range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// Computes the spread of some figures; `None` without figures.
    pub(crate) fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = figures.into_iter().filter(|it| it.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let (low, high) = (sorted.get((sorted.len() - 1) / 2)?, sorted.get(sorted.len() / 2)?);
        Some(Self { median: f64::midpoint(*low, *high), min, max })
    }
}

/// A figure without a comparison.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Fact {
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) value: Spread,
    /// The target: an upper bound.
    pub(crate) aim: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_contains_median_minimum_and_maximum() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Some(Spread { median: 2.0, min: 1.0, max: 3.0 }));
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).map(|it| it.median), Some(2.5));
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([f64::NAN]), None);
    }

    #[test]
    fn checks_targets_as_minimum_or_maximum() {
        assert!(Target::AtLeast(0.5).is_met(0.5) && !Target::AtLeast(0.5).is_met(0.49));
        assert!(Target::AtMost(2.0).is_met(2.0) && !Target::AtMost(2.0).is_met(2.1));
    }
}

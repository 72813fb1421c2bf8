//! What a run finds, as it is kept in one JSON file.

use serde::{Deserialize, Serialize};

/// Everything that one run found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Results {
    /// The version of the service.
    pub(crate) version: String,
    /// The version of the program of `--against`, where there was one.
    #[serde(default)]
    pub(crate) against: Option<String>,
    /// `smoke`, `standard` or `full`.
    pub(crate) plan: String,
    /// Settings that differ from the defaults.
    pub(crate) settings: Vec<String>,
    pub(crate) machine: Machine,
    pub(crate) scenarios: Vec<Scenario>,
    /// Figures without a limit.
    pub(crate) facts: Vec<Fact>,
    /// What was measured without any grooming, and the analysed form of it.
    #[serde(default)]
    pub(crate) churns: Vec<Churn>,
    /// What one run of a flow says to PostgreSQL.
    #[serde(default)]
    pub(crate) one_run: Option<OneRun>,
}

impl Results {
    /// What the program that is measured did in one form.
    pub(crate) fn churn(&self, name: &str, on: On, form: Form) -> Option<&Churn> {
        self.churns.iter().find(|it| !it.earlier && it.name == name && it.on == on && it.form == form)
    }
}

/// Where it ran.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) processor: String,
    pub(crate) memory_gib: f64,
    /// How the kernel shares the processors out.
    pub(crate) sharing: String,
    /// The load averages of 1, 5 and 15 minutes when the run began.
    pub(crate) load_at_start: [f32; 3],
    pub(crate) postgres: String,
    /// Milliseconds: the median of writing 4 KiB and one fdatasync.
    pub(crate) fdatasync_ms: f64,
    pub(crate) fdatasync_ms_max: f64,
}

/// One row of the table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Scenario {
    /// A short name, for `--only` and for charts.
    pub(crate) name: String,
    /// Rows of one group stand together.
    pub(crate) group: String,
    /// What was done.
    pub(crate) title: String,
    /// Beside what.
    pub(crate) limit: String,
    /// What one operation is.
    pub(crate) unit: String,
    /// What the ratio compares.
    pub(crate) compares: Compares,
    pub(crate) target: Option<Target>,
    pub(crate) rounds: Vec<Round>,
    /// Over the rounds.
    pub(crate) ratio: Option<Spread>,
    /// Of the 99th percentiles, where both sides have one.
    pub(crate) p99_ratio: Option<Spread>,
    pub(crate) p99_target: Option<Target>,
    pub(crate) notes: Vec<String>,
}

/// What a ratio is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Compares {
    /// Operations a second: more is better.
    Rate,
    /// The median time of one operation: less is better.
    Time,
}

/// What a ratio should be.
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

/// Ours and the limit, one after the other.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) ours: Sample,
    pub(crate) limit: Option<Sample>,
}

/// What one side did in one round.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Sample {
    pub(crate) operations: u64,
    pub(crate) seconds: f64,
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
    /// Microseconds of processor time for one operation.
    pub(crate) service_cpu_us: f64,
    pub(crate) database_cpu_us: f64,
    pub(crate) client_cpu_us: f64,
    /// Of the service, at the end of the round.
    pub(crate) resident_mib: Option<f64>,
}

impl Sample {
    pub(crate) fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.operations as f64 / self.seconds } else { 0.0 }
    }

    /// The rate and what it cost, in words.
    pub(crate) fn words(&self) -> String {
        let (service, database) = (self.service_cpu_us / 1e3, self.database_cpu_us / 1e3);
        format!("{:.0}/s, service {service:.3} ms, PostgreSQL {database:.3} ms", self.rate())
    }

    /// Microseconds of processor time for one operation, of the service and PostgreSQL together.
    pub(crate) fn cost_us(&self) -> f64 {
        self.service_cpu_us + self.database_cpu_us
    }

    /// Several as one: costs by how many operations they stand for, percentiles of the slice in the middle.
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

/// One scenario that went on for a while, in one form.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Churn {
    /// A short name.
    pub(crate) name: String,
    /// What one operation is.
    pub(crate) unit: String,
    pub(crate) on: On,
    pub(crate) form: Form,
    /// Whether it is the program that `--against` names.
    #[serde(default)]
    pub(crate) earlier: bool,
    /// One after another.
    pub(crate) slices: Vec<Sample>,
    /// The limit, beside each slice, where there is one.
    #[serde(default)]
    pub(crate) limits: Vec<Sample>,
    /// The statements that PostgreSQL spent its time in, the longest first.
    #[serde(default)]
    pub(crate) profile: Vec<Spent>,
}

/// Which database the service runs on.
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

/// What state the tables are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    /// A new database, all made through the API, nothing analysed but by PostgreSQL itself.
    Wild,
    /// Filled, emptied to one row, vacuumed and analysed without giving pages back, and filled again.
    Emptied,
    /// As wild, while another transaction holds a snapshot open.
    Snapshot,
    /// Analysed while it is at work.
    Analysed,
}

impl Form {
    /// What the others are held beside comes second.
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

/// What one statement took of PostgreSQL's time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) statement: String,
    /// How often for one operation.
    pub(crate) calls: f64,
    /// Microseconds for one operation, waiting included.
    pub(crate) micros: f64,
}

/// What one run of a flow says to PostgreSQL, without numbering and logs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct OneRun {
    pub(crate) statements: u64,
    pub(crate) transactions: u64,
    /// Statements that were parsed anew.
    pub(crate) prepared: u64,
}

impl Churn {
    /// What it is, in one line.
    pub(crate) fn title(&self) -> String {
        let who = if self.earlier { ", the earlier program" } else { "" };
        format!("{} on {}, {}{who}", self.name, self.on.word(), self.form.word())
    }

    /// All slices as one.
    pub(crate) fn whole(&self) -> Sample {
        Sample::sum(&self.slices)
    }

    /// What one operation cost in the first or the last slice, whichever is more. A bad state that heals meanwhile is not
    /// averaged away.
    pub(crate) fn worse_end_us(&self) -> Option<f64> {
        Some(self.slices.first()?.cost_us().max(self.slices.last()?.cost_us()))
    }

    /// What one operation cost in the last slice, over what it cost in the first.
    pub(crate) fn drift(&self) -> Option<f64> {
        let (first, last) = (self.slices.first()?, self.slices.last()?);
        (self.slices.len() > 1 && first.cost_us() > 0.0).then(|| last.cost_us() / first.cost_us())
    }
}

/// A median with what lies around it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// Of some figures; `None` where there are none.
    pub(crate) fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = figures.into_iter().filter(|it| it.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let (low, high) = (sorted.get((sorted.len() - 1) / 2)?, sorted.get(sorted.len() / 2)?);
        Some(Self { median: f64::midpoint(*low, *high), min, max })
    }
}

/// A figure that stands for itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Fact {
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) value: Spread,
    /// What it should be at the most.
    pub(crate) aim: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_the_median_between_the_extremes() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Some(Spread { median: 2.0, min: 1.0, max: 3.0 }));
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).map(|it| it.median), Some(2.5));
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([f64::NAN]), None);
    }

    #[test]
    fn targets_have_a_side() {
        assert!(Target::AtLeast(0.5).is_met(0.5) && !Target::AtLeast(0.5).is_met(0.49));
        assert!(Target::AtMost(2.0).is_met(2.0) && !Target::AtMost(2.0).is_met(2.1));
    }
}

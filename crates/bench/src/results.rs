//! What a run finds, as it is kept in one JSON file.

use serde::{Deserialize, Serialize};

/// Everything that one run found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Results {
    /// The version of the service.
    pub(crate) version: String,
    /// `smoke`, `standard` or `full`.
    pub(crate) plan: String,
    /// Settings that differ from the defaults.
    pub(crate) settings: Vec<String>,
    pub(crate) machine: Machine,
    pub(crate) scenarios: Vec<Scenario>,
    /// Figures without a limit.
    pub(crate) facts: Vec<Fact>,
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

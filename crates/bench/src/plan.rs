//! How much is measured.

use std::time::Duration;

use serde::Serialize;

/// The sizes of one run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plan {
    /// Its name in the report.
    pub(crate) name: &'static str,
    /// How often each side of a scenario runs.
    pub(crate) rounds: u32,
    /// How long a side is loaded in one round.
    pub(crate) load: Duration,
    /// How many clients write at once where there are many.
    pub(crate) crowd: usize,
    /// How many contacts there are, from few to many.
    pub(crate) contacts: Vec<u64>,
    /// How many deliveries one round drains.
    pub(crate) deliveries: u64,
    /// How many jobs one round does.
    pub(crate) jobs: u64,
    /// How many runs of a flow one round starts.
    pub(crate) flow_runs: u64,
    /// How many events one round waits for, one at a time.
    pub(crate) events: u64,
    /// How often the program is started.
    pub(crate) starts: u32,
}

impl Plan {
    /// A few seconds for each scenario: that everything works, not how fast.
    pub(crate) fn smoke() -> Self {
        Self {
            name: "smoke",
            rounds: 2,
            load: Duration::from_secs(2),
            crowd: 32,
            contacts: vec![500, 1_000],
            deliveries: 1_000,
            jobs: 1_000,
            flow_runs: 50,
            events: 20,
            starts: 2,
        }
    }

    /// What the report is made from.
    pub(crate) fn standard() -> Self {
        Self {
            name: "standard",
            rounds: 5,
            load: Duration::from_secs(3),
            crowd: 256,
            contacts: vec![10_000, 100_000],
            deliveries: 50_000,
            jobs: 50_000,
            flow_runs: 1_000,
            events: 200,
            starts: 10,
        }
    }

    /// As many rounds of everything, each shorter.
    pub(crate) fn brief() -> Self {
        Self {
            name: "brief",
            load: Duration::from_secs(1),
            deliveries: 5_000,
            jobs: 20_000,
            flow_runs: 100,
            events: 50,
            starts: 5,
            ..Self::standard()
        }
    }

    /// The same with a million contacts.
    pub(crate) fn full() -> Self {
        Self { name: "full", contacts: vec![10_000, 100_000, 1_000_000], ..Self::standard() }
    }

    /// The fewest contacts: what writes is measured there.
    pub(crate) fn fewest(&self) -> u64 {
        self.contacts.first().copied().unwrap_or(1_000)
    }

    /// The most contacts.
    pub(crate) fn most(&self) -> u64 {
        self.contacts.last().copied().unwrap_or(1_000)
    }
}

//! The sizes of a run.

use std::time::Duration;

use serde::Serialize;

use crate::results::Form;

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plan {
    /// Its name in the report.
    pub(crate) name: &'static str,
    /// The number of rounds of each scenario.
    pub(crate) rounds: u32,
    /// The time of load on each side in one round.
    pub(crate) load: Duration,
    /// The number of concurrent clients in the scenarios with many writers.
    pub(crate) crowd: usize,
    /// The numbers of contacts, ascending.
    pub(crate) contacts: Vec<u64>,
    /// The number of deliveries drained in one round.
    pub(crate) deliveries: u64,
    pub(crate) jobs: u64,
    /// The number of events in one round, sent one at a time.
    pub(crate) events: u64,
    /// The number of program starts.
    pub(crate) starts: u32,
    /// The sizes of the groups on a new database.
    pub(crate) wild: Wild,
}

/// The sizes of measurements on a new database without `ANALYZE`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Wild {
    /// The number of contacts created through the API.
    pub(crate) contacts: u64,
    /// The length of a slice. The first and the last slice are compared.
    pub(crate) slice: Duration,
    pub(crate) slices: u32,
    /// The number of operations that fill the tables before they are emptied.
    pub(crate) filling: u64,
    /// The number of events created before they are numbered or delivered.
    pub(crate) events: u64,
    /// The number of messages due in one conversation.
    pub(crate) backlog: u64,
    /// The number of contacts in a broadcast, and the number of broadcasts.
    pub(crate) audience: u64,
    pub(crate) broadcasts: u32,
    /// Whether scenarios other than flow runs are also measured in every form.
    pub(crate) in_all_forms: bool,
}

impl Wild {
    /// Whether scenarios other than flow runs are measured in this form.
    pub(crate) fn measures(&self, form: Form) -> bool {
        self.in_all_forms || form == Form::Wild
    }

    /// A few seconds in total.
    const SMOKE: Self = Self {
        contacts: 200,
        slice: Duration::from_secs(1),
        slices: 2,
        filling: 40,
        events: 400,
        backlog: 200,
        audience: 1_000,
        broadcasts: 1,
        in_all_forms: false,
    };
    /// The sizes for the report: a minute for each figure.
    const STANDARD: Self = Self {
        contacts: 20_000,
        slice: Duration::from_secs(10),
        slices: 6,
        filling: 2_000,
        events: 20_000,
        backlog: 10_000,
        audience: 50_000,
        broadcasts: 3,
        in_all_forms: true,
    };
    /// A fifth of the standard time.
    const BRIEF: Self = Self {
        contacts: 5_000,
        slice: Duration::from_secs(4),
        slices: 3,
        events: 5_000,
        audience: 10_000,
        ..Self::STANDARD
    };
}

impl Plan {
    /// A few seconds for each scenario: checks correctness, not speed.
    pub(crate) fn smoke() -> Self {
        Self {
            name: "smoke",
            rounds: 2,
            load: Duration::from_secs(1),
            crowd: 32,
            contacts: vec![500, 1_000],
            deliveries: 1_000,
            jobs: 1_000,
            events: 20,
            starts: 2,
            wild: Wild::SMOKE,
        }
    }

    /// The sizes for the report.
    pub(crate) fn standard() -> Self {
        Self {
            name: "standard",
            rounds: 5,
            load: Duration::from_secs(3),
            crowd: 256,
            contacts: vec![10_000, 100_000],
            deliveries: 50_000,
            jobs: 50_000,
            events: 200,
            starts: 10,
            wild: Wild::STANDARD,
        }
    }

    /// The standard number of rounds, each shorter.
    pub(crate) fn brief() -> Self {
        Self {
            name: "brief",
            load: Duration::from_secs(1),
            deliveries: 5_000,
            jobs: 20_000,
            events: 50,
            starts: 5,
            wild: Wild::BRIEF,
            ..Self::standard()
        }
    }

    /// The standard sizes with up to a million contacts.
    pub(crate) fn full() -> Self {
        let wild = Wild { audience: 1_000_000, broadcasts: 1, ..Wild::STANDARD };
        Self { name: "full", contacts: vec![10_000, 100_000, 1_000_000], wild, ..Self::standard() }
    }

    /// Returns the numbers of contacts at which reads are measured. A smoke run only checks correctness, so one is
    /// enough.
    pub(crate) fn read_at(&self) -> Vec<u64> {
        let sizes = if self.name == "smoke" { 1 } else { self.contacts.len() };
        self.contacts.iter().copied().take(sizes).collect()
    }

    /// Returns the smallest number of contacts, at which writes are measured.
    pub(crate) fn fewest(&self) -> u64 {
        self.contacts.first().copied().unwrap_or(1_000)
    }

    /// Returns the largest number of contacts.
    pub(crate) fn most(&self) -> u64 {
        self.contacts.last().copied().unwrap_or(1_000)
    }
}

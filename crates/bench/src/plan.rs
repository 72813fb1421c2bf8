//! How much is measured.

use std::time::Duration;

use serde::Serialize;

use crate::results::Form;

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
    /// How many events one round waits for, one at a time.
    pub(crate) events: u64,
    /// How often the program is started.
    pub(crate) starts: u32,
    /// What is measured without any grooming.
    pub(crate) wild: Wild,
}

/// The sizes of what is measured on a new database that nobody has analysed.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Wild {
    /// How many contacts are made through the API.
    pub(crate) contacts: u64,
    /// Churn is measured in slices of this length, of which the first and the last are held beside one another.
    pub(crate) slice: Duration,
    /// How many slices there are.
    pub(crate) slices: u32,
    /// How many operations fill the tables that are emptied again.
    pub(crate) filling: u64,
    /// How many events are created before they are numbered or delivered.
    pub(crate) events: u64,
    /// How many messages are due for one conversation.
    pub(crate) backlog: u64,
    /// To how many contacts a broadcast goes, and how often.
    pub(crate) audience: u64,
    pub(crate) broadcasts: u32,
    /// Whether what goes on beside the runs of flows is measured in each form, too.
    pub(crate) in_all_forms: bool,
}

impl Wild {
    /// Whether what goes on beside the runs of flows is measured in this form.
    pub(crate) fn measures(&self, form: Form) -> bool {
        self.in_all_forms || form == Form::Wild
    }

    /// A few seconds for everything.
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
    /// What the report is made from: a minute for each figure.
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
    /// The same in a fifth of the time.
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
    /// A few seconds for each scenario: that everything works, not how fast.
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
            events: 200,
            starts: 10,
            wild: Wild::STANDARD,
        }
    }

    /// As many rounds of everything, each shorter.
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

    /// The same with a million contacts.
    pub(crate) fn full() -> Self {
        let wild = Wild { audience: 1_000_000, broadcasts: 1, ..Wild::STANDARD };
        Self { name: "full", contacts: vec![10_000, 100_000, 1_000_000], wild, ..Self::standard() }
    }

    /// At how many contacts reads are measured: to see that they are right, few are enough.
    pub(crate) fn read_at(&self) -> Vec<u64> {
        let sizes = if self.name == "smoke" { 1 } else { self.contacts.len() };
        self.contacts.iter().copied().take(sizes).collect()
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

//! When a flow fires next.

use chrono_tz::Tz;

use super::Cron;
use crate::ids::FlowId;
use crate::time::Timestamp;

/// When a flow fires next, and when it last did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowSchedule {
    /// Which flow.
    pub flow: FlowId,
    /// How often it was planned; a job belongs to one of these plans.
    pub visit: i64,
    /// The instant of the next firing; `None` where none is to come, as while the flow is paused.
    pub next_at: Option<Timestamp>,
    /// By whose clocks it was planned.
    pub zone: Tz,
    /// The instant for which it fired last. It fires for later ones only, so for none twice.
    pub fired_at: Option<Timestamp>,
}

impl FlowSchedule {
    /// The zone that is called so; of one that is no more UTC, which is not that of the workspace either, so that the flow
    /// is planned anew.
    pub fn zone_named(name: &str) -> Tz {
        name.parse().unwrap_or(Tz::UTC)
    }

    /// That of a flow that was never planned.
    pub(super) fn unplanned(flow: FlowId, zone: Tz) -> Self {
        Self { flow, visit: 0, next_at: None, zone, fired_at: None }
    }

    /// The same, planned anew: behind an instant, and behind the last one for which it fired.
    #[must_use]
    pub(super) fn planned<'c>(self, crons: impl IntoIterator<Item = &'c Cron>, after: Timestamp, zone: Tz) -> Self {
        let after = self.fired_at.map_or(after, |fired| fired.max(after));
        let next_at = crons.into_iter().filter_map(|cron| cron.next_after(after, zone)).min();
        Self { visit: self.visit + 1, next_at, zone, ..self }
    }
}

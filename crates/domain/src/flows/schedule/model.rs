//! The stored schedule of a flow.

use chrono_tz::Tz;

use super::Cron;
use crate::ids::FlowId;
use crate::time::Timestamp;

/// The next and the last firing of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowSchedule {
    /// The flow.
    pub flow: FlowId,
    /// Number of plans so far; a job belongs to one plan.
    pub visit: i64,
    /// The instant of the next firing; `None` if none is planned, for example while the flow is paused.
    pub next_at: Option<Timestamp>,
    /// The time zone of the plan.
    pub zone: Tz,
    /// The instant of the last firing. Only later instants fire, so none fires twice.
    pub fired_at: Option<Timestamp>,
}

impl FlowSchedule {
    /// Returns the time zone with this name. UTC if the name no longer exists: it differs from the workspace's time
    /// zone, so the flow is planned again.
    pub fn zone_named(name: &str) -> Tz {
        name.parse().unwrap_or(Tz::UTC)
    }

    /// Creates the schedule of a flow that was never planned.
    pub(super) fn unplanned(flow: FlowId, zone: Tz) -> Self {
        Self { flow, visit: 0, next_at: None, zone, fired_at: None }
    }

    /// Returns the next plan: the first firing after `after` and after the last firing.
    #[must_use]
    pub(super) fn planned<'c>(self, crons: impl IntoIterator<Item = &'c Cron>, after: Timestamp, zone: Tz) -> Self {
        let after = self.fired_at.map_or(after, |fired| fired.max(after));
        let next_at = crons.into_iter().filter_map(|cron| cron.next_after(after, zone)).min();
        Self { visit: self.visit + 1, next_at, zone, ..self }
    }
}

//! Retention periods, defined in one place.

use std::time::Duration;

/// Retention in days by type of data, from [`Retention::LEAST`] to [`Retention::MOST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Events, with their deliveries.
    pub events: u32,
    /// Deliveries with their attempts. A delivery is deleted with its event or earlier.
    pub deliveries: u32,
    /// The request log and its totals.
    pub usage: u32,
    /// Traces of runs, from the end of the run. The runs themselves remain.
    pub traces: u32,
    /// Custom events.
    pub custom_events: u32,
    /// Runs of flows, from their end.
    pub runs: u32,
    /// Recipients of a broadcast, from its end. Its counts and messages remain.
    pub recipients: u32,
    /// The audit log.
    pub audit_log: u32,
    /// Deleted workspaces. They can be restored until then.
    pub deleted_workspaces: u32,
}

impl Retention {
    /// Minimum: retries of deliveries take several days.
    pub const LEAST: u32 = 7;
    /// Maximum.
    pub const MOST: u32 = 400;

    /// Returns for how many days deliveries can be replayed. A replay needs the event of the delivery.
    pub fn replayable(self) -> u32 {
        self.deliveries.min(self.events)
    }
}

impl Default for Retention {
    /// Returns the defaults: 30 days for technical details, 400 days for the history.
    fn default() -> Self {
        Self {
            events: 30,
            deliveries: 30,
            usage: 30,
            traces: 30,
            custom_events: 400,
            runs: 400,
            recipients: 400,
            audit_log: 400,
            deleted_workspaces: 7,
        }
    }
}

/// Returns a number of days, of 24 hours each.
pub fn days(number: u32) -> Duration {
    Duration::from_secs(u64::from(number) * 86_400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_are_replayable_while_they_and_their_events_exist() {
        let kept = |events, deliveries| Retention { events, deliveries, ..Retention::default() }.replayable();
        assert_eq!((kept(30, 7), kept(7, 30), kept(90, 90)), (7, 7, 90));
        assert_eq!(days(7).as_secs(), 604_800);
    }
}

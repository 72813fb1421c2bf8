//! For how long what has happened is kept: the one place that knows.

use std::time::Duration;

/// How many days each kind is kept, from [`Retention::LEAST`] to [`Retention::MOST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Events, with their deliveries.
    pub events: u32,
    /// Deliveries with their attempts; none outlives its event.
    pub deliveries: u32,
    /// The log of requests and its sums.
    pub usage: u32,
    /// What the runs of flows did, node by node, from their end on. The runs themselves stay.
    pub traces: u32,
    /// Custom events.
    pub custom_events: u32,
    /// Runs of flows, from their end on.
    pub runs: u32,
    /// Who had a place in a broadcast, from its end on. Its counts stay, and its messages.
    pub recipients: u32,
    /// The audit log.
    pub audit_log: u32,
    /// Deleted workspaces, which can be restored until then.
    pub deleted_workspaces: u32,
}

impl Retention {
    /// No kind is kept for fewer days: retries of deliveries take days themselves.
    pub const LEAST: u32 = 7;
    /// No kind is kept for more.
    pub const MOST: u32 = 400;

    /// How many days back deliveries can be sent again: a delivery needs its event.
    pub fn replayable(self) -> u32 {
        self.deliveries.min(self.events)
    }
}

impl Default for Retention {
    /// Thirty days of what explains how things came about, and four hundred of what happened.
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

/// So many days, of 24 hours each.
pub fn days(number: u32) -> Duration {
    Duration::from_secs(u64::from(number) * 86_400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_are_sent_again_as_long_as_they_and_their_events_are_there() {
        let kept = |events, deliveries| Retention { events, deliveries, ..Retention::default() }.replayable();
        assert_eq!((kept(30, 7), kept(7, 30), kept(90, 90)), (7, 7, 90));
        assert_eq!(days(7).as_secs(), 604_800);
    }
}

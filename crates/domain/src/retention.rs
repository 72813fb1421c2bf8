//! Retention periods, defined in one place.

use std::time::Duration;

/// Retention in days by type of data, from [`Retention::LEAST`] to [`Retention::MOST`].
///
/// Messages, conversations and deleted contacts stay for ever with 0, otherwise from [`Retention::LEAST_CONTENT`] to
/// [`Retention::MOST_CONTENT`] days.
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
    /// Messages, from their creation. The last message of a conversation that is not resolved remains.
    pub messages: u32,
    /// Resolved conversations with their messages, from their resolution.
    pub conversations: u32,
    /// Deleted contacts, from their deletion. Then they are erased.
    pub deleted_contacts: u32,
}

impl Retention {
    /// Minimum: retries of deliveries take several days.
    pub const LEAST: u32 = 7;
    /// Maximum.
    pub const MOST: u32 = 400;
    /// Minimum for messages, conversations and deleted contacts: a deleted contact can be restored for 30 days.
    pub const LEAST_CONTENT: u32 = 30;
    /// Maximum for messages, conversations and deleted contacts: ten years.
    pub const MOST_CONTENT: u32 = 3_650;

    /// Returns for how many days deliveries can be replayed. A replay needs the event of the delivery.
    pub fn replayable(self) -> u32 {
        self.deliveries.min(self.events)
    }
}

impl Default for Retention {
    /// Returns the defaults: 30 days for technical details, 400 days for the history, and no limit for content.
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
            messages: 0,
            conversations: 0,
            deleted_contacts: 0,
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

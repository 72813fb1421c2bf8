//! The rate limit of inbound addresses.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tidings_domain::access::limiter::{Decision, RateWindow};
use tidings_domain::ids::ChannelId;
use tidings_domain::time::Timestamp;

/// Idle rate windows are removed when there are this many.
const SWEEP_AT: usize = 1_024;

/// One window per existing channel. Unknown addresses use no memory.
#[derive(Default)]
pub(crate) struct InboundRateWindows(Mutex<HashMap<ChannelId, RateWindow>>);

impl InboundRateWindows {
    /// Counts a request to the channel, if the limit admits it.
    pub(crate) fn admit(&self, channel: ChannelId, limit: u32, now: Timestamp) -> Decision {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= SWEEP_AT && !windows.contains_key(&channel) {
            windows.retain(|_, window| !window.is_idle(now.millis()));
        }
        windows.entry(channel).or_default().admit(limit, now.millis())
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn limits_each_channel_separately() {
        let windows = InboundRateWindows::default();
        let channel = |number| ChannelId::from_uuid(Uuid::from_u128(number));
        let now = Timestamp::EPOCH_2026;
        let admitted = |number| windows.admit(channel(number), 2, now).admitted;
        assert_eq!([admitted(1), admitted(1), admitted(1), admitted(2)], [true, true, false, true]);
        let later = Timestamp::from_millis(now.millis() + 61_000);
        assert!(windows.admit(channel(1), 2, later).admitted);
    }
}

//! The rate limits of inbound addresses.

use tidings_domain::ids::ChannelId;
use tidings_domain::time::Timestamp;

use crate::limits::rate_windows::RateWindows;

/// Maximum number of requests of a channel without a valid signature in a rolling minute.
const UNVERIFIED: u32 = 120;

/// Counts the requests of each channel. A request without a valid signature never counts as one of the provider, so a
/// stranger who knows the address cannot use up the limit of the provider.
#[derive(Default)]
pub(crate) struct InboundLimits {
    verified: RateWindows<ChannelId>,
    unverified: RateWindows<ChannelId>,
}

impl InboundLimits {
    /// Counts a verified request. Returns the seconds to wait if the channel has reached `limit`.
    pub(crate) fn count_verified(&self, channel: ChannelId, limit: u32, now: Timestamp) -> Option<u32> {
        let decision = self.verified.admit(channel, limit, now);
        (!decision.admitted).then_some(decision.reset_seconds)
    }

    /// Counts a request without a valid signature. Returns the seconds to wait if the channel has received too many.
    pub(crate) fn count_unverified(&self, channel: ChannelId, now: Timestamp) -> Option<u32> {
        let decision = self.unverified.admit(channel, UNVERIFIED, now);
        (!decision.admitted).then_some(decision.reset_seconds)
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn channel(number: u128) -> ChannelId {
        ChannelId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn limits_each_channel_separately() {
        let limits = InboundLimits::default();
        let is_admitted = |number| limits.count_verified(channel(number), 2, NOW).is_none();
        assert_eq!([is_admitted(1), is_admitted(1), is_admitted(1), is_admitted(2)], [true, true, false, true]);
        let later = Timestamp::from_millis(NOW.millis() + 61_000);
        assert_eq!(limits.count_verified(channel(1), 2, later), None);
    }

    #[test]
    fn requests_without_a_valid_signature_use_up_only_their_own_limit() {
        let limits = InboundLimits::default();
        for _ in 0..UNVERIFIED {
            assert_eq!(limits.count_unverified(channel(1), NOW), None);
        }
        assert!(limits.count_unverified(channel(1), NOW).is_some());
        assert_eq!(limits.count_unverified(channel(2), NOW), None);
        assert_eq!(limits.count_verified(channel(1), 1, NOW), None);
    }
}

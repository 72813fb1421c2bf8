//! The pace of a provider: how many calls that send messages it accepts in a time.

use std::time::Duration;

/// A limit of calls, as a token bucket: `burst` calls at once, and then one call in each period `every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaceLimit {
    /// Time between two calls after the burst.
    pub every: Duration,
    /// Maximum number of calls at once, at least 1. Unused calls are saved up to this number.
    pub burst: u32,
}

impl PaceLimit {
    /// A limit of evenly spread calls. Unused calls are not saved.
    pub const fn per_second(calls: u32) -> Self {
        let second = Duration::from_secs(1);
        let every = match second.checked_div(calls) {
            Some(every) => every,
            None => second,
        };
        Self { every, burst: 1 }
    }
}

/// The limits of calls that send messages of a channel. `None` if the provider has no limit, or queues the messages
/// above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendPace {
    /// The limit of all calls of the channel.
    pub channel: Option<PaceLimit>,
    /// The limit of the calls to one address.
    pub recipient: Option<PaceLimit>,
}

impl SendPace {
    /// No limits.
    pub const NONE: Self = Self { channel: None, recipient: None };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_calls_over_a_second() {
        assert_eq!(PaceLimit::per_second(25), PaceLimit { every: Duration::from_millis(40), burst: 1 });
        assert_eq!(PaceLimit::per_second(0), PaceLimit::per_second(1), "some calls are always possible");
    }
}

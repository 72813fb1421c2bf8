//! The usage log of the API: requests and their sums. It bypasses the ledger, and can lose its last second.

mod filter;
mod histogram;
mod record;
mod sums;

use std::time::Duration;

pub use filter::{Caller, RequestFilter, Span, StatusClass, UsageFilter};
pub use histogram::{HistogramInterval, LONGEST_BY_MINUTE, Layout, UsageHistogram, UsagePoint};
pub use record::{KeyUse, MOST_ERRORS, RequestError, UsageRecord, UsageView};
pub use sums::{ErrorGroup, HOUR, KeyUsage, RouteUsageView, UsageHour, UsageHourView, UsageSums, by_hour};

use crate::time::Timestamp;

/// The maximum number of error groups, and of keys, in a response.
pub const MOST_GROUPS: u32 = 100;

/// Returns the last multiple of `width`, counted from 1970 in UTC, that is not after `at`.
pub fn begin_of(at: Timestamp, width: Duration) -> Timestamp {
    let width = i64::try_from(width.as_millis()).unwrap_or(i64::MAX).max(1);
    Timestamp::from_millis(at.millis().div_euclid(width).saturating_mul(width))
}

/// Returns the first multiple of `width` that is not before `at`.
pub fn end_of(at: Timestamp, width: Duration) -> Timestamp {
    let begin = begin_of(at, width);
    if begin == at { at } else { begin.plus(width) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_an_instant_down_and_up_to_multiples() {
        let now = Timestamp::EPOCH_2026;
        let minutes = |minutes: u64| now.plus(Duration::from_secs(minutes * 60));
        assert_eq!((begin_of(now, HOUR), end_of(now, HOUR)), (now, now));
        assert_eq!((begin_of(minutes(59), HOUR), end_of(minutes(59), HOUR)), (now, minutes(60)));
        assert_eq!((begin_of(minutes(60), HOUR), end_of(minutes(61), HOUR)), (minutes(60), minutes(120)));
    }
}

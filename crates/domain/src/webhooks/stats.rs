//! Attempts of the last day, from counters that each attempt increments.

use std::time::Duration;

use serde::Serialize;

use crate::analytics::durations;
use crate::ids::WebhookId;
use crate::time::Timestamp;

const HOUR_MILLIS: i64 = 3_600_000;
/// The last bucket: all durations above about 100 s.
const LAST_BUCKET: i32 = 64;

/// The number of attempts of one hour with the same outcome and duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptCount {
    /// The webhook.
    pub webhook: WebhookId,
    /// Start of the hour.
    pub hour: Timestamp,
    /// Whether the receiver accepted the delivery.
    pub succeeded: bool,
    /// The bucket of the duration, see [`AttemptCount::bucket_of`].
    pub bucket: i32,
    /// The number of attempts.
    pub count: i64,
}

impl AttemptCount {
    /// Returns the counter of one attempt.
    pub fn one(webhook: WebhookId, at: Timestamp, succeeded: bool, duration: Duration) -> Self {
        let hour = Timestamp::from_millis(at.millis().div_euclid(HOUR_MILLIS) * HOUR_MILLIS);
        Self { webhook, hour, succeeded, bucket: Self::bucket_of(duration), count: 1 }
    }

    /// Returns the bucket of a duration: the first one that ends at or after it.
    pub fn bucket_of(duration: Duration) -> i32 {
        durations::bucket_of(duration).min(LAST_BUCKET)
    }
}

/// Attempts of the last 24 hours, accurate to an hour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookStats {
    /// Number of successful attempts.
    pub succeeded_24h: i64,
    /// Number of failed attempts.
    pub failed_24h: i64,
    /// 95th percentile of the duration in milliseconds, accurate to a fifth; `null` without attempts.
    pub p95_ms: Option<i64>,
}

impl WebhookStats {
    /// Returns the earliest time of counted attempts.
    pub fn since(now: Timestamp) -> Timestamp {
        let hour = now.millis().div_euclid(HOUR_MILLIS) * HOUR_MILLIS;
        Timestamp::from_millis(hour - 23 * HOUR_MILLIS)
    }

    /// Sums up these counters.
    pub fn of(counts: impl IntoIterator<Item = AttemptCount>) -> Self {
        let mut stats = Self::default();
        let mut buckets = std::collections::BTreeMap::<i32, i64>::new();
        for count in counts {
            let side = if count.succeeded { &mut stats.succeeded_24h } else { &mut stats.failed_24h };
            *side += count.count;
            *buckets.entry(count.bucket).or_default() += count.count;
        }
        stats.p95_ms = durations::percentile(&buckets, 95).map(|bucket| durations::end_of(bucket).round() as i64);
        stats
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;

    fn count(succeeded: bool, millis: u64, count: i64) -> AttemptCount {
        let one = AttemptCount::one(
            WebhookId::from_uuid(Uuid::nil()),
            Timestamp::EPOCH_2026,
            succeeded,
            Duration::from_millis(millis),
        );
        AttemptCount { count, ..one }
    }

    #[test]
    fn finds_the_95th_percentile_within_a_fifth() {
        assert_eq!(WebhookStats::of([]), WebhookStats::default());
        let stats = WebhookStats::of([count(true, 100, 95), count(false, 15_000, 5)]);
        assert_eq!((stats.succeeded_24h, stats.failed_24h), (95, 5));
        assert!((100..=120).contains(&stats.p95_ms.unwrap()), "{stats:?}");
        let stats = WebhookStats::of([count(true, 100, 94), count(false, 15_000, 6)]);
        assert!((15_000..=18_000).contains(&stats.p95_ms.unwrap()), "{stats:?}");
        assert_eq!(WebhookStats::of([count(true, 0, 1)]).p95_ms, Some(1));
        assert!(AttemptCount::bucket_of(Duration::from_secs(9_999)) == LAST_BUCKET);
    }

    #[test]
    fn a_day_covers_this_hour_and_the_23_before() {
        let now = Timestamp::EPOCH_2026.plus(Duration::from_secs(30 * 3_600 + 59));
        assert_eq!(WebhookStats::since(now), Timestamp::EPOCH_2026.plus(Duration::from_secs(7 * 3_600)));
    }
}

//! Histograms of requests.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::{Span, begin_of, end_of};
use crate::time::Timestamp;

const MOST_BUCKETS: u32 = 120;

/// The longest span that is counted by minute, from single requests.
pub const LONGEST_BY_MINUTE: Duration = Duration::from_secs(60 * MOST_BUCKETS as u64);

/// Length of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum HistogramInterval {
    /// A minute.
    #[serde(rename = "PT1M")]
    Minute,
    /// A quarter of an hour.
    #[serde(rename = "PT15M")]
    Quarter,
    /// An hour.
    #[serde(rename = "PT1H")]
    Hour,
    /// A quarter of a day.
    #[serde(rename = "PT6H")]
    SixHours,
    /// A day in UTC.
    #[serde(rename = "P1D")]
    Day,
}

impl HistogramInterval {
    /// The shortest first.
    const ALL: [Self; 5] = [Self::Minute, Self::Quarter, Self::Hour, Self::SixHours, Self::Day];

    /// Returns its length.
    pub fn width(self) -> Duration {
        let minutes = match self {
            Self::Minute => 1,
            Self::Quarter => 15,
            Self::Hour => 60,
            Self::SixHours => 360,
            Self::Day => 1_440,
        };
        Duration::from_secs(minutes * 60)
    }
}

/// The division of a span into buckets, which begin at multiples of the interval in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The span of all buckets.
    pub span: Span,
    /// The length of a bucket.
    pub interval: HistogramInterval,
}

impl Layout {
    /// Returns the finest layout with at most 120 buckets. The span ends in the last bucket. It begins in the first
    /// one, or in the bucket before it if that would be one too many.
    pub fn of(span: Span) -> Self {
        let fits = |it: &HistogramInterval| span.length() <= it.width() * MOST_BUCKETS;
        let interval = HistogramInterval::ALL.into_iter().find(fits).unwrap_or(HistogramInterval::Day);
        let to = end_of(span.to, interval.width());
        let from = begin_of(span.from, interval.width()).max(to.minus(interval.width() * MOST_BUCKETS));
        Self { span: Span { from, to }, interval }
    }

    /// Fills the histogram with counts of shorter intervals. Empty buckets are omitted.
    pub fn fill(self, counts: &[UsagePoint]) -> UsageHistogram {
        let mut buckets = BTreeMap::<Timestamp, UsagePoint>::new();
        for it in counts {
            let at = begin_of(it.at, self.interval.width());
            buckets.entry(at).and_modify(|bucket| bucket.add(it)).or_insert(UsagePoint { at, ..*it });
        }
        let data = buckets.into_values().collect();
        UsageHistogram { from: self.span.from, to: self.span.to, interval: self.interval, data }
    }
}

/// The requests of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsagePoint {
    /// Start of the bucket.
    pub at: Timestamp,
    /// Number of requests.
    pub requests: i64,
    /// Number of requests with a 4xx status.
    pub client_errors: i64,
    /// Number of requests with a 5xx status.
    pub server_errors: i64,
}

impl UsagePoint {
    /// Returns the count of one request in an interval that begins at `at`.
    pub fn one(at: Timestamp, status: u16) -> Self {
        let (client_errors, server_errors) = (i64::from((400..500).contains(&status)), i64::from(status >= 500));
        Self { at, requests: 1, client_errors, server_errors }
    }

    /// Adds the requests of another interval.
    pub fn add(&mut self, more: &Self) {
        self.requests += more.requests;
        self.client_errors += more.client_errors;
        self.server_errors += more.server_errors;
    }
}

/// Number of requests by bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageHistogram {
    /// Start of the first bucket.
    pub from: Timestamp,
    /// End of the last bucket.
    pub to: Timestamp,
    /// Length of a bucket: the shortest that gives at most 120 buckets.
    pub interval: HistogramInterval,
    /// The buckets in order, without empty buckets.
    pub data: Vec<UsagePoint>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60;
    const HOUR: u64 = 3_600;
    const DAY: u64 = 86_400;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::EPOCH_2026.plus(Duration::from_secs(seconds))
    }

    fn layout(from: u64, to: u64) -> Layout {
        Layout::of(Span { from: at(from), to: at(to) })
    }

    #[test]
    fn uses_the_finest_interval_with_at_most_120_buckets() {
        for (length, interval) in [
            (MINUTE, HistogramInterval::Minute),
            (2 * HOUR, HistogramInterval::Minute),
            (2 * HOUR + 1, HistogramInterval::Quarter),
            (30 * HOUR, HistogramInterval::Quarter),
            (30 * HOUR + 1, HistogramInterval::Hour),
            (5 * DAY + 1, HistogramInterval::SixHours),
            (30 * DAY + 1, HistogramInterval::Day),
            (31 * DAY, HistogramInterval::Day),
        ] {
            // The result does not depend on the start of the span.
            for begin in [0, 1, 59, 60, 899, 3_599, 43_201] {
                let Layout { span, interval: chosen } = layout(begin, begin + length);
                assert_eq!(chosen, interval, "{length} s");
                assert!(span.length() <= chosen.width() * MOST_BUCKETS, "{length} s from {begin}: {span:?}");
                assert_eq!(span, span.widened(chosen.width()), "buckets begin at multiples of the interval");
                assert!(span.to >= at(begin + length), "the span includes the newest request");
                assert!(span.from < at(begin).plus(chosen.width()), "at most a part of one bucket is omitted");
            }
        }
        assert_eq!(LONGEST_BY_MINUTE, Duration::from_secs(2 * HOUR));
    }

    #[test]
    fn drops_a_partial_first_bucket_only_at_the_limit() {
        assert_eq!(layout(30, HOUR + 30).span, Span { from: at(0), to: at(HOUR + 60) });
        assert_eq!(layout(30, 2 * HOUR + 30).span, Span { from: at(60), to: at(2 * HOUR + 60) });
    }

    #[test]
    fn sums_counts_by_bucket() {
        let point = |seconds, status| UsagePoint::one(at(seconds), status);
        let counts = [point(0, 200), point(900, 404), point(2_700, 503), point(7_200, 200)];
        let filled = layout(0, 31 * HOUR).fill(&counts);
        assert_eq!(filled.interval, HistogramInterval::Hour);
        let sums = UsagePoint { at: at(0), requests: 3, client_errors: 1, server_errors: 1 };
        assert_eq!(filled.data, [sums, point(7_200, 200)], "an hour without requests has no point");
    }
}

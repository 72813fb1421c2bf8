//! Durations, counted by bucket. Counts of different periods and processes can be added.

use std::collections::BTreeMap;
use std::time::Duration;

/// Ratio of the ends of two consecutive buckets. The first bucket ends at 1 ms.
const GROWTH: f64 = 1.2;
/// The last bucket. It contains all longer durations: its end is about 200,000 years.
const LAST: f64 = 200.0;

/// Returns the bucket of a duration: the smallest one that does not end before it.
pub fn bucket_of(duration: Duration) -> i32 {
    let millis = duration.as_secs_f64() * 1_000.0;
    // Between 0 and 200 after the clamp: the cast is exact.
    if millis <= 1.0 { 0 } else { (millis.ln() / GROWTH.ln()).ceil().clamp(0.0, LAST) as i32 }
}

/// Returns the end of a bucket in milliseconds.
pub fn end_of(bucket: i32) -> f64 {
    GROWTH.powi(bucket)
}

/// Returns the middle of a bucket in milliseconds, accurate to a tenth; 0 for the first bucket.
pub fn middle_of(bucket: i32) -> f64 {
    if bucket <= 0 { 0.0 } else { GROWTH.powf(f64::from(bucket) - 0.5) }
}

/// Returns the bucket that contains the percentile; `None` if there are no durations.
pub fn percentile(counts: &BTreeMap<i32, i64>, percent: i64) -> Option<i32> {
    let all: i64 = counts.values().sum();
    let rank = (all * percent + 99) / 100;
    let mut seen = 0;
    let reached = counts.iter().find(|(_, count)| {
        seen += **count;
        seen >= rank
    });
    reached.filter(|_| all > 0).map(|(bucket, _)| *bucket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_durations_in_buckets_accurate_to_a_tenth() {
        assert_eq!((bucket_of(Duration::ZERO), middle_of(0)), (0, 0.0));
        for seconds in [1, 60, 86_400, 400 * 86_400] {
            let bucket = bucket_of(Duration::from_secs(seconds));
            let millis = seconds as f64 * 1_000.0;
            assert!(end_of(bucket) >= millis && end_of(bucket - 1) < millis, "{seconds} s");
            assert!((middle_of(bucket) / millis - 1.0).abs() < 0.1, "{seconds} s");
        }
        assert_eq!(bucket_of(Duration::MAX), 200);
    }

    #[test]
    fn computes_percentiles_of_bucket_counts() {
        assert_eq!(percentile(&BTreeMap::new(), 50), None);
        assert_eq!(percentile(&BTreeMap::from([(3, 1)]), 50), Some(3));
        assert_eq!(percentile(&BTreeMap::from([(0, 5), (7, 5), (9, 1)]), 50), Some(7));
        assert_eq!(percentile(&BTreeMap::from([(0, 6), (7, 5)]), 50), Some(0));
        assert_eq!(percentile(&BTreeMap::from([(0, 94), (7, 6)]), 95), Some(7));
    }
}

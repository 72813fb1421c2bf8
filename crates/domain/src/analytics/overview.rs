//! The overview: counters combined into totals and a series. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Timelike, Utc};
use chrono_tz::Tz;
use serde::Serialize;

use super::{
    BroadcastPart, ChannelCounts, Counts, FlowPart, Metric, OpenConversations, Parts, SequencePart, SuppressedPart,
};
use crate::time::Timestamp;

/// Length of the period of a counter. In every time zone, days and hours consist of whole quarters.
pub const QUARTER: Duration = Duration::from_secs(900);

/// Length of a point of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Interval {
    /// An hour of the zone's clock.
    Hour,
    /// A day of the zone.
    Day,
    /// A week of the zone, from Monday on.
    Week,
}

impl Interval {
    /// All intervals.
    pub const ALL: [Self; 3] = [Self::Hour, Self::Day, Self::Week];

    /// Returns the word in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
        }
    }

    /// Returns the interval with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == word)
    }

    /// Returns the longest range of one request.
    pub fn longest(self) -> Duration {
        Duration::from_secs(86_400)
            * match self {
                Self::Hour => 31,
                Self::Day => 400,
                Self::Week => 800,
            }
    }

    /// Returns the start of the point that contains `local`.
    fn begins(self, local: NaiveDateTime) -> NaiveDateTime {
        let midnight = |date: NaiveDate| date.and_time(NaiveTime::MIN);
        match self {
            Self::Hour => midnight(local.date()).with_hour(local.hour()).unwrap_or(local),
            Self::Day => midnight(local.date()),
            Self::Week => {
                let since_monday = u64::from(local.weekday().num_days_from_monday());
                midnight(local.date().checked_sub_days(Days::new(since_monday)).unwrap_or(local.date()))
            }
        }
    }
}

/// Rounds a range to whole quarters: the start down, the end up.
pub(super) fn in_quarters(from: Timestamp, to: Timestamp) -> (Timestamp, Timestamp) {
    let quarter = i64::try_from(QUARTER.as_millis()).unwrap_or(900_000);
    let from = from.millis().div_euclid(quarter) * quarter;
    let to = (to.millis() + quarter - 1).div_euclid(quarter) * quarter;
    (Timestamp::from_millis(from), Timestamp::from_millis(to))
}

/// A request for the overview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverviewRequest {
    /// Start, inclusive, rounded down to a quarter of an hour.
    pub from: Timestamp,
    /// End, exclusive, rounded up to a quarter of an hour.
    pub to: Timestamp,
    /// Time zone of the days.
    pub zone: Tz,
    /// Length of a point.
    pub interval: Interval,
}

impl OverviewRequest {
    /// Creates a request for the time between two times, with the days of a time zone.
    pub fn new(from: Timestamp, to: Timestamp, zone: Tz, interval: Interval) -> Self {
        Self { from, to, zone, interval }
    }

    /// Returns the request with both ends on whole quarters.
    #[must_use]
    pub fn aligned(self) -> Self {
        let (from, to) = in_quarters(self.from, self.to);
        Self { from, to, ..self }
    }

    /// Returns the start of the point that contains `at`, but not before the range.
    fn point(&self, at: Timestamp) -> Timestamp {
        let utc = DateTime::<Utc>::from_timestamp_millis(at.millis()).unwrap_or_default();
        let begins = self.interval.begins(utc.with_timezone(&self.zone).naive_local());
        // A repeated hour is one point. If the clocks skip midnight, the point starts at `at`.
        let instant = self.zone.from_local_datetime(&begins).earliest().map(|it| it.timestamp_millis());
        instant.map_or(at, Timestamp::from_millis).clamp(self.from, at)
    }
}

/// A counter of one quarter of an hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The metric.
    pub metric: Metric,
    /// Start of the quarter.
    pub quarter: Timestamp,
    /// The count.
    pub amount: i64,
}

/// The number of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContactTotals {
    /// Contacts at the end of the range, without deleted contacts.
    pub total: i64,
}

/// One point of the series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeriesPoint {
    /// Start of the point. Points without activity are included.
    pub at: Timestamp,
    /// The counts of the point.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The analytics of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = AnalyticsOverview))]
#[non_exhaustive]
pub struct Overview {
    /// Start of the range, inclusive.
    pub from: Timestamp,
    /// End of the range, exclusive.
    pub to: Timestamp,
    /// Time zone of the days, an IANA name.
    pub time_zone: String,
    /// Length of a point of the series.
    pub interval: Interval,
    /// Time until which everything is counted.
    pub as_of: Timestamp,
    /// Contacts at the end of the range.
    pub contacts: ContactTotals,
    /// Conversations that are not resolved now.
    pub conversations: OpenConversations,
    /// Counts of the whole range.
    pub totals: Counts,
    /// Messages by channel, ordered by the IDs of the channels.
    pub by_channel: Vec<ChannelCounts>,
    /// Suppressed messages, by channel and reason.
    pub suppressed: Vec<SuppressedPart>,
    /// Runs by flow: at most 100 flows, with the highest counts first.
    pub by_flow: Vec<FlowPart>,
    /// Enrollments by sequence: at most 100 sequences, with the highest counts first.
    pub by_sequence: Vec<SequencePart>,
    /// Messages by broadcast: at most 100 broadcasts, with the highest counts first.
    pub by_broadcast: Vec<BroadcastPart>,
    /// Counts by point.
    pub series: Vec<SeriesPoint>,
}

impl Overview {
    /// Combines counters; `contacts` is the number of contacts at the end of the range.
    pub fn of(request: OverviewRequest, counts: &[Count], contacts: i64, as_of: Timestamp) -> Self {
        let request = request.aligned();
        let mut totals = Counts::default();
        let mut series: BTreeMap<Timestamp, Counts> = BTreeMap::new();
        let mut at = request.from;
        while at < request.to {
            series.entry(request.point(at)).or_default();
            at = at.plus(QUARTER);
        }
        for count in counts.iter().filter(|it| it.quarter >= request.from && it.quarter < request.to) {
            totals.add(count.metric, count.amount);
            series.entry(request.point(count.quarter)).or_default().add(count.metric, count.amount);
        }
        Self {
            from: request.from,
            to: request.to,
            time_zone: request.zone.name().to_owned(),
            interval: request.interval,
            as_of,
            contacts: ContactTotals { total: contacts },
            conversations: OpenConversations::default(),
            totals,
            by_channel: Vec::new(),
            suppressed: Vec::new(),
            by_flow: Vec::new(),
            by_sequence: Vec::new(),
            by_broadcast: Vec::new(),
            series: series.into_iter().map(|(at, counts)| SeriesPoint { at, counts }).collect(),
        }
    }

    /// Adds the counts by dimension and the numbers of open conversations.
    #[must_use]
    pub fn with(self, parts: Parts, conversations: OpenConversations) -> Self {
        let Parts { channels, suppressed, flows, sequences, broadcasts } = parts;
        Self {
            conversations,
            by_channel: channels,
            suppressed,
            by_flow: flows,
            by_sequence: sequences,
            by_broadcast: broadcasts,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn request(from: &str, to: &str, zone: Tz, interval: Interval) -> OverviewRequest {
        OverviewRequest { from: at(from), to: at(to), zone, interval }
    }

    fn created(quarter: &str) -> Count {
        Count { metric: Metric::ContactsCreated, quarter: at(quarter), amount: 1 }
    }

    fn points(overview: &Overview) -> Vec<(String, i64)> {
        overview.series.iter().map(|point| (point.at.to_string(), point.counts.contacts.created)).collect()
    }

    #[test]
    fn splits_days_by_time_zone_and_includes_empty_days() {
        let asked = request("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z", Tz::Asia__Kathmandu, Interval::Day);
        let counts =
            [created("2026-01-01T18:00:00Z"), created("2026-01-01T18:15:00Z"), created("2026-01-03T00:00:00Z")];
        let overview = Overview::of(asked, &counts, 7, at("2026-01-03T00:00:00Z"));
        // Nepal is 5 h 45 min ahead: its 2 January begins at 18:15 UTC.
        assert_eq!(
            points(&overview),
            [
                ("2026-01-01T00:00:00.000Z".to_owned(), 1),
                ("2026-01-01T18:15:00.000Z".to_owned(), 1),
                ("2026-01-02T18:15:00.000Z".to_owned(), 0),
            ]
        );
        assert_eq!((overview.totals.contacts.created, overview.contacts.total), (2, 7));
    }

    #[test]
    fn rounds_the_end_to_a_quarter_and_starts_weeks_on_monday() {
        let asked = request("2026-01-01T00:07:00Z", "2026-01-06T00:01:00Z", Tz::UTC, Interval::Week);
        let overview = Overview::of(
            asked,
            &[created("2026-01-01T00:00:00Z"), created("2026-01-06T00:00:00Z")],
            0,
            at("2026-01-07T00:00:00Z"),
        );
        assert_eq!(
            points(&overview),
            [("2026-01-01T00:00:00.000Z".to_owned(), 1), ("2026-01-05T00:00:00.000Z".to_owned(), 1)]
        );
        assert_eq!(overview.to, at("2026-01-06T00:15:00Z"));
    }

    proptest! {
        #[test]
        fn the_series_adds_up_to_the_totals_in_every_zone(
            zone in prop::sample::select(chrono_tz::TZ_VARIANTS.to_vec()),
            start in 1_700_000_000_i64..1_800_000_000,
            hours in 1_i64..400,
            interval in prop::sample::select(Interval::ALL.to_vec()),
            offsets in prop::collection::vec((0_i64..1_600, 1_i64..9), 0..40),
        ) {
            let from = Timestamp::from_millis(start * 1_000);
            let asked = OverviewRequest { from, to: from.plus(Duration::from_secs(3_600 * hours as u64)), zone, interval }.aligned();
            let counts: Vec<Count> = offsets.iter().map(|(quarter, amount)| Count {
                metric: Metric::MessagesSent,
                quarter: asked.from.plus(QUARTER * (*quarter as u32)),
                amount: *amount,
            }).collect();
            let inside: i64 = counts.iter().filter(|it| it.quarter < asked.to).map(|it| it.amount).sum();
            let overview = Overview::of(asked, &counts, 0, asked.to);
            prop_assert_eq!(overview.totals.messages.sent, inside);
            prop_assert_eq!(overview.series.iter().map(|it| it.counts.messages.sent).sum::<i64>(), inside);
            prop_assert!(overview.series.windows(2).all(|pair| pair[0].at < pair[1].at));
            prop_assert!(overview.series.iter().all(|it| it.at >= asked.from && it.at < asked.to));
        }
    }
}

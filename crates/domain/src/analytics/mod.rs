//! Counts of what happened: facts are noted beside the change that they are about, gathered into
//! counters by quarter of an hour, and read from there; no question ever scans the raw tables.

mod changes;
mod facts;
mod metric;
mod overview;
mod projector;
mod service;

pub use changes::AnalyticsChange;
pub use facts::{Fact, counted};
pub use metric::{
    ContactCounts, ConversationCounts, Counts, FlowCounts, MessageCounts, Metric, SequenceCounts, WebhookCounts,
};
pub use overview::{ChannelCounts, ContactTotals, Count, Interval, Overview, OverviewRequest, QUARTER, SeriesPoint};
pub use projector::{Projector, facts_of};
pub use service::AnalyticsService;

/// A time zone, by its IANA name.
pub use chrono_tz::Tz as Zone;

//! Analytics. Each commit records facts about its changes. They are added to counters per quarter of an hour, and
//! requests read only the counters.

mod changes;
pub mod durations;
mod facts;
mod metric;
mod overview;
mod parts;
mod projector;
mod replies;
mod reply_times;
mod service;
mod suppressed;

pub use changes::AnalyticsChange;
pub use facts::{Fact, counted, of_broadcast};
pub use metric::{
    BroadcastCounts, ContactCounts, ConversationCounts, Counts, FlowCounts, MessageCounts, Metric, SequenceCounts,
    WebhookCounts,
};
pub use overview::{ContactTotals, Count, Interval, Overview, OverviewRequest, QUARTER, SeriesPoint};
pub use parts::{
    BroadcastPart, ChannelCounts, FlowPart, MOST_PARTS, OpenConversations, Part, Parts, SequencePart, SuppressedPart,
};
pub use projector::{Projector, facts_of};
pub use replies::{
    AgentReplyTimes, ChannelReplyTimes, LONGEST_REPLIES, RepliesReport, RepliesRequest, ReplyDurations, ReplyTotals,
};
pub use reply_times::{ReplyMeasure, ReplyTallies, ReplyTally, ReplyTime};
pub use service::AnalyticsService;
pub(crate) use suppressed::suppressed;

/// A time zone, by its IANA name.
pub use chrono_tz::Tz as Zone;

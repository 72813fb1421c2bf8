//! Broadcasts in API responses and event envelopes.

use serde::Serialize;
use serde_json::{Value, json};

use super::{BroadcastError, BroadcastStats, BroadcastStatus, BroadcastZone, CountedBroadcast};
use crate::conversations::Content;
use crate::ids::{BroadcastId, ChannelId};
use crate::time::Timestamp;

/// One message to many contacts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Broadcast))]
#[non_exhaustive]
pub struct BroadcastView {
    /// The ID.
    pub id: BroadcastId,
    /// Display name.
    pub name: String,
    /// The audience: a condition, or `{"segment_id": …}`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub audience: Value,
    /// The message; its texts are templates.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub message: Value,
    /// ID of the channel; if `null`, the default channel of the workspace at the time of sending.
    pub channel_id: Option<ChannelId>,
    /// When to start; if `null`, immediately after `send`.
    pub scheduled_at: Option<Timestamp>,
    /// Time zone of `scheduled_at`.
    pub time_zone: BroadcastZone,
    /// Maximum number of messages per minute; unlimited if `null`.
    pub rate_per_minute: Option<i64>,
    /// ID of the first broadcast, if this one repeats it for the recipients who did not get the message. The audience then
    /// chooses among these recipients.
    pub repeats: Option<BroadcastId>,
    /// The status.
    pub status: BroadcastStatus,
    /// The error, if it failed.
    pub error: Option<BroadcastError>,
    /// Counts of its messages, a second or two behind; changes do not change the version.
    pub stats: BroadcastStats,
    /// When it started, and the audience was fixed.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&CountedBroadcast> for BroadcastView {
    fn from(it: &CountedBroadcast) -> Self {
        let CountedBroadcast { broadcast: it, stats } = it;
        Self {
            id: it.id,
            name: it.name.clone(),
            audience: it.audience.source_json(),
            message: content_json(&it.message),
            channel_id: it.channel,
            scheduled_at: it.scheduled_at,
            time_zone: it.time_zone,
            rate_per_minute: it.rate_per_minute,
            repeats: it.repeats,
            status: it.status,
            error: it.error.clone(),
            stats: *stats,
            started_at: it.started_at,
            ended_at: it.ended_at,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// Returns a message in the form that [`Content::parse`] reads.
pub fn content_json(it: &Content) -> Value {
    let mut all = json!({"type": it.kind});
    let parts = [
        ("subject", it.subject.as_ref().map(|subject| json!(subject))),
        ("text", it.text.as_ref().map(|text| json!(text))),
        ("attachments", (!it.attachments.is_empty()).then(|| json!(it.attachments))),
        ("quick_replies", (!it.quick_replies.is_empty()).then(|| json!(it.quick_replies))),
        ("template", it.template.as_ref().map(|template| json!(template))),
        ("fallback", it.fallback.as_ref().map(|template| json!({"template": template}))),
    ];
    if let Some(all) = all.as_object_mut() {
        all.extend(parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?))));
    }
    all
}

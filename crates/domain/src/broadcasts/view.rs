//! Broadcasts as the API and envelopes show them.

use serde::Serialize;
use serde_json::{Value, json};

use super::{BroadcastError, BroadcastStats, BroadcastStatus, BroadcastZone, CountedBroadcast};
use crate::conversations::Content;
use crate::ids::{BroadcastId, ChannelId};
use crate::time::Timestamp;

/// One message to many contacts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Broadcast))]
pub struct BroadcastView {
    /// The id.
    pub id: BroadcastId,
    /// What people call it.
    pub name: String,
    /// To whom it goes: a condition, or `{"segment_id": …}`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub audience: Value,
    /// What it says; its texts are templates.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub message: Value,
    /// On which channel; the workspace's default one when it is sent where `null`.
    pub channel_id: Option<ChannelId>,
    /// When it begins; at once where `null`.
    pub scheduled_at: Option<Timestamp>,
    /// Whose clocks that is shown by.
    pub time_zone: BroadcastZone,
    /// How many messages are made in a minute at the most; as many as can be where `null`.
    pub rate_per_minute: Option<i64>,
    /// How far it is.
    pub status: BroadcastStatus,
    /// Of a failed one: why.
    pub error: Option<BroadcastError>,
    /// How far its messages came, a second or two behind; does not change the version.
    pub stats: BroadcastStats,
    /// When its audience was frozen.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&CountedBroadcast> for BroadcastView {
    fn from(it: &CountedBroadcast) -> Self {
        let CountedBroadcast { broadcast: it, stats } = it;
        Self {
            id: it.id,
            name: it.name.clone(),
            audience: it.audience.written(),
            message: written(&it.message),
            channel_id: it.channel,
            scheduled_at: it.scheduled_at,
            time_zone: it.time_zone,
            rate_per_minute: it.rate_per_minute,
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

/// A message as it is read by [`Content::parse`].
pub fn written(it: &Content) -> Value {
    let mut all = json!({"type": it.kind});
    let parts = [
        ("text", it.text.as_ref().map(|text| json!(text))),
        ("attachments", (!it.attachments.is_empty()).then(|| json!(it.attachments))),
        ("quick_replies", (!it.quick_replies.is_empty()).then(|| json!(it.quick_replies))),
        ("template", it.template.as_ref().map(|template| json!(template))),
    ];
    if let Some(all) = all.as_object_mut() {
        all.extend(parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?))));
    }
    all
}

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Audience;
use crate::contacts::UnreachedRecipients;
use crate::conversations::Content;
use crate::ids::{BroadcastId, ChannelId, ContactId, MessageId, TypedId};
use crate::patch::Patch;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Status of a broadcast.
    BroadcastStatus {
        /// It can be edited and was not sent yet.
        Draft = "draft",
        /// It starts at its scheduled time.
        Scheduled = "scheduled",
        /// Its audience is fixed, and messages are being created.
        Sending = "sending",
        /// It creates no messages until it is resumed. If it has not started, something that its audience uses was
        /// deleted, and the audience must be edited.
        Paused = "paused",
        /// Every recipient has an outcome.
        Completed = "completed",
        /// It was ended before every recipient had an outcome.
        Cancelled = "cancelled",
        /// It could not start or continue; `error` has the reason.
        Failed = "failed",
    }
}

impl BroadcastStatus {
    /// Whether it has ended.
    pub fn is_over(self) -> bool {
        match self {
            Self::Completed | Self::Cancelled | Self::Failed => true,
            Self::Draft | Self::Scheduled | Self::Sending | Self::Paused => false,
        }
    }
}

words! {
    /// Time zone of the scheduled time of a broadcast.
    BroadcastZone {
        /// The time zone of the workspace: all contacts get the message at the same instant.
        Workspace = "workspace",
        /// The time zone of each contact: contacts get the message at the same local time.
        Contact = "contact",
    }
}

/// The error of a broadcast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BroadcastError {
    /// Error code.
    pub code: String,
    /// Description of the error.
    pub message: String,
}

/// One message to many contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Broadcast {
    /// The ID.
    pub id: BroadcastId,
    /// Display name.
    pub name: String,
    /// The audience.
    pub audience: Audience,
    /// The message; its texts are templates.
    pub message: Content,
    /// The channel; if absent, the default channel of the workspace at the time of sending.
    pub channel: Option<ChannelId>,
    /// When it starts; immediately if absent.
    pub scheduled_at: Option<Timestamp>,
    /// Time zone of `scheduled_at`.
    pub time_zone: BroadcastZone,
    /// Maximum number of messages per minute; unlimited if absent.
    pub rate_per_minute: Option<i64>,
    /// The first broadcast, if this one repeats it: the audience chooses among its recipients who did not get the
    /// message.
    pub repeats: Option<BroadcastId>,
    /// The status.
    pub status: BroadcastStatus,
    /// The error, if it failed.
    pub error: Option<BroadcastError>,
    /// Incremented when it is sent, paused, resumed or cancelled. Jobs of an earlier round only finish.
    pub round: i64,
    /// Number of recipients. Set when the audience is fixed; updates do not change it.
    pub targeted: i64,
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

impl Broadcast {
    /// Whether it can be edited and deleted: it is a draft, or was paused before it started.
    pub fn may_be_edited(&self) -> bool {
        self.status == BroadcastStatus::Draft || self.waits_for_edit()
    }

    /// Whether it was paused before it started, because something that its audience uses was deleted.
    pub fn waits_for_edit(&self) -> bool {
        self.status == BroadcastStatus::Paused && self.started_at.is_none()
    }

    /// Returns which recipients of the first broadcast are selected, if this one repeats it on a channel.
    pub fn unreached(&self, channel: ChannelId) -> Option<UnreachedRecipients> {
        self.repeats.map(|first| UnreachedRecipients { first, repeat: self.id, channel })
    }

    pub(super) fn advance(&mut self, status: BroadcastStatus, now: Timestamp) {
        self.status = status;
        self.updated_at = now.max(self.updated_at);
        self.version += 1;
        if status.is_over() {
            self.ended_at = Some(self.updated_at);
        }
    }

    pub(super) fn fail(&mut self, code: &str, message: impl Into<String>, now: Timestamp) {
        self.error = Some(BroadcastError { code: code.to_owned(), message: message.into() });
        self.advance(BroadcastStatus::Failed, now);
    }

    /// Returns the ID of the message to a contact. It never changes, so a provider recognizes a retry.
    pub fn message_to(&self, contact: ContactId) -> MessageId {
        let millis = self.started_at.unwrap_or(self.created_at).millis();
        let chance = self.id.uuid().as_u128() ^ contact.uuid().as_u128();
        let bytes = chance.to_be_bytes();
        let mut rest = [0; 10];
        rest.iter_mut().zip(bytes.iter().skip(6)).for_each(|(to, from)| *to = *from);
        let millis = u64::try_from(millis).unwrap_or_default();
        MessageId::from_uuid(uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid())
    }

    /// Returns the maximum number of recipients of one portion: with a rate, the number allowed per second.
    pub(super) fn portion(&self) -> u32 {
        let of_rate = self.rate_per_minute.map(|rate| u32::try_from(rate / 60).unwrap_or(u32::MAX));
        of_rate.map_or(MOST_AT_ONCE, |rate| rate.clamp(1, MOST_AT_ONCE))
    }

    /// Returns the number of recipients per stretch. Only broadcasts without a rate limit, delivered within the
    /// process, have several stretches.
    pub(super) fn stretch(&self, is_local: bool) -> i64 {
        let stretches = if is_local && self.rate_per_minute.is_none() { STRETCHES } else { 1 };
        (self.targeted.max(0) as u64).div_ceil(stretches).max(1) as i64
    }

    /// Returns how long after the start of a portion of this size the next portion may start.
    pub(super) fn pause_after(&self, taken: usize) -> Duration {
        let Some(rate) = self.rate_per_minute.and_then(|rate| u64::try_from(rate).ok()) else { return Duration::ZERO };
        Duration::from_millis((taken as u64 * 60_000).div_ceil(rate.max(1)))
    }
}

/// Maximum number of portions of a broadcast that are processed at the same time.
const STRETCHES: u64 = 4;
/// Maximum number of recipients of one portion. Each adds several rows to the commit.
const MOST_AT_ONCE: u32 = 150;

/// A recipient that has no message yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingRecipient {
    /// The contact.
    pub contact: ContactId,
    /// Its index among the recipients, from 0.
    pub place: i64,
    /// When the message may be created.
    pub due_at: Timestamp,
}

/// The input for a new broadcast.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBroadcast {
    /// Display name.
    pub name: String,
    /// The audience.
    pub audience: Audience,
    /// The message.
    pub message: Content,
    /// The channel.
    pub channel: Option<ChannelId>,
    /// When to start.
    pub scheduled_at: Option<Timestamp>,
    /// Time zone of `scheduled_at`.
    pub time_zone: BroadcastZone,
    /// Maximum number of messages per minute.
    pub rate_per_minute: Option<i64>,
}

impl NewBroadcast {
    /// Creates the command for a draft with the defaults of the API: the default channel, no schedule, the time zone of
    /// the workspace, and no maximum rate.
    pub fn new(name: impl Into<String>, audience: Audience, message: Content) -> Self {
        Self {
            name: name.into(),
            audience,
            message,
            channel: None,
            scheduled_at: None,
            time_zone: BroadcastZone::Workspace,
            rate_per_minute: None,
        }
    }
}

/// A partial update of a draft; absent fields do not change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BroadcastPatch {
    /// Display name.
    pub name: Option<String>,
    /// The audience; replaced as a whole.
    pub audience: Option<Audience>,
    /// The message; replaced as a whole.
    pub message: Option<Content>,
    /// The channel.
    pub channel: Patch<ChannelId>,
    /// When to start.
    pub scheduled_at: Patch<Timestamp>,
    /// Time zone of `scheduled_at`.
    pub time_zone: Option<BroadcastZone>,
    /// Maximum number of messages per minute.
    pub rate_per_minute: Patch<i64>,
}

impl Default for Broadcast {
    /// Returns a draft without recipients.
    fn default() -> Self {
        let at = Timestamp::EPOCH_2026;
        Self {
            id: BroadcastId::from_uuid(Uuid::nil()),
            name: String::new(),
            audience: Audience::Condition(serde_json::json!({"any": []}).into()),
            message: Content::text("-"),
            channel: None,
            scheduled_at: None,
            time_zone: BroadcastZone::Workspace,
            rate_per_minute: None,
            repeats: None,
            status: BroadcastStatus::Draft,
            error: None,
            round: 0,
            targeted: 0,
            started_at: None,
            ended_at: None,
            created_at: at,
            updated_at: at,
            version: 1,
        }
    }
}

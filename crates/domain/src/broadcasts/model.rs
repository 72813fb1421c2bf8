//! What a broadcast is.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Audience;
use crate::contacts::Unreached;
use crate::conversations::Content;
use crate::ids::{BroadcastId, ChannelId, ContactId, MessageId, TypedId};
use crate::patch::Patch;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Status of a broadcast.
    BroadcastStatus {
        /// It is being written.
        Draft = "draft",
        /// It begins at its time.
        Scheduled = "scheduled",
        /// Its audience is frozen, and messages are made.
        Sending = "sending",
        /// It makes no messages until it is resumed. If it has not begun, its audience lost something and must be edited.
        Paused = "paused",
        /// Every recipient has an outcome.
        Completed = "completed",
        /// It was ended before that.
        Cancelled = "cancelled",
        /// It could not begin, or not go on; `error` says why.
        Failed = "failed",
    }
}

impl BroadcastStatus {
    /// Whether it is over, for good.
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
        /// The workspace's: everybody gets it at the same instant.
        Workspace = "workspace",
        /// Each contact's own: everybody gets it when their clocks show what the workspace's clocks show at its time.
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
    /// To whom it goes.
    pub audience: Audience,
    /// The message; its texts are templates.
    pub message: Content,
    /// On which channel; the workspace's default one at the time of sending where absent.
    pub channel: Option<ChannelId>,
    /// When it begins; at once where absent.
    pub scheduled_at: Option<Timestamp>,
    /// Time zone of `scheduled_at`.
    pub time_zone: BroadcastZone,
    /// Maximum number of messages per minute; unlimited if absent.
    pub rate_per_minute: Option<i64>,
    /// The first broadcast, if this one repeats it: the audience chooses among its recipients who did not get the message.
    pub repeats: Option<BroadcastId>,
    /// The status.
    pub status: BroadcastStatus,
    /// The error, if it failed.
    pub error: Option<BroadcastError>,
    /// How often it was started or resumed: work of an earlier round ends.
    pub round: i64,
    /// How many contacts were frozen; written with them, and left by updates.
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
    /// Whether it may be changed and deleted: it is a draft, or it was paused before it began.
    pub fn may_be_edited(&self) -> bool {
        self.status == BroadcastStatus::Draft || self.waits_for_edit()
    }

    /// Whether it was paused before it began, because its audience lost something.
    pub fn waits_for_edit(&self) -> bool {
        self.status == BroadcastStatus::Paused && self.started_at.is_none()
    }

    /// Which recipients of the first broadcast are chosen, if this one repeats it on a channel.
    pub fn unreached(&self, channel: ChannelId) -> Option<Unreached> {
        self.repeats.map(|first| Unreached { first, repeat: self.id, channel })
    }

    /// Moves on to `status`.
    pub(super) fn advance(&mut self, status: BroadcastStatus, now: Timestamp) {
        self.status = status;
        self.updated_at = now.max(self.updated_at);
        self.version += 1;
        if status.is_over() {
            self.ended_at = Some(self.updated_at);
        }
    }

    /// Ends as failed.
    pub(super) fn fail(&mut self, code: &str, message: impl Into<String>, now: Timestamp) {
        self.error = Some(BroadcastError { code: code.to_owned(), message: message.into() });
        self.advance(BroadcastStatus::Failed, now);
    }

    /// The message that a contact gets: always the same, so that a provider that was asked before knows it again.
    pub fn message_to(&self, contact: ContactId) -> MessageId {
        let millis = self.started_at.unwrap_or(self.created_at).millis();
        let chance = self.id.uuid().as_u128() ^ contact.uuid().as_u128();
        let bytes = chance.to_be_bytes();
        let mut rest = [0; 10];
        rest.iter_mut().zip(bytes.iter().skip(6)).for_each(|(to, from)| *to = *from);
        let millis = u64::try_from(millis).unwrap_or_default();
        MessageId::from_uuid(uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid())
    }

    /// How many recipients one portion takes at the most: with a rate, what may be made in a second.
    pub(super) fn portion(&self) -> u32 {
        let of_rate = self.rate_per_minute.map(|rate| u32::try_from(rate / 60).unwrap_or(u32::MAX));
        of_rate.map_or(MOST_AT_ONCE, |rate| rate.clamp(1, MOST_AT_ONCE))
    }

    /// How long the stretches are into which the recipients are cut. Only where messages are handed over within the process,
    /// and as many as can be, is there more than one.
    pub(super) fn stretch(&self, is_local: bool) -> i64 {
        let stretches = if is_local && self.rate_per_minute.is_none() { STRETCHES } else { 1 };
        (self.targeted.max(0) as u64).div_ceil(stretches).max(1) as i64
    }

    /// How long after a portion of so many began the next one may begin.
    pub(super) fn pause_after(&self, taken: usize) -> Duration {
        let Some(rate) = self.rate_per_minute.and_then(|rate| u64::try_from(rate).ok()) else { return Duration::ZERO };
        Duration::from_millis((taken as u64 * 60_000).div_ceil(rate.max(1)))
    }
}

/// How many portions of a broadcast are under way at the same time.
const STRETCHES: u64 = 4;
/// How many recipients one portion takes: each is a handful of rows.
const MOST_AT_ONCE: u32 = 150;

/// A recipient that nothing was made for yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingRecipient {
    /// Who.
    pub contact: ContactId,
    /// Its number among the recipients, from 0.
    pub place: i64,
    /// Not before this instant.
    pub due_at: Timestamp,
}

/// A broadcast to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBroadcast {
    /// Display name.
    pub name: String,
    /// To whom it goes.
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

/// A merging update of a draft; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BroadcastPatch {
    /// Display name.
    pub name: Option<String>,
    /// To whom it goes, replaced as a whole.
    pub audience: Option<Audience>,
    /// What it says, replaced as a whole.
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
    /// A draft to nobody.
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

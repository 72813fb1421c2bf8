//! The catalog of a workspace, cached in memory. Commits compare its revision.

use std::collections::BTreeMap;

use crate::channels::Channel;
use crate::conversations::Conversation;
use crate::fields::CustomField;
use crate::ids::{ChannelId, FlowId, TagId};
use crate::tags::Tag;

/// The tags, custom fields, channels and active flows of a workspace, and the key of its opt-outs, as of one revision.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalog {
    /// The revision. It increases when any of these is created, changed or deleted.
    pub revision: i64,
    /// All tags; their `contact_count` is 0.
    pub tags: BTreeMap<TagId, Tag>,
    /// All custom fields, by key.
    pub fields: Vec<CustomField>,
    /// All channels that are not deleted.
    pub channels: Vec<Channel>,
    /// The version that new runs use, by active flow.
    pub active_flows: BTreeMap<FlowId, i64>,
    /// The sealed key that identifies opt-outs of deleted contacts; `None` until the first opt-out.
    pub opt_out_key: Option<Vec<u8>>,
}

impl Catalog {
    /// Returns a channel.
    pub fn channel(&self, id: ChannelId) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.id == id)
    }

    /// Returns the channel for a message: the chosen one, the last used one of these conversations (latest first), or
    /// the default.
    pub fn channel_to(&self, conversations: &[Conversation], chosen: Option<ChannelId>) -> Option<&Channel> {
        let last_used = conversations.first().filter(|it| it.last_message_at.is_some()).map(|it| it.channel);
        chosen.or(last_used).and_then(|channel| self.channel(channel)).or_else(|| self.default_channel())
    }

    /// Returns the default channel.
    pub fn default_channel(&self) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.is_default)
    }
}

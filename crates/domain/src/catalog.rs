//! What a workspace has of that which flows name, and the key of its opt-outs: held in memory, under a revision that commits compare.

use std::collections::BTreeMap;

use crate::channels::Channel;
use crate::conversations::Conversation;
use crate::fields::CustomField;
use crate::ids::{ChannelId, FlowId, TagId};
use crate::tags::Tag;

/// The tags, custom fields, channels and active flows of a workspace, and the key of its opt-outs, as of one revision.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalog {
    /// It rises whenever one of them comes, changes or goes.
    pub revision: i64,
    /// All tags; their `contact_count` is 0.
    pub tags: BTreeMap<TagId, Tag>,
    /// All custom fields, by key.
    pub fields: Vec<CustomField>,
    /// All channels that are not deleted.
    pub channels: Vec<Channel>,
    /// The version that new runs take, of each active flow.
    pub active_flows: BTreeMap<FlowId, i64>,
    /// The sealed key by which those are known again who opted out and are gone; `None` while there never was anybody.
    pub opt_out_key: Option<Vec<u8>>,
}

impl Catalog {
    /// A channel.
    pub fn channel(&self, id: ChannelId) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.id == id)
    }

    /// The channel on which a contact is written to who has these conversations, the last one first: the chosen one, else
    /// the one that was last used, else the default.
    pub fn channel_to(&self, conversations: &[Conversation], chosen: Option<ChannelId>) -> Option<&Channel> {
        let last_used = conversations.first().filter(|it| it.last_message_at.is_some()).map(|it| it.channel);
        chosen.or(last_used).and_then(|channel| self.channel(channel)).or_else(|| self.default_channel())
    }

    /// The channel that messages take where nothing else is said.
    pub fn default_channel(&self) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.is_default)
    }
}

//! Events about changed contacts.

use serde_json::{Map, Value};

use crate::contacts::{ContactView, TagLinkView};
use crate::events::{EventDraft, EventKind};
use crate::ids::ChannelId;

pub(crate) fn tag_event(kind: EventKind, contact: &ContactView, tag: &TagLinkView) -> EventDraft {
    EventDraft::new(kind, contact).with("tag", tag).about(contact.id)
}

/// Builds the event that a contact opted out of a channel, or of all channels.
pub(crate) fn unsubscribed(contact: &ContactView, channel: Option<ChannelId>, source: &str) -> EventDraft {
    let event = EventDraft::new(EventKind::ContactUnsubscribed, contact).about(contact.id);
    event.with("channel_id", &channel).with("source", &source)
}

/// The previous values of the attributes that an update changed.
pub(crate) fn previous_attributes(before: &ContactView, after: &ContactView) -> Map<String, Value> {
    const BOOKKEEPING: [&str; 4] = ["updated_at", "version", "custom_fields", "tags"];
    let (Ok(Value::Object(before)), Ok(Value::Object(after))) =
        (serde_json::to_value(before), serde_json::to_value(after))
    else {
        return Map::new();
    };
    let changed = before.into_iter().filter(|(name, value)| after.get(name) != Some(value));
    changed.filter(|(name, _)| !BOOKKEEPING.contains(&name.as_str())).collect()
}

//! The input of a condition.

use chrono_tz::Tz;
use serde_json::{Map, Value};

use super::attributes::ConversationAttribute as V;
use super::clock::Clock;
use super::model::Subject;
use super::operand::Operand;
use super::values::of_field;
use crate::contacts::Contact;
use crate::conversations::Conversation;
use crate::ids::TypedId;
use crate::send_window::Zone;
use crate::time::Timestamp;

/// The values that a condition is evaluated against. Absent parts have no values.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The contact, with its tags and custom fields.
    pub contact: &'a Contact,
    /// Its conversations: all of them to select contacts, the current one in a flow.
    pub conversations: &'a [Conversation],
    /// The values of bot fields, by key.
    pub bot_fields: &'a Map<String, Value>,
    /// The variables of the flow run.
    pub vars: Option<&'a Map<String, Value>>,
    /// The event.
    pub event: Option<&'a Value>,
    /// The time of the evaluation.
    pub now: Timestamp,
    /// The workspace's time zone, for contacts without one.
    pub zone: Tz,
}

impl Facts<'_> {
    /// The clock for a field: in the workspace's time zone for bot fields, otherwise in the contact's.
    pub(super) fn clock(&self, subject: &Subject) -> Clock {
        let zone = match subject {
            Subject::Bot { .. } => self.zone,
            Subject::Contact(_)
            | Subject::Tags
            | Subject::Custom { .. }
            | Subject::Conversation(_)
            | Subject::Vars(_)
            | Subject::Event(_)
            | Subject::Gone => Zone::Contact.of(self.contact.time_zone.as_ref(), self.zone),
        };
        Clock { now: self.now, zone }
    }

    /// The values of a typed field.
    pub(super) fn values(&self, subject: &Subject) -> Vec<Operand> {
        match subject {
            Subject::Contact(attribute) => attribute.value(self.contact).into_iter().collect(),
            Subject::Tags => self.contact.tags.iter().map(|tag| Operand::Id(tag.id.uuid())).collect(),
            Subject::Custom { key, kind, .. } => {
                self.contact.custom_fields.get(key).map(|value| of_field(*kind, value)).unwrap_or_default()
            }
            Subject::Bot { key, kind, .. } => {
                self.bot_fields.get(key).map(|value| of_field(*kind, value)).unwrap_or_default()
            }
            Subject::Conversation(attribute) => {
                self.conversations.iter().filter_map(|it| conversation_value(it, *attribute)).collect()
            }
            Subject::Vars(_) | Subject::Event(_) | Subject::Gone => Vec::new(),
        }
    }

    /// The value at this path in the evaluation context of the run.
    pub(super) fn untyped(&self, subject: &Subject) -> Option<&Value> {
        match subject {
            Subject::Vars(path) => {
                let (first, rest) = path.split_first()?;
                descend(self.vars?.get(first)?, rest)
            }
            Subject::Event(path) => descend(self.event?, path),
            _ => None,
        }
    }
}

fn descend<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match value {
        Value::Object(members) => members.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

fn conversation_value(it: &Conversation, attribute: V) -> Option<Operand> {
    match attribute {
        V::Id => Some(Operand::Id(it.id.uuid())),
        V::ChannelId => Some(Operand::Id(it.channel.uuid())),
        V::Status => Some(Operand::text(it.status.as_str())),
        V::Handler => Some(Operand::text(it.handler.as_str())),
        V::AssigneeId => it.assignee.map(|user| Operand::Id(user.uuid())),
        V::UnreadCount => Some(Operand::Number(it.unread_count.into())),
        V::ReopenCount => Some(Operand::Number(it.reopen_count.into())),
        V::SnoozedUntil => it.snoozed_until.map(Operand::Instant),
        V::WaitingSince => it.waiting_since.map(Operand::Instant),
        V::FirstReplyAt => it.first_reply_at.map(Operand::Instant),
        V::ResolvedAt => it.resolved_at.map(Operand::Instant),
        V::LastMessageAt => it.last_message_at.map(Operand::Instant),
        V::CreatedAt => Some(Operand::Instant(it.created_at)),
        V::UpdatedAt => Some(Operand::Instant(it.updated_at)),
    }
}

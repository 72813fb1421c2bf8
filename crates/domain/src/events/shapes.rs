//! Shapes of the parts of `data` in envelopes, with examples.

use serde_json::{Map, Value, json};

use crate::contacts::Attribute;

/// The parts of the `data` of a full envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventData {
    /// The shape of `data.object`.
    pub object: Shape,
    /// The other parts that every event of the kind has, by name.
    pub beside: &'static [(&'static str, Shape)],
    /// The parts that only some events of the kind have, by name.
    pub sometimes: &'static [(&'static str, Shape)],
}

impl EventData {
    /// Returns the parts by name, the object first.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, Shape)> + use<> {
        self.always().chain(self.sometimes.iter().copied())
    }

    /// Returns the parts that every event of the kind has, the object first.
    pub fn always(&self) -> impl Iterator<Item = (&'static str, Shape)> + use<> {
        std::iter::once(("object", self.object)).chain(self.beside.iter().copied())
    }

    pub(super) fn example(&self) -> Map<String, Value> {
        self.parts().map(|(name, shape)| (name.to_owned(), shape.example())).collect()
    }
}

/// The shape of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is named after its object")]
pub enum Shape {
    Contact,
    DeletedContact,
    /// The other contact of a merge.
    MergedContact,
    Message,
    MessageError,
    Conversation,
    FlowRun,
    RunError,
    Enrollment,
    AiSession,
    Broadcast,
    Channel,
    TagLink,
    CustomField,
    /// Previous values of attributes, by name.
    Attributes,
    /// The value of a custom field, or `null`.
    Value,
    /// The previous assignee.
    Assignee,
    /// The ID of a channel, or `null`.
    ChannelId,
    /// The source of an opt-out.
    Source,
    Reason,
    Summary,
}

impl Shape {
    /// Returns the name of its schema in the API description, if there is one.
    pub fn component(self) -> Option<&'static str> {
        Some(match self {
            Self::Contact => "Contact",
            Self::Message => "Message",
            Self::MessageError => "MessageError",
            Self::Conversation => "Conversation",
            Self::FlowRun => "FlowRun",
            Self::RunError => "RunError",
            Self::Enrollment => "Enrollment",
            Self::Broadcast => "Broadcast",
            Self::Channel => "Channel",
            Self::TagLink => "TagLinkView",
            Self::CustomField => "CustomField",
            _ => return None,
        })
    }

    /// Returns its JSON Schema, if the API description has none.
    pub fn schema(self) -> Value {
        match self {
            Self::DeletedContact => json!({
                "type": "object",
                "description": "The identifiers of a deleted contact.",
                "required": ["id", "external_id", "deleted_at"],
                "properties": {
                    "id": {"type": "string"},
                    "external_id": {"type": ["string", "null"]},
                    "deleted_at": {"type": "string", "format": "date-time"},
                },
            }),
            Self::MergedContact => json!({
                "type": "object",
                "description": "The other contact, if two contacts were merged; otherwise absent.",
                "required": ["id"],
                "properties": {"id": {"type": "string"}},
            }),
            Self::Attributes => json!({
                "type": "object",
                "description": "The previous values of the changed attributes.",
            }),
            Self::Value => json!({
                "description": "A value of the field; `null` if it has none.",
                "oneOf": [
                    {"type": ["string", "number", "boolean", "null"]},
                    {"type": "array", "items": {"type": "string"}},
                ],
            }),
            Self::Assignee => json!({"type": "object", "description": "The previous assignee: `assignee_id`."}),
            Self::ChannelId => json!({
                "type": ["string", "null"],
                "description": "The channel; `null` if the opt-out applies to all channels.",
            }),
            Self::Source => {
                let description = "The source of the opt-out: `keyword`, `link`, `api`, `provider` or `complaint`.";
                json!({"type": "string", "description": description})
            }
            Self::Reason => json!({"type": "string", "description": "The reason."}),
            Self::Summary => json!({"type": "string", "description": "A summary of the conversation so far."}),
            _ => json!({"type": "object"}),
        }
    }

    /// Returns an example.
    pub fn example(self) -> Value {
        match self {
            Self::Contact => {
                let attributes = Attribute::ALL.iter().map(|it| (it.as_str().to_owned(), it.example().into()));
                let mut contact = Map::from_iter(attributes);
                let others = json!({
                    "id": CONTACT, "name": "Ada Lovelace", "status": "active", "subscribed": true,
                    "identities": [{
                        "channel_id": CHANNEL, "address": CONTACT, "aliases": [], "opted_in": true, "opt_out": null,
                        "undeliverable_since": null,
                    }],
                    "tags": [Self::TagLink.example()], "custom_fields": {"plan": "gold"},
                    "created_at": BEFORE, "updated_at": NOW, "deleted_at": null, "version": 2,
                });
                contact.extend(others.as_object().cloned().unwrap_or_default());
                Value::Object(contact)
            }
            Self::DeletedContact => json!({"id": CONTACT, "external_id": "crm-4711", "deleted_at": NOW}),
            Self::MergedContact => json!({"id": OTHER_CONTACT}),
            Self::Message => json!({
                "id": "msg_01h455vb4pex5vsknk084sn02q", "conversation_id": CONVERSATION, "contact_id": CONTACT,
                "channel_id": CHANNEL, "direction": "outbound", "type": "text", "text": "Hello Ada",
                "has_original": false, "truncated": false, "data": null,
                "attachments": [], "quick_replies": [], "template": null, "private": false,
                "status": "sent", "status_history": [{"status": "queued", "at": BEFORE}, {"status": "sent", "at": NOW}],
                "error": null,
                "parts": [{
                    "index": 0, "kind": "text", "status": "sent", "provider_message_id": "p-1", "error": null,
                    "sent_at": NOW,
                }],
                "degraded": [], "segments": null,
                "sender": {"type": "api_key", "id": "key_01h455vb4pex5vsknk084sn02q"}, "auto": false,
                "sender_verified": null, "provider_message_id": "p-1", "address": CONTACT, "referral": null,
                "choice": null, "reply_to": null, "thread": null, "edits": [], "edited_at": null,
                "deleted_by_contact_at": null, "sent_at": NOW, "reactions": [],
                "resend_of": null, "resent_as": null, "created_at": BEFORE, "updated_at": NOW, "version": 3,
            }),
            Self::MessageError => json!({"code": "rejected", "message": "the provider does not know this number"}),
            Self::Conversation => json!({
                "id": CONVERSATION, "contact_id": CONTACT, "channel_id": CHANNEL, "status": "pending",
                "handler": "bot", "assignee_id": null, "snoozed_until": null, "unread_count": 0, "waiting_since": null,
                "window_expires_at": null, "first_reply_at": null, "resolved_at": null, "reopen_count": 0, "created_at": BEFORE, "updated_at": NOW, "version": 1,
            }),
            Self::FlowRun => json!({
                "id": "run_01h455vb4pex5vsknk084sn02q", "flow_id": FLOW, "flow_version": 1, "contact_id": CONTACT,
                "status": "active", "node_id": "welcome", "vars": {}, "trace": [], "wait": null,
                "started_by": {"type": "api_key", "id": "key_01h455vb4pex5vsknk084sn02q"}, "called_by": null,
                "started_at": NOW,
                "ended_at": null, "error": null, "created_at": NOW, "updated_at": NOW, "version": 1,
            }),
            Self::RunError => json!({
                "code": "tag_missing", "message": "the tag no longer exists", "node_id": "welcome", "path": [],
            }),
            Self::Enrollment => json!({
                "id": "enr_01h455vb4pex5vsknk084sn02q", "contact_id": CONTACT,
                "sequence_id": "seq_01h455vb4pex5vsknk084sn02q", "status": "active", "step_id": "welcome",
                "next_run_at": NOW, "steps_done": [], "exit_reason": null, "error": null,
                "enrolled_by": {"type": "api_key", "id": "key_01h455vb4pex5vsknk084sn02q"}, "ended_at": null,
                "created_at": NOW, "updated_at": NOW, "version": 1,
            }),
            Self::AiSession => json!({"id": "ai_01h455vb4pex5vsknk084sn02q", "contact_id": CONTACT}),
            Self::Broadcast => json!({
                "id": "bcast_01h455vb4pex5vsknk084sn02q", "name": "Opening hours",
                "audience": {"field": "subscribed", "op": "eq", "value": true},
                "message": {"type": "text", "text": "Hello {{ contact.first_name }}, we open at nine."},
                "channel_id": CHANNEL, "scheduled_at": null, "time_zone": "workspace", "rate_per_minute": null,
                "repeats": null,
                "status": "completed", "error": null,
                "stats": {"targeted": 3, "sent": 2, "delivered": 2, "read": 1, "failed": 0, "suppressed": 1, "uncertain": 0},
                "started_at": BEFORE, "ended_at": NOW, "created_at": BEFORE, "updated_at": NOW, "version": 4,
            }),
            Self::Channel => json!({
                "id": CHANNEL, "kind": "http", "name": "Support", "is_default": false, "status": "connected",
                "capabilities": {"types": ["text"], "quick_replies": 10, "inbound": true, "receipts": true},
                "config": {"url": "https://example.com/messages"}, "secret_hint": "wxyz", "last_error": null,
                "while_disconnected": {"mode": "suppress", "for": "PT24H"},
                "connected_at": NOW, "created_at": BEFORE, "updated_at": NOW, "version": 2,
            }),
            Self::TagLink => json!({"id": "tag_01h455vb4pex5vsknk084sn02q", "name": "vip", "applied_at": NOW}),
            Self::CustomField => json!({
                "id": "field_01h455vb4pex5vsknk084sn02q", "key": "plan", "name": "Plan", "type": "text",
                "options": [], "validation": {}, "created_at": BEFORE, "updated_at": BEFORE, "version": 1,
            }),
            Self::Attributes => json!({"last_name": "Byron"}),
            Self::Value => json!("gold"),
            Self::Assignee => json!({"assignee_id": null}),
            Self::ChannelId => json!(CHANNEL),
            Self::Source => json!("keyword"),
            Self::Reason => json!("asked_for_a_person"),
            Self::Summary => json!("Ada asks about her invoice."),
        }
    }
}

pub(super) const CONTACT: &str = "contact_01h455vb4pex5vsknk084sn02q";
const OTHER_CONTACT: &str = "contact_01h455vb4pex5vsknk084sn02r";
const CONVERSATION: &str = "conv_01h455vb4pex5vsknk084sn02q";
const CHANNEL: &str = "chan_01h455vb4pex5vsknk084sn02q";
const FLOW: &str = "flow_01h455vb4pex5vsknk084sn02q";
pub(super) const BEFORE: &str = "2026-01-31T09:30:00.000Z";
pub(super) const NOW: &str = "2026-01-31T09:31:00.000Z";

//! Text in rows of contacts, their messages and their classification.

use super::{Text, shown, texts};
use crate::channels::{Channel, Endpoint, UnparsedRequest};
use crate::contacts::{AppliedTag, Attribute, Contact, Identity};
use crate::conversations::{Message, MessageParts};
use crate::custom_events::{CustomEvent, CustomEventName};
use crate::fields::{FieldValue, Rules};

/// Counts the attributes by their table, so a new attribute counts automatically.
impl Text for Contact {
    fn text(&self) -> usize {
        let Self { identities, tags, custom_fields, .. } = self;
        let attributes = Attribute::ALL.iter().filter_map(|attribute| self.attribute(*attribute)).map(str::len);
        attributes.sum::<usize>() + identities.text() + tags.text() + custom_fields.text()
    }
}

impl Text for CustomEventName {
    fn text(&self) -> usize {
        self.as_str().len()
    }
}

/// A message of one part has none.
impl Text for MessageParts {
    fn text(&self) -> usize {
        if self.is_empty() { 0 } else { shown(&self.all()) }
    }
}

impl Text for Rules {
    fn text(&self) -> usize {
        shown(self)
    }
}

texts! {
    Identity { text: address; shown: ; beside: channel, opted_in, opt_out, is_alias, added_at, undeliverable_since }
    AppliedTag { text: name; shown: ; beside: id, applied_at }
    FieldValue { text: json, match_key; shown: ; beside: }
    CustomEvent { text: name, data; shown: ; beside: id, contact, at }
    Channel {
        text: name, endpoint, last_error;
        shown: ;
        beside: id, kind, is_default, status, while_disconnected, waits_until, connected_at, created_at, updated_at,
            version
    }
    UnparsedRequest { text: reason, body; shown: ; beside: id, channel, received_at, size }
    Endpoint { text: config, secrets, inbound_token; shown: secret_hints; beside: inbound_digest }
    Message {
        text: provider_message_id, address, parts;
        shown: content, history, error, sender, referral, choice, thread, revisions;
        beside:
            id, conversation, contact, channel, direction, status, is_automatic, is_unverified, degraded, segments,
            resend_of, resent_as, reply_to, sent_at, created_at, updated_at, version
    }
}

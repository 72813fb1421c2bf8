//! Groups of rows that one statement writes, by kind.

use std::time::Duration;

use tidings_domain::audit::AuditEntry;
use tidings_domain::broadcasts::RecipientResult;
use tidings_domain::contacts::Identity;
use tidings_domain::custom_events::CustomEvent;
use tidings_domain::events::Event;
use tidings_domain::fields::FieldValue;
use tidings_domain::flows::FlowVersion;
use tidings_domain::ids::{BroadcastId, ChannelId, ContactId, FieldId, ImportId, MessageId, TypedId, WebhookId};
use tidings_domain::imports::RejectedRow;
use tidings_domain::ports::{IdempotencyRecord, NewJob};
use tidings_domain::webhooks::{Attempt, AttemptRecord, Delivery, Health};
use uuid::Uuid;

use super::grouping::kinds;
use super::objects::{Objects, Updates};
use crate::analytics::FactRow;
use crate::contacts::opt_outs::Required;
use crate::contacts::tags::LinkRow;
use crate::conversations::Adopted;
use crate::flows::RecipientRow;
use crate::jobs::{Finished, Rescheduled};
use crate::queries::types::DbId;
use crate::webhooks::StampRow;
use crate::{contacts, conversations};

/// A recipient of a broadcast and the ID of its message.
pub(super) type Recipient = (BroadcastId, ContactId, MessageId);

kinds! {
    /// Rows of one kind, each with its workspace. PostgreSQL writes them with one statement. Rows that are expensive to
    /// create are created when they are written.
    pub(super) enum Rows<'s> {
        /// Inserts objects of one kind, except deliveries.
        Insert(Objects<'s>),
        /// Updates objects of one kind.
        Update(Updates<'s>),
        /// Inserts identities of contacts.
        Identity(Vec<(DbId, ContactId, &'s Identity)>),
        /// Stores whether contacts receive messages on channels.
        OptIn(Vec<(DbId, ContactId, ChannelId, bool)>),
        /// Adds tags to contacts.
        Link(Vec<LinkRow>),
        /// Removes tags from contacts.
        Unlink(Vec<LinkRow>),
        /// Sets custom fields of contacts.
        PutValue(Vec<(DbId, ContactId, FieldId, &'s FieldValue)>),
        /// Clears custom fields of contacts.
        ClearValue(Vec<(DbId, ContactId, FieldId)>),
        /// Moves the last-seen stamps of conversations forward.
        TouchConversation(Vec<conversations::LastSeen>),
        /// Moves messages without a conversation into a new conversation.
        Adopt(Vec<Adopted>),
        /// Moves the last-seen stamps of contacts forward.
        TouchContact(Vec<contacts::LastSeen>),
        /// Marks recipients of broadcasts as done, with the IDs of their messages.
        FinishRecipient(Vec<(DbId, Recipient, &'s RecipientResult)>),
        /// Stores the results of messages with the recipients of broadcasts.
        SettleRecipient(Vec<(DbId, Recipient, &'s RecipientResult)>),
        /// Inserts custom events of contacts.
        CustomEvent(Vec<(DbId, &'s CustomEvent)>),
        /// Inserts published versions of flows.
        FlowVersion(Vec<(DbId, &'s FlowVersion)>),
        /// Deletes queued steps of runs.
        DropSteps(Vec<(DbId, DbId)>),
        /// Removes recipients from the waiting ones of a scheduled flow; their runs start.
        TakeRecipient(Vec<RecipientRow>),
        /// Inserts rejected rows of imports.
        Rejected(Vec<(DbId, ImportId, &'s RejectedRow)>),
        /// Updates the health of webhooks.
        Health(Vec<(DbId, WebhookId, &'s Health)>),
        /// Stamps webhooks after a successful delivery.
        Stamp(Vec<StampRow>),
        /// Inserts deliveries. A delivery with a lease is inserted as claimed.
        Delivery(Vec<(DbId, &'s Delivery, Option<Duration>)>),
        /// Writes the results of attempts at deliveries and ends their claims.
        Record(Vec<(DbId, &'s AttemptRecord)>),
        /// Inserts attempts at deliveries.
        Attempt(Vec<(DbId, &'s Attempt)>),
        /// Inserts facts. Facts that are counted together become one row.
        Fact(Vec<FactRow>),
        /// Writes nothing: compares revisions of the opt-outs.
        OptOuts(Vec<Required>),
        /// Ends claimed jobs that are done.
        FinishJob(Vec<Finished>),
        /// Releases claimed jobs, each due at a later time.
        RescheduleJob(Vec<Rescheduled>),
        /// Inserts entries of the audit log.
        Audit(Vec<(DbId, &'s AuditEntry)>),
        /// Inserts events.
        Event(Vec<(DbId, &'s Event)>),
        /// Inserts jobs.
        Job(Vec<(DbId, &'s NewJob)>),
        /// Inserts idempotency records.
        Answer(Vec<(DbId, &'s IdempotencyRecord)>),
    }
}

impl Rows<'_> {
    /// Returns the row that a single element changes, if a statement may contain it only once.
    pub(super) fn target(&self) -> Option<(Uuid, Uuid)> {
        match self {
            Self::Update(updates) => updates.object(0).map(|it| (it.uuid(), Uuid::nil())),
            Self::OptIn(rows) => rows.first().map(|(_, contact, channel, _)| (contact.uuid(), channel.uuid())),
            Self::PutValue(rows) => rows.first().map(|(_, contact, field, _)| (contact.uuid(), field.uuid())),
            Self::ClearValue(rows) => rows.first().map(|(_, contact, field)| (contact.uuid(), field.uuid())),
            Self::SettleRecipient(rows) => rows.first().map(|(_, (of, contact, _), _)| (of.uuid(), contact.uuid())),
            Self::Health(rows) => rows.first().map(|(_, webhook, _)| (webhook.uuid(), Uuid::nil())),
            Self::Record(rows) => rows.first().map(|(_, it)| (it.delivery.id.uuid(), Uuid::nil())),
            Self::Insert(_)
            | Self::Identity(_)
            | Self::Link(_)
            | Self::Unlink(_)
            | Self::TouchConversation(_)
            | Self::Adopt(_)
            | Self::TouchContact(_)
            | Self::FinishRecipient(_)
            | Self::CustomEvent(_)
            | Self::FlowVersion(_)
            | Self::DropSteps(_)
            | Self::TakeRecipient(_)
            | Self::Rejected(_)
            | Self::Stamp(_)
            | Self::Delivery(_)
            | Self::Attempt(_)
            | Self::Fact(_)
            | Self::OptOuts(_)
            | Self::FinishJob(_)
            | Self::RescheduleJob(_)
            | Self::Audit(_)
            | Self::Event(_)
            | Self::Job(_)
            | Self::Answer(_) => None,
        }
    }

    /// Returns true if stored rows can conflict with these: by a version, a claim, a unique key, or a missing row.
    pub(super) fn may_contradict(&self) -> bool {
        match self {
            Self::TouchConversation(_)
            | Self::Adopt(_)
            | Self::TouchContact(_)
            | Self::SettleRecipient(_)
            | Self::OptIn(_)
            | Self::DropSteps(_)
            | Self::Stamp(_)
            | Self::Attempt(_)
            | Self::Fact(_)
            | Self::Audit(_)
            | Self::Event(_)
            | Self::Job(_) => false,
            Self::Insert(_)
            | Self::Update(_)
            | Self::Identity(_)
            | Self::Link(_)
            | Self::Unlink(_)
            | Self::PutValue(_)
            | Self::ClearValue(_)
            | Self::FinishRecipient(_)
            | Self::CustomEvent(_)
            | Self::FlowVersion(_)
            | Self::TakeRecipient(_)
            | Self::Rejected(_)
            | Self::Delivery(_)
            | Self::Record(_)
            | Self::Health(_)
            | Self::OptOuts(_)
            | Self::FinishJob(_)
            | Self::RescheduleJob(_)
            | Self::Answer(_) => true,
        }
    }
}

//! Steps of contacts with their channels, tags, custom fields and conversations.

use tidings_domain::ports::{ChannelChange, ContactChange, ConversationChange, FieldChange, TagChange};
use tidings_domain::time::Timestamp;

use crate::contacts::tags::{self, LinkRow};
use crate::contacts::{self, fields};
use crate::conversations::{self, Adopted, channels, media};
use crate::queries::types::{DbId, DbTime};
use crate::write::rows::Rows;
use crate::write::step::{Write, writing};

pub(super) fn channel(ws: DbId, change: &ChannelChange) -> Write<'_> {
    match change {
        ChannelChange::Delete { channel, at } => {
            Write::unbatched(move |c| writing(channels::delete(c, ws, *channel, *at)))
        }
        ChannelChange::UpdateHealth { channel, health } => {
            Write::unbatched(move |c| writing(channels::update_health(c, ws, *channel, health)))
        }
        ChannelChange::RecordEvent { channel, digest, at } => {
            Write::unbatched(move |c| writing(channels::record_event(c, ws, *channel, (digest, *at))))
        }
        ChannelChange::KeepUnparsed(request) => {
            Write::unbatched(move |c| writing(channels::keep_unparsed(c, ws, request)))
        }
    }
}

pub(super) fn contact(ws: DbId, change: &ContactChange) -> Write<'_> {
    Write::Grouped(match change {
        ContactChange::InsertIdentity { contact, identity } => Rows::Identity(vec![(ws, *contact, identity)]),
        ContactChange::SetOptIn { contact, channel, opted_in } => {
            Rows::OptIn(vec![(ws, *contact, *channel, *opted_in)])
        }
        ContactChange::Touch { contact, at } => {
            let (id, last_message_at) = ((*contact).into(), (*at).into());
            Rows::TouchContact(vec![contacts::LastSeen { workspace_id: ws, id, last_message_at }])
        }
        ContactChange::RecordEvent { event, depth: _ } => Rows::CustomEvent(vec![(ws, event)]),
        ContactChange::ReleaseIdentities { contact } => {
            return Write::unbatched(move |c| writing(contacts::release_identities(c, ws, *contact)));
        }
        ContactChange::Restore(it) => return Write::unbatched(move |c| writing(contacts::restore(c, ws, it))),
        ContactChange::ReplaceIdentities { contact, identities } => {
            return Write::unbatched(move |c| writing(contacts::replace_identities(c, ws, *contact, identities)));
        }
    })
}

pub(super) fn tag(ws: DbId, change: &TagChange) -> Write<'_> {
    match change {
        TagChange::Link { contact, tag, at } => {
            let (contact_id, tag_id, applied_at) = ((*contact).into(), (*tag).into(), (*at).into());
            Write::Grouped(Rows::Link(vec![LinkRow { workspace_id: ws, contact_id, tag_id, applied_at }]))
        }
        TagChange::Unlink { contact, tag } => {
            let (contact_id, tag_id, applied_at) =
                ((*contact).into(), (*tag).into(), DbTime(Timestamp::from_millis(0)));
            Write::Grouped(Rows::Unlink(vec![LinkRow { workspace_id: ws, contact_id, tag_id, applied_at }]))
        }
        TagChange::SweepLinks { tag, limit } => Write::unbatched(move |c| writing(tags::sweep(c, ws, *tag, *limit))),
    }
}

pub(super) fn field(ws: DbId, change: &FieldChange) -> Write<'_> {
    match change {
        FieldChange::PutValue { contact, field, value } => {
            Write::Grouped(Rows::PutValue(vec![(ws, *contact, *field, value)]))
        }
        FieldChange::ClearValue { contact, field } => Write::Grouped(Rows::ClearValue(vec![(ws, *contact, *field)])),
        FieldChange::RetireOptions { field, from, to, unused } => {
            Write::unbatched(move |c| writing(fields::retire(c, ws, *field, from, to, *unused)))
        }
        FieldChange::SweepValues { field, limit } => {
            Write::unbatched(move |c| writing(fields::sweep(c, ws, *field, *limit)))
        }
    }
}

pub(super) fn conversation(ws: DbId, change: &ConversationChange) -> Write<'_> {
    Write::Grouped(match change {
        ConversationChange::Touch { conversation, at } => {
            let (id, last_message_at) = ((*conversation).into(), (*at).into());
            Rows::TouchConversation(vec![conversations::LastSeen { workspace_id: ws, id, last_message_at }])
        }
        ConversationChange::Adopt { conversation, contact, channel } => {
            Rows::Adopt(vec![Adopted::write(ws, *conversation, *contact, *channel)])
        }
        ConversationChange::UseMedia { media: file, contact } => {
            return Write::unbatched(move |c| writing(media::use_by(c, ws, *file, *contact)));
        }
        ConversationChange::ReleaseMedia { media: file, message, contact } => {
            let (message, contact) = ((*message).into(), (*contact).into());
            return Write::unbatched(move |c| writing(conversations::release_media(c, ws, *file, (message, contact))));
        }
    })
}

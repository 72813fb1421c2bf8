//! Last-seen stamps that are merged into other changes of their set.

use super::{Change, ChangeSet, Object, Row};
use crate::contacts::ContactChange;
use crate::conversations::ConversationChange;
use crate::time::Timestamp;

impl ChangeSet {
    /// Merges last-seen stamps to write fewer rows. A stamp of a row that the set writes becomes part of that row.
    /// Several stamps of an object become one.
    #[must_use]
    pub fn folded(mut self) -> Self {
        for place in (0..self.changes.len()).rev() {
            let Some((object, at)) = self.changes.get(place).and_then(stamp) else { continue };
            let before = self.changes.split_at_mut(place).0;
            if before.iter_mut().rev().any(|change| takes(change, object, at)) {
                self.changes.remove(place);
            }
        }
        self
    }
}

/// Returns the object that a change stamps, and the time.
fn stamp(change: &Change) -> Option<(Object, Timestamp)> {
    if let Change::Conversation(ConversationChange::Touch { conversation, at }) = change {
        Some((Object::Conversation(*conversation), *at))
    } else if let Change::Contact(ContactChange::Touch { contact, at }) = change {
        Some((Object::Contact(*contact), *at))
    } else {
        None
    }
}

/// Moves the stamp of the object forward if this change writes or stamps it. Returns whether it does.
fn takes(change: &mut Change, object: Object, stamped: Timestamp) -> bool {
    if let Change::Insert(Row::Conversation(it)) | Change::Update(Row::Conversation(it)) = change {
        let is_of = Object::Conversation(it.id) == object;
        if is_of {
            it.last_message_at = it.last_message_at.max(Some(stamped));
            it.updated_at = it.updated_at.max(stamped);
        }
        return is_of;
    }
    if let Change::Insert(Row::Contact(it)) | Change::Update(Row::Contact(it)) = change {
        let is_of = Object::Contact(it.id) == object;
        if is_of {
            it.last_message_at = it.last_message_at.max(Some(stamped));
        }
        return is_of;
    }
    let is_same = stamp(change).is_some_and(|(of, _)| of == object);
    if let Change::Conversation(ConversationChange::Touch { at, .. }) | Change::Contact(ContactChange::Touch { at, .. }) =
        change
        && is_same
    {
        *at = stamped.max(*at);
    }
    is_same
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversations::Conversation;
    use crate::ids::{ConversationId, TypedId, WorkspaceId};
    use crate::testing::{a_channel, a_contact};

    #[test]
    fn merges_touches_into_inserted_rows_and_keeps_the_last_one() {
        let (contact, channel) = (a_contact().build(), a_channel());
        let (first, last) = (contact.created_at, Timestamp::from_millis(contact.created_at.millis() + 1_000));
        let id = ConversationId::from_uuid(uuid::Uuid::from_u128(7));
        let conversation = Conversation::new(id, contact.id, channel.id, first);
        let said = |at| Change::Conversation(ConversationChange::Touch { conversation: id, at });
        let heard = |at| Change::Contact(ContactChange::Touch { contact: contact.id, at });
        let mut set = ChangeSet::new(WorkspaceId::from_uuid(uuid::Uuid::nil()));
        set.change(Change::Insert(Row::Conversation(conversation.clone())));
        set.change(said(first)).change(heard(first)).change(said(last)).change(heard(last));
        let stamped = Conversation { last_message_at: Some(last), updated_at: last, ..conversation };
        assert_eq!(set.folded().changes, [Change::Insert(Row::Conversation(stamped)), heard(last)]);
    }
}

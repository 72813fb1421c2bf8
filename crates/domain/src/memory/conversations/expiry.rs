//! Deletion of old messages and of old resolved conversations.

use crate::conversations::{Attachment, ConversationStatus, Message, MessageStatus};
use crate::ids::{ContactId, ConversationId, MediaId, MessageId, TypedId, WorkspaceId};
use crate::media::MediaUse;
use crate::memory::State;
use crate::ports::SweepPlace;
use crate::time::Timestamp;

impl State {
    pub(in crate::memory) fn expire_messages(
        &mut self,
        from: SweepPlace,
        before: Timestamp,
        limit: usize,
    ) -> Option<SweepPlace> {
        let place = |it: &Message| SweepPlace { at: it.created_at, id: it.id.uuid() };
        let old = self.messages.iter().filter(|(_, it)| it.created_at < before && place(it) > from);
        let mut old: Vec<_> = old.map(|(key, it)| (place(it), *key)).collect();
        old.sort_unstable();
        old.truncate(limit);
        for (_, (ws, id)) in &old {
            if self.may_expire(*ws, *id) {
                self.remove_message(*ws, *id);
            }
        }
        old.last().filter(|_| old.len() == limit).map(|(place, _)| *place)
    }

    pub(in crate::memory) fn expire_conversations(&mut self, before: Timestamp, limit: usize) -> u64 {
        let resolved = self.conversations.iter().filter(|(_, it)| it.status == ConversationStatus::Resolved);
        let over = resolved.filter_map(|(key, it)| Some((it.resolved_at.filter(|at| *at < before)?, *key)));
        let mut over: Vec<_> = over.filter(|(_, (ws, conversation))| !self.waits(*ws, *conversation)).collect();
        over.sort_unstable();
        let mut room = limit;
        for (_, (ws, conversation)) in over {
            let said: Vec<MessageId> = self.messages_of(ws, conversation).into_iter().take(room).collect();
            room -= said.len();
            for message in said {
                self.remove_message(ws, message);
            }
            if room == 0 {
                break;
            }
            self.conversations.remove(&(ws, conversation));
            room -= 1;
        }
        (limit - room) as u64
    }

    /// Whether an old message may be deleted.
    fn may_expire(&self, ws: WorkspaceId, message: MessageId) -> bool {
        let Some(it) = self.messages.get(&(ws, message)) else { return false };
        if matches!(it.status, MessageStatus::Queued | MessageStatus::Sending) {
            return false;
        }
        let Some(conversation) = it.conversation else { return true };
        let is_last = self.messages_of(ws, conversation).last() == Some(&message);
        let found = self.conversations.get(&(ws, conversation));
        !is_last || found.is_none_or(|it| it.status == ConversationStatus::Resolved)
    }

    /// Whether a conversation has messages that are not sent yet.
    fn waits(&self, ws: WorkspaceId, conversation: ConversationId) -> bool {
        let is_waiting = |it: &MessageStatus| matches!(it, MessageStatus::Queued | MessageStatus::Sending);
        let mut said = self.messages.iter().filter(|((of, _), it)| *of == ws && it.conversation == Some(conversation));
        said.any(|(_, it)| is_waiting(&it.status))
    }

    /// Returns the messages of a conversation, oldest first.
    fn messages_of(&self, ws: WorkspaceId, conversation: ConversationId) -> Vec<MessageId> {
        let said = self.messages.iter().filter(|((of, _), it)| *of == ws && it.conversation == Some(conversation));
        let mut said: Vec<_> = said.map(|((_, id), it)| (it.created_at, *id)).collect();
        said.sort_unstable();
        said.into_iter().map(|(_, id)| id).collect()
    }

    fn remove_message(&mut self, ws: WorkspaceId, message: MessageId) {
        let Some(removed) = self.messages.remove(&(ws, message)) else { return };
        for media in removed.content.attachments.iter().filter_map(Attachment::media) {
            self.release_media(ws, media, (message, removed.contact));
        }
    }

    /// Records that a message with a contact does not use a file. It becomes unused unless another one uses it.
    pub(super) fn release_media(
        &mut self,
        ws: WorkspaceId,
        media: MediaId,
        (message, contact): (MessageId, ContactId),
    ) {
        let of_contact =
            self.messages.iter().filter(|((of, id), it)| *of == ws && *id != message && it.contact == contact);
        let mut files = of_contact.flat_map(|(_, it)| it.content.attachments.iter().filter_map(Attachment::media));
        if files.any(|it| it == media) {
            return;
        }
        let own = self.tables.media.get_mut(&(ws, media)).filter(|it| it.used_by == MediaUse::Contact(contact));
        if let Some(it) = own {
            it.used_by = MediaUse::Unused;
            it.version += 1;
        }
    }
}

//! Conversations and messages.

mod channels;
mod expiry;
mod media;

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::access::Access;
use crate::conversations::{
    Conversation, ConversationFilter, Direction, Dispatch, LONGEST_QUEUED, Message, MessageStatus, is_automatic,
    may_have_arrived,
};
use crate::ids::{ChannelId, ContactId, ConversationId, MessageId, TypedId, WorkspaceId};
use crate::pagination::{Page, PageRequest, Position, SortedPage, SortedRequest, Total};
use crate::ports::{ConversationChange, ConversationQueries};
use crate::time::Timestamp;

use super::apply::Applied;
use crate::memory::tables::pages::{Answer, at, of, page, sorted_page};

impl State {
    pub(super) fn change_conversations(&mut self, ws: WorkspaceId, change: ConversationChange) -> Applied {
        match change {
            ConversationChange::Touch { conversation, at } => {
                if let Some(it) = self.conversations.get_mut(&(ws, conversation)) {
                    it.updated_at = if it.last_message_at < Some(at) { at } else { it.updated_at };
                    it.last_message_at = it.last_message_at.max(Some(at));
                }
                Ok(())
            }
            ConversationChange::Adopt { conversation, contact, channel } => {
                let of_workspace = self.messages.iter_mut().filter(|((of, _), _)| *of == ws).map(|(_, it)| it);
                let alone = of_workspace.filter(|it| it.conversation.is_none());
                for message in alone.filter(|it| it.contact == contact && it.channel == channel) {
                    message.conversation = Some(conversation);
                }
                Ok(())
            }
            ConversationChange::UseMedia { media, contact } => {
                self.use_media(ws, media, contact);
                Ok(())
            }
            ConversationChange::ReleaseMedia { media, message, contact } => {
                self.release_media(ws, media, (message, contact));
                Ok(())
            }
        }
    }

    fn admitted_conversations(&self, ws: WorkspaceId, filter: &ConversationFilter) -> Vec<Conversation> {
        of(&self.conversations, ws, |it| {
            let contact = || self.contacts.get(&(ws, it.contact));
            let is_called = || filter.words.is_empty() || contact().is_some_and(|it| filter.admits_contact(it));
            let is_tagged = || filter.tags.iter().all(|tag| self.links.contains_key(&(ws, (it.contact, *tag))));
            filter.admits(it) && is_called() && is_tagged()
        })
    }
}

#[async_trait]
impl ConversationQueries for MemoryStore {
    async fn get(&self, access: &Access, conversation: ConversationId) -> Answer<Option<Conversation>> {
        Ok(self.lock().conversations.get(&(access.workspace(), conversation)).cloned())
    }

    async fn between(&self, access: &Access, contact: ContactId, channel: ChannelId) -> Answer<Option<Conversation>> {
        let pair = |it: &Conversation| it.contact == contact && it.channel == channel;
        Ok(of(&self.lock().conversations, access.workspace(), pair).pop())
    }

    async fn with(&self, access: &Access, contact: ContactId) -> Answer<Vec<Conversation>> {
        let mut found = of(&self.lock().conversations, access.workspace(), |it| it.contact == contact);
        found.sort_by_key(|it| std::cmp::Reverse((it.last_message_at, it.id)));
        Ok(found)
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        request: SortedRequest,
    ) -> Answer<SortedPage<Conversation>> {
        let found = self.lock().admitted_conversations(access.workspace(), filter);
        let by = request.order.by;
        Ok(sorted_page(found, request, |it| Position { at: it.sort_key(by), id: it.id.uuid() }))
    }

    async fn counts(&self, access: &Access, filters: &[ConversationFilter]) -> Answer<Vec<Total>> {
        let state = self.lock();
        let count = |filter| Total::of(state.admitted_conversations(access.workspace(), filter).len() as u64);
        Ok(filters.iter().map(count).collect())
    }

    async fn between_all(
        &self,
        access: &Access,
        contacts: &[ContactId],
        channel: ChannelId,
    ) -> Answer<Vec<Conversation>> {
        let among = |it: &Conversation| it.channel == channel && contacts.contains(&it.contact);
        Ok(of(&self.lock().conversations, access.workspace(), among))
    }

    async fn messages(
        &self,
        access: &Access,
        conversation: ConversationId,
        request: PageRequest,
    ) -> Answer<Page<Message>> {
        let found = of(&self.lock().messages, access.workspace(), |it| it.conversation == Some(conversation));
        Ok(page(found, request, |it: &Message| at(it.created_at, it.id)))
    }

    async fn message(&self, access: &Access, message: MessageId) -> Answer<Option<Message>> {
        Ok(self.lock().messages.get(&(access.workspace(), message)).cloned())
    }

    async fn dispatch(&self, access: &Access, message: MessageId) -> Answer<Option<Dispatch>> {
        let (ws, state) = (access.workspace(), self.lock());
        let found = || {
            let message = state.messages.get(&(ws, message))?.clone();
            let conversation = message.conversation.and_then(|id| state.conversations.get(&(ws, id)).cloned());
            let mut contact = state.whole(ws, state.contacts.get(&(ws, message.contact))?);
            let reply_address = conversation.as_ref().and_then(|it| it.reply_address.as_deref());
            let last_used: Vec<&str> = message.address.as_deref().into_iter().chain(reply_address).collect();
            contact.identities = contact.destination(message.channel, &last_used).cloned().into_iter().collect();
            (contact.tags, contact.custom_fields) = Default::default();
            let channel = state.channels.get(&(ws, message.channel)).cloned();
            let catalog = state.catalog(ws).revision;
            Some(Dispatch { message, conversation, contact, channel, catalog })
        };
        Ok(found())
    }

    async fn by_provider_id(
        &self,
        access: &Access,
        channel: ChannelId,
        direction: Direction,
        provider_message_id: &str,
    ) -> Answer<Option<Message>> {
        let mut found = of(&self.lock().messages, access.workspace(), |it| {
            it.channel == channel
                && it.direction == direction
                && it.provider_message_id.as_deref() == Some(provider_message_id)
        });
        found.sort_by_key(|it| (it.created_at, it.id));
        Ok(found.pop())
    }

    async fn by_part(&self, access: &Access, channel: ChannelId, provider_message_id: &str) -> Answer<Option<Message>> {
        let mut found = of(&self.lock().messages, access.workspace(), |it| {
            let part = it.parts.named(provider_message_id);
            it.channel == channel && part.is_some_and(|index| it.parts.has_next(index))
        });
        found.sort_by_key(|it| it.id);
        Ok(found.pop())
    }

    async fn last_used(&self, access: &Access, contact: ContactId) -> Answer<Option<Conversation>> {
        let mut found = of(&self.lock().conversations, access.workspace(), |it| {
            it.contact == contact && it.last_message_at.is_some()
        });
        found.sort_by_key(|it| (it.last_message_at, it.id));
        Ok(found.pop())
    }

    async fn automatic_since(&self, access: &Access, conversation: ConversationId, since: Timestamp) -> Answer<usize> {
        let found = of(&self.lock().messages, access.workspace(), |it| {
            let is_recent = it.updated_at >= since && it.created_at >= since.minus(LONGEST_QUEUED);
            let is_outbound = it.direction == Direction::Outbound && may_have_arrived(it.status);
            it.conversation == Some(conversation) && is_recent && is_outbound && is_automatic(it.sender.kind)
        });
        Ok(found.len())
    }

    async fn captured(&self, access: &Access, channel: ChannelId, request: PageRequest) -> Answer<Page<Message>> {
        use MessageStatus::{Delivered, Read, Sent};
        let found = of(&self.lock().messages, access.workspace(), |it| {
            it.channel == channel && it.direction == Direction::Outbound && matches!(it.status, Sent | Delivered | Read)
        });
        Ok(page(found, request, |it: &Message| at(it.created_at, it.id)))
    }
}

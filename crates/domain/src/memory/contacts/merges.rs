//! Merging of contacts.

use async_trait::async_trait;

use crate::access::Access;
use crate::contacts::Contact;
use crate::conversations::{Message, MessageStatus};
use crate::ids::{ContactId, ConversationId, MessageId, WorkspaceId};
use crate::memory::apply::{Applied, insert, update};
use crate::memory::tables::pages::Answer;
use crate::memory::{MemoryStore, State};
use crate::merges::{Merge, MergeChange};
use crate::ports::{Conflict, MergeQueries, Object};
use crate::time::Timestamp;

impl State {
    pub(in crate::memory) fn change_merges(&mut self, ws: WorkspaceId, change: MergeChange) -> Applied {
        match change {
            MergeChange::Begin { contact, merge } => self.begin_merge(ws, *contact, merge),
            MergeChange::MovePart { contact, into, limit, at } => self.move_part(ws, contact, into, limit as usize, at),
            MergeChange::End { contact, at } => {
                if let Some(it) = self.merges.get_mut(&(ws, contact)) {
                    it.moved_at = Some(at);
                }
                Ok(())
            }
        }
    }

    fn begin_merge(&mut self, ws: WorkspaceId, contact: Contact, merge: Merge) -> Applied {
        let id = contact.id;
        update(&mut self.contacts, &(ws, id), contact, |it| it.version, Object::Contact(id))?;
        self.identities.remove(&(ws, id));
        self.links.retain(|(of, (carrier, _)), _| (*of, *carrier) != (ws, id));
        self.values.retain(|(of, (carrier, _)), _| (*of, *carrier) != (ws, id));
        for ((of, _), earlier) in &mut self.merges {
            if *of == ws && earlier.into == id {
                earlier.into = merge.into;
            }
        }
        insert(&mut self.merges, (ws, id), merge)
    }

    fn move_part(
        &mut self,
        ws: WorkspaceId,
        contact: ContactId,
        into: ContactId,
        limit: usize,
        at: Timestamp,
    ) -> Applied {
        if self.merges.get(&(ws, contact)).is_none_or(|merge| merge.into != into) {
            return Err(Conflict::Stale(Object::Contact(contact)).into());
        }
        for ((of, _), event) in &mut self.events {
            if *of == ws && event.contact == Some(contact) {
                event.contact = Some(into);
            }
        }
        for ((of, _), event) in &mut self.custom_events {
            if *of == ws && event.contact == contact {
                event.contact = into;
            }
        }
        for ((of, _), run) in &mut self.runs {
            if *of == ws && run.contact == contact {
                run.contact = into;
                run.updated_at = at;
                run.version += 1;
            }
        }
        self.move_media(ws, contact, into);
        self.move_enrollments(ws, contact, into, at);
        self.move_messages(ws, contact, into, limit, at);
        Ok(())
    }

    /// Moves the enrollments. In each sequence their numbers follow the surviving contact's.
    fn move_enrollments(&mut self, ws: WorkspaceId, contact: ContactId, into: ContactId, at: Timestamp) {
        let of_contact = self.enrollments.iter().filter(|((of, _), it)| *of == ws && it.contact == contact);
        let mut moving: Vec<_> = of_contact.map(|(key, it)| (it.number, *key, it.sequence)).collect();
        moving.sort_unstable_by_key(|(number, key, _)| (*number, key.1));
        for (_, key, sequence) in moving {
            let earlier = self.enrollments.values().filter(|it| it.contact == into && it.sequence == sequence);
            let number = earlier.map(|it| it.number).max().unwrap_or(0) + 1;
            if let Some(it) = self.enrollments.get_mut(&key) {
                (it.contact, it.number) = (into, number);
                it.updated_at = at;
                it.version += 1;
            }
        }
    }

    fn move_messages(&mut self, ws: WorkspaceId, contact: ContactId, into: ContactId, limit: usize, at: Timestamp) {
        let own = |state: &Self, channel| {
            let mut talks = state.conversations.iter().filter(|((of, _), _)| *of == ws).map(|(_, it)| it);
            talks.find(|it| it.contact == into && it.channel == channel).map(|it| it.id)
        };
        let of_contact = self.conversations.iter().filter(|((of, _), it)| *of == ws && it.contact == contact);
        let talks: Vec<_> = of_contact.map(|((_, id), it)| (*id, it.channel)).collect();
        let said = self.messages.iter().filter(|((of, _), it)| *of == ws && it.contact == contact && !is_sending(it));
        let said: Vec<_> = said.map(|(key, it)| (*key, it.channel)).take(limit).collect();
        for (key, channel) in said {
            let kept = own(self, channel);
            if let Some(it) = self.messages.get_mut(&key) {
                let moves = it.conversation.is_some_and(|id| talks.iter().any(|(talk, _)| *talk == id));
                it.conversation = kept.filter(|_| moves).or(it.conversation);
                it.contact = into;
                it.updated_at = at;
                it.version += 1;
            }
        }
        for (talk, channel) in talks {
            let is_empty = !self.messages.values().any(|message| message.conversation == Some(talk));
            if own(self, channel).is_none() {
                if let Some(it) = self.conversations.get_mut(&(ws, talk)) {
                    it.contact = into;
                    it.updated_at = at;
                    it.version += 1;
                }
            } else if is_empty {
                self.conversations.remove(&(ws, talk));
            }
        }
    }

    fn talks_with(&self, ws: WorkspaceId, contact: ContactId) -> Vec<ConversationId> {
        let with = self.conversations.iter().filter(|((of, _), it)| *of == ws && it.contact == contact);
        with.map(|((_, id), _)| *id).collect()
    }
}

/// Whether the message may still be sent.
fn is_sending(message: &Message) -> bool {
    matches!(message.status, MessageStatus::Queued | MessageStatus::Sending)
}

#[async_trait]
impl MergeQueries for MemoryStore {
    async fn get(&self, access: &Access, contact: ContactId) -> Answer<Option<Merge>> {
        Ok(self.lock().merges.get(&(access.workspace(), contact)).copied())
    }

    async fn merged_into(&self, access: &Access, into: ContactId, limit: u32) -> Answer<Vec<Merge>> {
        let (state, ws) = (self.lock(), access.workspace());
        let merged = state.merges.iter().filter(|((of, _), it)| *of == ws && it.into == into);
        Ok(merged.map(|(_, it)| *it).take(limit as usize).collect())
    }

    async fn is_left(&self, access: &Access, contact: ContactId, _into: ContactId) -> Answer<bool> {
        let (state, ws) = (self.lock(), access.workspace());
        let mut said = state.messages.iter().filter(|((of, _), it)| *of == ws && it.contact == contact);
        let waits = |talk: ConversationId| state.messages.values().any(|it| it.conversation == Some(talk));
        Ok(state.events.iter().any(|((of, _), it)| *of == ws && it.contact == Some(contact))
            || state.custom_events.iter().any(|((of, _), it)| *of == ws && it.contact == contact)
            || state.runs.iter().any(|((of, _), it)| *of == ws && it.contact == contact)
            || state.enrollments.iter().any(|((of, _), it)| *of == ws && it.contact == contact)
            || state.has_media_of(ws, contact)
            || said.any(|(_, it)| !is_sending(it))
            || state.talks_with(ws, contact).into_iter().any(|talk| !waits(talk)))
    }

    async fn is_sending(&self, access: &Access, contact: ContactId, _into: ContactId) -> Answer<bool> {
        let (state, ws) = (self.lock(), access.workspace());
        let said = state.messages.iter().any(|((of, _), it)| *of == ws && it.contact == contact && is_sending(it));
        Ok(said || !state.talks_with(ws, contact).is_empty())
    }

    async fn unsettled(&self, access: &Access, contact: ContactId, _into: ContactId) -> Answer<Option<MessageId>> {
        let (state, ws) = (self.lock(), access.workspace());
        let mut said =
            state.messages.iter().filter(|((of, _), it)| *of == ws && it.contact == contact && is_sending(it));
        Ok(said.next().map(|((_, id), _)| *id))
    }
}

//! Inserts and updates of rows.

use crate::conversations::{Direction, Message};
use crate::ids::WorkspaceId;
use crate::memory::State;
use crate::memory::apply::{Applied, insert, own, referenced, unique, update};
use crate::memory::tables::pages::of;
use crate::ports::{Conflict, Object, Row, UniqueKey};
use crate::sequences::Enrollment;
use crate::stored::StoredRow;

impl State {
    pub(in crate::memory) fn insert_row(&mut self, ws: WorkspaceId, row: Row) -> Applied {
        match row {
            Row::Workspace(it) => {
                own(ws, it.id)?;
                insert(&mut self.workspaces, it.id, it)
            }
            Row::Channel(it) => {
                let other = self.channels.iter().any(|((of, _), channel)| *of == ws && channel.is_default);
                unique(it.is_default && other, UniqueKey::DefaultChannel)?;
                unique(self.token_taken(&it), UniqueKey::InboundToken)?;
                insert(&mut self.channels, (ws, it.id), it)
            }
            Row::Contact(it) => {
                self.identifiers_free(ws, &it)?;
                insert(&mut self.contacts, (ws, it.id), *it)
            }
            Row::Conversation(it) => {
                referenced(self.contacts.contains_key(&(ws, it.contact)))?;
                referenced(self.channel_was_made(ws, it.channel))?;
                let mut of_workspace = self.conversations.iter().filter(|((of, _), _)| *of == ws);
                let taken = of_workspace.any(|(_, other)| other.contact == it.contact && other.channel == it.channel);
                unique(taken, UniqueKey::ConversationPair)?;
                insert(&mut self.conversations, (ws, it.id), it)
            }
            Row::Message(it) => {
                let there = |id| self.conversations.contains_key(&(ws, id));
                referenced(it.conversation.is_none_or(there))?;
                let inbound = |it: &Message| it.direction == Direction::Inbound && it.provider_message_id.is_some();
                let same = |other: &Message| {
                    inbound(other)
                        && (other.channel, &other.provider_message_id) == (it.channel, &it.provider_message_id)
                };
                let mut of_workspace = self.messages.iter().filter(|((of, _), _)| *of == ws);
                let taken = inbound(&it) && of_workspace.any(|(_, other)| same(other));
                unique(taken, UniqueKey::InboundMessage)?;
                insert(&mut self.messages, (ws, it.id), *it)
            }
            Row::Flow(it) => insert(&mut self.flows, (ws, it.id), it),
            Row::Run(it) => {
                referenced(self.contacts.contains_key(&(ws, it.contact)))?;
                referenced(self.versions.contains_key(&(ws, (it.flow, it.flow_version))))?;
                let mut live = self.runs.iter().filter(|((of, _), run)| *of == ws && run.ended_at.is_none());
                let same =
                    |run: &crate::flows::Run| (run.flow, run.contact, run.slot) == (it.flow, it.contact, it.slot);
                unique(it.ended_at.is_none() && live.any(|(_, run)| same(run)), UniqueKey::LiveRun)?;
                let mut others = self.runs.iter().filter(|((of, _), run)| *of == ws && run.flow == it.flow);
                let repeated = it.cause.is_some() && others.any(|(_, run)| run.cause == it.cause);
                unique(repeated, UniqueKey::RunCause)?;
                insert(&mut self.runs, (ws, it.id), *it)
            }
            Row::Webhook(mut it) => {
                it.health = crate::webhooks::Health::default();
                insert(&mut self.webhooks, (ws, it.id), it)
            }
            Row::Delivery(it) => {
                referenced(self.events.contains_key(&(ws, it.event)))?;
                let mut of_workspace = self.deliveries.iter().filter(|((of, _), _)| *of == ws);
                let taken = of_workspace.any(|(_, other)| other.event == it.event && other.webhook == it.webhook);
                unique(taken, UniqueKey::Delivery)?;
                self.queue_delivery(ws, &it);
                insert(&mut self.deliveries, (ws, it.id), it)
            }
            Row::Broadcast(it) => insert(&mut self.broadcasts, (ws, it.id), *it),
            Row::BulkOperation(it) => insert(&mut self.bulk_operations, (ws, it.id), *it),
            Row::Import(it) => insert(&mut self.imports, (ws, it.id), *it),
            Row::Stored(it) => self.tables.insert(ws, it),
            Row::Sequence(it) => insert(&mut self.sequences, (ws, it.id), *it),
            Row::Enrollment(it) => {
                referenced(self.contacts.contains_key(&(ws, it.contact)))?;
                referenced(self.sequences.contains_key(&(ws, it.sequence)))?;
                let pair = of(&self.enrollments, ws, |other: &Enrollment| {
                    other.sequence == it.sequence && other.contact == it.contact
                });
                let live = it.ended_at.is_none() && pair.iter().any(|other| other.ended_at.is_none());
                unique(live, UniqueKey::LiveEnrollment)?;
                unique(pair.iter().any(|other| other.number == it.number), UniqueKey::EnrollmentNumber)?;
                insert(&mut self.enrollments, (ws, it.id), *it)
            }
            Row::User(it) => {
                self.email_free(&it)?;
                insert(&mut self.users, it.id, it)
            }
            Row::Member(it) => {
                referenced(self.workspaces.contains_key(&ws) && self.users.contains_key(&it.user))?;
                unique(self.members.contains_key(&(ws, it.user)), UniqueKey::Member)?;
                insert(&mut self.members, (ws, it.user), it)
            }
        }
    }

    pub(in crate::memory) fn update_row(&mut self, ws: WorkspaceId, row: Row) -> Applied {
        match row {
            Row::Workspace(it) => {
                own(ws, it.id)?;
                let object = Object::Workspace(it.id);
                update(&mut self.workspaces, &ws, it, |it| it.version, object)
            }
            Row::Channel(it) => {
                let (id, object) = (it.id, Object::Channel(it.id));
                let mut others = self.channels.iter().filter(|((of, other), _)| *of == ws && *other != id);
                unique(it.is_default && others.any(|(_, other)| other.is_default), UniqueKey::DefaultChannel)?;
                unique(self.token_taken(&it), UniqueKey::InboundToken)?;
                update(&mut self.channels, &(ws, id), it, |it| it.version, object)
            }
            Row::Contact(mut it) => {
                let (id, object) = (it.id, Object::Contact(it.id));
                let before = self.contacts.get(&(ws, id)).filter(|before| before.deleted_at.is_none());
                let before = before.ok_or(Conflict::Stale(object))?;
                it.last_message_at = before.last_message_at.max(it.last_message_at);
                if it.deleted_at.is_none() {
                    self.identifiers_free(ws, &it)?;
                }
                update(&mut self.contacts, &(ws, id), *it, |it| it.version, object)
            }
            Row::Conversation(mut it) => {
                let (id, object) = (it.id, Object::Conversation(it.id));
                let before = self.conversations.get(&(ws, id)).and_then(|before| before.last_message_at);
                it.last_message_at = before.max(it.last_message_at);
                update(&mut self.conversations, &(ws, id), it, |it| it.version, object)
            }
            Row::Message(mut it) => {
                if let Some(before) = self.messages.get(&(ws, it.id)) {
                    it.conversation = before.conversation;
                }
                let (id, object) = (it.id, Object::Message(it.id));
                update(&mut self.messages, &(ws, id), *it, |it| it.version, object)
            }
            Row::Flow(it) => {
                let (id, object) = (it.id, Object::Flow(it.id));
                update(&mut self.flows, &(ws, id), it, |it| it.version, object)
            }
            Row::Run(it) => {
                let (id, object) = (it.id, Object::Run(it.id));
                update(&mut self.runs, &(ws, id), *it, |it| it.version, object)
            }
            Row::Webhook(mut it) => {
                let (id, object) = (it.id, Object::Webhook(it.id));
                let before = self.webhooks.get(&(ws, id)).ok_or(Conflict::Stale(object))?;
                it.health = before.health.clone();
                update(&mut self.webhooks, &(ws, id), it, |it| it.version, object)
            }
            Row::Delivery(it) => {
                let (id, object) = (it.id, Object::Delivery(it.id));
                let queued = it.clone();
                update(&mut self.deliveries, &(ws, id), it, |it| it.version, object)?;
                self.queue_delivery(ws, &queued);
                Ok(())
            }
            Row::Broadcast(mut it) => {
                let (id, object) = (it.id, Object::Broadcast(it.id));
                it.targeted = self.broadcasts.get(&(ws, id)).map_or(0, |before| before.targeted);
                update(&mut self.broadcasts, &(ws, id), *it, |it| it.version, object)
            }
            Row::BulkOperation(it) => {
                let (id, object) = (it.id, Object::BulkOperation(it.id));
                update(&mut self.bulk_operations, &(ws, id), *it, |it| it.version, object)
            }
            Row::Import(it) => {
                let (id, object) = (it.id, Object::Import(it.id));
                update(&mut self.imports, &(ws, id), *it, |it| it.version, object)
            }
            Row::Stored(StoredRow::CustomField(it)) => {
                let before = self.tables.custom_fields.get(&(ws, it.id));
                let retired = before.map(|it| it.retired.clone()).unwrap_or_default();
                self.tables.update(ws, crate::fields::CustomField { retired, ..it }.into())
            }
            Row::Stored(it) => self.tables.update(ws, it),
            Row::Sequence(it) => {
                let (id, object) = (it.id, Object::Sequence(it.id));
                let before = self.sequences.get(&(ws, id)).filter(|before| before.deleted_at.is_none());
                before.ok_or(Conflict::Stale(object))?;
                update(&mut self.sequences, &(ws, id), *it, |it| it.version, object)
            }
            Row::Enrollment(it) => {
                let (id, object) = (it.id, Object::Enrollment(it.id));
                update(&mut self.enrollments, &(ws, id), *it, |it| it.version, object)
            }
            Row::User(it) => {
                self.email_free(&it)?;
                let (id, object) = (it.id, Object::User(it.id));
                update(&mut self.users, &id, it, |it| it.version, object)
            }
            Row::Member(it) => {
                let (user, object) = (it.user, Object::Member(it.user));
                update(&mut self.members, &(ws, user), it, |it| it.version, object)
            }
        }
    }
}

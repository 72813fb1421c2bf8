//! Erasure of contacts.

use async_trait::async_trait;

use crate::access::Access;
use crate::contacts::Contact;
use crate::conversations::MessageStatus;
use crate::erasures::{Erasure, ErasureChange};
use crate::events::erased;
use crate::flows::Run;
use crate::ids::{ContactId, DeliveryId, EventId, MessageId, TypedId, WorkspaceId};
use crate::memory::apply::{Applied, update};
use crate::memory::tables::pages::Answer;
use crate::memory::{MemoryStore, State};
use crate::ports::{ErasureQueries, Object};
use crate::time::Timestamp;
use crate::webhooks::DeliveryStatus;

impl State {
    pub(in crate::memory) fn change_erasures(&mut self, ws: WorkspaceId, change: ErasureChange) -> Applied {
        match change {
            ErasureChange::Begin { contact, erasure } => self.begin_erasure(ws, *contact, erasure),
            ErasureChange::RemovePart { contact, limit, at } => {
                self.remove_part(ws, contact, limit as usize, at);
                Ok(())
            }
            ErasureChange::End { contact, at } => {
                if let Some(it) = self.erasures.get_mut(&(ws, contact)) {
                    it.erased_at = Some(at);
                }
                Ok(())
            }
        }
    }

    fn begin_erasure(&mut self, ws: WorkspaceId, contact: Contact, erasure: Erasure) -> Applied {
        let id = contact.id;
        update(&mut self.contacts, &(ws, id), contact, |it| it.version, Object::Contact(id))?;
        // A request that was not understood may be about the contact.
        let addresses = self.identities.remove(&(ws, id)).unwrap_or_default();
        self.unparsed.retain(|(of, _), request| {
            *of != ws || addresses.iter().all(|(identity, _)| identity.channel != request.channel)
        });
        self.links.retain(|(of, (carrier, _)), _| (*of, *carrier) != (ws, id));
        self.values.retain(|(of, (carrier, _)), _| (*of, *carrier) != (ws, id));
        let mut subjects = vec![id.uuid()];
        subjects.extend(self.conversations.values().filter(|it| it.contact == id).map(|it| it.id.uuid()));
        subjects.extend(self.messages.values().filter(|it| it.contact == id).map(|it| it.id.uuid()));
        subjects.extend(self.runs.values().filter(|it| it.contact == id).map(|it| it.id.uuid()));
        subjects.extend(self.enrollments.values().filter(|it| it.contact == id).map(|it| it.id.uuid()));
        subjects.extend(self.events.values().filter(|it| it.contact == Some(id)).map(|it| it.id.uuid()));
        self.jobs.retain(|_, job| {
            let columns = job.queued.job.columns();
            let is_about = subjects.contains(&columns.subject) || columns.lane.is_some_and(|it| subjects.contains(&it));
            job.workspace != ws || job.dead.is_none() || !is_about
        });
        self.erasures.insert((ws, id), erasure);
        Ok(())
    }

    fn remove_part(&mut self, ws: WorkspaceId, contact: ContactId, limit: usize, at: Timestamp) {
        for event in self.events_about(ws, contact).into_iter().take(limit) {
            self.erase_event(ws, event, at);
        }
        let said = self.messages.iter().filter(|((of, _), it)| *of == ws && it.contact == contact);
        let said: Vec<MessageId> = said.map(|((_, id), _)| *id).take(limit).collect();
        for message in said {
            self.messages.remove(&(ws, message));
        }
        let is_empty = |id| !self.messages.values().any(|message| message.conversation == Some(id));
        let over = self.conversations.iter().filter(|((of, _), it)| *of == ws && it.contact == contact);
        let emptied: Vec<_> = over.map(|(key, _)| *key).filter(|(_, id)| is_empty(*id)).collect();
        for key in emptied {
            self.conversations.remove(&key);
        }
        self.custom_events.retain(|(of, _), it| *of != ws || it.contact != contact);
        self.remove_media_of(ws, contact);
        for ((of, _), run) in &mut self.runs {
            if *of == ws && run.contact == contact && tells(run) {
                (run.vars, run.trace, run.event, run.error) = Default::default();
                run.updated_at = at;
                run.version += 1;
            }
        }
        for ((of, _), enrollment) in &mut self.enrollments {
            if *of == ws && enrollment.contact == contact {
                enrollment.error = None;
            }
        }
        self.answers.retain(|(of, _), answer| *of != ws || !answer.body.names(contact));
    }

    /// Returns the messages of the contact, or in its conversations, that are queued or being sent.
    fn unsent_with(&self, ws: WorkspaceId, contact: ContactId) -> impl Iterator<Item = MessageId> {
        let of_contact = self.conversations.iter().filter(move |((of, _), it)| *of == ws && it.contact == contact);
        let talks: Vec<_> = of_contact.map(|((_, id), _)| *id).collect();
        let unsent = self.messages.iter().filter(move |((of, _), it)| {
            let is_with = it.contact == contact || it.conversation.is_some_and(|id| talks.contains(&id));
            *of == ws && is_with && matches!(it.status, MessageStatus::Queued | MessageStatus::Sending)
        });
        unsent.map(|((_, id), _)| *id)
    }

    fn events_about(&self, ws: WorkspaceId, contact: ContactId) -> Vec<EventId> {
        let of_contact = self.events.iter().filter(|((of, _), it)| *of == ws && it.contact == Some(contact));
        of_contact.map(|((_, id), _)| *id).collect()
    }

    fn erase_event(&mut self, ws: WorkspaceId, event: EventId, at: Timestamp) {
        if let Some(it) = self.events.get_mut(&(ws, event)) {
            it.contact = None;
            it.full = erased(&it.thin);
            it.thin = it.full.clone();
            let left = it.full.len() + it.thin.len();
            self.add_written(left);
        }
        let of_event = self.deliveries.iter().filter(|((of, _), it)| *of == ws && it.event == event);
        let of_event: Vec<DeliveryId> = of_event.map(|((_, id), _)| *id).collect();
        for delivery in of_event {
            self.attempts.retain(|(of, (attempted, _)), _| (*of, *attempted) != (ws, delivery));
            let Some(it) = self.deliveries.get_mut(&(ws, delivery)) else { continue };
            it.last_error = None;
            if it.status == DeliveryStatus::Pending {
                (it.status, it.next_attempt_at) = (DeliveryStatus::Failed, None);
                it.updated_at = at.max(it.updated_at);
                it.version += 1;
            }
            let it = it.clone();
            self.queue_delivery(ws, &it);
        }
    }
}

/// Whether a run contains data of its contact.
fn tells(run: &Run) -> bool {
    !run.vars.is_empty() || !run.trace.is_empty() || run.event.is_some() || run.error.is_some()
}

#[async_trait]
impl ErasureQueries for MemoryStore {
    async fn get(&self, access: &Access, contact: ContactId) -> Answer<Option<Erasure>> {
        Ok(self.lock().erasures.get(&(access.workspace(), contact)).copied())
    }

    async fn is_left(&self, access: &Access, contact: ContactId) -> Answer<bool> {
        let (state, ws) = (self.lock(), access.workspace());
        Ok(!state.events_about(ws, contact).is_empty()
            || state.messages.iter().any(|((of, _), it)| *of == ws && it.contact == contact)
            || state.conversations.iter().any(|((of, _), it)| *of == ws && it.contact == contact)
            || state.has_media_of(ws, contact)
            || state.custom_events.iter().any(|((of, _), it)| *of == ws && it.contact == contact)
            || state.runs.iter().any(|((of, _), it)| *of == ws && it.contact == contact && tells(it))
            || state.enrollments.iter().any(|((of, _), it)| *of == ws && it.contact == contact && it.error.is_some())
            || state.answers.iter().any(|((of, _), it)| *of == ws && it.body.names(contact)))
    }

    async fn unsent(&self, access: &Access, contact: ContactId, limit: u32) -> Answer<Vec<MessageId>> {
        Ok(self.lock().unsent_with(access.workspace(), contact).take(limit as usize).collect())
    }
}

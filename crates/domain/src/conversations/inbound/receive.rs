//! The change set of an inbound message: its contact, its conversation, an opt-out, and the job that routes it.

use super::super::fetch::promise_files;
use super::super::received::InboundMessage;
use super::super::received_files::{NewFile, attach_files};
use super::super::{Conversation, Direction, Message, MessageStatus, MessageView, StatusChange};
use super::opt_out::{is_before_opt_out, unsubscribed_event};
use super::sender::{clear_undeliverable, last_used_address, mark_aliases, respell, used_addresses};
use super::{Author, InboundService, Wish};
use crate::access::{Access, Actor};
use crate::channels::Channel;
use crate::contacts::{ContactView, Identity, IdentityOptOut, OptOutSource, previous_attributes};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ContactId, ConversationId, JobId, MessageId, TypedId};
use crate::opt_outs::{OptOuts, freed, lifted, marks, new_marks, silence};
use crate::outcome::Done;
use crate::ports::{Change, ChangeSet, ClaimedJob, ContactChange, ConversationChange, Guard, Job, NewJob, Object, Row};
use crate::retry::AttemptError;
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

impl InboundService {
    /// Stores a message with its immediate effects, unless it is known.
    pub(super) async fn try_receive(
        &self,
        access: &Access,
        channel: &Channel,
        (inbound, author, files): (&InboundMessage, Author<'_>, &[NewFile]),
        job: Option<&ClaimedJob>,
    ) -> Result<Done<Message>, AttemptError> {
        let known = self.known(access, channel, inbound).await?;
        let mut set = ChangeSet::new(access.workspace());
        set.changes.extend(job.map(ClaimedJob::finish));
        if let Some(message) = known {
            if job.is_some() {
                ignore_lost_claim(self.ports.ledger.commit(set).await)?;
            }
            return Ok(Done::unchanged(message));
        }
        let now = self.ports.clock.now();
        let by_contact_id = self.ports.connectors.addresses_by_contact_id(channel.kind);
        let sender = self.sender(access, channel, inbound).await?;
        let (mut contact, is_new) = match sender {
            Some(contact) => (contact, false),
            // On such a channel the sender states the ID of a contact, so an unknown ID is an error of the sender.
            None if by_contact_id && inbound.address.parse::<ContactId>().is_ok() => {
                return Err(
                    Error::invalid("/contact", "unknown_contact", "no contact in this workspace has this ID").into()
                );
            }
            None => (self.stranger(channel, inbound), true),
        };
        let access = access.acting_as(Actor::contact(contact.id));
        let before = contact.clone();
        let has_address = !is_new && contact.identity(channel.id).is_some();
        let is_respelled = respell(&mut contact, channel.id, inbound);
        let added = match by_contact_id {
            true if has_address => Vec::new(),
            true => vec![contact.id.to_string()],
            false => {
                let new = self.new_addresses(&access, channel, inbound, &contact).await?;
                let used = used_addresses(&contact, channel.id, inbound);
                contact.make_room(channel.id, new, &used)
            }
        };
        let is_shortened = contact.identities.len() < before.identities.len();
        let known = contact.identity(channel.id).cloned();
        for address in added {
            let mut identity = Identity::new(channel.id, address, now);
            if let Some(known) = &known {
                identity.copy_consent(known);
            }
            contact.identities.push(identity);
        }
        mark_aliases(&mut contact, channel.id, inbound);
        let is_reachable_again = clear_undeliverable(&mut contact, channel.id, inbound);
        let profile = self.free_profile(&access, &inbound.profile, &contact).await?;
        let is_filled = profile.fill(&mut contact);
        let opt_outs = OptOuts { ports: &self.ports, access: &access };
        // Identifiers that are new to the contact may have belonged to one who opted out.
        let unchecked = if is_new { marks(&contact) } else { new_marks(&before, &contact) };
        let opted_out = if unchecked.is_empty() { None } else { Some(opt_outs.among(unchecked).await?) };
        if let Some(found) = &opted_out {
            silence(&mut contact, &found.marks);
        }
        if is_respelled {
            opt_outs.remember(freed(&before, &contact), &mut set).await?;
        }
        let is_rewritten = is_shortened || before.identities.iter().zip(&contact.identities).any(|(was, is)| was != is);
        let before_wish = contact.clone();
        let conversation =
            if is_new { None } else { self.ports.conversations.between(&access, contact.id, channel.id).await? };
        let pressed = match (author, &conversation) {
            (Author::Person(Some(button)), Some(talk)) => self.pressed(&access, channel, (talk, button)).await?,
            (Author::Person(_) | Author::OptingOut | Author::Program, _) => None,
        };
        let mut content = inbound.content.clone();
        if let Some(choice) = &pressed {
            content.text = Some(choice.title.clone());
        }
        let place = (&contact, channel.id, conversation.as_ref());
        let wish = match author {
            Author::Person(_) if self.ports.connectors.hears_opt_out_words(channel.kind) => {
                self.words.wish(&self.ports, &access, place, &content).await?
            }
            Author::OptingOut => Wish::Leave,
            Author::Person(_) | Author::Program => Wish::Talk,
        };
        // The sender can write any time into a mail.
        let sent_at = inbound.sent_at.filter(|at| *at >= Timestamp::from_millis(0)).map(|at| at.min(now));
        let may_return = inbound.is_verified && !is_before_opt_out(&contact, channel.id, sent_at);
        let wish = if wish == Wish::Return && !may_return { Wish::Talk } else { wish };
        let choice = match &conversation {
            Some(talk) if matches!(author, Author::Person(_)) && wish == Wish::Talk => match pressed {
                Some(pressed) => Some(pressed),
                None => self.choice(&access, talk, &content, now).await?,
            },
            Some(_) | None => None,
        };
        let answered = if is_new { None } else { self.answered(&access, channel, (&contact, inbound)).await? };
        let (reply_to, answered_thread) = answered.map(|it| (it.id, it.thread_of_answers())).unzip();
        let source = match author {
            Author::OptingOut => OptOutSource::Provider,
            Author::Person(_) | Author::Program => OptOutSource::Keyword,
        };
        for identity in contact.identities.iter_mut().filter(|identity| identity.channel == channel.id) {
            match wish {
                Wish::Leave => identity.opt_out_by(Some(IdentityOptOut { source, at: sent_at.unwrap_or(now) })),
                Wish::Return => identity.opt_in(),
                Wish::Talk => {}
            }
        }
        let confirmation = match (wish, author) {
            (Wish::Leave, Author::Person(_)) => {
                self.confirmation(channel, (&contact, conversation.as_ref()), &inbound.content, now)
            }
            (Wish::Leave | Wish::Return | Wish::Talk, _) => None,
        };
        let confirmed_at = confirmation.as_ref().map(|_| now);
        let changed = contact.identities != before.identities;
        let is_switched =
            before.identities.iter().zip(&contact.identities).any(|(was, is)| was.opted_in != is.opted_in);
        let has_other_source =
            before.identities.iter().zip(&contact.identities).any(|(was, is)| was.opt_out != is.opt_out);
        if is_new {
            set.change(Change::Insert(Row::Contact(Box::new(contact.clone()))));
        } else {
            set.guard(Guard::Version(Object::Contact(contact.id), contact.version));
            if changed || is_filled {
                contact.touch(now);
                set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
            }
        }
        if is_rewritten || is_switched || has_other_source {
            let (contact, identities) = (contact.id, contact.identities.clone());
            set.change(Change::Contact(ContactChange::ReplaceIdentities { contact, identities }));
        } else {
            for identity in contact.identities.iter().skip(before.identities.len()).cloned() {
                set.change(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity }));
            }
        }
        if let Some(found) = opted_out {
            found.require(&mut set);
        }
        if wish == Wish::Return {
            opt_outs.lift(lifted(&before_wish, &contact), &mut set).await?;
        }
        let view = ContactView::from(&contact);
        if is_new {
            let event = EventDraft::new(EventKind::ContactCreated, &view);
            self.ports.add_event(event.about(contact.id), &access, &mut set);
        }

        let window_expires_at = self.ports.connectors.reply_window(channel.kind).map(|window| now.plus(window));
        let reply_address = last_used_address(&contact, channel.id, inbound);
        let conversation = match conversation {
            Some(mut conversation) => {
                conversation.hear(now);
                conversation.window_expires_at = window_expires_at;
                conversation.reply_address = reply_address;
                conversation.opt_out_confirmed_at = confirmed_at.or(conversation.opt_out_confirmed_at);
                set.change(Change::Update(Row::Conversation(conversation.clone())));
                conversation
            }
            None => {
                let id = ConversationId::from_uuid(self.ports.ids.next());
                let mut opened = Conversation::new(id, contact.id, channel.id, now);
                opened.hear(now);
                opened.window_expires_at = window_expires_at;
                opened.reply_address = reply_address;
                opened.opt_out_confirmed_at = confirmed_at;
                opened.version = 1;
                opened.tell_created(&mut set, &access, &*self.ports.clock, &*self.ports.ids);
                opened
            }
        };
        let (id, status) = (MessageId::from_uuid(self.ports.ids.next()), MessageStatus::Received);
        let sender = access.actor().clone();
        set.jobs.extend(promise_files(&mut content, (id, channel.id), now, &*self.ports.ids));
        attach_files(&mut set, &mut content, files, contact.id);
        let mut message = Message {
            conversation: Some(conversation.id),
            direction: Direction::Inbound,
            status,
            history: vec![StatusChange { status, at: now }],
            provider_message_id: Some(inbound.id.clone()),
            address: conversation.reply_address.clone(),
            is_automatic: author == Author::Program,
            is_unverified: !inbound.is_verified,
            referral: inbound.referral.clone(),
            choice,
            reply_to,
            sent_at,
            ..Message::queued(id, (contact.id, channel.id), content, sender, now)
        };
        if self.ports.connectors.shows_threads(channel.kind) {
            message.thread = Some(answered_thread.unwrap_or_else(|| message.new_thread()));
        }
        set.change(Change::Insert(Row::Message(Box::new(message.clone()))));
        set.change(Change::Conversation(ConversationChange::Touch { conversation: conversation.id, at: now }));
        set.change(Change::Contact(ContactChange::Touch { contact: contact.id, at: now }));
        let event = EventDraft::new(EventKind::MessageReceived, &MessageView::from(&message)).with("contact", &view);
        self.ports.add_event(event.about(contact.id), &access, &mut set);
        match wish {
            Wish::Talk if author == Author::Program => {}
            Wish::Talk => {
                let job = JobId::from_uuid(self.ports.ids.next());
                let route = Job::RouteInbound { message: message.id, contact: contact.id };
                set.jobs.push(NewJob::new(job, route, now));
            }
            Wish::Leave if is_switched || !has_address => {
                self.ports.add_event(unsubscribed_event(&contact, (channel.id, source)), &access, &mut set);
            }
            Wish::Leave | Wish::Return => {}
        }
        if !is_new && (wish == Wish::Return || is_filled || is_reachable_again) {
            let mut previous = previous_attributes(&ContactView::from(&before), &view);
            if wish != Wish::Return && !is_reachable_again {
                previous.remove("identities");
            }
            let event = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
            self.ports.add_event(event.about(contact.id), &access, &mut set);
        }
        if let Some(content) = confirmation {
            self.add_confirmation(&mut set, content, &conversation, (access.depth(), now));
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(Done::accepted(message))
    }
}

//! Helpers that create flows, contacts and their messages in the memory store.

use serde_json::Value;

use crate::contacts::Contact;
use crate::conversations::{Content, Conversation, Direction, Message, MessageStatus, Referral};
use crate::flows::RunFilter;
use crate::ids::{ConversationId, FlowId, JobId, MessageId, TypedId};
use crate::ports::{Change, ChangeSet, ChannelQueries, ConversationQueries, Job, Ledger, NewJob, Row};
use crate::work::tests::*;

impl Bench {
    pub(in crate::work::tests) fn flow(&self, name: &str, definition: Value) -> FlowId {
        let flow = NewFlow { name: name.into(), definition };
        let flow = block_on(self.tidings.flows.create(&self.access, flow, None)).unwrap().value;
        let published = self.tidings.flows.publish(&self.access, flow.id, InFlight::Pin, &ExpectedVersion::Any, None);
        block_on(published).unwrap_or_else(|error| panic!("{error:?}"));
        self.clock.set(self.clock.now().plus(Duration::from_millis(1)));
        flow.id
    }

    pub(in crate::work::tests) fn contact(&self) -> Contact {
        block_on(self.tidings.contacts.create(&self.access, NewContact::default(), None)).unwrap().value
    }

    pub(in crate::work::tests) fn start(&self, flow: FlowId, contact: &Contact) -> Result<crate::flows::Run, Error> {
        let start = StartFlow { flow, vars: Map::new(), mode: None };
        block_on(self.tidings.flows.start(&self.access, &ContactRef::Id(contact.id), start, None))
            .map(|done| done.value)
    }

    /// Stores a message of the contact, with the job that routes it.
    pub(in crate::work::tests) fn hears(&self, contact: &Contact, text: &str) -> MessageId {
        self.hears_through(contact, text, None)
    }

    /// Stores a message that the contact wrote through a start link with this reference.
    pub(super) fn hears_through(&self, contact: &Contact, text: &str, reference: Option<&str>) -> MessageId {
        let access = &self.access;
        let channel = block_on(self.store.default_channel(access)).unwrap().unwrap();
        let known = block_on(self.store.between(access, contact.id, channel.id)).unwrap();
        let mut set = ChangeSet::new(access.workspace());
        let now = self.clock.now();
        let ids = &self.tidings.ports.ids;
        let conversation = known.unwrap_or_else(|| {
            let opened = Conversation::new(ConversationId::from_uuid(ids.next()), contact.id, channel.id, now);
            set.change(Change::Insert(Row::Conversation(opened.clone())));
            opened
        });
        let (id, sender) = (MessageId::from_uuid(ids.next()), crate::access::Actor::contact(contact.id));
        let message = Message {
            conversation: Some(conversation.id),
            direction: Direction::Inbound,
            status: MessageStatus::Received,
            history: vec![],
            referral: reference.map(|reference| Referral::of("start_link", reference)),
            ..Message::queued(id, (contact.id, channel.id), Content::text(text), sender, now)
        };
        set.change(Change::Insert(Row::Message(Box::new(message))));
        let route = Job::RouteInbound { message: id, contact: contact.id };
        set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), route, now));
        block_on(self.store.commit(set)).unwrap();
        id
    }

    /// Runs all due jobs of the work pool, and those that they make due.
    pub(in crate::work::tests) fn finish_due_work(&self) {
        for _ in 0..1_000 {
            let due = self.claimed();
            if due.is_empty() {
                return;
            }
            for job in due {
                block_on(self.tidings.worker.perform(&job)).unwrap_or_else(|error| panic!("{job:?}: {error:?}"));
            }
        }
        panic!("due work does not end");
    }

    pub(in crate::work::tests) fn claimed(&self) -> Vec<ClaimedJob> {
        let lease = Duration::from_secs(30);
        let request = ClaimRequest::new(Pool::Work, 100, lease, self.clock.now());
        block_on(self.store.claim(request)).unwrap()
    }

    pub(in crate::work::tests) fn runs(&self) -> Vec<crate::flows::Run> {
        let mut runs =
            block_on(self.tidings.flows.runs(&self.access, &RunFilter::default(), Default::default())).unwrap().items;
        runs.reverse();
        runs
    }

    pub(in crate::work::tests) fn texts(&self, contact: &Contact) -> Vec<String> {
        let channel = block_on(self.store.default_channel(&self.access)).unwrap().unwrap();
        let conversation = block_on(self.store.between(&self.access, contact.id, channel.id)).unwrap().unwrap();
        let page = crate::pagination::PageRequest { limit: 100, ..Default::default() };
        let list = block_on(self.store.messages(&self.access, conversation.id, page)).unwrap().items;
        let sent = list.into_iter().rev().filter(|message| message.direction == Direction::Outbound);
        sent.filter_map(|message| message.content.text).collect()
    }
}

fn say(id: &str, text: &str) -> Value {
    json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": "end"})
}

pub(super) fn asking() -> Value {
    json!({"start": "ask", "nodes": [
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Your e-mail?"}, "expect": "email",
         "save_to": "contact.email", "timeout": "PT1H", "attempts": 2, "next": "thanks", "on_timeout": "late", "on_invalid": "late"},
        say("thanks", "Thanks"), say("late", "Another time"), {"id": "end", "type": "end"}]})
}

pub(in crate::work::tests) fn answering(triggers: Value, text: &str) -> Value {
    json!({"triggers": triggers, "start": "say", "nodes": [say("say", text), {"id": "end", "type": "end"}]})
}

pub(super) fn keyword(how: &str, word: &str) -> Value {
    json!([{"type": "keyword", "match": how, "keywords": [word]}])
}

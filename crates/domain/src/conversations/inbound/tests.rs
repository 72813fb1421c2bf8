//! Inbound messages over the in-memory store.

mod answered;
mod choices;
mod confirmations;
mod emails;
mod marketing;
mod numbers;
mod opt_outs;
mod reports;
mod revise;
mod threads;
mod unsubscribe;

use std::sync::Arc;

use futures::executor::block_on;

use super::*;
use crate::access::Actor;
use crate::channels::{ChannelKind, ChannelType, Connectors, SANDBOX, SendOutcome};
use crate::contacts::{Contact, ContactRef, ContactService, ContactView, IdentityOptOut, NewContact, OptOutSource};
use crate::conversations::{
    Content, Conversation, ConversationStatus, MessageError, MessageSender, MessageStatus, MessageView, Profile,
    Report, StatusReport, Suppression,
};
use crate::events::EventKind;
use crate::ids::{ChannelId, ContactId, MessageId, TypedId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::Outcome;
use crate::ports::{Change, ChangeSet, ClaimRequest, ClaimedJob, EngineStore, Job, JobKind, Pool, Row};
use crate::testing::{an_inbound_message, new_workspace};
use crate::time::Timestamp;

struct Bench {
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    ports: Arc<Ports>,
    inbound: InboundService,
    access: Access,
    channel: Channel,
}

/// A workspace with its sandbox channel.
fn bench() -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let ports = Arc::new(Ports { clock: clock.clone(), ..Ports::of(store.clone()) });
    let access = new_workspace(&ports);
    let channel = block_on(ports.channels.default_channel(&access)).unwrap().unwrap();
    let inbound = InboundService { ports: ports.clone(), words: OptOutWords::default() };
    Bench { store, clock, ports, inbound, access, channel }
}

impl Bench {
    fn say(&self, id: &str, from: &str, text: &str) -> Done<Message> {
        let message =
            InboundMessage { name: Some(" Ada ".to_owned()), ..an_inbound_message(id, from, Content::text(text)) };
        block_on(self.inbound.receive(&self.access, &self.channel, message)).unwrap()
    }

    fn event_kinds(&self) -> Vec<&'static str> {
        self.store.events(self.access.workspace()).iter().map(|event| event.kind.as_str()).collect()
    }

    fn contact(&self, id: ContactId) -> Contact {
        block_on(self.ports.contacts.find_even_deleted(&self.access, id)).unwrap().unwrap()
    }

    fn conversation(&self, of: &Message) -> Conversation {
        block_on(self.ports.conversations.get(&self.access, of.conversation.unwrap())).unwrap().unwrap()
    }

    fn claim(&self, pool: Pool, kind: JobKind) -> Vec<ClaimedJob> {
        let lease = std::time::Duration::from_secs(30);
        let request = ClaimRequest::new(pool, 100, lease, self.clock.at_rest());
        block_on(self.store.claim(request)).unwrap().into_iter().filter(|job| job.job.kind() == kind).collect()
    }
}

#[test]
fn a_first_message_creates_the_contact_and_the_conversation() {
    let bench = bench();
    let first = bench.say("m1", "crm-7", "Hello");
    assert_eq!(first.outcome, Outcome::Accepted);
    assert_eq!(bench.event_kinds(), ["contact.created", "conversation.created", "message.received"]);
    let contact = bench.contact(first.value.contact);
    assert_eq!(contact.name().as_deref(), Some("Ada"));
    assert_eq!(contact.external_id.map(|id| id.to_string()).as_deref(), Some("crm-7"));
    let again = bench.say("m1", "crm-7", "Hello");
    assert_eq!((again.outcome, again.value.id), (Outcome::Unchanged, first.value.id));
    let second = bench.say("m2", "crm-7", "Are you there?");
    assert_eq!((second.value.contact, second.value.conversation), (first.value.contact, first.value.conversation));
    let conversation = bench.conversation(&first.value);
    assert_eq!((conversation.status, conversation.unread_count), (ConversationStatus::Pending, 2));
    assert_eq!(bench.event_kinds().len(), 4);
    assert_eq!(bench.claim(Pool::Work, JobKind::RouteInbound).len(), 1, "the second message waits for the first");
}

#[test]
fn rejects_an_unknown_contact_id_on_a_sandbox() {
    let bench = bench();
    let message = an_inbound_message("m1", ContactId::from_uuid(uuid::Uuid::nil()).to_string(), Content::text("hello"));
    let refused = block_on(bench.inbound.receive(&bench.access, &bench.channel, message)).unwrap_err();
    let Error::Invalid(violations) = refused else { panic!("{refused:?}") };
    assert_eq!((violations[0].pointer.as_str(), violations[0].code), ("/contact", "unknown_contact"));
    assert_eq!(bench.event_kinds(), [] as [&str; 0]);
}

/// A provider with a fixed outcome, which is not idempotent.
struct Provider(SendOutcome);

#[async_trait::async_trait]
impl crate::channels::Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    async fn send(&self, _: crate::channels::Outbound) -> SendOutcome {
        self.0.clone()
    }
}

impl Bench {
    fn sender(&self, outcome: SendOutcome) -> MessageSender {
        let ports = Ports { connectors: Connectors::one(Arc::new(Provider(outcome))), ..Ports::clone(&self.ports) };
        MessageSender { ports: Arc::new(ports) }
    }

    /// Queues a message to a new contact.
    fn queue(&self) -> MessageId {
        let contacts = ContactService { ports: self.ports.clone() };
        let contact = block_on(contacts.create(&self.access, NewContact::default(), None)).unwrap().value;
        let mut set = ChangeSet::new(self.access.workspace());
        let to = super::super::Recipient { contact: &contact, channel: &self.channel, conversation: None };
        let sent = to.add_message(&mut set, Content::text("Hi"), &self.access, &*self.clock, &*self.ports.ids);
        block_on(self.ports.ledger.commit(set)).unwrap();
        sent.message.id
    }

    fn send(&self, outcome: SendOutcome) {
        let [job] = self.claim(Pool::Sends, JobKind::SendMessage).try_into().expect("exactly one job is claimed");
        let Job::SendMessage { message, depth, .. } = job.job else { panic!("{job:?}") };
        block_on(self.sender(outcome).send(&self.access, &job, message, depth)).unwrap();
    }

    fn message(&self, id: MessageId) -> Message {
        block_on(self.ports.conversations.message(&self.access, id)).unwrap().unwrap()
    }

    fn report(&self, name: &str, report: Report) -> Result<Outcome, Error> {
        let report = StatusReport { provider_message_id: name.to_owned(), part: None, report };
        block_on(self.inbound.report(&self.access, &self.channel, &report)).map(|done| done.outcome)
    }
}

fn accepted(name: &str) -> SendOutcome {
    SendOutcome::Accepted { provider_message_id: Some(name.to_owned()) }
}

#[test]
fn a_message_of_a_program_starts_nothing() {
    let bench = bench();
    let away = |id: &str, text: &str| {
        let message = an_inbound_message(id, "crm-7", Content::text(text));
        block_on(bench.inbound.receive_automatic(&bench.access, &bench.channel, message)).unwrap()
    };
    let first = away("m1", "STOP");
    assert_eq!((first.outcome, away("m1", "STOP").outcome), (Outcome::Accepted, Outcome::Unchanged));
    assert!(first.value.is_automatic && MessageView::from(&first.value).auto);
    assert!(bench.contact(first.value.contact).identities[0].opted_in, "a program cannot opt the contact out");
    assert_eq!(bench.event_kinds(), ["contact.created", "conversation.created", "message.received"]);
    let events = bench.store.events(bench.access.workspace());
    assert!(events.iter().all(|event| event.depth == crate::access::NO_AUTOMATION), "no flow may react");
    assert!(bench.claim(Pool::Work, JobKind::RouteInbound).is_empty());
    assert_eq!(bench.conversation(&first.value).unread_count, 1);
    assert!(!bench.say("m2", "crm-7", "Hello").value.is_automatic);
}

#[test]
fn keeps_the_time_of_the_provider_up_to_the_arrival() {
    let bench = bench();
    let now = bench.clock.at_rest();
    let minute = std::time::Duration::from_secs(60);
    let sent_at = |id: &str, sent_at: Option<Timestamp>| {
        let message = InboundMessage { sent_at, ..an_inbound_message(id, "crm-7", Content::text("Hello")) };
        let stored = block_on(bench.inbound.receive(&bench.access, &bench.channel, message)).unwrap().value;
        MessageView::from(&bench.message(stored.id)).sent_at
    };
    assert_eq!(sent_at("m1", Some(now.minus(minute))), Some(now.minus(minute)));
    assert_eq!(sent_at("m2", Some(now.plus(minute))), Some(now), "a clock of a sender is fast");
    assert_eq!((sent_at("m3", Some(Timestamp::from_millis(i64::MIN))), sent_at("m4", None)), (None, None));
    let answer = bench.queue();
    assert_eq!(MessageView::from(&bench.message(answer)).sent_at, None);
}

#[test]
fn a_profile_fills_empty_attributes() {
    let bench = bench();
    let says = |id: &str, last_name: &str| {
        let profile = Profile {
            first_name: Some("Augusta".to_owned()),
            last_name: Some(last_name.to_owned()),
            locale: "de".parse().ok(),
            ..Profile::default()
        };
        let message = InboundMessage { profile, ..an_inbound_message(id, "crm-7", Content::text("Hello")) };
        block_on(bench.inbound.receive(&bench.access, &bench.channel, message)).unwrap().value
    };
    bench.say("m1", "crm-7", "Hello");
    let contact = bench.contact(says("m2", "King").contact);
    assert_eq!((contact.first_name.as_deref(), contact.last_name.as_deref()), (Some("Ada"), Some("King")));
    assert_eq!(contact.locale.as_ref().map(ToString::to_string).as_deref(), Some("de"));
    assert_eq!(bench.event_kinds().last(), Some(&"contact.updated"));
    let version = contact.version;
    assert_eq!(bench.contact(says("m3", "Byron").contact).version, version);
    assert_eq!(bench.event_kinds().last(), Some(&"message.received"));
}

#[test]
fn a_vouched_number_or_email_address_identifies_the_sender() {
    let bench = bench();
    let id = ChannelId::from_uuid(uuid::Uuid::from_u128(9));
    let channel = Channel { id, kind: ChannelKind::Http, is_default: false, ..bench.channel.clone() };
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Insert(Row::Channel(channel.clone())));
    block_on(bench.ports.ledger.commit(set)).unwrap();
    let writes = |id: &str, address: &str, vouched: &str| {
        let profile = Profile { phone: vouched.parse().ok(), email: vouched.parse().ok(), ..Profile::default() };
        let message = InboundMessage { profile, ..an_inbound_message(id, address, Content::text("Hello")) };
        let message = block_on(bench.inbound.receive(&bench.access, &channel, message)).unwrap().value;
        bench.contact(message.contact)
    };
    let phone = |contact: &Contact| contact.phone.as_ref().map(ToString::to_string);
    let stranger = writes("m1", "one", "+49301234567");
    assert_eq!(phone(&stranger).as_deref(), Some("+49301234567"));
    let contacts = ContactService { ports: bench.ports.clone() };
    let new = NewContact { phone: "+49307654321".parse().ok(), ..NewContact::default() };
    let known = block_on(contacts.create(&bench.access, new, None)).unwrap().value;
    let sender = writes("m2", "two", "+49307654321");
    assert_eq!(sender.id, known.id);
    assert_eq!(sender.identity(channel.id).map(|it| it.address.as_str()), Some("two"));
    let other = writes("m3", "three", "+49307654321");
    assert_ne!(other.id, known.id, "a reply to the known contact would be sent to its own address");
    assert_eq!(phone(&other), None);

    let new = NewContact { email: "ada@example.com".parse().ok(), ..NewContact::default() };
    let known = block_on(contacts.create(&bench.access, new, None)).unwrap().value;
    assert_eq!(writes("m4", "ada@example.com", "ada@example.com").id, known.id);
    let other = writes("m5", "ada@example.org", "ada@example.com");
    assert_eq!((other.id == known.id, other.email), (false, None), "the known contact has its own address");
    let stranger = writes("m6", "eve@example.com", "eve@example.com");
    assert_eq!(stranger.email.as_ref().map(|email| email.as_str()), Some("eve@example.com"));
}

#[test]
fn members_assign_snooze_resolve_and_reopen_a_conversation() {
    use crate::access::Role;
    use crate::conversations::{ConversationService, Handler};
    use crate::ids::UserId;
    use crate::outcome::ExpectedVersion;
    use crate::ports::MockMemberQueries;

    let bench = bench();
    let message = bench.say("m1", "crm-7", "Hello").value;
    let user = UserId::from_uuid(uuid::Uuid::from_u128(1));
    let mut members = MockMemberQueries::new();
    let viewer = UserId::from_uuid(uuid::Uuid::from_u128(3));
    let role = move |asked| [(user, Role::Member), (viewer, Role::Viewer)].into_iter().find(|(id, _)| *id == asked);
    members.expect_role().returning(move |_, asked| Ok(role(asked).map(|(_, role)| role)));
    let ports = Ports { members: Arc::new(members), ..Ports::clone(&bench.ports) };
    let service = ConversationService { ports: Arc::new(ports) };
    let (id, any) = (message.conversation.unwrap(), ExpectedVersion::Any);
    let assign = |whom| block_on(service.assign(&bench.access, id, whom, &any, None));
    let stranger = UserId::from_uuid(uuid::Uuid::from_u128(2));
    assert!(matches!(assign(Some(stranger)), Err(Error::Invalid(wrong)) if wrong[0].code == "unknown_member"));
    assert!(matches!(assign(Some(viewer)), Err(Error::Invalid(wrong)) if wrong[0].code == "not_assignable"));
    let outcomes = [assign(Some(user)), assign(Some(user))].map(|done| done.map(|done| done.outcome));
    assert_eq!(outcomes, [Ok(Outcome::Changed), Ok(Outcome::Unchanged)]);
    assert_eq!(bench.conversation(&message).handler, Handler::Human);
    assert_eq!(bench.event_kinds()[3..], ["conversation.assigned"]);

    let until = bench.clock.at_rest().plus(std::time::Duration::from_secs(60));
    let past = block_on(service.snooze(&bench.access, id, bench.clock.at_rest(), &any, None));
    assert!(matches!(past, Err(Error::Invalid(_))));
    block_on(service.snooze(&bench.access, id, until, &any, None)).unwrap();
    bench.clock.set(until);
    let [job] = bench.claim(Pool::Work, JobKind::WakeConversation).try_into().expect("exactly one job is claimed");
    let waker = crate::conversations::ConversationWaker { ports: bench.ports.clone() };
    block_on(waker.wake(&bench.access, &job, TypedId::from_uuid(job.job.columns().subject))).unwrap();
    assert_eq!(bench.conversation(&message).status, ConversationStatus::Open);

    for outcome in [Outcome::Changed, Outcome::Unchanged] {
        assert_eq!(block_on(service.resolve(&bench.access, id, &any, None)).unwrap().outcome, outcome);
    }
    assert_eq!(bench.event_kinds()[4..], ["conversation.resolved"]);
    let snoozed =
        block_on(service.snooze(&bench.access, id, until.plus(std::time::Duration::from_secs(9)), &any, None));
    assert_eq!(snoozed, Err(Error::ConversationResolved));
    let as_user = bench.access.acting_as(Actor::user(user));
    block_on(service.write(&as_user, id, (Content::text("I am back"), None), None)).unwrap();
    let conversation = bench.conversation(&message);
    assert_eq!((conversation.status, conversation.handler), (ConversationStatus::Open, Handler::Human));
    assert_eq!((conversation.reopen_count, conversation.unread_count), (1, 0));
}

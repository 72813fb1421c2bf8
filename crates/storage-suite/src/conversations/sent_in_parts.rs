//! Messages that are sent in several parts: the stored state after each call, and the first part of a later try.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tidings_domain::channels::{
    Channel, ChannelType, Connector, Connectors, Outbound, RetryScope, SANDBOX, SendOutcome,
};
use tidings_domain::contacts::Contact;
use tidings_domain::conversations::{
    Content, InboundService, Message, MessageSender, MessageStatus, OptOutWords, Report, StatusReport,
};
use tidings_domain::ids::MessageId;
use tidings_domain::memory::FixedClock;
use tidings_domain::outcome::Outcome;
use tidings_domain::ports::{Change, ClaimRequest, ClaimedJob, ContactChange, Job, NewJob, Object, Pool, Row};

use crate::Ports;
use crate::fixtures::{NOW, World, a_message, at, id};
use crate::jobs::request;

/// The indexes of the parts of all calls.
type Called = Arc<Mutex<Vec<usize>>>;

/// The event at the second of three parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Second {
    /// The provider accepts it.
    Accepted,
    /// The provider refuses it for now.
    Refused,
    /// The process dies before its call begins.
    DiesBefore,
    /// The process dies during its call.
    DiesDuring,
    /// The contact opts out before its call begins.
    OptedOut,
}

/// A provider that takes each text in three parts. The ID of a part is `p` and its index.
struct Provider {
    second: Second,
    called: Called,
    world: World,
    contact: Contact,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn plan(&self, _: &Channel, _: &Content) -> Vec<Content> {
        let is_first = self.called.lock().unwrap().is_empty();
        assert!(is_first || self.second != Second::DiesBefore, "the process dies");
        ["one", "two", "three"].map(Content::text).to_vec()
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        let part = message.context.part;
        self.called.lock().unwrap().push(part);
        match (part, self.second) {
            (1, Second::Refused) => {
                return SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: "busy".into() };
            }
            (1, Second::DiesDuring) => panic!("the process dies"),
            (0, Second::OptedOut) => {
                let (contact, channel) = (self.contact.id, self.world.channel.id);
                let opt_out = ContactChange::SetOptIn { contact, channel, opted_in: false };
                self.world.add(Change::Contact(opt_out)).await;
            }
            (_, Second::Accepted | Second::Refused | Second::DiesBefore | Second::DiesDuring | Second::OptedOut) => {}
        }
        SendOutcome::Accepted { provider_message_id: Some(format!("p{part}")) }
    }
}

/// A queued message to a new contact.
struct Story {
    world: World,
    contact: Contact,
    message: MessageId,
    called: Called,
}

impl Story {
    async fn begin(store: &Ports) -> Self {
        let world = World::new(store).await;
        let contact = world.contact().await;
        let identity = world.identity("ada");
        world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity })).await;
        let message = a_message(&world.conversation(&contact).await);
        let send =
            Job::SendMessage { message: message.id, conversation: message.conversation, channel: None, depth: 0 };
        let (message, row) = (message.id, Change::Insert(Row::Message(Box::new(message))));
        let commit = world.commit(|set| {
            set.change(row);
            set.jobs.push(NewJob::new(id(), send, NOW));
        });
        commit.await.unwrap();
        Self { world, contact, message, called: Called::default() }
    }

    /// Claims the job of the message a minute later.
    async fn claim(&self) -> Option<ClaimedJob> {
        let later = ClaimRequest { now: at(60), ..request(Pool::Sends, 10) };
        self.world.ports.engine.claim(later).await.unwrap().pop()
    }

    /// Sends the message in a process, and returns whether it survives.
    async fn send(&self, second: Second) -> bool {
        let job = self.claim().await.expect("the message is due");
        let (world, contact, called) = (self.world.clone(), self.contact.clone(), self.called.clone());
        let provider = Provider { second, called, world, contact };
        let clock = Arc::new(FixedClock::at(NOW));
        let ports = Ports { connectors: Connectors::one(Arc::new(provider)), clock, ..self.world.ports.clone() };
        let sender = MessageSender { ports: Arc::new(ports) };
        let (access, message, held) = (self.world.access.clone(), self.message, job.held_claim());
        let process = tokio::spawn(async move { sender.send(&access, &job, message, 0).await.unwrap() });
        let survives = process.await.is_ok();
        if !survives {
            self.world.ports.engine.extend(vec![held], Duration::ZERO, NOW).await.unwrap();
        }
        survives
    }

    async fn report(&self, name: &str, report: Report) -> Outcome {
        let inbound = InboundService { ports: Arc::new(self.world.ports.clone()), words: OptOutWords::default() };
        let report = StatusReport { provider_message_id: name.to_owned(), part: None, report };
        inbound.report(&self.world.access, &self.world.channel, &report).await.unwrap().outcome
    }

    async fn read(&self) -> Message {
        self.world.ports.conversations.message(&self.world.access, self.message).await.unwrap().unwrap()
    }

    /// Returns the message with a part, other than the last one, that has this ID.
    async fn with_part(&self, name: &str) -> Option<Message> {
        let conversations = &self.world.ports.conversations;
        conversations.by_part(&self.world.access, self.world.channel.id, name).await.unwrap()
    }

    fn called(&self) -> Vec<usize> {
        self.called.lock().unwrap().clone()
    }
}

fn statuses(message: &Message) -> Vec<&'static str> {
    message.parts.all().iter().map(|part| part.status.as_str()).collect()
}

fn error_of(message: &Message) -> Option<&str> {
    message.error.as_ref().map(|error| error.code.as_str())
}

/// A later try begins at the refused part. The parts before it are sent once.
pub async fn a_later_try_begins_at_the_refused_part(store: Ports) {
    let story = Story::begin(&store).await;
    assert!(story.send(Second::Refused).await);
    let waiting = story.read().await;
    assert_eq!((waiting.status, statuses(&waiting)), (MessageStatus::Sending, vec!["sent", "pending", "pending"]));
    assert_eq!((waiting.error.as_ref(), waiting.parts.with_error()), (None, Some(1)));
    assert_eq!(waiting.problem().map(|error| error.code.as_str()), Some("provider_unavailable"));
    assert_eq!(waiting.parts.all()[1].attempts, 1);
    let job = story.claim().await.expect("the message is due");
    assert_eq!(job.attempts, 0, "the refused calls are counted in their part");
    story.world.ports.engine.extend(vec![job.held_claim()], Duration::ZERO, NOW).await.unwrap();
    assert!(story.send(Second::Accepted).await);
    assert_eq!(story.called(), [0, 1, 1, 2]);
    let sent = story.read().await;
    assert_eq!((sent.status, statuses(&sent)), (MessageStatus::Sent, vec!["sent"; 3]));
    assert_eq!((sent.provider_message_id.as_deref(), sent.problem()), (Some("p2"), None));
    assert_eq!(story.world.ports.engine.next_due(Pool::Sends).await.unwrap(), None);
}

/// A part is never repeated if its call may have reached the provider, and the parts after it are not sent.
pub async fn a_part_with_an_unknown_outcome_is_not_repeated(store: Ports) {
    let story = Story::begin(&store).await;
    assert!(!story.send(Second::DiesDuring).await);
    assert_eq!(statuses(&story.read().await), ["sent", "sending", "pending"]);
    assert!(story.send(Second::Accepted).await);
    assert_eq!(story.called(), [0, 1]);
    let message = story.read().await;
    assert_eq!((message.status, statuses(&message)), (MessageStatus::Uncertain, vec!["sent", "uncertain", "pending"]));
    assert_eq!((error_of(&message), message.parts.with_error()), (Some("outcome_unknown"), Some(1)));
}

/// A process that dies between two calls leaves nothing in doubt: the next one sends the other parts.
pub async fn a_message_continues_after_a_crash_between_its_parts(store: Ports) {
    let story = Story::begin(&store).await;
    assert!(!story.send(Second::DiesBefore).await);
    assert_eq!(statuses(&story.read().await), ["sent", "pending", "pending"]);
    assert!(story.send(Second::Accepted).await);
    assert_eq!(story.called(), [0, 1, 2]);
    assert_eq!(story.read().await.status, MessageStatus::Sent);
}

/// An opt-out between two parts stops the message. It is not suppressed, because a part was sent.
pub async fn an_opt_out_between_two_parts_stops_the_message(store: Ports) {
    let story = Story::begin(&store).await;
    assert!(story.send(Second::OptedOut).await);
    assert_eq!(story.called(), [0]);
    let message = story.read().await;
    assert_eq!((message.status, statuses(&message)), (MessageStatus::Failed, vec!["sent", "failed", "pending"]));
    assert_eq!((error_of(&message), message.parts.with_error()), (Some("stopped"), Some(1)));
}

/// A report finds the message by the ID of any part. The last part decides about delivery, and any part can fail.
pub async fn a_report_finds_a_message_by_any_part(store: Ports) {
    let story = Story::begin(&store).await;
    assert_eq!(story.with_part("p0").await, None);
    assert!(story.send(Second::Accepted).await);
    for name in ["p0", "p1"] {
        assert_eq!(story.with_part(name).await, Some(story.read().await), "{name}");
    }
    assert_eq!((story.with_part("p2").await, story.with_part("p3").await), (None, None));
    let foreign = World::new(&store).await;
    let conversations = &store.conversations;
    assert_eq!(conversations.by_part(&foreign.access, story.world.channel.id, "p0").await.unwrap(), None);
    assert_eq!(conversations.by_part(&story.world.access, id(), "p0").await.unwrap(), None);

    assert_eq!(story.report("p0", Report::Delivered).await, Outcome::Unchanged);
    assert_eq!(story.read().await.status, MessageStatus::Sent);
    assert_eq!(story.report("p1", Report::failed("unreachable")).await, Outcome::Accepted);
    let failed = story.read().await;
    assert_eq!((failed.status, failed.parts.with_error()), (MessageStatus::Failed, Some(1)));
    assert_eq!(story.report("p0", Report::failed("late")).await, Outcome::Unchanged);

    story.world.add(Change::Delete(Object::Message(story.message))).await;
    assert_eq!(story.with_part("p0").await, None, "the IDs of the parts are deleted with the message");
}

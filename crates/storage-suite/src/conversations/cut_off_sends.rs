//! A process dies during a provider request: the state that the next process finds, and its actions.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tidings_domain::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use tidings_domain::conversations::{Message, MessageSender, MessageStatus};
use tidings_domain::ids::MessageId;
use tidings_domain::ports::{Change, ClaimedJob, ContactChange, Job, NewJob, Pool, Row};

use crate::Ports;
use crate::fixtures::{NOW, World, a_message, id};
use crate::jobs::request;

/// The messages of each provider request.
type Asked = Arc<Mutex<Vec<MessageId>>>;

/// The provider as seen by one process.
struct Provider {
    /// Whether it recognises a repeated message.
    is_idempotent: bool,
    answers: bool,
    asked: Asked,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        self.is_idempotent
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        self.asked.lock().unwrap().push(message.message);
        if !self.answers {
            std::future::pending::<()>().await;
        }
        SendOutcome::Accepted { provider_message_id: Some(message.message.to_string()) }
    }
}

/// A message that is being sent, and its provider.
struct Story {
    world: World,
    message: MessageId,
    is_idempotent: bool,
    asked: Asked,
}

impl Story {
    /// Queues a message to a new contact.
    async fn begin(store: &Ports, is_idempotent: bool) -> Self {
        let world = World::new(store).await;
        let contact = world.contact().await;
        let identity = world.identity("ada");
        world.add(Change::Contact(ContactChange::InsertIdentity { contact: contact.id, identity })).await;
        let conversation = world.conversation(&contact).await;
        let message = a_message(&conversation);
        let send =
            Job::SendMessage { message: message.id, conversation: message.conversation, channel: None, depth: 0 };
        let (message, row) = (message.id, Change::Insert(Row::Message(Box::new(message))));
        let commit = world.commit(|set| {
            set.change(row);
            set.jobs.push(NewJob::new(id(), send, NOW));
        });
        commit.await.unwrap();
        Self { world, message, is_idempotent, asked: Asked::default() }
    }

    async fn claim(&self) -> Option<ClaimedJob> {
        let mut claimed = self.world.ports.engine.claim(request(Pool::Sends, 10)).await.unwrap();
        assert!(claimed.len() <= 1, "{claimed:?}");
        claimed.pop()
    }

    /// Sends the message in a process that either gets the provider's answer or dies waiting.
    fn send(&self, job: ClaimedJob, answers: bool) -> impl Future<Output = ()> + Send + 'static {
        let provider = Provider { is_idempotent: self.is_idempotent, answers, asked: self.asked.clone() };
        let ports = Ports { connectors: Connectors::one(Arc::new(provider)), ..self.world.ports.clone() };
        let (access, message) = (self.world.access.clone(), self.message);
        async move {
            MessageSender { ports: Arc::new(ports) }.send(&access, &job, message, 0).await.unwrap();
        }
    }

    fn asked(&self) -> Vec<MessageId> {
        self.asked.lock().unwrap().clone()
    }

    async fn read(&self) -> Message {
        self.world.ports.conversations.message(&self.world.access, self.message).await.unwrap().unwrap()
    }

    /// Simulates the death of a process during the provider request, and lets the claim expire.
    async fn cut_off(&self) -> ClaimedJob {
        let job = self.claim().await.expect("the message is due");
        let dies = tokio::spawn(self.send(job, false));
        let begun = Instant::now();
        while self.asked().is_empty() {
            assert!(
                begun.elapsed() < Duration::from_secs(60) && !dies.is_finished(),
                "the provider does not receive the message"
            );
            tokio::task::yield_now().await;
        }
        dies.abort();
        assert!(dies.await.is_err_and(|error| error.is_cancelled()));
        assert_eq!(self.claim().await, None, "the job stays claimed until the lease expires");
        self.world.ports.engine.extend(vec![job.held_claim()], Duration::ZERO, NOW).await.unwrap();
        job
    }

    /// Lets another process continue, and checks that no work is left.
    async fn go_on(&self, before: ClaimedJob) {
        let job = self.claim().await.expect("the job is due again");
        assert!(job.token > before.token);
        self.send(job, true).await;
        assert_eq!(self.claim().await, None);
        assert_eq!(self.world.ports.engine.next_due(Pool::Sends).await.unwrap(), None);
    }
}

/// The provider is asked again with the same key, so it gets the message once, and its answer is stored.
pub async fn repeats_an_interrupted_send_if_the_provider_deduplicates(store: Ports) {
    let story = Story::begin(&store, true).await;
    let before = story.cut_off().await;
    assert_eq!(story.read().await.status, MessageStatus::Queued, "the status is written after the call");
    story.go_on(before).await;
    assert_eq!(story.asked(), [story.message; 2]);
    let sent = story.read().await;
    assert_eq!((sent.status, sent.provider_message_id), (MessageStatus::Sent, Some(story.message.to_string())));
}

/// The attempt was stored before the request. The provider may have the message, so it is never asked again.
pub async fn never_repeats_an_interrupted_send_without_deduplication(store: Ports) {
    let story = Story::begin(&store, false).await;
    let before = story.cut_off().await;
    assert_eq!(story.read().await.status, MessageStatus::Sending);
    story.go_on(before).await;
    assert_eq!(story.asked(), [story.message]);
    assert_eq!(story.read().await.status, MessageStatus::Uncertain);
}

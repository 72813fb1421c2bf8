//! The limit of automatic messages in an hour, over the in-memory store in virtual time.

use std::sync::Arc;

use async_trait::async_trait;
use futures::executor::block_on;

use super::*;
use crate::Tidings;
use crate::access::{Actor, ActorKind};
use crate::channels::{ChannelType, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::{Content, MessageStatus, SendMessage};
use crate::ids::ContactId;
use crate::memory::{FixedClock, MemoryStore};
use crate::ports::{Clock, Ports};
use crate::testing::with_workspace;

/// A provider that accepts each message, with this limit of automatic ones.
struct Provider(Option<usize>);

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn max_automatic_per_hour(&self) -> Option<usize> {
        self.0
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct Bench {
    tidings: Tidings,
    clock: Arc<FixedClock>,
    access: Access,
    contact: ContactId,
}

impl Bench {
    fn new(limit: Option<usize>) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
        let connectors = Connectors::one(Arc::new(Provider(limit)));
        let (tidings, access) = with_workspace(Ports { clock: clock.clone(), connectors, ..Ports::of(store) });
        let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value.id;
        Self { tidings, clock, access, contact }
    }

    /// Sends a message as this kind of actor. Returns its status, and the code of its error.
    fn send(&self, kind: ActorKind) -> (MessageStatus, Option<String>) {
        let access = self.access.acting_as(Actor { kind, id: None });
        let (to, send) = (ContactRef::Id(self.contact), SendMessage::new(Content::text("Hi")));
        let queued = block_on(self.tidings.conversations.send(&access, &to, send, None)).unwrap().value;
        block_on(self.tidings.run_due(self.clock.now())).unwrap();
        let sent = block_on(self.tidings.conversations.message(&self.access, queued.id)).unwrap();
        (sent.status, sent.error.map(|error| error.code))
    }
}

fn sent() -> (MessageStatus, Option<String>) {
    (MessageStatus::Sent, None)
}

fn suppressed() -> (MessageStatus, Option<String>) {
    (MessageStatus::Suppressed, Some("too_many_automatic".to_owned()))
}

#[test]
fn suppresses_automatic_messages_over_the_limit_of_an_hour() {
    let bench = Bench::new(Some(2));
    assert_eq!(bench.send(ActorKind::System), sent());
    bench.clock.set(bench.clock.now().plus(HOUR / 2));
    assert_eq!([bench.send(ActorKind::Sequence), bench.send(ActorKind::System)], [sent(), suppressed()]);
    bench.clock.set(bench.clock.now().plus(HOUR / 2 + Duration::from_secs(1)));
    assert_eq!([bench.send(ActorKind::System), bench.send(ActorKind::System)], [sent(), suppressed()]);
}

#[test]
fn neither_counts_nor_suppresses_messages_of_people_and_clients() {
    let bench = Bench::new(Some(1));
    assert_eq!([bench.send(ActorKind::User), bench.send(ActorKind::ApiKey)], [sent(), sent()]);
    assert_eq!([bench.send(ActorKind::System), bench.send(ActorKind::System)], [sent(), suppressed()]);
    assert_eq!([bench.send(ActorKind::User), bench.send(ActorKind::ApiKey)], [sent(), sent()]);
}

#[test]
fn a_provider_without_a_limit_gets_all_messages() {
    let bench = Bench::new(None);
    assert!((0..10).all(|_| bench.send(ActorKind::System) == sent()));
}

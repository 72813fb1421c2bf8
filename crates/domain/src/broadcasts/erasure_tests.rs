//! Broadcasts to contacts that are erased before their message has an outcome.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::executor::block_on;

use super::tests::Bench;
use super::{BroadcastStats, BroadcastStatus, Count};
use crate::Tidings;
use crate::access::Access;
use crate::channels::{ChannelType, Connector, Connectors, Outbound, RetryScope, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::Content;
use crate::ids::ContactId;
use crate::ports::Ports;

/// A provider that accepts messages when it is open. During the first call, it can erase the contact of the call.
#[derive(Default)]
struct Provider {
    is_open: AtomicBool,
    erases: Mutex<Option<(Tidings, Access, ContactId)>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        let erased = self.erases.lock().unwrap().take();
        if let Some((tidings, access, contact)) = erased {
            erase(&tidings, &access, contact).await;
            tidings.run_due(tidings.ports.clock.now()).await.unwrap();
        }
        match self.is_open.load(Ordering::Relaxed) {
            true => SendOutcome::Accepted { provider_message_id: None },
            false => {
                SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: "later".to_owned().into() }
            }
        }
    }
}

async fn erase(tidings: &Tidings, access: &Access, contact: ContactId) {
    tidings.erasures.erase(access, &ContactRef::Id(contact), None).await.unwrap();
}

fn bench() -> (Arc<Provider>, Bench) {
    let provider = Arc::new(Provider::default());
    let connectors = Connectors::one(provider.clone());
    (provider, Bench::with(|ports| Ports { connectors, ..ports }))
}

fn contact(bench: &Bench) -> ContactId {
    block_on(bench.tidings.contacts.create(&bench.access, NewContact::default(), None)).unwrap().value.id
}

#[test]
fn counts_an_erased_contact_as_suppressed_while_its_message_waits() {
    let (provider, bench) = bench();
    let (gone, _) = (contact(&bench), contact(&bench));
    let broadcast = bench.draft(|it| it.message = Content::text("Hi"));
    bench.send(broadcast);
    bench.run();
    assert_eq!(bench.get(broadcast).stats, BroadcastStats::of(2, &[]), "the provider accepts nothing yet");
    block_on(erase(&bench.tidings, &bench.access, gone));
    bench.run();
    assert_eq!(bench.get(broadcast).stats, BroadcastStats::of(2, &[(Count::Suppressed, 1)]));
    provider.is_open.store(true, Ordering::Relaxed);
    bench.wait(60);
    bench.wait(1);
    let done = bench.get(broadcast);
    assert_eq!(done.stats, BroadcastStats::of(2, &[(Count::Suppressed, 1), (Count::Sent, 1)]));
    assert_eq!(done.broadcast.status, BroadcastStatus::Completed);
}

#[test]
fn counts_a_contact_who_is_erased_during_the_call_as_uncertain() {
    let (provider, bench) = bench();
    let gone = contact(&bench);
    provider.is_open.store(true, Ordering::Relaxed);
    *provider.erases.lock().unwrap() = Some((bench.tidings.clone(), bench.access.clone(), gone));
    let broadcast = bench.draft(|it| it.message = Content::text("Hi"));
    bench.send(broadcast);
    bench.run();
    bench.wait(1);
    let done = bench.get(broadcast);
    assert_eq!(done.stats, BroadcastStats::of(1, &[(Count::Uncertain, 1)]));
    assert_eq!(done.broadcast.status, BroadcastStatus::Completed);
    let erasure = block_on(bench.tidings.ports.erasures.get(&bench.access, gone)).unwrap();
    assert!(erasure.is_some_and(|it| it.erased_at.is_some()));
}

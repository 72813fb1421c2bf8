//! A broadcast on a channel with a limit of messages each second, in virtual time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;

use super::tests::Bench;
use crate::channels::{
    Channel, ChannelType, Connector, Connectors, Outbound, PaceLimit, RetryScope, SANDBOX, SendOutcome, SendPace,
};
use crate::contacts::NewContact;
use crate::conversations::Content;
use crate::ports::{PacedCall, Ports, SendPacer, Urgency};

/// A provider that accepts ten messages each second. Until it is open, it accepts none.
#[derive(Default)]
struct Provider {
    is_open: AtomicBool,
    asked: Mutex<BTreeSet<String>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn pace(&self, _: &Channel) -> SendPace {
        SendPace { channel: Some(PaceLimit::per_second(10)), recipient: None }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        self.asked.lock().unwrap().insert(message.message.to_string());
        match self.is_open.load(Ordering::Relaxed) {
            true => SendOutcome::Accepted { provider_message_id: None },
            false => SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: "later".into() },
        }
    }
}

#[async_trait]
impl SendPacer for Provider {
    async fn admit(&self, call: &PacedCall) -> Result<(), Duration> {
        assert_eq!(call.urgency, Urgency::Broadcast);
        Ok(())
    }
}

#[test]
fn the_next_portion_waits_for_the_pace_of_the_channel() {
    let provider = Arc::new(Provider::default());
    let (connectors, pacer) = (Connectors::one(provider.clone()), provider.clone());
    let bench = Bench::with(|ports| Ports { connectors, pacer, ..ports });
    for _ in 0..160 {
        block_on(bench.tidings.contacts.create(&bench.access, NewContact::default(), None)).unwrap();
    }
    let broadcast = bench.draft(|it| it.message = Content::text("Hi"));
    let asked = || provider.asked.lock().unwrap().len();
    bench.send(broadcast);
    bench.run();
    assert_eq!(asked(), 150, "the first portion");
    bench.wait(9);
    assert_eq!(asked(), 150, "the channel needs 15 s for the first portion");
    provider.is_open.store(true, Ordering::Relaxed);
    bench.wait(1);
    bench.wait(10);
    assert_eq!((asked(), bench.get(broadcast).stats.sent), (160, 160));
}

//! The domain in another program: a store in memory, a connector that prints, and a flow over two days, in virtual time
//! and without an async runtime. Run it with `cargo run -p tidings-domain --example embed`.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::{Value, json};
use tidings_domain::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use tidings_domain::commands::{
    Access, ContactRef, ExpectedVersion, InFlight, NewContact, NewFlow, NewTagCommand, NewWorkspace, Plan, StartFlow,
};
use tidings_domain::memory::{FixedClock, MemoryStore};
use tidings_domain::store::Clock;
use tidings_domain::{Ports, Tidings};

/// A connector that prints messages. Replace it with a connector to a real provider.
struct Printer;

#[async_trait]
impl Connector for Printer {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        println!("to {}: {}", message.address, message.content.text.unwrap_or_default());
        SendOutcome::Accepted { provider_message_id: None }
    }
}

fn welcome() -> Value {
    let say = |id: &str, text: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next});
    let wait = |id: &str, next: &str| json!({"id": id, "type": "delay", "for": "P1D", "next": next});
    let tag = json!({"id": "tag", "type": "add_tag", "tag": "vip", "next": "end"});
    let (hi, how) = (say("hi", "Hi {{ contact.first_name }}!", "rest"), say("how", "How is it going?", "doze"));
    let end = json!({"id": "end", "type": "end"});
    json!({"start": "hi", "nodes": [hi, wait("rest", "how"), how, wait("doze", "tag"), tag, end]})
}

/// Runs the flow to its end and prints each event with its time.
pub fn play(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let connectors = Connectors::one(Arc::new(Printer));
    let tidings = Tidings::new(Ports { clock: clock.clone(), connectors, ..Ports::in_memory(store.clone()) });
    block_on(async {
        let acme = NewWorkspace::new("Acme", Plan::Pro);
        let access = Access::system(tidings.access.create_workspace(acme).await?.id);
        tidings.tags.create(&access, NewTagCommand::new("vip"), None).await?;
        let ada = NewContact { first_name: Some("Ada".into()), ..NewContact::default() };
        let ada = ContactRef::Id(tidings.contacts.create(&access, ada, None).await?.value.id);
        let flow = tidings.flows.create(&access, NewFlow::new("Welcome", welcome()), None).await?.value.id;
        tidings.flows.publish(&access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await?;
        tidings.flows.start(&access, &ada, StartFlow::new(flow), None).await?;

        tidings.run_due(clock.now()).await?;
        while let Some(next) = tidings.next_due().await? {
            clock.set(next);
            tidings.run_due(next).await?;
        }
        for event in store.events(access.workspace()) {
            writeln!(out, "{} {}", event.at, event.kind.as_str())?;
        }
        Ok(())
    })
}

#[allow(dead_code, reason = "the test plays it itself")]
fn main() -> Result<(), Box<dyn Error>> {
    play(&mut std::io::stdout())
}

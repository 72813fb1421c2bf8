//! The domain by itself, in a service of your own: a store in memory, a connector that prints, and
//! one flow played to its end. Run it with
//! `cargo run -p tidings-domain --features mocks --example embed`.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::{Map, json};
use tidings_domain::Tidings;
use tidings_domain::access::{Access, NewWorkspace, Plan};
use tidings_domain::channels::{Channel, ChannelKind, Connector, Outbound, SendOutcome};
use tidings_domain::contacts::{ContactRef, NewContact};
use tidings_domain::flows::{InFlight, NewFlow, RunStatus, StartFlow};
use tidings_domain::outcome::Expected;
use tidings_domain::ports::{ClaimRequest, Clock, EngineStore, Pool, Ports};
use tidings_domain::tags::NewTagCommand;
use tidings_domain::testing::{FixedClock, MemoryStore};

/// A provider of your own goes here.
struct Printer;

#[async_trait]
impl Connector for Printer {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Sandbox
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    async fn test(&self, _: &Channel) -> tidings_domain::trial::Trial {
        tidings_domain::trial::Trial::default()
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        println!("to {}: {}", message.address, message.content.text.unwrap_or_default());
        SendOutcome::Accepted { provider_message_id: None }
    }
}

/// Plays the story and returns the kinds of the events that it caused, in order.
pub fn play() -> Result<Vec<&'static str>, Box<dyn std::error::Error>> {
    let store = Arc::new(MemoryStore::new());
    let clock = Arc::new(FixedClock::default());
    let connectors: Vec<Arc<dyn Connector>> = vec![Arc::new(Printer)];
    let tidings = Tidings::new(Ports { clock: clock.clone(), connectors, ..Ports::of(store.clone()) });

    block_on(async {
        let workspace = tidings.access.create_workspace(NewWorkspace { name: "Acme".into(), plan: Plan::Pro }).await?;
        let access = Access::system(workspace.id);

        let vip = NewTagCommand { name: "vip".into(), color: None, description: None };
        tidings.tags.create(&access, vip, None).await?;
        let ada = NewContact { first_name: Some("Ada".into()), ..NewContact::default() };
        let ada = tidings.contacts.create(&access, ada, None).await?.value;

        let definition = json!({"start": "hi", "nodes": [
            {"id": "hi", "type": "send_message",
             "message": {"type": "text", "text": "Hi {{ contact.first_name }}!"}, "next": "rest"},
            {"id": "rest", "type": "delay", "for": "P1D", "next": "tag"},
            {"id": "tag", "type": "add_tag", "tag": "vip", "next": "done"},
            {"id": "done", "type": "end"}]});
        let flow = tidings.flows.create(&access, NewFlow { name: "Welcome".into(), definition }, None).await?.value;
        tidings.flows.publish(&access, flow.id, InFlight::Pin, &Expected::Any, None).await?;
        let start = StartFlow { flow: flow.id, vars: Map::new(), mode: None };
        let run = tidings.flows.start(&access, &ContactRef::Id(ada.id), start, None).await?.value;

        // Your own worker loop: here time jumps a day whenever nothing is due.
        while tidings.flows.run(&access, run.id).await?.status != RunStatus::Completed {
            let mut done = 0;
            for pool in [Pool::Work, Pool::Sends] {
                let lease = Duration::from_secs(30);
                let request = ClaimRequest::new(pool, 10, lease, clock.now());
                for job in store.claim(request).await? {
                    done += 1;
                    tidings.worker.perform(&job).await?;
                }
            }
            if done == 0 {
                clock.set(clock.now().plus(Duration::from_secs(86_400)));
            }
        }
        let ada = tidings.contacts.get(&access, &ContactRef::Id(ada.id)).await?;
        println!(
            "{} now carries: {}",
            ada.name().unwrap_or_default(),
            ada.tags.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>().join(", ")
        );
        Ok(store.events(workspace.id).iter().map(|event| event.kind.as_str()).collect())
    })
}

#[allow(dead_code, reason = "the test plays the story itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for kind in play()? {
        println!("{kind}");
    }
    Ok(())
}

//! kill -9 between a flow's step and the send of its message: messages without a provider request are sent once.
//! Messages that the provider may have are sent again only if it recognises repeats.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::{ClaimRequest, Clock, EngineStore, Pool};
use tidings_storage::{Storage, StorageSettings};

use super::told_of;
use crate::support::receiver::Received;
use crate::support::{Client, Receiver, Server, Store};

const CONTACTS: usize = 12;
/// The number of messages in each run; messages of one conversation are sent one after another.
const MESSAGES: usize = 2;
/// The number of messages claimed by a process that dies.
const CLAIMED: usize = 6;
/// Whether messages are sent. Flows continue either way.
const OUTBOUND: &str = "TIDINGS__ENGINE__OUTBOUND";

/// The provider's treatment of repeated messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// It may send a message twice: an `http` channel with a provider of the test.
    Forgets,
    /// It recognises repeats: the sandbox.
    Knows,
}

/// A flow that counts, sends two messages and counts again, with runs for all contacts.
struct Story {
    server: Server,
    /// The requests to the `http` channel.
    provider: Receiver,
    listener: Receiver,
    flow: String,
}

type Messages = BTreeMap<String, Value>;

impl Story {
    async fn begin(store: Store, provider: Provider, outbound: &str) -> Self {
        let settings = [
            ("TIDINGS__LIMITS__PLANS__BUSINESS", "10000000"),
            ("TIDINGS__ENGINE__LEASE", "PT2S"),
            (OUTBOUND, outbound),
        ];
        let (server, receiver, listener) = (Server::start(store, &settings), Receiver::start(), Receiver::start());
        let client = server.client();
        let hook = json!({"url": listener.url, "events": ["message.sent", "flow.completed"]});
        client.post("/api/v1/webhooks", &hook).await.expect(201);
        let channel = match provider {
            Provider::Forgets => Some(connected(&client, &receiver).await),
            Provider::Knows => None,
        };
        for number in 0..CONTACTS {
            let mut contact = json!({"external_id": format!("c{number}")});
            if let Some(channel) = &channel {
                contact["identities"] = json!([{"channel_id": channel, "address": format!("+{number}")}]);
            }
            client.post("/api/v1/contacts", &contact).await.expect(201);
        }
        let flow = flow(&client).await;
        Self { server, provider: receiver, listener, flow }
    }

    /// Starts the flow for all contacts, and waits until all steps are committed.
    async fn start(&self) {
        let client = self.server.client();
        for number in 0..CONTACTS {
            let path = format!("/api/v1/contacts/external_id:c{number}/start-flow");
            client.post(&path, &json!({"flow_id": self.flow})).await.expect(202);
        }
        let runs = format!("/api/v1/flow-runs?flow_id={}&status=completed&include=total&limit=1", self.flow);
        client.until(&runs, |page| page["total"] == CONTACTS).await;
    }

    /// Restarts the server with sending enabled or paused.
    fn serve(&mut self, outbound: &str) {
        self.server.set(OUTBOUND, outbound);
        self.server.serve();
    }

    async fn messages(&self) -> Messages {
        let client = self.server.client();
        let conversations = client.get("/api/v1/conversations?limit=100").await.expect(200);
        let mut all = Messages::new();
        for conversation in conversations["data"].as_array().unwrap() {
            let path = format!("/api/v1/conversations/{}/messages?limit=100", id(conversation));
            let page = client.get(&path).await.expect(200);
            all.extend(page["data"].as_array().unwrap().iter().map(|it| (id(it), it.clone())));
        }
        assert_eq!(all.len(), CONTACTS * MESSAGES, "no message is lost or created twice");
        all
    }

    /// Returns all messages after each has an outcome.
    async fn settled(&self) -> Messages {
        let client = self.server.client();
        for message in self.messages().await.keys() {
            let is_settled = |it: &Value| it["status"] != "queued" && it["status"] != "sending";
            client.until(&format!("/api/v1/messages/{message}"), is_settled).await;
        }
        self.messages().await
    }

    /// Checks that each step ran once, that each sent message has one event, and that there are no other events.
    async fn check_steps_and_events(&self, sent: BTreeSet<String>) {
        let page = self.server.client().get("/api/v1/contacts?limit=100").await.expect(200);
        for contact in page["data"].as_array().unwrap() {
            assert_eq!(contact["custom_fields"]["steps"], 2, "each step ran once: {contact}");
        }
        let facts = sent.len() + CONTACTS;
        let received = self.listener.until("all events", |received| told_of(received).len() >= facts).await;
        let events = told_of(&received);
        assert!(events.values().all(|ids| ids.len() == 1), "each change has one event: {events:?}");
        let told = events.keys().filter(|(kind, _)| kind == "message.sent").map(|(_, message)| message.clone());
        assert_eq!(told.collect::<BTreeSet<_>>(), sent);
        assert_eq!(events.len(), facts, "there are no events for unknown objects");
    }
}

/// Connects an `http` channel as the default; returns its ID.
async fn connected(client: &Client, provider: &Receiver) -> String {
    let channel = json!({"kind": "http", "name": "Ours", "is_default": true, "config": {"url": provider.url}});
    let channel = id(&client.post("/api/v1/channels", &channel).await.expect(201));
    client.call("POST", &format!("/api/v1/channels/{channel}/connect"), None).await.expect(200);
    channel
}

async fn flow(client: &Client) -> String {
    let field = json!({"key": "steps", "name": "Steps", "type": "number"});
    client.post("/api/v1/custom-fields", &field).await.expect(201);
    let count = |id: &str, next: &str| json!({"id": id, "type": "set_field", "field": "custom_fields.steps", "operation": "increment", "value": 1, "next": next});
    let say = |id: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": id}, "next": next});
    let nodes = [count("before", "one"), say("one", "two"), say("two", "after"), count("after", "end")];
    let mut definition = json!({"start": "before", "nodes": nodes});
    definition["nodes"].as_array_mut().unwrap().push(json!({"id": "end", "type": "end"}));
    client.publish_flow("Says", &definition).await
}

fn id(object: &Value) -> String {
    object["id"].as_str().unwrap_or_else(|| panic!("{object} has no ID")).to_owned()
}

/// Returns the IDs of the messages that a provider received, in order.
fn asked_for(received: &[Received]) -> Vec<String> {
    received.iter().map(|request| request.headers["webhook-id"].clone()).collect()
}

fn having(status: &str, messages: &Messages) -> BTreeSet<String> {
    messages.iter().filter(|(_, it)| it["status"] == status).map(|(id, _)| id.clone()).collect()
}

/// Claims some waiting messages like a process that dies afterwards; returns their number.
async fn claim_and_die(url: String) -> usize {
    let storage = Storage::open(&StorageSettings::new(url)).await.unwrap();
    let lease = Duration::from_secs(2);
    let request = ClaimRequest::new(Pool::Sends, CLAIMED as u32, lease, SystemClock.now());
    storage.claim(request).await.unwrap().len()
}

/// The steps are committed, but the process dies before any provider request, and so does one that has claimed some
/// messages. The next process sends each message once.
pub async fn sends_queued_messages_once_after_kills(store: Store, provider: Provider) {
    let mut story = Story::begin(store, provider, "hold").await;
    story.start().await;
    story.server.kill();
    assert_eq!(claim_and_die(story.server.url()).await, CLAIMED);
    story.serve("hold");
    let before = story.messages().await;
    assert_eq!(having("queued", &before).len(), before.len(), "{before:?}");
    story.server.kill();
    assert!(story.provider.received().is_empty());

    story.serve("send");
    let messages = story.settled().await;
    let sent = having("sent", &messages);
    assert_eq!(sent.len(), messages.len(), "{messages:?}");
    story.check_steps_and_events(sent.clone()).await;
    let asked = asked_for(&story.provider.received());
    match provider {
        Provider::Forgets => {
            assert_eq!(asked.len(), messages.len(), "each message is sent once");
            assert_eq!(BTreeSet::from_iter(asked), sent);
            check_order(&story.provider.received());
        }
        Provider::Knows => {
            for (id, message) in &messages {
                assert_eq!(message["provider_message_id"], format!("sandbox-{id}"), "{message}");
            }
        }
    }
}

/// Checks that every contact got the first message before the second.
fn check_order(received: &[Received]) {
    let mut got = BTreeMap::<String, Vec<String>>::new();
    for body in received.iter().map(Received::envelope) {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        got.entry(text(&body["to"]["address"])).or_default().push(text(&body["message"]["text"]));
    }
    assert_eq!(got.len(), CONTACTS);
    assert!(got.values().all(|texts| texts == &["one", "two"]), "{got:?}");
}

/// The process dies while the provider has not responded to the first message of each contact. This provider would send
/// a repeat twice, so those messages are not sent again and stay uncertain. The messages behind them are sent once.
pub async fn messages_being_sent_stay_uncertain_and_queued_ones_are_sent(store: Store) {
    let mut story = Story::begin(store, Provider::Forgets, "send").await;
    story.provider.stall(true);
    story.start().await;
    let received = story.provider.until("the first of everybody", |received| received.len() >= CONTACTS).await;
    story.server.kill();
    let asked = BTreeSet::from_iter(asked_for(&received));
    assert_eq!(asked.len(), CONTACTS, "one message per conversation is sent at a time");
    story.serve("hold");
    let before = story.messages().await;
    assert_eq!(having("sending", &before), asked, "the status is stored before the request to the provider");
    let waiting = having("queued", &before);
    assert_eq!(waiting.len(), CONTACTS * (MESSAGES - 1));
    story.server.kill();

    story.provider.stall(false);
    story.serve("send");
    let messages = story.settled().await;
    assert_eq!((having("uncertain", &messages), having("sent", &messages)), (asked, waiting.clone()));
    story.check_steps_and_events(waiting).await;
    let received = story.provider.received();
    assert_eq!(received.len(), messages.len(), "each message is sent once");
    let ever_asked = BTreeSet::from_iter(asked_for(&received));
    assert_eq!(ever_asked, messages.into_keys().collect::<BTreeSet<_>>());
    check_order(&received);
}

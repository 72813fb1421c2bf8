//! kill -9 while a flow with queued messages is paused or resumed: no message is lost or sent twice, and none is sent
//! while the flow is paused.

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt, stream};
use serde_json::{Value, json};

use super::Dice;
use crate::support::{Client, Receiver, Server, Store};

const CONTACTS: usize = 12;
const MESSAGES: usize = 8;
const AT_ONCE: usize = 8;

/// A flow that sends this number of messages to contacts of an `http` channel. Its provider does not recognise repeated
/// messages.
struct Story {
    server: Server,
    provider: Receiver,
    flow: String,
    dice: Dice,
}

type Statuses = BTreeMap<String, String>;

impl Story {
    async fn begin(store: Store, seed: u64) -> Self {
        println!("seed {seed}");
        let settings = [("TIDINGS__LIMITS__PLANS__BUSINESS", "10000000"), ("TIDINGS__ENGINE__LEASE", "PT2S")];
        let (server, provider) = (Server::start(store, &settings), Receiver::start());
        let client = server.client();
        let channel = json!({"kind": "http", "name": "Ours", "is_default": true, "config": {"url": provider.url}});
        let channel = id(&client.post("/api/v1/channels", &channel).await.expect(201));
        client.call("POST", &format!("/api/v1/channels/{channel}/connect"), None).await.expect(200);
        let flow = flow(&client).await;
        each(|number| {
            let identity = json!({"channel_id": channel, "address": format!("+{number}")});
            let contact = json!({"external_id": format!("c{number}"), "identities": [identity]});
            let client = &client;
            async move {
                client.post("/api/v1/contacts", &contact).await.expect(201);
            }
        })
        .await;
        Self { server, provider, flow: format!("/api/v1/flows/{flow}"), dice: Dice::new(seed) }
    }

    /// Starts the flow for all contacts. The first message of each is being sent until the provider responds; the
    /// others wait.
    async fn start(&self) {
        self.provider.stall(true);
        let body = json!({"flow_id": self.flow.trim_start_matches("/api/v1/flows/")});
        let (client, body) = (&self.server.client(), &body);
        each(|number| async move {
            client.post(&format!("/api/v1/contacts/external_id:c{number}/start-flow"), body).await.expect(202);
        })
        .await;
    }

    /// Kills the server at a random point while it pauses the flow, restarts it and repeats the request.
    async fn killed_while_pausing(&mut self) {
        let path = format!("{}/pause", self.flow);
        self.provider.stall(false);
        let asking = tokio::spawn(ask(self.server.client(), path.clone()));
        for _ in 0..self.dice.below(2_000) {
            tokio::task::yield_now().await;
        }
        self.server.kill();
        println!("killed while it paused; answered: {}", asking.await.unwrap());
        // The kill may have come before the pause. The provider stalls, so waiting messages still wait when the request
        // is repeated, however long the start takes.
        self.provider.stall(true);
        self.server.serve();
        assert!(ask(self.server.client(), path).await, "the pause is accepted");
        self.provider.stall(false);
    }

    /// Kills the server after `goal` messages of the resumed flow were sent, restarts it and repeats the request.
    async fn killed_while_resumed(&mut self, goal: usize) {
        let path = format!("{}/resume", self.flow);
        let asking = tokio::spawn(ask(self.server.client(), path.clone()));
        let goal = self.provider.received().len() + goal;
        self.provider.until("a part of what was held", |received| received.len() >= goal).await;
        self.server.kill();
        println!("killed while it resumed; answered: {}", asking.await.unwrap());
        self.server.serve();
        assert!(ask(self.server.client(), path).await, "the resume is accepted");
    }

    /// Returns the statuses of the flow's messages and of all others.
    async fn messages(&self) -> (Statuses, Statuses) {
        let client = self.server.client();
        let conversations = client.get("/api/v1/conversations?limit=100").await.expect(200);
        let (mut said, mut others) = (Statuses::new(), Statuses::new());
        for conversation in conversations["data"].as_array().unwrap() {
            let path = format!("/api/v1/conversations/{}/messages?limit=100", id(conversation));
            for message in client.get(&path).await.expect(200)["data"].as_array().unwrap() {
                let of = if message["sender"]["type"] == "flow" { &mut said } else { &mut others };
                of.insert(id(message), message["status"].as_str().unwrap().to_owned());
            }
        }
        (said, others)
    }

    /// Sends a message to all contacts outside the flow and waits until it is sent: all earlier messages had their turn
    /// then.
    async fn say(&self) {
        let client = &self.server.client();
        each(|number| async move {
            let body = json!({"type": "text", "text": "Hello"});
            let path = format!("/api/v1/contacts/external_id:c{number}/send-message");
            let said = id(&client.post(&path, &body).await.expect(202));
            client.until(&format!("/api/v1/messages/{said}"), |it| it["status"] == "sent").await;
        })
        .await;
    }
}

/// Runs a future for each contact, some concurrently.
async fn each<F: Future<Output = ()>>(done: impl FnMut(usize) -> F) {
    stream::iter(0..CONTACTS).for_each_concurrent(AT_ONCE, done).await;
}

/// Sends the request once with a fixed idempotency key; returns whether it succeeded. No response counts as a failure.
async fn ask(client: Client, path: String) -> bool {
    match client.send("POST", &path, &[("idempotency-key", path.as_str())], None).await {
        Ok(reply) => reply.status == 200,
        Err(_) => false,
    }
}

fn id(object: &Value) -> String {
    object["id"].as_str().unwrap_or_else(|| panic!("{object} has no ID")).to_owned()
}

async fn flow(client: &Client) -> String {
    let say = |place: usize| {
        let next = if place < MESSAGES { format!("say_{}", place + 1) } else { "end".to_owned() };
        json!({"id": format!("say_{place}"), "type": "send_message", "message": {"type": "text", "text": place.to_string()}, "next": next})
    };
    let mut nodes: Vec<Value> = (1..=MESSAGES).map(say).collect();
    nodes.push(json!({"id": "end", "type": "end"}));
    let definition = json!({"start": "say_1", "nodes": nodes});
    client.publish_flow("Says", &definition).await
}

/// Whether the message has no outcome yet.
fn is_open(status: &str) -> bool {
    matches!(status, "queued" | "sending")
}

pub async fn killed_pauses_hold_messages_and_send_them_once(store: Store, seed: u64) {
    let mut story = Story::begin(store, seed).await;
    story.start().await;
    story.killed_while_pausing().await;
    let (paused, _) = story.messages().await;
    let held: BTreeSet<&String> = paused.iter().filter(|(_, status)| *status == "queued").map(|(id, _)| id).collect();
    println!("{} of {} messages are held", held.len(), paused.len());
    assert!(!held.is_empty(), "the pause came too late");
    story.say().await;
    let (now, _) = story.messages().await;
    for message in &held {
        assert_eq!(now[*message], "queued", "{message} was sent by a paused flow");
    }

    story.killed_while_resumed(held.len() / 3).await;

    let flow = story.flow.trim_start_matches("/api/v1/flows/");
    let runs = format!("/api/v1/flow-runs?flow_id={flow}&status=completed&include=total&limit=1");
    story.server.client().until(&runs, |page| page["total"] == CONTACTS).await;
    story.say().await;
    let (said, others) = story.messages().await;
    assert_eq!((said.len(), others.len()), (CONTACTS * MESSAGES, 2 * CONTACTS), "no message is lost or created twice");
    let open: Vec<_> = said.iter().filter(|(_, status)| is_open(status)).collect();
    assert!(open.is_empty(), "{open:?}");
    judge(&story.provider, said.into_iter().chain(others).collect());
}

/// Compares the statuses of messages with the provider's requests: each at most once, in order, and none that was not
/// sent.
fn judge(provider: &Receiver, statuses: Statuses) {
    let (mut got, mut last) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    for request in provider.received() {
        let message = request.headers["webhook-id"].clone();
        let body = request.envelope();
        if let Some(place) = body["message"]["text"].as_str().and_then(|text| text.parse().ok()) {
            let before = last.insert(body["to"]["address"].as_str().unwrap().to_owned(), place);
            assert!(before.is_none_or(|before| before < place), "{body} after {before:?}");
        }
        assert!(got.insert(message.clone()), "{message} was sent twice");
    }
    let doubtful = statuses.values().filter(|status| *status == "uncertain").count();
    println!("{} messages, the provider got {}, {doubtful} are uncertain", statuses.len(), got.len());
    for (message, status) in &statuses {
        match status.as_str() {
            "sent" => assert!(got.contains(message), "{message} is lost"),
            // It was being sent when the server was killed.
            "uncertain" => {}
            other => panic!("{message} is {other}"),
        }
    }
    assert!(got.iter().all(|message| statuses.contains_key(message)), "an unknown message was sent");
}

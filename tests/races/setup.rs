//! Where the races are run: a server whose limits are out of the way, with a channel of the kind
//! `http`, and its provider.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use super::pace::now;
use crate::support::{Client, Patience, Receiver, Reply, Server, Store};

/// Settings by which nobody is told to wait.
pub const NO_LIMITS: [(&str, &str); 2] =
    [("TIDINGS__LIMITS__PLANS__BUSINESS", "100000000"), ("TIDINGS__LIMITS__INBOUND", "100000000")];

/// The set-up of one kind of race.
pub struct Setup {
    /// What the server keeps its data in.
    pub store: &'static str,
    /// With the `full` key.
    client: Client,
    /// When it was ready.
    pub began: Instant,
    channel: String,
    secret: String,
    inbound: String,
    nobody: Client,
    provider: Receiver,
    asked: AtomicUsize,
    _server: Server,
}

impl Setup {
    /// Starts the server, and connects its channel.
    pub async fn open(store: Store) -> Self {
        let name = if matches!(store, Store::Sqlite(_)) { "SQLite" } else { "PostgreSQL" };
        let server = Server::start(store, &NO_LIMITS);
        let (client, provider) = (server.client(), Receiver::start());
        let body = json!({"kind": "http", "name": "Ours", "is_default": true, "config": {"url": provider.url}});
        let made = client.post("/api/v1/channels", &body).await.expect(201);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        let (channel, secret, inbound) = (text("id"), text("secret"), text("inbound_path"));
        client.call("POST", &format!("/api/v1/channels/{channel}/connect"), None).await.expect(200);
        let (nobody, began) = (client.with_key(None), Instant::now());
        Self {
            store: name,
            client,
            began,
            channel,
            secret,
            inbound,
            nobody,
            provider,
            asked: AtomicUsize::new(0),
            _server: server,
        }
    }

    /// A message of who has this address, with an id of its own.
    pub async fn says(&self, address: &str, id: &str, text: &str) -> Reply {
        let body = json!({"type": "message", "id": id, "from": {"address": address}, "text": text}).to_string();
        let timestamp = (now() / 1_000).to_string();
        let signature = self.signature(id, &timestamp, &body);
        let headers = [
            ("content-type", "application/json"),
            ("webhook-id", id),
            ("webhook-timestamp", &timestamp),
            ("webhook-signature", &signature),
        ];
        let bytes = body.into_bytes();
        let ask = async || self.nobody.send("POST", &self.inbound, &headers, Some(bytes.clone())).await.ok();
        let (mut reply, asked_again) = insist(ask).await;
        if asked_again && reply.status == 200 {
            // It was kept the first time, and nobody heard so.
            reply.status = 202;
        }
        reply
    }

    /// Base64 of HMAC-SHA256 over `id.timestamp.body`.
    fn signature(&self, id: &str, timestamp: &str, body: &str) -> String {
        let key = STANDARD.decode(self.secret.strip_prefix("whsec_").unwrap()).unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        format!("v1,{}", STANDARD.encode(hmac::sign(&key, format!("{id}.{timestamp}.{body}").as_bytes())))
    }

    /// A request of the API, and its answer.
    ///
    /// It has an idempotency key of its own, so that it can be asked again.
    pub async fn call(&self, method: &str, path: &str, body: Value) -> Reply {
        let key = self.asked.fetch_add(1, Ordering::Relaxed).to_string();
        let headers = [("content-type", "application/json"), ("idempotency-key", key.as_str())];
        let bytes = body.to_string().into_bytes();
        insist(async || self.client.send(method, path, &headers, Some(bytes.clone())).await.ok()).await.0
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.call("POST", path, body).await
    }

    pub async fn get(&self, path: &str) -> Value {
        insist(async || self.client.send("GET", path, &[], None).await.ok()).await.0.expect(200)
    }

    /// Makes a contact who has this address on the channel; returns the id.
    pub async fn contact(&self, address: &str) -> String {
        let body = json!({"identities": [{"channel_id": self.channel, "address": address}]});
        id(&self.post("/api/v1/contacts", body).await.expect(201))
    }

    /// Publishes a flow; returns the id.
    pub async fn flow(&self, definition: Value) -> String {
        let body = json!({"name": "Race", "definition": definition});
        let flow = id(&self.post("/api/v1/flows", body).await.expect(201));
        self.post(&format!("/api/v1/flows/{flow}/publish"), json!({})).await.expect(200);
        flow
    }

    /// The whole of a list.
    pub async fn all(&self, path: &str) -> Vec<Value> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        let joint = if path.contains('?') { '&' } else { '?' };
        loop {
            let page = self.get(&format!("{path}{joint}limit=100{cursor}")).await;
            all.extend(page["data"].as_array().unwrap().iter().cloned());
            let Some(next) = page["next_cursor"].as_str() else { return all };
            cursor = format!("&cursor={next}");
        }
    }

    /// The whole of a list, once it has so many members and all of them are as wanted.
    pub async fn all_when(&self, path: &str, count: usize, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut patience = Patience::new();
        loop {
            let all = self.all(path).await;
            if all.len() >= count && all.iter().all(&wanted) {
                assert_eq!(all.len(), count, "{path}");
                return all;
            }
            let odd = all.iter().find(|it| !wanted(it));
            let fitting = all.iter().filter(|it| wanted(it)).count();
            let may_wait = patience.allows((all.len(), fitting));
            assert!(may_wait, "{path} stays at {} of {count}, as {odd:?}", all.len());
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    /// A run, once it is as wanted.
    pub async fn run_when(&self, run: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.when(&format!("/api/v1/flow-runs/{run}"), wanted).await
    }

    /// What stands at a path, once it is as wanted. Asks seldom: the races are to have the machine.
    pub async fn when(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut patience = Patience::new();
        loop {
            let found = self.get(path).await;
            if wanted(&found) {
                return found;
            }
            assert!(patience.allows(found.clone()), "it stays {found}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The whole of a list, by a member that is unlike in each.
    pub async fn all_by(&self, path: &str, key: impl Fn(&Value) -> String) -> BTreeMap<String, Value> {
        let (all, mut by) = (self.all(path).await, BTreeMap::new());
        for one in all {
            if let Some(twin) = by.insert(key(&one), one) {
                panic!("{path}: there is another {twin}");
            }
        }
        by
    }

    /// Makes sure that the provider got these messages and no others, each once.
    pub fn provider_got(&self, sent: &BTreeSet<String>) {
        let mut got = BTreeSet::new();
        for request in self.provider.received() {
            let message = request.headers["webhook-id"].clone();
            assert!(got.insert(message.clone()), "{message} went out twice");
        }
        assert_eq!(&got, sent);
    }
}

/// Asks again while a busy machine keeps the server from its store, or the answer from the client. Returns the answer,
/// and whether it was asked for more than once.
pub async fn insist(ask: impl AsyncFn() -> Option<Reply>) -> (Reply, bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut asked_again = false;
    loop {
        match ask().await {
            Some(reply) if reply.status != 503 || Instant::now() > deadline => return (reply, asked_again),
            None if Instant::now() > deadline => panic!("no answer comes"),
            _ => asked_again = true,
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

/// The id of an object.
pub fn id(object: &Value) -> String {
    text(object, "id")
}

/// A member that is a text.
pub fn text(object: &Value, name: &str) -> String {
    object[name].as_str().unwrap_or_else(|| panic!("no {name} in {object}")).to_owned()
}

/// Milliseconds since the Unix epoch of an instant that the server tells.
pub fn millis(instant: &Value) -> i64 {
    instant.as_str().unwrap().parse::<tidings_domain::time::Timestamp>().unwrap().millis()
}

//! The set-up of the races: a server without effective limits, with an `http` channel and its provider.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use super::pace::now;
use crate::support::{Client, Patience, Receiver, Reply, Server, Store};

/// Settings without effective rate limits.
pub const NO_LIMITS: [(&str, &str); 2] =
    [("TIDINGS__LIMITS__PLANS__BUSINESS", "100000000"), ("TIDINGS__LIMITS__INBOUND", "100000000")];

/// The set-up of one type of race.
pub struct Setup {
    /// The name of the database.
    pub store: &'static str,
    client: Client,
    /// The time at which it was ready.
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
    /// Starts the server and connects its channel.
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

    /// Sends an inbound message from this address, with its own ID.
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
            // It was stored the first time, but the response was lost.
            reply.status = 202;
        }
        reply
    }

    /// Returns the base64 of HMAC-SHA256 over `id.timestamp.body`.
    fn signature(&self, id: &str, timestamp: &str, body: &str) -> String {
        let key = STANDARD.decode(self.secret.strip_prefix("whsec_").unwrap()).unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        format!("v1,{}", STANDARD.encode(hmac::sign(&key, format!("{id}.{timestamp}.{body}").as_bytes())))
    }

    /// Sends an API request and returns the response.
    ///
    /// It has a unique idempotency key, so it can be repeated.
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

    /// Creates a contact with this address on the channel; returns the ID.
    pub async fn contact(&self, address: &str) -> String {
        let body = json!({"identities": [{"channel_id": self.channel, "address": address}]});
        id(&self.post("/api/v1/contacts", body).await.expect(201))
    }

    /// Publishes a flow; returns the ID.
    pub async fn flow(&self, definition: Value) -> String {
        let body = json!({"name": "Race", "definition": definition});
        let flow = id(&self.post("/api/v1/flows", body).await.expect(201));
        self.post(&format!("/api/v1/flows/{flow}/publish"), json!({})).await.expect(200);
        flow
    }

    /// Returns a whole list.
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

    /// Waits until a list has `count` items that all match; returns it.
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

    /// Waits until a run matches; returns it.
    pub async fn run_when(&self, run: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.when(&format!("/api/v1/flow-runs/{run}"), wanted).await
    }

    /// Waits until the object at a path matches; returns it. It polls rarely, to leave the machine to the races.
    pub async fn when(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut patience = Patience::new();
        loop {
            let found = self.get(path).await;
            if wanted(&found) {
                return found;
            }
            assert!(patience.allows(found.clone()), "still {found}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Returns a whole list by a unique key.
    pub async fn all_by(&self, path: &str, key: impl Fn(&Value) -> String) -> BTreeMap<String, Value> {
        let (all, mut by) = (self.all(path).await, BTreeMap::new());
        for one in all {
            if let Some(twin) = by.insert(key(&one), one) {
                panic!("{path}: the key is not unique: {twin}");
            }
        }
        by
    }

    /// Checks that the provider got exactly these messages, each once.
    pub fn provider_got(&self, sent: &BTreeSet<String>) {
        let mut got = BTreeSet::new();
        for request in self.provider.received() {
            let message = request.headers["webhook-id"].clone();
            assert!(got.insert(message.clone()), "{message} was sent twice");
        }
        assert_eq!(&got, sent);
    }
}

/// Repeats a request while a busy machine delays the server or the response. Returns the response, and whether the
/// request was repeated.
pub async fn insist(ask: impl AsyncFn() -> Option<Reply>) -> (Reply, bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut asked_again = false;
    loop {
        match ask().await {
            Some(reply) if reply.status != 503 || Instant::now() > deadline => return (reply, asked_again),
            None if Instant::now() > deadline => panic!("no response arrives"),
            _ => asked_again = true,
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

pub fn id(object: &Value) -> String {
    text(object, "id")
}

pub fn text(object: &Value, name: &str) -> String {
    object[name].as_str().unwrap_or_else(|| panic!("no {name} in {object}")).to_owned()
}

/// Converts a time of the server to milliseconds since the Unix epoch.
pub fn millis(instant: &Value) -> i64 {
    instant.as_str().unwrap().parse::<tidings_domain::time::Timestamp>().unwrap().millis()
}

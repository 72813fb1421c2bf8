//! A channel to a provider in both directions: messages are sent with a signature, and signed messages and reports are
//! received once each, in any order.
//!
//! The provider's side is implemented again from the protocol's specification, so the product's code does not test
//! itself.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::support::{Client, Receiver, Reply, Server, Store};

/// Returns the base64 of HMAC-SHA256 over `id.timestamp.body`.
fn signature(secret: &str, id: &str, timestamp: &str, body: &[u8]) -> String {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let content = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat();
    format!("v1,{}", STANDARD.encode(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &content)))
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

#[derive(Clone, Copy)]
enum Conduct {
    /// Responds with 202 and the provider ID `p-` and a number.
    Takes,
    /// Responds with this status and `Retry-After: 0` once, then as usual.
    AnswersOnce(u16),
    /// Reads the request and closes the connection.
    BreaksOff,
}

struct Got {
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

/// A provider: a socket with just enough HTTP to misbehave.
struct Provider {
    url: String,
    got: mpsc::UnboundedReceiver<Got>,
}

impl Provider {
    async fn start(conduct: Conduct) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/messages", listener.local_addr().unwrap());
        let (tell, got) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut number = 0;
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
                let (headers, body) = loop {
                    let read = stream.read(&mut chunk).await.unwrap();
                    bytes.extend_from_slice(&chunk[..read]);
                    let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else { continue };
                    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
                    let headers: BTreeMap<String, String> = head
                        .lines()
                        .filter_map(|line| line.split_once(": "))
                        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                        .collect();
                    let length: usize = headers["content-length"].parse().unwrap();
                    if bytes.len() >= end + 4 + length {
                        break (headers, bytes[end + 4..].to_vec());
                    }
                };
                number += 1;
                let answer = match conduct {
                    Conduct::BreaksOff => String::new(),
                    Conduct::AnswersOnce(status) if number == 1 => {
                        format!(
                            "HTTP/1.1 {status} No\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                        )
                    }
                    Conduct::Takes | Conduct::AnswersOnce(_) => {
                        let body = json!({"provider_message_id": format!("p-{number}")}).to_string();
                        let length = body.len();
                        format!("HTTP/1.1 202 Accepted\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
                    }
                };
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = tell.send(Got { headers, body });
            }
        });
        Self { url, got }
    }

    async fn next(&mut self) -> Got {
        let waiting = tokio::time::timeout(std::time::Duration::from_secs(60), self.got.recv());
        waiting.await.expect("the provider received no request").unwrap()
    }
}

/// A connected `http` channel, from the provider's side.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    secret: String,
    inbound: String,
}

impl Line {
    async fn open(server: &Server, provider: &Provider) -> Self {
        let client = server.client();
        let body = json!({"kind": "http", "name": "Ours", "is_default": true, "config": {"url": provider.url}});
        let made = client.post("/api/v1/channels", &body).await.expect(201);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        let (channel, secret, inbound) = (text("id"), text("secret"), text("inbound_path"));
        assert_eq!((&made["status"], &made["connected_at"]), (&json!("connecting"), &Value::Null));
        assert_eq!(client.get(&inbound).await.status, 405, "this provider does not verify the URL");
        let connect = format!("/api/v1/channels/{channel}/connect");
        let connected = client.call("POST", &connect, None).await.expect(200);
        assert_eq!(connected["status"], "connected");
        assert!(connected.get("secret").is_none(), "the secret is shown only at creation");
        assert_eq!(connected["inbound_path"], inbound.as_str());
        let writer = client.with_key(Some(&server.new_key(&server.workspace, "write")));
        let reader = client.with_key(Some(&server.new_key(&server.workspace, "read")));
        for path in [format!("/api/v1/channels/{channel}"), "/api/v1/channels".to_owned()] {
            let (written, read) = (writer.get(&path).await, reader.get(&path).await);
            written.expect(200);
            assert!(written.text.contains(&inbound) && written.text.contains(&provider.url), "{path}");
            read.expect(200);
            assert!(!read.text.contains("inbound_path") && !read.text.contains(&provider.url), "{path}: {}", read.text);
        }
        let events = reader.get("/api/v1/events?types=channel.connected").await;
        assert!(!events.text.contains(&provider.url), "{}", events.text);
        Self { nobody: client.with_key(None), client, channel, secret, inbound }
    }

    /// Sends an inbound request with a signature that is `age` seconds old.
    async fn signed(&self, body: &Value, age: i64) -> Reply {
        let bytes = body.to_string().into_bytes();
        let timestamp = (now() as i64 - age).to_string();
        let signature = signature(&self.secret, "in-1", &timestamp, &bytes);
        self.raw(&bytes, &timestamp, &signature).await
    }

    async fn raw(&self, bytes: &[u8], timestamp: &str, signature: &str) -> Reply {
        let headers = [
            ("content-type", "application/json"),
            ("webhook-id", "in-1"),
            ("webhook-timestamp", timestamp),
            ("webhook-signature", signature),
        ];
        self.nobody.send("POST", &self.inbound, &headers, Some(bytes.to_vec())).await.unwrap()
    }

    async fn says(&self, id: &str, address: &str, text: &str) -> Reply {
        let from = json!({"address": address, "name": "Ada"});
        self.signed(&json!({"type": "message", "id": id, "from": from, "text": text}), 0).await
    }

    async fn reports(&self, name: &str, status: &str) -> Reply {
        self.signed(&json!({"type": "status", "provider_message_id": name, "status": status}), 0).await
    }

    async fn only_contact(&self) -> Value {
        let list = self.client.get("/api/v1/contacts").await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
        list["data"][0].clone()
    }

    async fn only_conversation(&self) -> Value {
        let list = self.client.get("/api/v1/conversations").await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
        list["data"][0].clone()
    }

    fn messages(conversation: &Value) -> String {
        format!("/api/v1/conversations/{}/messages?sort=created_at", conversation["id"].as_str().unwrap())
    }
}

/// Lists the supported types, with the schema of their channels' configuration.
async fn channel_types_describe_their_configuration(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    let list = client.get("/api/v1/channel-types").await.expect(200);
    let [sandbox, http, telegram, whatsapp, sms, email] = &list["data"].as_array().unwrap()[..] else {
        panic!("{list}")
    };
    assert_eq!((&telegram["kind"], &telegram["limits"]["unit"]), (&json!("telegram"), &json!("utf16")));
    assert_eq!(telegram["secrets_schema"]["required"], json!(["bot_token"]));
    assert_eq!((&whatsapp["kind"], &whatsapp["limits"]["unit"]), (&json!("whatsapp"), &json!("characters")));
    assert_eq!(whatsapp["fixed"], json!(["phone_number_id", "waba_id"]));
    assert_eq!(whatsapp["secrets_schema"]["required"], json!(["access_token", "app_secret"]));
    assert_eq!((&sms["kind"], &sms["limits"]["unit"]), (&json!("sms"), &json!("characters")));
    assert_eq!(sms["config_schema"]["required"], json!(["account_sid"]));
    assert_eq!(sms["fixed"], json!(["provider", "account_sid", "from", "messaging_service_sid"]));
    assert_eq!(sms["secrets_schema"]["properties"]["api_key"]["required"], json!(["sid", "secret"]));
    assert_eq!((&email["kind"], &email["config_schema"]["required"]), (&json!("email"), &json!(["from", "smtp"])));
    assert_eq!(email["fixed"], json!(["from.address"]));
    let smtp = &email["config_schema"]["properties"]["smtp"];
    assert_eq!((&smtp["type"], &smtp["required"]), (&json!("object"), &json!(["host"])));
    assert_eq!((&sandbox["kind"], &sandbox["config_schema"]["properties"]), (&json!("sandbox"), &json!({})));
    assert_eq!((&http["kind"], &http["title"], &http["fixed"]), (&json!("http"), &json!("HTTP"), &json!([])));
    assert_eq!(http["config_schema"]["required"], json!(["url"]));
    assert_eq!(http["config_schema"]["properties"]["url"]["maxLength"], 2_048);
    let url = "https://example.com/messages";
    for (body, pointer, code) in [
        (json!({"kind": "http"}), "/config/url", "required"),
        (json!({"kind": "http", "config": {"url": ""}}), "/config/url", "blank"),
        (json!({"kind": "http", "config": {"url": url, "way": "polling"}}), "/config/way", "unknown_field"),
        (json!({"kind": "http", "config": {"url": url, "mode": "webhook"}}), "/config/mode", "not_allowed"),
        (json!({"kind": "http", "config": {"url": url}, "secrets": {"a": "b"}}), "/secrets/a", "unknown_field"),
        (json!({"kind": "sandbox", "config": {"url": url}}), "/config/url", "not_allowed"),
    ] {
        let wrong = client.post("/api/v1/channels", &body).await.expect(422);
        assert_eq!(
            (&wrong["errors"][0]["pointer"], &wrong["errors"][0]["code"]),
            (&json!(pointer), &json!(code)),
            "{body}"
        );
    }
    let sandbox = client.post("/api/v1/channels", &json!({"kind": "sandbox"})).await.expect(201);
    assert_eq!((&sandbox["name"], &sandbox["config"]), (&json!("Sandbox"), &json!({"url": null})));
    let path = format!("/api/v1/channels/{}", sandbox["id"].as_str().unwrap());
    let patch = json!({"config": {"url": url}});
    let wrong = client.call("PATCH", &path, Some(&patch)).await.expect(422);
    assert_eq!(wrong["errors"][0]["message"], "`config.url` is only allowed for `http` channels");
    let patch = json!({"secrets": {"bot_token": "1:a"}});
    let wrong = client.call("PATCH", &path, Some(&patch)).await.expect(422);
    assert_eq!(wrong["errors"][0]["pointer"], "/secrets/bot_token");
}

async fn two_concurrent_first_messages_create_one_contact(store: Store) {
    let server = Server::start(store, &[]);
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.created", "conversation.created", "message.received"]});
    server.client().post("/api/v1/webhooks", &hook).await.expect(201);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;

    let (one, two, again) = futures::join!(
        line.says("m1", "+4930", "Hello"),
        line.says("m2", "+4930", "Anyone?"),
        line.says("m1", "+4930", "Hello")
    );
    let mut statuses = [one.status, two.status, again.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 202, 202], "{} {} {}", one.text, two.text, again.text);
    assert_eq!(one.json(), again.json());
    line.says("m2", "+4930", "Anyone?").await.expect(200);

    let contact = line.only_contact().await;
    assert_eq!((&contact["first_name"], &contact["identities"][0]["address"]), (&json!("Ada"), &json!("+4930")));
    let conversation = line.only_conversation().await;
    // No flow handles the messages, so the conversation is open; its handler is still the bot.
    let path = format!("/api/v1/conversations/{}", conversation["id"].as_str().unwrap());
    let conversation = line.client.until(&path, |it| it["status"] == "open").await;
    assert_eq!(
        (&conversation["handler"], &conversation["assignee_id"]),
        (&json!("bot"), &Value::Null),
        "{conversation}"
    );
    assert_eq!(conversation["unread_count"], 2);
    assert!(conversation["waiting_since"].is_string());
    let list = line.client.get(&Line::messages(&conversation)).await.expect(200);
    let said: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["provider_message_id"]).collect();
    assert_eq!(said.len(), 2, "{list}");
    assert!(
        list["data"].as_array().unwrap().iter().all(|it| it["status"] == "received" && it["direction"] == "inbound")
    );
    let told = receiver.until("four events", |received| received.len() >= 4).await;
    let mut kinds: Vec<String> = told.iter().map(crate::support::receiver::Received::kind).collect();
    kinds.sort();
    assert_eq!(kinds, ["contact.created", "conversation.created", "message.received", "message.received"]);

    let read = format!("/api/v1/conversations/{}/read", conversation["id"].as_str().unwrap());
    assert_eq!(line.client.call("POST", &read, None).await.expect(200)["unread_count"], 0);
}

async fn a_message_keeps_the_referral_of_its_provider(store: Store) {
    let server = Server::start(store, &[]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let of = |id: &str, referral: Value| json!({"type": "message", "id": id, "from": {"address": "+4930"}, "text": "Hi", "referral": referral});
    let accepted = line.signed(&of("m1", json!({"source": "link", "ref": "spring"})), 0).await.expect(202);
    let path = format!("/api/v1/messages/{}", accepted["message_id"].as_str().unwrap());
    let shown = json!({"source": "link", "ref": "spring", "url": null, "ad_id": null, "headline": null});
    assert_eq!(line.client.get(&path).await.expect(200)["referral"], shown);
    let refused = line.signed(&of("m2", json!({"ref": "spring"})), 0).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/referral/source", "{refused}");
}

async fn a_message_names_the_one_that_it_answers(store: Store) {
    let server = Server::start(store, &[]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let said = |id: &str, from: &str, answered: Value| json!({"type": "message", "id": id, "from": {"address": from}, "text": "Hi", "reply_to": answered});
    let first = line.signed(&said("m1", "+4930", Value::Null), 0).await.expect(202);
    for (id, from, answered, expected) in [
        ("m2", "+4930", json!("m1"), first["message_id"].clone()),
        ("m3", "+4930", json!("unknown"), Value::Null),
        ("m4", "+4931", json!("m1"), Value::Null),
    ] {
        let accepted = line.signed(&said(id, from, answered), 0).await.expect(202);
        let path = format!("/api/v1/messages/{}", accepted["message_id"].as_str().unwrap());
        assert_eq!(line.client.get(&path).await.expect(200)["reply_to"], expected, "{id}");
    }
    let refused = line.signed(&said("m5", "+4930", json!("")), 0).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/reply_to", "{refused}");

    let list = line.client.get("/api/v1/conversations?sort=created_at").await.expect(200);
    let path = |index: usize| format!("/api/v1/conversations/{}/messages", list["data"][index]["id"].as_str().unwrap());
    let answer = json!({"type": "text", "text": "Hello", "reply_to": first["message_id"]});
    assert_eq!(line.client.post(&path(0), &answer).await.expect(202)["reply_to"], first["message_id"]);
    let refused = line.client.post(&path(1), &answer).await.expect(422);
    let error = &refused["errors"][0];
    assert_eq!((&error["pointer"], &error["code"]), (&json!("/reply_to"), &json!("unknown_message")));
}

async fn rejects_unsigned_messages_and_stores_nothing(store: Store) {
    let server = Server::start(store, &[("TIDINGS__LIMITS__INBOUND", "4")]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let body = json!({"type": "message", "id": "m1", "from": {"address": "+4930"}, "text": "Hello"});
    let bytes = body.to_string().into_bytes();
    let timestamp = now().to_string();
    let right = signature(&line.secret, "in-1", &timestamp, &bytes);
    let other = signature("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "in-1", &timestamp, &bytes);
    let tampered = [&bytes[..bytes.len() - 1], b" }"].concat();
    for reply in [
        line.raw(&bytes, &timestamp, &other).await,
        line.raw(&tampered, &timestamp, &right).await,
        line.raw(&bytes, &(now() + 1).to_string(), &right).await,
        line.raw(&bytes, &timestamp, "v1,AAAA").await,
        line.signed(&body, 301).await,
        // In the future. A few seconds pass until it arrives.
        line.signed(&body, -360).await,
        line.nobody.post(&line.inbound, &body).await,
    ] {
        assert_eq!((reply.status, reply.code().as_str()), (401, "invalid_signature"), "{}", reply.text);
    }
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));
    // Signed, but invalid.
    let wrong = line.signed(&json!({"type": "message", "id": "", "text": 1, "zzz": 1}), 0).await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let large = line.signed(&json!({"type": "message", "text": "x".repeat(3 * 1024 * 1024)}), 0).await;
    assert_eq!(large.status, 413);
    let elsewhere = line.nobody.post("/inbound/2Yxq0PqLkZ0m8mF9eUuB3VJr7sT1wXyZaAbBcCdDeEf", &body).await;
    assert_eq!(elsewhere.status, 404);
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));
    // Without a valid signature, a stranger uses up only the limit of such requests.
    let mut refused = line.nobody.post(&line.inbound, &body).await;
    for _ in 0..120 {
        refused = line.nobody.post(&line.inbound, &body).await;
    }
    assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"));
    line.says("m1", "+4930", "Hello").await.expect(202);
    for _ in 0..2 {
        line.says("m1", "+4930", "Hello").await;
    }
    let reply = line.says("m2", "+4930", "Hello").await;
    assert_eq!((reply.status, reply.code().as_str()), (429, "rate_limited"));
    assert!(reply.header("retry-after").is_some());
}

/// Starts a server of files, which returns one picture to each request. Returns its address.
async fn pictures() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 8_192];
            let _ = stream.read(&mut request).await;
            let length = PICTURE.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(&[head.as_bytes(), PICTURE].concat()).await;
        }
    });
    url
}

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n0123456789";

async fn stores_the_files_of_a_message(store: Store) {
    let server = Server::start(store, &[]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let files = json!([{"url": format!("{}/1", pictures().await), "name": "../cat.png", "mime_type": "image/png"}]);
    let body = json!({"type": "message", "id": "m1", "from": {"address": "+4930"}, "attachments": files});
    line.signed(&body, 0).await.expect(202);
    line.signed(&body, 0).await.expect(200);
    let conversation = line.only_conversation().await;
    let is_stored = |list: &Value| list["data"][0]["attachments"][0]["status"] != "pending";
    let list = line.client.until(&Line::messages(&conversation), is_stored).await;
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    let message = &list["data"][0];
    assert_eq!((&message["type"], &message["text"]), (&json!("image"), &Value::Null));
    let file = &message["attachments"][0];
    assert_eq!((&file["name"], &file["mime_type"]), (&json!("cat.png"), &json!("image/png")));
    let stored = line.client.get(file["url"].as_str().unwrap()).await;
    assert_eq!((stored.status, stored.bytes.as_slice()), (200, PICTURE));
}

async fn accepts_a_replaced_secret_until_its_overlap_ends(store: Store) {
    let server = Server::start(store, &[]);
    let mut provider = Provider::start(Conduct::Takes).await;
    let mut line = Line::open(&server, &provider).await;
    let rotate = format!("/api/v1/channels/{}/rotate-secret", line.channel);
    let rotated = line.client.post(&rotate, &json!({"overlap": "PT1H"})).await.expect(200);
    line.says("m1", "+4930", "Hello").await.expect(202);
    let old = std::mem::replace(&mut line.secret, rotated["secret"].as_str().unwrap().to_owned());
    assert_ne!(line.secret, old);
    line.says("m2", "+4930", "Hello").await.expect(202);
    let conversation = line.only_conversation().await;
    let reply = json!({"type": "text", "text": "Hi"});
    let messages = format!("/api/v1/conversations/{}/messages", conversation["id"].as_str().unwrap());
    line.client.post(&messages, &reply).await.expect(202);
    let got = provider.next().await;
    let header = |name: &str| got.headers[name].as_str();
    let expected = signature(&line.secret, header("webhook-id"), header("webhook-timestamp"), &got.body);
    assert_eq!(header("webhook-signature"), expected, "the new secret signs at once");
    line.client.post(&rotate, &json!({"overlap": "PT0S"})).await.expect(200);
    assert_eq!(line.says("m3", "+4930", "Hello").await.status, 401);
    line.secret = old;
    assert_eq!(line.says("m3", "+4930", "Hello").await.status, 401);
    let shown = line.client.get(&format!("/api/v1/channels/{}", line.channel)).await.expect(200);
    assert!(shown.get("secret").is_none(), "{shown}");
}

async fn sends_signed_messages_and_accepts_reports_in_any_order(store: Store) {
    let server = Server::start(store, &[]);
    let receiver = Receiver::start();
    let kinds = json!(["message.sent", "message.delivered", "message.read", "message.failed", "conversation.resolved"]);
    server.client().post("/api/v1/webhooks", &json!({"url": receiver.url, "events": kinds})).await.expect(201);
    let mut provider = Provider::start(Conduct::Takes).await;
    let line = Line::open(&server, &provider).await;
    line.says("m1", "+4930", "Hello").await.expect(202);
    let conversation = line.only_conversation().await;
    let path = format!("/api/v1/conversations/{}", conversation["id"].as_str().unwrap());

    let note = line.client.post(&format!("{path}/messages"), &json!({"type": "note", "text": "Who is she?"})).await;
    let note = note.expect(202);
    assert_eq!(
        (&note["status"], &note["direction"], &note["private"]),
        (&json!("noted"), &json!("internal"), &json!(true))
    );
    let reply = json!({"type": "text", "text": "Zoë 🦀", "quick_replies": [{"title": "Yes"}]});
    let reply = line.client.post(&format!("{path}/messages"), &reply).await.expect(202);
    let got = provider.next().await;
    let header = |name: &str| got.headers[name].as_str();
    assert_eq!(header("webhook-id"), reply["id"].as_str().unwrap());
    let expected = signature(&line.secret, header("webhook-id"), header("webhook-timestamp"), &got.body);
    assert_eq!(header("webhook-signature"), expected);
    let body: Value = serde_json::from_slice(&got.body).unwrap();
    assert_eq!((&body["type"], &body["to"]), (&json!("message"), &json!({"address": "+4930"})));
    assert_eq!((&body["message"]["text"], &body["message"]["id"]), (&json!("Zoë 🦀"), &reply["id"]));
    let sent = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["status"] == "sent");
    line.client.until(&Line::messages(&conversation), sent).await;

    line.reports("p-9", "read").await.expect(404);
    line.reports("p-1", "read").await.expect(202);
    for late in ["read", "delivered", "failed"] {
        line.reports("p-1", late).await.expect(200);
    }
    let list = line.client.get(&Line::messages(&conversation)).await.expect(200);
    let statuses: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["status"]).collect();
    assert_eq!(statuses, ["received", "noted", "read"], "the contact's message, the note and the reply");

    for expected in [json!("resolved"), json!("resolved")] {
        let resolved = line.client.call("POST", &format!("{path}/resolve"), None).await.expect(200);
        assert_eq!((&resolved["status"], &resolved["handler"]), (&expected, &json!("bot")));
    }
    line.says("m2", "+4930", "One more thing").await.expect(202);
    let again = line.client.until(&path, |it| it["status"] == "open").await;
    assert_eq!((&again["handler"], &again["reopen_count"]), (&json!("bot"), &json!(1)));
    let told = receiver.until("three events", |received| received.len() >= 3).await;
    let mut kinds: Vec<String> = told.iter().map(crate::support::receiver::Received::kind).collect();
    kinds.sort();
    assert_eq!(kinds, ["conversation.resolved", "message.read", "message.sent"]);
}

async fn marks_interrupted_sends_uncertain_and_sends_once(store: Store) {
    let server = Server::start(store, &[]);
    let mut provider = Provider::start(Conduct::BreaksOff).await;
    let line = Line::open(&server, &provider).await;
    line.says("m1", "+4930", "Hello").await.expect(202);
    let conversation = line.only_conversation().await;
    let path = format!("/api/v1/conversations/{}/messages", conversation["id"].as_str().unwrap());
    for text in ["first", "second"] {
        line.client.post(&path, &json!({"type": "text", "text": text})).await.expect(202);
    }
    let uncertain =
        |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "uncertain").count();
    let list = line.client.until(&Line::messages(&conversation), |list| uncertain(list) == 2).await;
    let texts = [provider.next().await, provider.next().await].map(|got| {
        let body: Value = serde_json::from_slice(&got.body).unwrap();
        body["message"]["text"].clone()
    });
    assert_eq!(texts, ["first", "second"], "each message is sent once, in order");
    assert!(provider.got.try_recv().is_err(), "nothing was sent a second time");
    let first = list["data"].as_array().unwrap().iter().find(|it| it["text"] == "first").unwrap();
    line.reports(first["id"].as_str().unwrap(), "delivered").await.expect(202);
}

async fn opted_out_contacts_get_nothing_until_they_opt_in(store: Store) {
    let server = Server::start(store, &[]);
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.unsubscribed"]});
    server.client().post("/api/v1/webhooks", &hook).await.expect(201);
    let mut provider = Provider::start(Conduct::AnswersOnce(503)).await;
    let line = Line::open(&server, &provider).await;
    line.says("m1", "+4930", "Hello").await.expect(202);
    line.says("m2", "+4930", " stop").await.expect(202);
    let contact = line.only_contact().await;
    assert_eq!((&contact["identities"][0]["opted_in"], &contact["subscribed"]), (&json!(false), &json!(true)));
    let send = format!("/api/v1/contacts/{}/send-message", contact["id"].as_str().unwrap());
    let hello = json!({"type": "text", "text": "Hello"});
    let suppressed = line.client.post(&send, &hello).await.expect(202);
    assert_eq!((&suppressed["status"], &suppressed["error"]["code"]), (&json!("suppressed"), &json!("unsubscribed")));
    assert_eq!(suppressed["channel_id"], line.channel.as_str(), "the last used channel is chosen");
    line.says("m3", "+4930", "START").await.expect(202);
    line.client.post(&send, &hello).await.expect(202);
    let told = receiver.until("the event", |received| !received.is_empty()).await;
    let data = &told[0].envelope()["data"];
    assert_eq!((&data["source"], &data["channel_id"]), (&json!("keyword"), &json!(line.channel)));
    // The provider was unavailable for a moment; the message was still delivered, with one ID.
    let ids = [provider.next().await, provider.next().await].map(|got| got.headers["webhook-id"].clone());
    assert_eq!(ids[0], ids[1]);
    let conversation = line.only_conversation().await;
    let sent = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["status"] == "sent");
    line.client.until(&Line::messages(&conversation), sent).await;

    let off = format!("/api/v1/channels/{}/disconnect", line.channel);
    assert_eq!(line.client.call("POST", &off, None).await.expect(200)["status"], "disconnected");
    let held = line.client.post(&send, &hello).await.expect(202);
    assert_eq!(held["error"]["code"], "channel_disconnected");
}

on_both! {
    channel_types_describe_their_configuration,
    two_concurrent_first_messages_create_one_contact,
    a_message_keeps_the_referral_of_its_provider,
    a_message_names_the_one_that_it_answers,
    rejects_unsigned_messages_and_stores_nothing,
    stores_the_files_of_a_message,
    accepts_a_replaced_secret_until_its_overlap_ends,
    sends_signed_messages_and_accepts_reports_in_any_order,
    marks_interrupted_sends_uncertain_and_sends_once,
    opted_out_contacts_get_nothing_until_they_opt_in,
}

//! A `telegram` channel in both directions: set-up, messages of contacts, a flow with choices, opt-outs and errors.
//!
//! The Bot API is implemented again from its documentation, so the product's code does not test itself.

mod bodies;
mod changes;
mod files;
mod first_messages;
mod killed;
mod limits;
mod outage;
mod polling;
mod revoked_token;
mod stopped_parts;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::support::{Client, Receiver, Reply, Server, Store};

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const RENEWED: &str = "110201543:BBHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const OTHER: &str = "220201543:CCHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const PUBLIC: (&str, &str) = ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example");
const SECRET: &str = "x-telegram-bot-api-secret-token";
/// The text that confirms an opt-out.
const CONFIRMATION: &str =
    "Sie sind abgemeldet und erhalten hier keine Nachrichten mehr. Mit START melden Sie sich wieder an.";
/// The method of a request for a file.
const FILE: &str = "file";

/// A call of a bot: its token, the method and the body.
#[derive(Clone)]
struct Call {
    token: String,
    method: String,
    body: Value,
}

#[derive(Default)]
struct Bots {
    calls: Vec<Call>,
    /// The webhooks, by token.
    webhooks: Vec<(String, Value)>,
    /// Responses to the next calls of `sendMessage`.
    faults: VecDeque<(u16, Value)>,
    /// Tokens that are not valid any more.
    revoked: Vec<String>,
    /// The next responses to requests for files, as sent by HTTP.
    files: VecDeque<Vec<u8>>,
    /// The updates that wait for `getUpdates`, by bot.
    updates: Vec<(String, Value)>,
    /// Calls of `sendMessage` and requests for files are answered one by one, as permits are added.
    gate: Option<Arc<Semaphore>>,
}

impl Bots {
    /// Returns the status and the body of the response.
    fn answer(&mut self, call: &Call) -> (u16, Value) {
        let ok = |result: Value| (200, json!({"ok": true, "result": result}));
        if ![TOKEN, RENEWED, OTHER].contains(&call.token.as_str()) || self.revoked.contains(&call.token) {
            return (401, json!({"ok": false, "error_code": 401, "description": "Unauthorized"}));
        }
        let bot = call.token.split(':').next().unwrap();
        match call.method.as_str() {
            "getMe" => {
                ok(json!({"id": bot.parse::<u64>().unwrap(), "is_bot": true, "username": format!("b{bot}_bot")}))
            }
            "setWebhook" => {
                self.webhooks.retain(|(own, _)| own != bot);
                self.webhooks.push((bot.to_owned(), call.body.clone()));
                ok(json!(true))
            }
            "deleteWebhook" => {
                self.webhooks.retain(|(own, _)| own != bot);
                ok(json!(true))
            }
            "getWebhookInfo" => {
                let url = self.webhook(bot).map_or(json!(""), |webhook| webhook["url"].clone());
                ok(json!({"url": url, "pending_update_count": 0}))
            }
            "getUpdates" if self.webhook(bot).is_some() => {
                let why = "Conflict: can't use getUpdates method while webhook is active";
                (409, json!({"ok": false, "error_code": 409, "description": why}))
            }
            "getUpdates" => {
                let (offset, limit) = (call.body["offset"].as_i64(), call.body["limit"].as_u64().unwrap());
                self.updates.retain(|(own, update)| own != bot || update["update_id"].as_i64() >= offset);
                let waiting = self.updates.iter().filter(|(own, _)| own == bot).map(|(_, update)| update.clone());
                ok(waiting.take(limit as usize).collect())
            }
            "sendMessage" => match self.faults.pop_front() {
                Some(fault) => fault,
                None => ok(json!({"message_id": 100 + self.calls.len(), "text": call.body["text"]})),
            },
            "answerCallbackQuery" | "editMessageReplyMarkup" => ok(json!(true)),
            "getFile" if call.body["file_id"] == "large" => {
                (400, json!({"ok": false, "error_code": 400, "description": "Bad Request: file is too big"}))
            }
            "getFile" => ok(json!({"file_id": call.body["file_id"], "file_path": "documents/file_1"})),
            _ => (404, json!({"ok": false, "error_code": 404, "description": "Not Found"})),
        }
    }

    fn webhook(&self, bot: &str) -> Option<&Value> {
        self.webhooks.iter().find(|(own, _)| own == bot).map(|(_, webhook)| webhook)
    }
}

/// A Bot API server.
struct BotApi {
    url: String,
    bots: Arc<Mutex<Bots>>,
}

impl BotApi {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let bots = Arc::new(Mutex::new(Bots::default()));
        let shared = Arc::clone(&bots);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { url, bots }
    }

    fn webhook(&self, token: &str) -> Option<Value> {
        self.bots.lock().unwrap().webhook(token.split(':').next().unwrap()).cloned()
    }

    fn fail_next(&self, status: u16, body: Value) {
        self.bots.lock().unwrap().faults.push_back((status, body));
    }

    /// Waits for this number of calls of a method; returns all of them.
    async fn called(&self, method: &str, count: usize) -> Vec<Call> {
        for _ in 0..1_200 {
            let calls: Vec<Call> =
                self.bots.lock().unwrap().calls.iter().filter(|call| call.method == method).cloned().collect();
            if calls.len() >= count {
                return calls;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no {count} calls of {method}");
    }
}

async fn serve(mut stream: TcpStream, bots: Arc<Mutex<Bots>>) {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
    let call = loop {
        let read = stream.read(&mut chunk).await.unwrap();
        if read == 0 {
            return;
        }
        bytes.extend_from_slice(&chunk[..read]);
        let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else { continue };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if bytes.len() < end + 4 + length.unwrap_or(0) {
            continue;
        }
        let path = head.split(' ').nth(1).unwrap();
        let is_file = path.starts_with("/file/");
        let (_, path) = path.split_once("/bot").unwrap();
        let (token, method) = path.split_once('/').unwrap();
        let method = if is_file { FILE } else { method };
        let body = if is_file { Value::Null } else { serde_json::from_slice(&bytes[end + 4..]).unwrap() };
        break Call { token: token.to_owned(), method: method.to_owned(), body };
    };
    let gate = {
        let mut bots = bots.lock().unwrap();
        bots.calls.push(call.clone());
        bots.gate.clone().filter(|_| [FILE, "sendMessage"].contains(&call.method.as_str()))
    };
    if let Some(gate) = gate {
        gate.acquire().await.unwrap().forget();
    }
    if call.method == FILE {
        let file = bots.lock().unwrap().files.pop_front().unwrap();
        stream.write_all(&file).await.unwrap();
        return;
    }
    let (status, body) = bots.lock().unwrap().answer(&call);
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await.unwrap();
}

fn a_channel(api: &BotApi, token: &str) -> Value {
    json!({"kind": "telegram", "name": "Bot", "is_default": true,
           "config": {"mode": "webhook", "base_url": api.url}, "secrets": {"bot_token": token}})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A connected channel, from Telegram's side.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    inbound: String,
    secret: String,
}

impl Line {
    async fn open(server: &Server, api: &BotApi, token: &str) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", &a_channel(api, token)).await;
        assert!(!made.text.contains(token), "{}", made.text);
        let made = made.expect(201);
        assert_eq!(made["status"], "connected", "{made}");
        let webhook = api.webhook(token).unwrap();
        let inbound = text(&made["inbound_path"]);
        assert_eq!(webhook["url"], format!("https://tidings.example{inbound}"));
        assert_eq!(webhook["drop_pending_updates"], false);
        let (channel, secret) = (text(&made["id"]), text(&webhook["secret_token"]));
        Self { nobody: client.with_key(None), client, channel, inbound, secret }
    }

    async fn update(&self, update: &Value) -> Reply {
        self.update_with(update, Some(&self.secret)).await
    }

    async fn update_with(&self, update: &Value, secret: Option<&str>) -> Reply {
        self.post(update.to_string().into_bytes(), secret).await
    }

    async fn post(&self, body: Vec<u8>, secret: Option<&str>) -> Reply {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(secret.map(|secret| (SECRET, secret)));
        self.nobody.send("POST", &self.inbound, &headers, Some(body)).await.unwrap()
    }

    async fn says(&self, id: i64, text: &str) {
        let reply = self.update(&written(id, text)).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""));
    }

    async fn only_contact(&self) -> Value {
        let list = self.client.get("/api/v1/contacts").await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
        list["data"][0].clone()
    }

    /// The path of the messages of the only conversation, oldest first.
    async fn messages(&self) -> String {
        let list = self.client.get("/api/v1/conversations").await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
        format!("/api/v1/conversations/{}/messages?sort=created_at", text(&list["data"][0]["id"]))
    }

    fn path(&self) -> String {
        format!("/api/v1/channels/{}", self.channel)
    }
}

fn chat() -> Value {
    json!({"id": 42, "type": "private", "first_name": "Ada"})
}

fn ada() -> Value {
    json!({"id": 42, "is_bot": false, "first_name": "Ada", "last_name": "King", "language_code": "de"})
}

fn written(id: i64, text: &str) -> Value {
    json!({"update_id": id,
           "message": {"message_id": id, "date": 1_767_225_600, "chat": chat(), "from": ada(), "text": text}})
}

async fn a_channel_is_stored_only_if_telegram_accepts_the_token(store: Store) {
    let mut server = Server::start(store, &[]);
    let api = BotApi::start().await;
    let count = async |client: &Client| {
        let list = client.get("/api/v1/channels").await.expect(200);
        list["data"].as_array().unwrap().iter().filter(|it| it["kind"] == "telegram").count()
    };
    let unknown = server.client().post("/api/v1/channels", &a_channel(&api, TOKEN)).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (409, "no_public_url"), "{}", unknown.text);
    assert!(unknown.text.contains("http.public_url"), "{}", unknown.text);
    assert_eq!(count(&server.client()).await, 0);
    server.kill();
    server.set(PUBLIC.0, PUBLIC.1);
    server.serve();
    let client = server.client();
    for token in ["110201543:wrong", "no token"] {
        let refused = client.post("/api/v1/channels", &a_channel(&api, token)).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!(
            (&error["pointer"], &error["code"]),
            (&json!("/secrets/bot_token"), &json!("rejected")),
            "{refused}"
        );
    }
    let unknown = json!({"kind": "telegram", "config": {"mode": "push"}, "secrets": {"bot_token": TOKEN}});
    let refused = client.post("/api/v1/channels", &unknown).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/config/mode");
    let refused = client.post("/api/v1/channels", &json!({"kind": "telegram"})).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/secrets/bot_token");
    assert_eq!(count(&client).await, 0);
    assert!(api.webhook(TOKEN).is_none());

    let line = Line::open(&server, &api, TOKEN).await;
    let stored = client.get(&line.path()).await.expect(200);
    assert_eq!((&stored["config"]["bot_username"], &stored["kind"]), (&json!("b110201543_bot"), &json!("telegram")));
    let again = client.post("/api/v1/channels", &a_channel(&api, TOKEN)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "account_in_use"), "{}", again.text);
    assert_eq!(again.json()["existing_id"], line.channel.as_str());
    let tested = client.call("POST", &format!("{}/test", line.path()), None).await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(200)), "{tested}");

    // The token is replaced by a new one of the same bot.
    let patch = async |token: &str| {
        let body = json!({"secrets": {"bot_token": token}});
        client.call("PATCH", &line.path(), Some(&body)).await
    };
    assert_eq!(patch("110201543:wrong").await.expect(422)["errors"][0]["code"], "rejected");
    assert_eq!(patch(OTHER).await.expect(422)["errors"][0]["code"], "immutable");
    patch(RENEWED).await.expect(200);
    api.bots.lock().unwrap().revoked.push(TOKEN.to_owned());
    let webhook = api.webhook(RENEWED).unwrap();
    assert_eq!(webhook["secret_token"], line.secret.as_str(), "the secret of the webhook stays");
    line.says(1, "Hello").await;

    let turn = async |to: &str| client.call("POST", &format!("{}/{to}", line.path()), None).await;
    assert_eq!(turn("disconnect").await.expect(200)["status"], "disconnected");
    assert!(api.webhook(RENEWED).is_none());
    assert_eq!(turn("connect").await.expect(200)["status"], "connected");
    assert!(api.webhook(RENEWED).is_some());
    let version = turn("connect").await.expect(200)["version"].clone();
    assert_eq!(client.get(&line.path()).await.expect(200)["version"], version);
    api.bots.lock().unwrap().revoked.push(RENEWED.to_owned());
    let failed = turn("connect").await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    assert_eq!((&failed.json()["step"], &failed.json()["provider_code"]), (&json!("get_me"), &json!("401")));
    let tested = turn("test").await.expect(200);
    assert_eq!(tested["succeeded"], false, "{tested}");
    // The test makes the server look again at once. New messages wait until an admin has replaced the token.
    let lost = client.until(&line.path(), |it| it["status"] == "disconnected").await;
    assert_eq!(lost["health"]["problems"][0]["code"], "invalid_token", "{lost}");
    let has_reason = |it: &Value| {
        let events = it["data"].as_array().unwrap();
        events.iter().any(|event| event["data"]["reason"] == "invalid_token")
    };
    client.until("/api/v1/events?types=channel.disconnected", has_reason).await;
    api.bots.lock().unwrap().revoked.clear();
    let back = turn("connect").await.expect(200);
    assert_eq!((&back["status"], &back["health"]["state"]), (&json!("connected"), &json!("ok")), "{back}");
    let deleted = client.delete(&format!("{}?force=true", line.path())).await;
    assert!([200, 204].contains(&deleted.status), "{}", deleted.text);
    assert!(api.webhook(RENEWED).is_none());
    for token in [TOKEN, RENEWED, OTHER] {
        assert!(!server.log().contains(token.split(':').nth(1).unwrap()), "the log contains a token");
    }
}

async fn only_requests_with_the_secret_are_accepted(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let (line, other) = (Line::open(&server, &api, TOKEN).await, Line::open(&server, &api, OTHER).await);
    assert_ne!(line.secret, other.secret);
    for secret in [None, Some(""), Some("wrong"), Some(other.secret.as_str()), Some(TOKEN)] {
        let refused = line.update_with(&written(1, "Hello"), secret).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "invalid_signature"), "{secret:?}");
    }
    let headers = [("content-type", "application/json"), (SECRET, line.secret.as_str())];
    let body = Some(written(1, "Hello").to_string().into_bytes());
    let elsewhere = "/inbound/2Yxq0PqLkZ0m8mF9eUuB3VJr7sT1wXyZaAbBcCdDeEf";
    assert_eq!(line.nobody.send("POST", elsewhere, &headers, body).await.unwrap().status, 404);
    // A signed request that is not understood is kept for admins, and Telegram does not repeat it.
    let unknown = json!({"message": {}, "access_token": "a-token-of-nobody", "text": line.secret});
    let reply = line.update(&unknown).await;
    assert_eq!((reply.status, reply.text.as_str()), (200, ""));
    let unparsed = format!("{}/unparsed", line.path());
    let list = line.client.get(&format!("{unparsed}?include=total")).await.expect(200);
    assert_eq!((&list["total"], &list["total_is_capped"]), (&json!(1), &json!(false)));
    let [kept] = list["data"].as_array().unwrap().as_slice() else { panic!("expected one request: {list}") };
    assert_eq!(kept["reason"], "the body has no `update_id`");
    assert_eq!(kept["size"], unknown.to_string().len());
    let excerpt = text(&kept["excerpt"]);
    assert!(excerpt.contains("\"message\":{}"), "{excerpt}");
    assert!(!excerpt.contains("a-token-of-nobody") && !excerpt.contains(&line.secret), "{excerpt}");
    let writer = line.client.with_key(Some(&server.new_key(&server.workspace, "write")));
    assert_eq!(writer.get(&unparsed).await.code(), "insufficient_scope");
    assert_eq!(line.client.get(&format!("{}/unparsed", other.path())).await.expect(200)["data"], json!([]));
    let group = json!({"id": -7, "type": "group"});
    let ignored = json!({"update_id": 2, "message": {"chat": group, "from": ada(), "text": "Hello"}});
    assert_eq!(line.update(&ignored).await.status, 200);
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));

    let (one, two) = (written(3, "Hello"), written(3, "Hello"));
    let (one, two) = futures::join!(line.update(&one), line.update(&two));
    assert_eq!((one.status, two.status), (200, 200), "{} {}", one.text, two.text);
    line.says(3, "Hello").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    let contact = line.only_contact().await;
    let names = [&contact["first_name"], &contact["last_name"], &contact["locale"]];
    assert_eq!(names, [&json!("Ada"), &json!("King"), &json!("de")]);
    assert_eq!(contact["identities"][0]["address"], "42");

    // Cleared attributes are filled again; others stay.
    let path = format!("/api/v1/contacts/{}", text(&contact["id"]));
    let cleared = json!({"first_name": "Augusta", "last_name": null});
    line.client.call("PATCH", &path, Some(&cleared)).await.expect(200);
    let photo = json!({"update_id": 4, "message": {"chat": chat(), "from": ada(), "photo": [{}], "caption": "My cat"}});
    assert_eq!(line.update(&photo).await.status, 200);
    let contact = line.only_contact().await;
    assert_eq!((&contact["first_name"], &contact["last_name"]), (&json!("Augusta"), &json!("King")));
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"][1]["text"], "[photo] My cat");
}

async fn a_flow_asks_and_a_button_answers(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    let nodes = json!([
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Which *colour*?"}, "expect": "select",
         "options": ["Red", "Blue"], "save_to": "vars.colour", "next": "say"},
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "{{ vars.colour }}!"}, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let triggers = json!([{"type": "keyword", "match": "exact", "keywords": ["/start spring"]}]);
    let definition = json!({"start": "ask", "triggers": triggers, "nodes": nodes});
    line.client.publish_flow("Colours", &definition).await;

    line.says(1, "/start spring").await;
    let asked = api.called("sendMessage", 1).await.remove(0).body;
    assert_eq!((&asked["chat_id"], &asked["text"]), (&json!(42), &json!("Which *colour*?")));
    assert!(asked.get("parse_mode").is_none());
    let keyboard = &asked["reply_markup"]["inline_keyboard"];
    assert_eq!((&keyboard[0][0]["text"], &keyboard[1][0]["text"]), (&json!("Red"), &json!("Blue")));
    let message = json!({"message_id": 101, "chat": chat(), "reply_markup": asked["reply_markup"]});
    let query = json!({"id": "77", "from": ada(), "message": message, "data": keyboard[1][0]["callback_data"]});
    let pressed = json!({"update_id": 2, "callback_query": query});
    assert_eq!(line.update(&pressed).await.status, 200);
    let sent = api.called("sendMessage", 2).await;
    assert_eq!(sent[1].body["text"], "Blue!");
    let answered = api.called("answerCallbackQuery", 1).await;
    assert_eq!(answered[0].body["callback_query_id"], "77");
    let is_sent =
        |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "sent").count() == 2;
    let list = line.client.until(&line.messages().await, is_sent).await;
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["/start spring", "Which *colour*?", "Blue", "Blue!"]);
    assert!(list["data"][1]["provider_message_id"].is_string(), "{list}");
}

async fn errors_and_opt_outs(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.unsubscribed"]});
    line.client.post("/api/v1/webhooks", &hook).await.expect(201);
    line.says(1, "Hello").await;
    let contact = line.only_contact().await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let hello = json!({"type": "text", "text": "Hello"});
    let opted_in = async || line.only_contact().await["identities"][0]["opted_in"].clone();

    // Telegram asks to wait, then accepts the message.
    let wait = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 1",
                      "parameters": {"retry_after": 1}});
    api.fail_next(429, wait);
    let message = line.client.post(&send, &hello).await.expect(202);
    let path = line.messages().await;
    let has = |id: &Value, status: &'static str| {
        let id = id.clone();
        move |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["id"] == id && it["status"] == status)
    };
    line.client.until(&path, has(&message["id"], "sent")).await;
    assert_eq!(api.called("sendMessage", 2).await.len(), 2);

    // Telegram may have sent the message.
    api.fail_next(500, json!({"ok": false, "error_code": 500, "description": "Request aborted"}));
    let message = line.client.post(&send, &hello).await.expect(202);
    line.client.until(&path, has(&message["id"], "uncertain")).await;

    line.says(2, "stop").await;
    assert_eq!(opted_in().await, false);
    let confirmed = api.called("sendMessage", 4).await;
    assert_eq!(confirmed[3].body["text"], CONFIRMATION, "in the language of Ada's app");
    let is_confirmation = |it: &Value| it["sender"] == json!({"type": "system"}) && it["status"] == "sent";
    line.client.until(&path, |list| list["data"].as_array().unwrap().iter().any(is_confirmation)).await;
    assert_eq!(line.client.post(&send, &hello).await.expect(202)["error"]["code"], "unsubscribed");
    line.says(3, "/start").await;
    assert_eq!(opted_in().await, true);

    // The contact blocked the bot, and the next message meets it.
    let blocked = json!({"ok": false, "error_code": 403, "description": "Forbidden: bot was blocked by the user"});
    api.fail_next(403, blocked);
    let message = line.client.post(&send, &hello).await.expect(202);
    let list = line.client.until(&path, has(&message["id"], "failed")).await;
    let failed = list["data"].as_array().unwrap().iter().find(|it| it["id"] == message["id"]).unwrap();
    assert_eq!(failed["error"]["code"], "blocked");
    assert_eq!(opted_in().await, false);
    line.says(4, "/start").await;
    assert_eq!(opted_in().await, true);
    let status = |status: &str| json!({"status": status});
    let change = json!({"chat": chat(), "from": ada(), "old_chat_member": status("member"),
                        "new_chat_member": status("kicked")});
    let blocked = json!({"update_id": 5, "my_chat_member": change});
    assert_eq!(line.update(&blocked).await.status, 200);
    assert_eq!(opted_in().await, false);
    line.says(6, "/start").await;
    assert_eq!(line.update(&blocked).await.status, 200);
    assert_eq!(opted_in().await, true, "a repeated update has no effect");
    let change = |old: &str, new: &str| {
        json!({"chat": chat(), "from": ada(), "old_chat_member": status(old),
               "new_chat_member": status(new)})
    };
    for (id, old, new, expected) in [(7, "member", "kicked", false), (8, "kicked", "member", true)] {
        let update = json!({"update_id": id, "my_chat_member": change(old, new)});
        assert_eq!(line.update(&update).await.status, 200);
        assert_eq!(opted_in().await, expected, "an unblock ends the opt-out of the block");
    }
    let told = receiver.until("four events", |received| received.len() >= 4).await;
    let mut sources: Vec<String> = told.iter().map(|it| text(&it.envelope()["data"]["source"])).collect();
    sources.sort();
    assert_eq!(sources, ["keyword", "provider", "provider", "provider"]);
    assert_eq!(api.called("sendMessage", 5).await.len(), 5);
}

/// Telegram accepts the first of two parts, and asks to wait before the second one.
async fn a_later_try_begins_at_the_refused_part(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    line.says(1, "Hello").await;
    let contact = line.only_contact().await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let wait = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 1",
                      "parameters": {"retry_after": 1}});
    api.fail_next(200, json!({"ok": true, "result": {"message_id": 901}}));
    api.fail_next(429, wait);
    // 4,097 UTF-16 code units.
    let long = json!({"type": "text", "text": format!("1{}", "🦀".repeat(2_048))});
    let message = line.client.post(&send, &long).await.expect(202);
    assert_eq!(message["parts"].as_array().unwrap().len(), 1, "a queued message is not divided yet: {message}");
    let path = line.messages().await;
    let list = line.client.until(&path, |list| list["data"][1]["error"]["part"] == 1).await;
    let waiting = &list["data"][1];
    assert_eq!((&waiting["status"], &waiting["provider_message_id"]), (&json!("sending"), &Value::Null), "{waiting}");
    let parts = &waiting["parts"];
    assert_eq!((&parts[0]["status"], &parts[0]["provider_message_id"]), (&json!("sent"), &json!("901")), "{parts}");
    assert_eq!((&parts[1]["status"], &parts[1]["error"]["code"]), (&json!("pending"), &json!("provider_unavailable")));
    let list = line.client.until(&path, |list| list["data"][1]["status"] == "sent").await;
    let sent = &list["data"][1];
    assert_eq!((&sent["error"], &sent["parts"][1]["status"]), (&Value::Null, &json!("sent")), "{sent}");
    assert_eq!(sent["provider_message_id"], sent["parts"][1]["provider_message_id"], "{sent}");
    let calls = api.called("sendMessage", 3).await;
    let starts: Vec<bool> = calls.iter().map(|call| text(&call.body["text"]).starts_with('1')).collect();
    assert_eq!(starts, [true, false, false], "the first part is sent once");
}

on_both! {
    first_messages_of_a_stranger_create_one_contact in first_messages,
    messages_wait_while_the_token_is_revoked in revoked_token,
    bodies_are_read_up_to_their_limit in bodies,
    requests_over_the_limit_are_answered_503 in limits,
    files_are_pending_until_they_are_fetched in files,
    an_opt_out_between_two_parts_stops_the_message in stopped_parts,
    a_kill_during_the_call_leaves_its_part_uncertain in killed,
    a_polled_bot_loses_and_repeats_no_message in polling,
    a_webhook_of_another_program_stops_the_polls in polling,
    a_paused_workspace_receives_messages in polling,
    a_channel_is_stored_only_if_telegram_accepts_the_token,
    only_requests_with_the_secret_are_accepted,
    a_flow_asks_and_a_button_answers,
    errors_and_opt_outs,
    a_later_try_begins_at_the_refused_part,
    a_contact_comes_by_a_link_edits_and_reacts in changes,
}

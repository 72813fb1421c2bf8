//! A `whatsapp` channel in both directions: set-up, messages of contacts, a flow with choices, reports and errors.
//!
//! The Graph API is implemented again from its documentation, so the product's code does not test itself.

mod bodies;
mod changes;
mod early_reports;
mod erasure;
mod first_messages;
mod marketing;
mod revoked_token;
mod rotated_secret;
mod templates;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ring::hmac;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::support::{Client, Reply, Server, Store};

const TOKEN: &str = "EAAJBr1o8ZBxYBAKqs2ZCv";
const APP_SECRET: &str = "614fc2afde15eee07a26b2fe3eaee9b9";
const NUMBER: &str = "106540352242922";
const ACCOUNT: &str = "102290129340398";
const PUBLIC: (&str, &str) = ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example");

/// A call: the method and the path without the version, the token, and the body.
#[derive(Debug, Clone)]
struct Call {
    line: String,
    token: String,
    body: Value,
}

#[derive(Default)]
struct Meta {
    calls: Vec<Call>,
    /// The override of the phone number.
    callback: Option<String>,
    /// Responses to the next calls of `messages`.
    faults: VecDeque<(u16, Value)>,
    /// Calls of `messages` are answered one by one, as permits are added.
    gate: Option<Arc<Semaphore>>,
    is_revoked: bool,
    /// The address of the server, which Meta knows by its public URL.
    server: String,
}

/// A Graph API server with one phone number.
struct GraphApi {
    url: String,
    meta: Arc<Mutex<Meta>>,
}

fn error(code: i64) -> Value {
    json!({"error": {"message": format!("(#{code}) It failed"), "type": "OAuthException", "code": code}})
}

impl GraphApi {
    async fn start(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let meta = Arc::new(Mutex::new(Meta { server: server.base.clone(), ..Meta::default() }));
        let shared = Arc::clone(&meta);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { url, meta }
    }

    fn callback(&self) -> Option<String> {
        self.meta.lock().unwrap().callback.clone()
    }

    fn fail_next(&self, status: u16, code: i64) {
        self.meta.lock().unwrap().faults.push_back((status, error(code)));
    }

    /// Waits for this number of sent messages; returns the bodies of all of them.
    async fn sent(&self, count: usize) -> Vec<Value> {
        for _ in 0..1_200 {
            let calls = self.meta.lock().unwrap().calls.clone();
            let sent = calls.into_iter().filter(|call| call.line.ends_with("/messages"));
            let sent: Vec<Value> = sent.map(|call| call.body).collect();
            if sent.len() >= count {
                return sent;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no {count} messages were sent");
    }
}

/// Checks a callback address as Meta does: it must return the challenge.
async fn accepts_the_challenge(server: &str, webhook: &Value) -> bool {
    let url = webhook["override_callback_uri"].as_str().unwrap().replace(PUBLIC.1, server);
    let query =
        format!("hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token={}", text(&webhook["verify_token"]));
    let answer = reqwest::Client::new().get(format!("{url}?{query}")).send().await.unwrap();
    answer.status() == 200 && answer.text().await.unwrap() == "1158201444"
}

async fn respond(call: &Call, meta: &Mutex<Meta>) -> (u16, Value) {
    let (is_revoked, server) = {
        let meta = meta.lock().unwrap();
        (meta.is_revoked, meta.server.clone())
    };
    if call.token != TOKEN || is_revoked {
        return (401, error(190));
    }
    let success = (200, json!({"success": true}));
    let line = call.line.split('?').next().unwrap();
    if line == format!("GET /{NUMBER}") {
        let callback = meta.lock().unwrap().callback.clone();
        let configuration = json!({"application": "https://app.example/webhook", "phone_number": callback});
        let number = json!({"id": NUMBER, "display_phone_number": "+49 171 1234567", "verified_name": "Acme",
                            "quality_rating": "GREEN", "webhook_configuration": configuration});
        return (200, number);
    }
    if line == format!("POST /{NUMBER}") {
        let webhook = &call.body["webhook_configuration"];
        if webhook["override_callback_uri"] == "" {
            meta.lock().unwrap().callback = None;
        } else if accepts_the_challenge(&server, webhook).await {
            meta.lock().unwrap().callback = webhook["override_callback_uri"].as_str().map(str::to_owned);
        } else {
            return (400, error(2_200));
        }
        return success;
    }
    if line == format!("POST /{ACCOUNT}/subscribed_apps") {
        return success;
    }
    if line == format!("GET /{ACCOUNT}/message_templates") {
        let body = json!({"type": "BODY", "text": "Hello {{1}}, your order is ready."});
        let template = json!({"name": "order_ready", "language": "en", "category": "UTILITY", "status": "APPROVED",
                              "components": [body]});
        return (200, json!({"data": [template], "paging": {"cursors": {"before": "a", "after": "b"}}}));
    }
    if line != format!("POST /{NUMBER}/messages") {
        return (400, error(100));
    }
    let mut meta = meta.lock().unwrap();
    if let Some(fault) = meta.faults.pop_front() {
        return fault;
    }
    let contacts = json!([{"input": call.body["to"], "wa_id": call.body["to"]}]);
    let messages = json!([{"id": format!("wamid.{}", meta.calls.len())}]);
    (200, json!({"messaging_product": "whatsapp", "contacts": contacts, "messages": messages}))
}

async fn serve(mut stream: TcpStream, meta: Arc<Mutex<Meta>>) {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
    let call = loop {
        let read = stream.read(&mut chunk).await.unwrap();
        if read == 0 {
            return;
        }
        bytes.extend_from_slice(&chunk[..read]);
        let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else { continue };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let member = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
        };
        let length: usize = member("content-length").map_or(0, |length| length.parse().unwrap());
        if bytes.len() < end + 4 + length {
            continue;
        }
        let line = head.lines().next().unwrap().rsplit_once(' ').unwrap().0.replace("/v25.0/", "/");
        let token = member("authorization").unwrap().replace("Bearer ", "");
        break Call { line, token, body: serde_json::from_slice(&bytes[end + 4..]).unwrap_or_default() };
    };
    let gate = {
        let mut meta = meta.lock().unwrap();
        meta.calls.push(call.clone());
        meta.gate.clone().filter(|_| call.line.ends_with("/messages"))
    };
    if let Some(gate) = gate {
        gate.acquire().await.unwrap().forget();
    }
    let (status, body) = respond(&call, &meta).await;
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await.unwrap();
}

fn a_channel(api: &GraphApi) -> Value {
    json!({"kind": "whatsapp", "name": "WhatsApp", "is_default": true,
           "config": {"phone_number_id": NUMBER, "waba_id": ACCOUNT, "base_url": api.url},
           "secrets": {"access_token": TOKEN, "app_secret": APP_SECRET}})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn signature(secret: &str, body: impl AsRef<[u8]>) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body.as_ref());
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={digits}")
}

/// A connected channel, from the side of WhatsApp.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    inbound: String,
}

impl Line {
    async fn open(server: &Server, api: &GraphApi) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", &a_channel(api)).await;
        assert!(!made.text.contains(TOKEN) && !made.text.contains(APP_SECRET), "{}", made.text);
        let made = made.expect(201);
        let (channel, inbound) = (text(&made["id"]), text(&made["inbound_path"]));
        let line = Self { nobody: client.with_key(None), client, channel, inbound };
        assert_eq!(line.turn("connect").await.expect(200)["status"], "connected");
        assert_eq!(api.callback(), Some(format!("https://tidings.example{}", line.inbound)));
        line
    }

    fn path(&self) -> String {
        format!("/api/v1/channels/{}", self.channel)
    }

    async fn turn(&self, to: &str) -> Reply {
        self.client.call("POST", &format!("{}/{to}", self.path()), None).await
    }

    async fn post(&self, body: impl AsRef<[u8]>, signature: Option<&str>) -> Reply {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(signature.map(|signature| ("x-hub-signature-256", signature)));
        self.nobody.send("POST", &self.inbound, &headers, Some(body.as_ref().to_vec())).await.unwrap()
    }

    /// Delivers values of changes, each with the phone number of its message.
    async fn deliver(&self, values: &[Value]) {
        let changes: Vec<Value> = values.iter().map(|value| json!({"field": "messages", "value": value})).collect();
        let body = json!({"object": "whatsapp_business_account", "entry": [{"id": ACCOUNT, "changes": changes}]});
        // Meta escapes slashes, so the signature is only right over the raw body.
        let body = body.to_string().replace('/', "\\/");
        let reply = self.post(&body, Some(&signature(APP_SECRET, &body))).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""));
    }

    async fn says(&self, id: &str, words: &str) {
        self.deliver(&[written(NUMBER, id, &json!({"type": "text", "text": {"body": words}}))]).await;
    }

    async fn report(&self, status: Value) {
        self.deliver(&[with_metadata(NUMBER, json!({"statuses": [status]}))]).await;
    }

    /// The kept requests that were not understood.
    async fn unparsed(&self) -> Vec<Value> {
        let list = self.client.get(&format!("{}/unparsed", self.path())).await.expect(200);
        list["data"].as_array().unwrap().clone()
    }

    async fn contacts(&self) -> Vec<Value> {
        let list = self.client.get("/api/v1/contacts?sort=created_at").await.expect(200);
        list["data"].as_array().unwrap().clone()
    }

    /// The only conversation.
    async fn conversation(&self) -> Value {
        let list = self.client.get("/api/v1/conversations").await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
        list["data"][0].clone()
    }

    /// The path of the messages of the only conversation, oldest first.
    async fn messages(&self) -> String {
        format!("/api/v1/conversations/{}/messages?sort=created_at", text(&self.conversation().await["id"]))
    }

    /// Waits until a message has this status; returns it.
    async fn until(&self, path: &str, id: &Value, status: &str) -> Value {
        let is_it = |it: &Value| it["id"] == *id && it["status"] == status;
        let list = self.client.until(path, |list| list["data"].as_array().unwrap().iter().any(is_it)).await;
        list["data"].as_array().unwrap().iter().find(|it| it["id"] == *id).unwrap().clone()
    }
}

fn with_metadata(number: &str, members: Value) -> Value {
    let mut value = json!({"messaging_product": "whatsapp",
                           "metadata": {"display_phone_number": "491711234567", "phone_number_id": number}});
    value.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    value
}

/// The value of a change with one message to a phone number.
fn written(number: &str, id: &str, members: &Value) -> Value {
    let mut message = json!({"from": "5491123456789", "from_user_id": "AR.1349", "id": id, "timestamp": "1767225600"});
    message.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let contact = json!({"profile": {"name": "Ada"}, "wa_id": "5491123456789", "user_id": "AR.1349"});
    with_metadata(number, json!({"contacts": [contact], "messages": [message]}))
}

async fn a_channel_is_stored_first_and_connected_by_its_check(store: Store) {
    let mut server = Server::start(store, &[]);
    let api = GraphApi::start(&server).await;
    let made = server.client().post("/api/v1/channels", &a_channel(&api)).await.expect(201);
    assert_eq!((&made["status"], &made["capabilities"]["receipts"]), (&json!("connecting"), &json!(true)));
    assert!(api.meta.lock().unwrap().calls.is_empty(), "no call is made before the channel is stored");
    let path = format!("/api/v1/channels/{}", text(&made["id"]));
    let refused = server.client().call("POST", &format!("{path}/connect"), None).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "no_public_url"), "{}", refused.text);
    server.client().delete(&path).await;
    server.kill();
    server.set(PUBLIC.0, PUBLIC.1);
    server.serve();
    api.meta.lock().unwrap().server = server.base.clone();

    let line = Line::open(&server, &api).await;
    let stored = line.client.get(&line.path()).await.expect(200);
    assert_eq!(stored["config"]["display_phone_number"], "+49 171 1234567");
    let again = line.client.post("/api/v1/channels", &a_channel(&api)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "account_in_use"), "{}", again.text);
    let version = line.turn("connect").await.expect(200)["version"].clone();
    assert_eq!(line.client.get(&line.path()).await.expect(200)["version"], version);
    let tested = line.turn("test").await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(200)), "{tested}");
    let patch = async |body: Value| line.client.call("PATCH", &line.path(), Some(&body)).await;
    let fixed = patch(json!({"config": {"phone_number_id": "1"}})).await.expect(422);
    assert_eq!(fixed["errors"][0]["code"], "immutable", "{fixed}");
    let wrong = patch(json!({"secrets": {"access_token": "EAAJwrong"}})).await.expect(422);
    assert_eq!(
        (&wrong["errors"][0]["pointer"], &wrong["errors"][0]["code"]),
        (&json!("/secrets/access_token"), &json!("rejected"))
    );

    // A request with another token is no check of Meta.
    for query in ["", "?hub.mode=subscribe&hub.challenge=1&hub.verify_token=guess"] {
        let asked = line.nobody.send("GET", &format!("{}{query}", line.inbound), &[], None).await.unwrap();
        assert_eq!((asked.status, asked.text.as_str()), (403, ""), "{query}");
    }
    assert_eq!(line.turn("disconnect").await.expect(200)["status"], "disconnected");
    assert_eq!(api.callback(), None);
    api.meta.lock().unwrap().is_revoked = true;
    let failed = line.turn("connect").await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    assert_eq!((&failed.json()["step"], &failed.json()["provider_code"]), (&json!("read_number"), &json!("190")));
    assert_eq!(line.turn("test").await.expect(200)["succeeded"], false);
    for secret in [TOKEN, APP_SECRET, "EAAJwrong"] {
        assert!(!server.log().contains(secret), "the log contains a secret");
    }
}

async fn only_signed_requests_are_accepted(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let value = written(NUMBER, "wamid.a", &json!({"type": "text", "text": {"body": "Hello"}}));
    let body = json!({"entry": [{"changes": [{"field": "messages", "value": value}]}]}).to_string();
    let (other, right) = (signature(TOKEN, &body), signature(APP_SECRET, &body));
    let written_again = format!("{body} ");
    for (body, signature) in [
        (&body, None),
        (&body, Some("")),
        (&body, Some("sha256=00")),
        (&body, Some(other.as_str())),
        (&written_again, Some(right.as_str())),
    ] {
        let refused = line.post(body, signature).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "invalid_signature"), "{signature:?}");
    }
    assert_eq!(line.contacts().await, Vec::<Value>::new());
    let nonsense = "{}";
    let kept = line.post(nonsense, Some(&signature(APP_SECRET, nonsense))).await;
    assert_eq!(kept.status, 200, "a signed request that is not understood is kept: {}", kept.text);
    assert_eq!(line.unparsed().await.len(), 1);

    // One request has messages of two numbers; another repeats one of them.
    let of = |number: &str, id: &str| written(number, id, &json!({"type": "text", "text": {"body": id}}));
    line.deliver(&[of(NUMBER, "wamid.1"), of("999", "wamid.9"), of(NUMBER, "wamid.2")]).await;
    let (one, two) = ([of(NUMBER, "wamid.2"), of(NUMBER, "wamid.3")], [of(NUMBER, "wamid.3")]);
    futures::join!(line.deliver(&one), line.deliver(&two));
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["wamid.1", "wamid.2", "wamid.3"]);
    let contacts = line.contacts().await;
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    assert_eq!((&contact["first_name"], &contact["phone"]), (&json!("Ada"), &json!("+5491123456789")));
    let identity = json!({
        "channel_id": line.channel, "address": "5491123456789", "aliases": ["AR.1349"], "opted_in": true,
        "opt_out": null, "undeliverable_since": null});
    assert_eq!(contact["identities"], json!([identity]));

    // The same contact without the number, and with the number in its other spelling.
    let hidden = json!({"from": null, "id": "wamid.4", "type": "text", "text": {"body": "Hi"}});
    let mut value = written(NUMBER, "wamid.4", &hidden);
    value["contacts"][0]["wa_id"] = Value::Null;
    let other = json!({"from": "541123456789", "from_user_id": null, "type": "text", "text": {"body": "Hi"}});
    let mut other = written(NUMBER, "wamid.5", &other);
    other["contacts"] = json!([]);
    line.deliver(&[value, other]).await;
    assert_eq!(line.contacts().await.len(), 1);

    // A new number becomes the address of the contact.
    let system = json!({
        "type": "user_changed_number", "wa_id": "5491123450000", "user_id": "AR.77", "previous_user_id": "AR.1349"});
    let renumbered = written(NUMBER, "wamid.6", &json!({"type": "system", "system": system}));
    line.deliver(&[renumbered.clone(), renumbered]).await;
    let contacts = line.contacts().await;
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    let aliases = ["5491123456789", "AR.1349", "AR.77"];
    let identity = json!({
        "channel_id": line.channel, "address": "5491123450000", "aliases": aliases, "opted_in": true,
        "opt_out": null, "undeliverable_since": null});
    assert_eq!(contact["identities"], json!([identity]));
}

async fn a_flow_asks_and_a_button_answers(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let nodes = json!([
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Which *colour*?"}, "expect": "select",
         "options": ["Red", "Blue"], "save_to": "vars.colour", "next": "say"},
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "{{ vars.colour }}!"}, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let triggers = json!([{"type": "keyword", "match": "exact", "keywords": ["spring"]}]);
    let flow = json!({"name": "Colours", "definition": {"start": "ask", "triggers": triggers, "nodes": nodes}});
    let flow = line.client.post("/api/v1/flows", &flow).await.expect(201);
    line.client.post(&format!("/api/v1/flows/{}/publish", text(&flow["id"])), &json!({})).await.expect(200);

    line.says("wamid.1", "spring").await;
    let asked = api.sent(1).await.remove(0);
    assert_eq!((&asked["to"], &asked["type"]), (&json!("5491123456789"), &json!("interactive")));
    assert_eq!(asked["interactive"]["body"]["text"], "Which *colour*?");
    let blue = &asked["interactive"]["action"]["buttons"][1]["reply"];
    assert_eq!(blue["title"], "Blue");
    let reply = json!({"type": "interactive", "interactive": {"type": "button_reply", "button_reply": blue}});
    line.deliver(&[written(NUMBER, "wamid.2", &reply)]).await;
    let sent = api.sent(2).await;
    assert_eq!((&sent[1]["text"]["body"], &sent[1]["type"]), (&json!("Blue!"), &json!("text")));
    let path = line.messages().await;
    let list = line.client.until(&path, |list| list["data"][3]["status"] == "sent").await;
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["spring", "Which *colour*?", "Blue", "Blue!"]);

    // Reports name the message by its ID at WhatsApp, or by what the message carried.
    let last = &list["data"][3];
    let by_id = |status: &str| json!({"id": last["provider_message_id"], "status": status, "timestamp": "1767225600"});
    line.report(by_id("delivered")).await;
    line.until(&path, &last["id"], "delivered").await;
    line.report(by_id("sent")).await;
    let carried = &sent[1]["biz_opaque_callback_data"];
    line.report(json!({"id": "wamid.other", "status": "read", "biz_opaque_callback_data": carried})).await;
    line.until(&path, &last["id"], "read").await;
    // A report on a message of another system is ignored.
    line.report(json!({"id": "wamid.unknown", "status": "read"})).await;

    // A button of an older message still names its message.
    line.deliver(&[written(NUMBER, "wamid.3", &reply)]).await;
    let list = line.client.get(&path).await.expect(200);
    let (offer, pressed) = (&list["data"][1], &list["data"][4]);
    assert_eq!(pressed["choice"], json!({"title": "Blue", "payload": null, "message_id": offer["id"]}), "{list}");
}

async fn errors_and_the_reply_window(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let hello = json!({"type": "text", "text": "Hello"});

    // A contact who has not written only gets templates.
    let identity = json!({"channel_id": line.channel, "address": "491711234567"});
    let silent = json!({"phone": "+491711234567", "identities": [identity]});
    let silent = line.client.post("/api/v1/contacts", &silent).await.expect(201);
    let send = format!("/api/v1/contacts/{}/send-message", text(&silent["id"]));
    let message = line.client.post(&send, &hello).await.expect(202);
    let path = line.messages().await;
    assert_eq!(line.conversation().await["window_expires_at"], Value::Null);
    let message = line.until(&path, &message["id"], "suppressed").await;
    assert_eq!(message["error"]["code"], "window_closed");
    let template =
        json!({"type": "template", "template": {"name": "hello", "language": "de", "parameters": {"1": "Ada"}}});
    let message = line.client.post(&send, &template).await.expect(202);
    line.until(&path, &message["id"], "sent").await;
    let sent = api.sent(1).await;
    assert_eq!((&sent[0]["type"], &sent[0]["template"]["language"]["code"]), (&json!("template"), &json!("de")));
    let with_fallback = json!({"type": "text", "text": "Hello", "fallback": {"template": template["template"]}});
    let message = line.client.post(&send, &with_fallback).await.expect(202);
    let message = line.until(&path, &message["id"], "sent").await;
    assert_eq!((&message["type"], &message["text"]), (&json!("template"), &Value::Null), "{message}");
    assert_eq!(api.sent(2).await[1]["template"], sent[0]["template"]);
    line.client.delete(&format!("/api/v1/contacts/{}", text(&silent["id"]))).await;

    line.says("wamid.1", "Hello").await;
    let contacts = line.contacts().await;
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let list = line.client.get(&format!("/api/v1/conversations?contact_id={}", text(&contact["id"]))).await.expect(200);
    let conversation = &list["data"][0];
    assert!(conversation["window_expires_at"].is_string(), "{list}");
    let path = format!("/api/v1/conversations/{}/messages?sort=created_at", text(&conversation["id"]));
    for (status, code, expected, error) in [
        (400, 131_026, "failed", "undeliverable"),
        (400, 131_047, "suppressed", "window_closed"),
        (400, 131_050, "suppressed", "marketing_stopped"),
        (500, 131_000, "uncertain", "outcome_unknown"),
    ] {
        api.fail_next(status, code);
        let message = line.client.post(&send, &hello).await.expect(202);
        let message = line.until(&path, &message["id"], expected).await;
        assert_eq!(message["error"]["code"], error, "{message}");
        if expected != "suppressed" {
            let of_provider = (&message["error"]["provider_code"], &message["error"]["http_status"]);
            assert_eq!(of_provider, (&json!(code.to_string()), &json!(status)), "{message}");
        }
        if expected == "uncertain" {
            let carried = format!("{}:0/1", text(&message["id"]));
            line.report(json!({"id": "wamid.late", "status": "sent", "biz_opaque_callback_data": carried})).await;
            line.until(&path, &message["id"], "sent").await;
        }
    }
    let message = line.client.post(&send, &hello).await.expect(202);
    let message = line.until(&path, &message["id"], "sent").await;
    let errors = json!([{"code": 131_049, "title": "Not delivered"}]);
    line.report(json!({"id": message["provider_message_id"], "status": "failed", "errors": errors})).await;
    let message = line.until(&path, &message["id"], "failed").await;
    assert_eq!(message["error"]["code"], "provider_limit");
    assert_eq!(message["error"]["provider_code"], "131049");
    line.says("wamid.2", "STOP").await;
    assert_eq!(line.client.post(&send, &hello).await.expect(202)["error"]["code"], "unsubscribed");
    let sent = api.sent(8).await;
    assert_eq!(sent.len(), 8);
    let confirmation = text(&sent[7]["text"]["body"]);
    assert!(confirmation.starts_with("You are unsubscribed"), "{confirmation}");
}

on_both! {
    first_messages_of_a_stranger_create_one_contact in first_messages,
    reports_before_the_answer_count in early_reports,
    bodies_are_read_up_to_their_limit in bodies,
    messages_wait_while_the_token_is_revoked in revoked_token,
    a_replaced_app_secret_is_accepted_until_its_overlap_ends in rotated_secret,
    an_erasure_leaves_nothing_of_a_contact in erasure,
    a_contact_stops_and_resumes_marketing_messages in marketing,
    templates_are_listed_from_a_copy in templates,
    a_channel_is_stored_first_and_connected_by_its_check,
    only_signed_requests_are_accepted,
    a_flow_asks_and_a_button_answers,
    errors_and_the_reply_window,
    a_contact_comes_by_an_advertisement_edits_and_deletes in changes,
}

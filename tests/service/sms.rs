//! An `sms` channel in both directions: set-up, signed messages of contacts, a flow with numbered choices, reports,
//! opt-outs and errors.
//!
//! Twilio's API and its signature are implemented again from their documentation, so the product's code does not test
//! itself.

mod bodies;
mod first_messages;
mod missed;
mod reports;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use url::form_urlencoded;

use crate::support::{Client, Receiver, Reply, Server, Store};

const SID: &str = "AC0123456789abcdef0123456789abcdef";
const SERVICE: &str = "MG0123456789abcdef0123456789abcdef";
const TOKEN: &str = "first-t0ken-of-the-account";
const RENEWED: &str = "second-t0ken-of-the-account";
const KEY: (&str, &str) = ("SK0123456789abcdef0123456789abcdef", "s3cret-of-the-key");
const NUMBER: &str = "+15005550006";
const OTHER: &str = "+15005550007";
const ADA: &str = "+491711234567";
const PUBLIC: (&str, &str) = ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example");
const OVERRIDES: &str = "#rc=5&rp=all&ct=2000&rt=4000";

type Form = Vec<(String, String)>;

fn member<'f>(form: &'f [(String, String)], name: &str) -> Option<&'f str> {
    form.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

/// An account of Twilio with two numbers and a messaging service.
struct Account {
    token: String,
    status: &'static str,
    /// The addresses of the numbers and of the service.
    addresses: Vec<(String, String)>,
    /// The sent messages.
    messages: Vec<Form>,
    /// The messages of contacts, the newest first.
    received: Vec<Value>,
    /// Responses to the next messages.
    faults: VecDeque<(u16, Value)>,
    /// The messages of all calls, also of those that are not answered yet.
    calls: Vec<Form>,
    /// Calls that send a message are answered one by one, as permits are added.
    gate: Option<Arc<Semaphore>>,
}

impl Account {
    fn address(&self, of: &str) -> String {
        self.addresses.iter().find(|(own, _)| own == of).map(|(_, url)| url.clone()).unwrap_or_default()
    }

    fn is_known(&self, authorization: &str) -> bool {
        let is = |user: &str, password: &str| {
            authorization == format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
        };
        is(SID, &self.token) || is(KEY.0, KEY.1)
    }

    /// Returns the status and the body of the response.
    fn answer(&mut self, (method, path): (&str, &str), authorization: &str, form: Form) -> (u16, Value) {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let of_account = path.strip_prefix(&format!("/2010-04-01/Accounts/{SID}"));
        // An API key cannot read the account.
        let needs_token = of_account == Some(".json");
        let is_key = authorization != format!("Basic {}", STANDARD.encode(format!("{SID}:{}", self.token)));
        if !self.is_known(authorization) || (needs_token && is_key) {
            return (401, json!({"code": 20003, "message": "Authenticate", "status": 401}));
        }
        match (method, of_account.unwrap_or(path)) {
            ("GET", ".json") => {
                let token = self.token.clone();
                (200, json!({"sid": SID, "friendly_name": "Acme", "status": self.status, "auth_token": token}))
            }
            ("GET", "/IncomingPhoneNumbers.json") => {
                let query: Form = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
                let asked = member(&query, "PhoneNumber").unwrap();
                let own = [(NUMBER, "PN6"), (OTHER, "PN7")].into_iter().filter(|(number, _)| *number == asked);
                let numbers: Vec<Value> = own
                    .map(|(number, sid)| json!({"sid": sid, "phone_number": number, "sms_url": self.address(number), "sms_application_sid": ""}))
                    .collect();
                (200, json!({"incoming_phone_numbers": numbers}))
            }
            ("POST", "/IncomingPhoneNumbers/PN6.json" | "/IncomingPhoneNumbers/PN7.json") => {
                let number = if path.contains("PN6") { NUMBER } else { OTHER };
                self.addresses.retain(|(own, _)| own != number);
                self.addresses.push((number.to_owned(), member(&form, "SmsUrl").unwrap().to_owned()));
                (200, json!({"phone_number": number}))
            }
            ("GET", service) if service == format!("/v1/Services/{SERVICE}") => {
                let url = self.address(SERVICE);
                (200, json!({"sid": SERVICE, "inbound_request_url": url, "inbound_method": "POST"}))
            }
            ("GET", "/Messages.json") => {
                let query: Form = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
                let to = member(&query, "To").unwrap();
                let found: Vec<&Value> = self.received.iter().filter(|it| it["to"] == to).collect();
                (200, json!({"messages": found, "next_page_uri": null}))
            }
            ("POST", "/Messages.json") => {
                self.messages.push(form);
                let sid = format!("SM{:032}", self.messages.len());
                self.faults.pop_front().unwrap_or((201, json!({"sid": sid, "status": "queued", "num_segments": "1"})))
            }
            _ => (404, json!({"code": 20404, "message": "The requested resource was not found", "status": 404})),
        }
    }
}

/// A server of Twilio's API.
struct Twilio {
    url: String,
    account: Arc<Mutex<Account>>,
}

impl Twilio {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let account = Account {
            token: TOKEN.to_owned(),
            status: "active",
            addresses: Vec::new(),
            messages: Vec::new(),
            received: Vec::new(),
            faults: VecDeque::new(),
            calls: Vec::new(),
            gate: None,
        };
        let account = Arc::new(Mutex::new(account));
        let shared = Arc::clone(&account);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { url, account }
    }

    fn address(&self, of: &str) -> String {
        self.account.lock().unwrap().address(of)
    }

    fn fail_next(&self, status: u16, code: i64, message: &str) {
        let fault = (status, json!({"code": code, "message": message, "status": status}));
        self.account.lock().unwrap().faults.push_back(fault);
    }

    /// Waits for this number of messages; returns all of them.
    async fn sent(&self, count: usize) -> Vec<Form> {
        for _ in 0..1_200 {
            let messages = self.account.lock().unwrap().messages.clone();
            if messages.len() >= count {
                return messages;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no {count} messages");
    }

    /// Waits for this number of calls that send a message; returns the forms of all of them.
    async fn called(&self, count: usize) -> Vec<Form> {
        for _ in 0..1_200 {
            let calls = self.account.lock().unwrap().calls.clone();
            if calls.len() >= count {
                return calls;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no {count} calls");
    }
}

async fn serve(mut stream: TcpStream, account: Arc<Mutex<Account>>) {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8_192]);
    let (head, form) = loop {
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
        let form: Form = form_urlencoded::parse(&bytes[end + 4..]).into_owned().collect();
        break (head, form);
    };
    let mut words = head.split(' ');
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let authorization = head.lines().find(|line| line.to_lowercase().starts_with("authorization: "));
    let authorization = authorization.map_or("", |line| &line["authorization: ".len()..]);
    let gate = {
        let mut account = account.lock().unwrap();
        let sends = method == "POST" && path.ends_with("/Messages.json");
        account.calls.extend(sends.then(|| form.clone()));
        account.gate.clone().filter(|_| sends)
    };
    if let Some(gate) = gate {
        gate.acquire().await.unwrap().forget();
    }
    let (status, body) = account.lock().unwrap().answer((method, path), authorization, form);
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await.unwrap();
}

fn a_channel(twilio: &Twilio, number: &str, token: &str) -> Value {
    json!({"kind": "sms", "name": "Texts", "is_default": true,
           "config": {"provider": "twilio", "account_sid": SID, "from": number, "base_url": twilio.url},
           "secrets": {"auth_token": token}})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Signs a request: the URL that Twilio calls, and the sorted parameters.
fn sign(token: &str, path: &str, form: &[(&str, &str)]) -> String {
    let mut sorted = form.to_vec();
    sorted.sort_unstable();
    let parameters: String = sorted.into_iter().map(|(name, value)| format!("{name}{value}")).collect();
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    STANDARD.encode(hmac::sign(&key, format!("{}{path}{parameters}", PUBLIC.1).as_bytes()))
}

/// A connected channel, from Twilio's side.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    inbound: String,
}

impl Line {
    async fn open(server: &Server, body: &Value) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", body).await;
        assert!(!made.text.contains(TOKEN) && !made.text.contains(KEY.1), "{}", made.text);
        let made = made.expect(201);
        assert_eq!(made["status"], "connected", "{made}");
        let (channel, inbound) = (text(&made["id"]), text(&made["inbound_path"]));
        Self { nobody: client.with_key(None), client, channel, inbound }
    }

    /// Calls a path below the public URL with this form and signature.
    async fn calls(&self, path: &str, form: &[(&str, &str)], signature: Option<&str>) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let mut headers = vec![("content-type", "application/x-www-form-urlencoded; charset=UTF-8")];
        headers.extend(signature.map(|signature| ("x-twilio-signature", signature)));
        self.nobody.send("POST", path, &headers, Some(body.into_bytes())).await.unwrap()
    }

    async fn signed(&self, path: &str, form: &[(&str, &str)]) {
        let reply = self.calls(path, form, Some(&sign(TOKEN, path, form))).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, "<Response/>"), "{form:?}");
        assert_eq!(reply.headers["content-type"], "text/xml; charset=utf-8");
    }

    async fn says(&self, id: &str, text: &str) {
        self.signed(&self.inbound, &written(id, text)).await;
    }

    /// Reports the status of a sent message at the address that it named.
    async fn reports(&self, sent: &[(String, String)], more: &[(&str, &str)]) {
        let callback = member(sent, "StatusCallback").unwrap();
        let path = callback.strip_prefix(PUBLIC.1).unwrap().split('#').next().unwrap();
        assert!(path.starts_with(&format!("{}?message=msg_", self.inbound)), "{callback}");
        let form = [&[("MessageSid", "SM99"), ("AccountSid", SID), ("To", ADA), ("From", NUMBER)][..], more].concat();
        self.signed(path, &form).await;
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

    /// The kept requests that were not understood.
    async fn unparsed(&self) -> Vec<Value> {
        let list = self.client.get(&format!("{}/unparsed", self.path())).await.expect(200);
        list["data"].as_array().unwrap().clone()
    }

    fn path(&self) -> String {
        format!("/api/v1/channels/{}", self.channel)
    }
}

fn written<'t>(id: &'t str, text: &'t str) -> Vec<(&'t str, &'t str)> {
    vec![
        ("ToCountry", "US"),
        ("MessageSid", id),
        ("AccountSid", SID),
        ("From", ADA),
        ("To", NUMBER),
        ("Body", text),
        ("NumMedia", "0"),
        ("NumSegments", "1"),
        ("FromCity", ""),
    ]
}

async fn a_channel_is_stored_only_if_twilio_accepts_it(store: Store) {
    let mut server = Server::start(store, &[]);
    let twilio = Twilio::start().await;
    let unknown = server.client().post("/api/v1/channels", &a_channel(&twilio, NUMBER, TOKEN)).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (409, "no_public_url"), "{}", unknown.text);
    server.kill();
    server.set(PUBLIC.0, PUBLIC.1);
    server.serve();
    let client = server.client();
    let create = async |change: fn(&mut Value)| {
        let mut body = a_channel(&twilio, NUMBER, TOKEN);
        change(&mut body);
        client.post("/api/v1/channels", &body).await
    };
    type Change = fn(&mut Value);
    let cases: [(Change, &str, &str); 8] = [
        (|it| it["secrets"]["auth_token"] = json!("wrong"), "/secrets/auth_token", "rejected"),
        (|it| it["secrets"] = json!({}), "/secrets/auth_token", "required"),
        (|it| it["secrets"]["api_key"] = json!({"sid": KEY.0}), "/secrets/api_key/secret", "required"),
        (|it| it["secrets"]["api_key"] = json!({"sid": SID, "secret": "x"}), "/secrets/api_key/sid", "invalid_format"),
        (|it| it["config"]["account_sid"] = json!("AC1"), "/config/account_sid", "invalid_format"),
        (|it| it["config"]["from"] = json!("15005550006"), "/config/from", "invalid_format"),
        (|it| it["config"]["messaging_service_sid"] = json!(SERVICE), "/config/messaging_service_sid", "not_allowed"),
        (|it| it["config"]["provider"] = json!("pigeon"), "/config/provider", "invalid_value"),
    ];
    for (change, pointer, code) in cases {
        let refused = create(change).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{refused}");
    }
    let failed = create(|it| it["config"]["from"] = json!("+15005550008")).await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    assert_eq!(failed.json()["step"], "read_number");
    assert_eq!(twilio.address(NUMBER), "");

    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    assert_eq!(twilio.address(NUMBER), format!("{}{}{OVERRIDES}", PUBLIC.1, line.inbound));
    let again = client.post("/api/v1/channels", &a_channel(&twilio, NUMBER, TOKEN)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "account_in_use"), "{}", again.text);
    let other = Line::open(&server, &a_channel(&twilio, OTHER, TOKEN)).await;
    assert_ne!(other.inbound, line.inbound, "two numbers of an account have two channels");

    let turn = async |to: &str| client.call("POST", &format!("{}/{to}", line.path()), None).await;
    let tested = turn("test").await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(200)), "{tested}");
    assert!(!tested.to_string().contains(TOKEN), "Twilio returns the token with the account: {tested}");
    let patch = async |body: Value| client.call("PATCH", &line.path(), Some(&body)).await;
    let fixed = patch(json!({"config": {"from": OTHER}})).await.expect(422);
    assert_eq!(fixed["errors"][0]["code"], "immutable");
    assert_eq!(patch(json!({"secrets": {"auth_token": "wrong"}})).await.expect(422)["errors"][0]["code"], "rejected");
    twilio.account.lock().unwrap().token = RENEWED.to_owned();
    let tested = turn("test").await.expect(200);
    assert_eq!(tested["succeeded"], false, "{tested}");
    patch(json!({"secrets": {"auth_token": RENEWED}})).await.expect(200);
    let form = written("SM1", "Hello");
    let reply = line.calls(&line.inbound, &form, Some(&sign(RENEWED, &line.inbound, &form))).await;
    assert_eq!(reply.status, 200, "{}", reply.text);

    assert_eq!(turn("disconnect").await.expect(200)["status"], "disconnected");
    assert_eq!(twilio.address(NUMBER), "");
    assert_eq!(turn("connect").await.expect(200)["status"], "connected");
    assert!(twilio.address(NUMBER).contains(&line.inbound));
    twilio.account.lock().unwrap().status = "suspended";
    let failed = turn("connect").await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    twilio.account.lock().unwrap().status = "active";
    let deleted = client.delete(&format!("{}?force=true", line.path())).await;
    assert!([200, 204].contains(&deleted.status), "{}", deleted.text);
    assert_eq!(twilio.address(NUMBER), "");
    for secret in [TOKEN, RENEWED, ADA] {
        assert!(!server.log().contains(secret), "the log contains {secret}");
    }
}

async fn a_messaging_service_is_compared_and_not_changed(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let mut body = a_channel(&twilio, NUMBER, TOKEN);
    body["config"].as_object_mut().unwrap().remove("from");
    body["config"]["messaging_service_sid"] = json!(SERVICE);
    body["secrets"]["api_key"] = json!({"sid": KEY.0, "secret": KEY.1});
    let line = Line::open(&server, &body).await;
    let test = async || line.client.call("POST", &format!("{}/test", line.path()), None).await.expect(200);
    let tested = test().await;
    assert!(text(&tested["error"]).contains("messaging service to another address"), "{tested}");
    let url = format!("{}{}", PUBLIC.1, line.inbound);
    twilio.account.lock().unwrap().addresses.push((SERVICE.to_owned(), url));
    assert_eq!(test().await["succeeded"], true);

    let mut form = written("SM1", "Hello");
    form.push(("MessagingServiceSid", SERVICE));
    line.signed(&line.inbound, &form).await;
    let contact = line.only_contact().await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    line.client.post(&send, &json!({"type": "text", "text": "Hi"})).await.expect(202);
    let sent = twilio.sent(1).await.remove(0);
    assert_eq!((member(&sent, "MessagingServiceSid"), member(&sent, "From")), (Some(SERVICE), None));
}

async fn only_signed_requests_are_accepted(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let form = written("SM1", "Hello");
    let right = sign(TOKEN, &line.inbound, &form);
    let wrong = [sign("other", &line.inbound, &form), sign(TOKEN, "/inbound/other", &form), "x".repeat(1_000)];
    let refused = [None, Some(""), Some("wrong")].into_iter().chain(wrong.iter().map(|it| Some(it.as_str())));
    for signature in refused {
        let refused = line.calls(&line.inbound, &form, signature).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "invalid_signature"), "{signature:?}");
    }
    let changed = line.calls(&line.inbound, &written("SM1", "Hallo"), Some(&right)).await;
    assert_eq!(changed.status, 401);
    let moved = line.calls(&format!("{}?message=x", line.inbound), &form, Some(&right)).await;
    assert_eq!(moved.status, 401);
    let elsewhere = "/inbound/2Yxq0PqLkZ0m8mF9eUuB3VJr7sT1wXyZaAbBcCdDeEf";
    assert_eq!(line.calls(elsewhere, &form, Some(&sign(TOKEN, elsewhere, &form))).await.status, 404);
    let no_id = [("Body", "Hello")];
    let kept = line.calls(&line.inbound, &no_id, Some(&sign(TOKEN, &line.inbound, &no_id))).await;
    assert_eq!(kept.status, 200, "a signed request that is not understood is kept: {}", kept.text);
    assert_eq!(line.unparsed().await.len(), 1);
    let to_other: Vec<_> =
        form.iter().map(|(name, value)| (*name, if *name == "To" { OTHER } else { *value })).collect();
    line.signed(&line.inbound, &to_other).await;
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));

    let known = json!({"phone": ADA, "first_name": "Ada"});
    let known = line.client.post("/api/v1/contacts", &known).await.expect(201);
    futures::join!(line.says("SM1", "Hello"), line.says("SM1", "Hello"));
    line.says("SM1", "Hello").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    let contact = line.only_contact().await;
    assert_eq!(contact["id"], known["id"], "the phone number identifies the contact");
    let on_channel = |it: &&Value| it["channel_id"] == line.channel.as_str();
    let identity = contact["identities"].as_array().unwrap().iter().find(on_channel).unwrap();
    assert_eq!(identity["address"], ADA);

    let stranger = [
        ("MessageSid", "SM2"),
        ("From", "+4930901820"),
        ("To", NUMBER),
        ("Body", "Look"),
        ("NumMedia", "1"),
        ("MediaContentType0", "image/png"),
        ("MediaUrl0", "https://api.twilio.com/x"),
    ];
    line.signed(&line.inbound, &stranger).await;
    let list = line.client.get("/api/v1/contacts?phone=%2B4930901820").await.expect(200);
    assert_eq!(list["data"][0]["phone"], "+4930901820", "{list}");
}

async fn a_flow_asks_and_a_number_answers(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let nodes = json!([
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Which colour?"}, "expect": "select",
         "options": ["Red", "Blue"], "save_to": "vars.colour", "next": "say"},
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "{{ vars.colour }}!"}, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let triggers = json!([{"type": "keyword", "match": "exact", "keywords": ["colours"]}]);
    let definition = json!({"start": "ask", "triggers": triggers, "nodes": nodes});
    line.client.publish_flow("Colours", &definition).await;

    let message =
        json!({"type": "text", "text": "Which colour?", "quick_replies": [{"title": "Red"}, {"title": "Blue"}]});
    let preview = format!("{}/preview", line.path());
    let preview = line.client.post(&preview, &json!({"message": message})).await.expect(200);
    let part = json!({"kind": "text", "text": "Which colour?\n1. Red\n2. Blue", "attachment": null});
    assert_eq!(preview["parts"], json!([part]));
    assert_eq!(preview["segments"], json!({"encoding": "gsm7", "count": 1}));
    assert_eq!(
        (&preview["degraded"][0]["what"], &preview["degraded"][0]["to"]),
        (&json!("quick_replies"), &json!("numbered_lines"))
    );

    line.says("SM1", "colours").await;
    let asked = twilio.sent(1).await.remove(0);
    let shown = [member(&asked, "To"), member(&asked, "From"), member(&asked, "Body")];
    assert_eq!(shown, [Some(ADA), Some(NUMBER), Some("Which colour?\n1. Red\n2. Blue")]);
    line.says("SM2", "2").await;
    let sent = twilio.sent(2).await;
    assert_eq!(member(&sent[1], "Body"), Some("Blue!"));

    let path = line.messages().await;
    let are_sent =
        |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "sent").count() == 2;
    let list = line.client.until(&path, are_sent).await;
    assert_eq!(list["data"][1]["provider_message_id"], format!("SM{:032}", 1));
    assert_eq!(list["data"][1]["degraded"], preview["degraded"]);
    assert_eq!(list["data"][1]["segments"], preview["segments"]);
    assert_eq!((&list["data"][0]["degraded"], &list["data"][0]["segments"]), (&json!([]), &Value::Null));
    line.reports(&asked, &[("MessageStatus", "sent")]).await;
    line.reports(&asked, &[("MessageStatus", "delivered")]).await;
    line.reports(&sent[1], &[("MessageStatus", "undelivered"), ("ErrorCode", "30005")]).await;
    let list = line.client.get(&path).await.expect(200);
    let statuses: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["status"]).collect();
    assert_eq!(statuses, ["received", "delivered", "received", "failed"]);
    assert_eq!(list["data"][3]["error"]["code"], "unreachable");
    assert_eq!(list["data"][3]["error"]["provider_code"], "30005");

    // Without a question, the number is the title of the reply, which triggers flows.
    let send = format!("/api/v1/contacts/{}/send-message", text(&line.only_contact().await["id"]));
    let replies = json!([{"title": "Nothing"}, {"title": "Colours", "payload": "c"}]);
    let more = json!({"type": "text", "text": "More?", "quick_replies": replies});
    let offer = line.client.post(&send, &more).await.expect(202);
    let offer_path = format!("/api/v1/messages/{}", text(&offer["id"]));
    line.client.until(&offer_path, |it| it["status"] == "sent").await;
    line.says("SM3", "2.").await;
    assert_eq!(member(&twilio.sent(4).await[3], "Body"), Some("Which colour?\n1. Red\n2. Blue"));
    let list = line.client.get(&path).await.expect(200);
    let chosen = &list["data"][5];
    let choice = json!({"title": "Colours", "payload": "c", "message_id": offer["id"]});
    assert_eq!((&chosen["text"], &chosen["choice"]), (&json!("Colours"), &choice), "{list}");
}

async fn errors_and_opt_outs(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let receiver = Receiver::start();
    let hook = json!({"url": receiver.url, "events": ["contact.unsubscribed"]});
    line.client.post("/api/v1/webhooks", &hook).await.expect(201);
    line.says("SM1", "Hello").await;
    let contact = line.only_contact().await;
    assert_eq!(contact["phone"], ADA);
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let hello = json!({"type": "text", "text": "Hello"});
    let opted_in = async || {
        let contact = line.only_contact().await;
        let on_channel = |it: &&Value| it["channel_id"] == line.channel.as_str();
        contact["identities"].as_array().unwrap().iter().find(on_channel).unwrap()["opted_in"].clone()
    };
    let path = line.messages().await;
    let has = |id: &Value, status: &'static str| {
        let id = id.clone();
        move |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["id"] == id && it["status"] == status)
    };
    let error_of = |list: &Value, id: &Value| {
        list["data"].as_array().unwrap().iter().find(|it| it["id"] == *id).unwrap()["error"]["code"].clone()
    };

    // Twilio is busy, then accepts the message.
    twilio.fail_next(429, 20429, "Too Many Requests");
    let message = line.client.post(&send, &hello).await.expect(202);
    line.client.until(&path, has(&message["id"], "sent")).await;
    assert_eq!(twilio.sent(2).await.len(), 2);

    // Twilio may have sent the message, and a report confirms it.
    twilio.fail_next(500, 20500, "Internal Server Error");
    let message = line.client.post(&send, &hello).await.expect(202);
    line.client.until(&path, has(&message["id"], "uncertain")).await;
    let unclear = twilio.sent(3).await.remove(2);
    line.reports(&unclear, &[("MessageStatus", "sent")]).await;
    let list = line.client.until(&path, has(&message["id"], "sent")).await;
    let confirmed = list["data"].as_array().unwrap().iter().find(|it| it["id"] == message["id"]).unwrap();
    assert_eq!((&confirmed["provider_message_id"], &confirmed["error"]), (&json!("SM99"), &Value::Null));

    twilio.fail_next(400, 21614, "'To' number is not a valid mobile number");
    let message = line.client.post(&send, &hello).await.expect(202);
    let list = line.client.until(&path, has(&message["id"], "failed")).await;
    assert_eq!(error_of(&list, &message["id"]), "unreachable");

    // The contact has opted out at Twilio, and the next message meets it.
    twilio.fail_next(400, 21610, "Attempt to send to unsubscribed recipient");
    let message = line.client.post(&send, &hello).await.expect(202);
    let list = line.client.until(&path, has(&message["id"], "suppressed")).await;
    assert_eq!(error_of(&list, &message["id"]), "unsubscribed");
    assert_eq!(opted_in().await, false);
    assert_eq!(line.client.post(&send, &hello).await.expect(202)["error"]["code"], "unsubscribed");
    line.says("SM2", "Start").await;
    assert_eq!(opted_in().await, true);
    line.says("SM3", "STOP").await;
    assert_eq!(opted_in().await, false);
    line.says("SM4", "unstop").await;
    assert_eq!(opted_in().await, true);
    // A word of the account at Twilio.
    let mut form = written("SM5", "Halt");
    form.push(("OptOutType", "STOP"));
    line.signed(&line.inbound, &form).await;
    assert_eq!(opted_in().await, false);
    let told = receiver.until("three events", |received| received.len() >= 3).await;
    let mut sources: Vec<String> = told.iter().map(|it| text(&it.envelope()["data"]["source"])).collect();
    sources.sort();
    assert_eq!(sources, ["keyword", "provider", "provider"]);
    assert_eq!(twilio.sent(5).await.len(), 5, "nothing confirms an opt-out");
}

on_both! {
    first_messages_of_a_stranger_create_one_contact in first_messages,
    bodies_are_read_up_to_their_limit in bodies,
    reports_count_in_any_order in reports,
    a_channel_is_stored_only_if_twilio_accepts_it,
    a_messaging_service_is_compared_and_not_changed,
    only_signed_requests_are_accepted,
    a_flow_asks_and_a_number_answers,
    errors_and_opt_outs,
    messages_of_an_outage_are_read_when_it_is_over in missed,
}

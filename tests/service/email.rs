//! An `email` channel in both directions: set-up, mails of contacts by each relay, threads, returned mail and errors.
//!
//! The mail server and the signatures of relays are implemented again, so the product's code does not test itself.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use tidings_storage_suite::databases::SqliteFile;

use crate::support::{Client, Reply, Server, Store};

mod erasure;
mod first_messages;
mod mail_server;

use mail_server::{AUTHORITY, Fault, MailServer, USER};

const SETTINGS: [(&str, &str); 2] =
    [("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example"), ("TIDINGS__EGRESS__EXTRA_CA_FILE", AUTHORITY)];
const KEY: &str = "key-0123456789abcdef0123456789abcdef";

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn a_channel(mail: &MailServer, auth: &str) -> Value {
    json!({"kind": "email", "name": "Mail", "is_default": true,
           "config": {"from": {"address": "hello@shop.example", "name": "The Shop"},
                      "smtp": {"host": mail.host, "port": 2525}, "inbound": {"auth": auth}},
           "secrets": {"smtp_user": USER.0, "smtp_password": USER.1}})
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Headers of a request that is signed by Standard Webhooks.
fn signature(secret: &str, body: &[u8]) -> [(&'static str, String); 3] {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let at = now();
    let signed = [format!("in_1.{at}.").as_bytes(), body].concat();
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &signed);
    [
        ("webhook-id", "in_1".to_owned()),
        ("webhook-timestamp", at.to_string()),
        ("webhook-signature", format!("v1,{}", STANDARD.encode(tag.as_ref()))),
    ]
}

fn written(id: &str, subject: &str, body: &str) -> String {
    format!(
        "From: Ada King <Ada@example.com>\r\nTo: hello@shop.example\r\nMessage-ID: <{id}@example.com>\r\n\
             Subject: {subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    )
}

/// A connected channel, from the relay's side.
struct Line {
    client: Client,
    nobody: Client,
    path: String,
    inbound: String,
    secret: String,
}

impl Line {
    async fn open(server: &Server, mail: &MailServer) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", &a_channel(mail, "standard_webhooks")).await;
        assert!(!made.text.contains(USER.1), "{}", made.text);
        let made = made.expect(201);
        assert_eq!(made["status"], "connected", "{made}");
        let path = format!("/api/v1/channels/{}", text(&made["id"]));
        let (inbound, secret) = (text(&made["inbound_path"]), text(&made["secrets"]["inbound_secret"]));
        Self { nobody: client.with_key(None), client, path, inbound, secret }
    }

    async fn post(&self, content_type: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let headers = [&[("content-type", content_type)][..], headers].concat();
        self.nobody.send("POST", &self.inbound, &headers, Some(body.to_vec())).await.unwrap()
    }

    /// Posts a signed mail.
    async fn arrives(&self, mail: &str) -> Reply {
        let signed = signature(&self.secret, mail.as_bytes());
        let headers: Vec<(&str, &str)> = signed.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.post("message/rfc822", &headers, mail.as_bytes()).await
    }

    /// The kept requests that were not understood.
    async fn unparsed(&self) -> Vec<Value> {
        let list = self.client.get(&format!("{}/unparsed", self.path)).await.expect(200);
        list["data"].as_array().unwrap().clone()
    }

    async fn contacts(&self) -> Vec<Value> {
        self.client.get("/api/v1/contacts").await.expect(200)["data"].as_array().unwrap().clone()
    }

    /// The path of the messages of the only conversation, oldest first.
    async fn messages(&self) -> String {
        let list = self.client.get("/api/v1/conversations").await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
        format!("/api/v1/conversations/{}/messages?sort=created_at", text(&list["data"][0]["id"]))
    }

    /// Sends a message to the only contact, and waits for a status.
    async fn send_until(&self, status: &'static str) -> Value {
        let contact = self.contacts().await.remove(0);
        let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
        let sent = self.client.post(&send, &json!({"type": "text", "text": "Hello"})).await.expect(202);
        let is_one = move |it: &Value, id: &Value| it["id"] == *id && it["status"] == status;
        let id = sent["id"].clone();
        let has = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| is_one(it, &id));
        let list = self.client.until(&self.messages().await, has).await;
        list["data"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap().clone()
    }
}

async fn a_channel_is_stored_only_if_the_log_in_works(store: Store) {
    let mail = MailServer::start().await;
    let mut server = Server::start(store, &SETTINGS[1..]);
    let refused = server.client().post("/api/v1/channels", &a_channel(&mail, "basic")).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "no_public_url"), "{}", refused.text);
    server.kill();
    server.set(SETTINGS[0].0, SETTINGS[0].1);
    server.serve();
    let client = server.client();
    let with = |pointer: &str, value: Value| {
        let mut channel = a_channel(&mail, "basic");
        *channel.pointer_mut(pointer).unwrap() = value;
        channel
    };
    for (channel, pointer, code) in [
        (with("/secrets/smtp_password", json!("wrong")), "/secrets/smtp_password", "rejected"),
        (with("/config/smtp", json!({})), "/config/smtp/host", "required"),
        (with("/config/smtp/port", json!("x")), "/config/smtp/port", "wrong_type"),
        (with("/config/from", json!({"address": "a@b.example", "mail": "x"})), "/config/from/mail", "unknown_field"),
        (with("/config/inbound/auth", json!("none")), "/config/inbound/auth", "invalid_value"),
    ] {
        let refused = client.post("/api/v1/channels", &channel).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{refused}");
    }
    let inside = client.post("/api/v1/channels", &with("/config/smtp/host", json!("10.0.0.1"))).await.expect(409);
    assert_eq!((&inside["code"], &inside["step"]), (&json!("setup_failed"), &json!("address")), "{inside}");

    let line = Line::open(&server, &mail).await;
    assert!(line.secret.starts_with("whsec_"));
    let stored = client.get(&line.path).await;
    assert!(!stored.text.contains(&line.secret) && !stored.text.contains(USER.1), "{}", stored.text);
    assert_eq!(stored.expect(200)["config"]["from"], json!({"address": "hello@shop.example", "name": "The Shop"}));
    let reader = client.with_key(Some(&server.new_key(&server.workspace, "read")));
    let seen = reader.get(&line.path).await.expect(200);
    assert_eq!((&seen["config"]["smtp"], &seen["inbound_path"]), (&Value::Null, &Value::Null), "{seen}");
    let tested = client.call("POST", &format!("{}/test", line.path), None).await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(250)), "{tested}");

    let patch = async |body: Value| client.call("PATCH", &line.path, Some(&body)).await;
    let moved = patch(json!({"config": {"smtp": {"host": "smtp.example.com"}}})).await.expect(422);
    let error = &moved["errors"][0];
    assert_eq!((&error["pointer"], &error["code"]), (&json!("/secrets/smtp_user"), &json!("required")), "{moved}");
    let renamed = patch(json!({"config": {"from": {"address": "other@shop.example"}}})).await.expect(422);
    let error = &renamed["errors"][0];
    assert_eq!((&error["pointer"], &error["code"]), (&json!("/config/from/address"), &json!("immutable")), "{renamed}");
    let named = patch(json!({"config": {"from": {"name": "Shop"}}})).await.expect(200);
    assert_eq!(named["config"]["from"], json!({"address": "hello@shop.example", "name": "Shop"}));
    let wrong = patch(json!({"secrets": {"smtp_password": "wrong"}})).await.expect(422);
    assert_eq!(wrong["errors"][0]["pointer"], "/secrets/smtp_password");

    let connections = mail.connections();
    for (to, status) in [("disconnect", "disconnected"), ("connect", "connected")] {
        let turned = client.call("POST", &format!("{}/{to}", line.path), None).await.expect(200);
        assert_eq!(turned["status"], status);
    }
    assert!(mail.connections() > connections, "a connection is checked when it is made again");
    assert_eq!(mail.mails(), Vec::<String>::new(), "a check sends no mail");
    for secret in [USER.1, line.secret.as_str()] {
        assert!(!server.log().contains(secret), "the log contains a secret");
    }
}

async fn a_contact_and_a_member_write_to_each_other(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let flow = json!({"name": "Answers", "definition": {"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "A flow"}, "next": "end"},
        {"id": "end", "type": "end"}],
        "triggers": [{"type": "keyword", "match": "contains", "keywords": ["robot"]},
                     {"type": "event", "event": "contact.created"}]}});
    let flow = line.client.post("/api/v1/flows", &flow).await.expect(201);
    line.client.post(&format!("/api/v1/flows/{}/publish", text(&flow["id"])), &json!({})).await.expect(200);

    // The mails of programs start no flow.
    let away = written("m0", "Away", "I am a robot.").replacen("To:", "Auto-Submitted: auto-replied\r\nTo:", 1);
    assert_eq!(line.arrives(&away).await.status, 200);
    let quoted = "What does it cost?\r\n\r\nOn 1 Dec 2026 at 10:15 The Shop <hello@shop.example> wrote:\r\n> Tea?";
    let (one, two) = (written("m1", "Order 7", quoted), written("m1", "Order 7", quoted));
    let (one, two) = futures::join!(line.arrives(&one), line.arrives(&two));
    assert_eq!((one.status, two.status), (200, 200), "{} {}", one.text, two.text);
    let contacts = line.contacts().await;
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0]["identities"][0]["address"], "ada@example.com");
    assert_eq!(contacts[0]["first_name"], "Ada King");
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["I am a robot.", "What does it cost?"], "{list}");
    assert_eq!(list["data"][1]["subject"], "Order 7");
    assert_eq!(list["data"][1].get("sender_verified"), Some(&Value::Null), "no mail server checks it");
    let marks = |it: &Value| (it["auto"].clone(), it["has_original"].clone());
    assert_eq!(
        [&list["data"][0], &list["data"][1]].map(marks),
        [(json!(true), json!(false)), (json!(false), json!(true))]
    );
    assert_eq!(list["data"][1]["text_full"], Value::Null, "lists omit it: {list}");
    let question = line.client.get(&format!("/api/v1/messages/{}", text(&list["data"][1]["id"]))).await.expect(200);
    assert_eq!(question["text_full"], quoted.replace("\r\n", "\n"));
    assert_eq!(question["thread"], json!({"id": question["id"], "subject": "Order 7"}));

    let sent = line.send_until("sent").await;
    let received = mail.received(1).await.remove(0);
    let id = format!("<{}@shop.example>", text(&sent["id"]));
    assert_eq!(sent["provider_message_id"], id.as_str());
    assert_eq!(sent["thread"], question["thread"]);
    for header in [
        "From: \"The Shop\" <hello@shop.example>",
        "Subject: Re: Order 7",
        "In-Reply-To: <m1@example.com>",
        "References: <m1@example.com>",
    ] {
        assert!(received.lines().any(|line| line == header), "{header}: {received}");
    }
    assert!(received.contains(&id), "{received}");
    for line in ["Hello", "<div dir=3D\"auto\">Hello</div>"] {
        assert!(received.lines().any(|it| it == line), "{line}: {received}");
    }

    let returned = format!(
        "From: MAILER-DAEMON@mail.test\r\nReturn-Path: <>\r\nContent-Type: multipart/report; \
         report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Action: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {id}\r\n\
         \r\n--b--\r\n"
    );
    assert_eq!(line.arrives(&returned).await.status, 200);
    let path = line.messages().await;
    let failed = |list: &Value| list["data"][2]["status"] == "failed" && list["data"][2]["error"]["message"] == "5.1.1";
    let list = line.client.until(&path, failed).await;
    assert_eq!(list["data"][2]["error"]["code"], "unreachable", "{list}");
    assert_eq!(list["data"][2]["error"]["provider_code"], "5.1.1", "{list}");
    assert_eq!(line.contacts().await.len(), 1, "a report creates no contact");
    let undeliverable_since = async || line.contacts().await[0]["identities"][0]["undeliverable_since"].clone();
    assert!(undeliverable_since().await.is_string());

    assert_eq!(line.arrives(&written("m2", "unsubscribe", "")).await.status, 200);
    let identity = line.contacts().await[0]["identities"][0].clone();
    assert_eq!((&identity["opted_in"], &identity["opt_out"]["source"]), (&json!(false), &json!("keyword")));
    assert_eq!(undeliverable_since().await, Value::Null, "a mail shows that the address works");
    let mails = mail.received(2).await;
    assert!(mails[1].contains("You are unsubscribed"), "{}", mails[1]);
    assert!(mails[1].lines().any(|line| line.starts_with("Auto-Submitted:")), "{}", mails[1]);
    assert_eq!(mails.len(), 2, "no flow answered");

    let large = written("m3", "Photos", &format!("Look\r\n\r\n{}", "x".repeat(70) + &"\r\nx".repeat(1_000_000)));
    assert_eq!(line.arrives(&large).await.status, 200);
}

async fn the_files_of_a_mail_are_stored_once(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let bytes = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 300_000]].concat();
    let with_file = format!(
        "From: ada@example.com\r\nMessage-ID: <m1@example.com>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nLook\r\n--b\r\nContent-Type: text/html; name=\"../cat.png\"\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{}\r\n--b--\r\n",
        STANDARD.encode(&bytes)
    );
    for _ in 0..2 {
        assert_eq!(line.arrives(&with_file).await.status, 200);
    }
    let list = line.client.get(&line.messages().await).await.expect(200);
    let [message] = &list["data"].as_array().unwrap()[..] else { panic!("{list}") };
    assert_eq!((&message["type"], &message["text"]), (&json!("file"), &json!("Look")), "{message}");
    let [file] = &message["attachments"].as_array().unwrap()[..] else { panic!("{message}") };
    assert_eq!((&file["name"], &file["mime_type"]), (&json!("cat.png"), &json!("image/png")), "{file}");
    let stored = line.client.get(&text(&file["url"])).await;
    assert_eq!((stored.status, stored.bytes), (200, bytes));
}

async fn a_mail_contains_the_files_of_a_message(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    let contact = line.contacts().await.remove(0);
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let send_file = async |content: &[u8]| {
        let (upload, headers) = ("/api/v1/media?name=hello.txt", [("content-type", "text/plain")]);
        let file = line.client.send("POST", upload, &headers, Some(content.to_vec())).await.unwrap().expect(201);
        let attachments = json!([{"media_id": file["id"]}, {"url": "https://a.example/1"}]);
        let message = json!({"type": "file", "text": "The list", "attachments": attachments});
        line.client.post(&send, &message).await.expect(202);
    };
    send_file(b"Hello").await;
    let received = mail.received(1).await.remove(0);
    for part in ["The list", "https://a.example/1", "filename=\"hello.txt\"", &STANDARD.encode("Hello")] {
        assert!(received.contains(part), "{part}: {received}");
    }
    assert!(!received.contains("/m/"), "no link to the file: {received}");

    mail.fail_next(Fault::Answer("EHLO", "250-mail.test\r\n250-SIZE 3000\r\n250 AUTH PLAIN LOGIN"));
    send_file(&[b'x'; 5_000]).await;
    let received = mail.received(2).await.remove(1);
    assert!(received.contains("hello.txt: https://tidings.example/m/"), "a link to the large file: {received}");
    assert!(!received.contains("filename="), "{received}");
}

async fn flows_and_broadcasts_send_files(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    let contact = text(&line.contacts().await[0]["id"]);
    let message = async |name: &str| {
        let path = format!("/api/v1/media?name={name}");
        let file = line.client.send("POST", &path, &[], Some(name.as_bytes().to_vec())).await.unwrap().expect(201);
        json!({"type": "file", "text": "The list", "attachments": [{"media_id": file["id"]}]})
    };
    let assert_contains = |mail: &str, name: &str| {
        let (attached, content) = (format!("filename=\"{name}\""), STANDARD.encode(name));
        assert!(mail.contains(&attached) && mail.contains(&content), "{mail}");
    };
    let flow = json!({"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": message("flow.txt").await, "next": "end"},
        {"id": "end", "type": "end"}]});
    let flow = line.client.publish_flow("Lists", &flow).await;
    let start = json!({"flow_id": flow});
    line.client.post(&format!("/api/v1/contacts/{contact}/start-flow"), &start).await.expect(202);
    assert_contains(&mail.received(1).await[0], "flow.txt");

    let broadcast = json!({"name": "Lists", "audience": {"all": []}, "message": message("news.txt").await});
    let broadcast = line.client.create("/api/v1/broadcasts", &broadcast).await;
    line.client.post(&format!("/api/v1/broadcasts/{broadcast}/send"), &json!({})).await.expect(202);
    assert_contains(&mail.received(2).await[1], "news.txt");
}

async fn mail_arrives_by_each_relay(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let hello = |id: &str| written(id, "Hello", "Hi");
    let rejected = async |reply: Reply, what: &str| {
        assert_eq!((reply.status, reply.code().as_str()), (401, "invalid_signature"), "{what}: {}", reply.text);
    };
    rejected(line.post("message/rfc822", &[], hello("a").as_bytes()).await, "unsigned").await;
    let other = signature("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", hello("a").as_bytes());
    let other: Vec<(&str, &str)> = other.iter().map(|(name, value)| (*name, value.as_str())).collect();
    rejected(line.post("message/rfc822", &other, hello("a").as_bytes()).await, "another secret").await;
    assert_eq!(line.post("image/png", &other, b"x").await.status, 415);
    assert_eq!(line.arrives("no mail").await.status, 200, "a signed request that is not understood is kept");
    assert_eq!(line.unparsed().await.len(), 1);
    assert_eq!(line.contacts().await, Vec::<Value>::new());

    let patch = async |body: Value| line.client.call("PATCH", &line.path, Some(&body)).await.expect(200);
    patch(json!({"config": {"inbound": {"auth": "basic"}}, "secrets": {"inbound_secret": KEY}})).await;
    let basic = format!("Basic {}", STANDARD.encode(format!("relay:{KEY}")));
    let wrong = format!("Basic {}", STANDARD.encode("relay:wrong"));
    rejected(
        line.post("message/rfc822", &[("authorization", wrong.as_str())], hello("a").as_bytes()).await,
        "password",
    )
    .await;
    let allowed = [("authorization", basic.as_str())];
    assert_eq!(line.post("message/rfc822", &allowed, hello("b").as_bytes()).await.status, 200);
    let postmark = json!({"RawEmail": hello("c"), "OriginalRecipient": "hello@shop.example"}).to_string();
    assert_eq!(line.post("application/json", &allowed, postmark.as_bytes()).await.status, 200);
    let sendgrid = format!(
        "--b\r\nContent-Disposition: form-data; name=\"envelope\"\r\n\r\n{{}}\r\n--b\r\n\
         Content-Disposition: form-data; name=\"email\"\r\n\r\n{}\r\n--b--\r\n",
        hello("d")
    );
    assert_eq!(line.post("multipart/form-data; boundary=b", &allowed, sendgrid.as_bytes()).await.status, 200);

    patch(json!({"config": {"inbound": {"auth": "mailgun"}}})).await;
    let mailgun = |at: u64, key: &str| {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()), format!("{at}t").as_bytes());
        let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let encode = |mail: String| mail.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
        format!("timestamp={at}&token=t&signature={hex}&body-mime={}", encode(hello("e")))
    };
    let form = "application/x-www-form-urlencoded";
    for (body, what) in [(mailgun(now(), "other"), "another key"), (mailgun(now() - 900, KEY), "an old signature")] {
        rejected(line.post(form, &[], body.as_bytes()).await, what).await;
    }
    assert_eq!(line.post(form, &[], mailgun(now(), KEY).as_bytes()).await.status, 200);
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 4, "{list}");
}

async fn the_answers_of_a_mail_server_decide(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    for (fault, status, code) in [
        (Fault::Answer("RCPT", "550 5.1.1 no such user"), "failed", "unreachable"),
        (Fault::Answer("RCPT", "550 5.7.1 policy"), "failed", "recipient_rejected"),
        (Fault::Answer("DATA", "554 5.7.1 spam"), "failed", "message_rejected"),
        (Fault::Close("."), "uncertain", "outcome_unknown"),
    ] {
        mail.fail_next(fault);
        let message = line.send_until(status).await;
        assert_eq!(message["error"]["code"], code, "{message}");
    }
    assert_eq!(mail.mails(), Vec::<String>::new());
    // The server had no time before, and accepts the mail later.
    mail.fail_next(Fault::Answer("MAIL", "421 4.3.2 busy"));
    line.send_until("sent").await;
    assert_eq!(mail.mails().len(), 1);
}

async fn a_mail_server_of_this_machine_posts_its_mail(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let place = SqliteFile::new();
    let file = place.folder().join("inbound.secret");
    std::fs::write(&file, format!("{}\n", line.secret)).unwrap();
    let file = file.to_str().unwrap();
    let run = |url: &str, secret: &str, mail: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidings"));
        command.env_clear().args(["mail-in", "--url", url, "--secret-file", secret]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The command may end before it reads the mail.
        let _ = child.stdin.take().unwrap().write_all(mail.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("/inbound/"), "the path of the channel is a secret: {said}");
        (output.status.code(), said)
    };
    let url = format!("{}{}", server.base, line.inbound);
    let hello = written("m1", "Hello", "Hi");
    for _ in 0..2 {
        assert_eq!(run(&url, file, &hello).0, Some(0));
    }
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(run(&url, file, "no mail").0, Some(0), "it is kept for the operator");
    assert_eq!(line.unparsed().await.len(), 1);
    let other = place.folder().join("other.secret");
    std::fs::write(&other, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n").unwrap();
    let (code, said) = run(&url, other.to_str().unwrap(), &hello);
    assert_eq!(code, Some(75), "a wrong secret is no reason to return the mail");
    assert!(said.contains("401") && said.contains("inbound secret"), "{said}");
    let (code, said) = run(&format!("{url}x"), file, &hello);
    assert_eq!(code, Some(75), "a wrong URL is no reason to return the mail");
    assert!(said.contains("404") && said.contains("inbound URL"), "{said}");
    assert_eq!(run(&url, "/nowhere/inbound.secret", &hello).0, Some(75));
    assert_eq!(run("http://127.0.0.1:1/inbound/x", file, &hello).0, Some(75));
}

/// The mail of a flow contains a link (RFC 8058). Opening it changes nothing, and one click opts out.
async fn one_click_opts_out(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    let contact = format!("/api/v1/contacts/{}", text(&line.contacts().await[0]["id"]));
    let flow = json!({"name": "Offer", "definition": {"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "Offer"}, "next": "end"},
        {"id": "end", "type": "end"}]}});
    let flow = line.client.create("/api/v1/flows", &flow).await;
    line.client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await.expect(200);
    line.client.post(&format!("{contact}/start-flow"), &json!({"flow_id": flow})).await.expect(202);
    let received = mail.received(1).await.remove(0).replace('\r', "").replace("\n ", " ");
    let value =
        |name: &str| received.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default();
    assert_eq!(value("List-Unsubscribe-Post:"), "List-Unsubscribe=One-Click", "{received}");
    let links: Vec<&str> = value("List-Unsubscribe:").split(", ").collect();
    let path = links[0].strip_prefix("<https://tidings.example").and_then(|it| it.strip_suffix('>')).unwrap();
    assert_eq!(links[1..], ["<mailto:hello@shop.example?subject=unsubscribe>"]);

    let opted_in = async || line.contacts().await[0]["identities"][0]["opted_in"].clone();
    let german = [("accept-language", "de-DE, en;q=0.5")];
    let page = line.nobody.send("GET", path, &german, None).await.unwrap();
    assert_eq!(page.status, 200);
    assert!(page.text.contains("<button>Abmelden</button>"), "{}", page.text);
    assert_eq!(opted_in().await, true, "a mail server opens links to check them");
    let form = [("content-type", "application/x-www-form-urlencoded")];
    for _ in 0..2 {
        let body = b"List-Unsubscribe=One-Click".to_vec();
        let done = line.nobody.send("POST", path, &form, Some(body)).await.unwrap();
        assert_eq!(done.status, 200, "{}", done.text);
        assert_eq!(opted_in().await, false);
    }
    let feed = "/api/v1/events?types=contact.unsubscribed";
    let list = line.client.until(feed, |it| it["data"][0].is_object()).await;
    let sources: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["data"]["source"]).collect();
    assert_eq!(sources, ["link"], "{list}");
    let changed = format!("{path}x");
    assert_eq!(line.nobody.send("POST", &changed, &form, None).await.unwrap().status, 404);
    let suppressed = line.send_until("suppressed").await;
    assert_eq!(suppressed["error"]["code"], "unsubscribed", "{suppressed}");
}

on_both! {
    first_mails_of_a_stranger_create_one_contact in first_messages,
    an_erasure_leaves_nothing_of_a_contact in erasure,
    a_channel_is_stored_only_if_the_log_in_works,
    a_contact_and_a_member_write_to_each_other,
    a_mail_contains_the_files_of_a_message,
    flows_and_broadcasts_send_files,
    mail_arrives_by_each_relay,
    one_click_opts_out,
    the_files_of_a_mail_are_stored_once,
    a_mail_server_of_this_machine_posts_its_mail,
    the_answers_of_a_mail_server_decide,
}

//! A contact with a mark in every field and every path, before and after its erasure.

use std::time::Duration;

use serde_json::{Value, json};
use tidings_storage_suite::databases::texts;

use crate::support::{Client, Patience, Person, Receiver, Server, Store};

/// Unique texts that appear only in the contact's data.
#[derive(Default)]
pub struct Marks(Vec<String>);

impl Marks {
    pub fn next(&mut self) -> String {
        let mark = format!("zq{:02}marked", self.0.len());
        self.0.push(mark.clone());
        mark
    }

    pub fn phone(&mut self) -> String {
        let phone = format!("+4930123456{:02}", self.0.len());
        self.0.push(phone.clone());
        phone
    }

    pub fn found_in(&self, text: &str) -> Vec<&String> {
        self.0.iter().filter(|mark| text.contains(mark.as_str())).collect()
    }

    pub fn missing_in(&self, text: &str) -> Vec<&String> {
        self.0.iter().filter(|mark| !text.contains(mark.as_str())).collect()
    }
}

/// Returns all data of a store as text.
pub async fn everything(server: &Server) -> String {
    let url = server.url();
    if let Some(path) = url.strip_prefix("sqlite://") {
        let files = ["", "-wal"].map(|suffix| std::fs::read(format!("{path}{suffix}")).unwrap_or_default());
        return files.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
    }
    let escaped = format!("{url}{}options=-c%20bytea_output%3Descape", if url.contains('?') { "&" } else { "?" });
    let mut all = String::new();
    for table in texts(&url, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'").await {
        let rows = texts(&escaped, &format!("SELECT t::text FROM {table} AS t")).await;
        all.extend(rows);
    }
    all
}

/// The workspace of a contact with much data, the contact, and another contact.
struct Told {
    client: Client,
    contact: String,
    run: String,
    event_run: String,
}

async fn fields(client: &Client, marks: &mut Marks) -> Value {
    let mut values = serde_json::Map::new();
    for number in 0..8 {
        let body = json!({"name": format!("Text {number}"), "type": "text"});
        let made = client.post("/api/v1/custom-fields", &body).await.expect(201);
        values.insert(made["key"].as_str().unwrap().to_owned(), json!(marks.next()));
    }
    for kind in ["email", "url", "phone"] {
        let body = json!({"name": format!("A {kind}"), "type": kind});
        let made = client.post("/api/v1/custom-fields", &body).await.expect(201);
        let value = match kind {
            "email" => format!("{}@example.com", marks.next()),
            "url" => format!("https://example.com/{}", marks.next()),
            _ => marks.phone(),
        };
        values.insert(made["key"].as_str().unwrap().to_owned(), json!(value));
    }
    Value::Object(values)
}

/// Sends a request with an idempotency key, so its response is stored.
async fn post_once(client: &Client, path: &str, body: &Value) -> Value {
    let headers = [("content-type", "application/json"), ("idempotency-key", path)];
    let reply = client.send("POST", path, &headers, Some(body.to_string().into_bytes())).await.unwrap();
    assert!(reply.status < 300, "{path}: {}", reply.text);
    reply.json()
}

async fn tell(server: &Server, marks: &mut Marks, receiver: &Receiver) -> Told {
    let owner = Person::new(server, &server.workspace, "owner").client(server).await;
    let platform = format!("/platform/workspaces/{}", server.workspace);
    let (client, sandbox) = server.new_sandbox(&owner, &server.workspace).await;

    receiver.answer_with(500, &format!("cannot take {}", marks.next()));
    client.post("/api/v1/webhooks", &json!({"url": receiver.url, "events": ["*"]})).await.expect(201);
    let custom_fields = fields(&client, marks).await;
    let body = json!({
        "external_id": marks.next(), "first_name": marks.next(), "last_name": marks.next(),
        "email": format!("{}@example.com", marks.next()), "phone": marks.phone(),
        "avatar_url": format!("https://example.com/{}.png", marks.next()),
        "custom_fields": custom_fields,
    });
    let made = post_once(&client, "/api/v1/contacts", &body).await;
    let contact = format!("/api/v1/contacts/{}", made["id"].as_str().unwrap());
    // The event contains the previous values.
    let later = json!({"external_id": marks.next(), "first_name": marks.next(), "last_name": marks.next(),
        "email": format!("{}@example.com", marks.next()), "phone": marks.phone(), "custom_fields": {"text_0": marks.next()}});
    // A user sends it, so the audit log contains it.
    let there = [("content-type", "application/json"), ("x-workspace-id", sandbox.as_str())];
    owner.send("PATCH", &contact, &there, Some(later.to_string().into_bytes())).await.unwrap().expect(200);
    client.post(&format!("{contact}/tags"), &json!({"name": "vip"})).await.expect(201);
    // The filter contains the contact's name; the contact has the tag already.
    let vip = client.get("/api/v1/tags?name=vip").await.expect(200)["data"][0]["id"].clone();
    let filter = json!({"field": "last_name", "op": "in", "value": [later["last_name"], later["first_name"]]});
    let bulk = json!({"filter": filter, "action": {"type": "tag", "tag_id": vip}, "expected_count": 1});
    let bulk = client.post("/api/v1/contacts/bulk", &bulk).await.expect(202);
    let bulk = format!("/api/v1/contacts/bulk/{}", bulk["id"].as_str().unwrap());
    client.until(&bulk, |it| it["unchanged"] == 1 && it["status"] == "completed").await;
    let (named, wrong) = (later["external_id"].as_str().unwrap(), marks.next());
    let table = Value::String(format!("external_id,locale,time_zone\n{named},pt,Europe/{wrong}\n"));
    let import = client.post("/api/v1/contacts/import", &table).await.expect(202);
    let import = format!("/api/v1/contacts/imports/{}", import["id"].as_str().unwrap());
    client.until(&import, |it| it["counts"]["rejected"] == 1 && it["status"] == "failed").await;

    let sent =
        json!({"type": "text", "text": marks.next(), "quick_replies": [{"title": "Yes", "payload": marks.next()}]});
    let sent = post_once(&client, &format!("{contact}/send-message"), &sent).await;
    let conversation = format!("/api/v1/conversations/{}", sent["conversation_id"].as_str().unwrap());
    client.post(&format!("{conversation}/messages"), &json!({"type": "note", "text": marks.next()})).await;

    let on_event = json!({"triggers": [{"type": "custom_event", "name": "order.paid"}], "start": "note", "nodes": [
        {"id": "note", "type": "note", "text": "paid by {{ event.data.who }}", "next": "wait"},
        {"id": "wait", "type": "delay", "for": "P9D", "next": "end"}, {"id": "end", "type": "end"}]});
    client.publish_flow("Paid", &on_event).await;
    let data = json!({"who": marks.next(), "more": [{"deep": marks.next()}]});
    post_once(&client, &format!("{contact}/events"), &json!({"name": "order.paid", "data": data})).await;

    let asks = json!({"start": "ask", "nodes": [
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "{{ vars.said }}?"}, "expect": "text",
            "save_to": "vars.answer", "timeout": "PT24H", "next": "again", "on_timeout": "end", "on_invalid": "end"},
        {"id": "again", "type": "ask", "message": {"type": "text", "text": "And {{ vars.answer }}?"}, "expect": "text",
            "save_to": "vars.more", "timeout": "PT24H", "next": "end", "on_timeout": "end", "on_invalid": "end"},
        {"id": "end", "type": "end"}]});
    let asks = client.publish_flow("Asks", &asks).await;
    let start = json!({"flow_id": asks, "vars": {"said": marks.next()}});
    let run = post_once(&client, &format!("{contact}/start-flow"), &start).await;
    let run = format!("/api/v1/flow-runs/{}", run["id"].as_str().unwrap());
    client.until(&run, |run| run["status"] == "waiting").await;
    let inbound = format!("{platform}/sandbox/inbound");
    let referral = json!({"source": "ad", "ref": marks.next(), "url": marks.next(), "headline": marks.next()});
    let played = json!({"contact": made["id"], "text": marks.next(), "referral": referral});
    owner.post(&inbound, &played).await.expect(202);
    client.until(&run, |run| run["status"] == "waiting" && run["node_id"] == "again").await;

    let step = json!({"id": "a", "delay": "P9D", "action": {"type": "send_message",
        "message": {"type": "text", "text": "Later"}}});
    let drip = json!({"name": "Drip", "status": "active", "steps": [step]});
    let drip = client.post("/api/v1/sequences", &drip).await.expect(201);
    client.post(&format!("{contact}/sequences/{}", drip["id"].as_str().unwrap()), &json!({})).await.expect(201);
    // Runs, attempts and messages are written after the receiver was called.
    receiver.until("events", |received| received.len() >= 8).await;
    let runs = client.until("/api/v1/flow-runs", |runs| runs["data"].as_array().unwrap().len() == 2).await;
    let of_event =
        runs["data"].as_array().unwrap().iter().find(|it| !run.ends_with(it["id"].as_str().unwrap())).unwrap();
    let event_run = format!("/api/v1/flow-runs/{}", of_event["id"].as_str().unwrap());
    client.until(&event_run, |run| run["status"] == "waiting").await;
    Told { client, contact, run, event_run }
}

/// Repeats the request until the erasure is complete.
pub async fn until_erased(client: &Client, path: &str) -> Value {
    let mut patience = Patience::new();
    loop {
        let reply = client.post(path, &json!({})).await;
        if reply.status == 200 {
            return reply.json();
        }
        assert_eq!(reply.expect(202)["status"], "erasing");
        assert!(patience.allows(reply.text.clone()), "the contact is not erased: {}", reply.text);
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

async fn erases_every_trace_of_a_contact(store: Store) {
    let mut server = Server::start(store, &[]);
    let (mut marks, receiver) = (Marks::default(), Receiver::start());
    let Told { client, contact, run, event_run } = tell(&server, &mut marks, &receiver).await;
    let other = json!({"first_name": "Stays", "email": "stays@example.com"});
    let other = client.post("/api/v1/contacts", &other).await.expect(201);
    let all = everything(&server).await;
    let missed = marks.missing_in(&all);
    assert!(missed.is_empty(), "not stored before the erasure: {missed:?}");
    assert!(marks.0.len() >= 30, "{}", marks.0.len());
    let feed = client.get("/api/v1/events?limit=100").await.expect(200);
    let before = feed["data"].as_array().unwrap().len();

    let path = format!("{contact}/erase");
    // The remembered opt-out contains no personal data.
    client.call("PATCH", &contact, Some(&json!({"subscribed": false}))).await.expect(200);
    // The export contains all data of the contact.
    let kept = client.get(&format!("{contact}/export")).await.expect(200);
    super::disclosed::is_whole(&kept);
    let missed = marks.missing_in(&kept.to_string());
    assert_eq!(missed.len(), 1, "only the receiver's response is missing from the export: {missed:?}");
    let row = &kept["rejected_rows"][0];
    assert_eq!((&row["columns"][2], &row["wrong"][0]["column"]), (&json!("time_zone"), &json!("time_zone")), "{row}");
    let begun = client.post(&path, &json!({})).await.expect(202);
    assert_eq!((&begun["status"], &begun["erased_at"]), (&json!("erasing"), &json!(null)));
    client.get(&contact).await.expect(404);
    client.post(&format!("{contact}/restore"), &json!({})).await.expect(404);
    let done = until_erased(&client, &path).await;
    assert_eq!((&done["status"], &done["requested_at"]), (&json!("erased"), &begun["requested_at"]));
    assert!(done["erased_at"].is_string());
    assert_eq!(client.post(&path, &json!({})).await.expect(200), done, "a repeated erasure has no effect");
    let left = client.get(&format!("{contact}/export")).await.expect(200);
    assert!(marks.found_in(&left.to_string()).is_empty(), "{left}");
    assert_eq!((&left["messages"], &left["events"]), (&json!([]), &json!([])));

    // Counts and positions in the feed stay.
    for run in [&run, &event_run] {
        let run = client.get(run).await.expect(200);
        assert_eq!((&run["status"], &run["vars"]), (&json!("interrupted"), &json!({})), "{run}");
    }
    let feed = client.get("/api/v1/events?limit=100").await.expect(200);
    let events = feed["data"].as_array().unwrap();
    assert!(events.len() >= before, "{feed}");
    assert!(marks.found_in(&feed.to_string()).is_empty(), "{feed}");
    let stays = client.get(&format!("/api/v1/contacts/{}", other["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(stays["email"], "stays@example.com");
    server.terminate();
    assert!(server.wait(), "the server exits successfully");
    let all = everything(&server).await;
    let left = marks.found_in(&all);
    assert!(left.is_empty(), "{left:?} still exist");
    assert!(all.contains("stays@example.com"), "other contacts still exist");
    let log = server.log();
    assert!(marks.found_in(&log).is_empty(), "the log contains {:?}", marks.found_in(&log));
}

on_both! {
    erases_every_trace_of_a_contact,
}

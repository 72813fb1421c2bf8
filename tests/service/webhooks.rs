//! Events are delivered to a receiver with two signatures, and retried until it accepts them.
//!
//! The signatures are computed independently from the description in `docs/reference/webhooks.md`, so the product's
//! code does not test itself.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use crate::openapi::schema::Document;
use crate::support::receiver::Received;
use crate::support::{Client, Person, Receiver, Server, Store};

fn mac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    parts.iter().for_each(|part| context.update(part));
    context.sign().as_ref().to_vec()
}

#[track_caller]
fn assert_signed(delivery: &Received, secret: &str) {
    assert_signed_by_all(delivery, &[secret]);
}

/// Checks that a delivery is signed with exactly these secrets, the newest first.
#[track_caller]
fn assert_signed_by_all(delivery: &Received, secrets: &[&str]) {
    let header = |name: &str| delivery.headers[name].as_str();
    let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
    let (mut standard, mut service) = (Vec::new(), format!("t={timestamp}"));
    for secret in secrets {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let signature = mac(&key, &[id.as_bytes(), b".", timestamp.as_bytes(), b".", &delivery.body]);
        standard.push(format!("v1,{}", STANDARD.encode(signature)));
        let signature = mac(secret.as_bytes(), &[timestamp.as_bytes(), b".", &delivery.body]);
        let hex: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        service.push_str(&format!(",v1={hex}"));
    }
    assert_eq!(header("webhook-signature"), standard.join(" "));
    assert_eq!(header("x-service-signature"), service);
    let envelope = delivery.envelope();
    assert_eq!((id, header("x-service-event")), (envelope["id"].as_str().unwrap(), envelope["type"].as_str().unwrap()));
    assert_eq!(header("user-agent"), "Tidings-Webhooks/1");
    assert_eq!(header("content-type"), "application/json");
}

async fn hook(client: &Client, receiver: &Receiver, more: Value) -> (String, String) {
    let mut body = json!({"url": receiver.url, "events": ["*"]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let made = client.post("/api/v1/webhooks", &body).await.expect(201);
    (made["id"].as_str().unwrap().to_owned(), made["secret"].as_str().unwrap().to_owned())
}

async fn a_story(client: &Client) -> String {
    client.post("/api/v1/tags", &json!({"name": "welcomed"})).await.expect(201);
    let definition = json!({"start": "hi", "nodes": [
        {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi {{ contact.name }}"}, "next": "tag"},
        {"id": "tag", "type": "add_tag", "tag": "welcomed", "next": "end"},
        {"id": "end", "type": "end"}]});
    let flow = client.publish_flow("Welcome", &definition).await;
    let contact = json!({"first_name": "Zoë 🦀", "tags": ["lead"]});
    let contact = client.create("/api/v1/contacts", &contact).await;
    client.post(&format!("/api/v1/contacts/{contact}/start-flow"), &json!({"flow_id": flow})).await.expect(202);
    contact
}

async fn events_arrive_signed(store: Store) {
    let server = Server::start(store, &[]);
    let (client, receiver, thin) = (server.client(), Receiver::start(), Receiver::start());
    let (_, secret) = hook(&client, &receiver, json!({})).await;
    let (_, thin_secret) = hook(&client, &thin, json!({"payload": "thin", "events": ["contact.created"]})).await;
    let contact = a_story(&client).await;

    let wanted = [
        "contact.created",
        "contact.tag_added",
        "flow.started",
        "conversation.created",
        "message.sent",
        "contact.tag_added",
        "flow.completed",
    ];
    let all = receiver.until("the whole story", |received| received.len() >= wanted.len()).await;
    let mut kinds: Vec<String> = all.iter().map(Received::kind).collect();
    kinds.sort();
    let mut expected = wanted.map(ToOwned::to_owned).to_vec();
    expected.sort();
    assert_eq!(kinds, expected);
    all.iter().for_each(|delivery| assert_signed(delivery, &secret));

    let thin = thin.until("the thin envelope", |received| !received.is_empty()).await;
    assert_signed(&thin[0], &thin_secret);
    assert_eq!(thin[0].envelope()["data"], json!({"object": {"id": contact, "external_id": null}}));
}

async fn retries_with_the_same_signed_bytes(store: Store) {
    let schedule = ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,PT0.05S,PT0.05S,PT0.05S");
    let server = Server::start(store, &[schedule]);
    let client = server.client();
    let (recovering, broken) = (Receiver::start_failing(2), Receiver::start_failing(usize::MAX));
    let (recovers, secret) = hook(&client, &recovering, json!({"events": ["contact.created"]})).await;
    let (fails, _) = hook(&client, &broken, json!({"events": ["contact.created"]})).await;
    client.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);

    let attempts = recovering.until("three attempts", |received| received.len() == 3).await;
    let header = |name: &str| attempts.iter().map(|it| it.headers[name].clone()).collect::<Vec<_>>();
    assert_eq!(header("x-service-attempt"), ["1", "2", "3"]);
    assert!(attempts.iter().all(|it| it.body == attempts[0].body), "every attempt sends the same bytes");
    assert!(header("webhook-id").iter().all(|id| *id == attempts[0].headers["webhook-id"]));
    attempts.iter().for_each(|delivery| assert_signed(delivery, &secret));

    let settled = |status: &'static str| {
        move |list: &Value| list["data"].as_array().is_some_and(|all| all.len() == 1 && all[0]["status"] == status)
    };
    let path = format!("/api/v1/webhooks/{recovers}/deliveries");
    let delivery = client.until(&path, settled("succeeded")).await["data"][0].clone();
    assert_eq!((&delivery["attempt_count"], &delivery["last_status"]), (&json!(3), &json!(204)));
    let whole = client.get(&format!("{path}/{}", delivery["id"].as_str().unwrap())).await.expect(200);
    let statuses: Vec<&Value> = whole["attempts"].as_array().unwrap().iter().map(|it| &it["status"]).collect();
    assert_eq!(statuses, [500, 500, 204]);

    let path = format!("/api/v1/webhooks/{fails}/deliveries");
    let delivery = client.until(&path, settled("failed")).await["data"][0].clone();
    assert_eq!((&delivery["attempt_count"], &delivery["next_attempt_at"]), (&json!(4), &Value::Null));
}

async fn sends_nothing_to_a_deleted_webhook(store: Store) {
    let schedule = ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,PT1H");
    let server = Server::start(store, &[schedule]);
    let (client, receiver) = (server.client(), Receiver::start_failing(usize::MAX));
    let (id, _) = hook(&client, &receiver, json!({})).await;
    client.post("/api/v1/contacts", &json!({})).await.expect(201);
    receiver.until("the first attempt", |received| received.len() == 1).await;
    client.delete(&format!("/api/v1/webhooks/{id}")).await.expect(204);
    client.get(&format!("/api/v1/webhooks/{id}")).await.expect(404);
    client.get(&format!("/api/v1/webhooks/{id}/deliveries")).await.expect(404);
    client.post("/api/v1/contacts", &json!({})).await.expect(201);
    let other = Receiver::start();
    hook(&client, &other, json!({"events": ["contact.created"]})).await;
    client.post("/api/v1/contacts", &json!({})).await.expect(201);
    other.until("the next event", |received| received.len() == 1).await;
    assert_eq!(receiver.received().len(), 1, "nothing is sent to a deleted webhook");
}

async fn holds_deliveries_while_paused(store: Store) {
    let server = Server::start(store, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    let headers = json!({"X-Tenant": "7", "Authorization": "Basic abc"});
    let (id, _) = hook(&client, &receiver, json!({"events": ["contact.created"], "headers": headers})).await;
    let path = format!("/api/v1/webhooks/{id}");
    let paused = client.post(&format!("{path}/pause"), &json!(null)).await.expect(200);
    let shown = json!({"X-Tenant": "••••", "Authorization": "••••"});
    assert_eq!((&paused["status"], &paused["version"], &paused["headers"]), (&json!("paused"), &json!(2), &shown));
    let again = client.post(&format!("{path}/pause"), &json!(null)).await.expect(200);
    assert_eq!(again["version"], 2);
    for _ in 0..3 {
        client.post("/api/v1/contacts", &json!({})).await.expect(201);
    }
    let parked = |list: &Value| {
        let all = list["data"].as_array().unwrap();
        all.len() == 3 && all.iter().all(|it| it["status"] == "pending" && it["next_attempt_at"].is_null())
    };
    client.until(&format!("{path}/deliveries"), parked).await;
    assert_eq!(receiver.received().len(), 0);
    client.post(&format!("{path}/enable"), &json!(null)).await.expect(200);
    let came = receiver.until("what was parked", |received| received.len() == 3).await;
    assert!(came.iter().all(|it| it.headers["x-tenant"] == "7" && it.headers["authorization"] == "Basic abc"));
    assert!(came.iter().all(|it| it.headers["x-service-attempt"] == "1"));
    let taken = |hook: &Value| hook["stats"]["succeeded_24h"] == 3 && hook["last_delivery_at"].is_string();
    let shown = client.until(&path, taken).await;
    assert_eq!((&shown["status"], &shown["stats"]["failed_24h"]), (&json!("active"), &json!(0)));
    assert!(shown["stats"]["p95_ms"].is_i64());
}

async fn disables_a_webhook_that_answers_410(store: Store) {
    let server = Server::start(store, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    receiver.answer(410);
    let (id, _) = hook(&client, &receiver, json!({"events": ["contact.created"]})).await;
    let path = format!("/api/v1/webhooks/{id}");
    client.post("/api/v1/contacts", &json!({})).await.expect(201);
    let shown = client.until(&path, |hook| hook["status"] == "disabled").await;
    assert!(shown["disabled_reason"].as_str().unwrap().contains("410"), "{shown}");
    let owner = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let log = format!("/platform/workspaces/{}/audit-log?action=webhook.disabled", server.workspace);
    let told = owner.get(&log).await.expect(200);
    let (entry, status) = (&told["data"][0], json!("disabled"));
    assert_eq!((&entry["object"]["id"], &entry["changes"]["status"]["after"]), (&json!(id), &status), "{told}");
    assert_eq!((&entry["actor"]["type"], told["data"].as_array().unwrap().len()), (&json!("system"), 1));
    let failed = client.get(&format!("{path}/deliveries?status=failed")).await.expect(200)["data"][0].clone();
    receiver.answer(204);
    client.post(&format!("{path}/enable"), &json!(null)).await.expect(200);
    let replay = format!("{path}/deliveries/{}/replay", failed["id"].as_str().unwrap());
    let pending = client.post(&replay, &json!(null)).await.expect(202);
    assert_eq!((&pending["status"], &pending["event_id"]), (&json!("pending"), &failed["event_id"]));
    let came = receiver.until("the replay", |received| received.len() == 2).await;
    assert_eq!(came[0].headers["webhook-id"], came[1].headers["webhook-id"]);
    assert_eq!((came[0].body == came[1].body, came[1].headers["x-service-attempt"].as_str()), (true, "2"));
    client.until(&format!("{path}/deliveries"), |list| list["data"][0]["status"] == "succeeded").await;
    let range = json!({"since": failed["created_at"], "status": "succeeded"});
    client.post(&format!("{path}/replay"), &range).await.expect(202);
    let came = receiver.until("the range", |received| received.len() == 3).await;
    assert_eq!(came[2].headers["x-service-attempt"], "3");
}

async fn signs_with_both_secrets_during_a_rotation(store: Store) {
    let server = Server::start(store, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    let (id, old) = hook(&client, &receiver, json!({"events": ["contact.created"]})).await;
    let rotate = format!("/api/v1/webhooks/{id}/rotate-secret");
    let rotated = client.post(&rotate, &json!({"overlap": "PT1H"})).await.expect(200);
    let new = rotated["secret"].as_str().unwrap().to_owned();
    assert!(new != old && new.ends_with(rotated["secret_hint"].as_str().unwrap()));
    client.post("/api/v1/contacts", &json!({})).await.expect(201);
    let came = receiver.until("a delivery", |received| received.len() == 1).await;
    assert_signed_by_all(&came[0], &[&new, &old]);
    assert_eq!(client.get(&format!("/api/v1/webhooks/{id}")).await.expect(200).get("secret"), None);
    // Without overlap the replaced secret is invalid at once; the overlap of the first one is not over.
    let last = client.post(&rotate, &json!({"overlap": "PT0S"})).await.expect(200);
    client.post("/api/v1/contacts", &json!({})).await.expect(201);
    let came = receiver.until("the next", |received| received.len() == 2).await;
    assert_signed_by_all(&came[1], &[last["secret"].as_str().unwrap(), &old]);
}

async fn a_test_reports_the_response_of_the_receiver(store: Store) {
    let server = Server::start(store, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    let (id, secret) = hook(&client, &receiver, json!({"events": ["message.sent"]})).await;
    let test = format!("/api/v1/webhooks/{id}/test");
    let outcome = client.post(&test, &json!({})).await.expect(200);
    assert_eq!(
        (&outcome["succeeded"], &outcome["status"], &outcome["error"]),
        (&json!(true), &json!(204), &json!(null))
    );
    assert_eq!(outcome["event_type"], "message.sent");
    let came = receiver.received();
    assert_signed(&came[0], &secret);
    assert_eq!((&came[0].envelope()["test"], came[0].kind().as_str()), (&json!(true), "message.sent"));
    receiver.answer(503);
    let outcome = client.post(&test, &json!({"event_type": "contact.tag_added"})).await.expect(200);
    assert_eq!((&outcome["succeeded"], &outcome["status"]), (&json!(false), &json!(503)));
    assert!(outcome["error"].as_str().unwrap().contains("503"));
    let deliveries = client.get(&format!("/api/v1/webhooks/{id}/deliveries")).await.expect(200);
    assert_eq!(deliveries["data"], json!([]), "a test stores no delivery");
}

/// Reads the feed from the beginning, page by page.
async fn whole_feed(client: &Client, limit: usize) -> Vec<Value> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let page = client.get(&format!("/api/v1/events?after={after}&limit={limit}")).await.expect(200);
        all.extend(page["data"].as_array().unwrap().iter().cloned());
        after = page["next_after"].as_i64().unwrap();
        if page["has_more"] == false {
            break all;
        }
    }
}

async fn the_feed_matches_the_deliveries_and_survives_a_kill(store: Store) {
    let mut server = Server::start(store, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    hook(&client, &receiver, json!({})).await;
    assert_eq!(client.get("/api/v1/events").await.expect(200), json!({"data": [], "next_after": 0, "has_more": false}));
    a_story(&client).await;
    let came = receiver.until("the whole story", |received| received.len() >= 7).await;
    // At most a second after its commit.
    let begun = std::time::Instant::now();
    let feed = client.until("/api/v1/events?limit=100", |page| page["data"].as_array().unwrap().len() == 7).await;
    assert!(begun.elapsed() < std::time::Duration::from_secs(5));
    let feed = feed["data"].as_array().unwrap().clone();
    assert!(feed.iter().map(|event| event["position"].as_i64().unwrap()).eq(1..=7));
    for event in &feed {
        let delivered = came.iter().find(|it| it.envelope()["id"] == event["id"]).unwrap().envelope();
        let mut envelope = event.clone();
        envelope.as_object_mut().unwrap().shift_remove("position");
        assert_eq!(envelope, delivered);
    }
    assert_eq!(feed[0]["type"], "contact.created", "the cause is before its effects");
    let tags = client.get("/api/v1/events?types=contact.tag_added").await.expect(200);
    assert_eq!((tags["data"].as_array().unwrap().len(), &tags["next_after"]), (2, &json!(7)));

    client.post("/api/v1/contacts", &json!({"external_id": "last"})).await.expect(201);
    server.kill();
    server.serve();
    let client = server.client();
    client.until("/api/v1/events?after=7", |page| page["data"].as_array().unwrap().len() == 1).await;
    let all = whole_feed(&client, 3).await;
    assert!(all.iter().map(|event| event["position"].as_i64().unwrap()).eq(1..=8));
    assert_eq!(all[..7], feed);
}

async fn envelopes_match_their_documented_types(store: Store) {
    let server = Server::start(store, &[]);
    let (client, receiver) = (server.client(), Receiver::start());
    hook(&client, &receiver, json!({})).await;
    let contact = a_story(&client).await;
    receiver.until("the whole story", |received| received.len() >= 7).await;
    let path = format!("/api/v1/contacts/{contact}");
    client.post("/api/v1/custom-fields", &json!({"name": "Plan", "type": "text"})).await.expect(201);
    client.put(&path, &json!({"last_name": "Adams", "custom_fields": {"plan": "gold"}})).await.expect(200);
    let tagged = client.post(&format!("{path}/tags"), &json!({"name": "leaves"})).await.expect(201);
    let tag = tagged["tags"].as_array().unwrap().iter().find(|tag| tag["name"] == "leaves").unwrap().clone();
    client.delete(&format!("{path}/tags/{}", tag["id"].as_str().unwrap())).await.expect(204);
    client.delete(&path).await.expect(204);
    let wanted = std::collections::BTreeSet::from([
        "contact.created",
        "contact.deleted",
        "contact.field_changed",
        "contact.tag_added",
        "contact.tag_removed",
        "contact.updated",
        "conversation.created",
        "flow.completed",
        "flow.started",
        "message.sent",
    ]);
    let told = |received: &[Received]| wanted.iter().all(|kind| received.iter().any(|it| it.kind() == *kind));
    let came = receiver.until("all kinds", told).await;

    let document = Document(client.get("/openapi.json").await.expect(200));
    let types = client.get("/api/v1/event-types").await.expect(200)["data"].as_array().unwrap().clone();
    assert_eq!(types.len(), 24);
    for kind in &types {
        let reference = kind["data_schema"]["$ref"].as_str().unwrap().strip_prefix("/openapi.json").unwrap();
        let differences = document.differences(&json!({"$ref": reference}), &kind["example"]);
        assert_eq!(differences, Vec::<String>::new(), "the example of {}", kind["type"]);
    }
    for envelope in came.iter().map(Received::envelope) {
        let kind = envelope["type"].as_str().unwrap().to_owned();
        let body = &document.0["webhooks"][&kind]["post"]["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(document.differences(body, &envelope), Vec::<String>::new(), "{envelope}");
    }
}

on_both! {
    events_arrive_signed,
    retries_with_the_same_signed_bytes,
    holds_deliveries_while_paused,
    disables_a_webhook_that_answers_410,
    signs_with_both_secrets_during_a_rotation,
    a_test_reports_the_response_of_the_receiver,
    the_feed_matches_the_deliveries_and_survives_a_kill,
    envelopes_match_their_documented_types,
    sends_nothing_to_a_deleted_webhook,
}

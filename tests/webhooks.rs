//! Events reach a receiver, signed in both ways, and are sent again until it takes them.
//!
//! The signatures are computed here once more from the words of `docs/webhooks.md`, so that the
//! sender's own code is not its own witness.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

mod support;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use support::receiver::Received;
use support::{Client, Receiver, Server, Store};

/// HMAC-SHA256.
fn mac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    parts.iter().for_each(|part| context.update(part));
    context.sign().as_ref().to_vec()
}

#[track_caller]
fn assert_signed(delivery: &Received, secret: &str) {
    let header = |name: &str| delivery.headers[name].as_str();
    let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let standard = mac(&key, &[id.as_bytes(), b".", timestamp.as_bytes(), b".", &delivery.body]);
    assert_eq!(header("webhook-signature"), format!("v1,{}", STANDARD.encode(standard)));
    let service = mac(secret.as_bytes(), &[timestamp.as_bytes(), b".", &delivery.body]);
    let hex: String = service.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(header("x-service-signature"), format!("t={timestamp},v1={hex}"));
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
    let flow = json!({"name": "Welcome", "definition": {"start": "hi", "nodes": [
        {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi {{ contact.name }}"}, "next": "tag"},
        {"id": "tag", "type": "add_tag", "tag": "welcomed", "next": "end"},
        {"id": "end", "type": "end"}]}});
    let flow = client.post("/api/v1/flows", &flow).await.expect(201);
    let flow = flow["id"].as_str().unwrap();
    client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await.expect(200);
    let contact = json!({"first_name": "Zoë 🦀", "tags": ["lead"]});
    let contact = client.post("/api/v1/contacts", &contact).await.expect(201);
    let contact = contact["id"].as_str().unwrap().to_owned();
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

async fn a_receiver_that_fails_is_asked_again(store: Store) {
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
    assert!(attempts.iter().all(|it| it.body == attempts[0].body), "the same bytes on every attempt");
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

async fn what_is_on_its_way_to_a_deleted_webhook_fails(store: Store) {
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
    assert_eq!(receiver.received().len(), 1, "nothing more comes to a webhook that is gone");
}

macro_rules! on_both {
    ($($case:ident => $sqlite:ident, $postgresql:ident;)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $sqlite() {
            $case(Store::sqlite().await).await;
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $postgresql() {
            $case(Store::postgres().await).await;
        }
    )*};
}

on_both! {
    events_arrive_signed => events_arrive_signed_on_sqlite, events_arrive_signed_on_postgresql;
    a_receiver_that_fails_is_asked_again => retries_on_sqlite, retries_on_postgresql;
    what_is_on_its_way_to_a_deleted_webhook_fails => deleted_on_sqlite, deleted_on_postgresql;
}

//! Errors of WhatsApp, and the window in which a contact gets replies.

use serde_json::{Value, json};

use super::{GraphApi, Line, PUBLIC, text};
use crate::support::{Server, Store};

pub(super) async fn errors_and_the_reply_window(store: Store) {
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

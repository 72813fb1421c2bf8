//! Reports that arrive before WhatsApp answers the call, twice, and after later ones.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{GraphApi, Line, PUBLIC, text};
use crate::support::{Server, Store};

pub async fn reports_before_the_answer_count(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    line.says("wamid.1", "Hello").await;
    let contact = line.contacts().await.remove(0);
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let path = line.messages().await;
    let gate = Arc::new(Semaphore::new(0));
    api.meta.lock().unwrap().gate = Some(Arc::clone(&gate));
    let statuses = ["delivered", "read", "failed"];
    for (number, status) in statuses.into_iter().enumerate() {
        let message = line.client.post(&send, &json!({"type": "text", "text": status})).await.expect(202);
        let call = api.sent(number + 1).await.remove(number);
        let carried = &call["biz_opaque_callback_data"];
        let mut report = json!({"id": "wamid.early", "status": status, "biz_opaque_callback_data": carried});
        if status == "failed" {
            report["errors"] = json!([{"code": 131_049, "title": "Not delivered"}]);
        }
        line.report(report.clone()).await;
        line.report(report).await;
        line.until(&path, &message["id"], status).await;

        // Now WhatsApp answers the call.
        gate.add_permits(1);
        let is_named = |it: &&Value| it["id"] == message["id"] && it["provider_message_id"].is_string();
        let has_name = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| is_named(&it));
        let list = line.client.until(&path, has_name).await;
        let named = list["data"].as_array().unwrap().iter().find(is_named).unwrap();
        assert_eq!(named["status"], status, "{named}");
        for late in ["sent", status] {
            line.report(json!({"id": named["provider_message_id"], "status": late})).await;
        }
        line.until(&path, &message["id"], status).await;
    }
    for (kind, count) in [("sent", 3), ("delivered", 1), ("read", 1), ("failed", 1)] {
        let feed = format!("/api/v1/events?types=message.{kind}");
        let page = line.client.until(&feed, |page| page["data"].as_array().unwrap().len() >= count).await;
        assert_eq!(page["data"].as_array().unwrap().len(), count, "{page}");
    }
    assert_eq!(api.sent(statuses.len()).await.len(), statuses.len());
}

//! Reports that arrive before Twilio answers the call, twice, late, and on unknown messages.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::Semaphore;

use super::{ADA, Line, NUMBER, PUBLIC, SID, TOKEN, Twilio, a_channel, text};
use crate::support::{Server, Store};

pub async fn reports_count_in_any_order(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    line.says("SM1", "Hello").await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&line.only_contact().await["id"]));
    let gate = Arc::new(Semaphore::new(0));
    twilio.account.lock().unwrap().gate = Some(Arc::clone(&gate));
    let cases = [("delivered", "delivered", ""), ("undelivered", "failed", "30005")];
    for (number, (reported, status, code)) in cases.into_iter().enumerate() {
        let message = line.client.post(&send, &json!({"type": "text", "text": reported})).await.expect(202);
        let path = format!("/api/v1/messages/{}", text(&message["id"]));
        let call = twilio.called(number + 1).await.remove(number);
        let report = [("MessageStatus", reported), ("ErrorCode", code)];
        for _ in 0..2 {
            line.reports(&call, &report).await;
        }
        line.client.until(&path, |it| it["status"] == status).await;

        // Now Twilio answers the call.
        gate.add_permits(1);
        twilio.sent(number + 1).await;
        line.client.until(&path, |it| it["status"] == status && it["provider_message_id"].is_string()).await;
        for late in ["queued", "sent", reported] {
            line.reports(&call, &[("MessageStatus", late), ("ErrorCode", "")]).await;
        }
        let after = line.client.get(&path).await.expect(200);
        assert_eq!(after["status"], status, "{after}");
    }
    let unknown =
        [("MessageSid", "SM98"), ("AccountSid", SID), ("To", ADA), ("From", NUMBER), ("MessageStatus", "delivered")];
    line.signed(&line.inbound, &unknown).await;
    line.signed(&format!("{}?message=msg_01h455vb4pex5vsknk084sn02q", line.inbound), &unknown).await;
    for (kind, count) in [("sent", 2), ("delivered", 1), ("failed", 1)] {
        let feed = format!("/api/v1/events?types=message.{kind}");
        let page = line.client.until(&feed, |page| page["data"].as_array().unwrap().len() >= count).await;
        assert_eq!(page["data"].as_array().unwrap().len(), count, "{page}");
    }
    assert_eq!(line.unparsed().await.len(), 0, "reports on other messages are understood");
}

//! Twilio does not repeat messages that it could not deliver. The server reads them from the list of the account.

use serde_json::{Value, json};

use super::{ADA, Line, NUMBER, PUBLIC, TOKEN, Twilio, a_channel, text};
use crate::support::{Server, Store};

/// A time of the API in the form of Twilio, such as `Fri, 01 Jan 2026 09:30:00 +0000`.
fn date(time: &str) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month: usize = time[5..7].parse().unwrap();
    format!("Fri, {} {} {} {} +0000", &time[8..10], months[month - 1], &time[..4], &time[11..19])
}

pub(super) async fn messages_of_an_outage_are_read_when_it_is_over(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let flow = json!({"start": "say", "triggers": [{"type": "keyword", "match": "exact", "keywords": ["price"]}],
                      "nodes": [{"id": "say", "type": "send_message", "message": {"type": "text", "text": "Ten"},
                                 "next": "end"},
                                {"id": "end", "type": "end"}]});
    line.client.publish_flow("Price", &flow).await;
    line.says("SM1", "Hello").await;
    let disconnect = format!("{}/disconnect", line.path());
    let connect = format!("{}/connect", line.path());
    line.client.post(&disconnect, &json!({})).await.expect(200);

    let now = date(&text(&line.client.get(&line.path()).await.expect(200)["updated_at"]));
    let received = |id: &str, body: &str, direction: &str| {
        json!({"sid": id, "from": ADA, "to": NUMBER, "body": body, "direction": direction, "status": "received",
               "num_media": "0", "messaging_service_sid": null, "date_created": now, "date_sent": now})
    };
    twilio.account.lock().unwrap().received = vec![
        received("SM3", "price", "inbound"),
        received("SM9", "Hi", "outbound-api"),
        received("SM2", "Are you there?", "inbound"),
        received("SM1", "Hello", "inbound"),
    ];
    line.client.post(&connect, &json!({})).await.expect(200);
    let path = line.messages().await;
    let is_answered = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["text"] == "Ten");
    line.client.until(&path, is_answered).await;
    // Twilio delivers a message late, and the next reading lists all of them again.
    line.says("SM3", "price").await;
    line.client.post(&disconnect, &json!({})).await.expect(200);
    twilio.account.lock().unwrap().received.insert(0, received("SM4", "Thanks", "inbound"));
    line.client.post(&connect, &json!({})).await.expect(200);
    let is_thanked = |list: &Value| list["data"].as_array().unwrap().iter().any(|it| it["text"] == "Thanks");
    let list = line.client.until(&path, is_thanked).await;
    let mut texts: Vec<String> = list["data"].as_array().unwrap().iter().map(|it| text(&it["text"])).collect();
    texts.retain(|it| it != "Ten");
    assert_eq!(texts, ["Hello", "Are you there?", "price", "Thanks"], "{list}");
    assert_eq!(twilio.sent(1).await.len(), 1, "the flow answered once");
}

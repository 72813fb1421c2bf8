//! Choices in numbered lines: a question of a flow, and quick replies that start a flow.

use serde_json::{Value, json};

use super::{ADA, Line, NUMBER, PUBLIC, TOKEN, Twilio, a_channel, member, text};
use crate::support::{Server, Store};

pub(super) async fn a_flow_asks_and_a_number_answers(store: Store) {
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

//! A question of a flow, which the contact answers with a button, and reports on its messages.

use serde_json::{Value, json};

use super::{GraphApi, Line, NUMBER, PUBLIC, text, written};
use crate::support::{Server, Store};

pub(super) async fn a_flow_asks_and_a_button_answers(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let nodes = json!([
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Which *colour*?"}, "expect": "select",
         "options": ["Red", "Blue"], "save_to": "vars.colour", "next": "say"},
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "{{ vars.colour }}!"}, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let triggers = json!([{"type": "keyword", "match": "exact", "keywords": ["spring"]}]);
    let flow = json!({"name": "Colours", "definition": {"start": "ask", "triggers": triggers, "nodes": nodes}});
    let flow = line.client.post("/api/v1/flows", &flow).await.expect(201);
    line.client.post(&format!("/api/v1/flows/{}/publish", text(&flow["id"])), &json!({})).await.expect(200);

    line.says("wamid.1", "spring").await;
    let asked = api.sent(1).await.remove(0);
    assert_eq!((&asked["to"], &asked["type"]), (&json!("5491123456789"), &json!("interactive")));
    assert_eq!(asked["interactive"]["body"]["text"], "Which *colour*?");
    let blue = &asked["interactive"]["action"]["buttons"][1]["reply"];
    assert_eq!(blue["title"], "Blue");
    let reply = json!({"type": "interactive", "interactive": {"type": "button_reply", "button_reply": blue}});
    line.deliver(&[written(NUMBER, "wamid.2", &reply)]).await;
    let sent = api.sent(2).await;
    assert_eq!((&sent[1]["text"]["body"], &sent[1]["type"]), (&json!("Blue!"), &json!("text")));
    let path = line.messages().await;
    let list = line.client.until(&path, |list| list["data"][3]["status"] == "sent").await;
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["spring", "Which *colour*?", "Blue", "Blue!"]);

    // Reports name the message by its ID at WhatsApp, or by what the message carried.
    let last = &list["data"][3];
    let by_id = |status: &str| json!({"id": last["provider_message_id"], "status": status, "timestamp": "1767225600"});
    line.report(by_id("delivered")).await;
    line.until(&path, &last["id"], "delivered").await;
    line.report(by_id("sent")).await;
    let carried = &sent[1]["biz_opaque_callback_data"];
    line.report(json!({"id": "wamid.other", "status": "read", "biz_opaque_callback_data": carried})).await;
    line.until(&path, &last["id"], "read").await;
    // A report on a message of another system is ignored.
    line.report(json!({"id": "wamid.unknown", "status": "read"})).await;

    // A button of an older message still names its message.
    line.deliver(&[written(NUMBER, "wamid.3", &reply)]).await;
    let list = line.client.get(&path).await.expect(200);
    let (offer, pressed) = (&list["data"][1], &list["data"][4]);
    assert_eq!(pressed["choice"], json!({"title": "Blue", "payload": null, "message_id": offer["id"]}), "{list}");
}

//! A question of a flow, which the contact answers with a button.

use serde_json::{Value, json};

use super::{BotApi, Line, PUBLIC, TOKEN, ada, chat};
use crate::support::{Server, Store};

pub(super) async fn a_flow_asks_and_a_button_answers(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    let nodes = json!([
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Which *colour*?"}, "expect": "select",
         "options": ["Red", "Blue"], "save_to": "vars.colour", "next": "say"},
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "{{ vars.colour }}!"}, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let triggers = json!([{"type": "keyword", "match": "exact", "keywords": ["/start spring"]}]);
    let definition = json!({"start": "ask", "triggers": triggers, "nodes": nodes});
    line.client.publish_flow("Colours", &definition).await;

    line.says(1, "/start spring").await;
    let asked = api.called("sendMessage", 1).await.remove(0).body;
    assert_eq!((&asked["chat_id"], &asked["text"]), (&json!(42), &json!("Which *colour*?")));
    assert!(asked.get("parse_mode").is_none());
    let keyboard = &asked["reply_markup"]["inline_keyboard"];
    assert_eq!((&keyboard[0][0]["text"], &keyboard[1][0]["text"]), (&json!("Red"), &json!("Blue")));
    let message = json!({"message_id": 101, "chat": chat(), "reply_markup": asked["reply_markup"]});
    let query = json!({"id": "77", "from": ada(), "message": message, "data": keyboard[1][0]["callback_data"]});
    let pressed = json!({"update_id": 2, "callback_query": query});
    assert_eq!(line.update(&pressed).await.status, 200);
    let sent = api.called("sendMessage", 2).await;
    assert_eq!(sent[1].body["text"], "Blue!");
    let answered = api.called("answerCallbackQuery", 1).await;
    assert_eq!(answered[0].body["callback_query_id"], "77");
    let is_sent =
        |list: &Value| list["data"].as_array().unwrap().iter().filter(|it| it["status"] == "sent").count() == 2;
    let list = line.client.until(&line.messages().await, is_sent).await;
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["/start spring", "Which *colour*?", "Blue", "Blue!"]);
    assert!(list["data"][1]["provider_message_id"].is_string(), "{list}");
}

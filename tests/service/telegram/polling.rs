//! Bots without a webhook: the server has no public address, and fetches the updates.

use serde_json::{Value, json};

use super::{BotApi, Line, OTHER, TOKEN, a_channel, ada, chat, text, written};
use crate::support::{Client, Person, Server, Store};

/// Jobs of a killed process are claimed again after this time.
const LEASE: (&str, &str) = ("TIDINGS__ENGINE__LEASE", "PT5S");

impl BotApi {
    fn set_webhook(&self, token: &str, url: &str) {
        let webhook = (token.split(':').next().unwrap().to_owned(), json!({"url": url}));
        self.bots.lock().unwrap().webhooks.push(webhook);
    }

    /// Adds updates that the bot has not fetched yet.
    fn write(&self, token: &str, updates: impl IntoIterator<Item = Value>) {
        let bot = token.split(':').next().unwrap();
        let updates = updates.into_iter().map(|update| (bot.to_owned(), update));
        self.bots.lock().unwrap().updates.extend(updates);
    }

    /// Waits until Telegram knows that all updates were stored.
    async fn all_confirmed(&self) {
        for _ in 0..1_200 {
            if self.bots.lock().unwrap().updates.is_empty() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("some updates were not confirmed");
    }
}

fn a_polled_channel(api: &BotApi, token: &str) -> Value {
    let mut channel = a_channel(api, token);
    channel["config"]["mode"] = json!("polling");
    channel
}

/// Creates a channel that polls.
async fn open(client: Client, api: &BotApi, token: &str) -> Line {
    let made = client.post("/api/v1/channels", &a_polled_channel(api, token)).await.expect(201);
    assert_eq!((&made["status"], &made["inbound_url"]), (&json!("connected"), &Value::Null), "{made}");
    let (nobody, channel) = (client.with_key(None), text(&made["id"]));
    Line { client, nobody, channel, inbound: text(&made["inbound_path"]), secret: String::new() }
}

fn texts(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|message| text(&message["text"])).collect()
}

pub async fn a_polled_bot_loses_and_repeats_no_message(store: Store) {
    let mut server = Server::start(store, &[LEASE]);
    let api = BotApi::start().await;
    api.set_webhook(TOKEN, "https://earlier.example/bot");
    let mut line = open(server.client(), &api, TOKEN).await;
    assert!(api.webhook(TOKEN).is_none(), "Telegram allows polls only without a webhook");
    let nodes = json!([{"id": "say", "type": "send_message", "message": {"type": "text", "text": "Welcome"},
                        "next": "end"}, {"id": "end", "type": "end"}]);
    let triggers = json!([{"type": "keyword", "match": "exact", "keywords": ["Hello"]}]);
    line.client.publish_flow("Greeting", &json!({"start": "say", "triggers": triggers, "nodes": nodes})).await;

    let message = json!({"message_id": 101, "chat": chat(), "reply_markup": {"inline_keyboard": []}});
    let query = json!({"id": "77", "from": ada(), "message": message, "data": "x"});
    api.write(TOKEN, [written(7, "Hello")]);
    assert_eq!(api.called("sendMessage", 1).await[0].body["text"], "Welcome");
    api.write(TOKEN, [json!({"update_id": 8, "callback_query": query})]);
    assert_eq!(api.called("answerCallbackQuery", 1).await[0].body["callback_query_id"], "77");
    api.all_confirmed().await;

    // The process ends between the messages of a long list, and Telegram gets more in the meantime.
    let numbered = |numbers: std::ops::Range<i64>| numbers.map(|number| written(number, &number.to_string()));
    api.write(TOKEN, numbered(100..150));
    let path = format!("{}&limit=100", line.messages().await);
    line.client.until(&path, |list| texts(list).len() > 5).await;
    server.kill();
    api.write(TOKEN, numbered(150..170));
    server.serve();
    line.client = server.client();
    let list = line.client.until(&path, |list| texts(list).len() >= 73).await;
    let mut expected = vec!["Hello".to_owned(), "Welcome".to_owned(), "[button]".to_owned()];
    expected.extend((100..170).map(|number: i64| number.to_string()));
    assert_eq!(texts(&list), expected, "each message is stored once, in its order");
    api.all_confirmed().await;

    // A disconnected channel does not poll. Telegram keeps its messages.
    let turn = async |to: &str| line.client.call("POST", &format!("{}/{to}", line.path()), None).await.expect(200);
    turn("disconnect").await;
    api.write(TOKEN, [written(200, "Later")]);
    assert_eq!(turn("connect").await["status"], "connected");
    line.client.until(&path, |list| texts(list).last().is_some_and(|text| text == "Later")).await;
    let stored = line.client.get(&line.path()).await.expect(200);
    assert!(stored["health"]["last_inbound_at"].is_string(), "{stored}");
    assert!(!server.log().contains("AAHdq"), "the log contains a token");
}

pub async fn a_webhook_of_another_program_stops_the_polls(store: Store) {
    let server = Server::start(store, &[]);
    let api = BotApi::start().await;
    let line = open(server.client(), &api, TOKEN).await;
    let body = json!({"config": {"mode": "webhook"}});
    let refused = line.client.call("PATCH", &line.path(), Some(&body)).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "no_public_url"), "{}", refused.text);

    api.set_webhook(TOKEN, "https://other.example/bot");
    // The other bot of the workspace is not affected.
    let other = open(server.client(), &api, OTHER).await;
    api.write(OTHER, [written(1, "To the other bot")]);
    let is_taken = |it: &Value| it["health"]["problems"][0]["code"] == "webhook_taken";
    let taken = line.client.until(&line.path(), is_taken).await;
    assert_eq!((&taken["status"], &taken["health"]["state"]), (&json!("connected"), &json!("failing")), "{taken}");
    let received = async |count: usize| {
        let are_stored = |list: &Value| list["data"].as_array().unwrap().len() == count;
        other.client.until("/api/v1/conversations", are_stored).await;
    };
    received(1).await;
    api.write(TOKEN, [written(2, "To this bot")]);
    line.client.call("POST", &format!("{}/connect", line.path()), None).await.expect(200);
    assert!(api.webhook(TOKEN).is_none());
    line.client.until(&line.path(), |it| it["health"]["problems"] == json!([])).await;
    received(2).await;
    api.all_confirmed().await;
}

/// As with a provider that calls the server, messages of contacts arrive. Only sending is paused.
pub async fn a_paused_workspace_receives_messages(store: Store) {
    let server = Server::start(store, &[]);
    let api = BotApi::start().await;
    let line = open(server.client(), &api, TOKEN).await;
    let admin = Person::new(&server, &server.workspace, "admin").client(&server).await;
    let path = format!("/platform/workspaces/{}/outbound", server.workspace);
    admin.put(&path, &json!({"mode": "hold"})).await.expect(200);
    api.write(TOKEN, [written(1, "During the pause")]);
    let is_stored = |list: &Value| list["data"].as_array().unwrap().len() == 1;
    line.client.until("/api/v1/conversations", is_stored).await;
    api.all_confirmed().await;
}

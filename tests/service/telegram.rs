//! A `telegram` channel in both directions: set-up, messages of contacts, a flow with choices, opt-outs and errors.
//!
//! The Bot API is implemented again from its documentation, so the product's code does not test itself.

mod bodies;
mod bot_api;
mod changes;
mod choices;
mod errors;
mod files;
mod first_messages;
mod killed;
mod limits;
mod outage;
mod polling;
mod revoked_token;
mod setup;
mod signatures;
mod stopped_parts;

use serde_json::{Value, json};

use crate::support::inbox::only_messages;
use crate::support::{Client, Reply, Server};
use bot_api::BotApi;

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const RENEWED: &str = "110201543:BBHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const OTHER: &str = "220201543:CCHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const PUBLIC: (&str, &str) = ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example");
const SECRET: &str = "x-telegram-bot-api-secret-token";

fn a_channel(api: &BotApi, token: &str) -> Value {
    json!({"kind": "telegram", "name": "Bot", "is_default": true,
           "config": {"mode": "webhook", "base_url": api.url}, "secrets": {"bot_token": token}})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A connected channel, from Telegram's side.
struct Line {
    client: Client,
    nobody: Client,
    channel: String,
    inbound: String,
    secret: String,
}

impl Line {
    async fn open(server: &Server, api: &BotApi, token: &str) -> Self {
        let client = server.client();
        let made = client.post("/api/v1/channels", &a_channel(api, token)).await;
        assert!(!made.text.contains(token), "{}", made.text);
        let made = made.expect(201);
        assert_eq!(made["status"], "connected", "{made}");
        let webhook = api.webhook(token).unwrap();
        let inbound = text(&made["inbound_path"]);
        assert_eq!(webhook["url"], format!("https://tidings.example{inbound}"));
        assert_eq!(webhook["drop_pending_updates"], false);
        let (channel, secret) = (text(&made["id"]), text(&webhook["secret_token"]));
        Self { nobody: client.with_key(None), client, channel, inbound, secret }
    }

    async fn update(&self, update: &Value) -> Reply {
        self.update_with(update, Some(&self.secret)).await
    }

    async fn update_with(&self, update: &Value, secret: Option<&str>) -> Reply {
        self.post(update.to_string().into_bytes(), secret).await
    }

    async fn post(&self, body: Vec<u8>, secret: Option<&str>) -> Reply {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(secret.map(|secret| (SECRET, secret)));
        self.nobody.send("POST", &self.inbound, &headers, Some(body)).await.unwrap()
    }

    async fn says(&self, id: i64, text: &str) {
        let reply = self.update(&written(id, text)).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""));
    }

    async fn only_contact(&self) -> Value {
        self.client.only("/api/v1/contacts").await
    }

    /// The path of the messages of the only conversation, oldest first.
    async fn messages(&self) -> String {
        only_messages(&self.client).await
    }

    fn path(&self) -> String {
        format!("/api/v1/channels/{}", self.channel)
    }
}

fn chat() -> Value {
    json!({"id": 42, "type": "private", "first_name": "Ada"})
}

fn ada() -> Value {
    json!({"id": 42, "is_bot": false, "first_name": "Ada", "last_name": "King", "language_code": "de"})
}

fn written(id: i64, text: &str) -> Value {
    json!({"update_id": id,
           "message": {"message_id": id, "date": 1_767_225_600, "chat": chat(), "from": ada(), "text": text}})
}

on_both! {
    first_messages_of_a_stranger_create_one_contact in first_messages,
    messages_wait_while_the_token_is_revoked in revoked_token,
    bodies_are_read_up_to_their_limit in bodies,
    requests_over_the_limit_are_answered_503 in limits,
    files_are_pending_until_they_are_fetched in files,
    an_opt_out_between_two_parts_stops_the_message in stopped_parts,
    a_kill_during_the_call_leaves_its_part_uncertain in killed,
    a_polled_bot_loses_and_repeats_no_message in polling,
    a_webhook_of_another_program_stops_the_polls in polling,
    a_paused_workspace_receives_messages in polling,
    a_channel_is_stored_only_if_telegram_accepts_the_token in setup,
    only_requests_with_the_secret_are_accepted in signatures,
    a_flow_asks_and_a_button_answers in choices,
    errors_and_opt_outs in errors,
    a_later_try_begins_at_the_refused_part in errors,
    a_contact_comes_by_a_link_edits_and_reacts in changes,
}

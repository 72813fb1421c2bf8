//! A server of the Bot API.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::{OTHER, RENEWED, TOKEN};
use crate::support::provider::{Request, listen, respond, until};

/// The method of a request for a file.
const FILE: &str = "file";

/// A call of a bot: its token, the method and the body.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) token: String,
    pub(super) method: String,
    pub(super) body: Value,
}

#[derive(Default)]
pub(super) struct Bots {
    pub(super) calls: Vec<Call>,
    /// The webhooks, by token.
    pub(super) webhooks: Vec<(String, Value)>,
    /// Responses to the next calls of `sendMessage`.
    pub(super) faults: VecDeque<(u16, Value)>,
    /// Tokens that are not valid any more.
    pub(super) revoked: Vec<String>,
    /// The next responses to requests for files, as sent by HTTP.
    pub(super) files: VecDeque<Vec<u8>>,
    /// The updates that wait for `getUpdates`, by bot.
    pub(super) updates: Vec<(String, Value)>,
    /// Calls of `sendMessage` and requests for files are answered one by one, as permits are added.
    pub(super) gate: Option<Arc<Semaphore>>,
}

impl Bots {
    /// Returns the status and the body of the response.
    fn answer(&mut self, call: &Call) -> (u16, Value) {
        let ok = |result: Value| (200, json!({"ok": true, "result": result}));
        if ![TOKEN, RENEWED, OTHER].contains(&call.token.as_str()) || self.revoked.contains(&call.token) {
            return (401, json!({"ok": false, "error_code": 401, "description": "Unauthorized"}));
        }
        let bot = call.token.split(':').next().unwrap();
        match call.method.as_str() {
            "getMe" => {
                ok(json!({"id": bot.parse::<u64>().unwrap(), "is_bot": true, "username": format!("b{bot}_bot")}))
            }
            "setWebhook" => {
                self.webhooks.retain(|(own, _)| own != bot);
                self.webhooks.push((bot.to_owned(), call.body.clone()));
                ok(json!(true))
            }
            "deleteWebhook" => {
                self.webhooks.retain(|(own, _)| own != bot);
                ok(json!(true))
            }
            "getWebhookInfo" => {
                let url = self.webhook(bot).map_or(json!(""), |webhook| webhook["url"].clone());
                ok(json!({"url": url, "pending_update_count": 0}))
            }
            "getUpdates" if self.webhook(bot).is_some() => {
                let why = "Conflict: can't use getUpdates method while webhook is active";
                (409, json!({"ok": false, "error_code": 409, "description": why}))
            }
            "getUpdates" => {
                let (offset, limit) = (call.body["offset"].as_i64(), call.body["limit"].as_u64().unwrap());
                self.updates.retain(|(own, update)| own != bot || update["update_id"].as_i64() >= offset);
                let waiting = self.updates.iter().filter(|(own, _)| own == bot).map(|(_, update)| update.clone());
                ok(waiting.take(limit as usize).collect())
            }
            "sendMessage" => match self.faults.pop_front() {
                Some(fault) => fault,
                None => ok(json!({"message_id": 100 + self.calls.len(), "text": call.body["text"]})),
            },
            "answerCallbackQuery" | "editMessageReplyMarkup" => ok(json!(true)),
            "getFile" if call.body["file_id"] == "large" => {
                (400, json!({"ok": false, "error_code": 400, "description": "Bad Request: file is too big"}))
            }
            "getFile" => ok(json!({"file_id": call.body["file_id"], "file_path": "documents/file_1"})),
            _ => (404, json!({"ok": false, "error_code": 404, "description": "Not Found"})),
        }
    }

    fn webhook(&self, bot: &str) -> Option<&Value> {
        self.webhooks.iter().find(|(own, _)| own == bot).map(|(_, webhook)| webhook)
    }
}

/// A Bot API server.
pub(super) struct BotApi {
    pub(super) url: String,
    pub(super) bots: Arc<Mutex<Bots>>,
}

impl BotApi {
    pub(super) async fn start() -> Self {
        let bots = Arc::new(Mutex::new(Bots::default()));
        let shared = Arc::clone(&bots);
        let url = listen(move |stream| serve(stream, Arc::clone(&shared))).await;
        Self { url, bots }
    }

    pub(super) fn webhook(&self, token: &str) -> Option<Value> {
        self.bots.lock().unwrap().webhook(token.split(':').next().unwrap()).cloned()
    }

    pub(super) fn fail_next(&self, status: u16, body: Value) {
        self.bots.lock().unwrap().faults.push_back((status, body));
    }

    /// Waits for this number of calls of a method; returns all of them.
    pub(super) async fn called(&self, method: &str, count: usize) -> Vec<Call> {
        let received =
            || self.bots.lock().unwrap().calls.iter().filter(|call| call.method == method).cloned().collect();
        until(count, received).await
    }
}

async fn serve(mut stream: TcpStream, bots: Arc<Mutex<Bots>>) {
    let Some(request) = Request::read(&mut stream).await else { return };
    let is_file = request.path.starts_with("/file/");
    let (token, method) = request.path.split_once("/bot").unwrap().1.split_once('/').unwrap();
    let method = if is_file { FILE } else { method };
    let body = if is_file { Value::Null } else { serde_json::from_slice(&request.body).unwrap() };
    let call = Call { token: token.to_owned(), method: method.to_owned(), body };
    let gate = {
        let mut bots = bots.lock().unwrap();
        bots.calls.push(call.clone());
        bots.gate.clone().filter(|_| [FILE, "sendMessage"].contains(&call.method.as_str()))
    };
    if let Some(gate) = gate {
        gate.acquire().await.unwrap().forget();
    }
    if call.method == FILE {
        let file = bots.lock().unwrap().files.pop_front().unwrap();
        stream.write_all(&file).await.unwrap();
        return;
    }
    let (status, body) = bots.lock().unwrap().answer(&call);
    respond(stream, status, &body).await;
}

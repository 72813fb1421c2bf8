//! A server of the Graph API with one phone number.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::{ACCOUNT, NUMBER, PUBLIC, TOKEN};
use crate::support::Server;
use crate::support::provider::{Request, listen, respond, until};

/// A call: the method and the path without the version, the token, and the body.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) line: String,
    pub(super) token: String,
    pub(super) body: Value,
}

#[derive(Default)]
pub(super) struct Meta {
    pub(super) calls: Vec<Call>,
    /// The override of the phone number.
    pub(super) callback: Option<String>,
    /// Responses to the next calls of `messages`.
    pub(super) faults: VecDeque<(u16, Value)>,
    /// Calls of `messages` are answered one by one, as permits are added.
    pub(super) gate: Option<Arc<Semaphore>>,
    pub(super) is_revoked: bool,
    /// The address of the server, which Meta knows by its public URL.
    pub(super) server: String,
}

/// A Graph API server with one phone number.
pub(super) struct GraphApi {
    pub(super) url: String,
    pub(super) meta: Arc<Mutex<Meta>>,
}

fn error(code: i64) -> Value {
    json!({"error": {"message": format!("(#{code}) It failed"), "type": "OAuthException", "code": code}})
}

impl GraphApi {
    pub(super) async fn start(server: &Server) -> Self {
        let meta = Arc::new(Mutex::new(Meta { server: server.base.clone(), ..Meta::default() }));
        let shared = Arc::clone(&meta);
        let url = listen(move |stream| serve(stream, Arc::clone(&shared))).await;
        Self { url, meta }
    }

    pub(super) fn callback(&self) -> Option<String> {
        self.meta.lock().unwrap().callback.clone()
    }

    pub(super) fn fail_next(&self, status: u16, code: i64) {
        self.meta.lock().unwrap().faults.push_back((status, error(code)));
    }

    /// Waits for this number of sent messages; returns the bodies of all of them.
    pub(super) async fn sent(&self, count: usize) -> Vec<Value> {
        until(count, || {
            let calls = self.meta.lock().unwrap().calls.clone();
            calls.into_iter().filter(|call| call.line.ends_with("/messages")).map(|call| call.body).collect()
        })
        .await
    }
}

/// Checks a callback address as Meta does: it must return the challenge.
async fn accepts_the_challenge(server: &str, webhook: &Value) -> bool {
    let url = webhook["override_callback_uri"].as_str().unwrap().replace(PUBLIC.1, server);
    let query = format!(
        "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token={}",
        webhook["verify_token"].as_str().unwrap()
    );
    let answer = reqwest::Client::new().get(format!("{url}?{query}")).send().await.unwrap();
    answer.status() == 200 && answer.text().await.unwrap() == "1158201444"
}

async fn answer(call: &Call, meta: &Mutex<Meta>) -> (u16, Value) {
    let (is_revoked, server) = {
        let meta = meta.lock().unwrap();
        (meta.is_revoked, meta.server.clone())
    };
    if call.token != TOKEN || is_revoked {
        return (401, error(190));
    }
    let success = (200, json!({"success": true}));
    let line = call.line.split('?').next().unwrap();
    if line == format!("GET /{NUMBER}") {
        let callback = meta.lock().unwrap().callback.clone();
        let configuration = json!({"application": "https://app.example/webhook", "phone_number": callback});
        let number = json!({"id": NUMBER, "display_phone_number": "+49 171 1234567", "verified_name": "Acme",
                            "quality_rating": "GREEN", "webhook_configuration": configuration});
        return (200, number);
    }
    if line == format!("POST /{NUMBER}") {
        let webhook = &call.body["webhook_configuration"];
        if webhook["override_callback_uri"] == "" {
            meta.lock().unwrap().callback = None;
        } else if accepts_the_challenge(&server, webhook).await {
            meta.lock().unwrap().callback = webhook["override_callback_uri"].as_str().map(str::to_owned);
        } else {
            return (400, error(2_200));
        }
        return success;
    }
    if line == format!("POST /{ACCOUNT}/subscribed_apps") {
        return success;
    }
    if line == format!("GET /{ACCOUNT}/message_templates") {
        let body = json!({"type": "BODY", "text": "Hello {{1}}, your order is ready."});
        let template = json!({"name": "order_ready", "language": "en", "category": "UTILITY", "status": "APPROVED",
                              "components": [body]});
        return (200, json!({"data": [template], "paging": {"cursors": {"before": "a", "after": "b"}}}));
    }
    if line != format!("POST /{NUMBER}/messages") {
        return (400, error(100));
    }
    let mut meta = meta.lock().unwrap();
    if let Some(fault) = meta.faults.pop_front() {
        return fault;
    }
    let contacts = json!([{"input": call.body["to"], "wa_id": call.body["to"]}]);
    let messages = json!([{"id": format!("wamid.{}", meta.calls.len())}]);
    (200, json!({"messaging_product": "whatsapp", "contacts": contacts, "messages": messages}))
}

async fn serve(mut stream: TcpStream, meta: Arc<Mutex<Meta>>) {
    let Some(request) = Request::read(&mut stream).await else { return };
    let line = format!("{} {}", request.method, request.path).replace("/v25.0/", "/");
    let token = request.headers["authorization"].replace("Bearer ", "");
    let call = Call { line, token, body: serde_json::from_slice(&request.body).unwrap_or_default() };
    let gate = {
        let mut meta = meta.lock().unwrap();
        meta.calls.push(call.clone());
        meta.gate.clone().filter(|_| call.line.ends_with("/messages"))
    };
    if let Some(gate) = gate {
        gate.acquire().await.unwrap().forget();
    }
    let (status, body) = answer(&call, &meta).await;
    respond(stream, status, &body).await;
}

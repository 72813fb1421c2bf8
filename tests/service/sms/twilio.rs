//! A server of Twilio's API with one account.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use url::form_urlencoded;

use super::{KEY, NUMBER, OTHER, SERVICE, SID, TOKEN};
use crate::support::provider::{Request, listen, respond, until};

pub(super) type Form = Vec<(String, String)>;

pub(super) fn member<'f>(form: &'f [(String, String)], name: &str) -> Option<&'f str> {
    form.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

/// An account of Twilio with two numbers and a messaging service.
pub(super) struct Account {
    pub(super) token: String,
    pub(super) status: &'static str,
    /// The addresses of the numbers and of the service.
    pub(super) addresses: Vec<(String, String)>,
    /// The sent messages.
    pub(super) messages: Vec<Form>,
    /// The messages of contacts, the newest first.
    pub(super) received: Vec<Value>,
    /// Responses to the next messages.
    pub(super) faults: VecDeque<(u16, Value)>,
    /// The messages of all calls, also of those that are not answered yet.
    pub(super) calls: Vec<Form>,
    /// Calls that send a message are answered one by one, as permits are added.
    pub(super) gate: Option<Arc<Semaphore>>,
}

impl Account {
    fn address(&self, of: &str) -> String {
        self.addresses.iter().find(|(own, _)| own == of).map(|(_, url)| url.clone()).unwrap_or_default()
    }

    fn is_known(&self, authorization: &str) -> bool {
        let is = |user: &str, password: &str| {
            authorization == format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
        };
        is(SID, &self.token) || is(KEY.0, KEY.1)
    }

    /// Returns the status and the body of the response.
    fn answer(&mut self, (method, path): (&str, &str), authorization: &str, form: Form) -> (u16, Value) {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let of_account = path.strip_prefix(&format!("/2010-04-01/Accounts/{SID}"));
        // An API key cannot read the account.
        let needs_token = of_account == Some(".json");
        let is_key = authorization != format!("Basic {}", STANDARD.encode(format!("{SID}:{}", self.token)));
        if !self.is_known(authorization) || (needs_token && is_key) {
            return (401, json!({"code": 20003, "message": "Authenticate", "status": 401}));
        }
        match (method, of_account.unwrap_or(path)) {
            ("GET", ".json") => {
                let token = self.token.clone();
                (200, json!({"sid": SID, "friendly_name": "Acme", "status": self.status, "auth_token": token}))
            }
            ("GET", "/IncomingPhoneNumbers.json") => {
                let query: Form = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
                let asked = member(&query, "PhoneNumber").unwrap();
                let own = [(NUMBER, "PN6"), (OTHER, "PN7")].into_iter().filter(|(number, _)| *number == asked);
                let numbers: Vec<Value> = own
                    .map(|(number, sid)| json!({"sid": sid, "phone_number": number, "sms_url": self.address(number), "sms_application_sid": ""}))
                    .collect();
                (200, json!({"incoming_phone_numbers": numbers}))
            }
            ("POST", "/IncomingPhoneNumbers/PN6.json" | "/IncomingPhoneNumbers/PN7.json") => {
                let number = if path.contains("PN6") { NUMBER } else { OTHER };
                self.addresses.retain(|(own, _)| own != number);
                self.addresses.push((number.to_owned(), member(&form, "SmsUrl").unwrap().to_owned()));
                (200, json!({"phone_number": number}))
            }
            ("GET", service) if service == format!("/v1/Services/{SERVICE}") => {
                let url = self.address(SERVICE);
                (200, json!({"sid": SERVICE, "inbound_request_url": url, "inbound_method": "POST"}))
            }
            ("GET", "/Messages.json") => {
                let query: Form = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
                let to = member(&query, "To").unwrap();
                let found: Vec<&Value> = self.received.iter().filter(|it| it["to"] == to).collect();
                (200, json!({"messages": found, "next_page_uri": null}))
            }
            ("POST", "/Messages.json") => {
                self.messages.push(form);
                let sid = format!("SM{:032}", self.messages.len());
                self.faults.pop_front().unwrap_or((201, json!({"sid": sid, "status": "queued", "num_segments": "1"})))
            }
            _ => (404, json!({"code": 20404, "message": "The requested resource was not found", "status": 404})),
        }
    }
}

/// A server of Twilio's API.
pub(super) struct Twilio {
    pub(super) url: String,
    pub(super) account: Arc<Mutex<Account>>,
}

impl Twilio {
    pub(super) async fn start() -> Self {
        let account = Account {
            token: TOKEN.to_owned(),
            status: "active",
            addresses: Vec::new(),
            messages: Vec::new(),
            received: Vec::new(),
            faults: VecDeque::new(),
            calls: Vec::new(),
            gate: None,
        };
        let account = Arc::new(Mutex::new(account));
        let shared = Arc::clone(&account);
        let url = listen(move |stream| serve(stream, Arc::clone(&shared))).await;
        Self { url, account }
    }

    pub(super) fn address(&self, of: &str) -> String {
        self.account.lock().unwrap().address(of)
    }

    pub(super) fn fail_next(&self, status: u16, code: i64, message: &str) {
        let fault = (status, json!({"code": code, "message": message, "status": status}));
        self.account.lock().unwrap().faults.push_back(fault);
    }

    /// Waits for this number of messages; returns all of them.
    pub(super) async fn sent(&self, count: usize) -> Vec<Form> {
        until(count, || self.account.lock().unwrap().messages.clone()).await
    }

    /// Waits for this number of calls that send a message; returns the forms of all of them.
    pub(super) async fn called(&self, count: usize) -> Vec<Form> {
        until(count, || self.account.lock().unwrap().calls.clone()).await
    }
}

async fn serve(mut stream: TcpStream, account: Arc<Mutex<Account>>) {
    let Some(request) = Request::read(&mut stream).await else { return };
    let form: Form = form_urlencoded::parse(&request.body).into_owned().collect();
    let (method, path) = (request.method.as_str(), request.path.as_str());
    let authorization = request.headers.get("authorization").map_or("", String::as_str);
    let gate = {
        let mut account = account.lock().unwrap();
        let sends = method == "POST" && path.ends_with("/Messages.json");
        account.calls.extend(sends.then(|| form.clone()));
        account.gate.clone().filter(|_| sends)
    };
    if let Some(gate) = gate {
        gate.acquire().await.unwrap().forget();
    }
    let (status, body) = account.lock().unwrap().answer((method, path), authorization, form);
    respond(stream, status, &body).await;
}

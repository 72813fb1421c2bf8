//! A receiver of webhooks that records deliveries.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};

use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde_json::Value;
use tokio::sync::{Notify, watch};

use super::Patience;

#[derive(Debug, Clone)]
pub struct Received {
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Received {
    pub fn envelope(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn kind(&self) -> String {
        self.envelope()["type"].as_str().unwrap().to_owned()
    }
}

#[derive(Default)]
struct Kept {
    deliveries: Mutex<Vec<Received>>,
    more: Notify,
    failures: usize,
    /// The status of responses after the failures.
    status: AtomicU16,
    body: Mutex<String>,
    /// Whether responses are delayed.
    stalled: watch::Sender<bool>,
}

#[derive(Clone)]
pub struct Receiver {
    pub url: String,
    kept: Arc<Kept>,
}

impl Receiver {
    /// Starts a receiver that responds with 204.
    pub fn start() -> Self {
        Self::start_failing(0)
    }

    /// Starts a receiver that responds with 500 to the first `failures` deliveries.
    pub fn start_failing(failures: usize) -> Self {
        let kept = Arc::new(Kept { failures, status: AtomicU16::new(204), ..Kept::default() });
        let state = web::Data::from(kept.clone());
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server =
                    HttpServer::new(move || App::new().app_data(state.clone()).default_service(web::to(receive)));
                let server = server.workers(1).bind("127.0.0.1:0").unwrap();
                tell.send(server.addrs()[0]).unwrap();
                server.run().await.unwrap();
            });
        });
        Self { url: format!("http://{}/hook", told.recv().unwrap()), kept }
    }

    /// Responds with this status from now on.
    pub fn answer(&self, status: u16) {
        self.kept.status.store(status, Ordering::SeqCst);
    }

    /// Responds with this status and body from now on.
    pub fn answer_with(&self, status: u16, body: &str) {
        body.clone_into(&mut self.kept.body.lock().unwrap());
        self.answer(status);
    }

    /// Delays all responses, or releases them.
    pub fn stall(&self, stalled: bool) {
        self.kept.stalled.send_replace(stalled);
    }

    pub fn received(&self) -> Vec<Received> {
        self.kept.deliveries.lock().unwrap().clone()
    }

    /// Waits until `enough` is true of the deliveries, as long as more arrive.
    pub async fn until(&self, what: &str, enough: impl Fn(&[Received]) -> bool) -> Vec<Received> {
        let mut patience = Patience::new();
        loop {
            let more = self.kept.more.notified();
            let arrived = {
                let deliveries = self.kept.deliveries.lock().unwrap();
                if enough(&deliveries) {
                    return deliveries.clone();
                }
                deliveries.len()
            };
            assert!(patience.allows(arrived), "timed out waiting for {what}; {arrived} deliveries arrived");
            let _ = tokio::time::timeout_at(patience.deadline().into(), more).await;
        }
    }
}

async fn receive(request: HttpRequest, body: web::Bytes, kept: web::Data<Kept>) -> HttpResponse {
    let headers = request.headers().iter();
    let headers =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned())).collect();
    let number = {
        let mut deliveries = kept.deliveries.lock().unwrap();
        deliveries.push(Received { headers, body: body.to_vec() });
        deliveries.len()
    };
    kept.more.notify_waiters();
    kept.stalled.subscribe().wait_for(|stalled| !stalled).await.unwrap();
    if number > kept.failures {
        let status = StatusCode::from_u16(kept.status.load(Ordering::SeqCst)).unwrap();
        let body = kept.body.lock().unwrap().clone();
        let mut answer = HttpResponse::build(status);
        if body.is_empty() { answer.finish() } else { answer.body(body) }
    } else {
        HttpResponse::InternalServerError().finish()
    }
}

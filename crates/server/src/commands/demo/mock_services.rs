//! The other parties: the provider that delivers messages to the contact, and the receiver of webhooks.

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::web::{self, Bytes};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_webhook_sender::{SigningSecret, verify};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::PATIENCE;
use crate::failure::Failure;

#[derive(Debug, Clone, Default)]
pub(super) struct ReceivedRequests {
    /// The message IDs and texts that reached the contact, in order.
    pub(super) messages: Vec<(String, String)>,
    /// The events by ID, each with its number of deliveries.
    pub(super) events: BTreeMap<String, (Value, usize)>,
    /// The reasons of rejected signatures.
    pub(super) refused: Vec<String>,
}

/// The secrets that verify requests.
#[derive(Default)]
struct Secrets {
    channel: Option<SigningSecret>,
    webhook: Option<SigningSecret>,
}

#[derive(Clone)]
pub(super) struct MockServices {
    secrets: Arc<Mutex<Secrets>>,
    received: Arc<watch::Sender<ReceivedRequests>>,
    /// Its URL.
    pub(super) address: String,
}

impl MockServices {
    /// Listens on a free port of this machine.
    pub(super) fn listen() -> Result<Self, Failure> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(Failure::while_doing("cannot listen"))?;
        let address = listener.local_addr().map_err(Failure::while_doing("cannot listen"))?;
        let services = Self {
            secrets: Arc::default(),
            received: Arc::new(watch::Sender::new(ReceivedRequests::default())),
            address: format!("http://{address}"),
        };
        let shared = services.clone();
        let server = HttpServer::new(move || {
            let (provider, receiver) = (shared.clone(), shared.clone());
            App::new()
                .route(
                    "/provider",
                    web::post().to(move |request: HttpRequest, body: Bytes| ready(provider.carry(&request, &body))),
                )
                .route(
                    "/webhook",
                    web::post().to(move |request: HttpRequest, body: Bytes| ready(receiver.receive(&request, &body))),
                )
        });
        let server =
            server.workers(1).disable_signals().listen(listener).map_err(Failure::while_doing("cannot listen"))?;
        tokio::spawn(server.run());
        Ok(services)
    }

    /// Sets the secret that verifies requests to the provider.
    pub(super) fn channel_secret(&self, secret: SigningSecret) {
        self.secrets().channel = Some(secret);
    }

    /// Sets the secret that verifies requests to the receiver.
    pub(super) fn webhook_secret(&self, secret: SigningSecret) {
        self.secrets().webhook = Some(secret);
    }

    /// Waits until `wanted` is satisfied; `what` describes it for the error.
    pub(super) async fn until(
        &self,
        what: &str,
        mut wanted: impl FnMut(&ReceivedRequests) -> bool,
    ) -> Result<ReceivedRequests, Failure> {
        let mut arrivals = self.received.subscribe();
        let found = timeout_at(Instant::now() + PATIENCE, arrivals.wait_for(|it| wanted(it))).await;
        match found {
            Ok(Ok(received)) => Ok(received.clone()),
            _ => Err(Failure::with_advice(format!("{what} did not arrive within {} s", PATIENCE.as_secs()))),
        }
    }

    fn secrets(&self) -> MutexGuard<'_, Secrets> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles a message of the channel, as its provider.
    fn carry(&self, request: &HttpRequest, body: &Bytes) -> HttpResponse {
        let Some(sent) = self.verified(self.secrets().channel.as_ref(), request, body) else {
            return HttpResponse::Unauthorized().finish();
        };
        let text = |pointer: &str| sent.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (id, text) = (text("/message/id"), text("/message/text"));
        self.received.send_modify(|it| it.messages.push((id.clone(), text)));
        HttpResponse::Ok().json(json!({ "provider_message_id": format!("demo-{id}") }))
    }

    /// Handles an event, as the receiver.
    fn receive(&self, request: &HttpRequest, body: &Bytes) -> HttpResponse {
        let Some(event) = self.verified(self.secrets().webhook.as_ref(), request, body) else {
            return HttpResponse::Unauthorized().finish();
        };
        let id = event.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.received.send_modify(|it| it.events.entry(id).or_insert_with(|| (event, 0)).1 += 1);
        HttpResponse::NoContent().finish()
    }

    /// Returns the body, if its signature is valid.
    fn verified(&self, secret: Option<&SigningSecret>, request: &HttpRequest, body: &[u8]) -> Option<Value> {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        let verdict = match secret {
            Some(secret) => verify(secret, header, body, SystemClock.now()).map_err(|error| error.to_string()),
            None => Err("it arrived before its secret was known".to_owned()),
        };
        let value = verdict.and_then(|()| serde_json::from_slice(body).map_err(|error| error.to_string()));
        value.map_err(|why| self.received.send_modify(|it| it.refused.push(why))).ok()
    }
}

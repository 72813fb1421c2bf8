//! `tidings listen`: a receiver of webhooks for development. With `--forward-to`, it forwards the feed to another
//! receiver.

mod feed;
mod forward;

use std::io::{IsTerminal, stdout};
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::web::{self, Bytes, PayloadConfig};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_webhook_sender::{SigningSecret, headers, verify};

use super::block_on;
use crate::cli::ListenOptions;
use crate::failure::Failure;
use crate::logging::may_colour;
use crate::output::print_line;

const VARIABLE: &str = "TIDINGS_LISTEN_SECRET";
/// Four times the maximum size of a delivery.
const LARGEST_BODY: usize = 1 << 20;

/// The output format of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Plain,
    Coloured,
}

struct Listener {
    secret: SigningSecret,
    form: Form,
}

/// A delivery: a verified event, or the reason why it is rejected.
struct Arrival {
    verdict: Result<Value, String>,
    delivery: String,
    attempt: String,
}

/// Receives, verifies and prints events until Ctrl-C.
pub(crate) fn listen(options: &ListenOptions, json: bool) -> Result<(), Failure> {
    if let Some(target) = &options.forward_to {
        return forward::forward(options, target, json);
    }
    let secret =
        SigningSecret::parse(secret(options)?.trim()).map_err(|error| Failure::with_advice(error.to_string()))?;
    let listener = Arc::new(Listener { secret, form: form(json) });
    block_on(async {
        let server = HttpServer::new(move || {
            let listener = listener.clone();
            let receive = move |request: HttpRequest, body: Bytes| {
                let answer = listener.receive(&request, &body);
                async move { answer }
            };
            App::new().app_data(PayloadConfig::new(LARGEST_BODY)).default_service(web::post().to(receive))
        });
        let server = server.workers(1).shutdown_timeout(1).bind(("127.0.0.1", options.port));
        let server =
            server.map_err(Failure::while_doing(format!("cannot listen on port {} (--port)", options.port)))?;
        for address in server.addrs() {
            eprintln!("Receiving webhooks at http://{address}; press Ctrl-C to stop.");
        }
        server.run().await.map_err(Failure::while_doing("the receiver stopped"))
    })
}

fn form(json: bool) -> Form {
    match (json, may_colour(stdout().is_terminal())) {
        (true, _) => Form::Json,
        (false, true) => Form::Coloured,
        (false, false) => Form::Plain,
    }
}

fn secret(options: &ListenOptions) -> Result<String, Failure> {
    if let Some(path) = &options.secret_file {
        return std::fs::read_to_string(path).map_err(Failure::with_file("read", path));
    }
    std::env::var(VARIABLE).map_err(|_| {
        Failure::with_advice(format!(
            "the secret of the webhook is missing; the response that created the webhook contains it. Store it in a \
             file and use --secret-file, or set {VARIABLE}."
        ))
    })
}

impl Listener {
    fn receive(&self, request: &HttpRequest, body: &[u8]) -> HttpResponse {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        let text = |name: &str| header(name).unwrap_or("-").to_owned();
        let verdict = verify(&self.secret, header, body, SystemClock.now()).map_err(|error| error.to_string());
        let verdict =
            verdict.and_then(|()| serde_json::from_slice(body).map_err(|_| "the body is not JSON".to_owned()));
        let status = if verdict.is_ok() { StatusCode::NO_CONTENT } else { StatusCode::BAD_REQUEST };
        let arrival =
            Arrival { verdict, delivery: text(headers::SERVICE_DELIVERY), attempt: text(headers::SERVICE_ATTEMPT) };
        print_line(&line(&arrival, self.form));
        HttpResponse::new(status)
    }
}

fn line(arrival: &Arrival, form: Form) -> String {
    let Arrival { verdict, delivery, attempt } = arrival;
    let paint = |colour: &str, text: &str| match form {
        Form::Coloured => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        _ => text.to_owned(),
    };
    match (verdict, form) {
        (Ok(event), Form::Json) => {
            json!({ "verified": true, "delivery": delivery, "attempt": attempt, "event": event }).to_string()
        }
        (Err(reason), Form::Json) => {
            json!({ "verified": false, "delivery": delivery, "attempt": attempt, "reason": reason }).to_string()
        }
        (Ok(event), _) => {
            let word = |name: &str| printable(event.get(name).and_then(Value::as_str).unwrap_or("-"));
            let data = event.get("data").map(|data| printable(&data.to_string())).unwrap_or_default();
            let (verified, kind) = (paint("32", "verified"), paint("1", &format!("{:<22}", word("type"))));
            let rest = paint("2", &format!("{} {} attempt {}", word("timestamp"), word("id"), printable(attempt)));
            format!("{verified} {kind} {rest} {data}")
        }
        (Err(reason), _) => {
            format!("{} {} (delivery {})", paint("31", "refused"), printable(reason), printable(delivery))
        }
    }
}

/// Replaces control characters. Otherwise, a sender could control the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(verdict: Result<Value, String>) -> Arrival {
        Arrival { verdict, delivery: "dlv_1".to_owned(), attempt: "2".to_owned() }
    }

    fn an_event() -> Value {
        json!({
            "id": "evt_1", "type": "contact.created", "timestamp": "2026-01-01T00:00:00.000Z",
            "data": { "object": { "id": "contact_1" } },
        })
    }

    #[test]
    fn prints_an_event_as_one_line() {
        let line = line(&arrival(Ok(an_event())), Form::Plain);
        assert_eq!(
            line,
            "verified contact.created        2026-01-01T00:00:00.000Z evt_1 attempt 2 {\"object\":{\"id\":\"contact_1\"}}"
        );
    }

    #[test]
    fn prints_the_whole_event_as_json() {
        let line: Value = serde_json::from_str(&line(&arrival(Ok(an_event())), Form::Json)).unwrap();
        assert_eq!(line, json!({ "verified": true, "delivery": "dlv_1", "attempt": "2", "event": an_event() }));
    }

    #[test]
    fn prints_the_reason_for_a_rejected_delivery() {
        let refused = || arrival(Err("the signature is too old".to_owned()));
        assert_eq!(line(&refused(), Form::Plain), "refused the signature is too old (delivery dlv_1)");
        assert!(line(&refused(), Form::Json).contains("\"verified\":false"));
    }

    #[test]
    fn colours_only_terminals_and_removes_control_characters() {
        let mut event = an_event();
        event["type"] = json!("\u{1b}[31mred\u{9b}1m");
        assert!(!line(&arrival(Ok(event.clone())), Form::Plain).contains(|c: char| c.is_control()));
        assert!(line(&arrival(Ok(event)), Form::Coloured).starts_with("\u{1b}[32mverified\u{1b}[0m"));
    }
}

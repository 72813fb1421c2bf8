//! `tidings listen --forward-to URL`: forwards the feed of a workspace to a program on this machine in the form of
//! webhook deliveries. It needs neither a public address nor a webhook.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tidings_credentials::random::SystemRandom;
use tidings_credentials::system::{SystemClock, SystemIds};
use tidings_credentials::webhook_secret;
use tidings_domain::ids::{DeliveryId, TypedId};
use tidings_domain::ports::{Clock, Ids};
use tidings_webhook_sender::{SigningSecret, headers, sign};
use tokio::time::sleep;

use super::feed::{Feed, FeedEvent};
use super::{Form, VARIABLE, form, printable, secret};
use crate::backoff::Backoff;
use crate::cli::ListenOptions;
use crate::commands::block_on;
use crate::commands::demo::base_url;
use crate::commands::serve::wait_for_stop_signal;
use crate::credentials_file::{kept_at, kept_key};
use crate::failure::{Failure, root_cause};
use crate::output::print_line;
use crate::settings::Settings;

/// The time limit of a response of the target, as for webhooks.
const PATIENCE: Duration = Duration::from_secs(15);
/// The environment variable with the key.
const KEY: &str = "TIDINGS_API_KEY";

/// Forwards events until Ctrl-C.
pub(super) fn forward(options: &ListenOptions, target: &Url, json: bool) -> Result<(), Failure> {
    if !matches!(target.scheme(), "http" | "https") || target.host_str().is_none() {
        return Err(Failure::with_advice(format!(
            "--forward-to {target}: expected a URL such as http://127.0.0.1:3000/hooks"
        )));
    }
    // A provider that is already installed is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let given = options.secret_file.is_some() || std::env::var_os(VARIABLE).is_some();
    let text = if given { secret(options)?.trim().to_owned() } else { made() };
    let secret = SigningSecret::parse(&text).map_err(|error| Failure::with_advice(error.to_string()))?;
    let client = client()?;
    let feed = Feed {
        client: client.clone(),
        server: server(options)?,
        key: key(options)?.into(),
        types: options.types.clone(),
        has_answered: AtomicBool::new(false),
    };
    let forwarder = Forwarder { client, target: target.clone(), secret, form: form(json) };
    block_on(async {
        let after = match options.after {
            Some(after) => after,
            None => feed.head().await?,
        };
        if json {
            let shown = if given { Value::Null } else { json!(text) };
            print_line(&json!({ "forwarding_to": target.as_str(), "after": after, "secret": shown }).to_string());
        } else {
            if !given {
                eprintln!("Signed with {text}, a secret for this run only.");
            }
            eprintln!("Forwarding events after position {after} to {target}; press Ctrl-C to stop.");
        }
        tokio::select! {
            ended = forwarder.run(&feed, after) => ended,
            signal = wait_for_stop_signal() => signal.map(|_| ()).map_err(Failure::while_doing("cannot listen for signals")),
        }
    })
}

fn made() -> String {
    webhook_secret::generate(&SystemRandom::new()).expose_secret().to_owned()
}

#[expect(clippy::disallowed_methods, reason = "the person's own server and own program are called")]
fn client() -> Result<Client, Failure> {
    let client = Client::builder().timeout(PATIENCE).redirect(Policy::none()).no_proxy().build();
    client.map_err(|error| Failure::with_advice(format!("cannot create an HTTP client: {error}")))
}

/// Returns the URL of the server: from the option, or from the settings.
fn server(options: &ListenOptions) -> Result<String, Failure> {
    match &options.url {
        Some(url) => Ok(url.trim_end_matches('/').to_owned()),
        None => Ok(base_url(Settings::load()?.address)),
    }
}

/// Returns a key of the workspace: from a file, the environment, or the credentials of the first start.
fn key(options: &ListenOptions) -> Result<String, Failure> {
    if let Some(path) = &options.key_file {
        let text = std::fs::read_to_string(path).map_err(Failure::with_file("read", path))?;
        return Ok(text.trim().to_owned());
    }
    if let Ok(key) = std::env::var(KEY) {
        return Ok(key.trim().to_owned());
    }
    let kept = kept_at(&Settings::load()?);
    kept_key(&kept).ok_or_else(|| {
        Failure::with_advice(format!(
            "an API key of the workspace is missing, also in {}: use --key-file, or set {KEY}. The scope `read` is \
             enough; create a key with `tidings key create`.",
            kept.display()
        ))
    })
}

struct Forwarder {
    client: Client,
    target: Url,
    secret: SigningSecret,
    form: Form,
}

enum Outcome {
    Answered(StatusCode),
    /// The target is unreachable.
    Down(String),
}

impl Forwarder {
    /// Forwards the events after a position, one after the other.
    async fn run(&self, feed: &Feed, mut after: i64) -> Result<(), Failure> {
        loop {
            let (events, next) = feed.events_after(after).await?;
            for event in events {
                self.deliver(&event).await?;
            }
            after = next;
        }
    }

    /// Retries until the target is reachable. Its response is final, whatever its status.
    async fn deliver(&self, event: &FeedEvent) -> Result<(), Failure> {
        let delivery = DeliveryId::from_uuid(SystemIds.next()).to_string();
        let mut backoff = Backoff::default();
        for attempt in 1_u32.. {
            let started = Instant::now();
            let outcome = self.attempt(event, &delivery, attempt).await?;
            let retry = matches!(outcome, Outcome::Down(_)).then(|| backoff.next());
            print_line(&line(event, attempt, &outcome, started.elapsed(), retry, self.form));
            match retry {
                Some(wait) => sleep(wait).await,
                None => break,
            }
        }
        Ok(())
    }

    async fn attempt(&self, event: &FeedEvent, delivery: &str, attempt: u32) -> Result<Outcome, Failure> {
        let now = SystemClock.now().unix_seconds();
        let signed = sign(std::slice::from_ref(&self.secret), &event.id, now, event.body.as_bytes());
        let request = self.client.post(self.target.clone()).body(event.body.clone());
        let request = [
            ("content-type", "application/json"),
            ("user-agent", headers::USER_AGENT),
            (headers::SERVICE_SIGNATURE, &signed.service),
            (headers::WEBHOOK_ID, &event.id),
            (headers::WEBHOOK_TIMESTAMP, &now.to_string()),
            (headers::WEBHOOK_SIGNATURE, &signed.standard),
            (headers::SERVICE_EVENT, &event.kind),
            (headers::SERVICE_DELIVERY, delivery),
            (headers::SERVICE_ATTEMPT, &attempt.to_string()),
        ]
        .into_iter()
        .fold(request, |request, (name, value)| request.header(name, value));
        match request.send().await {
            Ok(answer) => Ok(match answer.status() {
                it @ (StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT) => {
                    Outcome::Down(it.to_string())
                }
                status => Outcome::Answered(status),
            }),
            Err(error) if error.is_builder() => Err(Failure::with_advice(format!("{}: {error}", self.target))),
            Err(error) if error.is_timeout() => {
                Ok(Outcome::Down(format!("no response within {} s", PATIENCE.as_secs())))
            }
            Err(error) => Ok(Outcome::Down(root_cause(&error))),
        }
    }
}

fn line(
    event: &FeedEvent,
    attempt: u32,
    outcome: &Outcome,
    took: Duration,
    retry: Option<Duration>,
    form: Form,
) -> String {
    let FeedEvent { position, id, kind, timestamp, .. } = event;
    if form == Form::Json {
        let (status, error) = match outcome {
            Outcome::Answered(status) => (Some(status.as_u16()), None),
            Outcome::Down(why) => (None, Some(why)),
        };
        return json!({
            "position": position, "id": id, "type": kind, "attempt": attempt, "status": status, "error": error,
            "duration_ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            "retry_in_seconds": retry.map(|wait| wait.as_secs()),
        })
        .to_string();
    }
    let paint = |colour: &str, text: &str| match form {
        Form::Coloured => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        Form::Json | Form::Plain => text.to_owned(),
    };
    let (verdict, rest) = match outcome {
        Outcome::Answered(status) => {
            let colour = if status.is_success() { "32" } else { "31" };
            (paint(colour, status.as_str()), format!("{} ms", took.as_millis()))
        }
        Outcome::Down(why) => {
            let again = retry.map(|wait| format!("; retrying in {} s", wait.as_secs())).unwrap_or_default();
            (paint("33", "---"), format!("{}{again}", printable(why)))
        }
    };
    let kind = paint("1", &format!("{:<22}", printable(kind)));
    let facts =
        paint("2", &format!("{} {} position {position} attempt {attempt}", printable(timestamp), printable(id)));
    format!("{verdict} {kind} {facts} {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn an_event() -> FeedEvent {
        FeedEvent {
            position: 7,
            id: "evt_1".to_owned(),
            kind: "contact.created".to_owned(),
            timestamp: "2026-01-01T00:00:00.000Z".to_owned(),
            body: "{}".to_owned(),
        }
    }

    #[test]
    fn prints_an_attempt_as_one_line() {
        let took = Duration::from_millis(12);
        let answered = Outcome::Answered(StatusCode::NO_CONTENT);
        assert_eq!(
            line(&an_event(), 1, &answered, took, None, Form::Plain),
            "204 contact.created        2026-01-01T00:00:00.000Z evt_1 position 7 attempt 1 12 ms"
        );
        let down = Outcome::Down("Connection refused\u{1b}[1m".to_owned());
        let wait = Some(Duration::from_secs(2));
        let told = line(&an_event(), 2, &down, took, wait, Form::Plain);
        assert!(told.ends_with("attempt 2 Connection refused\u{fffd}[1m; retrying in 2 s"), "{told}");
        let told: Value = serde_json::from_str(&line(&an_event(), 2, &down, took, wait, Form::Json)).unwrap();
        assert_eq!(
            (&told["status"], &told["retry_in_seconds"], &told["position"]),
            (&json!(null), &json!(2), &json!(7))
        );
    }
}

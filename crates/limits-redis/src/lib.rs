//! A request limiter for several instances that share one count in Redis or Valkey. The limit is never exceeded.
//!
//! While Redis is reachable, Redis counts. A script keeps a ring of 61 seconds for each client, like
//! [`tidings_domain::access::limiter::RateWindow`]. A single instance may use the whole limit.
//!
//! While Redis is unreachable, each of *n* instances admits up to its share, 1/*n* of the limit. The shares and the
//! count must never add up to more than the limit. Redis therefore leaves the shares of the other instances unused
//! until they are released. If a client needs more, it is *recalled*: every instance sees the recall within a tenth of
//! a second and promises not to use its share of this client's limit. Only then does Redis admit more. The promise
//! outlasts the requests that were admitted because of it.
//!
//! - An instance that lost Redis reports the requests that it admitted alone before it uses Redis again.
//! - A restarted Redis has lost its counts. Every instance reports the requests it admitted in the last minute. Until
//!   all have reported, or a minute has passed, each instance uses only its share.
//! - A request without an answer from Redis counts as admitted there, and the instance decides again from its share.
//!   This admits fewer requests, never more.
//!
//! [`SharedPace`] shares the pace of channels in the same Redis, with a simpler protocol.

#![cfg_attr(not(test), deny(clippy::as_conversions, clippy::wildcard_enum_match_arm))]

mod beat;
mod local;
mod pace;
mod scripts;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redis::aio::MultiplexedConnection;
use secrecy::{ExposeSecret, SecretString};
use tidings_domain::access::limiter::Decision;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Clock, LimitedClient, RateLimiter};
use tidings_domain::time::Timestamp;
use tokio::time::{sleep, timeout};

use local::Local;
pub use pace::SharedPace;
use scripts::{Scripts, Verdict};

/// Timeout for an answer. After it, Redis counts as unavailable.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time for the other instances to release their shares.
const RECALL: Duration = Duration::from_millis(1_500);
/// Pause between two checks whether they have.
const RECALL_PAUSE: Duration = Duration::from_millis(50);

/// The Redis server and the instances that share it.
#[derive(Clone)]
pub struct SharedLimits {
    /// `redis://` or `rediss://`, with a password and a database if needed.
    pub url: SecretString,
    /// A unique name of this instance.
    pub instance: String,
    /// Expected number of instances. If more register, they are counted too.
    pub instances: u32,
}

/// The Redis address is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the Redis address is invalid: {0}")]
pub struct InvalidAddress(String);

/// The state of the shared count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// Whether Redis currently counts the requests of this instance.
    pub shared: bool,
    /// Number of instances at the last beat.
    pub present: u32,
    /// Number of instances in the settings.
    pub expected: u32,
}

/// The connection to Redis and the epoch it belongs to.
#[derive(Clone)]
struct Link {
    connection: MultiplexedConnection,
    epoch: Arc<str>,
}

/// The limiter of one instance. Its background task runs until it is dropped.
pub struct SharedLimiter {
    shared: Arc<Shared>,
    heart: tokio::task::JoinHandle<()>,
}

struct Shared {
    client: redis::Client,
    scripts: Scripts,
    settings: SharedLimits,
    local: Local<Link>,
    clock: Arc<dyn Clock>,
}

impl Drop for SharedLimiter {
    fn drop(&mut self) {
        self.heart.abort();
    }
}

impl SharedLimiter {
    /// Starts the limiter on the current tokio runtime. Until Redis is found, the instance uses only its share.
    ///
    /// # Errors
    /// [`InvalidAddress`].
    pub fn start(settings: SharedLimits, clock: Arc<dyn Clock>) -> Result<Self, InvalidAddress> {
        let client = redis::Client::open(settings.url.expose_secret());
        let client = client.map_err(|error| InvalidAddress(error.to_string()))?;
        let local = Local::new(settings.instances);
        let shared = Arc::new(Shared { client, scripts: Scripts::new(), settings, local, clock });
        let heart = tokio::spawn(beat::run(Arc::clone(&shared)));
        Ok(Self { shared, heart })
    }

    /// Returns the state of the shared count.
    pub fn health(&self) -> Health {
        let local = &self.shared.local;
        Health { shared: local.link().is_some(), present: local.present(), expected: self.shared.settings.instances }
    }
}

#[async_trait]
impl RateLimiter for SharedLimiter {
    async fn admit(&self, client: LimitedClient, limit: u32, now: Timestamp) -> Decision {
        let name = name(client);
        match self.shared.ask(&name, limit, now).await {
            Some(decision) => decision,
            None => self.shared.local.admit_alone(&name, limit, now.millis()),
        }
    }
}

impl Shared {
    /// Asks Redis. Returns `None` if Redis does not answer. It is then not asked again until the background task has
    /// reconnected.
    async fn ask(&self, name: &str, limit: u32, now: Timestamp) -> Option<Decision> {
        let (link, pending) = self.local.begin(name)?;
        let asking = async {
            let mut pauses = RECALL.as_millis() / RECALL_PAUSE.as_millis();
            loop {
                let others = self.local.instances().saturating_sub(1);
                let answer = self.scripts.admit(&link, &self.settings.instance, name, limit, others);
                let answer = match timeout(PATIENCE, answer).await {
                    Ok(Ok(answer)) => answer,
                    Ok(Err(error)) => return Err(error.to_string()),
                    Err(_) => return Err("no response in time".to_owned()),
                };
                if answer.verdict != Verdict::NotYet || pauses == 0 {
                    return Ok(answer);
                }
                pauses -= 1;
                sleep(RECALL_PAUSE).await;
            }
        };
        let answer = match asking.await {
            Ok(answer) if answer.verdict != Verdict::OtherEpoch => answer,
            outcome => {
                let why = outcome.err().unwrap_or_else(|| "Redis was restarted or lost its data".to_owned());
                if self.local.lose(&link.epoch) {
                    tracing::warn!(error = why, "Redis is unavailable: this instance allows its share of each limit");
                }
                return None;
            }
        };
        let admitted = answer.verdict == Verdict::Admitted;
        if admitted {
            pending.admitted(now.millis());
        }
        let seconds = u32::try_from(answer.wait_ms.saturating_add(999) / 1_000).unwrap_or(1).max(1);
        let reset_seconds = if answer.verdict == Verdict::NotYet { 1 } else { seconds };
        // Shares that other instances have not released are not available.
        let remaining = if admitted { answer.remaining } else { 0 };
        Some(Decision { admitted, limit, remaining, reset_seconds })
    }
}

fn name(client: LimitedClient) -> String {
    match client {
        LimitedClient::Workspace(workspace) => format!("w:{}", workspace.uuid()),
        LimitedClient::Member(workspace, user) => format!("m:{}:{}", workspace.uuid(), user.uuid()),
    }
}

/// Checks that a server answers at this address within `patience`.
///
/// # Errors
/// A description of the failure.
pub async fn ping(url: &str, patience: Duration) -> Result<(), String> {
    let client = redis::Client::open(url).map_err(|error| error.to_string())?;
    let asking = async {
        let mut connection = client.get_multiplexed_async_connection().await?;
        redis::cmd("PING").query_async::<String>(&mut connection).await
    };
    match timeout(patience, asking).await {
        Ok(answer) => answer.map(drop).map_err(|error| error.to_string()),
        Err(_) => Err("no response in time".to_owned()),
    }
}

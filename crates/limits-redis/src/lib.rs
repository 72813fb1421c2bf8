//! One count of requests for several instances, in Redis or Valkey, that is never exceeded.
//!
//! While Redis can be reached, it counts: a script keeps a ring of 61 seconds for each client, as
//! [`tidings_domain::access::limiter::RateWindow`] does, and one instance may be given the whole limit.
//!
//! While it cannot, each of *n* instances admits up to its part, a *n*th of the limit. So that parts and
//! count never add up to more than the limit, the count leaves the parts of the other instances alone until
//! they gave them up: a client that uses more than what no part touches is *recalled*; every instance sees that within a
//! tenth of a second, promises not to use its part of this client's limit, and only then more is given out. The
//! promise outlasts what was given out on its strength.
//!
//! - An instance that was alone tells what it admitted before it asks again.
//! - A server that began anew has forgotten: every instance tells what it admitted in the last minute, and
//!   until all have, or a minute has passed, each keeps to its part.
//! - An answer that does not come counts as admitted there and is asked for here again: fewer are admitted, not more.

mod beat;
mod local;
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
use scripts::{Scripts, Verdict};

/// How long an answer may take before Redis counts as away.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long the others have to give up their parts.
const RECALL: Duration = Duration::from_millis(1_500);
/// Between two questions whether they have.
const RECALL_PAUSE: Duration = Duration::from_millis(50);

/// Which server, and who shares it.
#[derive(Clone)]
pub struct SharedLimits {
    /// `redis://` or `rediss://`, with password and database if need be.
    pub url: SecretString,
    /// A name that no other instance has.
    pub instance: String,
    /// How many instances there are at the most. More that show themselves are counted too.
    pub instances: u32,
}

/// The address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the Redis address is invalid: {0}")]
pub struct InvalidAddress(String);

/// How it stands with the shared count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// Whether requests are counted together now.
    pub shared: bool,
    /// How many instances were there when it was last asked.
    pub present: u32,
    /// How many instances the settings name.
    pub expected: u32,
}

/// What an instance needs to ask.
#[derive(Clone)]
struct Link {
    connection: MultiplexedConnection,
    epoch: Arc<str>,
}

/// The limiter of one instance. Its heart beats until it is dropped.
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
    /// Begins to look for Redis, on the current tokio runtime; until it is found this instance keeps to its part.
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

    /// How it stands.
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
    /// Asks Redis; `None` where it does not answer, which it is not asked again before it was found anew.
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
        // What the others keep for themselves is not to be had.
        let remaining = if admitted { answer.remaining } else { 0 };
        Some(Decision { admitted, limit, remaining, reset_seconds })
    }
}

/// The client's name in Redis.
fn name(client: LimitedClient) -> String {
    match client {
        LimitedClient::Workspace(workspace) => format!("w:{}", workspace.uuid()),
        LimitedClient::Member(workspace, user) => format!("m:{}:{}", workspace.uuid(), user.uuid()),
    }
}

/// Whether a server answers at this address within so long.
///
/// # Errors
/// What went wrong, in words.
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

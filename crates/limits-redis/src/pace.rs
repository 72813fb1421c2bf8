//! The pace of channels: token buckets that several processes share.
//!
//! A script counts each call in Redis, by the clock of Redis. If Redis does not answer, the process uses its part of each
//! limit until a background task has connected again. The calls of that time are not reported: a bucket is full again
//! after seconds.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, RedisResult, Script};
use secrecy::ExposeSecret;
use tidings_domain::ports::{Booking, BucketCall, SharedBuckets};
use tokio::time::{sleep, timeout};

use crate::{InvalidAddress, PATIENCE, SharedLimits};

/// The hash tag keeps all keys in one slot of a cluster, because a script uses several buckets.
const PREFIX: &str = "{tidings}:pace";
/// Interval between two registrations of a process.
const BEAT: Duration = Duration::from_secs(1);
/// Pause before the next attempt to connect to Redis.
const REST: Duration = Duration::from_millis(500);

/// The shared buckets of one process. Its background task runs until it is dropped.
pub struct SharedPace {
    shared: Arc<Shared>,
    heart: tokio::task::JoinHandle<()>,
}

struct Shared {
    client: redis::Client,
    book: Script,
    join: Script,
    settings: SharedLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The connection to Redis, while it answers.
    connection: Option<MultiplexedConnection>,
    /// Number of processes at the last registration; `None` before the first one.
    present: Option<u32>,
}

impl Drop for SharedPace {
    fn drop(&mut self) {
        self.heart.abort();
    }
}

impl SharedPace {
    /// Starts to connect to Redis, on the current tokio runtime. Until then, the process uses only its part.
    ///
    /// # Errors
    /// [`InvalidAddress`].
    pub fn start(settings: SharedLimits) -> Result<Self, InvalidAddress> {
        let client = redis::Client::open(settings.url.expose_secret());
        let client = client.map_err(|error| InvalidAddress(error.to_string()))?;
        let (book, join) = (include_str!("scripts/pace_book.lua"), include_str!("scripts/pace_join.lua"));
        let (book, join) = (Script::new(book), Script::new(join));
        let shared = Arc::new(Shared { client, book, join, settings, state: Mutex::default() });
        let heart = tokio::spawn(keep_connected(Arc::clone(&shared)));
        Ok(Self { shared, heart })
    }

    /// Whether Redis currently counts the calls of this process.
    pub fn is_shared(&self) -> bool {
        self.shared.state().connection.is_some()
    }
}

#[async_trait]
impl SharedBuckets for SharedPace {
    async fn book(&self, calls: &[BucketCall]) -> Option<Booking> {
        let connection = self.shared.state().connection.clone()?;
        let error = match timeout(PATIENCE, self.shared.book(connection, calls)).await {
            Ok(Ok(booking)) => return Some(booking),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no response in time".to_owned(),
        };
        self.shared.lose(&error);
        None
    }

    fn processes(&self) -> u32 {
        let present = self.shared.state().present;
        present.unwrap_or(self.shared.settings.instances).max(1)
    }
}

async fn keep_connected(shared: Arc<Shared>) {
    loop {
        let error = match shared.stay_connected().await {
            Ok(never) => match never {},
            Err(error) => error,
        };
        shared.lose(&error);
        sleep(REST).await;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops using Redis until the background task has connected again.
    fn lose(&self, error: &str) {
        let lost = self.state().connection.take();
        if lost.is_some() {
            tracing::warn!(error, "Redis is unavailable: this process sends its part of the pace of each channel");
        } else {
            tracing::debug!(error, "Redis cannot be reached");
        }
    }

    /// Connects to Redis, and registers this process until Redis is lost.
    async fn stay_connected(&self) -> Result<Infallible, String> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(2)))
            .set_response_timeout(Some(PATIENCE));
        let connection = self.client.get_multiplexed_async_connection_with_config(&config).await;
        let mut connection = connection.map_err(|error| error.to_string())?;
        let mut is_first = true;
        loop {
            let present = match timeout(PATIENCE, self.register(&mut connection)).await {
                Ok(present) => present.map_err(|error| error.to_string())?,
                Err(_) => return Err("no response in time".to_owned()),
            };
            {
                let mut state = self.state();
                state.present = Some(present);
                if is_first {
                    state.connection = Some(connection.clone());
                } else if state.connection.is_none() {
                    return Err("no response arrived".to_owned());
                }
            }
            is_first = false;
            sleep(BEAT).await;
        }
    }

    /// Registers this process. Returns the number of processes.
    async fn register(&self, connection: &mut MultiplexedConnection) -> RedisResult<u32> {
        let mut call = self.join.prepare_invoke();
        call.key(format!("{PREFIX}:seen")).arg(&self.settings.instance).invoke_async(connection).await
    }

    async fn book(&self, mut connection: MultiplexedConnection, calls: &[BucketCall]) -> RedisResult<Booking> {
        let mut call = self.book.prepare_invoke();
        for BucketCall { bucket, limit, longest } in calls {
            call.key(format!("{PREFIX}:{bucket:032x}"));
            call.arg(micros(limit.every)).arg(limit.burst).arg(micros(*longest));
        }
        let (refused, wait): (usize, u64) = call.invoke_async(&mut connection).await?;
        let wait = Duration::from_micros(wait);
        Ok(match refused.checked_sub(1) {
            Some(bucket) => Booking::Refused { bucket, wait },
            None => Booking::Booked(wait),
        })
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

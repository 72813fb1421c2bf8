//! The background task of an instance: it connects to Redis, registers the instance and releases shares on request.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use redis::AsyncConnectionConfig;
use tokio::time::{sleep, timeout};

use crate::scripts::Beat;
use crate::{Link, PATIENCE, Shared};

/// Interval between two beats.
const PACE: Duration = Duration::from_millis(100);
/// Pause before the next attempt to connect to Redis.
const REST: Duration = Duration::from_millis(500);
/// Duration of a release of a share.
const RELEASE_MS: i64 = 5_000;
/// Extra time of the local promise, because clocks can run at different speeds.
const MARGIN_MS: i64 = 1_000;
/// Age at which a release is renewed.
const RENEW_MS: i64 = 2_000;

pub(crate) async fn run(shared: Arc<Shared>) {
    let mut last_epoch = None;
    loop {
        let error = match live(&shared, &mut last_epoch).await {
            Ok(never) => match never {},
            Err(error) => error,
        };
        let lost = shared.local.link().is_some_and(|link| shared.local.lose(&link.epoch));
        if lost {
            tracing::warn!(error, "Redis is unavailable: this instance allows its share of each limit");
        } else {
            tracing::debug!(error, "Redis cannot be reached");
        }
        sleep(REST).await;
    }
}

enum Never {}

async fn within<T>(answer: impl Future<Output = redis::RedisResult<T>>) -> Result<T, String> {
    match timeout(PATIENCE, answer).await {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err("no response in time".to_owned()),
    }
}

/// Connects to Redis and sends beats until Redis is lost.
async fn live(shared: &Shared, last_epoch: &mut Option<Arc<str>>) -> Result<Never, String> {
    let Shared { client, scripts, settings, local, clock } = shared;
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(Duration::from_secs(2)))
        .set_response_timeout(Some(PATIENCE));
    let connection = client.get_multiplexed_async_connection_with_config(&config).await;
    let mut connection = connection.map_err(|error| error.to_string())?;
    let epoch: Arc<str> = within(scripts.join(&mut connection)).await?.into();
    if last_epoch.as_ref() != Some(&epoch) {
        local.forget_what_was_told(clock.now().millis());
        *last_epoch = Some(Arc::clone(&epoch));
    }
    let mut link = Link { connection, epoch };
    let (mut joined, mut told) = (false, false);
    let mut released: HashMap<String, i64> = HashMap::new();
    loop {
        if !joined {
            tell(shared, &mut link).await?;
            told = true;
        } else if local.link().is_none() {
            return Err("no response arrived".to_owned());
        }
        let Beat { ms, present, whole, recalled } =
            within(scripts.beat(&mut link, &settings.instance, settings.instances, told)).await?;
        let Some(ms) = ms else { return Err("Redis was restarted or lost its data".to_owned()) };
        local.saw(present);
        if !joined && whole && local.join(link.clone()) {
            joined = true;
            tracing::info!(instances = present, "all instances count requests together in Redis");
        }
        if joined {
            released.retain(|_, until| *until > ms);
            for name in recalled {
                if released.get(&name).is_some_and(|until| *until > ms + RELEASE_MS - RENEW_MS) {
                    continue;
                }
                // Promise before the release is published: other instances rely on it as soon as they see it.
                if local.promise(&name, RELEASE_MS + MARGIN_MS, clock.now().millis()) {
                    let until = ms + RELEASE_MS;
                    within(scripts.release(&mut link, &settings.instance, &name, until)).await?;
                    released.insert(name, until);
                }
            }
        }
        sleep(PACE).await;
    }
}

/// Reports requests that were admitted without Redis.
async fn tell(shared: &Shared, link: &mut Link) -> Result<(), String> {
    let mut untold = shared.local.untold().into_iter();
    while let Some(it) = untold.next() {
        let age = it.age_ms(shared.clock.now().millis());
        if let Err(error) = within(shared.scripts.report(&mut link.connection, &it.name, it.count, age)).await {
            untold.chain([it]).for_each(|it| shared.local.still_untold(&it));
            return Err(error);
        }
    }
    Ok(())
}

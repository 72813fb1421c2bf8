//! The checks of `/readyz` in addition to the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use tidings_domain::ports::{OutboundStore, Pauses};
use tidings_domain::sealing::{Canary, KeyFinding};
use tidings_engine::Heartbeat;
use tidings_http::{Check, Checks, Finding};
use tidings_limits_redis::SharedLimiter;
use tidings_storage::Storage;

use crate::media_probe::MediaProbe;
use crate::outbound::SETTING;
use crate::wiring::Adapters;
use crate::write_probe::WriteProbe;

/// The prefix of the names that servers give their connections to PostgreSQL.
pub(crate) const SERVER_PROCESS: &str = "tidings-";
/// The prefix for servers with the API.
pub(crate) const API_PROCESS: &str = "tidings-api-";

pub(crate) fn checks(
    adapters: &Adapters,
    engine: Option<Heartbeat>,
    limiter: Option<Arc<SharedLimiter>>,
    instances: u32,
    (writes, media): (WriteProbe, MediaProbe),
) -> Checks {
    let storage = &adapters.storage;
    let mut checks: Vec<Arc<dyn Check>> = vec![
        Arc::new(Migrations { storage: Arc::clone(storage), applied: AtomicBool::new(false) }),
        Arc::new(MasterKey(adapters.canary())),
        Arc::new(writes),
        Arc::new(media),
    ];
    checks.extend(engine.map(|heartbeat| Arc::new(Engine(heartbeat)) as Arc<dyn Check>));
    checks.push(Arc::new(Outbound(adapters.tidings.ports.outbound.clone())));
    checks.push(Arc::new(DeadJobs(Arc::clone(storage))));
    checks.push(match limiter {
        Some(limiter) => Arc::new(SharedCount(limiter)),
        None => Arc::new(OwnCounts { storage: Arc::clone(storage), instances }),
    });
    Checks(checks)
}

/// Whether the schema is at least as new as this program. Migrations only go forward, so one success is enough.
struct Migrations {
    storage: Arc<Storage>,
    applied: AtomicBool,
}

#[async_trait]
impl Check for Migrations {
    fn name(&self) -> &'static str {
        "migrations"
    }

    async fn look(&self) -> Finding {
        if self.applied.load(Ordering::Relaxed) {
            return Finding::Fine;
        }
        match self.storage.missing_migrations().await {
            Ok(0) => {
                self.applied.store(true, Ordering::Relaxed);
                Finding::Fine
            }
            Ok(pending) => Finding::Broken(format!("{pending} migrations are pending; run `tidings migrate`")),
            Err(error) => {
                tracing::warn!(%error, "readiness: the pending migrations cannot be counted");
                Finding::Broken("the pending migrations cannot be counted".to_owned())
            }
        }
    }
}

/// Whether this process has the current master key of the store, which another process may have replaced.
struct MasterKey(Canary);

#[async_trait]
impl Check for MasterKey {
    fn name(&self) -> &'static str {
        "master_key"
    }

    async fn look(&self) -> Finding {
        match self.0.look().await {
            Ok(KeyFinding::Wrong(_)) => {
                Finding::Broken("the stored secrets are encrypted with another key; see `tidings doctor`".to_owned())
            }
            Ok(KeyFinding::Unmarked | KeyFinding::Right | KeyFinding::Earlier) => Finding::Fine,
            Err(error) => {
                tracing::warn!(%error, "readiness: the master key cannot be checked against the store");
                Finding::Broken("the master key cannot be checked against the store".to_owned())
            }
        }
    }
}

/// Whether outbound traffic is enabled.
struct Outbound(Arc<dyn OutboundStore>);

#[async_trait]
impl Check for Outbound {
    fn name(&self) -> &'static str {
        "outbound"
    }

    async fn look(&self) -> Finding {
        match self.0.pauses().await {
            Ok(Pauses { store: Some(hold), .. }) if hold.reason == SETTING => {
                Finding::Warning(format!("outbound sending is paused by {SETTING}"))
            }
            Ok(Pauses { store: Some(hold), .. }) => Finding::Warning(format!(
                "outbound sending is paused since {}; `tidings outbound show` prints the reason, and `tidings outbound \
                 send` resumes sending",
                hold.since
            )),
            Ok(Pauses { store: None, .. }) => Finding::Fine,
            Err(error) => {
                tracing::warn!(%error, "readiness: the state of outbound sending cannot be read");
                Finding::Broken("the state of outbound sending cannot be read".to_owned())
            }
        }
    }
}

/// Whether there are dead-lettered jobs.
struct DeadJobs(Arc<Storage>);

#[async_trait]
impl Check for DeadJobs {
    fn name(&self) -> &'static str {
        "jobs"
    }

    async fn look(&self) -> Finding {
        match self.0.workspaces_with_dead_jobs().await {
            Ok(workspaces) if workspaces.is_empty() => Finding::Fine,
            Ok(workspaces) => Finding::Warning(format!(
                "{} workspace(s) have dead-lettered jobs; `tidings jobs list` prints the jobs and their errors",
                workspaces.len()
            )),
            Err(error) => {
                tracing::warn!(%error, "readiness: the dead-lettered jobs cannot be read");
                Finding::Broken("the dead-lettered jobs cannot be read".to_owned())
            }
        }
    }
}

/// Whether the loops of this process's engine run.
struct Engine(Heartbeat);

#[async_trait]
impl Check for Engine {
    fn name(&self) -> &'static str {
        "engine"
    }

    async fn look(&self) -> Finding {
        let still: Vec<_> = self.0.stalled_pools().iter().map(|pool| pool.as_str()).collect();
        if still.is_empty() {
            Finding::Fine
        } else {
            Finding::Broken(format!("pools without progress: {}", still.join(", ")))
        }
    }
}

/// Whether the configured number of instances shares the rate limits in Redis.
struct SharedCount(Arc<SharedLimiter>);

#[async_trait]
impl Check for SharedCount {
    fn name(&self) -> &'static str {
        "limits"
    }

    async fn look(&self) -> Finding {
        let health = self.0.health();
        if !health.shared {
            return Finding::Warning(
                "Redis (redis.url) is unreachable, or was reached only a moment ago: each instance allows its share of \
                 each limit."
                    .to_owned(),
            );
        }
        match health.present.cmp(&health.expected) {
            std::cmp::Ordering::Greater if health.expected > 1 => Finding::Warning(format!(
                "{} instances share the limits, but limits.instances is {}: set it to the highest number of instances.",
                health.present, health.expected
            )),
            std::cmp::Ordering::Less => Finding::Warning(format!(
                "{} of {} instances (limits.instances) are running: the shares of the others stay reserved.",
                health.present, health.expected
            )),
            _ => Finding::Fine,
        }
    }
}

/// Whether more processes count rate limits separately than are configured.
struct OwnCounts {
    storage: Arc<Storage>,
    instances: u32,
}

#[async_trait]
impl Check for OwnCounts {
    fn name(&self) -> &'static str {
        "limits"
    }

    async fn look(&self) -> Finding {
        match self.storage.processes(API_PROCESS).await {
            Ok(found) if found > self.instances => Finding::Warning(format!(
                "{found} instances serve requests on this database and count separately, but limits.instances is {}: \
                 set redis.url for a shared count, or set limits.instances to {found} for equal shares.",
                self.instances
            )),
            Ok(_) => Finding::Fine,
            Err(error) => {
                tracing::warn!(%error, "readiness: the instances cannot be counted");
                Finding::Broken("the instances cannot be counted".to_owned())
            }
        }
    }
}

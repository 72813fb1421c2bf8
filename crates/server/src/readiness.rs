//! What `/readyz` looks at besides the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use tidings_domain::ports::{Holds, OutboundStore};
use tidings_domain::sealing::{Canary, KeyFinding};
use tidings_engine::Pulse;
use tidings_http::{Check, Checks, Finding};
use tidings_limits_redis::SharedLimiter;
use tidings_storage::Storage;

use crate::outbound::SETTING;
use crate::wiring::Adapters;
use crate::write_probe::WriteProbe;

/// How the connections of processes that answer requests are named in PostgreSQL.
pub(crate) const API_PROCESS: &str = "tidings-api-";

/// Everything that this process can look at.
pub(crate) fn checks(
    adapters: &Adapters,
    engine: Option<Pulse>,
    limiter: Option<Arc<SharedLimiter>>,
    instances: u32,
    writes: WriteProbe,
) -> Checks {
    let storage = &adapters.storage;
    let mut checks: Vec<Arc<dyn Check>> = vec![
        Arc::new(Migrations { storage: Arc::clone(storage), applied: AtomicBool::new(false) }),
        Arc::new(MasterKey(adapters.canary())),
        Arc::new(writes),
    ];
    checks.extend(engine.map(|pulse| Arc::new(Engine(pulse)) as Arc<dyn Check>));
    checks.push(Arc::new(Outbound(adapters.tidings.ports.outbound.clone())));
    checks.push(Arc::new(DeadJobs(Arc::clone(storage))));
    checks.push(match limiter {
        Some(limiter) => Arc::new(SharedCount(limiter)),
        None => Arc::new(OwnCounts { storage: Arc::clone(storage), instances }),
    });
    Checks(checks)
}

/// Whether the schema is at least that of this program. Migrations only go forward, so that once is enough.
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
            Ok(pending) => Finding::Broken(format!("{pending} are to be applied; run `tidings migrate`")),
            Err(error) => {
                tracing::warn!(%error, "readiness: the migrations cannot be counted");
                Finding::Broken("they cannot be counted".to_owned())
            }
        }
    }
}

/// Whether this process knows the key that the store goes by, which another one may have replaced meanwhile.
struct MasterKey(Canary);

#[async_trait]
impl Check for MasterKey {
    fn name(&self) -> &'static str {
        "master_key"
    }

    async fn look(&self) -> Finding {
        match self.0.look().await {
            Ok(KeyFinding::Wrong(_)) => {
                Finding::Broken("the secrets in the store are sealed by another key; see `tidings doctor`".to_owned())
            }
            Ok(KeyFinding::Unmarked | KeyFinding::Right | KeyFinding::Earlier) => Finding::Fine,
            Err(error) => {
                tracing::warn!(%error, "readiness: the master key cannot be held against the store");
                Finding::Broken("it cannot be held against the store".to_owned())
            }
        }
    }
}

/// Whether what is sent leaves.
struct Outbound(Arc<dyn OutboundStore>);

#[async_trait]
impl Check for Outbound {
    fn name(&self) -> &'static str {
        "outbound"
    }

    async fn look(&self) -> Finding {
        match self.0.holds().await {
            Ok(Holds { store: Some(hold), .. }) if hold.reason == SETTING => {
                Finding::Warning(format!("everything that is sent is held by {SETTING}"))
            }
            Ok(Holds { store: Some(hold), .. }) => Finding::Warning(format!(
                "everything that is sent is held since {}; `tidings outbound show` tells why, and `tidings outbound send` \
                 lets it go",
                hold.since
            )),
            Ok(Holds { store: None, .. }) => Finding::Fine,
            Err(error) => {
                tracing::warn!(%error, "readiness: what is held cannot be read");
                Finding::Broken("what is held cannot be read".to_owned())
            }
        }
    }
}

/// Whether work was put aside that people should look at.
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
                "jobs were put aside in {} workspace(s); `tidings jobs list` tells which and why",
                workspaces.len()
            )),
            Err(error) => {
                tracing::warn!(%error, "readiness: what was put aside cannot be read");
                Finding::Broken("what was put aside cannot be read".to_owned())
            }
        }
    }
}

/// Whether the loops of this process's engine turn.
struct Engine(Pulse);

#[async_trait]
impl Check for Engine {
    fn name(&self) -> &'static str {
        "engine"
    }

    async fn look(&self) -> Finding {
        let still: Vec<_> = self.0.still().iter().map(|pool| pool.as_str()).collect();
        if still.is_empty() { Finding::Fine } else { Finding::Broken(format!("stands still: {}", still.join(", "))) }
    }
}

/// Whether the count in Redis is shared by as many as the settings say.
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
                "Redis (redis.url) cannot be reached or was found just now: each instance admits its part of each \
                 limit."
                    .to_owned(),
            );
        }
        match health.present.cmp(&health.expected) {
            std::cmp::Ordering::Greater if health.expected > 1 => Finding::Warning(format!(
                "{} instances share the limits, and limits.instances says {}: set it to the most that ever run.",
                health.present, health.expected
            )),
            std::cmp::Ordering::Less => Finding::Warning(format!(
                "{} of {} instances (limits.instances) are there: the parts of the others are kept for them.",
                health.present, health.expected
            )),
            _ => Finding::Fine,
        }
    }
}

/// Whether several processes count by themselves and each takes itself for the only one.
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
                "{found} instances answer requests on this database, each counts by itself, and limits.instances says \
                 {}: set redis.url for a shared count, or limits.instances to {found} for equal parts.",
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

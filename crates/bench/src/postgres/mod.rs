//! PostgreSQL: a cluster of this run's own, what the service says to it, and pgbench saying the same.

mod capture;
mod cluster;
mod pgbench;
mod script;
mod spent;
mod steps;

use anyhow::Result;
use tokio_postgres::Client;

pub(crate) use capture::Statement;
pub(crate) use cluster::{Cluster, Settings, text};
pub(crate) use pgbench::{Extent, Pgbench};
pub(crate) use script::{MARKER, Script};
pub(crate) use spent::{by_steps, watched};
pub(crate) use steps::{Asked, Step};

/// Whether nothing waits for the engine: no job, and no delivery in its queue, which stores of 0.4.0 do not have.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn is_idle(client: &Client) -> Result<bool> {
    const QUEUED: &str = "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() \
                          AND table_name = 'deliveries' AND column_name = 'queue'";
    if text(client, &watched("SELECT count(*) FROM (SELECT 1 FROM jobs LIMIT 1) it")).await? != "0" {
        return Ok(false);
    }
    let queued = "SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE queue IS NOT NULL LIMIT 1) it";
    Ok(text(client, &watched(QUEUED)).await? == "0" || text(client, &watched(queued)).await? == "0")
}

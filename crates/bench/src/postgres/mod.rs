//! PostgreSQL: the cluster of this run, the statements that the service sends, and pgbench with the same statements.

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

/// Whether the engine has no work: no job, and no delivery in the queue (databases of version 0.4.0 have no such
/// queue).
///
/// # Errors
/// Errors of PostgreSQL.
pub(crate) async fn is_idle(client: &Client) -> Result<bool> {
    const QUEUED: &str = "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() \
                          AND table_name = 'deliveries' AND column_name = 'queue'";
    if text(client, &watched("SELECT count(*) FROM (SELECT 1 FROM jobs LIMIT 1) it")).await? != "0" {
        return Ok(false);
    }
    let queued = "SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE queue IS NOT NULL LIMIT 1) it";
    Ok(text(client, &watched(QUEUED)).await? == "0" || text(client, &watched(queued)).await? == "0")
}

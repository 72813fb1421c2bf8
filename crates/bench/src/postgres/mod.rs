//! PostgreSQL: a cluster of this run's own, what the service says to it, and pgbench saying the same.

mod capture;
mod cluster;
mod pgbench;
mod script;

pub(crate) use capture::Statement;
pub(crate) use cluster::{Cluster, text};
pub(crate) use pgbench::{Extent, Pgbench};
pub(crate) use script::{MARKER, Script};

//! PostgreSQL: a cluster of this run's own, what the service says to it, and pgbench saying the same.

mod capture;
mod cluster;
mod pgbench;
mod script;
mod spent;

pub(crate) use capture::{Asked, Statement, Step};
pub(crate) use cluster::{Cluster, Settings, text};
pub(crate) use pgbench::{Extent, Pgbench};
pub(crate) use script::{MARKER, Script};

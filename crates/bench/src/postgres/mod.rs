//! PostgreSQL: a cluster of this run's own, what the service says to it, and pgbench saying the same.

mod capture;
mod cluster;
mod pgbench;
mod script;
mod spent;
mod steps;

pub(crate) use capture::Statement;
pub(crate) use cluster::{Cluster, Settings, text};
pub(crate) use pgbench::{Extent, Pgbench};
pub(crate) use script::{MARKER, Script};
pub(crate) use spent::{by_steps, watched};
pub(crate) use steps::{Asked, Step};

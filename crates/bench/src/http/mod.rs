//! The load generator: a client with minimal overhead, so it measures the service and not itself.

mod connection;
mod load;

pub(crate) use connection::{Answer, Connection, request};
pub(crate) use load::{Load, Traffic, Until};

//! The load: a client that costs as little as may be, so that it measures the service and not itself.

mod connection;
mod load;

pub(crate) use connection::{Answer, Connection, request};
pub(crate) use load::{Load, Traffic, Until};

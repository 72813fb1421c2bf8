//! Connections: their number, their time limits, and how they end.
//!
//! actix-http handles the requests of a connection. This module adds the limits that it lacks, around the stream that
//! it reads and writes: for the head of a second request, for an unread body, and for a response that the client does
//! not read. The time limit of handlers is in the gate.

pub(crate) mod client_address;
mod connection_limits;
mod connection_state;
mod listener;
mod refusal;
mod stream;
mod watchdog;

pub use connection_limits::ConnectionBounds;
pub use connection_state::ConnectionTimeouts;
pub(crate) use connection_state::{ConnectionState, client_gone};
pub use listener::{Listener, listen};

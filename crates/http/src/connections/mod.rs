//! Connections: their number, their time limits, and how they end.
//!
//! actix-http handles the requests of a connection. This module adds the limits that it lacks, around the stream that
//! it reads and writes: for the head of a second request, for an unread body, and for a response that the client does
//! not read. The time limit of handlers is in the gate.

mod life;
mod listener;
mod place;
mod refusal;
mod stream;
mod watchdog;

pub use life::Patience;
pub(crate) use life::{Life, left};
pub use listener::{Listener, listen};
pub use place::Bounds;

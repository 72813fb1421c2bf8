//! Connections: how many there may be, how long each may keep the server waiting, and how they end.
//!
//! actix-http answers the requests of a connection. What it leaves to the client without a bound is bounded here, around
//! the stream that it reads and writes: the head of a second request, a body that nobody reads, an answer that nobody
//! takes. Handlers have a bound of their own, in the gate.

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

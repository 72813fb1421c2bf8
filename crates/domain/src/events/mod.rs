//! Facts: the kinds of events and the envelopes in which they leave the system.

mod envelope;
mod kinds;

pub use envelope::{Event, EventDraft};
pub use kinds::EventKind;

//! Facts: the kinds of events, the envelopes in which they leave the system, and the feed of them.

mod envelope;
mod feed;
mod kinds;
mod listeners;
mod shapes;

pub use envelope::{Event, EventDraft, LAST_SEEN};
pub use feed::{FeedPage, FeedRead, FeedService, NumberedEvent};
pub use kinds::EventKind;
pub use listeners::{Listeners, RelayingLedger, relay};
pub use shapes::{EventData, Shape};

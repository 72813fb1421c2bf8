//! Events: their kinds, their envelopes, and the feed.

mod envelope;
mod erased;
mod examples;
mod feed;
mod kinds;
mod listeners;
mod page;
mod paths;
mod relaying;
mod shapes;

pub(crate) use envelope::thin;
pub use envelope::{Event, EventDraft, LAST_SEEN};
pub use erased::erased;
pub use feed::FeedService;
pub(crate) use kinds::EventCount;
pub use kinds::EventKind;
pub use listeners::Listeners;
pub use page::{FeedPage, FeedPlace, FeedRead, NumberedEvent, count_fitting};
pub use paths::EventValue;
pub use relaying::{RelayingLedger, relay};
pub use shapes::{EventData, Shape};

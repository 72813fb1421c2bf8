//! Custom events: what a client says that happened to a contact, outside of the service. Flows are triggered by them; webhooks
//! and the feed of events do not tell of them.

mod model;
mod read;
mod service;
mod view;

pub use model::{CustomEvent, CustomEventName, InvalidName, MAX_DATA};
pub use read::data;
pub use service::{CustomEventService, NewCustomEvent};
pub use view::CustomEventView;

//! Custom events: events of a contact that a client records, from outside the service. They trigger flows. Webhooks and
//! the event feed do not include them.

mod model;
mod read;
mod service;
mod view;

pub use model::{CustomEvent, CustomEventName, InvalidName, MAX_DATA};
pub use read::data;
pub use service::{CustomEventService, NewCustomEvent};
pub use view::CustomEventView;

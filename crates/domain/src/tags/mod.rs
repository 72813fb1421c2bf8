//! Tags: labels on contacts.

mod changes;
mod model;
mod service;
mod sweep;

pub use changes::TagChange;
pub use model::{NewTagCommand, Tag, TagPatch, TagView};
pub use service::TagService;
pub use sweep::TagSweeper;

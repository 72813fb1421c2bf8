//! Tags: labels on contacts.

mod changes;
mod model;
mod service;
mod sweep;

pub use changes::TagChange;
pub use model::{NewTagCommand, Tag, TagPatch, TagView};
pub(crate) use service::MAX_TAGS_OF_WORKSPACE;
pub use service::TagService;
pub use sweep::TagSweeper;

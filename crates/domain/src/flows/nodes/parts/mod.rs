//! What several kinds of nodes have in common.

pub(super) mod message;
mod source;
pub(super) mod target;
mod typed;

pub(super) use source::GONE;
pub use source::Source;
pub use target::Target;
pub(super) use typed::{fitting, read_as};

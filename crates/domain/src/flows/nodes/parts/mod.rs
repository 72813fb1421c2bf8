//! What several kinds of nodes have in common.

mod message;
mod source;
mod target;
mod typed;

pub use source::Source;
pub(super) use target::GONE;
pub use target::Target;
pub(super) use typed::{fitting, read_as};

//! Code that several node types share.

mod answer;
mod example;
mod message;
mod not_written;
mod operation;
mod source;
mod target;
mod typed;

pub(in crate::flows) use answer::{Unread, read_answer};
pub(in crate::flows) use example::example_of;
pub(super) use not_written::NotWritten;
pub use operation::Operation;
pub use source::Source;
pub use target::Target;
pub(in crate::flows) use typed::{fitting, read_as};

//! Code that several node types share.

mod answer;
mod example;
mod message;
mod operation;
mod source;
mod target;
mod typed_value;
mod write_rejection;

pub(in crate::flows) use answer::{Unread, read_answer};
pub(in crate::flows) use example::example_of;
pub(in crate::flows::nodes) use message::MessageFields;
pub use operation::Operation;
pub use source::Source;
pub use target::Target;
pub(in crate::flows) use typed_value::{fitting, read_as};
pub(super) use write_rejection::WriteRejection;

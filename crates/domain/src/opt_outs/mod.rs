//! Those who opted out and are not there any more: what is remembered of them, so that whoever brings them back begins
//! with what they refused.

mod changes;
mod marks;
mod service;
#[cfg(test)]
mod tests;

pub use changes::{OptOut, OptOutChange};
pub use marks::{Mark, MarkName, Refused};
pub(crate) use marks::{freed, lifted, marks, new_marks, refused, silence};
pub(crate) use service::OptOuts;
pub use service::seal_context;

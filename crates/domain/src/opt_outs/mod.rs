//! Opt-outs of identifiers that no contact has any more. A contact that gets such an identifier starts opted out.
//!
//! The opt-out of an existing contact is part of the contact. [`suppression`](crate::conversations::suppression) checks
//! it before a send.

mod changes;
mod link;
mod marks;
#[cfg(test)]
mod sequence_tests;
mod service;
#[cfg(test)]
mod tests;

pub use changes::{OptOut, OptOutChange};
pub use link::UnsubscribeLink;
pub use marks::{Mark, MarkName, OptOutScope};
pub(crate) use marks::{freed, keep_refused, keep_sources, lifted, marks, new_marks, refused, silence};
pub use service::seal_context;
pub(crate) use service::{MatchedOptOuts, OptOuts, is_remembered};

//! Segments: named conditions that select contacts.

mod audience;
mod audiences;
mod count;
mod lost_references;
mod model;
mod service;
#[cfg(test)]
mod tests;
mod view;

pub use audience::Audience;
pub(crate) use audience::differs;
pub use audiences::{Audiences, Choice};
pub use count::SegmentCounter;
pub use model::{NewSegment, Segment, SegmentCount, SegmentPatch};
pub use service::SegmentService;
pub use view::{CountedSegment, SegmentView};

//! The timeline of a contact: its history, the newest first, read from several sources.

mod model;
mod service;
mod sources;
mod steps;
#[cfg(test)]
mod tests;
mod values;
mod view;

pub use model::{
    RunSpan, Source, TimelineEntry, TimelineEvent, TimelineKey, TimelineKind, TimelineOrder, TimelinePage,
    TimelineRequest,
};
pub use service::TimelineService;
pub use values::{MAX_WITH_VALUES, WITH_VALUES};
pub use view::TimelineEntryView;

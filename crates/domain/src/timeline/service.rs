//! Timelines: reads a page of each source and merges them by time.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::sources::Reading;
use super::{TimelineEntry, TimelineKind, TimelinePage, TimelineRequest};
use crate::access::Access;
use crate::contacts::{ContactRef, find_contact_or_survivor};
use crate::error::Error;
use crate::pagination::Page;
use crate::ports::Ports;

/// Reads timelines of contacts.
#[derive(Clone)]
pub struct TimelineService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl TimelineService {
    /// Returns the entries of a contact, the newest first, of these types, or all if `kinds` is empty. New entries
    /// precede the pages already read, so a client gets each entry once.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn of(
        &self,
        access: &Access,
        contact: &ContactRef,
        kinds: &BTreeSet<TimelineKind>,
        request: TimelineRequest,
    ) -> Result<TimelinePage, Error> {
        let contact = find_contact_or_survivor(&self.ports, access, contact).await?;
        let reading = Reading { ports: &self.ports, access, contact: contact.id, request };
        let wants = |kind| kinds.is_empty() || kinds.contains(&kind);
        let (events, custom_events, messages, steps, enrollments) = futures::try_join!(
            reading.events(wants(TimelineKind::Event)),
            reading.custom_events(wants(TimelineKind::CustomEvent)),
            reading.messages(wants(TimelineKind::Message), wants(TimelineKind::Suppression)),
            reading.steps(wants(TimelineKind::RunStep)),
            reading.enrollments(wants(TimelineKind::Enrollment))
        )?;
        let mut entries = [events, custom_events, messages, steps, enrollments].concat();
        entries.sort_by_key(|entry| Reverse(entry.rank()));
        entries.truncate(request.limit as usize + 1);
        Ok(Page::cut(entries, request.limit, TimelineEntry::position))
    }
}

//! The entries of each source for a page of a timeline.

use uuid::Uuid;

use super::{Source, TimelineEntry, TimelineRequest};
use crate::access::Access;
use crate::conversations::{Message, MessageStatus};
use crate::ids::{ContactId, ConversationId};
use crate::pagination::{Order, PageRequest, Position};
use crate::ports::{Ports, StoreError};
use crate::sequences::EnrollmentFilter;

/// A page to read.
pub(super) struct Reading<'r> {
    pub ports: &'r Ports,
    pub access: &'r Access,
    pub contact: ContactId,
    pub request: TimelineRequest,
}

impl Reading<'_> {
    /// Returns the request for the entries of a source that the page can contain, and one more. At the time of the
    /// cursor, all entries of earlier sources remain, and those of later sources were returned.
    fn page(&self, source: Source) -> PageRequest {
        let after = self.request.after.map(|place| {
            let id = match source.cmp(&place.at.source) {
                std::cmp::Ordering::Less => Uuid::max(),
                std::cmp::Ordering::Equal => place.id,
                std::cmp::Ordering::Greater => Uuid::nil(),
            };
            Position { at: place.at.at, id }
        });
        PageRequest { limit: self.request.limit + 1, order: Order::NewestFirst, after, counted: false }
    }

    pub(super) async fn events(&self, wanted: bool) -> Result<Vec<TimelineEntry>, StoreError> {
        if !wanted {
            return Ok(Vec::new());
        }
        let found = self.ports.timeline.events(self.access, self.contact, self.page(Source::Events)).await?;
        Ok(found.into_iter().map(TimelineEntry::Event).collect())
    }

    pub(super) async fn custom_events(&self, wanted: bool) -> Result<Vec<TimelineEntry>, StoreError> {
        if !wanted {
            return Ok(Vec::new());
        }
        let page = self.page(Source::CustomEvents);
        let found = self.ports.timeline.custom_events(self.access, self.contact, page).await?;
        Ok(found.into_iter().map(TimelineEntry::CustomEvent).collect())
    }

    /// Messages are stored by conversation, one per channel. Messages of broadcasts have no conversation until one is
    /// created.
    pub(super) async fn messages(&self, sent: bool, suppressed: bool) -> Result<Vec<TimelineEntry>, StoreError> {
        let page = self.page(Source::Messages);
        let found = match (sent, suppressed) {
            (false, false) => Vec::new(),
            (false, true) => self.ports.timeline.suppressed(self.access, self.contact, page).await?,
            (true, with_suppressed) => {
                let conversations = self.ports.conversations.with(self.access, self.contact).await?;
                let places = conversations.iter().map(|it| Some(it.id)).chain([None]);
                let each = places.map(|place| self.messages_in(place, page, with_suppressed));
                futures::future::try_join_all(each).await?.concat()
            }
        };
        Ok(found.into_iter().map(|it| TimelineEntry::Message(Box::new(it))).collect())
    }

    async fn messages_in(
        &self,
        conversation: Option<ConversationId>,
        mut page: PageRequest,
        with_suppressed: bool,
    ) -> Result<Vec<Message>, StoreError> {
        let most = page.limit as usize;
        let mut found = Vec::new();
        loop {
            let read = match conversation {
                Some(conversation) => self.ports.conversations.messages(self.access, conversation, page).await?,
                None => self.ports.timeline.messages_alone(self.access, self.contact, page).await?,
            };
            let shown = |it: &Message| with_suppressed || it.status != MessageStatus::Suppressed;
            found.extend(read.items.into_iter().filter(shown));
            match read.next {
                Some(next) if found.len() < most => page.after = Some(next),
                Some(_) | None => return Ok(found),
            }
        }
    }

    pub(super) async fn enrollments(&self, wanted: bool) -> Result<Vec<TimelineEntry>, StoreError> {
        if !wanted {
            return Ok(Vec::new());
        }
        let filter = EnrollmentFilter { contact: Some(self.contact), ..EnrollmentFilter::default() };
        let page = self.page(Source::Enrollments);
        let found = self.ports.sequences.enrollments(self.access, &filter, page).await?;
        Ok(found.items.into_iter().map(|it| TimelineEntry::Enrollment(Box::new(it))).collect())
    }
}

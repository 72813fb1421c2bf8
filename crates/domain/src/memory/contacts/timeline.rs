//! The sources of timelines.

use async_trait::async_trait;

use crate::access::Access;
use crate::conversations::{Message, MessageStatus};
use crate::custom_events::CustomEvent;
use crate::flows::Run;
use crate::ids::{ContactId, RunId};
use crate::memory::MemoryStore;
use crate::pagination::{Page, PageRequest};
use crate::ports::TimelineQueries;
use crate::timeline::{RunSpan, TimelineEvent};

use crate::memory::tables::pages::{Answer, at, of, page};

/// Requests one more row than the page has.
fn one_more(request: PageRequest) -> PageRequest {
    PageRequest { limit: request.limit + 1, ..request }
}

#[async_trait]
impl TimelineQueries for MemoryStore {
    async fn events(&self, access: &Access, contact: ContactId, request: PageRequest) -> Answer<Vec<TimelineEvent>> {
        let found = of(&self.lock().events, access.workspace(), |event| event.contact == Some(contact));
        let told = found.into_iter().map(TimelineEvent::from);
        Ok(page(told.collect(), one_more(request), |it| at(it.at, it.id)).items)
    }

    async fn custom_events(
        &self,
        access: &Access,
        contact: ContactId,
        request: PageRequest,
    ) -> Answer<Vec<CustomEvent>> {
        let found = of(&self.lock().custom_events, access.workspace(), |event| event.contact == contact);
        Ok(page(found, one_more(request), |it| at(it.at, it.id)).items)
    }

    async fn suppressed(&self, access: &Access, contact: ContactId, request: PageRequest) -> Answer<Vec<Message>> {
        let is_one = |it: &Message| it.contact == contact && it.status == MessageStatus::Suppressed;
        let found = of(&self.lock().messages, access.workspace(), is_one);
        Ok(page(found, one_more(request), |it| at(it.created_at, it.id)).items)
    }

    async fn messages_alone(&self, access: &Access, contact: ContactId, request: PageRequest) -> Answer<Page<Message>> {
        let is_one = |it: &Message| it.contact == contact && it.conversation.is_none();
        let found = of(&self.lock().messages, access.workspace(), is_one);
        Ok(page(found, request, |it| at(it.created_at, it.id)))
    }

    async fn spans(&self, access: &Access, contact: ContactId, request: PageRequest) -> Answer<Page<RunSpan>> {
        let found = of(&self.lock().runs, access.workspace(), |run| run.contact == contact);
        let span = |it: Run| RunSpan { run: it.id, started_at: it.started_at, updated_at: it.updated_at };
        let spans = found.into_iter().map(span).collect();
        Ok(page(spans, request, |it: &RunSpan| at(it.started_at, it.run)))
    }

    async fn runs(&self, access: &Access, runs: &[RunId]) -> Answer<Vec<Run>> {
        let state = self.lock();
        Ok(runs.iter().filter_map(|run| state.runs.get(&(access.workspace(), *run)).cloned()).collect())
    }
}

//! What timelines are read from, beside the lists of each subject.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;
use crate::conversations::Message;
use crate::custom_events::CustomEvent;
use crate::flows::Run;
use crate::ids::{ContactId, RunId};
use crate::pagination::{Page, PageRequest};
use crate::timeline::{RunSpan, TimelineEvent};

type Answer<T> = Result<T, StoreError>;

/// What happened with one contact. Each answer is in the order of the page, and has one row more than the page where there
/// is one.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait TimelineQueries: Send + Sync {
    /// The events about a contact, by when they happened, be they numbered or not. The envelopes contain all data for
    /// [`WITH_VALUES`](crate::timeline::WITH_VALUES), up to [`MAX_WITH_VALUES`](crate::timeline::MAX_WITH_VALUES) bytes,
    /// otherwise IDs only.
    async fn events(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Vec<TimelineEvent>>;
    /// What clients told that happened to a contact.
    async fn custom_events(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Vec<CustomEvent>>;
    /// The messages to a contact that were suppressed, by when they were made.
    async fn suppressed(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Vec<Message>>;
    /// The messages to a contact that stand in no conversation, by when they were made, page by page.
    async fn messages_alone(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Page<Message>>;
    /// The runs of a contact without their traces, by their starts, page by page.
    async fn spans(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Page<RunSpan>>;
    /// Those of the runs that are there, in no order.
    async fn runs(&self, access: &Access, runs: &[RunId]) -> Answer<Vec<Run>>;
}

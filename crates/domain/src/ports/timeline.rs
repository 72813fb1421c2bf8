//! Queries of timelines, in addition to the lists of each subject.

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

/// The history of one contact. Each `Vec` is in the order of the page, and has one more row than the page, if it
/// exists.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait TimelineQueries: Send + Sync {
    /// Returns the events of a contact by time, numbered or not. The envelopes contain all data for
    /// [`WITH_VALUES`](crate::timeline::WITH_VALUES), up to [`MAX_WITH_VALUES`](crate::timeline::MAX_WITH_VALUES)
    /// bytes, otherwise IDs only.
    async fn events(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Vec<TimelineEvent>>;
    /// Returns the custom events of a contact.
    async fn custom_events(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Vec<CustomEvent>>;
    /// Returns the suppressed messages to a contact, by creation.
    async fn suppressed(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Vec<Message>>;
    /// Returns a page of the messages to a contact that belong to no conversation, by creation.
    async fn messages_alone(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Page<Message>>;
    /// Returns a page of the runs of a contact without their traces, by start.
    async fn spans(&self, access: &Access, contact: ContactId, page: PageRequest) -> Answer<Page<RunSpan>>;
    /// Returns the existing ones of these runs, in any order.
    async fn runs(&self, access: &Access, runs: &[RunId]) -> Answer<Vec<Run>>;
}

//! What use cases read of what does things by itself: flows, segments, broadcasts and sequences. As in
//! [`queries`](super::queries), each sees the workspace of its [`Access`] only.

use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use super::errors::StoreError;
use crate::access::Access;
use crate::broadcasts::{
    Broadcast, BroadcastRecipient, BroadcastStatus, Count as BroadcastCount, RecipientStatus, WaitingRecipient,
};
use crate::custom_events::CustomEventName;
use crate::events::EventKind;
use crate::flows::{
    ActiveTrigger, Awaited, CompiledFlow, Flow, FlowSchedule, FlowStats, FlowStatus, FlowVersion, NodeTally, Run,
    RunFilter, RunWithContact, StatisticsRequest,
};
use crate::ids::{BroadcastId, ContactId, EnrollmentId, FlowId, RunId, SegmentId, SequenceId};
use crate::list_filter::{ListFilter, NameFilter};
use crate::pagination::{Page, PageRequest};
use crate::segments::{Segment, SegmentCount};
use crate::sequences::{Enrollment, EnrollmentFilter, Sequence, SequenceStatus};
use crate::time::Timestamp;

type Answer<T> = Result<T, StoreError>;

/// Flows and runs.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait FlowQueries: Send + Sync {
    /// A flow that is not deleted; its counts are 0.
    async fn get(&self, access: &Access, flow: FlowId) -> Answer<Option<Flow>>;
    /// Flows that are not deleted and that a filter admits, page by page; their counts are 0.
    async fn list(&self, access: &Access, filter: &ListFilter<FlowStatus>, page: PageRequest) -> Answer<Page<Flow>>;
    /// How far the runs of a flow are.
    async fn stats(&self, access: &Access, flow: FlowId) -> Answer<FlowStats>;
    /// What was counted of the nodes of a flow, summed over the hours and versions that are asked for: those hours that begin
    /// in the span.
    async fn node_counts(&self, access: &Access, flow: FlowId, request: StatisticsRequest) -> Answer<Vec<NodeTally>>;
    /// How many live runs of a flow are at which node, of those of a version where one is named: at most
    /// [`MOST_WAITING`](crate::flows::MOST_WAITING) runs are looked at.
    async fn waiting_at(&self, access: &Access, flow: FlowId, version: Option<i64>) -> Answer<Vec<(String, i64)>>;
    /// Those of the flows that are there.
    async fn present(&self, access: &Access, flows: &[FlowId]) -> Answer<Vec<FlowId>>;
    /// The published versions of a flow, newest first, at most 1 000.
    async fn versions(&self, access: &Access, flow: FlowId, page: PageRequest) -> Answer<Page<FlowVersion>>;
    /// The current versions of the flows that are not deleted and mention secrets, in the order of the flows' IDs. The store
    /// may return a version that only contains the word.
    async fn published_with_secrets(&self, access: &Access) -> Answer<Vec<FlowVersion>>;
    /// The keyword triggers of active flows; the flows in the order of their making.
    async fn keyword_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>>;
    /// The triggers of active flows for events of this kind; the flows in the order of their making.
    async fn event_triggers(&self, access: &Access, kind: EventKind) -> Answer<Vec<ActiveTrigger>>;
    /// The triggers of active flows for custom events of this name; the flows in the order of their making.
    async fn custom_event_triggers(&self, access: &Access, name: &CustomEventName) -> Answer<Vec<ActiveTrigger>>;
    /// When a flow fires next, if it was ever planned.
    async fn schedule(&self, access: &Access, flow: FlowId) -> Answer<Option<FlowSchedule>>;
    /// The schedules of all flows of the workspace that are to fire, by flow.
    async fn schedules(&self, access: &Access) -> Answer<Vec<FlowSchedule>>;
    /// Those whom firings of a flow took and who have not been started yet, with the instant of the firing: the earliest
    /// first, then by id, at most `limit`.
    async fn recipients(&self, access: &Access, flow: FlowId, limit: u32) -> Answer<Vec<(Timestamp, ContactId)>>;
    /// The live runs of the contact that wait for a reply, the one that asked last first.
    async fn awaiting_reply(&self, access: &Access, contact: ContactId) -> Answer<Vec<Run>>;
    /// The live runs of the contact that wait for this event, which has not come yet, the one that waits longest first: at most
    /// 100.
    async fn awaiting_event(&self, access: &Access, contact: ContactId, awaited: &Awaited) -> Answer<Vec<Run>>;
    /// The events of the contact that are committed and not yet taken to the runs that wait for them, newest first: at most
    /// 1 000.
    async fn events_under_way(&self, access: &Access, contact: ContactId) -> Answer<Vec<Uuid>>;
    /// Through which flows an event or a message started runs.
    async fn started_by(&self, access: &Access, cause: Uuid) -> Answer<Vec<FlowId>>;
    /// Runs, page by page, by their starts.
    async fn runs(&self, access: &Access, filter: &RunFilter, page: PageRequest) -> Answer<Page<Run>>;
    /// A published version; it never changes.
    async fn version(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<FlowVersion>>;
    /// A published version, read once and held.
    async fn compiled(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<Arc<CompiledFlow>>>;
    /// A run.
    async fn run(&self, access: &Access, run: RunId) -> Answer<Option<Run>>;
    /// A run with its contact and the conversations with it, in one round trip.
    async fn run_with_contact(&self, access: &Access, run: RunId) -> Answer<Option<RunWithContact>>;
    /// The run of this flow that lives for this contact in the shared slot.
    async fn live_run(&self, access: &Access, flow: FlowId, contact: ContactId) -> Answer<Option<Run>>;
    /// The newest starts of the flow for the contact, newest first, at most `limit`. A run that was refused at once is none
    /// ([`Run::is_refused`]).
    async fn recent_starts(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        limit: u32,
    ) -> Answer<Vec<Timestamp>>;
    /// Whether a run of the flow was refused at once for the contact, since then ([`Run::is_refused`]).
    async fn is_refused_since(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        since: Timestamp,
    ) -> Answer<bool>;
}

/// Segments.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SegmentQueries: Send + Sync {
    /// A segment.
    async fn get(&self, access: &Access, segment: SegmentId) -> Answer<Option<Segment>>;
    /// Segments that a filter admits, page by page.
    async fn list(&self, access: &Access, filter: &NameFilter, page: PageRequest) -> Answer<Page<Segment>>;
    /// The stored counts of these segments. Segments that were never counted are missing.
    async fn counts(&self, access: &Access, segments: &[SegmentId]) -> Answer<Vec<(SegmentId, SegmentCount)>>;
    /// Stores the count of a segment, if the segment exists. Its version stays.
    async fn store_count(&self, access: &Access, segment: SegmentId, count: SegmentCount) -> Answer<()>;
    /// Reserves a refresh of the counts at `now`. Returns false if one was reserved for this segment after `before`.
    async fn reserve_refresh(
        &self,
        access: &Access,
        segment: SegmentId,
        now: Timestamp,
        before: Timestamp,
    ) -> Answer<bool>;
}

/// Broadcasts and their recipients.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait BroadcastQueries: Send + Sync {
    /// A broadcast.
    async fn get(&self, access: &Access, broadcast: BroadcastId) -> Answer<Option<Broadcast>>;
    /// Broadcasts that a filter admits, page by page.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<BroadcastStatus>,
        page: PageRequest,
    ) -> Answer<Page<Broadcast>>;
    /// All that is written of what became of a broadcast's messages: what was counted, and what no counter contains yet.
    async fn settled(&self, access: &Access, broadcast: BroadcastId) -> Answer<Vec<(BroadcastCount, i64)>>;
    /// What was counted of these broadcasts, a second or two behind.
    async fn counts(
        &self,
        access: &Access,
        broadcasts: &[BroadcastId],
    ) -> Answer<Vec<(BroadcastId, BroadcastCount, i64)>>;
    /// The recipients of these places that wait, the first first, at most `limit`.
    async fn waiting(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        places: Range<i64>,
        limit: u32,
    ) -> Answer<Vec<WaitingRecipient>>;
    /// The recipients with this status, or all of them, in the order of the IDs of their contacts, page by page. Positions have
    /// no time.
    async fn recipients(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        status: Option<RecipientStatus>,
        page: PageRequest,
    ) -> Answer<Page<BroadcastRecipient>>;
}

/// Sequences and enrollments.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SequenceQueries: Send + Sync {
    /// A sequence that is not deleted.
    async fn get(&self, access: &Access, sequence: SequenceId) -> Answer<Option<Sequence>>;
    /// A sequence, even one that is deleted.
    async fn get_even_deleted(&self, access: &Access, sequence: SequenceId) -> Answer<Option<Sequence>>;
    /// Sequences that are not deleted and that a filter admits, page by page.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<SequenceStatus>,
        page: PageRequest,
    ) -> Answer<Page<Sequence>>;
    /// An enrollment.
    async fn enrollment(&self, access: &Access, enrollment: EnrollmentId) -> Answer<Option<Enrollment>>;
    /// The contact's enrollment in the sequence with the greatest number.
    async fn last_enrollment(
        &self,
        access: &Access,
        sequence: SequenceId,
        contact: ContactId,
    ) -> Answer<Option<Enrollment>>;
    /// Enrollments, by when they began, page by page.
    async fn enrollments(
        &self,
        access: &Access,
        filter: &EnrollmentFilter,
        page: PageRequest,
    ) -> Answer<Page<Enrollment>>;
    /// All living enrollments of a contact, by id.
    async fn live_enrollments(&self, access: &Access, contact: ContactId) -> Answer<Vec<Enrollment>>;
    /// Living enrollments in the sequence that were decided last by an older revision than this one,
    /// by id, at most `limit`.
    async fn outdated_enrollments(
        &self,
        access: &Access,
        sequence: SequenceId,
        revision: i64,
        limit: u32,
    ) -> Answer<Vec<Enrollment>>;
    /// The contact's enrollments that its deletion at this instant ended, by id.
    async fn enrollments_deleted_at(
        &self,
        access: &Access,
        contact: ContactId,
        at: Timestamp,
    ) -> Answer<Vec<Enrollment>>;
}

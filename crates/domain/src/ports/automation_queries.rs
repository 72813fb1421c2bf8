//! Queries of automation: flows, segments, broadcasts and sequences. As in [`queries`](super::queries), each query sees
//! only the workspace of its [`Access`].

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
    ActiveTrigger, AwaitedKind, CompiledFlow, Flow, FlowSchedule, FlowStats, FlowStatus, FlowVersion, NodeTally, Run,
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
    /// Returns a flow that is not deleted. Its counts are 0.
    async fn get(&self, access: &Access, flow: FlowId) -> Answer<Option<Flow>>;
    /// Returns a page of the flows that are not deleted and match a filter. Their counts are 0.
    async fn list(&self, access: &Access, filter: &ListFilter<FlowStatus>, page: PageRequest) -> Answer<Page<Flow>>;
    /// Returns the progress of the runs of a flow.
    async fn stats(&self, access: &Access, flow: FlowId) -> Answer<FlowStats>;
    /// Returns the node counters of a flow, summed over the requested versions and the hours that begin in the span.
    async fn node_counts(&self, access: &Access, flow: FlowId, request: StatisticsRequest) -> Answer<Vec<NodeTally>>;
    /// Returns how many live runs of a flow are at each node, of one version if it is given. Reads at most
    /// [`MOST_WAITING`](crate::flows::MOST_WAITING) runs.
    async fn waiting_at(&self, access: &Access, flow: FlowId, version: Option<i64>) -> Answer<Vec<(String, i64)>>;
    /// Returns the existing ones of these flows.
    async fn present(&self, access: &Access, flows: &[FlowId]) -> Answer<Vec<FlowId>>;
    /// Returns a page of the published versions of a flow, newest first, at most 1 000.
    async fn versions(&self, access: &Access, flow: FlowId, page: PageRequest) -> Answer<Page<FlowVersion>>;
    /// Returns the current versions of the flows that are not deleted and mention secrets, in the order of the flows'
    /// IDs. The store can also return a version that only contains the word.
    async fn published_with_secrets(&self, access: &Access) -> Answer<Vec<FlowVersion>>;
    /// Returns the keyword triggers of active flows, by creation of the flows.
    async fn keyword_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>>;
    /// Returns the referral triggers of active flows, by creation of the flows.
    async fn referral_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>>;
    /// Returns the triggers of active flows for this kind of event, by creation of the flows.
    async fn event_triggers(&self, access: &Access, kind: EventKind) -> Answer<Vec<ActiveTrigger>>;
    /// Returns the triggers of active flows for custom events of this name, by creation of the flows.
    async fn custom_event_triggers(&self, access: &Access, name: &CustomEventName) -> Answer<Vec<ActiveTrigger>>;
    /// Returns the schedule of a flow, if it ever had one.
    async fn schedule(&self, access: &Access, flow: FlowId) -> Answer<Option<FlowSchedule>>;
    /// Returns all pending schedules of the workspace, by flow.
    async fn schedules(&self, access: &Access) -> Answer<Vec<FlowSchedule>>;
    /// Returns contacts that firings of a flow selected and that are not started yet, with the time of the firing: by
    /// time, then by ID, at most `limit`.
    async fn recipients(&self, access: &Access, flow: FlowId, limit: u32) -> Answer<Vec<(Timestamp, ContactId)>>;
    /// Returns the live runs of the contact that wait for a reply, the last question first.
    async fn awaiting_reply(&self, access: &Access, contact: ContactId) -> Answer<Vec<Run>>;
    /// Returns the live runs of the contact that wait for this event, the longest wait first, at most 100.
    async fn awaiting_event(&self, access: &Access, contact: ContactId, awaited: &AwaitedKind) -> Answer<Vec<Run>>;
    /// Returns the committed events of the contact that were not yet passed to waiting runs, newest first, at most 1
    /// 000.
    async fn events_under_way(&self, access: &Access, contact: ContactId) -> Answer<Vec<Uuid>>;
    /// Returns the flows of which an event or a message started runs.
    async fn started_by(&self, access: &Access, cause: Uuid) -> Answer<Vec<FlowId>>;
    /// Returns a page of runs, by start.
    async fn runs(&self, access: &Access, filter: &RunFilter, page: PageRequest) -> Answer<Page<Run>>;
    /// Returns a published version. It never changes.
    async fn version(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<FlowVersion>>;
    /// Returns a published version, compiled and cached.
    async fn compiled(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<Arc<CompiledFlow>>>;
    /// Returns a run.
    async fn run(&self, access: &Access, run: RunId) -> Answer<Option<Run>>;
    /// Returns a run with its contact and the contact's conversations, in one round trip.
    async fn run_with_contact(&self, access: &Access, run: RunId) -> Answer<Option<RunWithContact>>;
    /// Returns the live run of this flow for this contact in the shared slot.
    async fn live_run(&self, access: &Access, flow: FlowId, contact: ContactId) -> Answer<Option<Run>>;
    /// Returns the newest starts of the flow for the contact, newest first, at most `limit`. Runs that were refused at
    /// once do not count ([`Run::is_refused`]).
    async fn recent_starts(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        limit: u32,
    ) -> Answer<Vec<Timestamp>>;
    /// Whether a run of the flow was refused at once for the contact since this time ([`Run::is_refused`]).
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
    /// Returns a segment.
    async fn get(&self, access: &Access, segment: SegmentId) -> Answer<Option<Segment>>;
    /// Returns a page of the segments that match a filter.
    async fn list(&self, access: &Access, filter: &NameFilter, page: PageRequest) -> Answer<Page<Segment>>;
    /// Returns the stored counts of these segments. Segments without a count are missing.
    async fn counts(&self, access: &Access, segments: &[SegmentId]) -> Answer<Vec<(SegmentId, SegmentCount)>>;
    /// Stores the count of a segment, if the segment exists. Its version is unchanged.
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
    /// Returns a broadcast.
    async fn get(&self, access: &Access, broadcast: BroadcastId) -> Answer<Option<Broadcast>>;
    /// Returns a page of the broadcasts that match a filter.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<BroadcastStatus>,
        page: PageRequest,
    ) -> Answer<Page<Broadcast>>;
    /// Returns the full outcome counts of a broadcast, including outcomes that the counters do not contain yet.
    async fn outcome_counts(&self, access: &Access, broadcast: BroadcastId) -> Answer<Vec<(BroadcastCount, i64)>>;
    /// Returns the counters of these broadcasts. They lag by a second or two.
    async fn counts(
        &self,
        access: &Access,
        broadcasts: &[BroadcastId],
    ) -> Answer<Vec<(BroadcastId, BroadcastCount, i64)>>;
    /// Returns the waiting recipients with these positions, in order, at most `limit`.
    async fn waiting(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        places: Range<i64>,
        limit: u32,
    ) -> Answer<Vec<WaitingRecipient>>;
    /// Returns a page of the recipients, optionally with one status, by contact ID. Page positions have no time.
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
    /// Returns a sequence that is not deleted.
    async fn get(&self, access: &Access, sequence: SequenceId) -> Answer<Option<Sequence>>;
    /// Returns a sequence, even a deleted one.
    async fn get_even_deleted(&self, access: &Access, sequence: SequenceId) -> Answer<Option<Sequence>>;
    /// Returns a page of the sequences that are not deleted and match a filter.
    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<SequenceStatus>,
        page: PageRequest,
    ) -> Answer<Page<Sequence>>;
    /// Returns an enrollment.
    async fn enrollment(&self, access: &Access, enrollment: EnrollmentId) -> Answer<Option<Enrollment>>;
    /// Returns the contact's enrollment in the sequence with the highest number.
    async fn last_enrollment(
        &self,
        access: &Access,
        sequence: SequenceId,
        contact: ContactId,
    ) -> Answer<Option<Enrollment>>;
    /// Returns a page of enrollments, by start.
    async fn enrollments(
        &self,
        access: &Access,
        filter: &EnrollmentFilter,
        page: PageRequest,
    ) -> Answer<Page<Enrollment>>;
    /// Returns all live enrollments of a contact, by ID.
    async fn live_enrollments(&self, access: &Access, contact: ContactId) -> Answer<Vec<Enrollment>>;
    /// Returns live enrollments in the sequence whose last decision used an older revision than this one, by ID, at
    /// most `limit`.
    async fn outdated_enrollments(
        &self,
        access: &Access,
        sequence: SequenceId,
        revision: i64,
        limit: u32,
    ) -> Answer<Vec<Enrollment>>;
    /// Returns the contact's enrollments that its deletion at this time ended, by ID.
    async fn enrollments_deleted_at(
        &self,
        access: &Access,
        contact: ContactId,
        at: Timestamp,
    ) -> Answer<Vec<Enrollment>>;
}

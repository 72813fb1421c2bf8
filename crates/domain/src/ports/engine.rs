//! Due work: jobs that commit with their cause, and the port through which engines take them.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::errors::StoreError;
use crate::access::stored::{StoredBytes, StoredPlace, StoredPortion};
use crate::events::EventKind;
use crate::ids::{
    ConversationId, DeliveryId, EnrollmentId, EventId, FieldId, JobId, MessageId, RunId, SequenceId, TagId, TypedId,
    WebhookId, WorkspaceId,
};
use crate::time::Timestamp;

/// Jobs of one pool share a number of slots, so that slow receivers do not hold up the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pool {
    /// Short work inside the store.
    Work,
    /// Calls to providers.
    Sends,
    /// Calls to webhooks.
    Deliveries,
}

impl ClaimRequest {
    /// Up to `limit` due jobs of the pool, whosever they are.
    pub fn new(pool: Pool, limit: u32, lease: Duration, now: Timestamp) -> Self {
        Self { pool, limit, lease, retries: limit, full_groups: vec![], full_workspaces: vec![], now }
    }
}

impl Pool {
    /// All pools.
    pub const ALL: [Self; 3] = [Self::Work, Self::Sends, Self::Deliveries];

    /// Whether its jobs reach the outside, and so may be held.
    pub fn leaves(self) -> bool {
        match self {
            Self::Work => false,
            Self::Sends | Self::Deliveries => true,
        }
    }

    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Sends => "sends",
            Self::Deliveries => "deliveries",
        }
    }
}

macro_rules! job_kinds {
    ($($(#[$doc:meta])* $variant:ident = $word:literal in $pool:ident;)*) => {
        /// The one table of job kinds: what is done, and in which pool.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum JobKind { $($(#[$doc])* $variant,)* }

        impl JobKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word in the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// The kind with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }

            /// Whether its jobs are done one after another in a lane.
            pub fn has_lane(self) -> bool {
                matches!(self, Self::StepRun | Self::ReviewSequence | Self::RouteInbound | Self::SendMessage)
            }

            /// Whose slots it takes.
            pub fn pool(self) -> Pool {
                match self { $(Self::$variant => Pool::$pool),* }
            }
        }
    };
}

job_kinds! {
    /// Makes a delivery of an event for each webhook that wants it, and has follow from it what else listens to it.
    Relay = "relay" in Work;
    /// The same of an event that was not counted when it was written: releases before this one write such jobs.
    RelayEvent = "relay_event" in Work;
    /// Takes a contact's message to the run that waits for it, else to the flow that it triggers.
    RouteInbound = "route_inbound" in Work;
    /// Opens a snoozed conversation whose time has come.
    WakeConversation = "wake_conversation" in Work;
    /// Takes a run of a flow to its next wait.
    StepRun = "step_run" in Work;
    /// Takes an enrollment's next step.
    StepEnrollment = "step_enrollment" in Work;
    /// Decides anew what the enrollments of a changed sequence wait for.
    ReviewSequence = "review_sequence" in Work;
    /// Hands a message to its provider.
    SendMessage = "send_message" in Sends;
    /// Makes the first attempt at a delivery, or the first one after a replay.
    AttemptDelivery = "attempt_delivery" in Deliveries;
    /// Makes a later attempt at a delivery.
    RetryDelivery = "retry_delivery" in Deliveries;
    /// Has deliveries of a time sent again, a batch each second.
    ReplayDeliveries = "replay_deliveries" in Work;
    /// Removes the links that a deleted tag left behind.
    SweepTag = "sweep_tag" in Work;
    /// Removes the values that a deleted custom field left behind.
    SweepField = "sweep_field" in Work;
    /// Takes options that a custom field no longer has off the contacts that carry them.
    TakeOptionsOff = "take_options_off" in Work;
}

/// Work to be done at or after an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Its id; jobs of one lane are done in the order of their ids.
    pub id: JobId,
    /// What is to be done.
    pub kind: JobKind,
    /// To what, without the kind.
    pub subject: Uuid,
    /// Of a step: the visit that it belongs to; of an attempt at a delivery: the round; of an event or a message: how
    /// many runs of flows stand behind it; else 0.
    pub mark: i64,
    /// Jobs with the same lane are done one after another.
    pub lane: Option<Uuid>,
    /// Jobs of one group (a webhook) share a bound on how many are under way.
    pub group: Option<Uuid>,
    /// Not before this instant.
    pub due_at: Timestamp,
    /// Where set, whoever writes the job takes it at once: it is written as claimed, with the token
    /// [`NewJob::FIRST_TOKEN`], for so long from `due_at` on. Not for jobs with a lane.
    pub lease: Option<Duration>,
}

impl NewJob {
    /// The token of a job's first claim.
    pub const FIRST_TOKEN: i64 = 1;

    fn new(id: JobId, kind: JobKind, subject: Uuid, due_at: Timestamp) -> Self {
        Self { id, kind, subject, mark: 0, lane: None, group: None, due_at, lease: None }
    }

    /// The job as its first worker has it.
    pub fn first_claim(&self, workspace: WorkspaceId) -> ClaimedJob {
        ClaimedJob {
            id: self.id,
            workspace,
            kind: self.kind,
            subject: self.subject,
            mark: self.mark,
            group: self.group,
            token: Self::FIRST_TOKEN,
            attempts: 0,
        }
    }

    /// Relays an event behind which so many runs of flows stand. It bears the event's own id.
    pub fn relay(event: EventId, depth: i64, due_at: Timestamp) -> Self {
        Self { mark: depth, ..Self::new(JobId::from_uuid(event.uuid()), JobKind::Relay, event.uuid(), due_at) }
    }

    /// Relays an event as releases before this one did.
    pub fn relay_event(id: JobId, event: EventId, due_at: Timestamp) -> Self {
        Self::new(id, JobKind::RelayEvent, event.uuid(), due_at)
    }

    /// Steps a run whose next visit is `visit`.
    pub fn step_run(id: JobId, run: RunId, visit: i64, due_at: Timestamp) -> Self {
        Self { mark: visit, lane: Some(run.uuid()), ..Self::new(id, JobKind::StepRun, run.uuid(), due_at) }
    }

    /// Looks at an enrollment whose next decision is `visit`. It has no lane: one that waits for days at
    /// the head of a lane would hold up another that was made to come earlier; the visit fences them.
    pub fn step_enrollment(id: JobId, enrollment: EnrollmentId, visit: i64, due_at: Timestamp) -> Self {
        Self { mark: visit, ..Self::new(id, JobKind::StepEnrollment, enrollment.uuid(), due_at) }
    }

    /// Reviews the enrollments of a sequence, after an earlier review.
    pub fn review_sequence(id: JobId, sequence: SequenceId, due_at: Timestamp) -> Self {
        Self { lane: Some(sequence.uuid()), ..Self::new(id, JobKind::ReviewSequence, sequence.uuid(), due_at) }
    }

    /// Routes an inbound message after those of the same contact that came before it.
    pub fn route_inbound(id: JobId, message: MessageId, contact: Uuid, due_at: Timestamp) -> Self {
        Self { lane: Some(contact), ..Self::new(id, JobKind::RouteInbound, message.uuid(), due_at) }
    }

    /// Sends a message after those before it in its conversation.
    pub fn send_message(id: JobId, message: MessageId, conversation: Uuid, due_at: Timestamp) -> Self {
        Self { lane: Some(conversation), ..Self::new(id, JobKind::SendMessage, message.uuid(), due_at) }
    }

    /// Opens a snoozed conversation.
    pub fn wake_conversation(id: JobId, conversation: ConversationId, due_at: Timestamp) -> Self {
        Self::new(id, JobKind::WakeConversation, conversation.uuid(), due_at)
    }

    /// Attempts a delivery.
    pub fn attempt_delivery(id: JobId, delivery: DeliveryId, webhook: WebhookId, due_at: Timestamp) -> Self {
        Self { group: Some(webhook.uuid()), ..Self::new(id, JobKind::AttemptDelivery, delivery.uuid(), due_at) }
    }

    /// Attempts a delivery once more.
    pub fn retry_delivery(id: JobId, delivery: DeliveryId, webhook: WebhookId, due_at: Timestamp) -> Self {
        Self { group: Some(webhook.uuid()), ..Self::new(id, JobKind::RetryDelivery, delivery.uuid(), due_at) }
    }

    /// The same attempt in a later round: after so many attempts the delivery was replayed.
    #[must_use]
    pub fn in_round(self, round_start: i32) -> Self {
        Self { mark: i64::from(round_start), ..self }
    }

    /// Has deliveries sent again; the job bears the replay's own id.
    pub fn replay_deliveries(id: JobId, due_at: Timestamp) -> Self {
        Self::new(id, JobKind::ReplayDeliveries, id.uuid(), due_at)
    }

    /// Sweeps behind a deleted tag.
    pub fn sweep_tag(id: JobId, tag: TagId, due_at: Timestamp) -> Self {
        Self::new(id, JobKind::SweepTag, tag.uuid(), due_at)
    }

    /// Sweeps behind a deleted custom field.
    pub fn sweep_field(id: JobId, field: FieldId, due_at: Timestamp) -> Self {
        Self::new(id, JobKind::SweepField, field.uuid(), due_at)
    }

    /// Takes the options that go off the contacts that carry them.
    pub fn take_options_off(id: JobId, field: FieldId, due_at: Timestamp) -> Self {
        Self::new(id, JobKind::TakeOptionsOff, field.uuid(), due_at)
    }
}

/// A job in the hands of one worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedJob {
    /// Its id.
    pub id: JobId,
    /// Whose it is.
    pub workspace: WorkspaceId,
    /// What is to be done.
    pub kind: JobKind,
    /// To what.
    pub subject: Uuid,
    /// Of a step: the visit that it belongs to; of an attempt at a delivery: the round; of an event or a message: how
    /// many runs of flows stand behind it.
    pub mark: i64,
    /// The bound that it shares.
    pub group: Option<Uuid>,
    /// The fencing token of this claim: a later claim has a greater one.
    pub token: i64,
    /// How often it was given back after a failure.
    pub attempts: i32,
}

impl ClaimedJob {
    /// The claim on it.
    pub fn held(&self) -> HeldClaim {
        HeldClaim { workspace: self.workspace, claim: Claim { job: self.id, token: self.token } }
    }
}

/// A claim, by job and token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The job.
    pub job: JobId,
    /// The claim's token.
    pub token: i64,
}

/// A claim that is held, and whose job it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldClaim {
    /// The workspace of the job.
    pub workspace: WorkspaceId,
    /// The claim.
    pub claim: Claim,
}

/// What one process does for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// Giving events their positions.
    Sequencer,
    /// Adding up stored text.
    Measuring,
}

impl Lease {
    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sequencer => "event_sequencer",
            Self::Measuring => "stored_text",
        }
    }
}

/// What an engine asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// From which pool.
    pub pool: Pool,
    /// How many at the most.
    pub limit: u32,
    /// For how long they are the worker's own, by the store's clock.
    pub lease: Duration,
    /// Of later attempts at deliveries no more than so many, that first ones find a place.
    pub retries: u32,
    /// Groups that have enough under way here: none of theirs.
    pub full_groups: Vec<Uuid>,
    /// Workspaces that have enough under way here: none of theirs, of the pool for deliveries.
    pub full_workspaces: Vec<WorkspaceId>,
    /// The present instant; stores whose own clock is shared by all workers go by that one.
    pub now: Timestamp,
}

/// An event as it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its id.
    pub id: EventId,
    /// Its kind.
    pub kind: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// The envelope with whole objects.
    pub full: String,
    /// The envelope with ids only.
    pub thin: String,
}

/// What engines need across workspaces. Everything after the claim goes through the other ports.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait EngineStore: Send + Sync {
    /// Takes due jobs: not claimed or with a lease that ran out, the oldest in their lane, no other
    /// job of the lane claimed. A job that was claimed five times without a result is not taken again.
    ///
    /// Of the pools for sends and deliveries nothing is given out while the store or the workspace holds what it sends.
    ///
    /// Of the pool for deliveries later attempts come before first ones, and each kind goes around
    /// the workspaces: no workspace gets a second job while another one waits for its first.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is claimed then.
    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError>;

    /// Puts aside what was claimed five times without a result and has no lease any more, so that it holds up its
    /// lane no longer; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn bury_poison(&self, now: Timestamp) -> Result<u64, StoreError>;

    /// Extends leases that are still held and returns those claims; the others are lost.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn extend(&self, claims: Vec<HeldClaim>, lease: Duration, now: Timestamp) -> Result<Vec<Claim>, StoreError>;

    /// When the next job of the pool falls due, of those that are neither claimed nor put aside nor
    /// behind another job of their lane. It may lie in the past: the job may be taken now.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn next_due(&self, pool: Pool) -> Result<Option<Timestamp>, StoreError>;

    /// An event of a workspace.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn event(&self, workspace: WorkspaceId, event: EventId) -> Result<Option<StoredEvent>, StoreError>;

    /// Moves at most `limit` facts into the counters of their quarters, each once; returns how many.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was moved then.
    async fn count_facts(&self, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` idempotency records made before `before`; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_idempotency(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Gives committed events that have none their positions: per workspace 1, 2, 3 without gaps,
    /// behind all that were given before, in the order of their commits where these did not overlap.
    /// At most `limit` of them; returns how many. Whoever does it holds a lease of this length, by
    /// the store's clock: while another `holder` has it, nothing is done and 0 returned.
    ///
    /// # Errors
    /// [`StoreError`]; no position was given then.
    async fn number_events(&self, holder: Uuid, lease: Duration, limit: u32, now: Timestamp)
    -> Result<u64, StoreError>;

    /// Removes at most `limit` events from before `before` with their deliveries, but for those of
    /// which an attempt is planned; returns how many events.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` deliveries made before `before`, with their attempts, but for those of which an attempt is
    /// planned; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_deliveries(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Empties the traces of at most `limit` runs that ended at or after `from` and before `before`, the oldest first.
    /// Returns from when on there may be more of them; `None` where there are none.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_traces(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError>;

    /// Takes or keeps the lease of this name for so long, by the store's clock; false where another `holder` has it.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn take_lease(
        &self,
        lease: Lease,
        holder: Uuid,
        length: Duration,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Adds up the stored text of at most `limit` objects from `from` on, whosever they are.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn measure_stored(&self, from: StoredPlace, limit: u32) -> Result<StoredPortion, StoreError>;

    /// Keeps what workspaces have stored, as of an instant.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn keep_stored(&self, bytes: Vec<(WorkspaceId, StoredBytes)>, at: Timestamp) -> Result<(), StoreError>;

    /// Forgets what workspaces had stored that were last measured before an instant: they have nothing any more.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn forget_stored(&self, before: Timestamp) -> Result<(), StoreError>;

    /// Removes at most `limit` counters of attempts from hours before `before`; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_counts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}

//! Jobs: deferred work, and the properties of each kind. A job commits together with its cause.

mod columns;
mod extra_ids;

use std::time::Duration;

use crate::ids::{
    BroadcastId, BulkOperationId, ChannelId, ContactId, ConversationId, CustomEventId, DeliveryId, EnrollmentId,
    EventId, FieldId, FlowId, ImportId, JobId, MessageId, RunId, SequenceId, TagId, TypedId, WebhookId, WorkspaceId,
};
use crate::time::Timestamp;

pub use columns::JobColumns;
pub use extra_ids::ExtraIds;

/// A set of job kinds with common slots: slow receivers do not delay the work of other pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pool {
    /// Short work inside the store.
    Work,
    /// Requests to providers.
    Sends,
    /// Requests to addresses that workspaces configure: webhooks, and HTTP calls of flows.
    Deliveries,
}

impl Pool {
    /// All pools.
    pub const ALL: [Self; 3] = [Self::Work, Self::Sends, Self::Deliveries];

    /// Whether its jobs send requests to other services, and so can be paused.
    pub fn leaves(self) -> bool {
        match self {
            Self::Work => false,
            Self::Sends | Self::Deliveries => true,
        }
    }

    /// Returns the word in the store.
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
        /// The kind of a job. It determines the pool.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum JobKind { $($(#[$doc])* $variant,)* }

        impl JobKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the word in the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Returns the kind with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }

            /// Returns the pool with its slots.
            pub fn pool(self) -> Pool {
                match self { $(Self::$variant => Pool::$pool),* }
            }
        }
    };
}

job_kinds! {
    /// Creates a delivery of an event for each subscribed webhook, and queues the work of the event's other listeners.
    Relay = "relay" in Work;
    /// Does the same for several events of one change set, in their order.
    RelaySet = "relay_set" in Work;
    /// Does the same for an event that was not counted when it was written. Only earlier releases write such jobs.
    RelayEvent = "relay_event" in Work;
    /// Queues the work of a custom event's listeners.
    RelayCustomEvent = "relay_custom_event" in Work;
    /// Passes an event to the runs that wait for it.
    TakeEvent = "take_event" in Work;
    /// Passes a custom event to the runs that wait for it.
    TakeCustomEvent = "take_custom_event" in Work;
    /// Passes a contact's message to the run that waits for it, otherwise to the flow that it triggers.
    RouteInbound = "route_inbound" in Work;
    /// Simulates a reaction of the provider or the contact to a message in a sandbox.
    PlayContact = "play_contact" in Work;
    /// Reopens a snoozed conversation when its snooze ends.
    WakeConversation = "wake_conversation" in Work;
    /// Executes a run of a flow up to its next wait.
    StepRun = "step_run" in Work;
    /// Executes the next step of an enrollment.
    StepEnrollment = "step_enrollment" in Work;
    /// Decides again what the enrollments of a changed sequence wait for.
    ReviewSequence = "review_sequence" in Work;
    /// Fires a scheduled flow.
    FireSchedule = "fire_schedule" in Work;
    /// Starts a flow for the contacts that its firing selected.
    StartFrozen = "start_frozen" in Work;
    /// Reschedules the flows of a workspace after a change of its time zones.
    PlanSchedules = "plan_schedules" in Work;
    /// Refreshes the contact counts of a workspace's segments.
    CountSegments = "count_segments" in Work;
    /// Sends a message to its provider.
    SendMessage = "send_message" in Sends;
    /// Asks the provider for a message whose outcome is unknown.
    LookUpMessage = "look_up_message" in Sends;
    /// Asks the provider of a channel for its health.
    CheckChannel = "check_channel" in Sends;
    /// Fetches the files of a contact's message from the provider, one after another.
    FetchMedia = "fetch_media" in Sends;
    /// Makes the first attempt at a delivery, or the first one after a replay. The delivery's own row represents the
    /// job in the queue ([`Job::delivery`]).
    AttemptDelivery = "attempt_delivery" in Deliveries;
    /// Makes a later attempt at a delivery.
    RetryDelivery = "retry_delivery" in Deliveries;
    /// Makes the HTTP call that a run of a flow waits for.
    CallHttp = "call_http" in Deliveries;
    /// Freezes the audience of a broadcast.
    StartBroadcast = "start_broadcast" in Work;
    /// Queues the portions of a broadcast.
    SpreadBroadcast = "spread_broadcast" in Work;
    /// Creates the next messages of a broadcast.
    SendPortion = "send_portion" in Sends;
    /// Completes a broadcast after each recipient has an outcome.
    CloseBroadcast = "close_broadcast" in Work;
    /// Replays the deliveries of a time span, a batch each second.
    ReplayDeliveries = "replay_deliveries" in Work;
    /// Removes the remaining links of a deleted tag.
    SweepTag = "sweep_tag" in Work;
    /// Removes the remaining values of a deleted custom field.
    SweepField = "sweep_field" in Work;
    /// Removes deleted options of a custom field from contacts.
    TakeOptionsOff = "take_options_off" in Work;
    /// Imports the next rows of an import.
    ImportContacts = "import_contacts" in Work;
    /// Removes an import that ended long ago, and its rejected rows.
    ForgetImport = "forget_import" in Work;
    /// Changes the next contacts of a bulk operation.
    ChangeContacts = "change_contacts" in Work;
    /// Removes a bulk operation that ended long ago.
    ForgetBulkOperation = "forget_bulk_operation" in Work;
    /// Removes the remaining data of an erased contact.
    EraseContact = "erase_contact" in Work;
    /// Moves the remaining data of a merged contact to its survivor.
    MoveContact = "move_contact" in Work;
}

/// A job: its kind and its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the kinds describe the work; the types describe the parts")]
pub enum Job {
    /// [`JobKind::Relay`]; `depth` is the number of flow runs in the chain that caused the event.
    Relay { event: EventId, depth: i64 },
    /// [`JobKind::RelaySet`]; `further` are the events after the first one, and `depth` is the number of flow runs in
    /// the chain that caused each of them.
    RelaySet { event: EventId, further: ExtraIds, depth: i64 },
    /// [`JobKind::RelayEvent`]
    RelayEvent { event: EventId, depth: i64 },
    /// [`JobKind::RelayCustomEvent`]; `depth` is the number of flow runs in the chain that caused the event.
    RelayCustomEvent { event: CustomEventId, depth: i64 },
    /// [`JobKind::TakeEvent`], after earlier jobs of the contact; `depth` is the number of flow runs in the chain that
    /// caused the event.
    TakeEvent { event: EventId, contact: ContactId, depth: i64 },
    /// [`JobKind::TakeCustomEvent`], in the same order.
    TakeCustomEvent { event: CustomEventId, contact: ContactId, depth: i64 },
    /// [`JobKind::RouteInbound`], after earlier jobs of the contact.
    RouteInbound { message: MessageId, contact: ContactId },
    /// [`JobKind::PlayContact`]; `act` is the number of the reaction. It has no lane, because a later reaction would
    /// delay other jobs of the contact.
    PlayContact { message: MessageId, act: i64 },
    /// [`JobKind::WakeConversation`]
    WakeConversation { conversation: ConversationId },
    /// [`JobKind::StepRun`]; `visit` is the run's next visit.
    StepRun { run: RunId, visit: i64 },
    /// [`JobKind::StepEnrollment`]; `visit` is the enrollment's next visit, and fences its jobs. It has no lane,
    /// because a job that waits for days would block an earlier one that was queued later.
    StepEnrollment { enrollment: EnrollmentId, visit: i64 },
    /// [`JobKind::ReviewSequence`], after an earlier review.
    ReviewSequence { sequence: SequenceId },
    /// [`JobKind::FireSchedule`]; `visit` is the number of its schedule. It has no lane, because an earlier firing that
    /// was queued later would have to wait for it.
    FireSchedule { flow: FlowId, visit: i64 },
    /// [`JobKind::StartFrozen`], after earlier starts of the flow.
    StartFrozen { flow: FlowId },
    /// [`JobKind::PlanSchedules`]
    PlanSchedules { workspace: WorkspaceId },
    /// [`JobKind::CountSegments`], after an earlier count.
    CountSegments { workspace: WorkspaceId },
    /// [`JobKind::SendMessage`], after earlier messages of its conversation, if it has one; `depth` is the number of
    /// flow runs in the chain that caused the message.
    SendMessage { message: MessageId, conversation: Option<ConversationId>, depth: i64 },
    /// [`JobKind::LookUpMessage`]; `attempt` is the number of earlier look-ups. It has no lane, because it would delay
    /// later messages.
    LookUpMessage { message: MessageId, attempt: i64 },
    /// [`JobKind::CheckChannel`]; `round` is the number of the check, and fences its jobs.
    CheckChannel { channel: ChannelId, round: i64 },
    /// [`JobKind::FetchMedia`]. It has no lane, because it would delay later messages.
    FetchMedia { message: MessageId },
    /// [`JobKind::AttemptDelivery`]; `round` is the number of attempts before the last replay.
    AttemptDelivery { delivery: DeliveryId, webhook: WebhookId, round: i32 },
    /// [`JobKind::RetryDelivery`]
    RetryDelivery { delivery: DeliveryId, webhook: WebhookId, round: i32 },
    /// [`JobKind::CallHttp`], instead of the run's next step; `visit` is that step's visit.
    CallHttp { run: RunId, visit: i64 },
    /// [`JobKind::StartBroadcast`], unless the broadcast began another round.
    StartBroadcast { broadcast: BroadcastId, round: i64 },
    /// [`JobKind::SpreadBroadcast`], unless the broadcast began another round.
    SpreadBroadcast { broadcast: BroadcastId, round: i64 },
    /// [`JobKind::SendPortion`], of the recipients from position `from`, unless the broadcast began another round.
    SendPortion { broadcast: BroadcastId, round: i64, from: i64 },
    /// [`JobKind::CloseBroadcast`], whatever its round is.
    CloseBroadcast { broadcast: BroadcastId, round: i64 },
    /// [`JobKind::ReplayDeliveries`]; the job has the replay's ID.
    ReplayDeliveries { replay: JobId },
    /// [`JobKind::SweepTag`]
    SweepTag { tag: TagId },
    /// [`JobKind::SweepField`]
    SweepField { field: FieldId },
    /// [`JobKind::TakeOptionsOff`]
    TakeOptionsOff { field: FieldId },
    /// [`JobKind::ImportContacts`]
    ImportContacts { import: ImportId },
    /// [`JobKind::ForgetImport`]
    ForgetImport { import: ImportId },
    /// [`JobKind::ChangeContacts`]
    ChangeContacts { operation: BulkOperationId },
    /// [`JobKind::ForgetBulkOperation`]
    ForgetBulkOperation { operation: BulkOperationId },
    /// [`JobKind::EraseContact`], after earlier jobs of the contact.
    EraseContact { contact: ContactId },
    /// [`JobKind::MoveContact`]. It has no lane: it waits for messages in transit and blocks no other job.
    MoveContact { contact: ContactId },
}

impl Job {
    /// Returns the kind.
    pub fn kind(&self) -> JobKind {
        match self {
            Self::Relay { .. } => JobKind::Relay,
            Self::RelaySet { .. } => JobKind::RelaySet,
            Self::RelayEvent { .. } => JobKind::RelayEvent,
            Self::RelayCustomEvent { .. } => JobKind::RelayCustomEvent,
            Self::TakeEvent { .. } => JobKind::TakeEvent,
            Self::TakeCustomEvent { .. } => JobKind::TakeCustomEvent,
            Self::RouteInbound { .. } => JobKind::RouteInbound,
            Self::PlayContact { .. } => JobKind::PlayContact,
            Self::WakeConversation { .. } => JobKind::WakeConversation,
            Self::StepRun { .. } => JobKind::StepRun,
            Self::StepEnrollment { .. } => JobKind::StepEnrollment,
            Self::ReviewSequence { .. } => JobKind::ReviewSequence,
            Self::FireSchedule { .. } => JobKind::FireSchedule,
            Self::StartFrozen { .. } => JobKind::StartFrozen,
            Self::PlanSchedules { .. } => JobKind::PlanSchedules,
            Self::CountSegments { .. } => JobKind::CountSegments,
            Self::SendMessage { .. } => JobKind::SendMessage,
            Self::LookUpMessage { .. } => JobKind::LookUpMessage,
            Self::CheckChannel { .. } => JobKind::CheckChannel,
            Self::FetchMedia { .. } => JobKind::FetchMedia,
            Self::AttemptDelivery { .. } => JobKind::AttemptDelivery,
            Self::RetryDelivery { .. } => JobKind::RetryDelivery,
            Self::CallHttp { .. } => JobKind::CallHttp,
            Self::StartBroadcast { .. } => JobKind::StartBroadcast,
            Self::SpreadBroadcast { .. } => JobKind::SpreadBroadcast,
            Self::SendPortion { .. } => JobKind::SendPortion,
            Self::CloseBroadcast { .. } => JobKind::CloseBroadcast,
            Self::ReplayDeliveries { .. } => JobKind::ReplayDeliveries,
            Self::SweepTag { .. } => JobKind::SweepTag,
            Self::SweepField { .. } => JobKind::SweepField,
            Self::TakeOptionsOff { .. } => JobKind::TakeOptionsOff,
            Self::ImportContacts { .. } => JobKind::ImportContacts,
            Self::ForgetImport { .. } => JobKind::ForgetImport,
            Self::ChangeContacts { .. } => JobKind::ChangeContacts,
            Self::ForgetBulkOperation { .. } => JobKind::ForgetBulkOperation,
            Self::EraseContact { .. } => JobKind::EraseContact,
            Self::MoveContact { .. } => JobKind::MoveContact,
        }
    }

    /// Returns the pool with its slots.
    pub fn pool(&self) -> Pool {
        self.kind().pool()
    }

    /// Returns the delivery whose own row represents a job with this ID; `None` if the job has a row among jobs. An
    /// attempt has the ID of its delivery, unless an earlier release queued it.
    pub fn delivery(&self, id: JobId) -> Option<DeliveryId> {
        let subject = self.columns().subject;
        (self.pool() == Pool::Deliveries && subject == id.uuid()).then(|| DeliveryId::from_uuid(subject))
    }
}

/// A job to queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewJob {
    /// Its ID. Jobs of one lane run in the order of their IDs.
    pub id: JobId,
    /// The work.
    pub job: Job,
    /// The earliest time to run it.
    pub due_at: Timestamp,
    /// If set, the writer of the job claims it at once: it is written as claimed, with the token
    /// [`NewJob::FIRST_TOKEN`] and a lease of this length from `due_at`. For a job with a lane,
    /// [`super::Guard::LaneFree`] is required.
    pub lease: Option<Duration>,
}

impl NewJob {
    /// The token of a job's first claim.
    pub const FIRST_TOKEN: i64 = 1;

    /// Creates a job.
    pub fn new(id: JobId, job: Job, due_at: Timestamp) -> Self {
        Self { id, job, due_at, lease: None }
    }

    /// Creates jobs that relay events of the same depth, in order: one job for up to eight events. Each job has the ID
    /// of its first event.
    pub fn relays(events: &[EventId], depth: i64, due_at: Timestamp) -> impl Iterator<Item = Self> {
        events.chunks(ExtraIds::MOST + 1).filter_map(move |events| {
            let (first, further) = events.split_first()?;
            let further = ExtraIds::new(&further.iter().map(|event| event.uuid()).collect::<Vec<_>>())?;
            let job = match further.ids() {
                [] => Job::Relay { event: *first, depth },
                [_, ..] => Job::RelaySet { event: *first, further, depth },
            };
            Some(Self::new(JobId::from_uuid(first.uuid()), job, due_at))
        })
    }

    /// Creates a job that relays a custom event. It has the event's ID.
    pub fn relay_custom(event: CustomEventId, depth: i64, due_at: Timestamp) -> Self {
        Self::new(JobId::from_uuid(event.uuid()), Job::RelayCustomEvent { event, depth }, due_at)
    }
}

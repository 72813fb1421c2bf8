//! Jobs: what is done later, and what follows from its kind. They commit with their cause.

mod columns;
mod further;

use std::time::Duration;

use crate::ids::{
    BroadcastId, BulkOperationId, ContactId, ConversationId, CustomEventId, DeliveryId, EnrollmentId, EventId, FieldId,
    FlowId, ImportId, JobId, MessageId, RunId, SequenceId, TagId, TypedId, WebhookId, WorkspaceId,
};
use crate::time::Timestamp;

pub use columns::JobColumns;
pub use further::Further;

/// Jobs of one pool share a number of slots, so that slow receivers do not hold up the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pool {
    /// Short work inside the store.
    Work,
    /// Calls to providers.
    Sends,
    /// Calls to addresses that workspaces name: to webhooks, and those of flows.
    Deliveries,
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
    /// The same of several events of one change set, one after another in their order.
    RelaySet = "relay_set" in Work;
    /// The same of an event that was not counted when it was written: releases before this one write such jobs.
    RelayEvent = "relay_event" in Work;
    /// Has follow from a custom event what listens to it.
    RelayCustomEvent = "relay_custom_event" in Work;
    /// Takes an event to the runs that wait for it.
    TakeEvent = "take_event" in Work;
    /// Takes a custom event to the runs that wait for it.
    TakeCustomEvent = "take_custom_event" in Work;
    /// Takes a contact's message to the run that waits for it, else to the flow that it triggers.
    RouteInbound = "route_inbound" in Work;
    /// Has the other side of a sandbox do what follows there from a message.
    PlayContact = "play_contact" in Work;
    /// Opens a snoozed conversation whose time has come.
    WakeConversation = "wake_conversation" in Work;
    /// Takes a run of a flow to its next wait.
    StepRun = "step_run" in Work;
    /// Takes an enrollment's next step.
    StepEnrollment = "step_enrollment" in Work;
    /// Decides anew what the enrollments of a changed sequence wait for.
    ReviewSequence = "review_sequence" in Work;
    /// Fires a flow by the clock of its workspace.
    FireSchedule = "fire_schedule" in Work;
    /// Starts a flow for those whom its firing took.
    StartFrozen = "start_frozen" in Work;
    /// Plans the flows of a workspace anew whose clocks were changed.
    PlanSchedules = "plan_schedules" in Work;
    /// Counts the contacts of a workspace's segments for lists.
    CountSegments = "count_segments" in Work;
    /// Hands a message to its provider.
    SendMessage = "send_message" in Sends;
    /// Makes the first attempt at a delivery, or the first one after a replay. The delivery's own row is its place in the
    /// queue ([`Job::delivery`]).
    AttemptDelivery = "attempt_delivery" in Deliveries;
    /// Makes a later attempt at a delivery.
    RetryDelivery = "retry_delivery" in Deliveries;
    /// Makes the call that a run of a flow waits for.
    CallHttp = "call_http" in Deliveries;
    /// Freezes the audience of a broadcast.
    StartBroadcast = "start_broadcast" in Work;
    /// Begins the portions of a broadcast.
    SpreadBroadcast = "spread_broadcast" in Work;
    /// Makes the next messages of a broadcast.
    SendPortion = "send_portion" in Sends;
    /// Ends a broadcast of which every recipient has an outcome.
    CloseBroadcast = "close_broadcast" in Work;
    /// Has deliveries of a time sent again, a batch each second.
    ReplayDeliveries = "replay_deliveries" in Work;
    /// Removes the links that a deleted tag left behind.
    SweepTag = "sweep_tag" in Work;
    /// Removes the values that a deleted custom field left behind.
    SweepField = "sweep_field" in Work;
    /// Takes options that a custom field no longer has off the contacts that carry them.
    TakeOptionsOff = "take_options_off" in Work;
    /// Takes the next rows of an import in.
    ImportContacts = "import_contacts" in Work;
    /// Removes an import that was over long ago, and what it rejected.
    ForgetImport = "forget_import" in Work;
    /// Changes the next contacts of a bulk operation.
    ChangeContacts = "change_contacts" in Work;
    /// Removes a bulk operation that was over long ago.
    ForgetBulkOperation = "forget_bulk_operation" in Work;
    /// Removes what is left of an erased person.
    EraseContact = "erase_contact" in Work;
    /// Moves what is left of a merged contact to its survivor.
    MoveContact = "move_contact" in Work;
}

/// What is to be done, and to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the kinds describe the work; the types describe the parts")]
pub enum Job {
    /// [`JobKind::Relay`]; `depth` is how many runs of flows stand behind the event.
    Relay { event: EventId, depth: i64 },
    /// [`JobKind::RelaySet`]; `further` are the events after the first one, and `depth` is how many runs of flows stand behind
    /// each of them.
    RelaySet { event: EventId, further: Further, depth: i64 },
    /// [`JobKind::RelayEvent`]
    RelayEvent { event: EventId, depth: i64 },
    /// [`JobKind::RelayCustomEvent`]; `depth` is how many runs of flows stand behind the event.
    RelayCustomEvent { event: CustomEventId, depth: i64 },
    /// [`JobKind::TakeEvent`], after what came before it of the same contact; `depth` is how many runs of flows stand behind
    /// the event.
    TakeEvent { event: EventId, contact: ContactId, depth: i64 },
    /// [`JobKind::TakeCustomEvent`], in the same order.
    TakeCustomEvent { event: CustomEventId, contact: ContactId, depth: i64 },
    /// [`JobKind::RouteInbound`], after those of the same contact that came before it.
    RouteInbound { message: MessageId, contact: ContactId },
    /// [`JobKind::PlayContact`]; `act` is which of the things that follow. It has no lane, as those to come later would hold
    /// up others of the contact.
    PlayContact { message: MessageId, act: i64 },
    /// [`JobKind::WakeConversation`]
    WakeConversation { conversation: ConversationId },
    /// [`JobKind::StepRun`]; `visit` is the run's next.
    StepRun { run: RunId, visit: i64 },
    /// [`JobKind::StepEnrollment`]; `visit` is its next decision. It has no lane: one that waits for days at the head of a
    /// lane would hold up another that was made to come earlier; the visit fences them.
    StepEnrollment { enrollment: EnrollmentId, visit: i64 },
    /// [`JobKind::ReviewSequence`], after an earlier review.
    ReviewSequence { sequence: SequenceId },
    /// [`JobKind::FireSchedule`]; `visit` is the plan that it belongs to. It has no lane, as a plan that is to come earlier
    /// would wait for it.
    FireSchedule { flow: FlowId, visit: i64 },
    /// [`JobKind::StartFrozen`], after those whom it took before.
    StartFrozen { flow: FlowId },
    /// [`JobKind::PlanSchedules`]
    PlanSchedules { workspace: WorkspaceId },
    /// [`JobKind::CountSegments`], after an earlier count.
    CountSegments { workspace: WorkspaceId },
    /// [`JobKind::SendMessage`], after those before it in its conversation, if it stands in one; `depth` is how many runs of
    /// flows stand behind
    /// the message.
    SendMessage { message: MessageId, conversation: Option<ConversationId>, depth: i64 },
    /// [`JobKind::AttemptDelivery`]; after `round` attempts the delivery was replayed.
    AttemptDelivery { delivery: DeliveryId, webhook: WebhookId, round: i32 },
    /// [`JobKind::RetryDelivery`]
    RetryDelivery { delivery: DeliveryId, webhook: WebhookId, round: i32 },
    /// [`JobKind::CallHttp`], in the place of the run's next step; `visit` is that step's.
    CallHttp { run: RunId, visit: i64 },
    /// [`JobKind::StartBroadcast`], unless it began another round.
    StartBroadcast { broadcast: BroadcastId, round: i64 },
    /// [`JobKind::SpreadBroadcast`], unless it began another round.
    SpreadBroadcast { broadcast: BroadcastId, round: i64 },
    /// [`JobKind::SendPortion`], of the recipients from this place on, unless it began another round.
    SendPortion { broadcast: BroadcastId, round: i64, from: i64 },
    /// [`JobKind::CloseBroadcast`], whatever its round is.
    CloseBroadcast { broadcast: BroadcastId, round: i64 },
    /// [`JobKind::ReplayDeliveries`]; the job bears the replay's own id.
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
    /// [`JobKind::EraseContact`], after what came before it of the same contact.
    EraseContact { contact: ContactId },
    /// [`JobKind::MoveContact`]. It has no lane: it waits for messages that are on their way, and holds up nobody.
    MoveContact { contact: ContactId },
}

impl Job {
    /// What is done.
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

    /// Whose slots it takes.
    pub fn pool(&self) -> Pool {
        self.kind().pool()
    }

    /// The delivery whose own row is the place of a job with this id; `None` where it has a row among jobs. An attempt
    /// bears the id of its delivery, but for those that releases before this one queued.
    pub fn delivery(&self, id: JobId) -> Option<DeliveryId> {
        let subject = self.columns().subject;
        (self.pool() == Pool::Deliveries && subject == id.uuid()).then(|| DeliveryId::from_uuid(subject))
    }
}

/// Work to be done at or after an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewJob {
    /// Its id; jobs of one lane are done in the order of their ids.
    pub id: JobId,
    /// What is to be done.
    pub job: Job,
    /// Not before this instant.
    pub due_at: Timestamp,
    /// Where set, whoever writes the job takes it at once: it is written as claimed, with the token
    /// [`NewJob::FIRST_TOKEN`], for so long from `due_at` on. Of a job with a lane [`super::Guard::LaneFree`] has to be held.
    pub lease: Option<Duration>,
}

impl NewJob {
    /// The token of a job's first claim.
    pub const FIRST_TOKEN: i64 = 1;

    /// A job that is due at an instant.
    pub fn new(id: JobId, job: Job, due_at: Timestamp) -> Self {
        Self { id, job, due_at, lease: None }
    }

    /// Relays events behind each of which so many runs of flows stand, in their order: a job for each eight. It bears the id of
    /// its first event.
    pub fn relays(events: &[EventId], depth: i64, due_at: Timestamp) -> impl Iterator<Item = Self> {
        events.chunks(Further::MOST + 1).filter_map(move |events| {
            let (first, further) = events.split_first()?;
            let further = Further::new(&further.iter().map(|event| event.uuid()).collect::<Vec<_>>())?;
            let job = match further.ids() {
                [] => Job::Relay { event: *first, depth },
                [_, ..] => Job::RelaySet { event: *first, further, depth },
            };
            Some(Self::new(JobId::from_uuid(first.uuid()), job, due_at))
        })
    }

    /// Relays a custom event behind which so many runs of flows stand. It bears the event's own id.
    pub fn relay_custom(event: CustomEventId, depth: i64, due_at: Timestamp) -> Self {
        Self::new(JobId::from_uuid(event.uuid()), Job::RelayCustomEvent { event, depth }, due_at)
    }
}

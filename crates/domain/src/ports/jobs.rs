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

macro_rules! jobs {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $subject:ident: $id:ident $(, $part:ident: $type:ty)* }
            = $word:literal in $pool:ident of $object:literal $(, settled $advice:literal)?;
    )*) => {
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

            /// Returns what to do instead of a retry, if the failure of the dead letter is already recorded.
            pub fn settled_advice(self) -> Option<&'static str> {
                match self { $(Self::$variant => [$($advice)?].first().copied(),)* }
            }
        }

        /// A job: its kind and its subject.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the types describe the parts")]
        pub enum Job { $($(#[$doc])* $variant { $subject: $id $(, $part: $type)* },)* }

        impl Job {
            /// Returns the kind.
            pub fn kind(&self) -> JobKind {
                match self { $(Self::$variant { .. } => JobKind::$variant,)* }
            }

            /// Returns its object: the type in the API, and the ID.
            pub fn object(&self) -> (&'static str, String) {
                match self { $(Self::$variant { $subject, .. } => ($object, $subject.to_string()),)* }
            }
        }
    };
}

// A row: the parts of a job, its word, its pool, and the type of its object in the API. The first part is the ID of the
// object. `settled` is the advice for a dead letter, if `Worker::bury` records the failure.
jobs! {
    /// Creates a delivery of an event for each subscribed webhook, and queues the work of the event's other listeners.
    /// `depth` is the number of flow runs in the chain that caused the event.
    Relay { event: EventId, depth: i64 } = "relay" in Work of "event";
    /// Does the same for several events of one change set, in their order. `further` are the events after the first
    /// one, and `depth` is the number of flow runs in the chain that caused each of them.
    RelaySet { event: EventId, further: ExtraIds, depth: i64 } = "relay_set" in Work of "event";
    /// Does the same for an event that was not counted when it was written. Only earlier releases write such jobs.
    RelayEvent { event: EventId, depth: i64 } = "relay_event" in Work of "event";
    /// Queues the work of a custom event's listeners. `depth` is the number of flow runs in the chain that caused it.
    RelayCustomEvent { event: CustomEventId, depth: i64 } = "relay_custom_event" in Work of "custom_event";
    /// Passes an event to the runs that wait for it, after earlier jobs of the contact. `depth` is the number of flow
    /// runs in the chain that caused the event.
    TakeEvent { event: EventId, contact: ContactId, depth: i64 } = "take_event" in Work of "event";
    /// Passes a custom event to the runs that wait for it, in the same order.
    TakeCustomEvent { event: CustomEventId, contact: ContactId, depth: i64 }
        = "take_custom_event" in Work of "custom_event";
    /// Passes a contact's message to the run that waits for it, otherwise to the flow that it triggers. It runs after
    /// earlier jobs of the contact.
    RouteInbound { message: MessageId, contact: ContactId } = "route_inbound" in Work of "message";
    /// Simulates a reaction of the provider or the contact to a message in a sandbox. `act` is the number of the
    /// reaction. It has no lane, because a later reaction would delay other jobs of the contact.
    PlayContact { message: MessageId, act: i64 } = "play_contact" in Work of "message";
    /// Reopens a snoozed conversation when its snooze ends.
    WakeConversation { conversation: ConversationId } = "wake_conversation" in Work of "conversation";
    /// Executes a run of a flow up to its next wait. `visit` is the run's next visit.
    StepRun { run: RunId, visit: i64 } = "step_run" in Work of "flow_run",
        settled "the run has failed; start the flow again for its contact";
    /// Executes the next step of an enrollment. `visit` is the enrollment's next visit, and fences its jobs. It has no
    /// lane, because a job that waits for days would block an earlier one that was queued later.
    StepEnrollment { enrollment: EnrollmentId, visit: i64 } = "step_enrollment" in Work of "enrollment",
        settled "the enrollment has failed; enroll the contact again";
    /// Decides again what the enrollments of a changed sequence wait for, after an earlier review.
    ReviewSequence { sequence: SequenceId } = "review_sequence" in Work of "sequence";
    /// Fires a scheduled flow. `visit` is the number of its schedule. It has no lane, because an earlier firing that
    /// was queued later would have to wait for it.
    FireSchedule { flow: FlowId, visit: i64 } = "fire_schedule" in Work of "flow",
        settled "the scheduled start has failed; the next one is not affected. Start the flow for the contacts that \
                 were missed";
    /// Starts a flow for the contacts that its firing selected, after earlier starts of the flow.
    StartFrozen { flow: FlowId } = "start_frozen" in Work of "flow";
    /// Reschedules the flows of a workspace after a change of its time zones.
    PlanSchedules { workspace: WorkspaceId } = "plan_schedules" in Work of "workspace";
    /// Refreshes the contact counts of a workspace's segments, after an earlier count.
    CountSegments { workspace: WorkspaceId } = "count_segments" in Work of "workspace";
    /// Sends a message to its provider, after earlier messages of its conversation, if it has one. `channel` is its
    /// channel; earlier releases do not write it. `depth` is the number of flow runs in the chain that caused the
    /// message.
    SendMessage { message: MessageId, conversation: Option<ConversationId>, channel: Option<ChannelId>, depth: i64 }
        = "send_message" in Sends of "message",
        settled "the message has failed; send another one";
    /// Asks the provider for a message whose outcome is unknown. `attempt` is the number of earlier look-ups, and
    /// `channel` the channel of the message; earlier releases do not write it. It has no lane, because it would delay
    /// later messages.
    LookUpMessage { message: MessageId, attempt: i64, channel: Option<ChannelId> }
        = "look_up_message" in Sends of "message";
    /// Asks the provider of a channel for its health. `round` is the number of the check, and fences its jobs: one runs
    /// at a time. It has no group, because it must not wait for the messages of a channel that does not answer.
    CheckChannel { channel: ChannelId, round: i64 } = "check_channel" in Sends of "channel";
    /// Fetches the files of a contact's message from the provider, one after another. `channel` is the channel of the
    /// message; earlier releases do not write it. It has no lane, because it would delay later messages.
    FetchMedia { message: MessageId, channel: Option<ChannelId> } = "fetch_media" in Sends of "message";
    /// Makes the first attempt at a delivery, or the first one after a replay. The delivery's own row represents the
    /// job in the queue ([`Job::delivery`]). `round` is the number of attempts before the last replay.
    AttemptDelivery { delivery: DeliveryId, webhook: WebhookId, round: i32 }
        = "attempt_delivery" in Deliveries of "delivery",
        settled "the delivery has failed; replay it at its webhook";
    /// Makes a later attempt at a delivery.
    RetryDelivery { delivery: DeliveryId, webhook: WebhookId, round: i32 }
        = "retry_delivery" in Deliveries of "delivery",
        settled "the delivery has failed; replay it at its webhook";
    /// Makes the HTTP call that a run of a flow waits for, instead of the run's next step. `visit` is the visit of that
    /// step.
    CallHttp { run: RunId, visit: i64 } = "call_http" in Deliveries of "flow_run",
        settled "the run has failed; start the flow again for its contact";
    /// Freezes the audience of a broadcast, unless the broadcast began another round.
    StartBroadcast { broadcast: BroadcastId, round: i64 } = "start_broadcast" in Work of "broadcast",
        settled "the broadcast has failed; its `stats` show the progress";
    /// Queues the portions of a broadcast, unless the broadcast began another round.
    SpreadBroadcast { broadcast: BroadcastId, round: i64 } = "spread_broadcast" in Work of "broadcast",
        settled "the broadcast has failed; its `stats` show the progress";
    /// Creates the next messages of a broadcast, for the recipients from position `from`, unless the broadcast began
    /// another round.
    SendPortion { broadcast: BroadcastId, round: i64, from: i64 } = "send_portion" in Sends of "broadcast",
        settled "the broadcast has failed; its `stats` show the progress";
    /// Completes a broadcast after each recipient has an outcome, whatever its round is.
    CloseBroadcast { broadcast: BroadcastId, round: i64 } = "close_broadcast" in Work of "broadcast",
        settled "the broadcast has failed; its `stats` show the progress";
    /// Replays the deliveries of a time span, a batch each second. The job has the replay's ID.
    ReplayDeliveries { replay: JobId } = "replay_deliveries" in Work of "replay",
        settled "the replay has ended; start a replay for the remaining time range";
    /// Removes the remaining links of a deleted tag.
    SweepTag { tag: TagId } = "sweep_tag" in Work of "tag";
    /// Removes the remaining values of a deleted custom field.
    SweepField { field: FieldId } = "sweep_field" in Work of "custom_field";
    /// Removes deleted options of a custom field from contacts.
    TakeOptionsOff { field: FieldId } = "take_options_off" in Work of "custom_field";
    /// Imports the next rows of an import.
    ImportContacts { import: ImportId } = "import_contacts" in Work of "import",
        settled "the import has failed; import the table again: completed rows are not imported twice";
    /// Removes an import that ended long ago, and its rejected rows.
    ForgetImport { import: ImportId } = "forget_import" in Work of "import";
    /// Changes the next contacts of a bulk operation.
    ChangeContacts { operation: BulkOperationId } = "change_contacts" in Work of "bulk_operation",
        settled "the bulk operation has failed; create it again: completed changes are not repeated";
    /// Removes a bulk operation that ended long ago.
    ForgetBulkOperation { operation: BulkOperationId } = "forget_bulk_operation" in Work of "bulk_operation";
    /// Removes the remaining data of an erased contact, after earlier jobs of the contact.
    EraseContact { contact: ContactId } = "erase_contact" in Work of "contact";
    /// Moves the remaining data of a merged contact to its survivor. It has no lane: it waits for messages in transit
    /// and blocks no other job.
    MoveContact { contact: ContactId } = "move_contact" in Work of "contact";
}

impl Job {
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

//! Jobs: deferred work, and the properties of each kind. A job commits together with its cause.

mod columns;
mod extra_ids;
mod list;

use std::time::Duration;

use uuid::Uuid;

use crate::ids::{ChannelId, ContactId, ConversationId, CustomEventId, DeliveryId, EventId, JobId, TypedId, WebhookId};
use crate::time::Timestamp;

use columns::JobPart;
pub use columns::{JobColumns, PortionPlace};
pub use extra_ids::ExtraIds;
pub(crate) use list::for_each_job;

/// A set of job kinds with common slots: slow receivers do not delay the work of other pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pool {
    /// Short work inside the store.
    Work,
    /// Requests to providers.
    Sends,
    /// Requests to addresses that workspaces configure: webhooks, and HTTP calls of flows.
    Deliveries,
    /// Requests that fetch messages of contacts from providers.
    Polls,
}

impl Pool {
    /// All pools.
    pub const ALL: [Self; 4] = [Self::Work, Self::Sends, Self::Deliveries, Self::Polls];

    /// Whether a pause of outbound sending stops its jobs. Polls only receive, and continue.
    pub fn leaves(self) -> bool {
        match self {
            Self::Work | Self::Polls => false,
            Self::Sends | Self::Deliveries => true,
        }
    }

    /// Whether its jobs wait for other services. A workspace gets only a part of the slots, because a silent service
    /// would occupy them for long.
    pub fn waits_for_others(self) -> bool {
        match self {
            Self::Work => false,
            Self::Sends | Self::Deliveries | Self::Polls => true,
        }
    }

    /// Returns the word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Sends => "sends",
            Self::Deliveries => "deliveries",
            Self::Polls => "polls",
        }
    }
}

macro_rules! jobs {
    ([] [$(
        $(#[$doc:meta])*
        $variant:ident { $subject:ident: $id:ident $(as $own:ident)? $(, $part:ident: $type:ty as $role:ident)* }
            = $word:literal in $pool:ident of $object:literal $(, settled $advice:literal)? { $($work:tt)* }
    )*]) => {
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
        pub enum Job { $($(#[$doc])* $variant { $subject: crate::ids::$id $(, $part: $type)* },)* }

        impl Job {
            /// Returns the kind.
            pub fn kind(&self) -> JobKind {
                match self { $(Self::$variant { .. } => JobKind::$variant,)* }
            }

            /// Returns its object: the type in the API, and the ID.
            pub fn object(&self) -> (&'static str, String) {
                match self { $(Self::$variant { $subject, .. } => ($object, $subject.to_string()),)* }
            }

            /// Returns the stored form.
            pub fn columns(&self) -> JobColumns {
                match *self {
                    $(Self::$variant { $subject $(, $part)* } => JobColumns {
                        $($own: Some($subject.uuid()),)?
                        $($role: $part.column(),)*
                        ..JobColumns::of($subject.uuid())
                    },)*
                }
            }

            /// Reads the stored form; `None` if a part is missing that the kind needs.
            pub fn read(kind: JobKind, columns: JobColumns) -> Option<Self> {
                Some(match kind {
                    $(JobKind::$variant => Self::$variant {
                        $subject: crate::ids::$id::from_uuid(columns.subject)
                        $(, $part: <$type as JobPart>::read(columns.$role)?)*
                    },)*
                })
            }

            /// Returns the group with a limit of concurrent jobs: the webhook of a delivery, or the channel of a
            /// message.
            pub fn group(&self) -> Option<Uuid> {
                match *self {
                    $(Self::$variant { $($part,)* .. } => {
                        let groups: &[Option<Uuid>] = &[$($part.group()),*];
                        groups.iter().find_map(|group| *group)
                    })*
                }
            }
        }
    };
}

for_each_job!(jobs {});

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

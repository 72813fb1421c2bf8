//! The stored form of jobs: all kinds have the same few columns.

use uuid::Uuid;

use super::ExtraIds;
use crate::ids::{ChannelId, ContactId, ConversationId, TypedId, WebhookId};

/// The factor of the round in the mark of a portion. No broadcast has as many recipients.
const PLACES: i64 = 1 << 40;

/// The stored form of a job, the same for all kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobColumns {
    /// The ID of the subject, without its kind.
    pub subject: Uuid,
    /// A number that depends on the kind:
    /// - broadcast: its round, and for a portion also the position of its first recipient
    /// - step, call or firing: its visit
    /// - simulated reaction: its number
    /// - check of a channel: its round
    /// - poll of a channel: the number of the series of polls
    /// - delivery attempt: the round
    /// - event or message: the number of flow runs in the chain that caused it
    /// - other kinds: 0
    pub mark: i64,
    /// Jobs of the same lane run one after another, in the order of their IDs.
    pub lane: Option<Uuid>,
    /// Jobs of one webhook share a limit of concurrent jobs. A held job has here what it waits for.
    pub group: Option<Uuid>,
    /// The further subjects; for a message that is sent, looked up or has files to fetch, its channel. Jobs of one
    /// channel share a limit of concurrent jobs, too.
    pub further: ExtraIds,
}

impl JobColumns {
    /// Returns the columns of a job that has only a subject.
    pub(super) fn of(subject: Uuid) -> Self {
        Self { subject, mark: 0, lane: None, group: None, further: ExtraIds::default() }
    }
}

/// A part of a job besides its subject. One column stores it.
pub(super) trait JobPart: Copy {
    /// The type of the column.
    type Column;

    /// Returns the stored form.
    fn column(self) -> Self::Column;

    /// Reads the stored form; `None` if it is missing or invalid.
    fn read(column: Self::Column) -> Option<Self>;

    /// Returns the group with a limit of concurrent jobs, if the part is one.
    fn group(self) -> Option<Uuid> {
        None
    }
}

impl JobPart for i64 {
    type Column = Self;

    fn column(self) -> Self {
        self
    }

    fn read(column: Self) -> Option<Self> {
        Some(column)
    }
}

impl JobPart for i32 {
    type Column = i64;

    fn column(self) -> i64 {
        i64::from(self)
    }

    fn read(column: i64) -> Option<Self> {
        Self::try_from(column).ok()
    }
}

/// The place of a portion in its broadcast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortionPlace {
    /// The round of the broadcast.
    pub round: i64,
    /// The position of the first recipient.
    pub from: i64,
}

impl JobPart for PortionPlace {
    type Column = i64;

    fn column(self) -> i64 {
        self.round * PLACES + self.from.min(PLACES - 1)
    }

    fn read(column: i64) -> Option<Self> {
        Some(Self { round: column.div_euclid(PLACES), from: column.rem_euclid(PLACES) })
    }
}

impl JobPart for ExtraIds {
    type Column = Self;

    fn column(self) -> Self {
        self
    }

    fn read(column: Self) -> Option<Self> {
        Some(column)
    }
}

/// The channel of a message, as the only further subject.
impl JobPart for Option<ChannelId> {
    type Column = ExtraIds;

    fn column(self) -> ExtraIds {
        self.and_then(|channel| ExtraIds::new(&[channel.uuid()])).unwrap_or_default()
    }

    fn read(column: ExtraIds) -> Option<Self> {
        Some(column.ids().first().copied().map(ChannelId::from_uuid))
    }

    fn group(self) -> Option<Uuid> {
        self.map(TypedId::uuid)
    }
}

impl JobPart for ContactId {
    type Column = Option<Uuid>;

    fn column(self) -> Option<Uuid> {
        Some(self.uuid())
    }

    fn read(column: Option<Uuid>) -> Option<Self> {
        column.map(Self::from_uuid)
    }
}

/// The conversation of a message, if it has one.
impl JobPart for Option<ConversationId> {
    type Column = Option<Uuid>;

    fn column(self) -> Option<Uuid> {
        self.map(TypedId::uuid)
    }

    fn read(column: Option<Uuid>) -> Option<Self> {
        Some(column.map(ConversationId::from_uuid))
    }
}

impl JobPart for WebhookId {
    type Column = Option<Uuid>;

    fn column(self) -> Option<Uuid> {
        Some(self.uuid())
    }

    fn read(column: Option<Uuid>) -> Option<Self> {
        column.map(Self::from_uuid)
    }

    fn group(self) -> Option<Uuid> {
        Some(self.uuid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{Job, JobKind};

    #[test]
    fn reads_every_kind_from_its_columns() {
        let columns = JobColumns {
            subject: Uuid::from_u128(1),
            mark: 7,
            lane: Some(Uuid::from_u128(2)),
            group: Some(Uuid::from_u128(3)),
            further: ExtraIds::new(&[Uuid::from_u128(4), Uuid::from_u128(5)]).unwrap(),
        };
        for kind in JobKind::ALL {
            let job = Job::read(*kind, columns).expect("the columns are complete");
            assert_eq!(job.kind(), *kind);
            let kept = job.columns();
            assert_eq!(Job::read(*kind, kept), Some(job), "{kind:?}");
            assert_eq!(JobKind::parse(kind.as_str()), Some(*kind));
        }
        let group_of = |kind| Job::read(kind, columns).and_then(|job| job.group());
        assert_eq!(group_of(JobKind::AttemptDelivery), columns.group);
        for kind in [JobKind::SendMessage, JobKind::LookUpMessage, JobKind::FetchMedia] {
            assert_eq!(group_of(kind), Some(Uuid::from_u128(4)), "the channel of {kind:?}");
        }
        assert_eq!(group_of(JobKind::CheckChannel), None, "a check does not wait for messages");
        assert_eq!(group_of(JobKind::PollChannel), None, "a poll does not wait for messages");
        let bare = JobColumns { lane: None, group: None, ..columns };
        let lacking = [
            JobKind::TakeEvent,
            JobKind::TakeCustomEvent,
            JobKind::RouteInbound,
            JobKind::AttemptDelivery,
            JobKind::RetryDelivery,
        ];
        assert!(lacking.iter().all(|kind| Job::read(*kind, bare).is_none()));
    }

    /// Stored jobs of earlier releases have these columns.
    #[test]
    fn stores_each_part_in_its_column() {
        let [subject, contact, webhook, channel] = [1, 2, 3, 4].map(Uuid::from_u128);
        let further = ExtraIds::new(&[channel]).unwrap();
        let full = JobColumns { subject, mark: 7, lane: Some(contact), group: Some(webhook), further };
        let in_lane_of_contact =
            [JobKind::TakeEvent, JobKind::TakeCustomEvent, JobKind::RouteInbound, JobKind::SendMessage];
        let in_own_lane = [
            JobKind::StepRun,
            JobKind::CallHttp,
            JobKind::ReviewSequence,
            JobKind::StartFrozen,
            JobKind::CountSegments,
            JobKind::EraseContact,
        ];
        for kind in JobKind::ALL {
            let own_lane = in_own_lane.contains(kind).then_some(subject);
            let lane = own_lane.or(in_lane_of_contact.contains(kind).then_some(contact));
            let of_webhook = [JobKind::AttemptDelivery, JobKind::RetryDelivery].contains(kind);
            let has_further =
                [JobKind::RelaySet, JobKind::SendMessage, JobKind::LookUpMessage, JobKind::FetchMedia].contains(kind);
            let kept = Job::read(*kind, full).expect("the columns are complete").columns();
            assert_eq!((kept.subject, kept.lane), (subject, lane), "{kind:?}");
            assert_eq!(kept.group, of_webhook.then_some(webhook), "{kind:?}");
            assert_eq!(kept.further, if has_further { further } else { ExtraIds::default() }, "{kind:?}");
        }
        let place = PortionPlace { round: 2, from: 5 };
        let portion = Job::SendPortion { broadcast: TypedId::from_uuid(subject), place };
        assert_eq!(portion.columns().mark, (2 << 40) + 5);
    }
}

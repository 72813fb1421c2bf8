//! The stored form of jobs: all kinds have the same few columns.

use uuid::Uuid;

use super::{ExtraIds, Job, JobKind};
use crate::ids::{
    BroadcastId, BulkOperationId, ChannelId, ContactId, ConversationId, CustomEventId, DeliveryId, EnrollmentId,
    EventId, FieldId, FlowId, ImportId, JobId, MessageId, RunId, SequenceId, TagId, TypedId, WebhookId, WorkspaceId,
};

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

impl Job {
    /// Returns the stored form.
    pub fn columns(&self) -> JobColumns {
        let of = |subject: Uuid| JobColumns { subject, mark: 0, lane: None, group: None, further: ExtraIds::default() };
        match *self {
            Self::Relay { event, depth } | Self::RelayEvent { event, depth } => {
                JobColumns { mark: depth, ..of(event.uuid()) }
            }
            Self::RelaySet { event, further, depth } => JobColumns { mark: depth, further, ..of(event.uuid()) },
            Self::RelayCustomEvent { event, depth } => JobColumns { mark: depth, ..of(event.uuid()) },
            Self::TakeEvent { event, contact, depth } => {
                JobColumns { mark: depth, lane: Some(contact.uuid()), ..of(event.uuid()) }
            }
            Self::TakeCustomEvent { event, contact, depth } => {
                JobColumns { mark: depth, lane: Some(contact.uuid()), ..of(event.uuid()) }
            }
            Self::RouteInbound { message, contact } => JobColumns { lane: Some(contact.uuid()), ..of(message.uuid()) },
            Self::PlayContact { message, act } => JobColumns { mark: act, ..of(message.uuid()) },
            Self::LookUpMessage { message, attempt, channel } => {
                JobColumns { mark: attempt, further: of_channel(channel), ..of(message.uuid()) }
            }
            Self::CheckChannel { channel, round } => JobColumns { mark: round, ..of(channel.uuid()) },
            Self::FetchMedia { message, channel } => JobColumns { further: of_channel(channel), ..of(message.uuid()) },
            Self::WakeConversation { conversation } => of(conversation.uuid()),
            Self::StepRun { run, visit } | Self::CallHttp { run, visit } => {
                JobColumns { mark: visit, lane: Some(run.uuid()), ..of(run.uuid()) }
            }
            Self::StepEnrollment { enrollment, visit } => JobColumns { mark: visit, ..of(enrollment.uuid()) },
            Self::ReviewSequence { sequence } => JobColumns { lane: Some(sequence.uuid()), ..of(sequence.uuid()) },
            Self::FireSchedule { flow, visit } => JobColumns { mark: visit, ..of(flow.uuid()) },
            Self::StartFrozen { flow } => JobColumns { lane: Some(flow.uuid()), ..of(flow.uuid()) },
            Self::PlanSchedules { workspace } => of(workspace.uuid()),
            Self::CountSegments { workspace } => JobColumns { lane: Some(workspace.uuid()), ..of(workspace.uuid()) },
            Self::SendMessage { message, conversation, channel, depth } => {
                let (lane, further) = (conversation.map(TypedId::uuid), of_channel(channel));
                JobColumns { mark: depth, lane, further, ..of(message.uuid()) }
            }
            Self::AttemptDelivery { delivery, webhook, round } | Self::RetryDelivery { delivery, webhook, round } => {
                JobColumns { mark: i64::from(round), group: Some(webhook.uuid()), ..of(delivery.uuid()) }
            }
            Self::StartBroadcast { broadcast, round }
            | Self::SpreadBroadcast { broadcast, round }
            | Self::CloseBroadcast { broadcast, round } => JobColumns { mark: round, ..of(broadcast.uuid()) },
            Self::SendPortion { broadcast, round, from } => {
                JobColumns { mark: round * PLACES + from.min(PLACES - 1), ..of(broadcast.uuid()) }
            }
            Self::ReplayDeliveries { replay } => of(replay.uuid()),
            Self::SweepTag { tag } => of(tag.uuid()),
            Self::SweepField { field } | Self::TakeOptionsOff { field } => of(field.uuid()),
            Self::ImportContacts { import } | Self::ForgetImport { import } => of(import.uuid()),
            Self::ChangeContacts { operation } | Self::ForgetBulkOperation { operation } => of(operation.uuid()),
            Self::EraseContact { contact } => JobColumns { lane: Some(contact.uuid()), ..of(contact.uuid()) },
            Self::MoveContact { contact } => of(contact.uuid()),
        }
    }

    /// Returns the group with a limit of concurrent jobs: the webhook of a delivery, or the channel of a message.
    pub fn group(&self) -> Option<Uuid> {
        if let Self::SendMessage { channel, .. }
        | Self::LookUpMessage { channel, .. }
        | Self::FetchMedia { channel, .. } = self
        {
            return channel.map(TypedId::uuid);
        }
        self.columns().group
    }

    /// Reads the stored form; `None` if a part is missing that the kind needs.
    pub fn read(kind: JobKind, columns: JobColumns) -> Option<Self> {
        let JobColumns { subject, mark, lane, group, further } = columns;
        let channel = || further.ids().first().copied().map(ChannelId::from_uuid);
        let attempted =
            || Some((DeliveryId::from_uuid(subject), WebhookId::from_uuid(group?), i32::try_from(mark).ok()?));
        Some(match kind {
            JobKind::Relay => Self::Relay { event: EventId::from_uuid(subject), depth: mark },
            JobKind::RelaySet => Self::RelaySet { event: EventId::from_uuid(subject), further, depth: mark },
            JobKind::RelayEvent => Self::RelayEvent { event: EventId::from_uuid(subject), depth: mark },
            JobKind::RelayCustomEvent => {
                Self::RelayCustomEvent { event: CustomEventId::from_uuid(subject), depth: mark }
            }
            JobKind::TakeEvent => Self::TakeEvent {
                event: EventId::from_uuid(subject),
                contact: ContactId::from_uuid(lane?),
                depth: mark,
            },
            JobKind::TakeCustomEvent => Self::TakeCustomEvent {
                event: CustomEventId::from_uuid(subject),
                contact: ContactId::from_uuid(lane?),
                depth: mark,
            },
            JobKind::RouteInbound => {
                Self::RouteInbound { message: MessageId::from_uuid(subject), contact: ContactId::from_uuid(lane?) }
            }
            JobKind::PlayContact => Self::PlayContact { message: MessageId::from_uuid(subject), act: mark },
            JobKind::LookUpMessage => {
                Self::LookUpMessage { message: MessageId::from_uuid(subject), attempt: mark, channel: channel() }
            }
            JobKind::CheckChannel => Self::CheckChannel { channel: ChannelId::from_uuid(subject), round: mark },
            JobKind::FetchMedia => Self::FetchMedia { message: MessageId::from_uuid(subject), channel: channel() },
            JobKind::WakeConversation => Self::WakeConversation { conversation: ConversationId::from_uuid(subject) },
            JobKind::StepRun => Self::StepRun { run: RunId::from_uuid(subject), visit: mark },
            JobKind::StepEnrollment => {
                Self::StepEnrollment { enrollment: EnrollmentId::from_uuid(subject), visit: mark }
            }
            JobKind::ReviewSequence => Self::ReviewSequence { sequence: SequenceId::from_uuid(subject) },
            JobKind::FireSchedule => Self::FireSchedule { flow: FlowId::from_uuid(subject), visit: mark },
            JobKind::StartFrozen => Self::StartFrozen { flow: FlowId::from_uuid(subject) },
            JobKind::PlanSchedules => Self::PlanSchedules { workspace: WorkspaceId::from_uuid(subject) },
            JobKind::CountSegments => Self::CountSegments { workspace: WorkspaceId::from_uuid(subject) },
            JobKind::SendMessage => Self::SendMessage {
                message: MessageId::from_uuid(subject),
                conversation: lane.map(ConversationId::from_uuid),
                channel: channel(),
                depth: mark,
            },
            JobKind::AttemptDelivery => {
                let (delivery, webhook, round) = attempted()?;
                Self::AttemptDelivery { delivery, webhook, round }
            }
            JobKind::RetryDelivery => {
                let (delivery, webhook, round) = attempted()?;
                Self::RetryDelivery { delivery, webhook, round }
            }
            JobKind::CallHttp => Self::CallHttp { run: RunId::from_uuid(subject), visit: mark },
            JobKind::StartBroadcast => Self::StartBroadcast { broadcast: BroadcastId::from_uuid(subject), round: mark },
            JobKind::SpreadBroadcast => {
                Self::SpreadBroadcast { broadcast: BroadcastId::from_uuid(subject), round: mark }
            }
            JobKind::SendPortion => Self::SendPortion {
                broadcast: BroadcastId::from_uuid(subject),
                round: mark.div_euclid(PLACES),
                from: mark.rem_euclid(PLACES),
            },
            JobKind::CloseBroadcast => Self::CloseBroadcast { broadcast: BroadcastId::from_uuid(subject), round: mark },
            JobKind::ReplayDeliveries => Self::ReplayDeliveries { replay: JobId::from_uuid(subject) },
            JobKind::SweepTag => Self::SweepTag { tag: TagId::from_uuid(subject) },
            JobKind::SweepField => Self::SweepField { field: FieldId::from_uuid(subject) },
            JobKind::TakeOptionsOff => Self::TakeOptionsOff { field: FieldId::from_uuid(subject) },
            JobKind::ImportContacts => Self::ImportContacts { import: ImportId::from_uuid(subject) },
            JobKind::ForgetImport => Self::ForgetImport { import: ImportId::from_uuid(subject) },
            JobKind::ChangeContacts => Self::ChangeContacts { operation: BulkOperationId::from_uuid(subject) },
            JobKind::ForgetBulkOperation => {
                Self::ForgetBulkOperation { operation: BulkOperationId::from_uuid(subject) }
            }
            JobKind::EraseContact => Self::EraseContact { contact: ContactId::from_uuid(subject) },
            JobKind::MoveContact => Self::MoveContact { contact: ContactId::from_uuid(subject) },
        })
    }
}

/// Returns the channel of a message as its only further subject.
fn of_channel(channel: Option<ChannelId>) -> ExtraIds {
    channel.and_then(|channel| ExtraIds::new(&[channel.uuid()])).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

//! The changes of sets, as steps: what is of one kind is one step.

use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

use tidings_domain::events::Event;
use tidings_domain::ports::{
    AnalyticsChange, BroadcastChange, Change, ChangeSet, ContactChange, ConversationChange, FieldChange, FlowChange,
    IdempotencyRecord, ImportChange, JobChange, NewJob, Object, OptOutChange, Row, TagChange, WebhookChange,
};
use tidings_domain::webhooks::Delivery;
use uuid::Uuid;

use super::target::target;
use crate::types::DbId;

/// Says what a step does. Changes of one kind may share a step, which PostgreSQL takes as one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The step inserts objects of one kind, deliveries aside.
    Insert(Discriminant<Object>),
    /// The step updates objects of one kind.
    Update(Discriminant<Object>),
    /// The step inserts identities of contacts.
    Identity,
    /// The step notes whether contacts take messages on channels.
    OptIn,
    /// The step gives contacts tags.
    Link,
    /// The step takes tags from contacts.
    Unlink,
    /// The step sets values of contacts' custom fields.
    PutValue,
    /// The step removes values of contacts' custom fields.
    ClearValue,
    /// The step moves the last-seen stamps of conversations forward.
    TouchConversation,
    /// The step puts messages that stand in no conversation into those that were opened.
    Adopt,
    /// The step moves the last-seen stamps of contacts forward.
    TouchContact,
    /// The step marks recipients of broadcasts as done, with the ids of their messages.
    FinishRecipient,
    /// The step gives recipients of broadcasts the results of their messages.
    SettleRecipient,
    /// The step inserts custom events of contacts.
    CustomEvent,
    /// The step inserts published versions of flows.
    FlowVersion,
    /// The step takes back queued steps of runs.
    DropSteps,
    /// The step takes recipients of scheduled flows, with whom runs start.
    Recipient,
    /// The step updates the health of webhooks.
    Health,
    /// The step stamps webhooks whose receivers took a delivery.
    Stamp,
    /// The step inserts rows of imports that were rejected.
    Rejected,
    /// The step inserts deliveries, some of them as claimed.
    Delivery,
    /// The step writes what came of attempts at deliveries, and ends their claims.
    Record,
    /// The step inserts attempts at deliveries.
    Attempt,
    /// The step inserts facts, those that count the same in a quarter of an hour as one row.
    Fact,
    /// The step writes nothing: it compares the revisions of what is remembered of opt-outs.
    OptOuts,
    /// The step ends claimed jobs that are done.
    FinishJob,
    /// The step gives claimed jobs back, each due at a later instant.
    RescheduleJob,
    /// The step inserts entries of the audit log.
    Audit,
    /// The step inserts events.
    Event,
    /// The step inserts jobs.
    Job,
    /// The step inserts idempotency records.
    Answer,
    /// The step is one change, which has statements of its own.
    Other,
}

impl Kind {
    pub(crate) fn of(change: &Change) -> Self {
        match change {
            Change::Insert(Row::Delivery(_)) => Self::Delivery,
            Change::Insert(row) => Self::Insert(discriminant(&row.object())),
            Change::Update(row) => Self::Update(discriminant(&row.object())),
            Change::Contact(ContactChange::InsertIdentity { .. }) => Self::Identity,
            Change::Contact(ContactChange::SetOptIn { .. }) => Self::OptIn,
            Change::Tag(TagChange::Link { .. }) => Self::Link,
            Change::Tag(TagChange::Unlink { .. }) => Self::Unlink,
            Change::Field(FieldChange::PutValue { .. }) => Self::PutValue,
            Change::Field(FieldChange::ClearValue { .. }) => Self::ClearValue,
            Change::Conversation(ConversationChange::Touch { .. }) => Self::TouchConversation,
            Change::Conversation(ConversationChange::Adopt { .. }) => Self::Adopt,
            Change::Contact(ContactChange::Touch { .. }) => Self::TouchContact,
            Change::Broadcast(BroadcastChange::FinishRecipient { .. }) => Self::FinishRecipient,
            Change::Broadcast(BroadcastChange::SettleRecipient { .. }) => Self::SettleRecipient,
            Change::Contact(ContactChange::RecordEvent { .. }) => Self::CustomEvent,
            Change::Import(ImportChange::Reject { .. }) => Self::Rejected,
            Change::Flow(FlowChange::InsertVersion(_)) => Self::FlowVersion,
            Change::Flow(FlowChange::DropSteps { .. }) => Self::DropSteps,
            Change::Flow(FlowChange::TakeRecipient { .. }) => Self::Recipient,
            Change::Webhook(WebhookChange::UpdateHealth { .. }) => Self::Health,
            Change::Webhook(WebhookChange::Stamp { .. }) => Self::Stamp,
            Change::Webhook(WebhookChange::RecordAttempt(_)) => Self::Record,
            Change::Webhook(WebhookChange::InsertAttempt(_)) => Self::Attempt,
            Change::Analytics(AnalyticsChange::Record(_) | AnalyticsChange::RecordReply(_))
            | Change::Webhook(WebhookChange::CountAttempt { .. })
            | Change::Broadcast(BroadcastChange::Count { .. })
            | Change::Flow(FlowChange::Count { .. }) => Self::Fact,
            Change::Audit(_) => Self::Audit,
            Change::OptOut(OptOutChange::Require { .. }) => Self::OptOuts,
            Change::Job(JobChange::Finish { .. }) => Self::FinishJob,
            Change::Job(JobChange::Reschedule { .. }) => Self::RescheduleJob,
            Change::Contact(
                ContactChange::ReleaseIdentities { .. }
                | ContactChange::Restore(_)
                | ContactChange::ReplaceIdentities { .. },
            )
            | Change::Delete(_)
            | Change::Access(_)
            | Change::Account(_)
            | Change::Channel(_)
            | Change::Tag(TagChange::SweepLinks { .. })
            | Change::Field(FieldChange::RetireOptions { .. } | FieldChange::SweepValues { .. })
            | Change::Reference(_)
            | Change::Flow(
                FlowChange::InterruptRuns { .. }
                | FlowChange::WakeCaller { .. }
                | FlowChange::InterruptCalled { .. }
                | FlowChange::Interrupt { .. }
                | FlowChange::MigrateRuns { .. }
                | FlowChange::WakeRuns { .. }
                | FlowChange::PutTriggers { .. }
                | FlowChange::PutAwaited { .. }
                | FlowChange::PutSchedule(_)
                | FlowChange::FreezeAudience { .. }
                | FlowChange::DropRecipients { .. }
                | FlowChange::Delete { .. },
            )
            | Change::Sequence(_)
            | Change::Sandbox(_)
            | Change::Broadcast(BroadcastChange::Freeze { .. } | BroadcastChange::RequireOpen { .. })
            | Change::Import(
                ImportChange::PutTable { .. }
                | ImportChange::DropTable { .. }
                | ImportChange::DropRejected { .. }
                | ImportChange::Forget(_),
            )
            | Change::Erasure(_)
            | Change::Merge(_)
            | Change::OptOut(
                OptOutChange::MakeKey { .. } | OptOutChange::Remember { .. } | OptOutChange::Lift { .. },
            )
            | Change::Webhook(WebhookChange::PutReplay(_) | WebhookChange::DropReplay(_))
            | Change::Job(
                JobChange::Park { .. }
                | JobChange::Hold { .. }
                | JobChange::Release { .. }
                | JobChange::ReleaseHeld { .. }
                | JobChange::Bury { .. }
                | JobChange::DropDead { .. },
            ) => Self::Other,
        }
    }
}

impl Kind {
    /// Whether what is there may contradict it: a version, a claim, a unique key, something that is gone.
    fn may_contradict(self) -> bool {
        match self {
            Self::TouchConversation
            | Self::Adopt
            | Self::TouchContact
            | Self::SettleRecipient
            | Self::OptIn
            | Self::DropSteps
            | Self::Stamp
            | Self::Attempt
            | Self::Fact
            | Self::Audit
            | Self::Event
            | Self::Job => false,
            Self::Insert(_)
            | Self::Update(_)
            | Self::Identity
            | Self::Link
            | Self::Unlink
            | Self::PutValue
            | Self::ClearValue
            | Self::FinishRecipient
            | Self::CustomEvent
            | Self::FlowVersion
            | Self::Recipient
            | Self::Rejected
            | Self::Delivery
            | Self::Record
            | Self::Health
            | Self::OptOuts
            | Self::FinishJob
            | Self::RescheduleJob
            | Self::Answer
            | Self::Other => true,
        }
    }
}

/// Whether what is there may contradict a set.
pub(crate) fn may_contradict(set: &ChangeSet) -> bool {
    !set.guards.is_empty() || ops(set).iter().any(|(kind, _)| kind.may_contradict())
}

/// One thing that a set writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op<'s> {
    Change(&'s Change),
    /// A new delivery; with a lease it is written as claimed.
    Delivery(&'s Delivery, Option<Duration>),
    Event(&'s Event),
    Job(&'s NewJob),
    Answer(&'s IdempotencyRecord),
}

impl Op<'_> {
    fn kind(&self) -> Kind {
        match self {
            Self::Change(change) => Kind::of(change),
            Self::Delivery(..) => Kind::Delivery,
            Self::Event(_) => Kind::Event,
            Self::Job(_) => Kind::Job,
            Self::Answer(_) => Kind::Answer,
        }
    }

    /// The row that it writes over, if it does: one statement does so once.
    fn target(&self) -> Option<(Uuid, Uuid)> {
        match self {
            Self::Change(change) => target(change),
            Self::Delivery(..) | Self::Event(_) | Self::Job(_) | Self::Answer(_) => None,
        }
    }
}

/// Things of one kind, each with its workspace.
#[derive(Debug)]
pub(crate) struct Step<'s> {
    pub(crate) kind: Kind,
    pub(crate) ops: Vec<(DbId, Op<'s>)>,
}

/// The steps of sets: those of each set in its own order.
#[derive(Debug)]
pub(crate) struct Program<'s> {
    pub(crate) steps: Vec<Step<'s>>,
}

impl<'s> Program<'s> {
    pub(crate) fn of(sets: impl IntoIterator<Item = &'s ChangeSet>) -> Self {
        let mut waiting: Vec<_> = sets.into_iter().map(|set| (DbId::from(set.workspace), ops(set))).collect();
        let mut steps = Vec::new();
        while let Some(kind) = next(&waiting) {
            let mut step = Step { kind, ops: Vec::new() };
            let mut targets = Vec::new();
            for (workspace, ops) in &mut waiting {
                while let Some((_, op)) = ops.front().filter(|(it, _)| *it == kind) {
                    let target = op.target();
                    if target.is_some_and(|it| targets.contains(&it)) || (kind == Kind::Other && !step.ops.is_empty()) {
                        break;
                    }
                    targets.extend(target);
                    step.ops.push((*workspace, *op));
                    ops.pop_front();
                }
            }
            steps.push(step);
            waiting.retain(|(_, ops)| !ops.is_empty());
        }
        Self { steps }
    }
}

/// What a set writes, in the order of [`ChangeSet`].
fn ops(set: &ChangeSet) -> VecDeque<(Kind, Op<'_>)> {
    let changes = set.changes.iter().filter(|it| !it.follows_events()).map(Op::Change);
    let deliveries = set.changes.iter().filter(|it| it.follows_events()).map(|change| match change {
        Change::Insert(Row::Delivery(it)) => Op::Delivery(it, lease_of(set, it)),
        change => Op::Change(change),
    });
    // An attempt at a delivery has its place in the delivery's row.
    let jobs = set.jobs.iter().filter(|it| it.job.delivery(it.id).is_none()).map(Op::Job);
    let ops = changes.chain(set.events.iter().map(Op::Event)).chain(deliveries).chain(jobs);
    ops.chain(set.idempotency.iter().map(Op::Answer)).map(|op| (op.kind(), op)).collect()
}

/// For how long whoever writes a new delivery takes its first attempt, if they do.
fn lease_of(set: &ChangeSet, delivery: &Delivery) -> Option<Duration> {
    set.jobs.iter().filter(|it| it.lease.is_some()).find(|it| it.job.delivery(it.id) == Some(delivery.id))?.lease
}

/// The kind that comes next: one that some set begins with, and of which the fewest sets have to come to it yet.
fn next(waiting: &[(DbId, VecDeque<(Kind, Op<'_>)>)]) -> Option<Kind> {
    let mut best: Option<(usize, Kind)> = None;
    for (_, ops) in waiting {
        let Some((kind, _)) = ops.front() else { continue };
        if best.is_some_and(|(_, it)| it == *kind) {
            continue;
        }
        let is_to_come = |ops: &VecDeque<(Kind, Op<'_>)>| {
            ops.front().is_some_and(|(first, _)| first != kind) && ops.iter().any(|(it, _)| it == kind)
        };
        let to_come = waiting.iter().filter(|(_, ops)| is_to_come(ops)).count();
        if best.is_none_or(|(fewest, _)| to_come < fewest) {
            best = Some((to_come, *kind));
        }
    }
    best.map(|(_, kind)| kind)
}

//! Rule 1: a set belongs to one workspace and reaches nothing of another.

use std::collections::BTreeMap;

use serde_json::json;
use std::time::Duration;
use tidings_domain::access::{Invitation, Member, OutboundMode, Plan, Role, Workspace};
use tidings_domain::analytics::{Fact, Metric};
use tidings_domain::broadcasts::{Broadcast, Count};
use tidings_domain::bulk::BulkOperation;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::TimeZone;
use tidings_domain::erasures::Erasure;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{Awaited, Flow, Passage};
use tidings_domain::ids::TypedId;
use tidings_domain::imports::Import;
use tidings_domain::merges::Merge;
use tidings_domain::ports::{
    AccessChange, AnalyticsChange, BroadcastChange, Change, ChannelChange, Claim, ClaimRequest, CommitError, Conflict,
    ContactChange, ConversationChange, Counted, ErasureChange, FieldChange, FlowChange, Guard, ImportChange, JobChange,
    MergeChange, Object, OptOutChange, Pool, ReferenceChange, Row, SequenceChange, TagChange, WebhookChange,
};
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::sandboxes::SandboxChange;
use tidings_domain::webhooks::{AttemptCount, AttemptRecord, Delivery, Replay};

use crate::Ports;
use crate::opt_outs::{a_key_of_opt_outs, an_opt_out, remembering};
use crate::seed::{Seed, an_attempt};
use tidings_domain::sequences::ExitReason;

use crate::fixtures::{
    NOW, World, a_conversation, a_custom_event, a_delivery, a_flow_version, a_key, a_message, a_run, a_sandbox,
    a_schedule, an_enrollment, at, conflict, uuid,
};

fn request(limit: u32) -> ClaimRequest {
    ClaimRequest::new(Pool::Work, limit, Duration::from_secs(3_600), NOW)
}

/// Guards over another workspace's objects find nothing.
pub async fn nothing_of_another_workspace_can_be_guarded(store: Ports) {
    let (ada, bob) = (Seed::new(&store, 1).await, World::new(&store).await);
    for object in ada.objects() {
        for guard in [Guard::Live(object), Guard::Version(object, 1)] {
            let here = ada.world.commit(|set| set.guards.push(guard)).await;
            assert_eq!(here, Ok(()), "{object:?} in its own workspace");
            let there = bob.commit(|set| set.guards.push(guard)).await;
            assert_eq!(conflict(there), Conflict::Stale(object));
        }
    }
    let contact = ada.contact.id;
    for what in [Counted::TagsOf(contact), Counted::Starts { flow: ada.flow.id, contact, since: NOW }] {
        let guard = Guard::Room { what, adding: 0, most: 100 };
        assert_eq!(conflict(bob.commit(|set| set.guards.push(guard)).await), Conflict::Stale(Object::Contact(contact)));
    }
    let job = store.engine.claim(request(1)).await.unwrap().pop().unwrap();
    let guard = Guard::Claim(Claim { job: job.id, token: job.token });
    assert_eq!(ada.world.commit(|set| set.guards.push(guard)).await, Ok(()));
    assert_eq!(conflict(bob.commit(|set| set.guards.push(guard)).await), Conflict::ClaimLost);
}

/// What another workspace tries, and whether it must be told that it did not go.
async fn attempts(ada: &Seed, bob: &Seed, token: i64) -> Vec<(Change, bool)> {
    let value = ada.field.check(&json!("stolen")).unwrap();
    let next = |version: &mut i64| *version += 1;
    let mut tag = ada.tag.clone();
    let (mut field, mut bot_field, mut flow) = (ada.field.clone(), ada.bot_field.clone(), ada.flow.clone());
    let (mut contact, mut message) = (ada.contact.clone(), ada.message.clone());
    let (mut run, mut delivery) = (ada.run.clone(), ada.delivery.clone());
    let (mut sequence, mut enrollment) = (ada.sequence.clone(), ada.enrollment.clone());
    sequence.version += 1;
    enrollment.version += 1;
    let (mut channel, mut conversation) = (ada.world.channel.clone(), ada.conversation.clone());
    for version in [&mut channel.version, &mut conversation.version] {
        next(version);
    }
    let secret = tidings_domain::secrets::Secret { version: 2, sealed: vec![9], ..ada.secret.clone() };
    let segment = tidings_domain::segments::Segment { version: 2, name: "stolen".to_owned(), ..ada.segment.clone() };
    let mut reply = ada.saved_reply.clone();
    (reply.version, reply.text) = (2, "stolen".to_owned());
    let operation = BulkOperation { version: 2, ..ada.operation.clone() };
    let import = Import { version: 2, size: 9, ..ada.import.clone() };
    let broadcast = Broadcast { version: 2, name: "stolen".to_owned(), ..ada.broadcast.clone() };
    for version in [&mut tag.version, &mut field.version, &mut bot_field.version, &mut flow.version] {
        next(version);
    }
    for version in [&mut contact.version, &mut message.version, &mut run.version, &mut delivery.version] {
        next(version);
    }
    let workspace = |id| Workspace {
        id,
        name: "stolen".to_owned(),
        plan: Plan::Starter,
        time_zone: TimeZone::from_store("UTC".to_owned()),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
        live_workspace: None,
        outbound: OutboundMode::Send,
    };
    let mut again = a_sandbox(bob.world.workspace);
    again.workspace.id = ada.world.workspace;
    let mut webhook = ada.webhook.clone();
    next(&mut webhook.version);
    let health = ada.webhook.health.after_failure(NOW, false);
    let (theirs, own) = (ada.contact.id, bob.contact.id);
    let mut restored = ada.gone.clone();
    (restored.deleted_at, restored.version) = (None, restored.version + 1);
    let flow_of_ada = Referrer::Flow(ada.flow.id);
    let job = ada.job.id;
    let in_conversation = {
        let mut message = a_message(&ada.conversation);
        message.contact = own;
        message
    };
    vec![
        (Change::Insert(Row::Workspace(workspace(ada.world.workspace))), true),
        (Change::Insert(Row::Workspace(workspace(crate::fixtures::id()))), true),
        (Change::Update(Row::Workspace(Workspace { version: 2, ..workspace(ada.world.workspace) })), true),
        (Change::Access(AccessChange::FoundWorkspace(Box::new(a_sandbox(ada.world.workspace)))), true),
        (Change::Access(AccessChange::FoundWorkspace(Box::new(again))), true),
        (Change::Access(AccessChange::ExpireKey { key: ada.key.id, end: NOW, at: NOW }), true),
        (Change::Update(Row::Member(Member { version: 2, ..Member::new(ada.user.id, Role::Viewer, NOW) })), true),
        (Change::Delete(Object::Member(ada.user.id)), true),
        (
            Change::Access(AccessChange::InsertInvitation(Invitation {
                email: "x@example.com".parse().unwrap(),
                ..ada.invitation.clone()
            })),
            true,
        ),
        (Change::Delete(Object::Invitation(ada.invitation.id)), true),
        (Change::Access(AccessChange::InsertKey(a_key(ada.world.workspace, 99))), true),
        (Change::Access(AccessChange::RevokeKey { key: ada.key.id, at: NOW }), true),
        (Change::Insert(Row::Channel(ada.world.channel.clone())), true),
        (Change::Update(Row::Channel(channel)), true),
        (Change::Channel(ChannelChange::Delete { channel: ada.world.channel.id, at: at(9) }), true),
        (Change::Insert(Row::Contact(Box::new(ada.contact.clone()))), true),
        (Change::Update(Row::Contact(Box::new(contact))), true),
        (Change::Contact(ContactChange::InsertIdentity { contact: theirs, identity: bob.world.identity("b") }), true),
        (Change::Contact(ContactChange::InsertIdentity { contact: own, identity: ada.world.identity("b") }), true),
        (
            Change::Contact(ContactChange::SetOptIn {
                contact: theirs,
                channel: ada.world.channel.id,
                opted_in: false,
            }),
            false,
        ),
        (Change::Contact(ContactChange::ReleaseIdentities { contact: theirs }), false),
        (Change::Contact(ContactChange::RecordEvent { event: Box::new(a_custom_event(&ada.contact)), depth: 0 }), true),
        (Change::Contact(ContactChange::Restore(Box::new(restored))), true),
        (Change::Contact(ContactChange::ReplaceIdentities { contact: theirs, identities: vec![] }), false),
        (
            Change::Contact(ContactChange::ReplaceIdentities {
                contact: theirs,
                identities: vec![bob.world.identity("b")],
            }),
            true,
        ),
        (a_key_of_opt_outs(b"stolen"), false),
        (remembering(vec![an_opt_out(8, Some(&ada.world.channel))]), true),
        (Change::OptOut(OptOutChange::Lift { digests: vec![[7; 32]] }), false),
        (Change::OptOut(OptOutChange::Require { revision: 99 }), true),
        (Change::Reference(ReferenceChange::Put { owner: flow_of_ada, targets: vec![] }), false),
        (
            Change::Reference(ReferenceChange::Put { owner: flow_of_ada, targets: vec![Referent::Tag(ada.tag.id)] }),
            true,
        ),
        (
            Change::Reference(ReferenceChange::Lose {
                target: Referent::Tag(ada.tag.id),
                name: "stolen".to_owned(),
                at: NOW,
            }),
            false,
        ),
        (Change::Tag(TagChange::Link { contact: theirs, tag: bob.tag.id, at: NOW }), true),
        (Change::Tag(TagChange::Link { contact: own, tag: ada.tag.id, at: NOW }), true),
        (Change::Tag(TagChange::Unlink { contact: theirs, tag: ada.tag.id }), true),
        (Change::Field(FieldChange::PutValue { contact: theirs, field: bob.field.id, value: value.clone() }), true),
        (Change::Field(FieldChange::PutValue { contact: own, field: ada.field.id, value: value.clone() }), true),
        (Change::Field(FieldChange::PutValue { contact: theirs, field: ada.field.id, value }), true),
        (Change::Field(FieldChange::ClearValue { contact: theirs, field: ada.field.id }), false),
        (Change::Insert(Row::Tag(ada.tag.clone())), true),
        (Change::Update(Row::Tag(tag)), true),
        (Change::Delete(Object::Tag(ada.tag.id)), true),
        (Change::Tag(TagChange::SweepLinks { tag: ada.tag.id, limit: 100 }), false),
        (Change::Insert(Row::Field(ada.field.clone())), true),
        (Change::Update(Row::Field(field)), true),
        (Change::Delete(Object::Field(ada.field.id)), true),
        (Change::Field(FieldChange::SweepValues { field: ada.field.id, limit: 100 }), false),
        (
            Change::Field(FieldChange::RetireOptions {
                field: ada.field.id,
                from: vec![],
                to: vec!["red".to_owned()],
                unused: false,
            }),
            true,
        ),
        (Change::Insert(Row::BotField(ada.bot_field.clone())), true),
        (Change::Update(Row::BotField(bot_field)), true),
        (Change::Delete(Object::BotField(ada.bot_field.id)), true),
        (Change::Insert(Row::Secret(ada.secret.clone())), true),
        (Change::Update(Row::Secret(secret)), true),
        (Change::Delete(Object::Secret(ada.secret.id)), true),
        (Change::Update(Row::Segment(segment)), true),
        (Change::Update(Row::SavedReply(reply)), true),
        (Change::Update(Row::BulkOperation(Box::new(operation))), true),
        (Change::Delete(Object::BulkOperation(ada.operation.id)), true),
        (Change::Update(Row::Import(Box::new(import))), true),
        (Change::Delete(Object::Import(ada.import.id)), true),
        (Change::Import(ImportChange::PutTable { import: ada.import.id, table: "stolen".into() }), false),
        (Change::Import(ImportChange::DropTable { import: ada.import.id }), false),
        (Change::Import(ImportChange::Reject { import: ada.import.id, row: Box::new(ada.rejected.clone()) }), false),
        (Change::Import(ImportChange::DropRejected { import: ada.import.id, limit: 9 }), false),
        (Change::Import(ImportChange::Forget(ada.rejected.names.clone())), false),
        (Change::Update(Row::Broadcast(Box::new(broadcast))), true),
        (Change::Delete(Object::Broadcast(ada.broadcast.id)), true),
        (
            Change::Broadcast(BroadcastChange::Freeze {
                broadcast: ada.broadcast.id,
                selection: Box::new(Selection::Constant(true)),
                due_at: NOW,
                zones: BTreeMap::new(),
            }),
            true,
        ),
        (
            Change::Broadcast(BroadcastChange::Settle {
                broadcast: ada.broadcast.id,
                contact: theirs,
                message: crate::fixtures::id(),
            }),
            true,
        ),
        (
            Change::Broadcast(BroadcastChange::Count {
                id: uuid(),
                broadcast: ada.broadcast.id,
                count: Count::Sent,
                amount: 1,
                at: NOW,
            }),
            false,
        ),
        (
            Change::Conversation(ConversationChange::Adopt {
                conversation: bob.conversation.id,
                contact: theirs,
                channel: ada.world.channel.id,
            }),
            false,
        ),
        (Change::Delete(Object::Segment(ada.segment.id)), true),
        (Change::Delete(Object::SavedReply(ada.saved_reply.id)), true),
        (Change::Insert(Row::Conversation(a_conversation(&ada.contact, &bob.world.channel))), true),
        (Change::Insert(Row::Conversation(a_conversation(&bob.contact, &ada.world.channel))), true),
        (Change::Update(Row::Conversation(conversation)), true),
        (Change::Insert(Row::Message(Box::new(in_conversation))), true),
        (Change::Update(Row::Message(Box::new(message))), true),
        (Change::Conversation(ConversationChange::Touch { conversation: ada.conversation.id, at: at(9) }), false),
        (Change::Contact(ContactChange::Touch { contact: theirs, at: at(9) }), false),
        (Change::Update(Row::Flow(flow)), true),
        (Change::Flow(FlowChange::InsertVersion(a_flow_version(&ada.flow, 7))), true),
        (Change::Insert(Row::Run(Box::new(a_run(&ada.flow, &bob.contact)))), true),
        (Change::Insert(Row::Run(Box::new(a_run(&bob.flow, &ada.contact)))), true),
        (Change::Update(Row::Run(Box::new(run))), true),
        (Change::Flow(FlowChange::InterruptRuns { contact: theirs, at: at(9) }), false),
        (Change::Flow(FlowChange::DropSteps { run: ada.run.id }), false),
        (Change::Flow(FlowChange::WakeCaller { run: ada.run.id, at: NOW.minus(Duration::from_secs(9)) }), false),
        (Change::Flow(FlowChange::InterruptCalled { run: ada.run.id, at: at(9) }), false),
        (Change::Flow(FlowChange::Interrupt { flow: ada.flow.id, at: at(9), due_at: at(9) }), false),
        (Change::Flow(FlowChange::MigrateRuns { flow: ada.flow.id, to: 1, nodes: vec![], at: at(9) }), false),
        (Change::Flow(FlowChange::WakeRuns { flow: ada.flow.id, at: at(9), due_at: at(9) }), false),
        (
            Change::Flow(FlowChange::PutTriggers {
                flow: ada.flow.id,
                triggers: vec![serde_json::json!({"type": "keyword"})],
            }),
            true,
        ),
        (
            Change::Flow(FlowChange::PutAwaited {
                flow: ada.flow.id,
                awaited: vec![Awaited::Event(EventKind::ContactCreated)],
                keeps_earlier: true,
            }),
            true,
        ),
        (Change::Flow(FlowChange::PutAwaited { flow: ada.flow.id, awaited: vec![], keeps_earlier: false }), false),
        (Change::Flow(FlowChange::PutSchedule(a_schedule(&ada.flow, 1))), true),
        (Change::Flow(FlowChange::PutSchedule(a_schedule(&ada.flow, 2))), true),
        (Change::Flow(FlowChange::TakeRecipient { flow: ada.flow.id, at: NOW, contact: theirs }), true),
        (Change::Flow(FlowChange::DropRecipients { flow: ada.flow.id, limit: 100 }), false),
        (Change::Flow(FlowChange::ReleaseHeld { flow: ada.flow.id, due_at: at(9) }), false),
        (Change::Flow(FlowChange::Count { id: uuid(), passage: a_passage(&ada.flow), at: at(9) }), false),
        (
            Change::Flow(FlowChange::FreezeAudience {
                flow: ada.flow.id,
                at: at(9),
                audience: Selection::Constant(true),
            }),
            false,
        ),
        (Change::Flow(FlowChange::Delete { flow: ada.flow.id, at: at(9) }), true),
        (Change::Update(Row::Sequence(Box::new(sequence))), true),
        (Change::Insert(Row::Enrollment(Box::new(an_enrollment(&ada.sequence, &bob.contact)))), true),
        (Change::Insert(Row::Enrollment(Box::new(an_enrollment(&bob.sequence, &ada.contact)))), true),
        (Change::Update(Row::Enrollment(Box::new(enrollment))), true),
        (
            Change::Sequence(SequenceChange::ExitEnrollments {
                contact: theirs,
                reason: ExitReason::Manual,
                at: at(9),
            }),
            false,
        ),
        (Change::Insert(Row::Delivery(a_delivery(&bob.webhook, &ada.event))), true),
        (Change::Update(Row::Delivery(delivery)), true),
        (Change::Update(Row::Webhook(webhook)), true),
        (Change::Webhook(WebhookChange::UpdateHealth { webhook: ada.webhook.id, health }), true),
        (Change::Webhook(WebhookChange::Stamp { webhook: ada.webhook.id, at: at(9) }), false),
        (Change::Delete(Object::Webhook(ada.webhook.id)), true),
        (
            Change::Webhook(WebhookChange::CountAttempt {
                id: uuid(),
                count: AttemptCount::one(ada.webhook.id, NOW, false, Duration::ZERO),
            }),
            false,
        ),
        (Change::Webhook(WebhookChange::PutReplay(Replay { since: at(9), ..ada.replay.clone() })), false),
        (Change::Webhook(WebhookChange::DropReplay(ada.replay.id)), false),
        (Change::Webhook(WebhookChange::InsertAttempt(an_attempt(&ada.delivery, 2))), true),
        (
            Change::Webhook(WebhookChange::RecordAttempt(Box::new(AttemptRecord {
                delivery: Delivery { version: ada.delivery.version + 1, ..ada.delivery.clone() },
                token,
                first: None,
            }))),
            true,
        ),
        (Change::Job(JobChange::Finish { job, token }), true),
        (Change::Job(JobChange::Reschedule { job, token, due_at: at(9), error: None }), true),
        (Change::Job(JobChange::Park { job, token }), true),
        (Change::Job(JobChange::Hold { job, token, flow: bob.flow.id }), true),
        (Change::Job(JobChange::Release { group: ada.webhook.id.uuid(), due_at: at(9) }), false),
        (Change::Job(JobChange::DropDead { job }), true),
        (Change::Job(JobChange::Bury { job, token, error: "stolen".to_owned(), at: at(9) }), true),
        // These make rows of their own under ids that are known elsewhere.
        (Change::Insert(Row::Flow(ada.flow.clone())), false),
        (Change::Insert(Row::Sequence(Box::new(ada.sequence.clone()))), false),
        (Change::Insert(Row::Segment(ada.segment.clone())), false),
        (Change::Insert(Row::SavedReply(ada.saved_reply.clone())), false),
        (Change::Audit(Box::new(ada.audited.clone())), true),
        (Change::Insert(Row::Broadcast(Box::new(ada.broadcast.clone()))), false),
        (Change::Insert(Row::BulkOperation(Box::new(ada.operation.clone()))), false),
        (Change::Insert(Row::Import(Box::new(ada.import.clone()))), false),
        (Change::Insert(Row::Webhook(ada.webhook.clone())), false),
        // A person may have a place in both.
        (Change::Insert(Row::Member(Member::new(ada.user.id, Role::Owner, NOW))), false),
        (Change::Analytics(AnalyticsChange::Record(a_fact())), false),
        (
            Change::Erasure(ErasureChange::Begin {
                contact: Box::new(Erasure::emptied(&ada.contact, at(9))),
                erasure: Erasure { contact: theirs, requested_at: at(9), erased_at: None },
            }),
            true,
        ),
        (Change::Erasure(ErasureChange::RemovePart { contact: theirs, limit: 100, at: at(9) }), false),
        (Change::Erasure(ErasureChange::End { contact: ada.erased.id, at: at(9) }), false),
        (
            Change::Merge(MergeChange::Begin {
                contact: Box::new(Erasure::emptied(&ada.contact, at(9))),
                merge: Merge { contact: theirs, into: own, merged_at: at(9), moved_at: None },
            }),
            true,
        ),
        (Change::Merge(MergeChange::MovePart { contact: ada.merged.id, into: theirs, limit: 100 }), true),
        (Change::Merge(MergeChange::End { contact: ada.merged.id, at: at(9) }), false),
        (Change::Sandbox(SandboxChange::Hold { holder: uuid(), now: NOW, until: at(9) }), false),
        (Change::Sandbox(SandboxChange::Release { holder: uuid() }), false),
        (Change::Sandbox(SandboxChange::Advance { holder: uuid(), by: Duration::from_secs(9), now: NOW }), true),
        (Change::Sandbox(SandboxChange::Empty { holder: uuid() }), true),
    ]
}

fn a_passage(flow: &Flow) -> Passage {
    Passage { flow: flow.id, version: 1, visits: Vec::new() }
}

fn a_fact() -> Fact {
    Fact { id: uuid(), metric: Metric::FlowsStarted, dimension: String::new(), amount: 1, at: at(9) }
}

/// A new kind of change does not compile until [`attempts`] tries it.
fn is_tried(change: &Change) {
    match change {
        Change::Insert(row) | Change::Update(row) => match row {
            Row::Workspace(_) | Row::Member(_) | Row::Channel(_) | Row::Contact(_) | Row::Tag(_) | Row::Field(_) => {}
            Row::BotField(_) | Row::Secret(_) | Row::Conversation(_) | Row::Message(_) | Row::Flow(_) | Row::Run(_) => {
            }
            Row::Segment(_)
            | Row::SavedReply(_)
            | Row::Broadcast(_)
            | Row::BulkOperation(_)
            | Row::Import(_)
            | Row::Sequence(_)
            | Row::Enrollment(_)
            | Row::Webhook(_)
            | Row::Delivery(_) => {}
            // Of no workspace.
            Row::User(_) => {}
        },
        Change::Delete(_) | Change::Analytics(AnalyticsChange::Record(_)) => {}
        Change::Access(it) => match it {
            AccessChange::FoundWorkspace(_) | AccessChange::InsertKey(_) | AccessChange::ExpireKey { .. } => {}
            AccessChange::RevokeKey { .. } | AccessChange::InsertInvitation(_) => {}
        },
        // Of no workspace.
        Change::Account(_) => {}
        Change::Channel(ChannelChange::Delete { .. }) => {}
        Change::Conversation(ConversationChange::Touch { .. } | ConversationChange::Adopt { .. }) => {}
        Change::Broadcast(it) => match it {
            BroadcastChange::Freeze { .. } | BroadcastChange::Settle { .. } | BroadcastChange::Count { .. } => {}
        },
        Change::Import(it) => match it {
            ImportChange::PutTable { .. } | ImportChange::DropTable { .. } | ImportChange::Reject { .. } => {}
            ImportChange::DropRejected { .. } | ImportChange::Forget(_) => {}
        },
        Change::Contact(it) => match it {
            ContactChange::InsertIdentity { .. } | ContactChange::SetOptIn { .. } | ContactChange::Restore(_) => {}
            ContactChange::ReleaseIdentities { .. } | ContactChange::ReplaceIdentities { .. } => {}
            ContactChange::Touch { .. } | ContactChange::RecordEvent { .. } => {}
        },
        Change::Tag(it) => match it {
            TagChange::Link { .. } | TagChange::Unlink { .. } | TagChange::SweepLinks { .. } => {}
        },
        Change::Field(it) => match it {
            FieldChange::PutValue { .. } | FieldChange::ClearValue { .. } => {}
            FieldChange::RetireOptions { .. } | FieldChange::SweepValues { .. } => {}
        },
        Change::Reference(ReferenceChange::Put { .. } | ReferenceChange::Lose { .. }) => {}
        Change::Erasure(it) => match it {
            ErasureChange::Begin { .. } | ErasureChange::RemovePart { .. } | ErasureChange::End { .. } => {}
        },
        Change::Merge(it) => match it {
            MergeChange::Begin { .. } | MergeChange::MovePart { .. } | MergeChange::End { .. } => {}
        },
        Change::OptOut(it) => match it {
            OptOutChange::MakeKey { .. } | OptOutChange::Remember { .. } => {}
            OptOutChange::Lift { .. } | OptOutChange::Require { .. } => {}
        },
        Change::Flow(it) => match it {
            FlowChange::InsertVersion(_) | FlowChange::InterruptRuns { .. } | FlowChange::DropSteps { .. } => {}
            FlowChange::WakeCaller { .. } | FlowChange::InterruptCalled { .. } => {}
            FlowChange::Interrupt { .. } | FlowChange::MigrateRuns { .. } | FlowChange::WakeRuns { .. } => {}
            FlowChange::PutTriggers { .. } | FlowChange::PutAwaited { .. } | FlowChange::Delete { .. } => {}
            FlowChange::PutSchedule(_) | FlowChange::FreezeAudience { .. } => {}
            FlowChange::TakeRecipient { .. } | FlowChange::DropRecipients { .. } => {}
            FlowChange::ReleaseHeld { .. } | FlowChange::Count { .. } => {}
        },
        Change::Sandbox(it) => match it {
            SandboxChange::Hold { .. } | SandboxChange::Release { .. } => {}
            SandboxChange::Advance { .. } | SandboxChange::Empty { .. } => {}
        },
        Change::Sequence(SequenceChange::ExitEnrollments { .. }) | Change::Audit(_) => {}
        Change::Webhook(it) => match it {
            WebhookChange::UpdateHealth { .. } | WebhookChange::Stamp { .. } | WebhookChange::CountAttempt { .. } => {}
            WebhookChange::RecordAttempt(_) | WebhookChange::InsertAttempt(_) => {}
            WebhookChange::PutReplay(_) | WebhookChange::DropReplay(_) => {}
        },
        Change::Job(it) => match it {
            JobChange::Finish { .. } | JobChange::Reschedule { .. } | JobChange::Park { .. } => {}
            JobChange::Hold { .. } => {}
            JobChange::Release { .. } | JobChange::Bury { .. } | JobChange::DropDead { .. } => {}
        },
    }
}

/// Whatever another workspace tries, not a byte of this one changes. Where an insert only repeats
/// an id, the other workspace gets a row of its own.
pub async fn nothing_of_another_workspace_can_be_changed(store: Ports) {
    let (ada, bob) = (Seed::new(&store, 1).await, Seed::new(&store, 2).await);
    let claimed = store.engine.claim(request(10)).await.unwrap();
    let job = claimed.into_iter().find(|job| job.id == ada.job.id).expect("Ada's job");
    let before = ada.dump().await;
    for (change, must_be_told) in attempts(&ada, &bob, job.token).await {
        is_tried(&change);
        let told = format!("{change:?}");
        let outcome = bob.world.change(change).await;
        assert!(outcome.is_err() || !must_be_told, "went through: {told}");
        let unavailable = matches!(outcome, Err(CommitError::Store(tidings_domain::ports::StoreError::Unavailable(_))));
        assert!(!unavailable, "a mistake is not a failing store: {told}: {outcome:?}");
        let after = ada.dump().await;
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before, after, "{told}");
        }
    }
    assert_eq!(store.access.key_by_digest([99; 32]).await.unwrap(), None);
    ada.world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
}

/// Every query, asked for this seed by another workspace, answers as if nothing were there.
pub async fn nothing_of_another_workspace_can_be_read(store: Ports) {
    let (ada, bob) = (Seed::new(&store, 1).await, World::new(&store).await);
    let own = ada.seen_by(&ada.world.access).await;
    let others = ada.seen_by(&bob.access).await;
    for (own, other) in own.iter().zip(others) {
        assert_ne!(*own, other);
        let answer = other.split_once(": ").unwrap().1;
        let nothing = [
            "None",
            "[]",
            "0",
            "false",
            "Page { items: [], next: None, places: [], total: None }",
            "FeedRead { events: [], head: 0 }",
            "Remembered { revision: 0, digests: [] }",
        ];
        assert!(nothing.contains(&answer), "{other}");
    }
}

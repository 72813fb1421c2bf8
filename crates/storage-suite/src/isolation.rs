//! Rule 1: a set belongs to one workspace and reaches nothing of another.

use serde_json::json;
use std::time::Duration;
use tidings_domain::access::{Invitation, Member, OutboundMode, Plan, Role, Workspace};
use tidings_domain::analytics::{Fact, Metric};
use tidings_domain::contacts::TimeZone;
use tidings_domain::ids::TypedId;
use tidings_domain::ports::{Change, Claim, ClaimRequest, CommitError, Conflict, Counted, Guard, Object, Pool};
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::webhooks::{AttemptCount, Replay};

use crate::Ports;
use crate::estate::{Estate, an_attempt};
use tidings_domain::sequences::ExitReason;

use crate::fixtures::{
    NOW, World, a_conversation, a_delivery, a_flow_version, a_key, a_message, a_run, a_sandbox, an_enrollment, at,
    conflict, uuid,
};

fn request(limit: u32) -> ClaimRequest {
    ClaimRequest::new(Pool::Work, limit, Duration::from_secs(3_600), NOW)
}

/// Guards over another workspace's objects find nothing.
pub async fn nothing_of_another_workspace_can_be_guarded(store: Ports) {
    let (ada, bob) = (Estate::new(&store, 1).await, World::new(&store).await);
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
async fn attempts(ada: &Estate, bob: &Estate, token: i64) -> Vec<(Change, bool)> {
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
        (Change::InsertWorkspace(workspace(ada.world.workspace)), true),
        (Change::InsertWorkspace(workspace(crate::fixtures::id())), true),
        (Change::UpdateWorkspace(Workspace { version: 2, ..workspace(ada.world.workspace) }), true),
        (Change::FoundWorkspace(Box::new(a_sandbox(ada.world.workspace))), true),
        (Change::FoundWorkspace(Box::new(again)), true),
        (Change::ExpireKey { key: ada.key.id, end: NOW, at: NOW }, true),
        (Change::UpdateMember(Member { version: 2, ..Member::new(ada.user.id, Role::Viewer, NOW) }), true),
        (Change::DeleteMember(ada.user.id), true),
        (
            Change::InsertInvitation(Invitation { email: "x@example.com".parse().unwrap(), ..ada.invitation.clone() }),
            true,
        ),
        (Change::DeleteInvitation(ada.invitation.id), true),
        (Change::InsertKey(a_key(ada.world.workspace, 99)), true),
        (Change::RevokeKey { key: ada.key.id, at: NOW }, true),
        (Change::InsertChannel(ada.world.channel.clone()), true),
        (Change::UpdateChannel(channel), true),
        (Change::DeleteChannel { channel: ada.world.channel.id, at: at(9) }, true),
        (Change::InsertContact(Box::new(ada.contact.clone())), true),
        (Change::UpdateContact(Box::new(contact)), true),
        (Change::InsertIdentity { contact: theirs, identity: bob.world.identity("b") }, true),
        (Change::InsertIdentity { contact: own, identity: ada.world.identity("b") }, true),
        (Change::SetOptIn { contact: theirs, channel: ada.world.channel.id, opted_in: false }, false),
        (Change::ReleaseIdentities { contact: theirs }, false),
        (Change::RestoreContact(Box::new(restored)), true),
        (Change::ReplaceIdentities { contact: theirs, identities: vec![] }, false),
        (Change::ReplaceIdentities { contact: theirs, identities: vec![bob.world.identity("b")] }, true),
        (Change::PutReferences { owner: flow_of_ada, targets: vec![] }, false),
        (Change::PutReferences { owner: flow_of_ada, targets: vec![Referent::Tag(ada.tag.id)] }, true),
        (Change::LoseReferences { target: Referent::Tag(ada.tag.id), name: "stolen".to_owned(), at: NOW }, false),
        (Change::LinkTag { contact: theirs, tag: bob.tag.id, at: NOW }, true),
        (Change::LinkTag { contact: own, tag: ada.tag.id, at: NOW }, true),
        (Change::UnlinkTag { contact: theirs, tag: ada.tag.id }, true),
        (Change::PutValue { contact: theirs, field: bob.field.id, value: value.clone() }, true),
        (Change::PutValue { contact: own, field: ada.field.id, value: value.clone() }, true),
        (Change::PutValue { contact: theirs, field: ada.field.id, value }, true),
        (Change::ClearValue { contact: theirs, field: ada.field.id }, false),
        (Change::InsertTag(ada.tag.clone()), true),
        (Change::UpdateTag(tag), true),
        (Change::DeleteTag(ada.tag.id), true),
        (Change::SweepTagLinks { tag: ada.tag.id, limit: 100 }, false),
        (Change::InsertField(ada.field.clone()), true),
        (Change::UpdateField(field), true),
        (Change::DeleteField(ada.field.id), true),
        (Change::SweepValues { field: ada.field.id, limit: 100 }, false),
        (Change::RetireOptions { field: ada.field.id, from: vec![], to: vec!["red".to_owned()], unused: false }, true),
        (Change::InsertBotField(ada.bot_field.clone()), true),
        (Change::UpdateBotField(bot_field), true),
        (Change::DeleteBotField(ada.bot_field.id), true),
        (Change::InsertConversation(a_conversation(&ada.contact, &bob.world.channel)), true),
        (Change::InsertConversation(a_conversation(&bob.contact, &ada.world.channel)), true),
        (Change::UpdateConversation(conversation), true),
        (Change::InsertMessage(Box::new(in_conversation)), true),
        (Change::UpdateMessage(Box::new(message)), true),
        (Change::TouchConversation { conversation: ada.conversation.id, contact: theirs, at: at(9) }, false),
        (Change::UpdateFlow(flow), true),
        (Change::InsertFlowVersion(a_flow_version(&ada.flow, 7)), true),
        (Change::InsertRun(Box::new(a_run(&ada.flow, &bob.contact))), true),
        (Change::InsertRun(Box::new(a_run(&bob.flow, &ada.contact))), true),
        (Change::UpdateRun(Box::new(run)), true),
        (Change::InterruptRuns { contact: theirs, at: at(9) }, false),
        (Change::DropSteps { run: ada.run.id }, false),
        (Change::InterruptFlow { flow: ada.flow.id, at: at(9) }, false),
        (Change::MigrateRuns { flow: ada.flow.id, to: 1, nodes: vec![], at: at(9) }, false),
        (Change::WakeRuns { flow: ada.flow.id, at: at(9) }, false),
        (Change::PutTriggers { flow: ada.flow.id, triggers: vec![serde_json::json!({"type": "keyword"})] }, true),
        (Change::DeleteFlow { flow: ada.flow.id, at: at(9) }, true),
        (Change::UpdateSequence(Box::new(sequence)), true),
        (Change::InsertEnrollment(Box::new(an_enrollment(&ada.sequence, &bob.contact))), true),
        (Change::InsertEnrollment(Box::new(an_enrollment(&bob.sequence, &ada.contact))), true),
        (Change::UpdateEnrollment(Box::new(enrollment)), true),
        (Change::ExitEnrollments { contact: theirs, reason: ExitReason::Manual, at: at(9) }, false),
        (Change::InsertDelivery(a_delivery(&bob.webhook, &ada.event)), true),
        (Change::UpdateDelivery(delivery), true),
        (Change::UpdateWebhook(webhook), true),
        (Change::UpdateWebhookHealth { webhook: ada.webhook.id, health }, true),
        (Change::StampWebhook { webhook: ada.webhook.id, at: at(9) }, false),
        (Change::DeleteWebhook(ada.webhook.id), true),
        (Change::CountAttempt(AttemptCount::one(ada.webhook.id, NOW, false, Duration::ZERO)), false),
        (Change::PutReplay(Replay { since: at(9), ..ada.replay.clone() }), false),
        (Change::DropReplay(ada.replay.id), false),
        (Change::InsertAttempt(an_attempt(&ada.delivery, 2)), true),
        (Change::FinishJob { job, token }, true),
        (Change::RescheduleJob { job, token, due_at: at(9), error: None }, true),
        (Change::ParkJob { job, token }, true),
        (Change::ReleaseJobs { group: ada.webhook.id.uuid(), due_at: at(9) }, false),
        (Change::BuryJob { job, token, error: "stolen".to_owned(), at: at(9) }, true),
        // These make rows of their own under ids that are known elsewhere.
        (Change::InsertFlow(ada.flow.clone()), false),
        (Change::InsertSequence(Box::new(ada.sequence.clone())), false),
        (Change::InsertWebhook(ada.webhook.clone()), false),
        // A person may have a place in both.
        (Change::InsertMember(Member::new(ada.user.id, Role::Owner, NOW)), false),
        (Change::RecordFact(a_fact()), false),
    ]
}

fn a_fact() -> Fact {
    Fact { id: uuid(), metric: Metric::FlowsStarted, dimension: String::new(), amount: 1, at: at(9) }
}

/// A new kind of change does not compile until [`attempts`] tries it.
fn is_tried(change: &Change) {
    use Change::*;
    match change {
        InsertWorkspace(_) | InsertKey(_) | RevokeKey { .. } | InsertChannel(_) | InsertContact(_) => {}
        UpdateContact(_) | InsertIdentity { .. } | ReleaseIdentities { .. } | LinkTag { .. } | UnlinkTag { .. } => {}
        PutValue { .. } | ClearValue { .. } | InsertTag(_) | UpdateTag(_) | DeleteTag(_) => {}
        SweepTagLinks { .. } | InsertField(_) | UpdateField(_) | DeleteField(_) | SweepValues { .. } => {}
        RetireOptions { .. } => {}
        InsertBotField(_) | UpdateBotField(_) | DeleteBotField(_) | InsertConversation(_) => {}
        UpdateChannel(_) | DeleteChannel { .. } | SetOptIn { .. } | UpdateConversation(_) => {}
        InsertMessage(_) | UpdateMessage(_) | TouchConversation { .. } | InsertFlow(_) | UpdateFlow(_) => {}
        InsertFlowVersion(_) | InsertRun(_) | UpdateRun(_) | InterruptRuns { .. } | InsertWebhook(_) => {}
        UpdateWebhook(_)
        | UpdateWebhookHealth { .. }
        | StampWebhook { .. }
        | CountAttempt(_)
        | PutReplay(_)
        | DropReplay(_) => {}
        ParkJob { .. } | ReleaseJobs { .. } => {}
        DropSteps { .. } | InterruptFlow { .. } | MigrateRuns { .. } | WakeRuns { .. } => {}
        PutTriggers { .. } | DeleteFlow { .. } => {}
        InsertSequence(_) | UpdateSequence(_) | InsertEnrollment(_) | UpdateEnrollment(_) => {}
        ExitEnrollments { .. } => {}
        DeleteWebhook(_) | InsertDelivery(_) | UpdateDelivery(_) | InsertAttempt(_) => {}
        UpdateWorkspace(_) | FoundWorkspace(_) | ExpireKey { .. } => {}
        InsertMember(_) | UpdateMember(_) | DeleteMember(_) | InsertInvitation(_) | DeleteInvitation(_) => {}
        // Rows of no workspace.
        InsertUser(_) | UpdateUser(_) | InsertSession(_) | RevokeSession { .. } | RevokeSessionsOf { .. } => {}
        InsertRefreshToken(_) | RotateRefreshToken { .. } | InsertSigningKey(_) => {}
        CountLogin { .. } | ForgetLogins { .. } => {}
        RecordFact(_) => {}
        FinishJob { .. } | RescheduleJob { .. } | BuryJob { .. } => {}
        RestoreContact(_) | ReplaceIdentities { .. } | PutReferences { .. } | LoseReferences { .. } => {}
    }
}

/// Whatever another workspace tries, not a byte of this one changes. Where an insert only repeats
/// an id, the other workspace gets a row of its own.
pub async fn nothing_of_another_workspace_can_be_changed(store: Ports) {
    let (ada, bob) = (Estate::new(&store, 1).await, Estate::new(&store, 2).await);
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
    ada.world.add(Change::FinishJob { job: job.id, token: job.token }).await;
}

/// Every query, asked for this estate by another workspace, answers as if nothing were there.
pub async fn nothing_of_another_workspace_can_be_read(store: Ports) {
    let (ada, bob) = (Estate::new(&store, 1).await, World::new(&store).await);
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
        ];
        assert!(nothing.contains(&answer), "{other}");
    }
}

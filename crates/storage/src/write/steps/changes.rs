//! Changes with statements of their own.

use tidings_domain::ports::{
    AccessChange, AccountChange, AnalyticsChange, BroadcastChange, Change, ChannelChange, Claim, ContactChange,
    ConversationChange, ErasureChange, FieldChange, FlowChange, ImportChange, JobChange, MergeChange, OptOutChange,
    ReferenceChange, SequenceChange, TagChange, WebhookChange,
};

use crate::connection::Connection;
use crate::faults::Fault;
use crate::types::DbId;
use crate::{
    access, accounts, broadcasts, channels, contacts, dead_letters, deletes, erasures, fields, flows, imports, jobs,
    members, merges, opt_outs, references, sandboxes, sequences, tags, webhook_replays, workspace_deletion,
};

/// A change with statements of its own.
pub(super) async fn other(c: &mut Connection<'_>, ws: DbId, change: &Change) -> Result<(), Fault> {
    match change {
        Change::Delete(object) => deletes::delete(c, ws, *object).await,
        Change::Access(it) => match it {
            AccessChange::FoundWorkspace(it) => access::found(c, ws, it).await,
            AccessChange::DeleteWorkspace { version, deletion, at } => {
                workspace_deletion::delete(c, ws, (*version, *deletion), *at).await
            }
            AccessChange::RestoreWorkspace { version, deletion, outbound, at } => {
                workspace_deletion::restore(c, ws, (*version, *deletion), *outbound, *at).await
            }
            AccessChange::InsertKey(it) => access::insert_key(c, ws, it).await,
            AccessChange::ExpireKey { key, end, at } => access::expire_key(c, ws, *key, *end, *at).await,
            AccessChange::RevokeKey { key, at } => access::revoke_key(c, ws, *key, *at).await,
            AccessChange::InsertInvitation(it) => members::invite(c, ws, it).await,
            AccessChange::RefuseInvitation { invitation, at } => members::refuse(c, ws, *invitation, *at).await,
        },
        Change::Account(it) => match it {
            AccountChange::InsertSession(it) => accounts::insert_session(c, it).await,
            AccountChange::RevokeSession { session, at } => accounts::revoke_session(c, *session, *at).await,
            AccountChange::RevokeSessionsOf { user, except, at } => {
                accounts::revoke_sessions_of(c, *user, *except, *at).await
            }
            AccountChange::InsertRefreshToken(it) => accounts::insert_token(c, it).await,
            AccountChange::RotateRefreshToken { digest, at } => accounts::rotate_token(c, *digest, *at).await,
            AccountChange::InsertSigningKey(it) => accounts::insert_signing_key(c, it).await,
            AccountChange::CountLogin { before, attempts } => accounts::count_login(c, *before, attempts).await,
            AccountChange::ForgetLogins { account } => accounts::forget_logins(c, account).await,
        },
        Change::Channel(ChannelChange::Delete { channel, at }) => channels::delete(c, ws, *channel, *at).await,
        Change::Contact(ContactChange::ReleaseIdentities { contact }) => {
            contacts::release_identities(c, ws, *contact).await
        }
        Change::Contact(ContactChange::Restore(it)) => contacts::restore(c, ws, it).await,
        Change::Contact(ContactChange::ReplaceIdentities { contact, identities }) => {
            contacts::replace_identities(c, ws, *contact, identities).await
        }
        Change::Tag(TagChange::SweepLinks { tag, limit }) => tags::sweep(c, ws, *tag, *limit).await,
        Change::Field(FieldChange::RetireOptions { field, from, to, unused }) => {
            fields::retire(c, ws, *field, from, to, *unused).await
        }
        Change::Field(FieldChange::SweepValues { field, limit }) => fields::sweep(c, ws, *field, *limit).await,
        Change::Reference(ReferenceChange::Put { owner, targets }) => references::put(c, ws, *owner, targets).await,
        Change::Reference(ReferenceChange::Lose { target, name, at }) => {
            references::lose(c, ws, *target, name, *at).await
        }
        Change::Erasure(it) => match it {
            ErasureChange::Begin { contact, erasure } => erasures::begin(c, ws, contact, erasure).await,
            ErasureChange::RemovePart { contact, limit, at } => {
                erasures::remove_part(c, ws, *contact, *limit, *at).await
            }
            ErasureChange::End { contact, at } => erasures::end(c, ws, *contact, *at).await,
        },
        Change::Merge(it) => match it {
            MergeChange::Begin { contact, merge } => merges::begin(c, ws, contact, merge).await,
            MergeChange::MovePart { contact, into, limit } => merges::move_part(c, ws, *contact, *into, *limit).await,
            MergeChange::End { contact, at } => merges::end(c, ws, *contact, *at).await,
        },
        Change::OptOut(it) => match it {
            OptOutChange::MakeKey { sealed, at } => opt_outs::make_key(c, ws, sealed, *at).await,
            OptOutChange::Remember { opt_outs: of, at } => opt_outs::remember(c, ws, of, *at).await,
            OptOutChange::Lift { digests } => opt_outs::lift(c, ws, digests).await,
            OptOutChange::Require { .. } => Err(misplaced()),
        },
        Change::Flow(it) => match it {
            FlowChange::InterruptRuns { contact, at } => flows::interrupt_runs(c, ws, *contact, *at).await,
            FlowChange::WakeCaller { run, at } => flows::wake_steps(c, ws, vec![(*run).into()], *at).await,
            FlowChange::InterruptCalled { run, at } => flows::interrupt_called(c, ws, vec![(*run).into()], *at).await,
            FlowChange::Interrupt { flow, at, due_at } => flows::interrupt_flow(c, ws, *flow, (*at, *due_at)).await,
            FlowChange::MigrateRuns { flow, to, nodes, at } => flows::migrate_runs(c, ws, *flow, *to, nodes, *at).await,
            FlowChange::WakeRuns { flow, at, due_at } => flows::wake_runs(c, ws, *flow, (*at, *due_at)).await,
            FlowChange::PutTriggers { flow, triggers } => flows::put_triggers(c, ws, *flow, triggers).await,
            FlowChange::PutAwaited { flow, awaited, keeps_earlier } => {
                flows::put_awaited(c, ws, *flow, awaited, *keeps_earlier).await
            }
            FlowChange::PutSchedule(it) => flows::put_schedule(c, ws, it).await,
            FlowChange::FreezeAudience { flow, at, audience } => flows::freeze(c, ws, (*flow, *at), audience).await,
            FlowChange::DropRecipients { flow, limit } => flows::drop_recipients(c, ws, *flow, *limit).await,
            FlowChange::Delete { flow, at } => flows::delete(c, ws, *flow, *at).await,
            FlowChange::InsertVersion(_)
            | FlowChange::DropSteps { .. }
            | FlowChange::TakeRecipient { .. }
            | FlowChange::Count { .. } => Err(misplaced()),
        },
        Change::Sequence(SequenceChange::ExitEnrollments { contact, reason, at }) => {
            sequences::exit_enrollments(c, ws, *contact, *reason, *at).await
        }
        Change::Broadcast(BroadcastChange::Freeze { broadcast, selection, unreached, due_at, zones }) => {
            let frozen = broadcasts::Frozen { selection, unreached: unreached.as_ref(), due_at: *due_at, zones };
            broadcasts::freeze(c, ws, *broadcast, frozen).await
        }
        Change::Broadcast(BroadcastChange::RequireOpen { broadcast, made }) => {
            broadcasts::require_open(c, ws, *broadcast, *made).await
        }
        Change::Import(it) => match it {
            ImportChange::PutTable { import, table } => imports::put_table(c, ws, *import, table).await,
            ImportChange::DropTable { import } => imports::drop_table(c, ws, *import).await,
            ImportChange::DropRejected { import, limit } => imports::drop_rejected(c, ws, *import, *limit).await,
            ImportChange::Forget(person) => imports::forget(c, ws, person).await,
            ImportChange::Reject { .. } => Err(misplaced()),
        },
        Change::Webhook(WebhookChange::PutReplay(it)) => webhook_replays::put(c, ws, it).await,
        Change::Webhook(WebhookChange::DropReplay(id)) => webhook_replays::drop(c, ws, *id).await,
        Change::Job(JobChange::Park { job, token }) => jobs::park(c, ws, Claim { job: *job, token: *token }).await,
        Change::Job(JobChange::Hold { job, token, until }) => {
            jobs::hold(c, ws, Claim { job: *job, token: *token }, *until).await
        }
        Change::Job(JobChange::ReleaseHeld { until, due_at }) => jobs::release_held(c, ws, *until, *due_at).await,
        Change::Job(JobChange::Release { group, due_at }) => jobs::release(c, ws, *group, *due_at).await,
        Change::Job(JobChange::Bury { job, token, error, at }) => {
            jobs::bury(c, ws, Claim { job: *job, token: *token }, error.clone(), *at).await
        }
        Change::Sandbox(it) => sandboxes::change(c, ws, it).await,
        Change::Job(JobChange::DropDead { job }) => dead_letters::drop_one(c, ws, *job).await,
        // Of a kind of their own.
        Change::Insert(_)
        | Change::Update(_)
        | Change::Audit(_)
        | Change::Contact(
            ContactChange::InsertIdentity { .. }
            | ContactChange::SetOptIn { .. }
            | ContactChange::Touch { .. }
            | ContactChange::RecordEvent { .. },
        )
        | Change::Tag(TagChange::Link { .. } | TagChange::Unlink { .. })
        | Change::Field(FieldChange::PutValue { .. } | FieldChange::ClearValue { .. })
        | Change::Conversation(ConversationChange::Touch { .. } | ConversationChange::Adopt { .. })
        | Change::Broadcast(
            BroadcastChange::FinishRecipient { .. }
            | BroadcastChange::SettleRecipient { .. }
            | BroadcastChange::Count { .. },
        )
        | Change::Webhook(
            WebhookChange::UpdateHealth { .. }
            | WebhookChange::Stamp { .. }
            | WebhookChange::CountAttempt { .. }
            | WebhookChange::RecordAttempt(_)
            | WebhookChange::InsertAttempt(_),
        )
        | Change::Analytics(AnalyticsChange::Record(_) | AnalyticsChange::RecordReply(_))
        | Change::Job(JobChange::Finish { .. } | JobChange::Reschedule { .. }) => Err(misplaced()),
    }
}

/// A change that has a kind came among those that have none: a mistake of this crate.
fn misplaced() -> Fault {
    tidings_domain::ports::StoreError::Corrupt("a change that belongs to another step".to_owned()).into()
}

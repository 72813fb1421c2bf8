//! One change set on one connection, inside a transaction that somebody else began.

use tidings_domain::ports::{Change, ChangeSet, Claim, MAX_BYTES, MAX_ROWS};

use crate::connection::Connection;
use crate::faults::Fault;
use crate::types::DbId;
use crate::{
    access, accounts, analytics, channels, contacts, conversations, events, fields, flows, guards, jobs, members,
    references, sequences, tags, webhook_counts, webhook_replays, webhooks,
};

/// Refuses a set that is larger than any decision should be.
pub(crate) fn check_size(set: &ChangeSet) -> Result<(), Fault> {
    let bytes: usize = set.events.iter().map(|event| event.full.len() + event.thin.len()).sum();
    if set.rows() > MAX_ROWS || bytes > 4 * MAX_BYTES {
        return Err(jobs::too_large(set.rows()).into());
    }
    Ok(())
}

/// Writes all of a set: guards, changes, events, jobs, the kept answer, in this order.
pub(crate) async fn apply(c: &mut Connection<'_>, set: &ChangeSet) -> Result<(), Fault> {
    let ws = DbId::from(set.workspace);
    for guard in &set.guards {
        guards::check(c, set, guard).await?;
    }
    for change in &set.changes {
        apply_change(c, ws, change).await?;
    }
    for event in &set.events {
        events::insert(c, ws, event).await?;
    }
    for job in &set.jobs {
        jobs::insert(c, ws, job).await?;
    }
    match &set.idempotency {
        Some(record) => events::keep(c, ws, record).await,
        None => Ok(()),
    }
}

async fn apply_change(c: &mut Connection<'_>, ws: DbId, change: &Change) -> Result<(), Fault> {
    match change {
        Change::InsertWorkspace(it) => access::insert_workspace(c, ws, it).await,
        Change::UpdateWorkspace(it) => access::update_workspace(c, ws, it).await,
        Change::FoundWorkspace(it) => access::found(c, ws, it).await,
        Change::InsertKey(it) => access::insert_key(c, ws, it).await,
        Change::ExpireKey { key, end, at } => access::expire_key(c, ws, *key, *end, *at).await,
        Change::RevokeKey { key, at } => access::revoke_key(c, ws, *key, *at).await,
        Change::InsertUser(it) => accounts::insert_user(c, it).await,
        Change::UpdateUser(it) => accounts::update_user(c, it).await,
        Change::InsertMember(it) => members::insert(c, ws, it).await,
        Change::UpdateMember(it) => members::update(c, ws, it).await,
        Change::DeleteMember(user) => members::delete(c, ws, *user).await,
        Change::InsertInvitation(it) => members::invite(c, ws, it).await,
        Change::DeleteInvitation(id) => members::withdraw(c, ws, *id).await,
        Change::InsertSession(it) => accounts::insert_session(c, it).await,
        Change::RevokeSession { session, at } => accounts::revoke_session(c, *session, *at).await,
        Change::RevokeSessionsOf { user, except, at } => accounts::revoke_sessions_of(c, *user, *except, *at).await,
        Change::InsertRefreshToken(it) => accounts::insert_token(c, it).await,
        Change::RotateRefreshToken { digest, at } => accounts::rotate_token(c, *digest, *at).await,
        Change::InsertSigningKey(it) => accounts::insert_signing_key(c, it).await,
        Change::CountLogin { before, attempts } => accounts::count_login(c, *before, attempts).await,
        Change::ForgetLogins { account } => accounts::forget_logins(c, account).await,
        Change::InsertChannel(it) => channels::insert(c, ws, it).await,
        Change::UpdateChannel(it) => channels::update(c, ws, it).await,
        Change::DeleteChannel { channel, at } => channels::delete(c, ws, *channel, *at).await,
        Change::InsertContact(it) => contacts::insert(c, ws, it).await,
        Change::UpdateContact(it) => contacts::update(c, ws, it).await,
        Change::InsertIdentity { contact, identity } => contacts::insert_identity(c, ws, *contact, identity).await,
        Change::SetOptIn { contact, channel, opted_in } => {
            contacts::set_opt_in(c, ws, *contact, *channel, *opted_in).await
        }
        Change::ReleaseIdentities { contact } => contacts::release_identities(c, ws, *contact).await,
        Change::RestoreContact(it) => contacts::restore(c, ws, it).await,
        Change::ReplaceIdentities { contact, identities } => {
            contacts::replace_identities(c, ws, *contact, identities).await
        }
        Change::LinkTag { contact, tag, at } => tags::link(c, ws, *contact, *tag, *at).await,
        Change::UnlinkTag { contact, tag } => tags::unlink(c, ws, *contact, *tag).await,
        Change::PutValue { contact, field, value } => fields::put_value(c, ws, *contact, *field, value).await,
        Change::ClearValue { contact, field } => fields::clear_value(c, ws, *contact, *field).await,
        Change::InsertTag(it) => tags::insert(c, ws, it).await,
        Change::UpdateTag(it) => tags::update(c, ws, it).await,
        Change::DeleteTag(id) => tags::delete(c, ws, *id).await,
        Change::SweepTagLinks { tag, limit } => tags::sweep(c, ws, *tag, *limit).await,
        Change::InsertField(it) => fields::insert(c, ws, it).await,
        Change::UpdateField(it) => fields::update(c, ws, it).await,
        Change::DeleteField(id) => fields::delete(c, ws, *id).await,
        Change::RetireOptions { field, from, to, unused } => fields::retire(c, ws, *field, from, to, *unused).await,
        Change::SweepValues { field, limit } => fields::sweep(c, ws, *field, *limit).await,
        Change::InsertBotField(it) => fields::insert_bot(c, ws, it).await,
        Change::UpdateBotField(it) => fields::update_bot(c, ws, it).await,
        Change::DeleteBotField(id) => fields::delete_bot(c, ws, *id).await,
        Change::PutReferences { owner, targets } => references::put(c, ws, *owner, targets).await,
        Change::LoseReferences { target, name, at } => references::lose(c, ws, *target, name, *at).await,
        Change::InsertConversation(it) => conversations::insert(c, ws, it).await,
        Change::UpdateConversation(it) => conversations::update(c, ws, it).await,
        Change::InsertMessage(it) => conversations::insert_message(c, ws, it).await,
        Change::UpdateMessage(it) => conversations::update_message(c, ws, it).await,
        Change::TouchConversation { conversation, contact, at } => {
            conversations::touch(c, ws, *conversation, *at).await?;
            contacts::touch(c, ws, *contact, *at).await
        }
        Change::InsertFlow(it) => flows::insert(c, ws, it).await,
        Change::UpdateFlow(it) => flows::update(c, ws, it).await,
        Change::InsertFlowVersion(it) => flows::insert_version(c, ws, it).await,
        Change::InsertRun(it) => flows::insert_run(c, ws, it).await,
        Change::UpdateRun(it) => flows::update_run(c, ws, it).await,
        Change::InterruptRuns { contact, at } => flows::interrupt_runs(c, ws, *contact, *at).await,
        Change::DropSteps { run } => flows::drop_steps(c, ws, *run).await,
        Change::InterruptFlow { flow, at } => flows::interrupt_flow(c, ws, *flow, *at).await,
        Change::MigrateRuns { flow, to, nodes, at } => flows::migrate_runs(c, ws, *flow, *to, nodes, *at).await,
        Change::WakeRuns { flow, at } => flows::wake_runs(c, ws, *flow, *at).await,
        Change::PutTriggers { flow, triggers } => flows::put_triggers(c, ws, *flow, triggers).await,
        Change::DeleteFlow { flow, at } => flows::delete(c, ws, *flow, *at).await,
        Change::InsertSequence(it) => sequences::insert(c, ws, it).await,
        Change::UpdateSequence(it) => sequences::update(c, ws, it).await,
        Change::InsertEnrollment(it) => sequences::insert_enrollment(c, ws, it).await,
        Change::UpdateEnrollment(it) => sequences::update_enrollment(c, ws, it).await,
        Change::ExitEnrollments { contact, reason, at } => {
            sequences::exit_enrollments(c, ws, *contact, *reason, *at).await
        }
        Change::InsertWebhook(it) => webhooks::insert(c, ws, it).await,
        Change::UpdateWebhook(it) => webhooks::update(c, ws, it).await,
        Change::UpdateWebhookHealth { webhook, health } => webhooks::update_health(c, ws, *webhook, health).await,
        Change::StampWebhook { webhook, at } => webhooks::stamp(c, ws, *webhook, *at).await,
        Change::DeleteWebhook(id) => webhooks::delete(c, ws, *id).await,
        Change::CountAttempt(it) => webhook_counts::add(c, ws, it).await,
        Change::PutReplay(it) => webhook_replays::put(c, ws, it).await,
        Change::DropReplay(id) => webhook_replays::drop(c, ws, *id).await,
        Change::InsertDelivery(it) => webhooks::insert_delivery(c, ws, it).await,
        Change::UpdateDelivery(it) => webhooks::update_delivery(c, ws, it).await,
        Change::InsertAttempt(it) => webhooks::insert_attempt(c, ws, it).await,
        Change::RecordFact(it) => analytics::record(c, ws, it).await,
        Change::FinishJob { job, token } => guards::finish_job(c, ws, Claim { job: *job, token: *token }).await,
        Change::RescheduleJob { job, token, due_at, error } => {
            jobs::reschedule(c, ws, Claim { job: *job, token: *token }, *due_at, error.clone()).await
        }
        Change::ParkJob { job, token } => jobs::park(c, ws, Claim { job: *job, token: *token }).await,
        Change::ReleaseJobs { group, due_at } => jobs::release(c, ws, *group, *due_at).await,
        Change::BuryJob { job, token, error, at } => {
            jobs::bury(c, ws, Claim { job: *job, token: *token }, error.clone(), *at).await
        }
    }
}

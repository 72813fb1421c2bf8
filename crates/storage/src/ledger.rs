//! One change set on one connection, inside a transaction that somebody else began.

use tidings_domain::ports::{
    AccessChange, AccountChange, AnalyticsChange, Change, ChangeSet, ChannelChange, Claim, ContactChange,
    ConversationChange, FieldChange, FlowChange, JobChange, MAX_BYTES, MAX_ROWS, ReferenceChange, Row, SequenceChange,
    TagChange, WebhookChange,
};

use crate::connection::Connection;
use crate::faults::Fault;
use crate::types::DbId;
use crate::{
    access, accounts, analytics, channels, contacts, conversations, deletes, events, fields, flows, guards, jobs,
    members, references, sequences, tags, webhook_counts, webhook_replays, webhooks,
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
        Change::Insert(Row::Workspace(it)) => access::insert_workspace(c, ws, it).await,
        Change::Update(Row::Workspace(it)) => access::update_workspace(c, ws, it).await,
        Change::Delete(object) => deletes::delete(c, ws, *object).await,
        Change::Access(AccessChange::FoundWorkspace(it)) => access::found(c, ws, it).await,
        Change::Access(AccessChange::InsertKey(it)) => access::insert_key(c, ws, it).await,
        Change::Access(AccessChange::ExpireKey { key, end, at }) => access::expire_key(c, ws, *key, *end, *at).await,
        Change::Access(AccessChange::RevokeKey { key, at }) => access::revoke_key(c, ws, *key, *at).await,
        Change::Insert(Row::User(it)) => accounts::insert_user(c, it).await,
        Change::Update(Row::User(it)) => accounts::update_user(c, it).await,
        Change::Insert(Row::Member(it)) => members::insert(c, ws, it).await,
        Change::Update(Row::Member(it)) => members::update(c, ws, it).await,
        Change::Access(AccessChange::InsertInvitation(it)) => members::invite(c, ws, it).await,
        Change::Account(AccountChange::InsertSession(it)) => accounts::insert_session(c, it).await,
        Change::Account(AccountChange::RevokeSession { session, at }) => {
            accounts::revoke_session(c, *session, *at).await
        }
        Change::Account(AccountChange::RevokeSessionsOf { user, except, at }) => {
            accounts::revoke_sessions_of(c, *user, *except, *at).await
        }
        Change::Account(AccountChange::InsertRefreshToken(it)) => accounts::insert_token(c, it).await,
        Change::Account(AccountChange::RotateRefreshToken { digest, at }) => {
            accounts::rotate_token(c, *digest, *at).await
        }
        Change::Account(AccountChange::InsertSigningKey(it)) => accounts::insert_signing_key(c, it).await,
        Change::Account(AccountChange::CountLogin { before, attempts }) => {
            accounts::count_login(c, *before, attempts).await
        }
        Change::Account(AccountChange::ForgetLogins { account }) => accounts::forget_logins(c, account).await,
        Change::Insert(Row::Channel(it)) => channels::insert(c, ws, it).await,
        Change::Update(Row::Channel(it)) => channels::update(c, ws, it).await,
        Change::Channel(ChannelChange::Delete { channel, at }) => channels::delete(c, ws, *channel, *at).await,
        Change::Insert(Row::Contact(it)) => contacts::insert(c, ws, it).await,
        Change::Update(Row::Contact(it)) => contacts::update(c, ws, it).await,
        Change::Contact(ContactChange::InsertIdentity { contact, identity }) => {
            contacts::insert_identity(c, ws, *contact, identity).await
        }
        Change::Contact(ContactChange::SetOptIn { contact, channel, opted_in }) => {
            contacts::set_opt_in(c, ws, *contact, *channel, *opted_in).await
        }
        Change::Contact(ContactChange::ReleaseIdentities { contact }) => {
            contacts::release_identities(c, ws, *contact).await
        }
        Change::Contact(ContactChange::Restore(it)) => contacts::restore(c, ws, it).await,
        Change::Contact(ContactChange::ReplaceIdentities { contact, identities }) => {
            contacts::replace_identities(c, ws, *contact, identities).await
        }
        Change::Tag(TagChange::Link { contact, tag, at }) => tags::link(c, ws, *contact, *tag, *at).await,
        Change::Tag(TagChange::Unlink { contact, tag }) => tags::unlink(c, ws, *contact, *tag).await,
        Change::Field(FieldChange::PutValue { contact, field, value }) => {
            fields::put_value(c, ws, *contact, *field, value).await
        }
        Change::Field(FieldChange::ClearValue { contact, field }) => fields::clear_value(c, ws, *contact, *field).await,
        Change::Insert(Row::Tag(it)) => tags::insert(c, ws, it).await,
        Change::Update(Row::Tag(it)) => tags::update(c, ws, it).await,
        Change::Tag(TagChange::SweepLinks { tag, limit }) => tags::sweep(c, ws, *tag, *limit).await,
        Change::Insert(Row::Field(it)) => fields::insert(c, ws, it).await,
        Change::Update(Row::Field(it)) => fields::update(c, ws, it).await,
        Change::Field(FieldChange::RetireOptions { field, from, to, unused }) => {
            fields::retire(c, ws, *field, from, to, *unused).await
        }
        Change::Field(FieldChange::SweepValues { field, limit }) => fields::sweep(c, ws, *field, *limit).await,
        Change::Insert(Row::BotField(it)) => fields::insert_bot(c, ws, it).await,
        Change::Update(Row::BotField(it)) => fields::update_bot(c, ws, it).await,
        Change::Reference(ReferenceChange::Put { owner, targets }) => references::put(c, ws, *owner, targets).await,
        Change::Reference(ReferenceChange::Lose { target, name, at }) => {
            references::lose(c, ws, *target, name, *at).await
        }
        Change::Insert(Row::Conversation(it)) => conversations::insert(c, ws, it).await,
        Change::Update(Row::Conversation(it)) => conversations::update(c, ws, it).await,
        Change::Insert(Row::Message(it)) => conversations::insert_message(c, ws, it).await,
        Change::Update(Row::Message(it)) => conversations::update_message(c, ws, it).await,
        Change::Conversation(ConversationChange::Touch { conversation, contact, at }) => {
            conversations::touch(c, ws, *conversation, *at).await?;
            contacts::touch(c, ws, *contact, *at).await
        }
        Change::Insert(Row::Flow(it)) => flows::insert(c, ws, it).await,
        Change::Update(Row::Flow(it)) => flows::update(c, ws, it).await,
        Change::Flow(FlowChange::InsertVersion(it)) => flows::insert_version(c, ws, it).await,
        Change::Insert(Row::Run(it)) => flows::insert_run(c, ws, it).await,
        Change::Update(Row::Run(it)) => flows::update_run(c, ws, it).await,
        Change::Flow(FlowChange::InterruptRuns { contact, at }) => flows::interrupt_runs(c, ws, *contact, *at).await,
        Change::Flow(FlowChange::DropSteps { run }) => flows::drop_steps(c, ws, *run).await,
        Change::Flow(FlowChange::Interrupt { flow, at }) => flows::interrupt_flow(c, ws, *flow, *at).await,
        Change::Flow(FlowChange::MigrateRuns { flow, to, nodes, at }) => {
            flows::migrate_runs(c, ws, *flow, *to, nodes, *at).await
        }
        Change::Flow(FlowChange::WakeRuns { flow, at }) => flows::wake_runs(c, ws, *flow, *at).await,
        Change::Flow(FlowChange::PutTriggers { flow, triggers }) => flows::put_triggers(c, ws, *flow, triggers).await,
        Change::Flow(FlowChange::Delete { flow, at }) => flows::delete(c, ws, *flow, *at).await,
        Change::Insert(Row::Sequence(it)) => sequences::insert(c, ws, it).await,
        Change::Update(Row::Sequence(it)) => sequences::update(c, ws, it).await,
        Change::Insert(Row::Enrollment(it)) => sequences::insert_enrollment(c, ws, it).await,
        Change::Update(Row::Enrollment(it)) => sequences::update_enrollment(c, ws, it).await,
        Change::Sequence(SequenceChange::ExitEnrollments { contact, reason, at }) => {
            sequences::exit_enrollments(c, ws, *contact, *reason, *at).await
        }
        Change::Insert(Row::Webhook(it)) => webhooks::insert(c, ws, it).await,
        Change::Update(Row::Webhook(it)) => webhooks::update(c, ws, it).await,
        Change::Webhook(WebhookChange::UpdateHealth { webhook, health }) => {
            webhooks::update_health(c, ws, *webhook, health).await
        }
        Change::Webhook(WebhookChange::Stamp { webhook, at }) => webhooks::stamp(c, ws, *webhook, *at).await,
        Change::Webhook(WebhookChange::CountAttempt(it)) => webhook_counts::add(c, ws, it).await,
        Change::Webhook(WebhookChange::PutReplay(it)) => webhook_replays::put(c, ws, it).await,
        Change::Webhook(WebhookChange::DropReplay(id)) => webhook_replays::drop(c, ws, *id).await,
        Change::Insert(Row::Delivery(it)) => webhooks::insert_delivery(c, ws, it).await,
        Change::Update(Row::Delivery(it)) => webhooks::update_delivery(c, ws, it).await,
        Change::Webhook(WebhookChange::InsertAttempt(it)) => webhooks::insert_attempt(c, ws, it).await,
        Change::Analytics(AnalyticsChange::Record(it)) => analytics::record(c, ws, it).await,
        Change::Job(JobChange::Finish { job, token }) => {
            guards::finish_job(c, ws, Claim { job: *job, token: *token }).await
        }
        Change::Job(JobChange::Reschedule { job, token, due_at, error }) => {
            jobs::reschedule(c, ws, Claim { job: *job, token: *token }, *due_at, error.clone()).await
        }
        Change::Job(JobChange::Park { job, token }) => jobs::park(c, ws, Claim { job: *job, token: *token }).await,
        Change::Job(JobChange::Release { group, due_at }) => jobs::release(c, ws, *group, *due_at).await,
        Change::Job(JobChange::Bury { job, token, error, at }) => {
            jobs::bury(c, ws, Claim { job: *job, token: *token }, error.clone(), *at).await
        }
    }
}

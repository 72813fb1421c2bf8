//! Deletion of expired rows.

use std::time::Duration;

use tidings_domain::channels::{EVENT_DAYS, UNPARSED_DAYS};
use tidings_domain::media::UNUSED_HOURS;
use tidings_domain::ports::{StoreError, SweepPlace};
use tidings_domain::retention::days;
use tidings_domain::time::Timestamp;

use super::BATCH;
use crate::pool::LoopContext;

/// Retention of responses to requests with an idempotency key.
const KEPT: Duration = Duration::from_secs(24 * 3_600);
/// Retention of attempt counters. Statistics cover the last day.
const COUNTS_KEPT: Duration = Duration::from_secs(48 * 3_600);
/// Interval between complete passes over old messages. Passes between them examine only messages that became old.
const MESSAGES_EVERY: Duration = Duration::from_secs(24 * 3_600);
/// Retention of files that no message uses.
const UNUSED_KEPT: Duration = Duration::from_secs(UNUSED_HOURS * 3_600);
/// As [`BATCH`], for large rows: events with their deliveries, deliveries with their attempts, and requests that were not
/// understood.
const EVENT_BATCH: u32 = 100;

/// Instants from where the next deletion of dependent rows continues.
pub(super) struct Passed {
    /// Runs that ended before this have no traces left.
    traces: Timestamp,
    /// Broadcasts that ended before this have no recipients left.
    recipients: Timestamp,
    /// Messages up to this place were examined since `pass_began`.
    messages: SweepPlace,
    /// Start of the last complete pass over old messages.
    pass_began: Option<Timestamp>,
    /// Contacts that were deleted up to this place are erased.
    contacts: SweepPlace,
}

impl Default for Passed {
    fn default() -> Self {
        let start = Timestamp::from_millis(0);
        let (messages, contacts) = (SweepPlace::before(start), SweepPlace::before(start));
        Self { traces: start, recipients: start, messages, pass_began: None, contacts }
    }
}

/// Deletes expired rows in batches of bounded size.
pub(super) async fn expire(context: &LoopContext, passed: &mut Passed) -> Result<(), StoreError> {
    let (store, now, kept) = (&context.store, context.clock.now(), context.settings.retention);
    while store.expire_idempotency(now.minus(KEPT), BATCH).await? >= u64::from(BATCH) {}
    let (deliveries, events) = (now.minus(days(kept.deliveries)), now.minus(days(kept.events)));
    while store.expire_deliveries(deliveries, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    while store.expire_events(events, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    while store.expire_counts(now.minus(COUNTS_KEPT), BATCH).await? >= u64::from(BATCH) {}
    let custom_events = now.minus(days(kept.custom_events));
    while store.expire_custom_events(custom_events, BATCH).await? >= u64::from(BATCH) {}
    let received = now.minus(days(UNPARSED_DAYS));
    while store.expire_unparsed(received, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    let received = now.minus(days(EVENT_DAYS));
    while store.expire_provider_events(received, BATCH).await? >= u64::from(BATCH) {}
    expire_content(context, passed).await?;
    while store.expire_media(now.minus(UNUSED_KEPT), BATCH).await? >= u64::from(BATCH) {}
    while store.expire_audit_log(now.minus(days(kept.audit_log)), BATCH).await? >= u64::from(BATCH) {}
    let ended = now.minus(days(kept.traces));
    while let Some(next) = store.expire_traces(passed.traces, ended, EVENT_BATCH).await? {
        passed.traces = next;
    }
    passed.traces = passed.traces.max(ended);
    while store.expire_runs(now.minus(days(kept.runs)), EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    let ended = now.minus(days(kept.recipients));
    while let Some(next) = store.expire_recipients(passed.recipients, ended, BATCH).await? {
        passed.recipients = next;
    }
    passed.recipients = passed.recipients.max(ended);
    Ok(())
}

/// Deletes old messages and conversations, and erases contacts that were deleted long ago, if they have a retention.
async fn expire_content(context: &LoopContext, passed: &mut Passed) -> Result<(), StoreError> {
    let (store, now, kept) = (&context.store, context.clock.now(), context.settings.retention);
    if kept.messages > 0 {
        let before = now.minus(days(kept.messages));
        if passed.pass_began.is_none_or(|began| began.plus(MESSAGES_EVERY) <= now) {
            // Messages that remained earlier may be deleted now: their conversations have newer messages, for example.
            (passed.messages, passed.pass_began) = (SweepPlace::before(Timestamp::from_millis(0)), Some(now));
        }
        while let Some(next) = store.expire_messages(passed.messages, before, EVENT_BATCH).await? {
            passed.messages = next;
        }
        passed.messages = passed.messages.max(SweepPlace::before(before));
    }
    if kept.conversations > 0 {
        let before = now.minus(days(kept.conversations));
        while store.expire_conversations(before, EVENT_BATCH).await? >= u64::from(EVENT_BATCH) {}
    }
    if kept.deleted_contacts > 0 {
        let before = now.minus(days(kept.deleted_contacts));
        while let Some(next) = context.performer.erase_deleted(passed.contacts, before, EVENT_BATCH).await? {
            passed.contacts = next;
        }
        passed.contacts = passed.contacts.max(SweepPlace::before(before));
    }
    Ok(())
}

//! Broadcasts, their recipients and their counts.

use std::ops::Range;

use async_trait::async_trait;

use super::apply::Applied;
use super::{JobRecord, MemoryStore, State};
use crate::access::Access;
use crate::analytics::{Fact, of_broadcast};
use crate::broadcasts::{
    Broadcast, BroadcastChange, BroadcastRecipient, BroadcastStats, BroadcastStatus, Count, RecipientMessage,
    RecipientResult, RecipientStatus, WaitingRecipient, portion_waits,
};
use crate::contacts::{Contact, ContactFilter, ContactStatus, UnreachedRecipients};
use crate::ids::{BroadcastId, ContactId, JobId, MessageId, TypedId, WorkspaceId};
use crate::list_filter::ListFilter;
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::pagination::{Page, PageRequest};
use crate::ports::{BroadcastQueries, Conflict, HeldUntil, Job, NewJob, Object};
use crate::time::Timestamp;

/// A recipient, with its message if there is one.
#[derive(Debug, Clone)]
pub(super) struct StoredRecipient {
    recipient: WaitingRecipient,
    message: Option<MessageId>,
    result: RecipientResult,
}

impl State {
    pub(super) fn change_broadcasts(&mut self, ws: WorkspaceId, change: BroadcastChange) -> Applied {
        match change {
            BroadcastChange::Freeze { broadcast, selection, unreached, due_at, zones } => {
                let filter = ContactFilter { selection: Some(*selection), unreached, ..ContactFilter::default() };
                let own = |zone: Option<&str>| zone.and_then(|zone| zones.get(zone).copied()).unwrap_or(due_at);
                let mut chosen: Vec<_> = self.admitted(ws, &filter);
                chosen.sort_by_key(|it| (own(it.time_zone.as_ref().map(|zone| zone.as_str())), it.id));
                let targeted = i64::try_from(chosen.len()).unwrap_or(i64::MAX);
                for (place, contact) in (0..).zip(&chosen) {
                    let due_at = own(contact.time_zone.as_ref().map(|zone| zone.as_str()));
                    let recipient = WaitingRecipient { contact: contact.id, place, due_at };
                    let result = RecipientResult { status: RecipientStatus::Waiting, code: None };
                    let kept = StoredRecipient { recipient, message: None, result };
                    self.broadcast_recipients.insert((ws, (broadcast, place)), kept);
                }
                let frozen = self.broadcasts.get_mut(&(ws, broadcast));
                frozen.ok_or(Conflict::Stale(Object::Broadcast(broadcast)))?.targeted = targeted;
                Ok(())
            }
            BroadcastChange::FinishRecipient { broadcast, contact, message, result } => {
                let mut own =
                    self.broadcast_recipients.iter_mut().filter(|((of, (it, _)), _)| *of == ws && *it == broadcast);
                let waiting = own.find(|(_, it)| it.recipient.contact == contact && it.message.is_none());
                let (_, kept) = waiting.ok_or(Conflict::Stale(Object::Broadcast(broadcast)))?;
                (kept.message, kept.result) = (Some(message), result);
                Ok(())
            }
            BroadcastChange::SettleRecipient { broadcast, contact, message, result } => {
                let own =
                    self.broadcast_recipients.iter_mut().filter(|((of, (it, _)), _)| *of == ws && *it == broadcast);
                let made = |it: &&mut StoredRecipient| it.recipient.contact == contact && it.message == Some(message);
                own.map(|(_, it)| it).filter(made).for_each(|it| it.result = result.clone());
                Ok(())
            }
            BroadcastChange::RequireOpen { broadcast, made } => {
                let it = self.broadcasts.get(&(ws, broadcast)).ok_or(Conflict::Stale(Object::Broadcast(broadcast)))?;
                let outcomes = BroadcastStats::of(it.targeted, &self.outcome_counts(ws, broadcast)).outcomes();
                match portion_waits(made, outcomes) {
                    true => Ok(()),
                    false => Err(Conflict::Stale(Object::Broadcast(broadcast)).into()),
                }
            }
            BroadcastChange::Count { id, broadcast, count, amount, at } => {
                let key = (ws, (broadcast, count.as_str()));
                self.broadcast_counts.entry(key).or_insert((count, 0)).1 += amount;
                if count.is_outcome() && !ws.is_sandbox() {
                    self.close_if_settled(ws, broadcast, NewJob::new(JobId::from_uuid(id), close(broadcast), at));
                    self.continue_portions(ws, broadcast, at);
                }
                if let Some((metric, dimension)) = of_broadcast(broadcast, count) {
                    self.facts.insert((ws, id), Fact { id, metric, dimension, amount, at });
                }
                Ok(())
            }
        }
    }
}

fn close(broadcast: BroadcastId) -> Job {
    Job::CloseBroadcast { broadcast, round: 0 }
}

impl State {
    /// Queues the job that closes a broadcast, if all its recipients have an outcome.
    fn close_if_settled(&mut self, ws: WorkspaceId, broadcast: BroadcastId, job: NewJob) {
        let Some(it) = self.broadcasts.get(&(ws, broadcast)).filter(|it| !it.status.is_over()) else { return };
        if BroadcastStats::of(it.targeted, &self.outcome_counts(ws, broadcast)).outcomes() >= it.targeted {
            self.jobs.insert(job.id, JobRecord::new(ws, job));
        }
    }

    /// Releases the next portion of a broadcast, if enough messages have an outcome.
    fn continue_portions(&mut self, ws: WorkspaceId, broadcast: BroadcastId, at: Timestamp) {
        let sent = self.broadcasts.get(&(ws, broadcast)).filter(|it| it.status == BroadcastStatus::Sending);
        let Some(it) = sent else { return };
        let outcomes = BroadcastStats::of(it.targeted, &self.outcome_counts(ws, broadcast)).outcomes();
        let until = HeldUntil::BroadcastContinues(broadcast);
        let may_continue = |kept: &JobRecord| {
            let waits = kept.workspace == ws && kept.held.is_some_and(|(it, _)| it == until);
            waits && matches!(kept.queued.job, Job::SendPortion { place, .. } if !portion_waits(place.from, outcomes))
        };
        if self.jobs.values().any(may_continue) {
            self.release_held(ws, until, at);
        }
    }

    /// Whether a repeat of the broadcast includes the contact.
    pub(super) fn is_unreached(&self, ws: WorkspaceId, of: UnreachedRecipients, contact: &Contact) -> bool {
        let own = self
            .broadcast_recipients
            .iter()
            .filter(|((it, _), kept)| *it == ws && kept.recipient.contact == contact.id);
        let results: Vec<_> = own.map(|((_, (broadcast, _)), kept)| (*broadcast, &kept.result)).collect();
        // Recipients who were merged into the contact are the same person.
        let is_merged = |it: ContactId| self.merges.get(&(ws, it)).is_some_and(|merge| merge.into == contact.id);
        let merged =
            self.broadcast_recipients.iter().filter(|((it, _), kept)| *it == ws && is_merged(kept.recipient.contact));
        let merged: Vec<_> = merged.map(|((_, (broadcast, _)), kept)| (*broadcast, &kept.result)).collect();
        let got = |(broadcast, it): &(BroadcastId, &RecipientResult)| {
            *broadcast == of.first && it.status.prevents_repeat(true)
        };
        let may_repeat = |(broadcast, it): &(BroadcastId, &RecipientResult)| {
            *broadcast == of.first && it.status.may_repeat(it.code.as_deref())
        };
        let prevents = |(broadcast, it): &(BroadcastId, &RecipientResult)| {
            let repeat = self.broadcasts.get(&(ws, *broadcast));
            repeat.is_some_and(|repeat| {
                repeat.repeats == Some(of.first)
                    && repeat.id != of.repeat
                    && it.status.prevents_repeat(repeat.status.is_over())
            })
        };
        let is_willing = contact.subscribed && contact.status == ContactStatus::Active;
        let is_reachable = is_willing && contact.identity(of.channel).is_some_and(|identity| identity.opted_in);
        is_reachable
            && results.iter().any(may_repeat)
            && !results.iter().chain(&merged).any(prevents)
            && !merged.iter().any(got)
    }

    fn outcome_counts(&self, ws: WorkspaceId, broadcast: BroadcastId) -> Vec<(Count, i64)> {
        let own = self.broadcast_counts.iter().filter(|((of, (it, _)), _)| *of == ws && *it == broadcast);
        own.map(|(_, counted)| *counted).collect()
    }

    /// Removes recipients of the earliest broadcast that ended in this period and still has recipients.
    pub(super) fn expire_recipients(&mut self, ended: Range<Timestamp>, limit: usize) -> Option<Timestamp> {
        let of = |key: &(WorkspaceId, BroadcastId)| (key.0, (key.1, i64::MIN))..=(key.0, (key.1, i64::MAX));
        let old =
            self.broadcasts.iter().filter_map(|(key, it)| Some((it.ended_at.filter(|at| ended.contains(at))?, *key)));
        let (at, key) = old.filter(|(_, key)| self.broadcast_recipients.range(of(key)).next().is_some()).min()?;
        let rows: Vec<_> = self.broadcast_recipients.range(of(&key)).map(|(row, _)| *row).take(limit).collect();
        for row in rows {
            self.broadcast_recipients.remove(&row);
        }
        Some(at)
    }
}

#[async_trait]
impl BroadcastQueries for MemoryStore {
    async fn get(&self, access: &Access, broadcast: BroadcastId) -> Answer<Option<Broadcast>> {
        Ok(self.lock().broadcasts.get(&(access.workspace(), broadcast)).cloned())
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<BroadcastStatus>,
        request: PageRequest,
    ) -> Answer<Page<Broadcast>> {
        let found =
            of(&self.lock().broadcasts, access.workspace(), |it: &Broadcast| filter.admits(&it.filter_fields()));
        Ok(page(found, request, |it: &Broadcast| at(it.created_at, it.id)))
    }

    async fn counts(&self, access: &Access, broadcasts: &[BroadcastId]) -> Answer<Vec<(BroadcastId, Count, i64)>> {
        let state = self.lock();
        let own = state
            .broadcast_counts
            .iter()
            .filter(|((ws, (of, _)), _)| *ws == access.workspace() && broadcasts.contains(of));
        Ok(own.map(|((_, (of, _)), (count, amount))| (*of, *count, *amount)).collect())
    }

    async fn outcome_counts(&self, access: &Access, broadcast: BroadcastId) -> Answer<Vec<(Count, i64)>> {
        Ok(self.lock().outcome_counts(access.workspace(), broadcast))
    }

    async fn waiting(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        places: Range<i64>,
        limit: u32,
    ) -> Answer<Vec<WaitingRecipient>> {
        let (state, ws) = (self.lock(), access.workspace());
        let own = state
            .broadcast_recipients
            .range((ws, (broadcast, places.start))..(ws, (broadcast, places.end.max(places.start))));
        let waiting = own.filter(|(_, it)| it.message.is_none()).map(|(_, it)| it.recipient);
        Ok(waiting.take(limit as usize).collect())
    }
    async fn recipients(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        status: Option<RecipientStatus>,
        request: PageRequest,
    ) -> Answer<Page<BroadcastRecipient>> {
        let (state, ws) = (self.lock(), access.workspace());
        let own = state.broadcast_recipients.range((ws, (broadcast, i64::MIN))..=(ws, (broadcast, i64::MAX)));
        let asked = own.filter(|(_, kept)| status.is_none_or(|status| kept.result.status == status));
        let shown = asked.map(|(_, kept)| {
            let message = kept.message.and_then(|message| state.messages.get(&(ws, message)));
            let message = message.map(|it| RecipientMessage {
                id: it.id,
                contact: it.contact,
                status: it.status,
                error: it.error.clone(),
                updated_at: it.updated_at,
            });
            BroadcastRecipient { contact: kept.recipient.contact, result: kept.result.clone(), message }
        });
        Ok(page(shown.collect(), request, BroadcastRecipient::position))
    }
}

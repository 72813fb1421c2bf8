//! Changes, on a copy of the store.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Job, State};
use crate::channels::Channel;
use crate::contacts::{Contact, Identity};
use crate::conversations::{Direction, Message};
use crate::flows::{Run, RunStatus};
use crate::ids::{ChannelId, ContactId, RunId, TypedId, WorkspaceId};
use crate::ports::{
    AccessChange, AnalyticsChange, Change, ChangeSet, ChannelChange, Claim, CommitError, Conflict, ContactChange,
    ConversationChange, FieldChange, FlowChange, Guard, JobChange, JobKind, NewJob, Object, ReferenceChange, Row,
    StoreError, TagChange, UniqueKey, WebhookChange,
};
use crate::time::Timestamp;

pub(super) type Applied = Result<(), CommitError>;

/// Puts a row where none is.
pub(super) fn insert<K: Ord, T>(rows: &mut BTreeMap<K, T>, key: K, row: T) -> Applied {
    match rows.entry(key) {
        std::collections::btree_map::Entry::Vacant(place) => {
            place.insert(row);
            Ok(())
        }
        std::collections::btree_map::Entry::Occupied(_) => {
            Err(StoreError::Corrupt("the id is in use".to_owned()).into())
        }
    }
}

/// Replaces a row whose version is one less.
pub(super) fn update<K: Ord, T>(
    rows: &mut BTreeMap<K, T>,
    key: &K,
    row: T,
    version: impl Fn(&T) -> i64,
    object: Object,
) -> Applied {
    match rows.get_mut(key) {
        Some(place) if version(place) + 1 == version(&row) => {
            *place = row;
            Ok(())
        }
        _ => Err(Conflict::Stale(object).into()),
    }
}

pub(super) fn delete<K: Ord, T>(rows: &mut BTreeMap<K, T>, key: &K, object: Object) -> Applied {
    rows.remove(key).map(|_| ()).ok_or_else(|| Conflict::Stale(object).into())
}

pub(super) fn unique(taken: bool, key: UniqueKey) -> Applied {
    if taken { Err(Conflict::Exists(key).into()) } else { Ok(()) }
}

/// A row of another workspace in a set is its maker's mistake.
fn own(ws: WorkspaceId, of: WorkspaceId) -> Applied {
    let foreign = || StoreError::Corrupt("a change set with a row of another workspace".to_owned());
    if ws == of { Ok(()) } else { Err(foreign().into()) }
}

pub(super) fn referenced(there: bool) -> Applied {
    if there { Ok(()) } else { Err(StoreError::Corrupt("what the row refers to is not there".to_owned()).into()) }
}

impl State {
    pub(super) fn apply(&mut self, set: ChangeSet) -> Applied {
        let ws = set.workspace;
        for guard in &set.guards {
            self.check(ws, guard)?;
        }
        for change in set.changes {
            self.change(ws, change)?;
        }
        for event in set.events {
            self.unnumbered.push((ws, event.id));
            insert(&mut self.events, (ws, event.id), event)?;
        }
        for mut job in set.jobs {
            let lease = job.lease.take();
            let (claimed, parked, dead) = (lease.is_some(), false, false);
            job.due_at = lease.map_or(job.due_at, |lease| job.due_at.plus(lease));
            let token = if claimed { NewJob::FIRST_TOKEN } else { 0 };
            let claims = i32::from(claimed);
            let job = Job { workspace: ws, job, claimed, token, claims, attempts: 0, parked, dead };
            insert(&mut self.jobs, job.job.id, job)?;
        }
        if let Some(record) = set.idempotency {
            let key = (ws, (record.method.clone(), record.route.clone(), record.key.clone()));
            let kept = self.answers.get(&key).map(|kept| kept.created_at);
            if kept.is_some_and(|at| at > record.created_at.minus(Duration::from_secs(86_400))) {
                return Err(Conflict::IdempotencyKeyUsed.into());
            }
            self.answers.insert(key, record);
        }
        Ok(())
    }

    fn change(&mut self, ws: WorkspaceId, change: Change) -> Applied {
        match change {
            Change::Insert(Row::Workspace(it)) => {
                own(ws, it.id)?;
                insert(&mut self.workspaces, it.id, it)
            }
            Change::Update(Row::Workspace(it)) => {
                own(ws, it.id)?;
                let object = Object::Workspace(it.id);
                update(&mut self.workspaces, &ws, it, |it| it.version, object)
            }
            Change::Access(AccessChange::InsertKey(it)) => {
                own(ws, it.workspace)?;
                unique(self.keys.values().any(|key| key.digest == it.digest), UniqueKey::KeyDigest)?;
                insert(&mut self.keys, it.id, it)
            }
            Change::Access(AccessChange::RevokeKey { key, at }) => {
                let found = self.keys.get_mut(&key).filter(|key| key.workspace == ws && key.revoked_at.is_none());
                let revoke = |key: &mut crate::access::ApiKey| {
                    key.revoked_at = Some(at);
                    key.touch(at);
                };
                found.map(revoke).ok_or_else(|| Conflict::Stale(Object::Key(key)).into())
            }
            Change::Insert(Row::Channel(it)) => {
                let other = self.channels.iter().any(|((of, _), channel)| *of == ws && channel.is_default);
                unique(it.is_default && other, UniqueKey::DefaultChannel)?;
                unique(self.token_taken(&it), UniqueKey::InboundToken)?;
                insert(&mut self.channels, (ws, it.id), it)
            }
            Change::Update(Row::Channel(it)) => {
                let (id, object) = (it.id, Object::Channel(it.id));
                let mut others = self.channels.iter().filter(|((of, other), _)| *of == ws && *other != id);
                unique(it.is_default && others.any(|(_, other)| other.is_default), UniqueKey::DefaultChannel)?;
                unique(self.token_taken(&it), UniqueKey::InboundToken)?;
                update(&mut self.channels, &(ws, id), it, |it| it.version, object)
            }
            Change::Channel(ChannelChange::Delete { channel, .. }) => {
                delete(&mut self.channels, &(ws, channel), Object::Channel(channel))?;
                self.gone_channels.insert((ws, channel));
                Ok(())
            }
            Change::Insert(Row::Contact(it)) => {
                self.identifiers_free(ws, &it)?;
                insert(&mut self.contacts, (ws, it.id), *it)
            }
            Change::Update(Row::Contact(mut it)) => {
                let (id, object) = (it.id, Object::Contact(it.id));
                let before = self.contacts.get(&(ws, id)).filter(|before| before.deleted_at.is_none());
                let before = before.ok_or(Conflict::Stale(object))?;
                it.last_message_at = before.last_message_at;
                if it.deleted_at.is_none() {
                    self.identifiers_free(ws, &it)?;
                }
                update(&mut self.contacts, &(ws, id), *it, |it| it.version, object)
            }
            Change::Contact(ContactChange::InsertIdentity { contact, identity }) => self.reach(ws, contact, identity),
            Change::Contact(ContactChange::ReplaceIdentities { contact, identities }) => {
                self.identities.remove(&(ws, contact));
                identities.into_iter().try_for_each(|identity| self.reach(ws, contact, identity))
            }
            Change::Contact(ContactChange::Restore(mut it)) => {
                let (id, object) = (it.id, Object::Contact(it.id));
                let before = self.contacts.get(&(ws, id)).filter(|before| before.deleted_at.is_some());
                it.last_message_at = before.ok_or(Conflict::Stale(object))?.last_message_at;
                self.identifiers_free(ws, &it)?;
                update(&mut self.contacts, &(ws, id), *it, |it| it.version, object)
            }
            Change::Contact(ContactChange::SetOptIn { contact, channel, opted_in }) => {
                for (identity, _) in self.identities.get_mut(&(ws, contact)).into_iter().flatten() {
                    if identity.channel == channel {
                        identity.opted_in = opted_in;
                    }
                }
                Ok(())
            }
            Change::Contact(ContactChange::ReleaseIdentities { contact }) => {
                for (_, live) in self.identities.get_mut(&(ws, contact)).into_iter().flatten() {
                    *live = false;
                }
                Ok(())
            }
            Change::Tag(TagChange::Link { contact, tag, at }) => {
                referenced(self.contacts.contains_key(&(ws, contact)))?;
                self.tags.get(&(ws, tag)).ok_or(Conflict::Stale(Object::Tag(tag)))?;
                unique(self.links.contains_key(&(ws, (contact, tag))), UniqueKey::TagLink)?;
                insert(&mut self.links, (ws, (contact, tag)), at)
            }
            Change::Tag(TagChange::Unlink { contact, tag }) => {
                self.links.remove(&(ws, (contact, tag))).map(|_| ()).ok_or_else(|| Conflict::NoLink.into())
            }
            Change::Field(FieldChange::PutValue { contact, field, value }) => {
                referenced(self.contacts.contains_key(&(ws, contact)))?;
                self.fields.get(&(ws, field)).ok_or(Conflict::Stale(Object::Field(field)))?;
                self.values.insert((ws, (contact, field)), value);
                Ok(())
            }
            Change::Field(FieldChange::ClearValue { contact, field }) => {
                self.values.remove(&(ws, (contact, field)));
                Ok(())
            }
            Change::Insert(Row::Tag(it)) => {
                self.tag_name_free(ws, &it)?;
                insert(&mut self.tags, (ws, it.id), it)
            }
            Change::Update(Row::Tag(it)) => {
                self.tag_name_free(ws, &it)?;
                let (id, object) = (it.id, Object::Tag(it.id));
                update(&mut self.tags, &(ws, id), it, |it| it.version, object)
            }
            Change::Delete(Object::Tag(id)) => delete(&mut self.tags, &(ws, id), Object::Tag(id)),
            Change::Tag(TagChange::SweepLinks { tag, limit }) => {
                let swept: Vec<_> =
                    self.links.keys().filter(|(of, (_, id))| *of == ws && *id == tag).copied().collect();
                for key in swept.iter().take(limit as usize) {
                    self.links.remove(key);
                }
                Ok(())
            }
            Change::Insert(Row::Field(it)) => {
                let taken = self.fields.iter().any(|((of, _), field)| *of == ws && field.key == it.key);
                unique(taken, UniqueKey::FieldKey)?;
                insert(&mut self.fields, (ws, it.id), it)
            }
            Change::Update(Row::Field(it)) => {
                let (id, object) = (it.id, Object::Field(it.id));
                let retired = self.fields.get(&(ws, id)).map(|it| it.retired.clone()).unwrap_or_default();
                let it = crate::fields::CustomField { retired, ..it };
                update(&mut self.fields, &(ws, id), it, |it| it.version, object)
            }
            Change::Delete(Object::Field(id)) => delete(&mut self.fields, &(ws, id), Object::Field(id)),
            Change::Field(FieldChange::RetireOptions { field, from, to, unused }) => {
                let found = self.fields.get_mut(&(ws, field)).filter(|it| it.retired == from);
                let stale = || Conflict::Stale(Object::Field(field));
                found.map(|it| it.retired.clone_from(&to)).ok_or_else(stale)?;
                let new = |json: &serde_json::Value| {
                    json.as_str().is_some_and(|it| to.iter().any(|to| to == it) && from.iter().all(|from| from != it))
                };
                let carries = |json: &serde_json::Value| match json {
                    serde_json::Value::Array(all) => all.iter().any(new),
                    one => new(one),
                };
                let is_living = |contact| self.contacts.get(&(ws, contact)).is_some_and(|it| it.deleted_at.is_none());
                let mut values = self.values.iter().filter(|((of, (_, id)), _)| *of == ws && *id == field);
                if unused && values.any(|((_, (contact, _)), value)| is_living(*contact) && carries(&value.json)) {
                    return Err(Conflict::InUse(crate::references::Referent::Field(field)).into());
                }
                Ok(())
            }
            Change::Field(FieldChange::SweepValues { field, limit }) => {
                let of_field = self.values.keys().filter(|(of, (_, id))| *of == ws && *id == field);
                let swept: Vec<_> = of_field.copied().collect();
                for key in swept.iter().take(limit as usize) {
                    self.values.remove(key);
                }
                Ok(())
            }
            Change::Insert(Row::BotField(it)) => {
                let taken = self.bot_fields.iter().any(|((of, _), field)| *of == ws && field.key == it.key);
                unique(taken, UniqueKey::BotFieldKey)?;
                insert(&mut self.bot_fields, (ws, it.id), it)
            }
            Change::Update(Row::BotField(it)) => {
                let (id, object) = (it.id, Object::BotField(it.id));
                update(&mut self.bot_fields, &(ws, id), it, |it| it.version, object)
            }
            Change::Delete(Object::BotField(id)) => delete(&mut self.bot_fields, &(ws, id), Object::BotField(id)),
            Change::Reference(ReferenceChange::Put { owner, targets }) => {
                self.references.retain(|(of, (named_by, _)), _| *of != ws || *named_by != owner);
                targets.into_iter().try_for_each(|target| {
                    self.check(ws, &Guard::Live(target.object()))?;
                    self.references.insert((ws, (owner, target)), None);
                    Ok(())
                })
            }
            Change::Reference(ReferenceChange::Lose { target, name, at }) => {
                for ((of, (_, named)), lost) in &mut self.references {
                    if *of == ws && *named == target && lost.is_none() {
                        *lost = Some((name.clone(), at));
                    }
                }
                Ok(())
            }
            other => self.change_in_motion(ws, other),
        }
    }

    /// Changes of what moves by itself: conversations, flows, deliveries, jobs.
    fn change_in_motion(&mut self, ws: WorkspaceId, change: Change) -> Applied {
        match change {
            Change::Insert(Row::Conversation(it)) => {
                referenced(self.contacts.contains_key(&(ws, it.contact)))?;
                referenced(self.channel_was_made(ws, it.channel))?;
                let mut of_workspace = self.conversations.iter().filter(|((of, _), _)| *of == ws);
                let taken = of_workspace.any(|(_, other)| other.contact == it.contact && other.channel == it.channel);
                unique(taken, UniqueKey::ConversationPair)?;
                insert(&mut self.conversations, (ws, it.id), it)
            }
            Change::Update(Row::Conversation(mut it)) => {
                let (id, object) = (it.id, Object::Conversation(it.id));
                it.last_message_at = self.conversations.get(&(ws, id)).and_then(|before| before.last_message_at);
                update(&mut self.conversations, &(ws, id), it, |it| it.version, object)
            }
            Change::Insert(Row::Message(it)) => {
                referenced(self.conversations.contains_key(&(ws, it.conversation)))?;
                let inbound = |it: &Message| it.direction == Direction::Inbound && it.provider_message_id.is_some();
                let same = |other: &Message| {
                    inbound(other)
                        && (other.channel, &other.provider_message_id) == (it.channel, &it.provider_message_id)
                };
                let mut of_workspace = self.messages.iter().filter(|((of, _), _)| *of == ws);
                let taken = inbound(&it) && of_workspace.any(|(_, other)| same(other));
                unique(taken, UniqueKey::InboundMessage)?;
                insert(&mut self.messages, (ws, it.id), *it)
            }
            Change::Update(Row::Message(it)) => {
                let (id, object) = (it.id, Object::Message(it.id));
                update(&mut self.messages, &(ws, id), *it, |it| it.version, object)
            }
            Change::Conversation(ConversationChange::Touch { conversation, contact, at }) => {
                if let Some(it) = self.conversations.get_mut(&(ws, conversation)) {
                    it.updated_at = if it.last_message_at < Some(at) { at } else { it.updated_at };
                    it.last_message_at = it.last_message_at.max(Some(at));
                }
                if let Some(it) = self.contacts.get_mut(&(ws, contact)) {
                    it.last_message_at = it.last_message_at.max(Some(at));
                }
                Ok(())
            }
            Change::Insert(Row::Flow(it)) => insert(&mut self.flows, (ws, it.id), it),
            Change::Update(Row::Flow(it)) => {
                let (id, object) = (it.id, Object::Flow(it.id));
                update(&mut self.flows, &(ws, id), it, |it| it.version, object)
            }
            Change::Flow(FlowChange::InsertVersion(it)) => {
                referenced(self.flows.contains_key(&(ws, it.flow)))?;
                let key = (ws, (it.flow, it.number));
                unique(self.versions.contains_key(&key), UniqueKey::FlowVersion)?;
                insert(&mut self.versions, key, it)
            }
            Change::Insert(Row::Run(it)) => {
                referenced(self.contacts.contains_key(&(ws, it.contact)))?;
                referenced(self.versions.contains_key(&(ws, (it.flow, it.flow_version))))?;
                let mut live = self.runs.iter().filter(|((of, _), run)| *of == ws && run.ended_at.is_none());
                let same =
                    |run: &crate::flows::Run| (run.flow, run.contact, run.slot) == (it.flow, it.contact, it.slot);
                unique(it.ended_at.is_none() && live.any(|(_, run)| same(run)), UniqueKey::LiveRun)?;
                let mut others = self.runs.iter().filter(|((of, _), run)| *of == ws && run.flow == it.flow);
                let repeated = it.cause.is_some() && others.any(|(_, run)| run.cause == it.cause);
                unique(repeated, UniqueKey::RunCause)?;
                insert(&mut self.runs, (ws, it.id), *it)
            }
            Change::Update(Row::Run(it)) => {
                let (id, object) = (it.id, Object::Run(it.id));
                update(&mut self.runs, &(ws, id), *it, |it| it.version, object)
            }
            Change::Flow(FlowChange::InterruptRuns { contact, at }) => {
                let live = self.runs.iter_mut().filter(|((of, _), run)| *of == ws && run.contact == contact);
                for (_, run) in live.filter(|(_, run)| run.ended_at.is_none()) {
                    run.status = RunStatus::Interrupted;
                    run.ended_at = Some(at);
                    run.wait = None;
                    run.updated_at = at;
                    run.version += 1;
                }
                Ok(())
            }
            Change::Flow(FlowChange::DropSteps { run }) => {
                self.drop_steps(ws, &[run]);
                Ok(())
            }
            Change::Flow(FlowChange::Interrupt { flow, at }) => {
                let live = |run: &Run| run.flow == flow && run.ended_at.is_none();
                let runs = self.runs.iter().filter(|((of, _), run)| *of == ws && live(run));
                let runs: Vec<RunId> = runs.map(|((_, id), _)| *id).collect();
                self.drop_steps(ws, &runs);
                for run in self.runs.iter_mut().filter(|((of, _), run)| *of == ws && live(run)).map(|(_, run)| run) {
                    run.status = RunStatus::Interrupted;
                    (run.ended_at, run.wait) = (Some(at), None);
                    run.updated_at = at;
                    run.version += 1;
                }
                Ok(())
            }
            Change::Flow(FlowChange::MigrateRuns { flow, to, nodes, at }) => {
                let moves = |run: &Run| {
                    let there = run.node.as_ref().is_none_or(|node| nodes.contains(node));
                    run.flow == flow && run.ended_at.is_none() && there
                };
                for run in self.runs.iter_mut().filter(|((of, _), run)| *of == ws && moves(run)).map(|(_, run)| run) {
                    run.flow_version = to;
                    run.updated_at = at;
                    run.version += 1;
                }
                Ok(())
            }
            Change::Flow(FlowChange::WakeRuns { flow, at }) => {
                let due = |run: &Run| {
                    let over = run.wait.as_ref().and_then(|wait| wait.until).is_some_and(|until| until <= at);
                    run.flow == flow && (run.status == RunStatus::Active || run.status.is_live() && over)
                };
                let runs = self.runs.iter().filter(|((of, _), run)| *of == ws && due(run));
                let runs: Vec<_> = runs.map(|((_, id), _)| id.uuid()).collect();
                for job in self.jobs.values_mut() {
                    let step = job.job.kind == JobKind::StepRun && runs.contains(&job.job.subject);
                    if step && job.workspace == ws && !job.claimed && !job.dead {
                        job.job.due_at = job.job.due_at.min(at);
                    }
                }
                Ok(())
            }
            Change::Flow(FlowChange::PutTriggers { flow, triggers }) => {
                referenced(self.flows.contains_key(&(ws, flow)))?;
                self.triggers.insert((ws, flow), triggers);
                Ok(())
            }
            Change::Flow(FlowChange::Delete { flow, .. }) => {
                self.triggers.remove(&(ws, flow));
                delete(&mut self.flows, &(ws, flow), Object::Flow(flow))
            }
            Change::Insert(Row::Webhook(mut it)) => {
                it.health = crate::webhooks::Health::default();
                insert(&mut self.webhooks, (ws, it.id), it)
            }
            Change::Update(Row::Webhook(mut it)) => {
                let (id, object) = (it.id, Object::Webhook(it.id));
                let before = self.webhooks.get(&(ws, id)).ok_or(Conflict::Stale(object))?;
                it.health = before.health.clone();
                update(&mut self.webhooks, &(ws, id), it, |it| it.version, object)
            }
            Change::Webhook(WebhookChange::UpdateHealth { webhook, health }) => {
                let stale = Conflict::Stale(Object::Webhook(webhook));
                let found = self.webhooks.get_mut(&(ws, webhook));
                let found = found.filter(|it| it.health.version + 1 == health.version).ok_or(stale)?;
                found.health = health;
                Ok(())
            }
            Change::Webhook(WebhookChange::Stamp { webhook, at }) => {
                if let Some(found) = self.webhooks.get_mut(&(ws, webhook)).filter(|it| it.health.wants_stamp(at)) {
                    found.health.last_delivery_at = Some(at);
                }
                Ok(())
            }
            Change::Delete(Object::Webhook(id)) => delete(&mut self.webhooks, &(ws, id), Object::Webhook(id)),
            Change::Webhook(WebhookChange::CountAttempt(it)) => {
                let key = (ws, (it.webhook, it.hour, it.succeeded, it.bucket));
                *self.counts.entry(key).or_default() += it.count;
                Ok(())
            }
            Change::Webhook(WebhookChange::PutReplay(it)) => {
                self.replays.insert((ws, it.id), it);
                Ok(())
            }
            Change::Webhook(WebhookChange::DropReplay(id)) => {
                self.replays.remove(&(ws, id));
                Ok(())
            }
            Change::Insert(Row::Delivery(it)) => {
                referenced(self.events.contains_key(&(ws, it.event)))?;
                let mut of_workspace = self.deliveries.iter().filter(|((of, _), _)| *of == ws);
                let taken = of_workspace.any(|(_, other)| other.event == it.event && other.webhook == it.webhook);
                unique(taken, UniqueKey::Delivery)?;
                insert(&mut self.deliveries, (ws, it.id), it)
            }
            Change::Update(Row::Delivery(it)) => {
                let (id, object) = (it.id, Object::Delivery(it.id));
                update(&mut self.deliveries, &(ws, id), it, |it| it.version, object)
            }
            Change::Webhook(WebhookChange::InsertAttempt(it)) => {
                referenced(self.deliveries.contains_key(&(ws, it.delivery)))?;
                insert(&mut self.attempts, (ws, (it.delivery, it.number)), it)
            }
            Change::Analytics(AnalyticsChange::Record(it)) => insert(&mut self.facts, (ws, it.id), it),
            Change::Job(JobChange::Finish { job, token }) => {
                self.held(ws, Claim { job, token })?;
                self.jobs.remove(&job);
                Ok(())
            }
            Change::Job(JobChange::Reschedule { job, token, due_at, error }) => {
                self.held(ws, Claim { job, token })?;
                if let Some(job) = self.jobs.get_mut(&job) {
                    job.claimed = false;
                    job.claims = 0;
                    job.attempts += i32::from(error.is_some());
                    job.job.due_at = due_at;
                }
                Ok(())
            }
            Change::Job(JobChange::Park { job, token }) => {
                self.held(ws, Claim { job, token })?;
                if let Some(job) = self.jobs.get_mut(&job) {
                    (job.claimed, job.claims, job.parked) = (false, 0, true);
                    job.job.due_at = Timestamp::END;
                }
                Ok(())
            }
            Change::Job(JobChange::Release { group, due_at }) => {
                let of_group = |job: &&mut Job| job.workspace == ws && job.job.group == Some(group) && job.parked;
                for job in self.jobs.values_mut().filter(of_group) {
                    job.parked = false;
                    job.job.due_at = due_at;
                }
                Ok(())
            }
            Change::Job(JobChange::Bury { job, token, .. }) => {
                self.held(ws, Claim { job, token })?;
                if let Some(job) = self.jobs.get_mut(&job) {
                    (job.claimed, job.dead) = (false, true);
                }
                Ok(())
            }
            other => self.change_sequences(ws, other),
        }
    }

    fn reach(&mut self, ws: WorkspaceId, contact: ContactId, identity: Identity) -> Applied {
        referenced(self.contacts.contains_key(&(ws, contact)))?;
        referenced(self.channel_was_made(ws, identity.channel))?;
        let same = |held: &Identity| held.channel == identity.channel && held.address == identity.address;
        let of_workspace = self.identities.iter().filter(|((of, _), _)| *of == ws);
        let taken = of_workspace.flat_map(|(_, held)| held).any(|(held, live)| *live && same(held));
        unique(taken, UniqueKey::Identity)?;
        self.identities.entry((ws, contact)).or_default().push((identity, true));
        Ok(())
    }

    /// What refers to a deleted channel stays.
    fn channel_was_made(&self, ws: WorkspaceId, channel: ChannelId) -> bool {
        self.channels.contains_key(&(ws, channel)) || self.gone_channels.contains(&(ws, channel))
    }

    fn token_taken(&self, it: &Channel) -> bool {
        let digest = |channel: &Channel| channel.endpoint.as_ref().map(|endpoint| endpoint.inbound_digest);
        let mut others = self.channels.values().filter(|other| other.id != it.id);
        digest(it).is_some() && others.any(|other| digest(other) == digest(it))
    }

    fn drop_steps(&mut self, ws: WorkspaceId, runs: &[RunId]) {
        let queued = |job: &Job| {
            let of_run = runs.iter().any(|run| run.uuid() == job.job.subject);
            job.workspace == ws && job.job.kind == JobKind::StepRun && of_run && !job.claimed
        };
        self.jobs.retain(|_, job| !queued(job));
    }

    fn identifiers_free(&self, ws: WorkspaceId, it: &Contact) -> Applied {
        let living = || {
            let of_workspace = self.contacts.iter().filter(|((of, _), _)| *of == ws);
            of_workspace.map(|(_, other)| other).filter(|other| other.deleted_at.is_none() && other.id != it.id)
        };
        let taken = |same: &dyn Fn(&Contact) -> bool| living().any(same);
        unique(it.external_id.is_some() && taken(&|o| o.external_id == it.external_id), UniqueKey::ContactExternalId)?;
        unique(it.email.is_some() && taken(&|o| o.email == it.email), UniqueKey::ContactEmail)?;
        unique(it.phone.is_some() && taken(&|o| o.phone == it.phone), UniqueKey::ContactPhone)
    }

    fn tag_name_free(&self, ws: WorkspaceId, it: &crate::tags::Tag) -> Applied {
        let mut others = self.tags.iter().filter(|((of, id), _)| *of == ws && *id != it.id);
        unique(others.any(|(_, other)| other.name_key() == it.name_key()), UniqueKey::TagName)
    }
}

//! The query ports.

use std::cmp::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::{MemoryStore, Rows, State};
use crate::access::{Access, ApiKey, KeyHolder, Workspace};
use crate::channels::Channel;
use crate::conditions::Selection;
use crate::contacts::{Contact, ContactFilter, ContactRef};
use crate::conversations::{Conversation, ConversationFilter, Direction, Message, MessageStatus};
use crate::events::{EventKind, FeedRead, NumberedEvent};
use crate::fields::{BotField, CustomField, FieldRef, without_retired};
use crate::flows::{ActiveTrigger, Flow, FlowStats, FlowStatus, FlowVersion, Run, RunFilter, Trigger, WaitKind};
use crate::ids::{
    BotFieldId, ChannelId, ContactId, ConversationId, DeliveryId, FieldId, FlowId, JobId, MessageId, RunId, TagId,
    TypedId, WebhookId, WorkspaceId,
};
use crate::pagination::{Order, Page, PageRequest, Position, SortKey, SortedPage, SortedRequest, Total};
use crate::ports::{
    AccessQueries, ChannelQueries, ContactQueries, ConversationQueries, EventQueries, FieldQueries, FlowQueries,
    IdempotencyQueries, IdempotencyRecord, ReferenceQueries, StoreError, TagQueries, WebhookQueries,
};
use crate::references::{Dependent, LostReference, Referent, Referrer};
use crate::tags::Tag;
use crate::time::Timestamp;
use crate::webhooks::{Attempt, AttemptCount, Delivery, DeliveryFilter, Replay, Webhook, WebhookStatus};

pub(super) type Answer<T> = Result<T, StoreError>;

/// The rows of one workspace that satisfy a condition.
pub(super) fn of<I: Copy, T: Clone>(rows: &Rows<I, T>, ws: WorkspaceId, keep: impl Fn(&T) -> bool) -> Vec<T> {
    rows.iter().filter(|((owner, _), row)| *owner == ws && keep(row)).map(|(_, row)| row.clone()).collect()
}

/// One page of rows.
pub(super) fn page<T>(mut rows: Vec<T>, page: PageRequest, position: impl Fn(&T) -> Position) -> Page<T> {
    let key = |row: &T| (position(row).at, position(row).id);
    let total = page.counted.then(|| Total::of(rows.len() as u64));
    rows.sort_by_key(key);
    if page.order == Order::NewestFirst {
        rows.reverse();
    }
    if let Some(after) = page.after {
        rows.retain(|row| match page.order {
            Order::NewestFirst => key(row) < (after.at, after.id),
            Order::OldestFirst => key(row) > (after.at, after.id),
        });
    }
    rows.truncate(page.limit as usize + 1);
    Page::cut(rows, page.limit, position).of_total(total)
}

/// One page of rows, by one of several sorts.
fn sorted_page<T>(rows: Vec<T>, page: SortedRequest, position: impl Fn(&T) -> Position<SortKey>) -> SortedPage<T> {
    let total = page.counted.then(|| Total::of(rows.len() as u64));
    // What has no such value comes last both ways; ties are broken by id, in the direction of the sort.
    let compare = |a: &Position<SortKey>, b: &Position<SortKey>| {
        let keys = match (&a.at, &b.at) {
            (SortKey::Time(a), SortKey::Time(b)) => a.cmp(b),
            (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
            _ => Ordering::Equal,
        };
        let ascending = keys.then(a.id.cmp(&b.id));
        let directed = if page.order.descending { ascending.reverse() } else { ascending };
        b.at.is_some().cmp(&a.at.is_some()).then(directed)
    };
    let mut placed: Vec<(Position<SortKey>, T)> = rows.into_iter().map(|row| (position(&row), row)).collect();
    placed.sort_by(|(a, _), (b, _)| compare(a, b));
    if let Some(after) = &page.after {
        placed.retain(|(place, _)| compare(place, after) == Ordering::Greater);
    }
    placed.truncate(page.limit as usize + 1);
    Page::cut(placed.into_iter().map(|(_, row)| row).collect(), page.limit, position).of_total(total)
}

pub(super) fn at(created_at: Timestamp, id: impl TypedId) -> Position {
    Position { at: created_at, id: id.uuid() }
}

#[async_trait]
impl AccessQueries for MemoryStore {
    async fn key_by_digest(&self, digest: [u8; 32]) -> Answer<Option<KeyHolder>> {
        let state = self.lock();
        let key = state.keys.values().find(|key| key.digest == digest).cloned();
        Ok(key.and_then(|key| {
            let workspace = state.workspaces.get(&key.workspace)?;
            Some(KeyHolder { key, workspace_name: workspace.name.clone(), plan: workspace.plan })
        }))
    }

    async fn workspace(&self, id: WorkspaceId) -> Answer<Option<Workspace>> {
        Ok(self.lock().workspaces.get(&id).cloned())
    }

    async fn sandbox_of(&self, live: WorkspaceId) -> Answer<Option<Workspace>> {
        Ok(self.lock().workspaces.values().find(|it| it.live_workspace == Some(live)).cloned())
    }

    async fn workspaces(&self, name: Option<String>) -> Answer<Vec<Workspace>> {
        let state = self.lock();
        let named = |it: &&Workspace| name.as_ref().is_none_or(|name| it.name == *name);
        let mut found: Vec<Workspace> = state.workspaces.values().filter(named).cloned().collect();
        found.sort_by_key(|it| (it.created_at, it.id));
        found.truncate(1_000);
        Ok(found)
    }

    async fn keys(&self, access: &Access) -> Answer<Vec<ApiKey>> {
        let state = self.lock();
        let mut keys: Vec<ApiKey> =
            state.keys.values().filter(|it| it.workspace == access.workspace()).cloned().collect();
        keys.sort_by_key(|it| (it.created_at, it.id));
        Ok(keys)
    }
}

#[async_trait]
impl IdempotencyQueries for MemoryStore {
    async fn find(
        &self,
        access: &Access,
        method: &str,
        route: &str,
        key: &str,
        now: Timestamp,
    ) -> Answer<Option<IdempotencyRecord>> {
        let place = (access.workspace(), (method.to_owned(), route.to_owned(), key.to_owned()));
        let record = self.lock().answers.get(&place).cloned();
        Ok(record.filter(|record| record.created_at > now.minus(Duration::from_secs(86_400))))
    }
}

impl State {
    /// The triggers of active flows, in the order of the flows' making.
    fn active_triggers(&self, ws: WorkspaceId) -> Vec<ActiveTrigger> {
        let mut flows: Vec<&Flow> = self.flows.iter().filter(|((of, _), _)| *of == ws).map(|(_, flow)| flow).collect();
        flows.retain(|flow| flow.status == FlowStatus::Active);
        flows.sort_by_key(|flow| (flow.created_at, flow.id));
        let of_flow = |flow: &&Flow| {
            let written = self.triggers.get(&(ws, flow.id)).into_iter().flatten();
            let id = flow.id;
            let read = written.filter_map(move |it| Some(ActiveTrigger { flow: id, trigger: Trigger::parse(it)? }));
            read.collect::<Vec<_>>()
        };
        flows.iter().flat_map(of_flow).collect()
    }

    fn carries(&self, ws: WorkspaceId, contact: ContactId, filter: &ContactFilter) -> bool {
        let tags = filter.tags.iter().all(|tag| self.links.contains_key(&(ws, (contact, *tag))));
        let fields = filter.fields.iter().all(|wanted| {
            let value = self.values.get(&(ws, (contact, wanted.field)));
            wanted.pattern.holds(value.map(|value| value.match_key.as_str()))
        });
        tags && fields
    }
}

#[async_trait]
impl ContactQueries for MemoryStore {
    async fn find(&self, access: &Access, contact: &ContactRef) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        let found = of(&state.contacts, ws, |it| {
            it.deleted_at.is_none()
                && match contact {
                    ContactRef::Id(id) => it.id == *id,
                    ContactRef::ExternalId(external_id) => it.external_id.as_ref() == Some(external_id),
                    ContactRef::Email(email) => it.email.as_ref() == Some(email),
                    ContactRef::Phone(phone) => it.phone.as_ref() == Some(phone),
                }
        });
        Ok(found.first().map(|it| state.whole(ws, it)))
    }

    async fn find_even_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        Ok(state.contacts.get(&(ws, contact)).map(|it| state.whole(ws, it)))
    }

    async fn find_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        let deleted = state.contacts.get(&(ws, contact)).filter(|it| it.deleted_at.is_some());
        Ok(deleted.map(|it| {
            let mut whole = state.whole(ws, it);
            let identities = state.identities.get(&(ws, contact)).into_iter().flatten();
            whole.identities = identities.map(|(identity, _)| identity.clone()).collect();
            whole.identities.sort_by(|a, b| (a.channel, &a.address).cmp(&(b.channel, &b.address)));
            whole
        }))
    }

    async fn by_identity(&self, access: &Access, channel: ChannelId, address: &str) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        let held = state.identities.iter().find(|((of, _), held)| {
            let same = |it: &crate::contacts::Identity| it.channel == channel && it.address == address;
            *of == ws && held.iter().any(|(identity, live)| *live && same(identity))
        });
        let contact = held.and_then(|((_, contact), _)| state.contacts.get(&(ws, *contact)));
        Ok(contact.filter(|it| it.deleted_at.is_none()).map(|it| state.whole(ws, it)))
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ContactFilter,
        request: SortedRequest,
    ) -> Answer<SortedPage<Contact>> {
        let found = self.lock().admitted(access.workspace(), filter);
        let by = request.order.by;
        Ok(sorted_page(found, request, |it| Position { at: it.sort_key(by), id: it.id.uuid() }))
    }

    async fn count(&self, access: &Access, filter: &ContactFilter, most: u64) -> Answer<u64> {
        let found = self.lock().admitted(access.workspace(), filter).len();
        Ok(u64::try_from(found).unwrap_or(u64::MAX).min(most))
    }
}

impl State {
    fn admitted(&self, ws: WorkspaceId, filter: &ContactFilter) -> Vec<Contact> {
        let all = of(&self.contacts, ws, |_| true);
        let whole = all.iter().map(|it| self.whole(ws, it));
        let chosen = |it: &Contact| filter.selection.as_ref().is_none_or(|selection| self.chooses(ws, selection, it));
        whole.filter(|it| filter.admits(it) && self.carries(ws, it.id, filter) && chosen(it)).collect()
    }
}

#[async_trait]
impl ReferenceQueries for MemoryStore {
    async fn dependents(&self, access: &Access, target: Referent) -> Answer<Vec<Dependent>> {
        Ok(self.lock().dependents(access.workspace(), target))
    }

    async fn lost(&self, access: &Access, owner: Referrer) -> Answer<Vec<LostReference>> {
        let state = self.lock();
        let of_owner = state.references.iter().filter(|((ws, (it, _)), _)| *ws == access.workspace() && *it == owner);
        let lost = of_owner.filter_map(|((_, (_, target)), lost)| {
            lost.clone().map(|(name, at)| LostReference { target: *target, name, at })
        });
        Ok(lost.collect())
    }
}

impl State {
    /// Who carries one of these options, with the values as they are kept.
    fn carrying(&self, ws: WorkspaceId, field: FieldId, options: &[String]) -> Vec<(ContactId, serde_json::Value)> {
        let of_field = self.values.iter().filter(|((of, (_, id)), _)| *of == ws && *id == field);
        let carrying = of_field.filter(|(_, it)| without_retired(it.json.clone(), options).as_ref() != Some(&it.json));
        carrying.map(|((_, (contact, _)), value)| (*contact, value.json.clone())).collect()
    }

    /// Whether a condition chooses the contact.
    fn chooses(&self, ws: WorkspaceId, selection: &Selection, contact: &Contact) -> bool {
        let conversations = of(&self.conversations, ws, |it| it.contact == contact.id);
        let key = |field: FieldId| self.fields.get(&(ws, field)).map(|field| field.key.clone());
        selection.chooses(&self.whole(ws, contact), &conversations, &key)
    }

    fn counted(&self, ws: WorkspaceId, mut tag: Tag) -> Tag {
        let carriers = self.links.keys().filter(|(owner, (_, id))| *owner == ws && *id == tag.id);
        let living = carriers.filter(|(_, (contact, _))| {
            self.contacts.get(&(ws, *contact)).is_some_and(|contact| contact.deleted_at.is_none())
        });
        tag.contact_count = i64::try_from(living.count()).unwrap_or(i64::MAX);
        tag
    }
}

#[async_trait]
impl TagQueries for MemoryStore {
    async fn get(&self, access: &Access, tag: TagId) -> Answer<Option<Tag>> {
        let (state, ws) = (self.lock(), access.workspace());
        Ok(state.tags.get(&(ws, tag)).map(|tag| state.counted(ws, tag.clone())))
    }

    async fn by_ids(&self, access: &Access, tags: &[TagId]) -> Answer<Vec<Tag>> {
        Ok(of(&self.lock().tags, access.workspace(), |tag| tags.contains(&tag.id)))
    }

    async fn by_name_keys(&self, access: &Access, names: &[String]) -> Answer<Vec<Tag>> {
        Ok(of(&self.lock().tags, access.workspace(), |tag| names.contains(&tag.name_key())))
    }

    async fn list(&self, access: &Access, request: SortedRequest) -> Answer<SortedPage<Tag>> {
        let (state, ws) = (self.lock(), access.workspace());
        let tags = of(&state.tags, ws, |_| true).into_iter().map(|tag| state.counted(ws, tag)).collect();
        let by = request.order.by;
        Ok(sorted_page(tags, request, |tag: &Tag| Position { at: tag.sort_key(by), id: tag.id.uuid() }))
    }

    async fn has_links(&self, access: &Access, tag: TagId) -> Answer<bool> {
        Ok(self.lock().links.keys().any(|(ws, (_, id))| *ws == access.workspace() && *id == tag))
    }
}

#[async_trait]
impl FieldQueries for MemoryStore {
    async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Answer<Option<CustomField>> {
        let named = |it: &CustomField| match field {
            FieldRef::Id(id) => it.id == *id,
            FieldRef::Key(key) => it.key == *key,
        };
        Ok(of(&self.lock().fields, access.workspace(), named).pop())
    }

    async fn all(&self, access: &Access) -> Answer<Vec<CustomField>> {
        let mut fields = of(&self.lock().fields, access.workspace(), |_| true);
        fields.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(fields)
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<CustomField>> {
        let fields = of(&self.lock().fields, access.workspace(), |_| true);
        Ok(page(fields, request, |it: &CustomField| at(it.created_at, it.id)))
    }

    async fn has_values(&self, access: &Access, field: FieldId) -> Answer<bool> {
        Ok(self.lock().values.keys().any(|(ws, (_, id))| *ws == access.workspace() && *id == field))
    }

    async fn carriers(&self, access: &Access, field: &CustomField, options: &[String], most: u64) -> Answer<u64> {
        let (state, ws) = (self.lock(), access.workspace());
        let carrying = state.carrying(ws, field.id, options);
        let living = carrying.iter().filter(|(contact, _)| {
            state.contacts.get(&(ws, *contact)).is_some_and(|contact| contact.deleted_at.is_none())
        });
        Ok(u64::try_from(living.count()).unwrap_or(u64::MAX).min(most))
    }

    async fn carrying(
        &self,
        access: &Access,
        field: &CustomField,
        options: &[String],
        after: Option<ContactId>,
        limit: u32,
    ) -> Answer<Vec<(ContactId, serde_json::Value)>> {
        let carrying = self.lock().carrying(access.workspace(), field.id, options);
        let behind = carrying.into_iter().filter(|(contact, _)| after.is_none_or(|after| *contact > after));
        Ok(behind.take(limit as usize).collect())
    }

    async fn bot(&self, access: &Access, field: &FieldRef<BotFieldId>) -> Answer<Option<BotField>> {
        let named = |it: &BotField| match field {
            FieldRef::Id(id) => it.id == *id,
            FieldRef::Key(key) => it.key == *key,
        };
        Ok(of(&self.lock().bot_fields, access.workspace(), named).pop())
    }

    async fn bot_all(&self, access: &Access) -> Answer<Vec<BotField>> {
        let mut fields = of(&self.lock().bot_fields, access.workspace(), |_| true);
        fields.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(fields)
    }

    async fn bot_list(&self, access: &Access, request: PageRequest) -> Answer<Page<BotField>> {
        let fields = of(&self.lock().bot_fields, access.workspace(), |_| true);
        Ok(page(fields, request, |it: &BotField| at(it.created_at, it.id)))
    }
}

#[async_trait]
impl ChannelQueries for MemoryStore {
    async fn get(&self, access: &Access, channel: ChannelId) -> Answer<Option<Channel>> {
        Ok(self.lock().channels.get(&(access.workspace(), channel)).cloned())
    }

    async fn default_channel(&self, access: &Access) -> Answer<Option<Channel>> {
        Ok(of(&self.lock().channels, access.workspace(), |it| it.is_default).pop())
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<Channel>> {
        let found = of(&self.lock().channels, access.workspace(), |_| true);
        Ok(page(found, request, |it: &Channel| at(it.created_at, it.id)))
    }

    async fn by_inbound_digest(&self, digest: [u8; 32]) -> Answer<Option<(WorkspaceId, Channel)>> {
        let state = self.lock();
        let named = |it: &Channel| it.endpoint.as_ref().is_some_and(|endpoint| endpoint.inbound_digest == digest);
        Ok(state.channels.iter().find(|(_, it)| named(it)).map(|((ws, _), it)| (*ws, it.clone())))
    }
}

#[async_trait]
impl ConversationQueries for MemoryStore {
    async fn get(&self, access: &Access, conversation: ConversationId) -> Answer<Option<Conversation>> {
        Ok(self.lock().conversations.get(&(access.workspace(), conversation)).cloned())
    }

    async fn between(&self, access: &Access, contact: ContactId, channel: ChannelId) -> Answer<Option<Conversation>> {
        let pair = |it: &Conversation| it.contact == contact && it.channel == channel;
        Ok(of(&self.lock().conversations, access.workspace(), pair).pop())
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        request: PageRequest,
    ) -> Answer<Page<Conversation>> {
        let found = of(&self.lock().conversations, access.workspace(), |it| {
            filter.status.is_none_or(|status| it.status == status)
                && filter.assignee.is_none_or(|assignee| it.assignee == Some(assignee))
                && filter.contact.is_none_or(|contact| it.contact == contact)
                && filter.channel.is_none_or(|channel| it.channel == channel)
                && filter.updated_after.is_none_or(|after| it.updated_at >= after)
        });
        Ok(page(found, request, |it: &Conversation| at(it.created_at, it.id)))
    }

    async fn messages(
        &self,
        access: &Access,
        conversation: ConversationId,
        request: PageRequest,
    ) -> Answer<Page<Message>> {
        let found = of(&self.lock().messages, access.workspace(), |it| it.conversation == conversation);
        Ok(page(found, request, |it: &Message| at(it.created_at, it.id)))
    }

    async fn message(&self, access: &Access, message: MessageId) -> Answer<Option<Message>> {
        Ok(self.lock().messages.get(&(access.workspace(), message)).cloned())
    }

    async fn by_provider_id(
        &self,
        access: &Access,
        channel: ChannelId,
        direction: Direction,
        provider_message_id: &str,
    ) -> Answer<Option<Message>> {
        let mut found = of(&self.lock().messages, access.workspace(), |it| {
            it.channel == channel
                && it.direction == direction
                && it.provider_message_id.as_deref() == Some(provider_message_id)
        });
        found.sort_by_key(|it| (it.created_at, it.id));
        Ok(found.pop())
    }

    async fn last_used(&self, access: &Access, contact: ContactId) -> Answer<Option<Conversation>> {
        let mut found = of(&self.lock().conversations, access.workspace(), |it| {
            it.contact == contact && it.last_message_at.is_some()
        });
        found.sort_by_key(|it| (it.last_message_at, it.id));
        Ok(found.pop())
    }

    async fn captured(&self, access: &Access, channel: ChannelId, request: PageRequest) -> Answer<Page<Message>> {
        use MessageStatus::{Delivered, Read, Sent};
        let found = of(&self.lock().messages, access.workspace(), |it| {
            it.channel == channel && it.direction == Direction::Outbound && matches!(it.status, Sent | Delivered | Read)
        });
        Ok(page(found, request, |it: &Message| at(it.created_at, it.id)))
    }
}

#[async_trait]
impl FlowQueries for MemoryStore {
    async fn get(&self, access: &Access, flow: FlowId) -> Answer<Option<Flow>> {
        let found = self.lock().flows.get(&(access.workspace(), flow)).cloned();
        Ok(found.map(|flow| Flow { stats: FlowStats::default(), ..flow }))
    }

    async fn stats(&self, access: &Access, flow: FlowId) -> Answer<FlowStats> {
        let mut stats = FlowStats::default();
        for run in of(&self.lock().runs, access.workspace(), |run| run.flow == flow) {
            *stats.of(run.status) += 1;
        }
        Ok(stats)
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<Flow>> {
        let flows = of(&self.lock().flows, access.workspace(), |_| true);
        let flows = flows.into_iter().map(|flow| Flow { stats: FlowStats::default(), ..flow }).collect();
        Ok(page(flows, request, |it: &Flow| at(it.created_at, it.id)))
    }

    async fn present(&self, access: &Access, flows: &[FlowId]) -> Answer<Vec<FlowId>> {
        let state = self.lock();
        Ok(flows.iter().filter(|flow| state.flows.contains_key(&(access.workspace(), **flow))).copied().collect())
    }

    async fn versions(&self, access: &Access, flow: FlowId, request: PageRequest) -> Answer<Page<FlowVersion>> {
        let versions = of(&self.lock().versions, access.workspace(), |it| it.flow == flow);
        Ok(page(versions, request, FlowVersion::position))
    }

    async fn keyword_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        Ok(all.into_iter().filter(|it| matches!(it.trigger, Trigger::Keyword { .. })).collect())
    }

    async fn event_triggers(&self, access: &Access, wanted: EventKind) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        let fits = |it: &ActiveTrigger| matches!(&it.trigger, Trigger::Event { kind, .. } if *kind == wanted);
        Ok(all.into_iter().filter(fits).collect())
    }

    async fn awaiting_reply(&self, access: &Access, contact: ContactId) -> Answer<Vec<Run>> {
        let waits = |run: &Run| run.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Reply);
        let mut runs = of(&self.lock().runs, access.workspace(), |run| run.contact == contact && waits(run));
        runs.sort_by_key(|run| std::cmp::Reverse((run.updated_at, run.id)));
        Ok(runs)
    }

    async fn started_by(&self, access: &Access, cause: Uuid) -> Answer<Vec<FlowId>> {
        let runs = of(&self.lock().runs, access.workspace(), |run| run.cause == Some(cause));
        Ok(runs.into_iter().map(|run| run.flow).collect())
    }

    async fn runs(&self, access: &Access, filter: &RunFilter, request: PageRequest) -> Answer<Page<Run>> {
        let found = of(&self.lock().runs, access.workspace(), |run| {
            filter.flow.is_none_or(|flow| run.flow == flow)
                && filter.contact.is_none_or(|contact| run.contact == contact)
                && filter.status.is_none_or(|status| run.status == status)
        });
        Ok(page(found, request, |it: &Run| at(it.started_at, it.id)))
    }

    async fn version(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<FlowVersion>> {
        Ok(self.lock().versions.get(&(access.workspace(), (flow, number))).cloned())
    }

    async fn run(&self, access: &Access, run: RunId) -> Answer<Option<Run>> {
        Ok(self.lock().runs.get(&(access.workspace(), run)).cloned())
    }

    async fn live_run(&self, access: &Access, flow: FlowId, contact: ContactId) -> Answer<Option<Run>> {
        let live =
            |it: &Run| it.flow == flow && it.contact == contact && it.slot == Uuid::nil() && it.ended_at.is_none();
        Ok(of(&self.lock().runs, access.workspace(), live).pop())
    }

    async fn recent_starts(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        limit: u32,
    ) -> Answer<Vec<Timestamp>> {
        let starts = of(&self.lock().runs, access.workspace(), |it| it.flow == flow && it.contact == contact);
        let mut starts: Vec<Timestamp> = starts.iter().map(|it| it.started_at).collect();
        starts.sort_unstable_by(|a, b| b.cmp(a));
        starts.truncate(limit as usize);
        Ok(starts)
    }
}

#[async_trait]
impl WebhookQueries for MemoryStore {
    async fn get(&self, access: &Access, webhook: WebhookId) -> Answer<Option<Webhook>> {
        Ok(self.lock().webhooks.get(&(access.workspace(), webhook)).cloned())
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<Webhook>> {
        let found = of(&self.lock().webhooks, access.workspace(), |_| true);
        Ok(page(found, request, |it: &Webhook| at(it.created_at, it.id)))
    }

    async fn subscribers(&self, access: &Access, kind: EventKind) -> Answer<Vec<Webhook>> {
        let wants = |it: &Webhook| it.events.wants(kind) && it.status != WebhookStatus::Disabled;
        Ok(of(&self.lock().webhooks, access.workspace(), wants))
    }

    async fn deliveries(
        &self,
        access: &Access,
        webhook: WebhookId,
        filter: &DeliveryFilter,
        request: PageRequest,
    ) -> Answer<Page<Delivery>> {
        let found = of(&self.lock().deliveries, access.workspace(), |it| {
            it.webhook == webhook
                && filter.status.is_none_or(|status| it.status == status)
                && filter.event_kind.is_none_or(|kind| it.event_kind == kind)
                && filter.since.is_none_or(|since| it.created_at >= since)
                && filter.until.is_none_or(|until| it.created_at < until)
        });
        Ok(page(found, request, |it: &Delivery| at(it.created_at, it.id)))
    }

    async fn delivery(&self, access: &Access, delivery: DeliveryId) -> Answer<Option<Delivery>> {
        Ok(self.lock().deliveries.get(&(access.workspace(), delivery)).cloned())
    }

    async fn attempts(&self, access: &Access, delivery: DeliveryId) -> Answer<Vec<Attempt>> {
        Ok(of(&self.lock().attempts, access.workspace(), |it| it.delivery == delivery))
    }

    async fn counts(&self, access: &Access, webhooks: Vec<WebhookId>, since: Timestamp) -> Answer<Vec<AttemptCount>> {
        let state = self.lock();
        let own = state.counts.iter().filter(|((ws, (webhook, hour, _, _)), _)| {
            *ws == access.workspace() && webhooks.contains(webhook) && *hour >= since
        });
        let counts = own.map(|((_, (webhook, hour, succeeded, bucket)), count)| AttemptCount {
            webhook: *webhook,
            hour: *hour,
            succeeded: *succeeded,
            bucket: *bucket,
            count: *count,
        });
        Ok(counts.collect())
    }

    async fn replay(&self, access: &Access, replay: JobId) -> Answer<Option<Replay>> {
        Ok(self.lock().replays.get(&(access.workspace(), replay)).cloned())
    }
}

#[async_trait]
impl EventQueries for MemoryStore {
    async fn feed(&self, access: &Access, after: i64, kinds: Vec<EventKind>, limit: u32) -> Answer<FeedRead> {
        let (state, ws) = (self.lock(), access.workspace());
        let own = || state.positions.iter().filter(|((of, _), _)| *of == ws);
        let behind = own().filter(|((_, position), _)| *position > after).filter_map(|((_, position), id)| {
            let event = state.events.get(&(ws, *id))?;
            let wanted = kinds.is_empty() || kinds.contains(&event.kind);
            wanted.then(|| NumberedEvent { position: *position, envelope: event.full.clone() })
        });
        let head = own().map(|((_, position), _)| *position).max().unwrap_or(0);
        Ok(FeedRead { events: behind.take(limit as usize).collect(), head })
    }
}

//! A workspace that has one of everything, and all of it as one text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use serde_json::json;
use tidings_domain::access::{Access, ApiKey, Invitation, Role, User};
use tidings_domain::audit::{AuditEntry, AuditFilter};
use tidings_domain::broadcasts::Broadcast;
use tidings_domain::bulk::BulkOperation;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::{Contact, ContactFilter, ContactRef, Deleted};
use tidings_domain::conversations::{
    AssignedTo, Conversation, ConversationFilter, Direction, Message, MessageStatus, Suppression,
};
use tidings_domain::erasures::Erasure;
use tidings_domain::events::{Event, EventKind};
use tidings_domain::fields::{BotField, CustomField, FieldKind, FieldRef};
use tidings_domain::flows::{Flow, Run, RunStatus};
use tidings_domain::imports::{Import, RejectedRow};
use tidings_domain::list_filter::{ListFilter, NameFilter};
use tidings_domain::merges::Merge;
use tidings_domain::pagination::{PageRequest, Sort, SortBy, SortedRequest};
use tidings_domain::ports::{
    AccessChange, Change, ContactChange, ConversationChange, ErasureChange, FieldChange, FlowChange, ImportChange, Job,
    MergeChange, NewJob, Object, ReferenceChange, Row, TagChange, WebhookChange,
};
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::saved_replies::SavedReply;
use tidings_domain::secrets::Secret;
use tidings_domain::segments::Segment;
use tidings_domain::sequences::{Enrollment, EnrollmentFilter, Sequence};
use tidings_domain::tags::Tag;
use tidings_domain::webhooks::{Attempt, AttemptCount, Delivery, DeliveryFilter, Replay, Subscription, Webhook};

use crate::Ports;
use crate::audit::an_audit_entry;
use crate::fixtures::{
    NOW, World, a_bot_field, a_broadcast, a_bulk_operation, a_conversation, a_custom_event, a_key, a_message, a_replay,
    a_run, a_saved_reply, a_schedule, a_secret, a_segment, an_answer, an_event, an_import, an_inbound_message,
    an_invitation, id, uuid,
};
use crate::imports::a_rejected_row;
use crate::opt_outs::{a_key_of_opt_outs, an_opt_out, remembering};

/// A workspace with one of everything.
#[allow(missing_docs, reason = "each is what it is called")]
pub struct Seed {
    pub world: World,
    pub key: ApiKey,
    pub contact: Contact,
    /// A deleted one.
    pub gone: Contact,
    /// One that is being erased.
    pub erased: Contact,
    /// One that was merged into the first, as it is left.
    pub merged: Contact,
    pub tag: Tag,
    pub field: CustomField,
    pub bot_field: BotField,
    pub secret: Secret,
    pub segment: Segment,
    pub saved_reply: SavedReply,
    pub audited: AuditEntry,
    pub broadcast: Broadcast,
    pub operation: BulkOperation,
    pub import: Import,
    pub rejected: RejectedRow,
    pub conversation: Conversation,
    pub message: Message,
    pub flow: Flow,
    pub run: Run,
    pub sequence: Sequence,
    pub enrollment: Enrollment,
    pub webhook: Webhook,
    pub event: Event,
    pub delivery: Delivery,
    pub attempt: Attempt,
    pub replay: Replay,
    pub job: NewJob,
    pub user: User,
    pub invitation: Invitation,
}

impl Seed {
    /// Makes the workspace; its key has this digest.
    pub async fn new(ports: &Ports, digest: u8) -> Self {
        let world = World::new(ports).await;
        let contact = world
            .contact_with(|it| {
                it.email = "ada@example.com".parse().ok();
                it.phone = "+49301234567".parse().ok();
                it.external_id = "ada".parse().ok();
            })
            .await;
        let (tag, field) = (world.tag("vip").await, world.field("size", FieldKind::Text).await);
        let user = world.member(&format!("ada{digest}@example.com"), Role::Owner).await;
        let mut conversation = a_conversation(&contact, &world.channel);
        (conversation.assignee, conversation.unread_count) = (Some(user.id), 1);
        world.add(Change::Insert(Row::Conversation(conversation.clone()))).await;
        let (message, flow) = (world.message(&conversation).await, world.flow().await);
        let run = world.run(&flow, &contact).await;
        let refused = Run { slot: uuid(), status: RunStatus::Failed, ended_at: Some(NOW), ..a_run(&flow, &contact) };
        world.add(Change::Insert(Row::Run(Box::new(refused)))).await;
        let sequence = world.sequence().await;
        let enrollment = world.enrollment(&sequence, &contact).await;
        let (webhook, event) = (
            world.webhook(Subscription::Kinds(vec![EventKind::FlowFailed])).await,
            world.event(EventKind::ContactCreated).await,
        );
        let delivery = world.delivery(&webhook, &event).await;
        let attempt = an_attempt(&delivery, 1);
        let (replay, count) = (a_replay(&webhook), AttemptCount::one(webhook.id, NOW, true, Duration::ZERO));
        let (key, bot_field) = (a_key(world.workspace, digest), a_bot_field("hours"));
        let secret = a_secret("TOKEN");
        let (segment, saved_reply) = (a_segment(), a_saved_reply("Hours"));
        let audited = an_audit_entry(&world, id(), "tag_1", 1);
        let operation = a_bulk_operation();
        let (import, rejected) = (an_import(), a_rejected_row(7, Some("ada@example.com"), Some("+49301234567")));
        let mut broadcast = a_broadcast();
        let (inbound, mut sent) = (an_inbound_message(&conversation, "m1"), a_message(&conversation));
        sent.status = MessageStatus::Sent;
        let mut silent = a_message(&conversation);
        silent.suppress(Suppression::Unsubscribed, NOW);
        silent.version = 1;
        let alone = Message { conversation: None, ..a_message(&conversation) };
        let told = Event { contact: Some(contact.id), ..an_event(EventKind::ContactCreated) };
        let job = NewJob::new(id(), Job::StepRun { run: run.id, visit: 1 }, NOW);
        let invitation = an_invitation("eve@example.com", digest);
        let value = field.check(&json!("L")).unwrap();
        let mut gone = world.contact().await;
        gone.deleted_at = Some(NOW);
        gone.touch(NOW);
        let erased = world.contact().await;
        let erasure = Erasure { contact: erased.id, requested_at: NOW, erased_at: None };
        let erased = Erasure::emptied(&erased, NOW);
        let merged = world.contact().await;
        let merge = Merge { contact: merged.id, into: contact.id, merged_at: NOW, moved_at: None };
        let merged = Erasure::emptied(&merged, NOW);
        world
            .commit(|set| {
                set.change(Change::Access(AccessChange::InsertInvitation(invitation.clone())))
                    .change(Change::Access(AccessChange::InsertKey(key.clone())))
                    .change(Change::Insert(Row::BotField(bot_field.clone())))
                    .change(Change::Insert(Row::Secret(secret.clone())))
                    .change(Change::Insert(Row::Segment(segment.clone())))
                    .change(Change::Insert(Row::SavedReply(saved_reply.clone())))
                    .change(Change::Audit(Box::new(audited.clone())))
                    .change(Change::Insert(Row::BulkOperation(Box::new(operation.clone()))))
                    .change(Change::Insert(Row::Import(Box::new(import.clone()))))
                    .change(Change::Import(ImportChange::PutTable { import: import.id, table: "a,b\n1,2".into() }))
                    .change(Change::Import(ImportChange::Reject { import: import.id, row: Box::new(rejected.clone()) }))
                    .change(Change::Insert(Row::Broadcast(Box::new(broadcast.clone()))))
                    .change(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW }))
                    .change(Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value }))
                    .change(Change::Contact(ContactChange::InsertIdentity {
                        contact: contact.id,
                        identity: world.identity("ada"),
                    }))
                    .change(Change::Insert(Row::Message(Box::new(inbound))))
                    .change(Change::Insert(Row::Message(Box::new(sent))))
                    .change(Change::Insert(Row::Message(Box::new(silent))))
                    .change(Change::Insert(Row::Message(Box::new(alone))))
                    .change(Change::Contact(ContactChange::RecordEvent {
                        event: Box::new(a_custom_event(&contact)),
                        depth: 0,
                    }))
                    .change(Change::Conversation(ConversationChange::Touch { conversation: conversation.id, at: NOW }))
                    .change(Change::Contact(ContactChange::Touch { contact: contact.id, at: NOW }))
                    .change(Change::Webhook(WebhookChange::InsertAttempt(attempt.clone())))
                    .change(Change::Webhook(WebhookChange::CountAttempt { id: uuid(), count }))
                    .change(Change::Webhook(WebhookChange::PutReplay(replay.clone())))
                    .change(Change::Reference(ReferenceChange::Put {
                        owner: Referrer::Flow(flow.id),
                        targets: vec![Referent::Tag(tag.id), Referent::BotField(bot_field.id)],
                    }))
                    .change(Change::Reference(ReferenceChange::Lose {
                        target: Referent::BotField(bot_field.id),
                        name: bot_field.name.clone(),
                        at: NOW,
                    }))
                    .change(Change::Update(Row::Contact(Box::new(gone.clone()))))
                    .change(Change::Erasure(ErasureChange::Begin { contact: Box::new(erased.clone()), erasure }))
                    .change(Change::Merge(MergeChange::Begin { contact: Box::new(merged.clone()), merge }))
                    .change(a_key_of_opt_outs(b"key"))
                    .change(remembering(vec![an_opt_out(7, Some(&world.channel))]))
                    .change(Change::Flow(FlowChange::PutSchedule(a_schedule(&flow, 1))))
                    .change(Change::Flow(FlowChange::FreezeAudience {
                        flow: flow.id,
                        at: NOW,
                        audience: Selection::Constant(true),
                    }));
                set.jobs.push(job);
                set.events.push(told);
                set.idempotency = Some(an_answer("k"));
            })
            .await
            .unwrap();
        let freeze = tidings_domain::ports::BroadcastChange::Freeze {
            broadcast: broadcast.id,
            selection: Box::new(tidings_domain::conditions::Selection::Constant(true)),
            due_at: NOW,
            zones: BTreeMap::new(),
        };
        world.add(Change::Broadcast(freeze)).await;
        broadcast.targeted = 1;
        ports.engine.number_events(uuid(), Duration::ZERO, 100, NOW).await.unwrap();
        Self {
            world,
            key,
            contact,
            gone,
            erased,
            merged,
            tag,
            field,
            bot_field,
            secret,
            segment,
            saved_reply,
            audited,
            broadcast,
            operation,
            import,
            rejected,
            conversation,
            message,
            flow,
            run,
            sequence,
            enrollment,
            webhook,
            event,
            delivery,
            attempt,
            replay,
            job,
            user,
            invitation,
        }
    }

    /// Every object that has a version or a life.
    pub fn objects(&self) -> Vec<Object> {
        vec![
            Object::Workspace(self.world.workspace),
            Object::Key(self.key.id),
            Object::Channel(self.world.channel.id),
            Object::Contact(self.contact.id),
            Object::Tag(self.tag.id),
            Object::Field(self.field.id),
            Object::BotField(self.bot_field.id),
            Object::Secret(self.secret.id),
            Object::Segment(self.segment.id),
            Object::SavedReply(self.saved_reply.id),
            Object::Broadcast(self.broadcast.id),
            Object::BulkOperation(self.operation.id),
            Object::Import(self.import.id),
            Object::Conversation(self.conversation.id),
            Object::Message(self.message.id),
            Object::Flow(self.flow.id),
            Object::Run(self.run.id),
            Object::Sequence(self.sequence.id),
            Object::Enrollment(self.enrollment.id),
            Object::Webhook(self.webhook.id),
            Object::Delivery(self.delivery.id),
            Object::Member(self.user.id),
            Object::Invitation(self.invitation.id),
        ]
    }

    /// Everything that `access` sees when it asks for this seed, one answer on a line.
    pub async fn seen_by(&self, access: &Access) -> Vec<String> {
        let ports = &self.world.ports;
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let sorted = || SortedRequest { limit: 100, ..SortedRequest::default() };
        let target = Referent::Tag(self.tag.id);
        let by_last_message = || {
            let order = Sort { by: SortBy::LastMessageAt, descending: true };
            SortedRequest { limit: 100, order, ..SortedRequest::default() }
        };
        let of_status =
            || ConversationFilter { status: Some(self.conversation.status), ..ConversationFilter::default() };
        let of_member = || {
            let assigned = Some(AssignedTo::Member(self.user.id));
            ConversationFilter { assigned, ..ConversationFilter::default() }
        };
        let unread = || ConversationFilter { unread: Some(true), ..ConversationFilter::default() };
        let of_object = || AuditFilter { object: self.audited.object.id.clone(), ..AuditFilter::default() };
        let of_actor = || AuditFilter { actor: Some(self.audited.by.word().to_owned()), ..AuditFilter::default() };
        let of_action = || AuditFilter { action: Some(self.audited.action), ..AuditFilter::default() };
        let of_kind = || AuditFilter { object_kind: Some(self.audited.object.kind), ..AuditFilter::default() };
        let mut lines = Vec::new();
        macro_rules! ask {
            ($($port:ident . $query:ident ( $($argument:expr),* );)*) => {$(
                let mut line = String::new();
                let answer = ports.$port.$query(access, $($argument),*).await.unwrap();
                write!(line, "{}.{}: {answer:?}", stringify!($port), stringify!($query)).unwrap();
                lines.push(line);
            )*};
        }
        let contact = &self.contact;
        ask! {
            access.keys();
            audit.list(&AuditFilter::default(), page);
            audit.list(&of_object(), page);
            audit.list(&of_actor(), page);
            audit.list(&of_action(), page);
            audit.list(&of_kind(), page);
            idempotency.find("POST", "/v1/contacts", "k", NOW);
            contacts.find(&ContactRef::Id(contact.id));
            contacts.find(&ContactRef::Email(contact.email.clone().unwrap()));
            contacts.find(&ContactRef::Phone(contact.phone.clone().unwrap()));
            contacts.find(&ContactRef::ExternalId(contact.external_id.clone().unwrap()));
            contacts.find_even_deleted(contact.id);
            contacts.find_deleted(self.gone.id);
            contacts.list(&ContactFilter { deleted: Deleted::Include, ..ContactFilter::default() }, sorted());
            contacts.by_identity(self.world.channel.id, "ada");
            contacts.count(&ContactFilter::default(), 100);
            contacts.list(&ContactFilter::default(), sorted());
            contacts.list(&ContactFilter { tags: vec![self.tag.id], ..ContactFilter::default() }, sorted());
            tags.get(self.tag.id);
            tags.by_ids(&[self.tag.id]);
            tags.by_name_keys(&["vip".to_owned()]);
            tags.list(&NameFilter::default(), sorted());
            tags.list(&NameFilter::default().containing(Some("v")), sorted());
            tags.has_links(self.tag.id);
            fields.get(&FieldRef::Id(self.field.id));
            fields.get(&FieldRef::Key("size".to_owned()));
            fields.all();
            fields.list(page);
            fields.has_values(self.field.id);
            fields.carriers(&self.field, &["L".to_owned()], 9);
            fields.carrying(&self.field, &["L".to_owned()], None, 9);
            fields.bot(&FieldRef::Id(self.bot_field.id));
            fields.bot(&FieldRef::Key("hours".to_owned()));
            fields.bot_all();
            fields.bot_list(page);
            workspace_secrets.get("TOKEN");
            workspace_secrets.all();
            workspace_secrets.list(page);
            segments.get(self.segment.id);
            segments.list(&NameFilter::default(), page);
            segments.list(&NameFilter::default().containing(Some("e")), page);
            saved_replies.get(self.saved_reply.id);
            saved_replies.by_name_key("hours");
            saved_replies.list(page);
            bulk.get(self.operation.id);
            bulk.list(None, page);
            bulk.list(Some(self.operation.status), page);
            imports.get(self.import.id);
            imports.list(page);
            imports.table(self.import.id, 0..9);
            imports.rejected(self.import.id, 0, 9);
            imports.rejected_naming(&ContactRef::Email(contact.email.clone().unwrap()), None, 9);
            imports.rejected_naming(&ContactRef::Phone(contact.phone.clone().unwrap()), None, 9);
            broadcasts.get(self.broadcast.id);
            broadcasts.list(&ListFilter::default(), page);
            broadcasts.list(&ListFilter::default().of(Some(self.broadcast.status)), page);
            broadcasts.waiting(self.broadcast.id, 0..9, 9);
            contacts.by_ids(&[contact.id]);
            conversations.between_all(&[contact.id], self.world.channel.id);
            references.dependents(target);
            references.lost(Referrer::Flow(self.flow.id));
            channels.get(self.world.channel.id);
            conversations.get(self.conversation.id);
            conversations.between(contact.id, self.world.channel.id);
            conversations.list(&ConversationFilter::default(), sorted());
            conversations.list(&ConversationFilter::default(), by_last_message());
            conversations.list(&of_status(), by_last_message());
            conversations.list(&of_member(), by_last_message());
            conversations.list(&unread(), sorted());
            conversations.list(&unread(), by_last_message());
            conversations.messages(self.conversation.id, page);
            conversations.message(self.message.id);
            conversations.dispatch(self.message.id);
            conversations.by_provider_id(self.world.channel.id, Direction::Inbound, "m1");
            conversations.last_used(contact.id);
            conversations.captured(self.world.channel.id, page);
            flows.get(self.flow.id);
            flows.list(&ListFilter::default(), page);
            flows.list(&ListFilter::default().of(Some(self.flow.status)), page);
            flows.version(self.flow.id, 1);
            flows.run(self.run.id);
            flows.live_run(self.flow.id, contact.id);
            flows.recent_starts(self.flow.id, contact.id, 10);
            flows.is_refused_since(self.flow.id, contact.id, NOW);
            flows.schedule(self.flow.id);
            flows.schedules();
            flows.recipients(self.flow.id, 9);
            timeline.events(contact.id, page);
            timeline.custom_events(contact.id, page);
            timeline.suppressed(contact.id, page);
            timeline.messages_alone(contact.id, page);
            timeline.spans(contact.id, page);
            timeline.runs(&[self.run.id]);
            erasures.get(self.erased.id);
            erasures.is_left(contact.id);
            merges.get(self.merged.id);
            merges.merged_into(contact.id, 9);
            merges.is_left(contact.id, self.merged.id);
            merges.is_sending(contact.id, self.merged.id);
            sequences.get(self.sequence.id);
            sequences.get_even_deleted(self.sequence.id);
            sequences.list(&ListFilter::default(), page);
            sequences.list(&ListFilter::default().of(Some(self.sequence.status)), page);
            sequences.enrollment(self.enrollment.id);
            sequences.last_enrollment(self.sequence.id, contact.id);
            sequences.enrollments(&EnrollmentFilter::default(), page);
            sequences.live_enrollments(contact.id);
            sequences.outdated_enrollments(self.sequence.id, 2, 10);
            webhooks.get(self.webhook.id);
            webhooks.list(&ListFilter::default(), page);
            webhooks.list(&ListFilter::default().of(Some(self.webhook.status)), page);
            webhooks.subscribers(EventKind::FlowFailed);
            webhooks.deliveries(self.webhook.id, &DeliveryFilter::default(), page);
            webhooks.delivery(self.delivery.id);
            webhooks.attempts(self.delivery.id);
            opt_outs.among(&[[7; 32]]);
            members.role(self.user.id);
            members.member(self.user.id);
            members.members();
            members.invitations();
            webhooks.counts(vec![self.webhook.id], NOW);
            webhooks.replay(self.replay.id);
            events.feed(0, vec![], 100);
        }
        let event = ports.engine.event(access.workspace(), self.event.id).await.unwrap();
        lines.push(format!("engine.event: {event:?}"));
        lines
    }

    /// All of the workspace.
    pub async fn dump(&self) -> Vec<String> {
        let mut lines = self.seen_by(&self.world.access).await;
        let ports = &self.world.ports;
        lines.push(format!("{:?}", ports.access.workspace(self.world.workspace).await.unwrap()));
        lines.push(format!("{:?}", ports.access.key_by_digest(self.key.digest).await.unwrap()));
        lines.push(format!("{:?}", ports.catalog.catalog(self.world.workspace).await.unwrap().opt_out_key));
        lines.push(format!("{:?}", ports.channels.default_channel(&self.world.access).await.unwrap()));
        lines.push(format!(
            "{:?}",
            ports.channels.list(&self.world.access, &ListFilter::default(), PageRequest::default()).await.unwrap()
        ));
        let connected = ListFilter::default().of(Some(self.world.channel.status));
        lines.push(format!(
            "{:?}",
            ports.channels.list(&self.world.access, &connected, PageRequest::default()).await.unwrap()
        ));
        lines
    }
}

/// An attempt at the delivery.
pub fn an_attempt(delivery: &Delivery, number: i32) -> Attempt {
    Attempt {
        delivery: delivery.id,
        number,
        at: NOW,
        duration_ms: 12,
        status: Some(500),
        headers: vec![("content-type".to_owned(), "text/plain".to_owned())],
        body: "no".to_owned(),
        error: Some("status 500".to_owned()),
    }
}

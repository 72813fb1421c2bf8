//! A workspace with one object of each type, and all its data as text.

mod query_dump;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use tidings_domain::access::{ApiKey, Invitation, Role, User};
use tidings_domain::audit::AuditEntry;
use tidings_domain::broadcasts::Broadcast;
use tidings_domain::bulk::BulkOperation;
use tidings_domain::channels::UnparsedRequest;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::Contact;
use tidings_domain::conversations::{Conversation, Message, MessageStatus, Suppression};
use tidings_domain::erasures::Erasure;
use tidings_domain::events::{Event, EventKind};
use tidings_domain::fields::{BotField, CustomField, FieldKind};
use tidings_domain::flows::{Flow, Run, RunStatus};
use tidings_domain::imports::{Import, RejectedRow};
use tidings_domain::merges::Merge;
use tidings_domain::ports::{
    AccessChange, Change, ChannelChange, ContactChange, ConversationChange, ErasureChange, FieldChange, FlowChange,
    ImportChange, Job, MergeChange, NewJob, Object, ReferenceChange, Row, TagChange, WebhookChange,
};
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::saved_replies::SavedReply;
use tidings_domain::secrets::Secret;
use tidings_domain::segments::Segment;
use tidings_domain::sequences::{Enrollment, Sequence};
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::tags::Tag;
use tidings_domain::webhooks::{Attempt, AttemptCount, Delivery, Replay, Subscription, Webhook};

use crate::Ports;
use crate::audit::an_audit_entry;
use crate::fixtures::{
    NOW, World, a_bot_field, a_broadcast, a_bulk_operation, a_conversation, a_custom_event, a_key, a_message, a_replay,
    a_run, a_saved_reply, a_schedule, a_secret, a_segment, an_answer, an_event, an_import, an_inbound_message,
    an_invitation, an_unparsed_request, id, uuid,
};
use crate::imports::a_rejected_row;
use crate::opt_outs::{a_key_of_opt_outs, an_opt_out, remembering};

/// A workspace with one object of each type.
#[allow(missing_docs, reason = "each is what it is called")]
pub struct Seed {
    pub world: World,
    pub key: ApiKey,
    pub contact: Contact,
    /// A deleted contact.
    pub gone: Contact,
    /// A contact that is being erased.
    pub erased: Contact,
    /// A contact that was merged into the first, after the merge.
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
    pub unparsed: UnparsedRequest,
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
    /// Creates the workspace; its key has this digest.
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
        conversation.waiting_since = Some(NOW);
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
        let unparsed = an_unparsed_request(&world.channel);
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
                    .change(Change::Insert(Row::Stored(StoredRow::Secret(secret.clone()))))
                    .change(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone()))))
                    .change(Change::Insert(Row::Stored(StoredRow::SavedReply(saved_reply.clone()))))
                    .change(Change::Audit(Box::new(audited.clone())))
                    .change(Change::Insert(Row::BulkOperation(Box::new(operation.clone()))))
                    .change(Change::Insert(Row::Import(Box::new(import.clone()))))
                    .change(Change::Import(ImportChange::PutTable {
                        import: import.id,
                        table: b"a,b\n1,2".as_slice().into(),
                    }))
                    .change(Change::Import(ImportChange::Reject { import: import.id, row: Box::new(rejected.clone()) }))
                    .change(Change::Channel(ChannelChange::KeepUnparsed(Box::new(unparsed.clone()))))
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
        let counted = AccessChange::CountInvitation { invitation: invitation.id, at: NOW };
        world.add(Change::Access(counted)).await;
        let freeze = tidings_domain::ports::BroadcastChange::Freeze {
            broadcast: broadcast.id,
            selection: Box::new(tidings_domain::conditions::Selection::Constant(true)),
            unreached: None,
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
            unparsed,
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

    /// Returns every object that a guard can check.
    pub fn objects(&self) -> Vec<Object> {
        vec![
            Object::Workspace(self.world.workspace),
            Object::Key(self.key.id),
            Object::Channel(self.world.channel.id),
            Object::Contact(self.contact.id),
            Object::Stored(StoredId::Tag(self.tag.id)),
            Object::Field(self.field.id),
            Object::BotField(self.bot_field.id),
            Object::Stored(StoredId::Secret(self.secret.id)),
            Object::Stored(StoredId::Segment(self.segment.id)),
            Object::Stored(StoredId::SavedReply(self.saved_reply.id)),
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
}

/// Returns an attempt at the delivery.
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

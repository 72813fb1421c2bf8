//! Objects of which a case says only what matters to it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, json};
use tidings_domain::access::{
    Access, Actor, ActorKind, ApiKey, Invitation, Member, OutboundMode, Plan, Role, Scope, User, Workspace,
};
use tidings_domain::broadcasts::{Audience, Broadcast};
use tidings_domain::bulk::{BulkAction, BulkOperation};
use tidings_domain::channels::{Channel, ChannelKind, Endpoint};
use tidings_domain::contacts::{Contact, Identity, TimeZone};
use tidings_domain::conversations::{Content, Conversation, Direction, Message, MessageStatus, StatusChange};
use tidings_domain::custom_events::CustomEvent;
use tidings_domain::events::{Event, EventKind};
use tidings_domain::fields::{BotField, CustomField, FieldKind, Rules};
use tidings_domain::flows::{Flow, FlowSchedule, FlowStats, FlowStatus, FlowVersion, Run, RunStatus};
use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::imports::Import;
use tidings_domain::ports::{
    Change, ChangeSet, CommitError, Conflict, FlowChange, Founding, IdempotencyRecord, Row, StoredBody,
};
use tidings_domain::saved_replies::SavedReply;
use tidings_domain::secrets::Secret;
use tidings_domain::segments::Segment;
use tidings_domain::sequences::{
    Enrollment, EnrollmentStatus, ExitOn, Reenroll, Sequence, SequenceStatus, SequenceZone, parse_steps,
};
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::{
    Delivery, DeliveryStatus, Health, PayloadForm, Replay, SealedHeaders, Subscription, Webhook, WebhookStatus,
};
use uuid::Uuid;

use crate::Ports;

/// The instant at which cases play: in the past of every real clock.
pub const NOW: Timestamp = Timestamp::EPOCH_2026;

/// So many seconds after [`NOW`].
pub fn at(seconds: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(seconds))
}

/// A new id, greater than those before it: a UUIDv7 that counts.
pub fn id<I: TypedId>() -> I {
    I::from_uuid(uuid())
}

/// As [`id`], without the kind.
pub fn uuid() -> Uuid {
    static MADE: AtomicU64 = AtomicU64::new(1);
    let number = u128::from(MADE.fetch_add(1, Ordering::SeqCst));
    let millis = u128::try_from(NOW.millis()).unwrap() + (number >> 12);
    Uuid::from_u128(millis << 80 | 7 << 76 | (number & 0xfff) << 64 | 0b10 << 62 | number)
}

/// A workspace with a sandbox channel, and the ports of its store.
#[derive(Clone)]
#[allow(missing_docs, reason = "each is what it is called")]
pub struct World {
    pub ports: Ports,
    pub workspace: WorkspaceId,
    pub access: Access,
    pub channel: Channel,
}

impl World {
    /// Makes the workspace.
    pub async fn new(ports: &Ports) -> Self {
        let workspace: WorkspaceId = id();
        let channel = a_channel();
        let world = Self { ports: ports.clone(), workspace, access: Access::system(workspace), channel };
        let row = Workspace {
            id: workspace,
            name: "Ada's shop".to_owned(),
            plan: Plan::Pro,
            time_zone: TimeZone::from_store("Europe/Berlin".to_owned()),
            created_at: NOW,
            updated_at: NOW,
            version: 1,
            live_workspace: None,
            outbound: OutboundMode::Send,
        };
        let changes = [Change::Insert(Row::Workspace(row)), Change::Insert(Row::Channel(world.channel.clone()))];
        world.commit(|set| set.changes.extend(changes)).await.expect("a new workspace");
        world
    }

    /// Commits what `build` puts into a set.
    pub async fn commit(&self, build: impl FnOnce(&mut ChangeSet)) -> Result<(), CommitError> {
        let mut set = ChangeSet::new(self.workspace);
        build(&mut set);
        self.ports.ledger.commit(set).await
    }

    /// Commits one change.
    pub async fn change(&self, change: Change) -> Result<(), CommitError> {
        self.commit(|set| set.changes.push(change)).await
    }

    /// Commits one change that must go through.
    pub async fn add(&self, change: Change) {
        let told = format!("{change:?}");
        self.change(change).await.unwrap_or_else(|error| panic!("{error:?}: {told}"));
    }

    /// A person of the store, with a place in the workspace.
    pub async fn member(&self, email: &str, role: Role) -> User {
        let user = a_user(email);
        let changes =
            [Change::Insert(Row::User(user.clone())), Change::Insert(Row::Member(Member::new(user.id, role, NOW)))];
        self.commit(|set| set.changes.extend(changes)).await.expect("a member");
        user
    }

    /// A contact of the store.
    pub async fn contact(&self) -> Contact {
        self.contact_with(|_| {}).await
    }

    /// A contact of the store, as `describe` makes it.
    pub async fn contact_with(&self, describe: impl FnOnce(&mut Contact)) -> Contact {
        let mut contact = Contact::new(id(), NOW);
        describe(&mut contact);
        self.add(Change::Insert(Row::Contact(Box::new(contact.clone())))).await;
        contact
    }

    /// A tag of the store.
    pub async fn tag(&self, name: &str) -> Tag {
        let tag = Tag::new(id(), name, NOW);
        self.add(Change::Insert(Row::Tag(tag.clone()))).await;
        tag
    }

    /// A custom field of the store.
    pub async fn field(&self, key: &str, kind: FieldKind) -> CustomField {
        let field = a_field(key, kind);
        self.add(Change::Insert(Row::Field(field.clone()))).await;
        field
    }

    /// A flow of the store, with version 1 published.
    pub async fn flow(&self) -> Flow {
        let flow = a_flow();
        let version = a_flow_version(&flow, 1);
        let changes = [Change::Insert(Row::Flow(flow.clone())), Change::Flow(FlowChange::InsertVersion(version))];
        self.commit(|set| set.changes.extend(changes)).await.expect("a flow");
        flow
    }

    /// A run of the store.
    pub async fn run(&self, flow: &Flow, contact: &Contact) -> Run {
        let run = a_run(flow, contact);
        self.add(Change::Insert(Row::Run(Box::new(run.clone())))).await;
        run
    }

    /// A sequence of the store.
    pub async fn sequence(&self) -> Sequence {
        let sequence = a_sequence();
        self.add(Change::Insert(Row::Sequence(Box::new(sequence.clone())))).await;
        sequence
    }

    /// An enrollment of the store.
    pub async fn enrollment(&self, sequence: &Sequence, contact: &Contact) -> Enrollment {
        let enrollment = an_enrollment(sequence, contact);
        self.add(Change::Insert(Row::Enrollment(Box::new(enrollment.clone())))).await;
        enrollment
    }

    /// The contact's address on the channel.
    pub fn identity(&self, address: &str) -> Identity {
        Identity { channel: self.channel.id, address: address.to_owned(), opted_in: true }
    }

    /// A conversation of the store.
    pub async fn conversation(&self, contact: &Contact) -> Conversation {
        let conversation = a_conversation(contact, &self.channel);
        self.add(Change::Insert(Row::Conversation(conversation.clone()))).await;
        conversation
    }

    /// A message of the store.
    pub async fn message(&self, conversation: &Conversation) -> Message {
        let message = a_message(conversation);
        self.add(Change::Insert(Row::Message(Box::new(message.clone())))).await;
        message
    }

    /// A webhook of the store.
    pub async fn webhook(&self, events: Subscription) -> Webhook {
        let webhook = a_webhook(events);
        self.add(Change::Insert(Row::Webhook(webhook.clone()))).await;
        webhook
    }

    /// An event of the store.
    pub async fn event(&self, kind: EventKind) -> Event {
        let event = an_event(kind);
        self.commit(|set| set.events.push(event.clone())).await.expect("an event");
        event
    }

    /// A delivery of the store.
    pub async fn delivery(&self, webhook: &Webhook, event: &Event) -> Delivery {
        let delivery = a_delivery(webhook, event);
        self.add(Change::Insert(Row::Delivery(delivery.clone()))).await;
        delivery
    }

    /// Whether the tag is in the store: what cases write to see whether a set was written.
    pub async fn has_tag(&self, tag: &Tag) -> bool {
        self.ports.tags.get(&self.access, tag.id).await.expect("a look-up").is_some()
    }
}

/// The conflict that a commit came back with.
#[track_caller]
pub fn conflict(outcome: Result<(), CommitError>) -> Conflict {
    match outcome {
        Err(CommitError::Conflict(conflict)) => conflict,
        other => panic!("expected a conflict, not {other:?}"),
    }
}

/// The default sandbox channel of a workspace.
pub fn a_channel() -> Channel {
    Channel::sandbox(id(), true, NOW)
}

/// A channel to a provider, not the default one, whose inbound token has this digest.
pub fn an_http_channel(digest: u8) -> Channel {
    let endpoint = Endpoint {
        url: "https://example.com/messages".to_owned(),
        secret: vec![1, 2, 255],
        secret_hint: "wxyz".to_owned(),
        inbound_token: vec![3, 0, 4],
        inbound_digest: [digest; 32],
    };
    Channel { kind: ChannelKind::Http, endpoint: Some(endpoint), ..Channel::sandbox(id(), false, NOW) }
}

/// A key with this digest's first byte.
pub fn a_key(workspace: WorkspaceId, digest: u8) -> ApiKey {
    ApiKey {
        id: id(),
        workspace,
        name: "CI".to_owned(),
        scope: Scope::Write,
        digest: [digest; 32],
        prefix: "tdg_test_".to_owned(),
        last_four: "wxyz".to_owned(),
        created_at: NOW,
        expires_at: Some(at(3_600)),
        revoked_at: None,
        last_used_at: None,
        last_used_address: None,
        updated_at: NOW,
        version: 1,
    }
}

/// A person with this address.
pub fn a_user(email: &str) -> User {
    User {
        id: id(),
        email: email.parse().unwrap(),
        name: "Ada".to_owned(),
        password_hash: "$argon2id$".to_owned(),
        operator: false,
        reset: None,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// An invitation of this address; the token has this digest.
pub fn an_invitation(email: &str, digest: u8) -> Invitation {
    Invitation {
        id: id(),
        email: email.parse().unwrap(),
        role: Role::Member,
        digest: [digest; 32],
        created_at: NOW,
        expires_at: at(3_600),
    }
}

/// The sandbox of a workspace, with its channel.
pub fn a_sandbox(live: WorkspaceId) -> Founding {
    let workspace = Workspace {
        id: WorkspaceId::of_sandbox(uuid()),
        name: "Ada's shop (sandbox)".to_owned(),
        plan: Plan::Pro,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
        live_workspace: Some(live),
        outbound: OutboundMode::Send,
        time_zone: TimeZone::from_store("UTC".to_owned()),
    };
    Founding { workspace, channel: a_channel(), owner: None }
}

/// A custom field; those with options choose from `red` and `green`.
pub fn a_field(key: &str, kind: FieldKind) -> CustomField {
    let options = if kind.has_options() { vec!["red".to_owned(), "green".to_owned()] } else { Vec::new() };
    CustomField {
        id: id(),
        key: key.to_owned(),
        name: key.to_owned(),
        kind,
        options,
        rules: Rules { max_length: Some(100), ..Rules::default() },
        retired: Vec::new(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A secret of this name, for one host.
pub fn a_secret(name: &str) -> Secret {
    Secret {
        id: id(),
        name: name.to_owned(),
        sealed: vec![0, 5, 255],
        hosts: vec!["api.example.com".to_owned()],
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A draft to everybody.
pub fn a_broadcast() -> Broadcast {
    Broadcast {
        id: id(),
        name: "News".to_owned(),
        audience: Audience::Condition(serde_json::json!({"all": []})),
        message: Content::text("Hi {{ contact.first_name }}, 世界"),
        created_at: NOW,
        updated_at: NOW,
        ..Broadcast::default()
    }
}

/// A bulk operation that waits.
pub fn a_bulk_operation() -> BulkOperation {
    let condition = serde_json::json!({"field": "first_name", "op": "eq", "value": "Имя, \"x\""});
    BulkOperation {
        id: id(),
        action: BulkAction::Tag(id()),
        filter: Audience::Condition(condition.clone()),
        condition: Some(condition),
        created_by: Actor { kind: ActorKind::ApiKey, id: Some("key_7".to_owned()) },
        created_at: NOW,
        updated_at: NOW,
        ..BulkOperation::default()
    }
}

/// An import that waits.
pub fn an_import() -> Import {
    Import {
        id: id(),
        columns: vec!["E-Mail".to_owned(), "Имя, \"x\"".to_owned()],
        names: [("E-Mail".to_owned(), "email".to_owned())].into(),
        size: 1_000,
        created_at: NOW,
        updated_at: NOW,
        ..Import::default()
    }
}

/// A saved reply of this name.
pub fn a_saved_reply(name: &str) -> SavedReply {
    SavedReply {
        id: id(),
        name: name.to_owned(),
        text: "We are open from 9, {{ contact.first_name }}".to_owned(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A segment of those who speak Portuguese.
pub fn a_segment() -> Segment {
    Segment {
        id: id(),
        name: "Lusophones".to_owned(),
        condition: serde_json::json!({"field": "locale", "op": "starts_with", "value": "pt"}),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A bot field without a value.
pub fn a_bot_field(key: &str) -> BotField {
    BotField {
        id: id(),
        key: key.to_owned(),
        name: key.to_owned(),
        kind: FieldKind::Text,
        value: None,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A flow.
pub fn a_flow() -> Flow {
    Flow {
        id: id(),
        name: "Welcome".to_owned(),
        status: FlowStatus::Active,
        version_published: Some(1),
        has_unpublished_changes: false,
        definition: json!({"nodes": [], "z": 1, "a": 2}),
        stats: FlowStats::default(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A published version of the flow.
pub fn a_flow_version(flow: &Flow, number: i64) -> FlowVersion {
    let tags = [("vip".to_owned(), id())].into();
    FlowVersion { flow: flow.id, number, definition: flow.definition.clone(), tags, created_at: NOW }
}

/// When the flow fires next, planned so often.
pub fn a_schedule(flow: &Flow, visit: i64) -> FlowSchedule {
    let zone = FlowSchedule::zone_named("Europe/Berlin");
    FlowSchedule { flow: flow.id, visit, next_at: Some(at(60)), zone, fired_at: None }
}

/// Something that a client told of a contact.
pub fn a_custom_event(contact: &Contact) -> CustomEvent {
    CustomEvent {
        id: id(),
        contact: contact.id,
        name: "order.paid".parse().unwrap(),
        data: json!({"total": 7.5, "items": [{"sku": "ä"}], "none": null}).as_object().cloned().unwrap(),
        at: NOW,
    }
}

/// A run at its start, in the shared slot.
pub fn a_run(flow: &Flow, contact: &Contact) -> Run {
    Run {
        id: id(),
        flow: flow.id,
        flow_version: 1,
        contact: contact.id,
        slot: Uuid::nil(),
        status: RunStatus::Active,
        node: None,
        channel: None,
        vars: Map::new(),
        trace: Vec::new(),
        wait: None,
        visit: 0,
        nodes_visited: 0,
        started_by: Actor::system(),
        cause: None,
        caller: None,
        depth: 1,
        event: None,
        started_at: NOW,
        ended_at: None,
        error: None,
        updated_at: NOW,
        version: 1,
    }
}

/// An active sequence of two steps.
pub fn a_sequence() -> Sequence {
    let message = json!({"type": "text", "text": "Hi {{ contact.name }}"});
    let action = json!({"type": "send_message", "message": message});
    let window = json!({"to": "18:00", "days": ["mon"], "from": "09:00"});
    let steps = json!([
        {"id": "a", "delay": "PT0S", "action": action},
        {"id": "ß", "delay": "P1D", "window": window, "action": action},
    ]);
    Sequence {
        id: id(),
        name: "Drip".to_owned(),
        status: SequenceStatus::Active,
        steps: parse_steps(&steps).expect("right steps"),
        exit_on: vec![ExitOn::Reply, ExitOn::Unsubscribe],
        exit_when: None,
        reenroll: Reenroll::Never,
        time_zone: SequenceZone::Contact,
        revision: 1,
        created_at: NOW,
        updated_at: NOW,
        deleted_at: None,
        version: 1,
    }
}

/// The contact's first enrollment in the sequence, at its start.
pub fn an_enrollment(sequence: &Sequence, contact: &Contact) -> Enrollment {
    Enrollment {
        id: id(),
        sequence: sequence.id,
        contact: contact.id,
        number: 1,
        status: EnrollmentStatus::Active,
        step: Some("a".to_owned()),
        next_run_at: Some(NOW),
        steps_done: Vec::new(),
        exit_reason: None,
        error: None,
        visit: 0,
        revision: 1,
        enrolled_by: Actor::system(),
        started_at: NOW,
        ended_at: None,
        updated_at: NOW,
        version: 1,
    }
}

/// The conversation with the contact on the channel.
pub fn a_conversation(contact: &Contact, channel: &Channel) -> Conversation {
    Conversation::new(id(), contact.id, channel.id, NOW)
}

/// A queued message.
pub fn a_message(conversation: &Conversation) -> Message {
    Message {
        id: id(),
        conversation: Some(conversation.id),
        contact: conversation.contact,
        channel: conversation.channel,
        direction: Direction::Outbound,
        content: Content::text("Hello, 世界"),
        status: MessageStatus::Queued,
        history: vec![StatusChange { status: MessageStatus::Queued, at: NOW }],
        error: None,
        sender: Actor::system(),
        provider_message_id: None,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A contact's message, by the provider's name for it.
pub fn an_inbound_message(conversation: &Conversation, name: &str) -> Message {
    Message {
        direction: Direction::Inbound,
        status: MessageStatus::Received,
        history: vec![StatusChange { status: MessageStatus::Received, at: NOW }],
        sender: Actor::contact(conversation.contact),
        provider_message_id: Some(name.to_owned()),
        ..a_message(conversation)
    }
}

/// A webhook.
pub fn a_webhook(events: Subscription) -> Webhook {
    Webhook {
        id: id(),
        url: "https://example.com/hook".to_owned(),
        events,
        description: None,
        payload: PayloadForm::Full,
        secret: vec![0, 1, 2, 255],
        secret_hint: "abcd".to_owned(),
        older_secrets: vec![],
        status: WebhookStatus::Active,
        disabled_reason: None,
        headers: SealedHeaders::default(),
        health: Health::default(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A webhook that wants this gets no delivery but those that a case makes.
pub fn nothing() -> Subscription {
    Subscription::Kinds(vec![])
}

/// An event.
pub fn an_event(kind: EventKind) -> Event {
    let (full, thin) = (r#"{"b": 1, "a": 2}"#.to_owned(), "{}".to_owned());
    Event { id: id(), kind, at: NOW, contact: None, full, thin, depth: 0, counts: None }
}

/// A delivery that waits for its first attempt.
pub fn a_delivery(webhook: &Webhook, event: &Event) -> Delivery {
    Delivery {
        id: id(),
        webhook: webhook.id,
        event: event.id,
        event_kind: event.kind,
        status: DeliveryStatus::Pending,
        attempts: 0,
        round_start: 0,
        next_attempt_at: Some(NOW),
        last_status: None,
        last_error: None,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// A replay that has not begun.
pub fn a_replay(webhook: &Webhook) -> Replay {
    let status = DeliveryStatus::Failed;
    Replay { id: id(), webhook: webhook.id, since: NOW, until: at(60), status, after: None }
}

/// An answer to be kept.
pub fn an_answer(key: &str) -> IdempotencyRecord {
    IdempotencyRecord {
        method: "POST".to_owned(),
        route: "/v1/contacts".to_owned(),
        key: key.to_owned(),
        fingerprint: [7; 32],
        status: 201,
        location: Some("/v1/contacts/1".to_owned()),
        etag: Some("\"1\"".to_owned()),
        body: StoredBody::Plain(b"{}".to_vec()),
        created_at: NOW,
    }
}

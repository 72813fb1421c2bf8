//! Rows of every type count, however they are written.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::access::usage::UsageRecord;
use crate::access::{Access, User};
use crate::audit::{AuditAction, AuditChange, AuditEntry, AuditObject, AuditedBy};
use crate::broadcasts::{Audience, Broadcast};
use crate::bulk::BulkOperation;
use crate::channels::UnparsedRequest;
use crate::contacts::ContactNames;
use crate::conversations::Content;
use crate::fields::{BotField, FieldKind};
use crate::ids::{
    AuditEntryId, BotFieldId, BroadcastId, BulkOperationId, ChannelId, EventId, ImportId, JobId, SavedReplyId,
    SegmentId, SequenceId, TypedId, UnparsedRequestId, UserId, WebhookId, WorkspaceId,
};
use crate::imports::{Import, ImportChange, RejectedRow};
use crate::memory::{Contents, MemoryStore};
use crate::ports::{
    Change, ChangeSet, ChannelChange, CommitError, Job, JobChange, Ledger, NewJob, OutboundStore, Row, SealedStore,
    StoreHold, UsageStore,
};
use crate::saved_replies::SavedReply;
use crate::segments::Segment;
use crate::sequences::{Sequence, parse_steps};
use crate::stored::StoredRow;
use crate::time::Timestamp;
use crate::webhooks::{HeaderValue, Health, PayloadForm, SealedHeaders, Subscription, Webhook, WebhookStatus};

const NOW: Timestamp = Timestamp::EPOCH_2026;
/// Minimum text size of each row.
const LONG: usize = 10_000;

fn ws() -> WorkspaceId {
    WorkspaceId::from_uuid(Uuid::from_u128(7))
}

fn long() -> String {
    "a".repeat(LONG)
}

fn commit(store: &MemoryStore, change: Change) -> Result<(), CommitError> {
    let mut set = ChangeSet::new(ws());
    set.change(change);
    block_on(store.commit(set))
}

fn is_full(error: &CommitError) -> bool {
    matches!(error, CommitError::Store(StoreError::Unavailable(why)) if why.contains("the in-memory store is full"))
}

/// Returns how many rows of a type a store accepts. Also checks that a rejected change leaves the store unchanged.
fn taken(kind: &str, bytes: usize, write: impl Fn(&MemoryStore, Uuid) -> Result<(), CommitError>) -> usize {
    let store = MemoryStore::bounded(Bounds { bytes, ..Bounds::default() });
    for number in 1..1_000 {
        let before = store.lock().rows();
        if let Err(error) = write(&store, Uuid::from_u128(number)) {
            assert!(is_full(&error), "{kind}: {error:?}");
            let state = store.lock();
            let (rows, text) = (state.rows(), state.text());
            assert!(rows == before && text <= bytes, "{kind}: {rows} rows of {before}, {text} bytes of {bytes}");
            return number as usize - 1;
        }
    }
    panic!("{kind} are never rejected");
}

fn an_entry(id: Uuid) -> AuditEntry {
    let change = AuditChange { after: json!(long()), ..AuditChange::default() };
    AuditEntry {
        id: AuditEntryId::from_uuid(id),
        workspace: ws(),
        at: NOW,
        by: AuditedBy::of(&Access::system(ws())),
        action: AuditAction::SegmentUpdated,
        object: AuditObject { kind: AuditAction::SegmentUpdated.kind(), id: None, name: None },
        changes: BTreeMap::from([("name".to_owned(), change)]),
    }
}

fn a_condition() -> Value {
    json!({"field": "first_name", "op": "eq", "value": long()})
}

fn a_segment(id: Uuid) -> Segment {
    let (id, name) = (SegmentId::from_uuid(id), id.to_string());
    Segment { id, name, condition: a_condition().into(), created_at: NOW, updated_at: NOW, version: 1 }
}

fn a_bot_field(id: Uuid) -> BotField {
    BotField {
        name: "Hours".to_owned(),
        value: Some(json!(long())),
        ..BotField::new(BotFieldId::from_uuid(id), &id.to_string(), FieldKind::Text, NOW)
    }
}

fn a_sequence(id: Uuid) -> Sequence {
    let action = json!({"type": "send_message", "message": {"type": "text", "text": "a".repeat(LONG / 4)}});
    let step = |name: &str| json!({"id": name, "delay": "PT1H", "action": action});
    // Each step has its text twice: parsed, and as written.
    let steps = parse_steps(&json!([step("a"), step("b")])).unwrap();
    Sequence::draft(SequenceId::from_uuid(id), "Drip", steps, NOW)
}

fn a_webhook(id: Uuid) -> Webhook {
    Webhook {
        id: WebhookId::from_uuid(id),
        url: "https://example.com".to_owned(),
        events: Subscription::All,
        description: None,
        payload: PayloadForm::Full,
        secret: vec![],
        secret_hint: String::new(),
        older_secrets: vec![],
        status: WebhookStatus::Active,
        disabled_reason: None,
        headers: SealedHeaders::new([("X-Long".to_owned(), HeaderValue::Plain(long()))]),
        health: Health::default(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

fn a_user(id: Uuid) -> User {
    User::new(UserId::from_uuid(id), format!("ada{}@example.com", id.as_u128()).parse().unwrap(), long(), "", NOW)
}

fn a_row(kind: &str, id: Uuid) -> Change {
    Change::Insert(match kind {
        "segments" => Row::Stored(StoredRow::Segment(a_segment(id))),
        "saved replies" => Row::Stored(StoredRow::SavedReply(SavedReply {
            id: SavedReplyId::from_uuid(id),
            name: id.to_string(),
            text: long(),
            attachments: Vec::new(),
            created_at: NOW,
            updated_at: NOW,
            version: 1,
        })),
        "bot fields" => Row::Stored(StoredRow::BotField(a_bot_field(id))),
        "sequences" => Row::Sequence(Box::new(a_sequence(id))),
        "broadcasts" => Row::Broadcast(Box::new(Broadcast {
            id: BroadcastId::from_uuid(id),
            message: Content::text(long()),
            audience: Audience::Condition(Value::Null.into()),
            ..Broadcast::default()
        })),
        "bulk operations" => Row::BulkOperation(Box::new(BulkOperation {
            id: BulkOperationId::from_uuid(id),
            condition: Some(a_condition().into()),
            ..BulkOperation::default()
        })),
        "imports" => {
            let names = BTreeMap::from([("Vorname".to_owned(), long())]);
            Row::Import(Box::new(Import { id: ImportId::from_uuid(id), names, ..Import::default() }))
        }
        "webhooks" => Row::Webhook(a_webhook(id)),
        "people" => Row::User(a_user(id)),
        other => panic!("unknown type of rows: {other}"),
    })
}

#[test]
fn accepts_rows_with_text_until_the_store_is_full() {
    let kinds = [
        "segments",
        "saved replies",
        "bot fields",
        "sequences",
        "broadcasts",
        "bulk operations",
        "imports",
        "webhooks",
        "people",
    ];
    for kind in kinds {
        let taken = taken(kind, 20 * LONG, |store, id| commit(store, a_row(kind, id)));
        assert!((14..20).contains(&taken), "{kind}: {taken}");
    }
}

#[test]
fn accepts_entries_and_errors_until_the_store_is_full() {
    let entries = taken("audit entries", 20 * LONG, |store, id| commit(store, Change::Audit(Box::new(an_entry(id)))));
    assert!((14..20).contains(&entries), "{entries}");
    let rejected = taken("rejected rows", 20 * LONG, |store, id| {
        let row = RejectedRow { line: 1, cells: vec![long()], wrong: vec![], names: ContactNames::default() };
        commit(store, Change::Import(ImportChange::Reject { import: ImportId::from_uuid(id), row: Box::new(row) }))
    });
    assert!((14..=20).contains(&rejected), "{rejected}");
    let unparsed = taken("requests that were not understood", 20 * LONG, |store, id| {
        let (id, channel) = (UnparsedRequestId::from_uuid(id), ChannelId::from_uuid(id));
        let (reason, body) = ("no update".to_owned(), long());
        let request = UnparsedRequest { id, channel, received_at: NOW, reason, size: 1, body };
        commit(store, Change::Channel(ChannelChange::KeepUnparsed(Box::new(request))))
    });
    assert!((14..=20).contains(&unparsed), "{unparsed}");
    let errors = taken("errors of jobs", 20 * LONG, |store, id| {
        let (job, token) = (JobId::from_uuid(id), NewJob::FIRST_TOKEN);
        let mut set = ChangeSet::new(ws());
        let kind = Job::RelayEvent { event: EventId::from_uuid(id), depth: 0 };
        set.jobs.push(NewJob { id: job, job: kind, due_at: NOW, lease: Some(Duration::from_secs(60)) });
        set.change(Change::Job(JobChange::Bury { job, token, error: long(), at: NOW }));
        // The job must exist before it is dead-lettered.
        let bury = ChangeSet { changes: std::mem::take(&mut set.changes), ..ChangeSet::new(ws()) };
        block_on(store.commit(set))?;
        let outcome = block_on(store.commit(bury));
        if outcome.is_err() {
            store.lock().jobs.remove(&job);
        }
        outcome
    });
    assert!((14..=20).contains(&errors), "{errors}");
}

#[test]
fn accepts_tables_of_imports_until_the_store_is_full() {
    const TABLE: usize = 5 << 20;
    let bytes = 32 << 20;
    let table: Arc<[u8]> = "a,b,\"c\"\n".repeat(TABLE / 8).into_bytes().into();
    let put = |store: &MemoryStore, id: Uuid| {
        let import = ImportId::from_uuid(id);
        commit(store, Change::Import(ImportChange::PutTable { import, table: table.clone() }))
    };
    assert_eq!(taken("tables", bytes, put), bytes / TABLE);

    // Removing one makes room for another.
    let store = MemoryStore::bounded(Bounds { bytes, ..Bounds::default() });
    for number in 1..=6 {
        put(&store, Uuid::from_u128(number)).unwrap();
    }
    assert!(is_full(&put(&store, Uuid::from_u128(7)).unwrap_err()));
    let import = ImportId::from_uuid(Uuid::from_u128(1));
    commit(&store, Change::Import(ImportChange::DropTable { import })).unwrap();
    put(&store, Uuid::from_u128(7)).unwrap();
    assert!(is_full(&put(&store, Uuid::from_u128(8)).unwrap_err()));
}

fn a_request(number: u128) -> UsageRecord {
    UsageRecord {
        workspace: ws(),
        id: Uuid::from_u128(number),
        at: NOW,
        key: None,
        user: None,
        method: "GET".to_owned(),
        route: "/api/v1/contacts".to_owned(),
        status: 404,
        duration_ms: 1,
        request_id: long(),
        address: "192.0.2.1".to_owned(),
        error_code: None,
        errors: vec![],
    }
}

#[test]
fn counts_requests_and_writes_outside_change_sets() {
    let store = MemoryStore::bounded(Bounds { bytes: 20 * LONG, ..Bounds::default() });
    let record = |requests| block_on(store.record(requests, vec![]));
    let taken = (1..100).take_while(|number| record(vec![a_request(*number)]).is_ok()).count();
    assert!((14..20).contains(&taken), "{taken}");
    record(vec![]).expect("an empty record needs no space");
    let canary = block_on(store.put_canary(None, vec![0; LONG]));
    assert!(matches!(canary, Err(StoreError::Unavailable(_))), "{canary:?}");
    assert!(block_on(store.put_canary(None, vec![0; 10])).unwrap());
    block_on(store.hold(StoreHold { reason: long(), since: NOW, is_restored: false }))
        .expect("a hold is always accepted");
    let state = store.lock();
    assert!(state.written >= state.text(), "{} of {}", state.written, state.text());
    assert_eq!(state.text() / LONG, taken + 1);
}

#[test]
fn rejects_contents_that_exceed_the_limit() {
    let store = MemoryStore::bounded(Bounds { bytes: 3 * LONG, ..Bounds::default() });
    let contents = |numbers: std::ops::Range<u128>| {
        let bot_fields = numbers.map(|number| a_bot_field(Uuid::from_u128(number))).collect();
        Contents { bot_fields, ..Contents::default() }
    };
    store.fill(ws(), contents(1..3)).unwrap();
    let refused = store.fill(ws(), contents(3..5));
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(store.lock().rows(), 2, "rejected contents add no rows");
    commit(&store, Change::Insert(Row::Stored(StoredRow::BotField(a_bot_field(Uuid::from_u128(5)))))).unwrap_err();
    let small = BotField { value: None, ..a_bot_field(Uuid::from_u128(5)) };
    commit(&store, Change::Insert(Row::Stored(StoredRow::BotField(small)))).unwrap();
}

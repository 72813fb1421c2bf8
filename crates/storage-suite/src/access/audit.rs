//! The audit log: entries are written with their change or not at all, are found by every filter, and are removed by
//! whole days.

use std::collections::BTreeMap;

use serde_json::json;
use tidings_domain::access::{Access, Actor, Scope};
use tidings_domain::audit::{AuditAction, AuditChange, AuditDraft, AuditEntry, AuditFilter, AuditObject, AuditedBy};
use tidings_domain::ids::{AuditEntryId, TypedId, UserId};
use tidings_domain::pagination::{Order, PageRequest};
use tidings_domain::ports::{Change, ChangeSet, CommitError, Conflict, Guard, Object, Ports, Row};
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::time::Timestamp;

use crate::fixtures::{NOW, World, at, id};

/// Returns an entry for a tag update by a user, `seconds` after [`NOW`].
pub fn an_audit_entry(world: &World, by: UserId, object: &str, seconds: u64) -> AuditEntry {
    let action = AuditAction::TagUpdated;
    let change =
        AuditChange { before: json!("VIP"), after: json!({"deep": [1, null, "é"]}), ..AuditChange::default() };
    AuditEntry {
        id: id(),
        workspace: world.workspace,
        at: at(seconds),
        by: AuditedBy { actor: Actor::user(by), scope: Some(Scope::Full) },
        action,
        object: AuditObject { kind: action.kind(), id: Some(object.to_owned()), name: Some("VIP".to_owned()) },
        changes: BTreeMap::from([("name".to_owned(), change), ("secret".to_owned(), AuditChange::withheld())]),
    }
}

fn newest(limit: u32) -> PageRequest {
    PageRequest { limit, order: Order::NewestFirst, ..PageRequest::default() }
}

async fn all(world: &World, filter: AuditFilter) -> Vec<AuditEntryId> {
    let mut found = Vec::new();
    let mut page = newest(2);
    loop {
        let answer = world.ports.audit.list(&world.access, &filter, page).await.unwrap();
        found.extend(answer.items.iter().map(|it| it.id));
        match answer.next {
            Some(next) => page.after = Some(next),
            None => return found,
        }
    }
}

/// Entries are listed newest first, by every filter, and only in their workspace.
pub async fn finds_audit_entries_by_every_filter(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (ada, bob): (UserId, UserId) = (id(), id());
    let mut entries = vec![
        an_audit_entry(&world, ada, "tag_1", 1),
        an_audit_entry(&world, ada, "tag_2", 2),
        an_audit_entry(&world, bob, "tag_1", 2),
    ];
    let mut by_system = an_audit_entry(&world, ada, "hook_1", 3);
    by_system.by = AuditedBy::of(&Access::system(world.workspace));
    by_system.action = AuditAction::WebhookDisabled;
    by_system.object = AuditObject { kind: by_system.action.kind(), id: None, name: None };
    entries.push(by_system);
    for entry in &entries {
        world.add(Change::Audit(Box::new(entry.clone()))).await;
    }
    other.add(Change::Audit(Box::new(an_audit_entry(&other, ada, "tag_1", 1)))).await;

    let told = store.audit.list(&world.access, &AuditFilter::default(), newest(9)).await.unwrap();
    let mut expected = entries.clone();
    expected.sort_by_key(|it| std::cmp::Reverse((it.at, it.id)));
    assert_eq!(told.items, expected);

    let filters = [
        AuditFilter::default(),
        AuditFilter { object: Some("tag_1".to_owned()), ..AuditFilter::default() },
        AuditFilter { actor: Some(ada.to_string()), ..AuditFilter::default() },
        AuditFilter { actor: Some("system".to_owned()), ..AuditFilter::default() },
        AuditFilter { action: Some(AuditAction::TagUpdated), ..AuditFilter::default() },
        AuditFilter { object_kind: Some(AuditAction::WebhookDisabled.kind()), ..AuditFilter::default() },
        AuditFilter { from: Some(at(2)), to: Some(at(3)), ..AuditFilter::default() },
        AuditFilter {
            object: Some("tag_1".to_owned()),
            actor: Some(bob.to_string()),
            action: Some(AuditAction::TagUpdated),
            object_kind: Some(AuditAction::TagUpdated.kind()),
            from: Some(at(1)),
            to: Some(at(9)),
        },
        AuditFilter { object: Some("tag_1".to_owned()), actor: Some("system".to_owned()), ..AuditFilter::default() },
    ];
    for filter in filters {
        let admitted = expected.iter().filter(|it| filter.matches(it)).map(|it| it.id);
        assert_eq!(all(&world, filter.clone()).await, admitted.collect::<Vec<_>>(), "{filter:?}");
    }
}

/// An entry is written with its change or not at all. An entry of another workspace is rejected with its set.
pub async fn an_audit_entry_is_written_with_its_change(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let tag = world.tag("VIP").await;
    let entry = an_audit_entry(&world, id(), &tag.id.to_string(), 1);
    let build = |set: &mut ChangeSet| {
        set.change(Change::Audit(Box::new(entry.clone())));
        set.change(Change::Update(Row::Stored(StoredRow::Tag(tag.clone()))));
    };
    let refused = world.commit(build).await;
    assert_eq!(refused, Err(CommitError::Conflict(Conflict::Stale(Object::Stored(StoredId::Tag(tag.id))))));
    let refused = world.commit(|set| {
        set.guard(Guard::Version(Object::Stored(StoredId::Tag(tag.id)), 9))
            .change(Change::Audit(Box::new(entry.clone())));
    });
    assert!(refused.await.is_err());
    assert_eq!(all(&world, AuditFilter::default()).await, []);

    assert!(
        other.change(Change::Audit(Box::new(entry.clone()))).await.is_err(),
        "an entry of another workspace is rejected"
    );
    assert_eq!(all(&world, AuditFilter::default()).await, []);

    let mut set = ChangeSet::new(world.workspace);
    let (clock, ids) = (tidings_domain::memory::FixedClock::default(), tidings_domain::memory::CountingIds::default());
    set.audit(AuditDraft::deleted(AuditAction::TagDeleted, &tag), &world.access, &clock, &ids);
    set.change(Change::Delete(Object::Stored(StoredId::Tag(tag.id))));
    store.ledger.commit(set).await.unwrap();
    assert_eq!(all(&world, AuditFilter::default()).await.len(), 1);

    // Sets that create a workspace belong to no workspace.
    let mut set = ChangeSet::outside();
    set.change(Change::Audit(Box::new(an_audit_entry(&other, id(), "ws_1", 1))));
    store.ledger.commit(set).await.unwrap();
    assert_eq!(all(&other, AuditFilter::default()).await.len(), 1);
}

/// Entries are removed day by day, the oldest first, at most `limit` at a time.
pub async fn old_audit_entries_are_removed_by_whole_days(store: Ports) {
    let world = World::new(&store).await;
    let day = 86_400;
    let first = NOW.millis().rem_euclid(86_400_000).unsigned_abs() / 1_000;
    // The beginning of the next day and the instants around it.
    let begin = day - first;
    let mut ids = Vec::new();
    for seconds in [begin - 1, begin, begin + day - 1, begin + day] {
        let entry = an_audit_entry(&world, UserId::from_uuid(id::<UserId>().uuid()), "tag_1", seconds);
        ids.push(entry.id);
        world.add(Change::Audit(Box::new(entry))).await;
    }
    let expire = async |before: Timestamp, limit| store.engine.expire_audit_log(before, limit).await.unwrap();
    assert_eq!(expire(at(begin - 1), 9).await, 0, "the day is not over");
    assert_eq!(expire(at(begin + day), 1).await, 1);
    assert_eq!(all(&world, AuditFilter::default()).await, [ids[3], ids[2], ids[1]]);
    assert_eq!((expire(at(begin + day), 9).await, expire(at(begin + day), 9).await), (2, 0));
    assert_eq!(all(&world, AuditFilter::default()).await, [ids[3]]);
}

//! A wrong key is detected, and a key is replaced in portions.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use uuid::Uuid;

use super::*;
use crate::access::SigningKey;
use crate::ids::{SigningKeyId, TypedId};
use crate::memory::MemoryStore;
use crate::ports::{AccountChange, Change, ChangeSet, Ledger, SealError};
use crate::sealing::KeyFinding;
use crate::time::Timestamp;

/// A sealer that writes the number of its key and the context before the text.
struct Numbered {
    current: u8,
    earlier: Vec<u8>,
}

impl Sealer for Numbered {
    fn seal(&self, plain: &[u8], context: &str) -> Vec<u8> {
        [&[self.current], context.as_bytes(), plain].concat()
    }

    fn open(&self, sealed: &[u8], context: &str) -> Result<Vec<u8>, SealError> {
        let plain = sealed.get(1..).and_then(|rest| rest.strip_prefix(context.as_bytes())).map(<[u8]>::to_vec);
        plain.filter(|_| self.sealed_by(sealed) != SealedBy::Unknown).ok_or(SealError)
    }

    fn sealed_by(&self, sealed: &[u8]) -> SealedBy {
        match sealed.first() {
            Some(key) if *key == self.current => SealedBy::Current,
            Some(key) if self.earlier.contains(key) => SealedBy::Earlier,
            _ => SealedBy::Unknown,
        }
    }
}

fn keys(current: u8, earlier: &[u8]) -> Arc<Numbered> {
    Arc::new(Numbered { current, earlier: earlier.to_vec() })
}

fn canary(store: &Arc<MemoryStore>, sealer: Arc<Numbered>) -> Canary {
    Canary { store: store.clone(), sealer }
}

fn look(store: &Arc<MemoryStore>, sealer: Arc<Numbered>) -> KeyFinding {
    block_on(canary(store, sealer).look()).unwrap()
}

fn resealing(store: &Arc<MemoryStore>, sealer: Arc<Numbered>) -> Resealing {
    Resealing { store: store.clone(), sealer }
}

/// Stores `count` signing keys, sealed with this key.
fn fill(store: &MemoryStore, by: u8, count: u128) {
    let sealer = keys(by, &[]);
    for number in 0..count {
        let id = SigningKeyId::from_uuid(Uuid::from_u128(u128::from(by) << 64 | number));
        let sealed = sealer.seal(b"seed", &SigningKey::seal_context(id));
        let created_at = Timestamp::EPOCH_2026.plus(Duration::from_secs(1));
        let mut set = ChangeSet::outside();
        set.change(Change::Account(AccountChange::InsertSigningKey(SigningKey { id, sealed, created_at })));
        block_on(store.commit(set)).unwrap();
    }
}

#[test]
fn marks_an_empty_store_and_recognises_its_key() {
    let store = Arc::new(MemoryStore::new());
    assert_eq!(look(&store, keys(1, &[])), KeyFinding::Unmarked);
    assert_eq!(block_on(canary(&store, keys(1, &[])).look_and_mark()), Ok(KeyFinding::Right));
    assert_eq!(look(&store, keys(1, &[])), KeyFinding::Right);
    assert_eq!(look(&store, keys(2, &[1])), KeyFinding::Earlier);
    let wrong = block_on(canary(&store, keys(2, &[3])).look_and_mark()).unwrap();
    assert!(
        matches!(wrong, KeyFinding::Wrong(sealed) if sealed[0] == 1),
        "the finding contains a value sealed with the key of the store"
    );
}

#[test]
fn checks_the_key_of_a_store_without_a_canary_by_its_rows() {
    let store = Arc::new(MemoryStore::new());
    fill(&store, 1, 3);
    assert!(matches!(look(&store, keys(2, &[])), KeyFinding::Wrong(_)));
    assert_eq!(block_on(store.canary()), Ok(None), "a wrong key does not mark the store");
    assert_eq!(look(&store, keys(1, &[])), KeyFinding::Unmarked);
    assert_eq!(look(&store, keys(2, &[1])), KeyFinding::Unmarked);
}

#[test]
fn resealing_leaves_no_row_with_an_earlier_key() {
    let store = Arc::new(MemoryStore::new());
    fill(&store, 1, 250);
    fill(&store, 9, 2);
    block_on(canary(&store, keys(1, &[])).look_and_mark()).unwrap();
    let both = resealing(&store, keys(2, &[1]));
    assert_eq!(block_on(both.survey()), Ok(Survey { current: 0, earlier: 250, unreadable: 2 }));
    let done = block_on(both.run()).unwrap();
    assert_eq!(done, Resealed { rows: 250, left: Survey { current: 250, earlier: 0, unreadable: 2 } });
    assert!(done.earlier_keys_may_go());
    assert_eq!(look(&store, keys(2, &[])), KeyFinding::Right);
    let alone = block_on(resealing(&store, keys(2, &[])).survey()).unwrap();
    assert_eq!(alone, Survey { current: 250, earlier: 0, unreadable: 2 });
    assert_eq!(block_on(both.run()).unwrap().rows, 0, "a second run changes nothing");
}

#[test]
fn resumes_an_interrupted_resealing() {
    let store = Arc::new(MemoryStore::new());
    fill(&store, 1, 250);
    block_on(canary(&store, keys(1, &[])).look_and_mark()).unwrap();
    let both = resealing(&store, keys(2, &[1]));
    let mut round = Progress::default();
    // Webhooks, channels and secrets, all without rows, and the first portion of signing keys.
    for _ in 0..4 {
        block_on(both.step(&mut round)).unwrap();
    }
    drop(round);
    let half = block_on(both.survey()).unwrap();
    assert!(half.current == 100 && half.earlier == 150, "{half:?}");
    assert_eq!(look(&store, keys(1, &[2])), KeyFinding::Right, "the store uses the earlier key until resealing ends");
    let done = block_on(both.run()).unwrap();
    assert_eq!((done.rows, done.left.current), (150, 250));
    assert_eq!(look(&store, keys(2, &[])), KeyFinding::Right);
}

#[test]
fn a_resumed_resealing_counts_the_rows_of_both_runs() {
    let store = Arc::new(MemoryStore::new());
    fill(&store, 1, 250);
    let both = resealing(&store, keys(2, &[1]));
    let mut outcome = Resealed { rows: 30, left: Survey::default() };
    block_on(both.resume(&mut outcome)).unwrap();
    assert_eq!(outcome, Resealed { rows: 280, left: Survey { current: 250, ..Survey::default() } });
}

#[test]
fn reseals_rows_written_during_a_round_in_the_next_one() {
    let store = Arc::new(MemoryStore::new());
    fill(&store, 1, 1);
    let both = resealing(&store, keys(2, &[1]));
    let row = block_on(store.sealed(SealedKind::SigningKeys, None, 1)).unwrap().remove(0);
    let mut round = Progress::default();
    while block_on(both.step(&mut round)).unwrap() {}
    let now = block_on(store.sealed(SealedKind::SigningKeys, None, 1)).unwrap().remove(0);
    block_on(store.replace_sealed(vec![(now, vec![row.values[0].sealed.clone()])])).unwrap();
    assert_eq!(block_on(both.run()).unwrap().left, Survey { current: 1, ..Survey::default() });
}

//! Batched lookups of rows by key: concurrent requests share one query.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use futures::future::BoxFuture;
use tidings_domain::ports::StoreError;
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::Backend;
use crate::connection::batcher::{BatchBound, Batcher};
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, failpoints};
use crate::postgres::Postgres;
use crate::queries::types::DbId;
use crate::sqlite::Turn;

/// Maximum number of concurrent queries.
const WORKERS: usize = 2;
/// Maximum number of concurrent queries of one thread.
const OF_A_THREAD: usize = 1;
/// Maximum number of keys in a query.
const KEYS: usize = 64;

/// The values of keys. Keys without a value are missing.
pub(crate) type Found<'c, K, V> = BoxFuture<'c, Result<HashMap<K, V>, Fault>>;

pub(crate) type Find<K, V> = for<'c> fn(Connection<'c>, Vec<K>) -> Found<'c, K, V>;

type Asked<K, V> = (K, oneshot::Sender<Result<Option<V>, StoreError>>);

/// Loads values by key. A query starts after the request, never before: it sees everything that was committed by then.
///
/// Requests of a thread with its own connections are batched separately and wake no other thread.
pub(crate) struct Loader<K, V> {
    shared: Arc<Batcher<Asked<K, V>>>,
    of_threads: Vec<Arc<Batcher<Asked<K, V>>>>,
    find: Find<K, V>,
    as_one: bool,
    /// Returns the workspace of a request. The request takes a turn of it.
    turn: fn(&K) -> Uuid,
}

impl<K: Clone + Eq + Hash + Send + Sync + 'static, V: Clone + Send + 'static> Loader<K, V> {
    pub(crate) fn new(find: Find<K, V>) -> Self {
        let batcher = |workers| Batcher::new(workers, BatchBound { items: KEYS, weight: usize::MAX, weigh: |_| 0 });
        let of_threads = (0..Postgres::threads()).map(|_| batcher(OF_A_THREAD)).collect();
        // All requests cost about the same: they are served in order, without turns for workspaces.
        Self { shared: batcher(WORKERS), of_threads, find, as_one: false, turn: |_| Uuid::nil() }
    }

    /// Creates a loader of large values, or of values that a client requests in large numbers. Workspaces take turns.
    pub(crate) fn in_turns(find: Find<K, V>, turn: fn(&K) -> Uuid) -> Self {
        Self { turn, ..Self::new(find) }
    }

    /// Creates a loader of values that take one query on PostgreSQL and several on SQLite. The queries on SQLite see
    /// the store as of one instant.
    pub(crate) fn as_one(find: Find<K, V>) -> Self {
        Self { as_one: true, ..Self::new(find) }
    }

    pub(crate) async fn load(&self, backend: &Backend, key: K) -> Result<Option<V>, StoreError> {
        let (answer, answered) = oneshot::channel();
        let (backend, find, as_one) = (backend.clone(), self.find, self.as_one);
        let own = match &backend {
            Backend::Postgres(postgres) => postgres.thread().and_then(|thread| self.of_threads.get(thread)),
            Backend::Sqlite(_) => None,
        };
        let batcher = own.unwrap_or(&self.shared);
        batcher.put((self.turn)(&key), (key, answer), move |asked| answer_all(backend.clone(), find, as_one, asked));
        answered.await.map_err(|_| StoreError::Unavailable("a query panicked".to_owned()))?
    }
}

pub(crate) fn by_workspace<T>(keys: Vec<(DbId, T)>) -> HashMap<DbId, Vec<T>> {
    let mut sorted = HashMap::<_, Vec<T>>::new();
    for (workspace, key) in keys {
        sorted.entry(workspace).or_default().push(key);
    }
    sorted
}

async fn answer_all<K: Clone + Eq + Hash + Send + Sync + 'static, V: Clone + Send + 'static>(
    backend: Backend,
    find: Find<K, V>,
    as_one: bool,
    asked: Vec<Asked<K, V>>,
) {
    let mut keys = HashMap::with_capacity(asked.len());
    for (key, _) in &asked {
        *keys.entry(key.clone()).or_insert(0_usize) += 1;
    }
    let distinct: Vec<K> = keys.keys().cloned().collect();
    let is_alone = distinct.len() == 1;
    match found(&backend, find, as_one, distinct).await {
        Ok(mut found) => {
            for (key, answer) in asked {
                // The last request for a key gets the value without a copy.
                let left = keys.get_mut(&key).map_or(0, |left| {
                    *left -= 1;
                    *left
                });
                let value = if left == 0 { found.remove(&key) } else { found.get(&key).cloned() };
                let _ = answer.send(Ok(value));
            }
        }
        // A corrupt value must not fail the requests for other values.
        Err(StoreError::Corrupt(_)) if !is_alone => {
            for (key, answer) in asked {
                let alone = found(&backend, find, as_one, vec![key.clone()]).await;
                let _ = answer.send(alone.map(|mut found| found.remove(&key)));
            }
        }
        Err(error) => asked.into_iter().for_each(|(_, answer)| drop(answer.send(Err(error.clone())))),
    }
}

async fn found<K: Send + 'static, V: Send + 'static>(
    backend: &Backend,
    find: Find<K, V>,
    as_one: bool,
    keys: Vec<K>,
) -> Result<HashMap<K, V>, StoreError> {
    failpoints::call().map_err(Fault::into_store_error)?;
    let found = match backend {
        Backend::Sqlite(sqlite) if as_one => sqlite.read_as_one(Turn::of(SYSTEM), move |c| find(c, keys)).await,
        Backend::Sqlite(sqlite) => sqlite.read(Turn::of(SYSTEM), move |c| find(c, keys)).await,
        Backend::Postgres(postgres) => postgres.read_row(move |c| find(c, keys)).await,
    };
    failpoints::read().and(found).map_err(Fault::into_store_error)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures::future::join_all;
    use tidings_storage_suite::databases::SqliteFile;

    use super::*;
    use crate::{Storage, StorageSettings};

    const ADA: DbId = DbId(Uuid::from_u128(1));
    const BOB: DbId = DbId(Uuid::from_u128(2));

    static BATCHES: Mutex<Vec<Vec<(DbId, usize)>>> = Mutex::new(Vec::new());

    fn find(_: Connection<'_>, keys: Vec<(DbId, usize)>) -> Found<'_, (DbId, usize), ()> {
        BATCHES.lock().unwrap().push(keys);
        Box::pin(async { Ok(HashMap::new()) })
    }

    /// The key of the second workspace is in the first batch, behind more keys of the first one than a batch has.
    #[tokio::test]
    async fn many_keys_of_a_workspace_do_not_delay_another() {
        let file = SqliteFile::new();
        let storage = Storage::open(&StorageSettings::new(file.url())).await.unwrap();
        let loader = Loader::in_turns(find, |(workspace, _)| workspace.0);
        let keys = (0..KEYS + 10).map(|number| (ADA, number)).chain([(BOB, 0)]);
        let mut loads: Vec<_> = keys.map(|key| Box::pin(loader.load(&storage.backend, key))).collect();
        for load in &mut loads {
            assert!(futures::poll!(load.as_mut()).is_pending());
        }
        assert!(join_all(loads).await.into_iter().all(|found| found.unwrap().is_none()));
        let batches = BATCHES.lock().unwrap();
        let with_bob = batches.iter().find(|keys| keys.contains(&(BOB, 0))).unwrap();
        assert_eq!(with_bob.len(), KEYS);
    }
}

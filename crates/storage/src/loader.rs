//! Rows by their keys: what many ask for at the same time is one query.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use futures::future::BoxFuture;
use tidings_domain::ports::StoreError;
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::batcher::{BatchBound, Batcher};
use crate::connection::Connection;
use crate::fair::SYSTEM;
use crate::faults::Fault;
use crate::postgres::Postgres;
use crate::sqlite::Turn;
use crate::types::DbId;
use crate::{Backend, failpoints};

/// So many queries run at once.
const WORKERS: usize = 2;
/// And so many of one thread.
const OF_A_THREAD: usize = 1;
/// Each query is for so many keys.
const KEYS: usize = 64;

/// The values of keys; those that have none are left out.
pub(crate) type Found<'c, K, V> = BoxFuture<'c, Result<HashMap<K, V>, Fault>>;

/// Finds them.
pub(crate) type Find<K, V> = for<'c> fn(Connection<'c>, Vec<K>) -> Found<'c, K, V>;

type Asked<K, V> = (K, oneshot::Sender<Result<Option<V>, StoreError>>);

/// Loads values by their keys. A query begins after the question was asked, never before: what was committed by then
/// is seen.
///
/// What is asked by a thread that has connections of its own is asked together with what else that thread asks, and
/// wakes no other.
pub(crate) struct Loader<K, V> {
    shared: Arc<Batcher<Asked<K, V>>>,
    of_threads: Vec<Arc<Batcher<Asked<K, V>>>>,
    find: Find<K, V>,
    as_one: bool,
}

impl<K: Clone + Eq + Hash + Send + Sync + 'static, V: Clone + Send + 'static> Loader<K, V> {
    pub(crate) fn new(find: Find<K, V>) -> Self {
        let batcher = |workers| Batcher::new(workers, BatchBound { items: KEYS, weight: usize::MAX, weigh: |_| 0 });
        let of_threads = (0..Postgres::threads()).map(|_| batcher(OF_A_THREAD)).collect();
        Self { shared: batcher(WORKERS), of_threads, find, as_one: false }
    }

    /// Of values that are one query on PostgreSQL, several on SQLite, which then see the store as of one instant.
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
        // Each question costs as little as any other: first come, first served.
        own.unwrap_or(&self.shared)
            .put(Uuid::nil(), (key, answer), move |asked| answer_all(backend.clone(), find, as_one, asked));
        answered.await.map_err(|_| StoreError::Unavailable("a query panicked".to_owned()))?
    }
}

/// Keys of the same workspace together.
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
                // The last who asks for it needs no copy.
                let left = keys.get_mut(&key).map_or(0, |left| {
                    *left -= 1;
                    *left
                });
                let value = if left == 0 { found.remove(&key) } else { found.get(&key).cloned() };
                let _ = answer.send(Ok(value));
            }
        }
        // Nobody hears of what is wrong with a value that others asked for.
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

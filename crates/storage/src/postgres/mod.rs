//! The PostgreSQL backend: pooled connections, and change sets that commit alone or combined in one transaction.

mod commits;
mod demoted_server;
mod expensive;
mod notifications;
mod outcome;
mod target;
mod thread_connections;
mod tls;
mod transaction;

use std::sync::Arc;
use std::time::Duration;

use deadpool::managed::{Hook, HookError, Object, PoolError, TimeoutType, Timeouts};
use diesel_async::AsyncPgConnection;
use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod};
use futures::FutureExt;
use futures::future::BoxFuture;
use tidings_domain::ports::StoreError;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use crate::connection::Connection;
use crate::connection::batcher::Batcher;
use crate::connection::concurrency_limit::ConcurrencyLimit;
use crate::connection::disk_faults::DiskFaults;
use crate::connection::error::StorageError;
use crate::connection::faults::Fault;
use crate::write::Contradictions;
use commits::Waiting;
use demoted_server::DemotedServer;
use notifications::Notifications;
pub(crate) use target::Target;
use thread_connections::{CheckedOut, ThreadConnections};
use transaction::{Committing, Ended, TransactionError, transaction};

/// Maximum wait of a request for a connection.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum wait of a worker for its turn to commit. The worker keeps its lease while it waits. Giving up would only
/// repeat the work later.
const WORKERS_PATIENCE: Duration = Duration::from_secs(60);
/// Timeout of every answer, regardless of the network.
const DEADLINE: Duration = Duration::from_secs(8);
/// Time to find out the outcome of a commit with a lost answer. After it, the outcome is reported as unknown.
const CLEARED: Duration = Duration::from_millis(9_300);
/// Maximum number of connections of request threads, for each connection of the pool.
const PER_POOLED: usize = 2;
/// A read-only transaction has one snapshot and cannot fail with a serialization error.
const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// For a client's own search terms, finding and sorting matches may cost less than reading a whole list in order.
const BEGIN_FREELY: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_sort = on; \
                            SET LOCAL enable_bitmapscan = on";
/// Timeouts for clients that disappear, and planner settings that force index scans in index order. PostgreSQL assumes
/// that a new table is small until it is analyzed. It would read and sort the whole table, and keep that plan while the
/// table grows.
const SESSION: &str = "SET statement_timeout = '7s'; SET lock_timeout = '5s'; \
                       SET idle_in_transaction_session_timeout = '10s'; SET TIME ZONE 'UTC'; \
                       SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
                       SET enable_sort = off; SET enable_incremental_sort = off; SET enable_bitmapscan = off; SET jit = off";

/// The PostgreSQL connections of one process.
#[derive(Clone)]
pub(crate) struct Postgres {
    pool: Pool<AsyncPgConnection>,
    /// A quarter of the connections, reserved for engines to claim jobs and extend leases. A very small pool reserves
    /// none.
    engines: Option<Pool<AsyncPgConnection>>,
    /// Limits how many connections of the pool the request threads borrow when their own are in use.
    borrowed: Arc<Semaphore>,
    pools: Arc<[Pool<AsyncPgConnection>]>,
    target: Arc<Target>,
    /// Detects connections that must not be reused.
    stepped_down: Arc<DemotedServer>,
    /// Change sets of requests that wait for group commit.
    waiting: Arc<Batcher<Waiting>>,
    /// Change sets of workers that wait for group commit.
    background: Arc<Batcher<Waiting>>,
    /// Limits request threads that commit a change set alone.
    requests: Arc<ConcurrencyLimit>,
    /// The same limit for all other threads.
    workers: Arc<ConcurrencyLimit>,
    contradictions: Arc<Contradictions>,
    thread_connections: Arc<ThreadConnections>,
    pub(crate) disk: DiskFaults,
}

type Pooled = Object<AsyncDieselConnectionManager<AsyncPgConnection>>;

impl Postgres {
    /// Creates a pool of this size and the request threads' connections. Connections are opened on first use.
    pub(crate) fn new(url: &str, size: usize) -> Result<Self, StorageError> {
        let for_engines = size / 4;
        let shared = size - for_engines;
        let (target, stepped_down) = (Arc::new(Target::parse(url)?), Arc::new(DemotedServer::default()));
        let of_size = |size| pool(&target, &stepped_down, size);
        let pool = of_size(shared)?;
        let engines = (for_engines > 0).then(|| of_size(for_engines)).transpose()?;
        let pools = [Some(pool.clone()), engines.clone()].into_iter().flatten().collect();
        let thread_connections =
            Arc::new(ThreadConnections::new(size * PER_POOLED, Self::threads(), Arc::clone(&stepped_down)));
        let borrowed = (shared / 2).max(1);
        // Some connections remain for readers. One workspace must not use all connections that a thread can get.
        let (requests, workers) = (part(thread_connections.most()), shared - 1);
        let of_one = part(requests).min(thread_connections.most_of_a_thread() + borrowed / 2);
        Ok(Self {
            pool,
            engines,
            borrowed: Arc::new(Semaphore::new(borrowed)),
            pools,
            target,
            stepped_down,
            waiting: commits::of_requests(size),
            background: commits::of_workers(size),
            requests: ConcurrencyLimit::new(requests, of_one),
            workers: ConcurrencyLimit::new(workers, part(workers)),
            contradictions: Arc::new(Contradictions::new()),
            thread_connections,
            disk: DiskFaults::default(),
        })
    }

    /// Returns a copy that uses the connections reserved for engines.
    pub(crate) fn for_engine(&self) -> Self {
        let pool = self.engines.as_ref().unwrap_or(&self.pool).clone();
        Self { pool, ..self.clone() }
    }

    async fn connection(&self) -> Result<CheckedOut<'_>, Fault> {
        if let Some(connection) = self.thread_connections.check_out(&self.target).await? {
            return Ok(connection);
        }
        let borrowed = match self.thread_connections.is_here() {
            true => match timeout(PATIENCE, Arc::clone(&self.borrowed).acquire_owned()).await {
                Ok(Ok(borrowed)) => Some(borrowed),
                _ => return Err(unavailable("no connection became free in time")),
            },
            false => None,
        };
        let pooled = self.pool.get().await.map_err(|error| {
            let text = match error {
                PoolError::Timeout(TimeoutType::Wait) => "no connection became free in time".to_owned(),
                PoolError::Timeout(_) => "no connection in time".to_owned(),
                error => error.to_string(),
            };
            unavailable(&text)
        })?;
        Ok(CheckedOut::OfPool { pooled: Box::new(pooled), _borrowed: borrowed })
    }

    /// Returns how many threads have their own connections.
    pub(crate) fn threads() -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    /// Returns the number of the current thread, if it has its own connections.
    pub(crate) fn thread(&self) -> Option<usize> {
        self.thread_connections.number()
    }

    pub(crate) async fn read<T>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send,
    ) -> Result<T, Fault> {
        let connection = self.connection().await?;
        match tokio::time::timeout(DEADLINE, query(Connection::Postgres(&connection))).await {
            Ok(result) => result.inspect_err(|fault| self.note(fault)),
            Err(_) => {
                // The late answer must not reach the next user of the connection.
                connection.close();
                Err(StoreError::Unavailable("no response in time".to_owned()).into())
            }
        }
    }

    /// Looks up a single row. On a thread with its own connections, it can share a connection with other pipelined
    /// queries.
    pub(crate) async fn read_row<T>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send,
    ) -> Result<T, Fault> {
        let Some(shared) = self.thread_connections.share(&self.target).await? else { return self.read(query).await };
        let answer = tokio::time::timeout(DEADLINE, query(Connection::Postgres(&shared))).await;
        let answer = answer.unwrap_or_else(|_| Err(unavailable("no response in time")));
        if matches!(answer, Err(Fault::Store(_) | Fault::ReadOnly)) {
            // The connection may be broken.
            shared.forget();
        }
        answer.inspect_err(|fault| self.note(fault))
    }

    /// Runs statements that are separate transactions. They all run even if the caller is dropped.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        let store = self.clone();
        spawned(async move { store.read(work).await }).await
    }

    /// Runs queries in one transaction with one snapshot.
    pub(crate) async fn read_as_one<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.read_in(BEGIN_READING, query).await
    }

    /// Like [`Self::read_as_one`], with a planner that may sort.
    pub(crate) async fn read_freely<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.read_in(BEGIN_FREELY, query).await
    }

    async fn read_in<T: Send + 'static>(
        &self,
        begin: &'static str,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        // A read has nothing to commit, and its outcome is never unknown.
        match self.transact_in(begin, query).await {
            Err(Fault::Store(StoreError::OutcomeUnknown)) => {
                Err(StoreError::Unavailable("no response in time".to_owned()).into())
            }
            other => other,
        }
    }

    pub(crate) async fn transact<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.transact_in("BEGIN", work).await
    }

    async fn transact_in<T: Send + 'static>(
        &self,
        begin: &'static str,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        let store = self.clone();
        spawned(async move {
            store.attempt(begin, false, Instant::now() + DEADLINE, work).await.map_err(TransactionError::into_fault)
        })
        .await
    }

    /// Runs one transaction. The outcome of a `numbered` one can be looked up later. PostgreSQL records it even if it
    /// changes nothing.
    async fn attempt<T>(
        &self,
        begin: &str,
        numbered: bool,
        deadline: Instant,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>>,
    ) -> Result<T, TransactionError> {
        let connection = self.connection().await?;
        let mut committing = Committing::default();
        let transaction = transaction(&connection, begin, numbered, work, &mut committing);
        let ended = tokio::time::timeout_at(deadline, transaction).await;
        match ended {
            Ok(Ended::Committed(value)) => Ok(value),
            Ok(Ended::RolledBack(fault)) => {
                self.note(&fault);
                Err(fault.into())
            }
            Ok(Ended::Broken(fault)) => {
                connection.close();
                Err(fault.into())
            }
            Ok(Ended::Unclear) => {
                connection.close();
                Err(TransactionError::Unclear(committing.xid))
            }
            Err(_) => {
                connection.close();
                // Without a COMMIT, the transaction is rolled back when its connection closes.
                if committing.sent {
                    Err(TransactionError::Unclear(committing.xid))
                } else {
                    Err(unavailable("no response in time").into())
                }
            }
        }
    }

    /// Stops reusing older connections after one reached a read-only server: they lead there, too.
    fn note(&self, fault: &Fault) {
        if matches!(fault, Fault::ReadOnly) && self.stepped_down.note() {
            tracing::warn!("the connected PostgreSQL server is read-only; reconnecting");
            for pool in self.pools.iter() {
                pool.retain(|_, metrics| !self.stepped_down.covers(metrics.created));
            }
            self.thread_connections.drop_left();
        }
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    pub(crate) fn notifications(&self) -> Notifications {
        Notifications::new(Arc::clone(&self.target), Arc::clone(&self.stepped_down))
    }

    /// Returns the number of combined transactions that were rolled back because one change set conflicted.
    pub(crate) fn given_up(&self) -> u64 {
        self.contradictions.given_up()
    }

    /// Returns the number of connections, of idle ones, and of tasks that wait for one.
    pub(crate) fn pool_status(&self) -> (usize, usize, usize) {
        let (status, (made, idle)) = (self.pool.status(), self.thread_connections.status());
        let at_gates = self.requests.waiting() + self.workers.waiting();
        let here = (status.size + made, status.available + idle, status.waiting + at_gates);
        let Some(engines) = self.engines.as_ref().map(Pool::status) else { return here };
        (here.0 + engines.size, here.1 + engines.available, here.2 + engines.waiting)
    }
}

fn pool(
    target: &Arc<Target>,
    stepped_down: &Arc<DemotedServer>,
    size: usize,
) -> Result<Pool<AsyncPgConnection>, StorageError> {
    let mut config = ManagerConfig::default();
    config.recycling_method = RecyclingMethod::Fast;
    let target = Arc::clone(target);
    config.custom_setup = Box::new(move |_| {
        let target = Arc::clone(&target);
        async move { target.connect().await }.boxed()
    });
    // The target contains the address.
    let manager = AsyncDieselConnectionManager::new_with_config("", config);
    let stepped_down = Arc::clone(stepped_down);
    let leads_on = Hook::sync_fn(move |_, metrics| match stepped_down.covers(metrics.created) {
        true => Err(HookError::message("the connection leads to a read-only server")),
        false => Ok(()),
    });
    let timeouts = Timeouts { wait: Some(PATIENCE), create: Some(PATIENCE), recycle: Some(PATIENCE) };
    Pool::builder(manager)
        .max_size(size)
        .pre_recycle(leads_on)
        .timeouts(timeouts)
        .runtime(deadpool::Runtime::Tokio1)
        .build()
        .map_err(|error| StorageError::Open(error.to_string()))
}

/// Returns three quarters, rounded up. The rest remains for other tasks.
fn part(of: usize) -> usize {
    (of * 3).div_ceil(4)
}

/// Runs work to completion even if the caller is dropped. If it panics or its runtime ends, its outcome is unknown.
async fn spawned<T: Send + 'static>(work: impl Future<Output = Result<T, Fault>> + Send + 'static) -> Result<T, Fault> {
    tokio::spawn(work).await.unwrap_or_else(|_| Err(StoreError::OutcomeUnknown.into()))
}

fn unavailable(text: &str) -> Fault {
    StoreError::Unavailable(text.to_owned()).into()
}

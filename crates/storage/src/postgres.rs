//! PostgreSQL: pooled connections, one transaction for each change set.

mod commits;
mod expensive;
mod notifications;
mod outcome;
mod stepped_down;
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

use crate::batcher::Batcher;
use crate::connection::Connection;
use crate::disk_faults::DiskFaults;
use crate::error::StorageError;
use crate::faults::Fault;
use crate::gate::Gate;
use crate::write::Contradictions;
use commits::Waiting;
use notifications::Notifications;
use stepped_down::SteppedDown;
pub(crate) use target::Target;
use thread_connections::{CheckedOut, ThreadConnections};
use transaction::{Committing, Ended, Failed, transaction};

/// How long a request waits for a connection before it is told to come back.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long a worker waits for its turn to commit. It keeps its lease meanwhile, and to give up would be to do the work
/// once more, later.
const WORKERS_PATIENCE: Duration = Duration::from_secs(60);
/// No answer takes longer than this, whatever the network does.
const DEADLINE: Duration = Duration::from_secs(8);
/// By then it is known what became of a commit whose answer was lost, or the client hears that it is not.
const CLEARED: Duration = Duration::from_millis(9_300);
/// For each connection of the pool the threads that answer requests may have so many.
const PER_POOLED: usize = 2;
/// A reading transaction sees one snapshot, and cannot fail to be serialised.
const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// Where somebody's own words say what is wanted, it may be less to find that and sort it than to go through a list.
const BEGIN_FREELY: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_sort = on; \
                            SET LOCAL enable_bitmapscan = on";
/// Bounds for the case that a client goes away in the middle. And every query here goes by an index, in its order: of a
/// table that PostgreSQL believes to be small, as it does of a new one until it has counted its rows, it would read and
/// sort all, and keep that plan while the table grows.
const SESSION: &str = "SET statement_timeout = '7s'; SET lock_timeout = '5s'; \
                       SET idle_in_transaction_session_timeout = '10s'; SET TIME ZONE 'UTC'; \
                       SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
                       SET enable_sort = off; SET enable_incremental_sort = off; SET enable_bitmapscan = off; SET jit = off";

/// The connections of one process.
#[derive(Clone)]
pub(crate) struct Postgres {
    pool: Pool<AsyncPgConnection>,
    /// A quarter of the connections, which only engines take, to claim work and to keep what they claimed; none of a
    /// very small pool.
    engines: Option<Pool<AsyncPgConnection>>,
    /// Threads that answer requests take no more of the pool than this when their own connections are used up.
    borrowed: Arc<Semaphore>,
    /// Both.
    pools: Arc<[Pool<AsyncPgConnection>]>,
    target: Arc<Target>,
    /// Which connections are not used again.
    stepped_down: Arc<SteppedDown>,
    /// Change sets for group commit that somebody waits for at the other end of a request.
    waiting: Arc<Batcher<Waiting>>,
    /// Change sets for group commit that come from workers.
    background: Arc<Batcher<Waiting>>,
    /// Through it go change sets that are written alone, by the threads that answer requests.
    requests: Arc<Gate>,
    /// The same for all other threads.
    workers: Arc<Gate>,
    contradictions: Arc<Contradictions>,
    thread_connections: Arc<ThreadConnections>,
    /// Commits that failed because of the disk.
    pub(crate) disk: DiskFaults,
}

type Pooled = Object<AsyncDieselConnectionManager<AsyncPgConnection>>;

impl Postgres {
    /// Makes a pool of this size, and room for connections of the threads that answer requests; all are made when they
    /// are needed.
    pub(crate) fn new(url: &str, size: usize) -> Result<Self, StorageError> {
        let for_engines = size / 4;
        let shared = size - for_engines;
        let (target, stepped_down) = (Arc::new(Target::parse(url)?), Arc::new(SteppedDown::default()));
        let of_size = |size| pool(&target, &stepped_down, size);
        let pool = of_size(shared)?;
        let engines = (for_engines > 0).then(|| of_size(for_engines)).transpose()?;
        let pools = [Some(pool.clone()), engines.clone()].into_iter().flatten().collect();
        let thread_connections =
            Arc::new(ThreadConnections::new(size * PER_POOLED, Self::threads(), Arc::clone(&stepped_down)));
        let borrowed = (shared / 2).max(1);
        // Not all that there are: readers need some, too. Nor may one workspace use up what one thread can have.
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
            requests: Gate::new(requests, of_one),
            workers: Gate::new(workers, part(workers)),
            contradictions: Arc::new(Contradictions::new()),
            thread_connections,
            disk: DiskFaults::default(),
        })
    }

    /// The same, with the connections that only engines take.
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

    /// How many threads have connections of their own.
    pub(crate) fn threads() -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    /// The number of the thread that asks, if it has connections of its own.
    pub(crate) fn thread(&self) -> Option<usize> {
        self.thread_connections.number()
    }

    /// Runs queries on one connection.
    pub(crate) async fn read<T>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send,
    ) -> Result<T, Fault> {
        let connection = self.connection().await?;
        match tokio::time::timeout(DEADLINE, query(Connection::Postgres(&connection))).await {
            Ok(result) => result.inspect_err(|fault| self.note(fault)),
            Err(_) => {
                // Its answer may still come, to whoever has the connection next.
                connection.close();
                Err(StoreError::Unavailable("no response in time".to_owned()).into())
            }
        }
    }

    /// Runs a query for a single row. Where the thread that asks has connections, others of its queries may be under way
    /// on the same one.
    pub(crate) async fn read_row<T>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send,
    ) -> Result<T, Fault> {
        let Some(shared) = self.thread_connections.share(&self.target).await? else { return self.read(query).await };
        let answer = tokio::time::timeout(DEADLINE, query(Connection::Postgres(&shared))).await;
        let answer = answer.unwrap_or_else(|_| Err(unavailable("no response in time")));
        if matches!(answer, Err(Fault::Store(_) | Fault::ReadOnly)) {
            // It may be gone.
            shared.forget();
        }
        answer.inspect_err(|fault| self.note(fault))
    }

    /// Runs statements, each a transaction of its own, to the end of the last even if nobody waits for it any more.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        let store = self.clone();
        spawned(async move { store.read(work).await }).await
    }

    /// Runs queries in one transaction, so that all see the database as of the first.
    pub(crate) async fn read_as_one<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.read_in(BEGIN_READING, query).await
    }

    /// The same, with a planner that may sort.
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
        // It has nothing to commit, so its outcome is never unclear.
        match self.transact_in(begin, query).await {
            Err(Fault::Store(StoreError::OutcomeUnknown)) => {
                Err(StoreError::Unavailable("no response in time".to_owned()).into())
            }
            other => other,
        }
    }

    /// Runs statements in one transaction.
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
            store.attempt(begin, false, Instant::now() + DEADLINE, work).await.map_err(Failed::into_fault)
        })
        .await
    }

    /// One transaction. `numbered` ones can be asked about afterwards; PostgreSQL writes them down
    /// even where they change nothing.
    async fn attempt<T>(
        &self,
        begin: &str,
        numbered: bool,
        deadline: Instant,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>>,
    ) -> Result<T, Failed> {
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
                Err(Failed::Unclear(committing.xid))
            }
            Err(_) => {
                connection.close();
                // Without its COMMIT a transaction ends with its connection, as if it had never been.
                if committing.sent {
                    Err(Failed::Unclear(committing.xid))
                } else {
                    Err(unavailable("no response in time").into())
                }
            }
        }
    }

    /// Where one connection met a server that takes no writes any more, those made before lead there, too.
    fn note(&self, fault: &Fault) {
        if matches!(fault, Fault::ReadOnly) && self.stepped_down.note() {
            tracing::warn!("the connected PostgreSQL server is read-only; reconnecting");
            for pool in self.pools.iter() {
                pool.retain(|_, metrics| !self.stepped_down.covers(metrics.created));
            }
            self.thread_connections.drop_left();
        }
    }

    /// Where the database is.
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// What carries messages between all who are connected to the database.
    pub(crate) fn notifications(&self) -> Notifications {
        Notifications::new(Arc::clone(&self.target), Arc::clone(&self.stepped_down))
    }

    /// How many transactions of several change sets were given up, because one of them contradicted.
    pub(crate) fn given_up(&self) -> u64 {
        self.contradictions.given_up()
    }

    /// How many connections there are, how many of them are idle, and how many tasks wait for one.
    pub(crate) fn pool_status(&self) -> (usize, usize, usize) {
        let (status, (made, idle)) = (self.pool.status(), self.thread_connections.status());
        let at_gates = self.requests.waiting() + self.workers.waiting();
        let here = (status.size + made, status.available + idle, status.waiting + at_gates);
        let Some(engines) = self.engines.as_ref().map(Pool::status) else { return here };
        (here.0 + engines.size, here.1 + engines.available, here.2 + engines.waiting)
    }
}

/// A pool of so many connections, each made when it is needed.
fn pool(
    target: &Arc<Target>,
    stepped_down: &Arc<SteppedDown>,
    size: usize,
) -> Result<Pool<AsyncPgConnection>, StorageError> {
    let mut config = ManagerConfig::default();
    config.recycling_method = RecyclingMethod::Fast;
    let target = Arc::clone(target);
    config.custom_setup = Box::new(move |_| {
        let target = Arc::clone(&target);
        async move { target.connect().await }.boxed()
    });
    // The address is the target's.
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

/// Three quarters, rounded up: what may be used up, and leaves something to others.
fn part(of: usize) -> usize {
    (of * 3).div_ceil(4)
}

/// Runs to its end even if nobody waits for it any more. How far it came where it panics, or its runtime ends, is not
/// known.
async fn spawned<T: Send + 'static>(work: impl Future<Output = Result<T, Fault>> + Send + 'static) -> Result<T, Fault> {
    tokio::spawn(work).await.unwrap_or_else(|_| Err(StoreError::OutcomeUnknown.into()))
}

fn unavailable(text: &str) -> Fault {
    StoreError::Unavailable(text.to_owned()).into()
}

//! Connections of threads that answer requests.
//!
//! A connection is driven by the runtime of the thread that opened it. Each thread that answers requests has its own
//! runtime. A query on a pooled connection wakes another thread to send it, and is woken by that thread for the answer.
//! A query on the thread's own connection wakes no other thread.
//!
//! A connection is checked out for one use, like pooled ones, or shared by lookups of single rows. Shared queries are
//! pipelined: PostgreSQL and the thread wake each other less often.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use deadpool::managed::Object;
use diesel_async::AsyncPgConnection;
use diesel_async::pooled_connection::PoolableConnection;
use scopeguard::{ScopeGuard, guard};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::{DemotedServer, PATIENCE, Pooled, Target, unavailable};
use crate::connection::faults::Fault;

/// Maximum number of queries on a shared connection. More would not be faster, and each would wait for the earlier
/// ones.
const TOGETHER: usize = 8;

/// The connections of one process by thread. They are opened on first use.
pub(super) struct ThreadConnections {
    /// The number of this store in the process.
    store: usize,
    threads: Box<[ThreadEntry]>,
    taken: AtomicUsize,
    each: usize,
    stepped_down: Arc<DemotedServer>,
}

/// A connection and the time it was opened.
pub(super) struct ThreadConnection {
    connection: AsyncPgConnection,
    at: Instant,
}

impl Deref for ThreadConnection {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.connection
    }
}

/// The connections of one thread.
#[derive(Default)]
pub(super) struct ThreadEntry(Mutex<State>);

#[derive(Default)]
struct State {
    /// Connections that are not checked out. A shared one has several references.
    here: Vec<Arc<ThreadConnection>>,
    /// Number of all connections, including those checked out or being opened.
    made: usize,
}

impl ThreadConnections {
    /// Divides a number of connections among threads, at least one for each.
    pub(super) fn new(connections: usize, threads: usize, stepped_down: Arc<DemotedServer>) -> Self {
        static STORES: AtomicUsize = AtomicUsize::new(0);
        let (store, threads) = (STORES.fetch_add(1, Ordering::Relaxed), threads.max(1));
        let entries = (0..threads).map(|_| ThreadEntry::default()).collect();
        let each = (connections / threads).max(1);
        Self { store, threads: entries, taken: AtomicUsize::new(0), each, stepped_down }
    }

    /// Returns an unused connection, or `None` if this thread has no own runtime or no connection left.
    pub(super) async fn check_out(&self, target: &Target) -> Result<Option<CheckedOut<'_>>, Fault> {
        let Some(entry) = self.entry() else { return Ok(None) };
        let connection = match entry.idle(&self.stepped_down) {
            Some(idle) => idle,
            None => match entry.right(self.each) {
                Some(right) => open_connection(target, right).await?,
                None => return Ok(None),
            },
        };
        Ok(Some(entry.checked_out(connection)))
    }

    /// Returns a shared connection with room for one more query, or else another connection. Returns `None` if this
    /// thread has no own runtime, or all of its connections are checked out.
    pub(super) async fn share(&self, target: &Target) -> Result<Option<Shared<'_>>, Fault> {
        let Some(entry) = self.entry() else { return Ok(None) };
        if let Some(connection) = entry.shared(&self.stepped_down) {
            return Ok(Some(Shared { entry, connection }));
        }
        let connection = match entry.idle(&self.stepped_down) {
            Some(idle) => idle,
            None => match entry.right(self.each) {
                Some(right) => open_connection(target, right).await?,
                None => {
                    let connection = entry.least_busy(&self.stepped_down);
                    return Ok(connection.map(|connection| Shared { entry, connection }));
                }
            },
        };
        entry.lock().here.push(Arc::clone(&connection));
        Ok(Some(Shared { entry, connection }))
    }

    /// Closes unused connections to a read-only server.
    pub(super) fn drop_left(&self) {
        for entry in &self.threads {
            let mut state = entry.lock();
            let before = state.here.len();
            state.here.retain(|it| Arc::strong_count(it) > 1 || !self.stepped_down.covers(it.at));
            state.made -= before - state.here.len();
        }
    }

    pub(super) fn status(&self) -> (usize, usize) {
        self.threads.iter().map(ThreadEntry::lock).fold((0, 0), |(all, idle), state| {
            (all + state.made, idle + state.here.iter().filter(|it| Arc::strong_count(it) == 1).count())
        })
    }

    pub(super) fn most(&self) -> usize {
        self.each * self.threads.len()
    }

    pub(super) fn most_of_a_thread(&self) -> usize {
        self.each
    }

    pub(super) fn is_here(&self) -> bool {
        self.entry().is_some()
    }

    /// Returns this thread's entry, if it has its own runtime.
    fn entry(&self) -> Option<&ThreadEntry> {
        self.threads.get(self.number()?)
    }

    /// Returns the number of this thread among those with an entry.
    pub(super) fn number(&self) -> Option<usize> {
        thread_local! {
            /// The store that this thread used last, and its entry there.
            static ENTRY: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
        }
        let has_runtime = Handle::try_current().is_ok_and(|it| it.runtime_flavor() == RuntimeFlavor::CurrentThread);
        if !has_runtime {
            return None;
        }
        let number = match ENTRY.get() {
            Some((store, number)) if store == self.store => number,
            _ => {
                let number = self.taken.fetch_add(1, Ordering::Relaxed);
                ENTRY.set(Some((self.store, number)));
                number
            }
        };
        (number < self.threads.len()).then_some(number)
    }
}

/// Opens a connection with a right from [`ThreadEntry::right`].
async fn open_connection(
    target: &Target,
    right: ScopeGuard<(), impl FnOnce(())>,
) -> Result<Arc<ThreadConnection>, Fault> {
    let made = timeout(PATIENCE, target.connect()).await.map_err(|_| unavailable("no connection in time"))?;
    let made = made.map_err(|error| unavailable(&error.to_string()))?;
    ScopeGuard::into_inner(right);
    Ok(Arc::new(ThreadConnection { connection: made, at: Instant::now() }))
}

impl ThreadEntry {
    /// Removes and returns an unused connection. Drops broken ones and connections to a read-only server.
    fn idle(&self, stepped_down: &DemotedServer) -> Option<Arc<ThreadConnection>> {
        let mut state = self.lock();
        loop {
            let position = state.here.iter().rposition(|it| Arc::strong_count(it) == 1)?;
            let mut connection = state.here.swap_remove(position);
            let is_whole = |it: &mut ThreadConnection| !it.connection.is_broken() && !stepped_down.covers(it.at);
            if Arc::get_mut(&mut connection).is_some_and(is_whole) {
                return Some(connection);
            }
            state.made -= 1;
        }
    }

    /// Returns a shared connection with room for one more query.
    fn shared(&self, stepped_down: &DemotedServer) -> Option<Arc<ThreadConnection>> {
        let state = self.lock();
        let has_room = |it: &&Arc<ThreadConnection>| {
            (2..=TOGETHER).contains(&Arc::strong_count(it)) && !stepped_down.covers(it.at)
        };
        state.here.iter().find(has_room).cloned()
    }

    fn least_busy(&self, stepped_down: &DemotedServer) -> Option<Arc<ThreadConnection>> {
        self.lock().here.iter().filter(|it| !stepped_down.covers(it.at)).min_by_key(|it| Arc::strong_count(it)).cloned()
    }

    /// Returns the right to open one more connection. It is returned unless it is used.
    fn right(&self, each: usize) -> Option<ScopeGuard<(), impl FnOnce(())>> {
        let mut state = self.lock();
        (state.made < each).then(|| {
            state.made += 1;
            guard((), |()| self.lock().made -= 1)
        })
    }

    fn checked_out(&self, connection: Arc<ThreadConnection>) -> CheckedOut<'_> {
        CheckedOut::OfThread(guard(connection, Box::new(|it| self.lock().here.push(it))), self)
    }

    fn forget(&self, connection: &Arc<ThreadConnection>) {
        let mut state = self.lock();
        let before = state.here.len();
        state.here.retain(|it| !Arc::ptr_eq(it, connection));
        state.made -= before - state.here.len();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct Shared<'p> {
    entry: &'p ThreadEntry,
    connection: Arc<ThreadConnection>,
}

impl Shared<'_> {
    /// Prevents further queries from using it.
    pub(super) fn forget(self) {
        self.entry.forget(&self.connection);
    }
}

impl Deref for Shared<'_> {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.connection
    }
}

type GiveBack<'p> = Box<dyn FnOnce(Arc<ThreadConnection>) + Send + 'p>;

/// A checked-out connection. It is returned when dropped.
pub(super) enum CheckedOut<'p> {
    OfThread(ScopeGuard<Arc<ThreadConnection>, GiveBack<'p>>, &'p ThreadEntry),
    /// A pooled connection, with the permit of a borrowed one.
    OfPool {
        pooled: Box<Pooled>,
        _borrowed: Option<OwnedSemaphorePermit>,
    },
}

impl CheckedOut<'_> {
    /// Closes the connection, because a query may still be running on it.
    pub(super) fn close(self) {
        match self {
            Self::OfThread(checked_out, entry) => {
                drop(ScopeGuard::into_inner(checked_out));
                entry.lock().made -= 1;
            }
            Self::OfPool { pooled, .. } => drop(Object::take(*pooled)),
        }
    }
}

impl Deref for CheckedOut<'_> {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        match self {
            Self::OfThread(checked_out, _) => checked_out,
            Self::OfPool { pooled, .. } => pooled,
        }
    }
}

//! Thread connections: each thread that answers requests makes its own.
//!
//! A connection is served by the runtime of the thread that made it. A thread that answers requests has a runtime of
//! its own: a query on a connection of the pool wakes another thread to be sent, and is woken by it when it is
//! answered; on a connection of its own thread it wakes nobody.
//!
//! Each is checked out for one use, as those of the pool, or shared by queries for a single row: these are sent
//! without waiting for the answers to those before them, so that PostgreSQL and the thread wake each other less often.

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

use super::{PATIENCE, Pooled, SteppedDown, Target, unavailable};
use crate::faults::Fault;

/// So many queries share a connection before the next is used: more are no quicker, and each waits for those before it.
const TOGETHER: usize = 8;

/// The connections of one process by their threads. They are made when they are needed.
pub(super) struct ThreadConnections {
    /// Which store of the process this is.
    store: usize,
    threads: Box<[ThreadEntry]>,
    /// The threads that have one of the entries.
    taken: AtomicUsize,
    /// How many connections a thread may have.
    each: usize,
    stepped_down: Arc<SteppedDown>,
}

/// A connection, and when it was made.
pub(super) struct Made {
    connection: AsyncPgConnection,
    at: Instant,
}

impl Deref for Made {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.connection
    }
}

/// What one thread has.
#[derive(Default)]
pub(super) struct ThreadEntry(Mutex<State>);

#[derive(Default)]
struct State {
    /// Those that are not checked out; whoever shares one has a count of it.
    here: Vec<Arc<Made>>,
    /// Those that are checked out or being made, too.
    made: usize,
}

impl ThreadConnections {
    /// So many connections shared out among so many threads, one for each at least.
    pub(super) fn new(connections: usize, threads: usize, stepped_down: Arc<SteppedDown>) -> Self {
        static STORES: AtomicUsize = AtomicUsize::new(0);
        let (store, threads) = (STORES.fetch_add(1, Ordering::Relaxed), threads.max(1));
        let entries = (0..threads).map(|_| ThreadEntry::default()).collect();
        let each = (connections / threads).max(1);
        Self { store, threads: entries, taken: AtomicUsize::new(0), each, stepped_down }
    }

    /// A connection that nobody uses; none if this thread has no runtime of its own, or no connection to spare.
    pub(super) async fn check_out(&self, target: &Target) -> Result<Option<CheckedOut<'_>>, Fault> {
        let Some(entry) = self.entry() else { return Ok(None) };
        let connection = match entry.idle(&self.stepped_down) {
            Some(idle) => idle,
            None => match entry.right(self.each) {
                Some(right) => made(target, right).await?,
                None => return Ok(None),
            },
        };
        Ok(Some(entry.checked_out(connection)))
    }

    /// A connection that queries share and that has room for one more, else another; none if this thread has no runtime
    /// of its own, or all of its connections are checked out.
    pub(super) async fn share(&self, target: &Target) -> Result<Option<Shared<'_>>, Fault> {
        let Some(entry) = self.entry() else { return Ok(None) };
        if let Some(connection) = entry.shared(&self.stepped_down) {
            return Ok(Some(Shared { entry, connection }));
        }
        let connection = match entry.idle(&self.stepped_down) {
            Some(idle) => idle,
            None => match entry.right(self.each) {
                Some(right) => made(target, right).await?,
                None => {
                    let connection = entry.least_busy(&self.stepped_down);
                    return Ok(connection.map(|connection| Shared { entry, connection }));
                }
            },
        };
        entry.lock().here.push(Arc::clone(&connection));
        Ok(Some(Shared { entry, connection }))
    }

    /// Closes those that lead nowhere any more and that nobody uses.
    pub(super) fn drop_left(&self) {
        for entry in &self.threads {
            let mut state = entry.lock();
            let before = state.here.len();
            state.here.retain(|it| Arc::strong_count(it) > 1 || !self.stepped_down.covers(it.at));
            state.made -= before - state.here.len();
        }
    }

    /// How many there are, and how many of them are idle.
    pub(super) fn status(&self) -> (usize, usize) {
        self.threads.iter().map(ThreadEntry::lock).fold((0, 0), |(all, idle), state| {
            (all + state.made, idle + state.here.iter().filter(|it| Arc::strong_count(it) == 1).count())
        })
    }

    /// How many connections there may be.
    pub(super) fn most(&self) -> usize {
        self.each * self.threads.len()
    }

    /// How many of them one thread may have.
    pub(super) fn most_of_a_thread(&self) -> usize {
        self.each
    }

    /// Whether this thread may have connections.
    pub(super) fn is_here(&self) -> bool {
        self.entry().is_some()
    }

    /// This thread's entry, where it has a runtime of its own.
    fn entry(&self) -> Option<&ThreadEntry> {
        self.threads.get(self.number()?)
    }

    /// The number of this thread among those that have an entry.
    pub(super) fn number(&self) -> Option<usize> {
        thread_local! {
            /// The store that this thread asked last, and its entry there.
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

/// Makes a connection by a right to it.
async fn made(target: &Target, right: ScopeGuard<(), impl FnOnce(())>) -> Result<Arc<Made>, Fault> {
    let made = timeout(PATIENCE, target.connect()).await.map_err(|_| unavailable("no connection in time"))?;
    let made = made.map_err(|error| unavailable(&error.to_string()))?;
    ScopeGuard::into_inner(right);
    Ok(Arc::new(Made { connection: made, at: Instant::now() }))
}

impl ThreadEntry {
    /// Takes out one that nobody uses. Those that have gone meanwhile, or lead nowhere any more, are forgotten.
    fn idle(&self, stepped_down: &SteppedDown) -> Option<Arc<Made>> {
        let mut state = self.lock();
        loop {
            let position = state.here.iter().rposition(|it| Arc::strong_count(it) == 1)?;
            let mut connection = state.here.swap_remove(position);
            let is_whole = |it: &mut Made| !it.connection.is_broken() && !stepped_down.covers(it.at);
            if Arc::get_mut(&mut connection).is_some_and(is_whole) {
                return Some(connection);
            }
            state.made -= 1;
        }
    }

    /// One that queries share, with room for one more.
    fn shared(&self, stepped_down: &SteppedDown) -> Option<Arc<Made>> {
        let state = self.lock();
        let has_room = |it: &&Arc<Made>| (2..=TOGETHER).contains(&Arc::strong_count(it)) && !stepped_down.covers(it.at);
        state.here.iter().find(has_room).cloned()
    }

    fn least_busy(&self, stepped_down: &SteppedDown) -> Option<Arc<Made>> {
        self.lock().here.iter().filter(|it| !stepped_down.covers(it.at)).min_by_key(|it| Arc::strong_count(it)).cloned()
    }

    /// The right to make one more, which is given back unless it is used.
    fn right(&self, each: usize) -> Option<ScopeGuard<(), impl FnOnce(())>> {
        let mut state = self.lock();
        (state.made < each).then(|| {
            state.made += 1;
            guard((), |()| self.lock().made -= 1)
        })
    }

    fn checked_out(&self, connection: Arc<Made>) -> CheckedOut<'_> {
        CheckedOut::OfThread(guard(connection, Box::new(|it| self.lock().here.push(it))), self)
    }

    fn forget(&self, connection: &Arc<Made>) {
        let mut state = self.lock();
        let before = state.here.len();
        state.here.retain(|it| !Arc::ptr_eq(it, connection));
        state.made -= before - state.here.len();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that others use, too.
pub(super) struct Shared<'p> {
    entry: &'p ThreadEntry,
    connection: Arc<Made>,
}

impl Shared<'_> {
    /// Has nobody else begin to use it.
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

type GiveBack<'p> = Box<dyn FnOnce(Arc<Made>) + Send + 'p>;

/// A connection for as long as it is needed; it goes back to where it came from.
pub(super) enum CheckedOut<'p> {
    OfThread(ScopeGuard<Arc<Made>, GiveBack<'p>>, &'p ThreadEntry),
    /// With what it counts as where it is borrowed.
    OfPool {
        pooled: Box<Pooled>,
        _borrowed: Option<OwnedSemaphorePermit>,
    },
}

impl CheckedOut<'_> {
    /// Closes it: something may still be under way on it.
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

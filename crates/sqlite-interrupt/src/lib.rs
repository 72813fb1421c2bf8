//! Ends SQLite queries at a deadline, or when their client is gone.
//!
//! Diesel does not expose the progress handler of SQLite. [`install`] registers an extension that sets one on every
//! connection that is opened afterwards. The handler reads the limits of the query that the current thread runs in
//! [`interruptible`]; other threads and other connections are never interrupted.

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use libsqlite3_sys::{SQLITE_OK, sqlite3, sqlite3_api_routines, sqlite3_auto_extension, sqlite3_progress_handler};

/// The handler is called after this many instructions of SQLite's virtual machine: several thousand times per second.
const INSTRUCTIONS: c_int = 1_000;

/// When a query ends early.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// At this time.
    pub deadline: Option<Instant>,
    /// When this becomes true.
    pub cancelled: Arc<AtomicBool>,
}

/// Why a query ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// Its deadline passed.
    Deadline,
    /// It was cancelled.
    Cancelled,
}

thread_local! {
    static CURRENT: RefCell<Option<(Limits, Option<Interruption>)>> = const { RefCell::new(None) };
}

/// Sets the progress handler on every connection that this process opens from now on. Returns false if SQLite refuses.
#[must_use]
#[expect(unsafe_code, reason = "Diesel has no function for this")]
pub fn install() -> bool {
    // SAFETY: `set_handler` has the signature that SQLite expects of an extension, and is valid for the whole process.
    // SQLite ignores a repeated registration.
    unsafe { sqlite3_auto_extension(Some(set_handler)) == SQLITE_OK }
}

/// Runs work on this thread. Its queries return `SQLITE_INTERRUPT` soon after a limit is reached.
pub fn interruptible<T>(limits: Limits, work: impl FnOnce() -> T) -> (T, Option<Interruption>) {
    /// Also removes the limits if the work panics.
    struct Removed;
    impl Drop for Removed {
        fn drop(&mut self) {
            CURRENT.set(None);
        }
    }
    CURRENT.set(Some((limits, None)));
    let removed = Removed;
    let done = work();
    let interruption = CURRENT.with_borrow(|current| current.as_ref().and_then(|(_, why)| *why));
    drop(removed);
    (done, interruption)
}

#[expect(unsafe_code, reason = "called by SQLite")]
unsafe extern "C" fn set_handler(db: *mut sqlite3, _: *mut *mut c_char, _: *const sqlite3_api_routines) -> c_int {
    // SAFETY: SQLite passes the connection that it is opening. The handler uses no argument and lives as long as the process.
    unsafe { sqlite3_progress_handler(db, INSTRUCTIONS, Some(handler), null_mut()) };
    SQLITE_OK
}

/// Any value but 0 interrupts the query. It neither calls SQLite nor panics.
#[expect(unsafe_code, reason = "called by SQLite")]
unsafe extern "C" fn handler(_: *mut c_void) -> c_int {
    let interrupts = CURRENT.try_with(|current| {
        let Ok(mut current) = current.try_borrow_mut() else { return false };
        let Some((limits, why)) = current.as_mut() else { return false };
        if limits.cancelled.load(Ordering::Relaxed) {
            *why = Some(Interruption::Cancelled);
        } else if limits.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            *why = Some(Interruption::Deadline);
        }
        why.is_some()
    });
    c_int::from(interrupts.unwrap_or(false))
}

#[cfg(test)]
mod tests;

//! Failpoints for tests, from the crate `fail`. They do nothing without the feature `failpoints`.

use tidings_domain::ports::StoreError;

use crate::connection::faults::Fault;

const CALL: &str = "storage.call";
const READ: &str = "storage.read";
const WRITTEN: &str = "storage.written";
const REFUSED: &str = "storage.commit.refused";
const LOST: &str = "storage.commit.lost";
const UNANSWERED: &str = "storage.commit.unanswered";

/// The names of all points.
#[cfg(feature = "failpoints")]
pub const FAILPOINTS: &[&str] = &[CALL, READ, WRITTEN, REFUSED, LOST, UNANSWERED];

/// A call fails before it reaches the store.
pub(crate) fn call() -> Result<(), Fault> {
    pass(CALL, || StoreError::Unavailable("a test cut the call off".to_owned()))
}

/// A reading call succeeds, but its answer is lost.
pub(crate) fn read() -> Result<(), Fault> {
    pass(READ, || StoreError::Unavailable("a test lost the answer".to_owned()))
}

/// A writing call succeeds, but its answer is lost.
pub(crate) fn written() -> Result<(), Fault> {
    pass(WRITTEN, || StoreError::OutcomeUnknown)
}

/// The database rejects a COMMIT.
pub(crate) fn refused() -> Result<(), Fault> {
    pass(REFUSED, || StoreError::Unavailable("a test refused the commit".to_owned()))
}

/// The connection is lost before a COMMIT arrives.
pub(crate) fn lost() -> Result<(), Fault> {
    pass(LOST, || StoreError::OutcomeUnknown)
}

/// The connection is lost before the answer to a COMMIT returns.
pub(crate) fn unanswered() -> Result<(), Fault> {
    pass(UNANSWERED, || StoreError::OutcomeUnknown)
}

/// Passes a point, or fails there if a test asks for it.
#[cfg(feature = "failpoints")]
fn pass(point: &str, error: fn() -> StoreError) -> Result<(), Fault> {
    fail::fail_point!(point, |_| Err(error().into()));
    Ok(())
}

#[cfg(not(feature = "failpoints"))]
#[inline]
fn pass(_: &str, _: fn() -> StoreError) -> Result<(), Fault> {
    Ok(())
}

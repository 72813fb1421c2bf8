//! Failpoints for tests, from the crate `fail`. They do nothing without the feature `failpoints`.

#[cfg(feature = "failpoints")]
use tidings_domain::ports::StoreError;

use crate::connection::faults::Fault;

macro_rules! points {
    ($($(#[$doc:meta])* $point:ident = $name:literal: $error:expr;)*) => {
        /// The names of all points.
        #[cfg(feature = "failpoints")]
        pub const FAILPOINTS: &[&str] = &[$($name),*];

        $($(#[$doc])*
        #[inline]
        pub(crate) fn $point() -> Result<(), Fault> {
            #[cfg(feature = "failpoints")]
            fail::fail_point!($name, |_| Err($error.into()));
            Ok(())
        })*
    };
}

points! {
    /// A call fails before it reaches the store.
    call = "storage.call": StoreError::Unavailable("a test cut the call off".to_owned());
    /// A reading call succeeds, but its answer is lost.
    read = "storage.read": StoreError::Unavailable("a test lost the answer".to_owned());
    /// A writing call succeeds, but its answer is lost.
    written = "storage.written": StoreError::OutcomeUnknown;
    /// The database rejects a COMMIT.
    refused = "storage.commit.refused": StoreError::Unavailable("a test refused the commit".to_owned());
    /// The connection is lost before a COMMIT arrives.
    lost = "storage.commit.lost": StoreError::OutcomeUnknown;
    /// The connection is lost before the answer to a COMMIT returns.
    unanswered = "storage.commit.unanswered": StoreError::OutcomeUnknown;
}

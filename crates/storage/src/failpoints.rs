//! Where tests let the store fail: the points of the crate `fail`, with the feature `failpoints`; nothing without it.

#[cfg(feature = "failpoints")]
use tidings_domain::ports::StoreError;

use crate::faults::Fault;

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
    /// A call does not reach the store.
    call = "storage.call": StoreError::Unavailable("a test cut the call off".to_owned());
    /// A call that only reads was done, and its answer is lost.
    read = "storage.read": StoreError::Unavailable("a test lost the answer".to_owned());
    /// A call that writes was done, and its answer is lost.
    written = "storage.written": StoreError::OutcomeUnknown;
    /// The database refuses a COMMIT.
    refused = "storage.commit.refused": StoreError::Unavailable("a test refused the commit".to_owned());
    /// The connection is gone before a COMMIT arrives.
    lost = "storage.commit.lost": StoreError::OutcomeUnknown;
    /// The connection is gone before the answer to a COMMIT comes back.
    unanswered = "storage.commit.unanswered": StoreError::OutcomeUnknown;
}

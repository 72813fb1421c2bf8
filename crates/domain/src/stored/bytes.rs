//! The length of stored text.

use std::io;

use serde::Serialize;

use crate::conditions::BoundCondition;

/// A field with text.
pub(super) trait Measured {
    /// Returns its length in bytes.
    fn bytes(&self) -> i64;
}

impl Measured for String {
    fn bytes(&self) -> i64 {
        self.len() as i64
    }
}

impl Measured for BoundCondition {
    fn bytes(&self) -> i64 {
        as_json(self.source_json())
    }
}

/// The length of a value that is stored as JSON.
pub(crate) fn as_json(value: &impl Serialize) -> i64 {
    struct Count(i64);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as i64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // A value that is no JSON is not stored.
    let written = serde_json::to_writer(&mut count, value);
    written.map_or(0, |()| count.0)
}

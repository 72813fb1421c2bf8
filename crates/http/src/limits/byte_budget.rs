//! A limit of the bytes that large bodies occupy in a process, over all workspaces.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of bytes that callers share.
#[derive(Clone)]
pub(crate) struct ByteBudget {
    left: Arc<AtomicUsize>,
}

impl ByteBudget {
    /// Creates a budget of this many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { left: Arc::new(AtomicUsize::new(bytes)) }
    }

    /// Takes bytes; `None` if fewer are left.
    pub(crate) fn take(&self, bytes: usize) -> Option<TakenBytes> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.ok().map(|_| TakenBytes { budget: self.clone(), bytes })
    }
}

/// Bytes of a budget. Dropping them returns them.
pub(crate) struct TakenBytes {
    budget: ByteBudget,
    bytes: usize,
}

impl Drop for TakenBytes {
    fn drop(&mut self) {
        self.budget.left.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_bytes_that_were_taken() {
        let budget = ByteBudget::new(10);
        let first = budget.take(7);
        assert!(first.is_some() && budget.take(4).is_none());
        let second = budget.take(3);
        assert!(second.is_some() && budget.take(1).is_none());
        drop(first);
        assert!(budget.take(8).is_none() && budget.take(7).is_some());
        drop(second);
        assert!(budget.take(10).is_some() && budget.take(11).is_none());
    }
}

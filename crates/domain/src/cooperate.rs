//! Breaks in long computations, for other tasks of the same thread.

use std::future::poll_fn;
use std::task::Poll;

/// Yields once to the executor.
pub(crate) async fn give_way() {
    let mut gave_way = false;
    poll_fn(|context| {
        if std::mem::replace(&mut gave_way, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

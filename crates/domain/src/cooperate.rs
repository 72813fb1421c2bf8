//! Breaks in long computations, for other tasks of their thread.

use std::future::poll_fn;
use std::task::Poll;

/// Lets other tasks run.
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

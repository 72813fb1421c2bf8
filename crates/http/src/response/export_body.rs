//! The body of every response that is streamed from rows of the store.
//!
//! A source appends small pieces, and fetches rows when it has none left. The writer yields at most [`PORTION`] at
//! once, and yields the thread before each portion. So neither memory nor the time of a poll depends on the size of the
//! objects or on the speed of the client.

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures::stream;
use tidings_domain::Error;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use crate::limits::workspace_limit::Running;
use crate::request::RequestContext;
use crate::response::answer::{AbortedBody, Answer};
use crate::response::problem::{Code, Problem};

/// The maximum number of bytes that are yielded at once.
const PORTION: usize = 64 * 1024;

/// Value of `Retry-After`, in seconds, of a rejected export.
const RETRY: u64 = 10;

/// The result of appending a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A piece was appended, such as a cell or a line.
    Appended,
    /// More rows must be fetched first.
    NeedsRows,
    /// Everything is written.
    End,
}

/// A source of the text of an export.
#[async_trait]
pub(crate) trait ExportSource: Send + 'static {
    fn append(&mut self, text: &mut String) -> Piece;

    /// Fetches more rows, after [`Piece::NeedsRows`].
    ///
    /// # Errors
    /// Those of the store; the response then ends incomplete.
    async fn fetch(&mut self) -> Result<(), Error>;
}

impl RequestContext {
    /// Starts an export of the workspace.
    ///
    /// # Errors
    /// 429 if too many exports of the workspace are being read.
    pub(crate) fn begin_export(&self) -> Result<Running, Problem> {
        self.state.streamed_exports.begin(self.access().workspace()).ok_or_else(|| {
            let problem = Problem::new(Code::SearchLimit).detail(
                "Too many exports of this workspace are being read. Read them to the end, or retry after `Retry-After` \
                 seconds.",
            );
            problem.retry_after(RETRY)
        })
    }

    /// Returns 200 with a body streamed from `source`. The route needs the trait `streams`. `running` ends with the
    /// response.
    pub(crate) fn exported(&self, content_type: &'static str, source: impl ExportSource, running: Running) -> Answer {
        let writer = Writer::of(source, self.state.pool.runtime());
        let portions = stream::try_unfold((writer, running), |(writer, running)| async move {
            let next = writer.next().await?;
            Ok::<_, AbortedBody>(next.map(|(portion, writer)| (portion, (writer, running))))
        });
        Answer::streamed(content_type, portions)
    }
}

/// Runs `work` for a body on `runtime`. The work is aborted if the body is dropped, as when the client disconnects.
pub(crate) async fn on_runtime<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
    runtime: &Handle,
) -> Result<T, AbortedBody> {
    let mut working = JoinSet::new();
    working.spawn_on(work, runtime);
    match working.join_next().await {
        Some(Ok(Ok(done))) => Ok(done),
        Some(Ok(Err(error))) => {
            tracing::warn!(%error, "an export was interrupted");
            Err(AbortedBody)
        }
        Some(Err(error)) => {
            tracing::error!(%error, "an export panicked");
            Err(AbortedBody)
        }
        None => Err(AbortedBody),
    }
}

/// The state of a body that is being written.
struct Writer<S> {
    source: S,
    /// The runtime that fetches rows: decoding large rows takes processor time, too.
    runtime: Handle,
    /// The piece that is being appended; otherwise empty.
    piece: String,
    /// Text that is not yielded yet.
    written: BytesMut,
    is_over: bool,
}

impl<S: ExportSource> Writer<S> {
    fn of(source: S, runtime: Handle) -> Self {
        Self { source, runtime, piece: String::new(), written: BytesMut::new(), is_over: false }
    }

    async fn fetch(self) -> Result<Self, AbortedBody> {
        let Self { mut source, runtime, piece, written, is_over } = self;
        let source = on_runtime(async move { source.fetch().await.map(|()| source) }, &runtime).await?;
        Ok(Self { source, runtime, piece, written, is_over })
    }

    async fn next(mut self) -> Result<Option<(Bytes, Self)>, AbortedBody> {
        // Otherwise a fast client would occupy the thread as long as its socket accepts bytes.
        tokio::task::yield_now().await;
        while self.written.len() < PORTION && !self.is_over {
            match self.source.append(&mut self.piece) {
                Piece::Appended => {}
                Piece::NeedsRows => self = self.fetch().await?,
                Piece::End => self.is_over = true,
            }
            self.written.extend_from_slice(self.piece.as_bytes());
            self.piece.clear();
            if self.piece.capacity() > PORTION {
                self.piece = String::new();
            }
        }
        let portion = self.written.split_to(self.written.len().min(PORTION)).freeze();
        Ok((!portion.is_empty()).then_some((portion, self)))
    }
}

#[cfg(test)]
mod tests {
    use futures::{Stream, StreamExt};

    use super::*;

    /// A source with three fetches of two rows. Each row is a piece of this length.
    struct Rows {
        fetches: usize,
        rows: usize,
        length: usize,
    }

    #[async_trait]
    impl ExportSource for Rows {
        fn append(&mut self, text: &mut String) -> Piece {
            if self.rows > 0 {
                self.rows -= 1;
                text.extend(std::iter::repeat_n('x', self.length));
                return Piece::Appended;
            }
            if self.fetches == 0 { Piece::End } else { Piece::NeedsRows }
        }

        async fn fetch(&mut self) -> Result<(), Error> {
            (self.fetches, self.rows) = (self.fetches - 1, 2);
            Ok(())
        }
    }

    fn body(rows: Rows) -> impl Stream<Item = Result<Bytes, AbortedBody>> {
        Box::pin(stream::try_unfold(Writer::of(rows, Handle::current()), Writer::next))
    }

    async fn portions(length: usize) -> Vec<usize> {
        body(Rows { fetches: 3, rows: 0, length }).map(|portion| portion.unwrap().len()).collect().await
    }

    #[tokio::test]
    async fn splits_pieces_into_portions_of_at_most_64_kib() {
        assert_eq!(portions(10).await, [60]);
        let long = portions(1_000_000).await;
        assert_eq!(long.iter().sum::<usize>(), 6_000_000);
        assert!(long.iter().all(|portion| *portion <= PORTION), "{long:?}");
        assert_eq!(long.len(), 6_000_000_usize.div_ceil(PORTION));
    }

    #[tokio::test]
    async fn yields_the_thread_between_two_portions() {
        let mut body = body(Rows { fetches: 1, rows: 0, length: PORTION });
        for _ in 0..2 {
            let next = body.next();
            futures::pin_mut!(next);
            assert!(futures::poll!(next.as_mut()).is_pending());
            assert!(next.await.is_some());
        }
    }
}

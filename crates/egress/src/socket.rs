//! A connection that passed the address filter and is encrypted.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;
use tokio_rustls::client::TlsStream;

use crate::bounds::SocketBounds;

/// An encrypted connection. Each read and write ends within [`SocketBounds::idle`], otherwise with
/// [`io::ErrorKind::TimedOut`]. The connection fails if the other side sends more than [`SocketBounds::max_read`].
#[derive(Debug)]
pub struct Socket {
    stream: TlsStream<TcpStream>,
    peer: SocketAddr,
    /// Bytes to return before reading from the connection.
    first: Bytes,
    left: usize,
    max_read: u64,
    reading: OperationTimeout,
    writing: OperationTimeout,
}

impl Socket {
    pub(crate) fn new(stream: TlsStream<TcpStream>, peer: SocketAddr, first: Bytes, bounds: SocketBounds) -> Self {
        Self {
            stream,
            peer,
            first,
            left: usize::try_from(bounds.max_read).unwrap_or(usize::MAX),
            max_read: bounds.max_read,
            reading: OperationTimeout::new(bounds.idle),
            writing: OperationTimeout::new(bounds.idle),
        }
    }

    /// The address of the other side.
    pub fn peer_addr(&self) -> SocketAddr {
        self.peer
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.first.has_remaining() {
            let first = this.first.split_to(this.first.len().min(buffer.remaining()));
            buffer.put_slice(&first);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.stream).poll_read(context, buffer);
        ready!(this.reading.bound(context, polled))?;
        let read = buffer.filled().len().saturating_sub(before);
        let Some(left) = this.left.checked_sub(read) else {
            buffer.set_filled(before);
            this.left = 0;
            return Poll::Ready(Err(io::Error::other(format!("more than {} bytes arrived", this.max_read))));
        };
        this.left = left;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let polled = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.writing.bound(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let polled = Pin::new(&mut this.stream).poll_flush(context);
        this.writing.bound(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let polled = Pin::new(&mut this.stream).poll_shutdown(context);
        this.writing.bound(context, polled)
    }
}

/// The time limit of one operation. It starts when the operation has to wait.
#[derive(Debug)]
struct OperationTimeout {
    limit: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

impl OperationTimeout {
    fn new(limit: Duration) -> Self {
        Self { limit, timer: None }
    }

    fn bound<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.timer = None;
            return polled;
        }
        let limit = self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        ready!(timer.as_mut().poll(context));
        self.timer = None;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

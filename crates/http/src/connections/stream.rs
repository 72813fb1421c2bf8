//! The stream of a connection. It fails when the client exceeds a time limit.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep_until};

use super::connection_limits::ConnectionPermit;
use super::connection_state::{ConnectionState, TimeoutReason};

pub(super) struct Connection {
    io: TcpStream,
    state: Rc<ConnectionState>,
    /// Wakes the task when a deadline may have passed. It is created with the first deadline. It is not moved with each
    /// request, but when it fires too early.
    alarm: Option<Pin<Box<Sleep>>>,
    /// Occupied as long as the connection exists.
    _permit: ConnectionPermit,
}

impl Connection {
    pub(super) fn new(io: TcpStream, state: Rc<ConnectionState>, permit: ConnectionPermit) -> Self {
        Self { io, state, alarm: None, _permit: permit }
    }

    pub(super) fn state(&self) -> &Rc<ConnectionState> {
        &self.state
    }

    /// Ready when the client exceeds a time limit.
    fn poll_overdue(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        loop {
            if let Some(what) = self.state.overdue(Instant::now()) {
                return Poll::Ready(cut(what));
            }
            let Some((until, _)) = self.state.deadline() else { return Poll::Pending };
            let until = until.into();
            let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(until)));
            if alarm.is_elapsed() || alarm.deadline() > until {
                alarm.as_mut().reset(until);
            }
            if alarm.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
        }
    }
}

fn cut(what: TimeoutReason) -> io::Error {
    metrics::counter!("tidings_http_connections_cut_total", "reason" => what.as_str()).increment(1);
    io::Error::new(io::ErrorKind::TimedOut, what.as_str())
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let read = Pin::new(&mut this.io).poll_read(cx, buffer);
        match &read {
            Poll::Ready(Ok(())) if room > 0 && buffer.filled().len() == before => this.state.closed(),
            Poll::Ready(Ok(())) => this.state.note_received(buffer.filled().len() - before, Instant::now()),
            Poll::Ready(Err(_)) => this.state.closed(),
            Poll::Pending => {}
        }
        // A client that never stops sending never makes the read pending, but can be overdue, too.
        if this.state.is_bounded()
            && let Poll::Ready(overdue) = this.poll_overdue(cx)
        {
            return Poll::Ready(Err(overdue));
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.io).poll_write(cx, bytes);
        match &written {
            Poll::Pending => this.state.is_blocked(Instant::now()),
            Poll::Ready(Ok(_)) if this.state.is_bounded() => this.state.note_sent(Instant::now()),
            Poll::Ready(_) => {}
        }
        if this.state.is_bounded()
            && let Poll::Ready(overdue) = this.poll_overdue(cx)
        {
            return Poll::Ready(Err(overdue));
        }
        written
    }

    /// actix-http flushes after it has written all pending bytes.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.state.note_all_sent();
        Pin::new(&mut this.io).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(cx)
    }
}

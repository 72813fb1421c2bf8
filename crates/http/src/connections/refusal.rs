//! The response to a refused connection.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::connection_limits::Full;
use crate::response::problem::{Code, Problem};

/// The maximum number of refused connections that get a response at once; others are closed without one.
pub(super) const TOLD_AT_ONCE: usize = 32;
/// The time limit of a refused connection, for its request and its response.
const STAYS: Duration = Duration::from_secs(1);
/// The maximum number of bytes that are read of its request.
const MOST_READ: u64 = 64 * 1024;

#[derive(Clone)]
pub(super) struct Refusals(Arc<Semaphore>);

impl Refusals {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(TOLD_AT_ONCE)))
    }

    /// Sends 503 and closes the connection.
    pub(super) async fn refuse(&self, io: TcpStream, full: Full) {
        metrics::counter!("tidings_http_connections_refused_total", "bound" => full.as_str()).increment(1);
        if let Ok(_permit) = self.0.try_acquire() {
            let _ = timeout(STAYS, tell(io, full)).await;
        }
    }
}

async fn tell(mut io: TcpStream, full: Full) -> std::io::Result<()> {
    io.write_all(answer(full).as_bytes()).await?;
    io.shutdown().await?;
    // Unread input would make the system reset the connection and discard the response.
    tokio::io::copy(&mut io.take(MOST_READ), &mut tokio::io::sink()).await?;
    Ok(())
}

fn answer(full: Full) -> String {
    let why = match full {
        Full::All => "The server has reached its connection limit. Retry after `Retry-After` seconds.",
        Full::OfOneAddress => "Your address has reached its connection limit. Close some connections or reuse them.",
    };
    let body = Problem::new(Code::Unavailable).detail(why).body(None, None);
    let length = body.len();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\n\
         x-content-type-options: nosniff\r\ncontent-type: application/problem+json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

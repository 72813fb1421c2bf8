//! One kept-alive connection.

use std::net::SocketAddr;
use std::ops::Range;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A response. It borrows the connection's buffer until the next request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
}

impl Answer<'_> {
    /// Returns the body as JSON if the response has this status.
    ///
    /// # Errors
    /// Another status, or a body that is not JSON.
    pub(crate) fn expect(self, status: u16) -> Result<serde_json::Value> {
        if self.status != status {
            bail!("{} instead of {status}: {}", self.status, String::from_utf8_lossy(self.body));
        }
        if self.body.is_empty() { Ok(serde_json::Value::Null) } else { Ok(serde_json::from_slice(self.body)?) }
    }
}

pub(crate) fn request(method: &str, path: &str, key: &str, headers: &str, body: &str, out: &mut Vec<u8>) {
    let length = match body.len() {
        0 => String::new(),
        length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
    };
    let head =
        format!("{method} {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {key}\r\n{headers}{length}\r\n");
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(body.as_bytes());
}

/// A connection that waits for each answer before the next request.
pub(crate) struct Connection {
    stream: TcpStream,
    inbox: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("no server listens at {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, inbox: Vec::with_capacity(16_384) })
    }

    /// Sends a request and reads the whole response.
    ///
    /// # Errors
    /// The connection breaks, or the response has no length.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.inbox.clear();
        loop {
            if self.stream.read_buf(&mut self.inbox).await? == 0 {
                bail!("the connection was closed before the response");
            }
            if let Some((status, body)) = whole(&self.inbox)? {
                return Ok(Answer { status, body: self.inbox.get(body).unwrap_or_default() });
            }
        }
    }
}

/// Returns the status of a response and the range of its body; `None` while the response is incomplete.
fn whole(inbox: &[u8]) -> Result<Option<(u16, Range<usize>)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut answer = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = answer.parse(inbox)? else { return Ok(None) };
    let status = answer.code.context("a response has no status")?;
    let length = answer.headers.iter().find(|it| it.name.eq_ignore_ascii_case("content-length"));
    let length: usize = match length {
        Some(length) => std::str::from_utf8(length.value)?.trim().parse()?,
        None if status == 204 => 0,
        None => bail!("a response has no length"),
    };
    Ok((inbox.len() >= head + length).then_some((status, head..head + length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_complete_with_its_body() {
        let text = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(whole(&text[..30]).unwrap(), None);
        assert_eq!(whole(&text[..text.len() - 1]).unwrap(), None);
        let (status, body) = whole(text).unwrap().unwrap();
        assert_eq!((status, &text[body]), (201, b"{}".as_slice()));
        assert!(whole(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}

//! Connections to mail servers. They are encrypted before the caller gets them, so no mail and no password can be sent
//! in plain text.
//!
//! STARTTLS (RFC 3207) is done here and not by the mail library: what the server sent before the handshake, except its
//! greeting, is dropped, and bytes that were injected behind the answer to `STARTTLS` break the handshake.

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::address_filter::AddressRefusal;
use crate::bounds::SocketBounds;
use crate::client::Egress;
use crate::failure::EgressError;
use crate::socket::Socket;

#[cfg(test)]
mod lettre_tests;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod tests;

/// The largest answer of a server before encryption, in bytes.
const MAX_REPLY: usize = 8 * 1024;
/// The longest part of an answer that an error shows, in characters.
const MAX_SHOWN: usize = 300;

/// The encryption of a connection to a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    /// TLS from the first byte (RFC 8314).
    Implicit,
    /// The command `STARTTLS` before any other (RFC 3207).
    StartTls,
}

/// A connection to a mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmtpDial {
    /// A host name or an IP address, without a port.
    pub host: String,
    /// One of [`AddressFilter::SMTP_PORTS`](crate::AddressFilter::SMTP_PORTS).
    pub port: u16,
    /// The kind of encryption.
    pub tls: SmtpTls,
    /// The host name of this service, for `EHLO` before `STARTTLS`.
    pub hello: String,
    /// Time limits and the largest number of bytes that are read.
    pub bounds: SocketBounds,
}

/// No connection to the mail server was made. Nothing of a message was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SmtpError {
    /// The address is forbidden, or the connection failed.
    #[error(transparent)]
    Failed(#[from] EgressError),
    /// The server does not offer `STARTTLS`.
    #[error("The mail server does not offer STARTTLS. Mail is only sent over an encrypted connection.")]
    NoTls,
    /// The server answered with an error, such as 421 or 554.
    #[error("The mail server answered {code}: {text}")]
    Refused {
        /// The reply code.
        code: u16,
        /// The text of the reply, without control characters; at most 300 characters.
        text: String,
    },
}

impl From<AddressRefusal> for SmtpError {
    fn from(refused: AddressRefusal) -> Self {
        Self::Failed(refused.into())
    }
}

impl Egress {
    /// Checks the host and the port of a mail server without a look-up, for the moment when they are entered.
    ///
    /// # Errors
    /// [`AddressRefusal`] with a sentence for the user.
    pub fn check_smtp(&self, host: &str, port: u16) -> Result<(), AddressRefusal> {
        self.address_filter.check_smtp(host, port).map(drop)
    }

    /// Connects to a mail server. The first bytes that the socket returns are the server's greeting, and the caller
    /// continues with `EHLO`. With [`SmtpTls::StartTls`], the greeting that came before the handshake is returned.
    ///
    /// # Errors
    /// [`SmtpError`].
    pub async fn dial_smtp(&self, dial: SmtpDial) -> Result<Socket, SmtpError> {
        let opening = self.open_smtp(&dial);
        timeout(dial.bounds.open, opening).await.unwrap_or(Err(EgressError::TimedOut.into()))
    }

    async fn open_smtp(&self, dial: &SmtpDial) -> Result<Socket, SmtpError> {
        let host = self.address_filter.check_smtp(&dial.host, dial.port)?;
        let mut stream = self.connect(&host, dial.port).await?;
        let peer = stream.peer_addr().map_err(|error| EgressError::of_connection(&error, true))?;
        let greeting = match dial.tls {
            SmtpTls::Implicit => Bytes::new(),
            SmtpTls::StartTls => start_tls(&mut stream, &dial.hello).await?,
        };
        let stream = self.encrypt(stream, &host).await?;
        Ok(Socket::new(stream, peer, greeting, dial.bounds))
    }
}

/// Makes the server wait for the handshake; returns its greeting.
async fn start_tls(stream: &mut TcpStream, hello: &str) -> Result<Bytes, SmtpError> {
    if hello.is_empty() || !hello.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(EgressError::Failed("The name for EHLO is not a host name.".to_owned()).into());
    }
    let greeting = reply(stream).await?.with_code(220)?;
    let offered = ask(stream, &format!("EHLO {hello}\r\n")).await?.with_code(250)?;
    if !offered.lines().any(|line| line.eq_ignore_ascii_case("STARTTLS")) {
        return Err(SmtpError::NoTls);
    }
    ask(stream, "STARTTLS\r\n").await?.with_code(220)?;
    Ok(greeting.raw)
}

async fn ask(stream: &mut TcpStream, command: &str) -> Result<Reply, SmtpError> {
    let written = stream.write_all(command.as_bytes()).await;
    written.map_err(|error| EgressError::of_connection(&error, false))?;
    reply(stream).await
}

/// The answer of a server: one line or more with the same code.
struct Reply {
    code: u16,
    raw: Bytes,
}

impl Reply {
    fn with_code(self, code: u16) -> Result<Self, SmtpError> {
        if self.code == code { Ok(self) } else { Err(SmtpError::Refused { code: self.code, text: self.text() }) }
    }

    /// The lines without their codes.
    fn lines(&self) -> impl Iterator<Item = String> {
        let lines = self.raw.split(|byte| *byte == b'\n');
        lines.filter_map(|line| line.get(4..)).map(|line| String::from_utf8_lossy(line.trim_ascii()).into_owned())
    }

    fn text(&self) -> String {
        let text = self.lines().collect::<Vec<_>>().join(" ");
        text.chars().filter(|it| !it.is_control()).take(MAX_SHOWN).collect()
    }
}

/// Reads one answer and not a byte more: the next one may belong to the handshake.
async fn reply(stream: &mut TcpStream) -> Result<Reply, SmtpError> {
    let invalid = || EgressError::Failed("The answer is not valid SMTP.".to_owned());
    let (mut raw, mut start) = (BytesMut::new(), 0);
    loop {
        let byte = stream.read_u8().await.map_err(|error| EgressError::of_connection(&error, false))?;
        raw.extend_from_slice(&[byte]);
        if raw.len() > MAX_REPLY {
            return Err(invalid().into());
        }
        if byte != b'\n' {
            continue;
        }
        let line = raw.get(start..).unwrap_or_default();
        let code = line.get(..3).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| code.parse::<u16>().ok()).filter(|code| (200..600_u16).contains(code));
        let code = code.ok_or_else(invalid)?;
        let separator = line.get(3).copied();
        match separator {
            Some(b'-') => start = raw.len(),
            Some(b' ' | b'\r' | b'\n') => return Ok(Reply { code, raw: raw.freeze() }),
            Some(_) | None => return Err(invalid().into()),
        }
    }
}

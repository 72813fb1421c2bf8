//! `lettre` sends mail over a connection that this crate opened and encrypted. It opens no connection and needs none of
//! its TLS features.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use lettre::transport::smtp::extension::ClientId;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::scripted::{MailServer, Script};
use super::*;

/// A newtype wrapper, which a crate needs if it defines neither the socket nor the trait.
#[derive(Debug)]
struct Wire(Socket);

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

impl AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.0.peer_addr())
    }
}

async fn connect(server: &MailServer, dial: SmtpDial) -> AsyncSmtpConnection {
    let socket = server.egress().dial_smtp(dial).await.unwrap();
    let hello = ClientId::Domain("tidings.test".to_owned());
    AsyncSmtpConnection::connect_with_transport(Box::new(Wire(socket)), &hello).await.unwrap()
}

fn message() -> Message {
    let message = Message::builder().from("Tidings <ada@example.com>".parse().unwrap());
    let message = message.to("grace@example.com".parse().unwrap()).subject("Hello");
    message.body("First line\r\n.hidden dot".to_owned()).unwrap()
}

#[tokio::test]
async fn sends_a_message_with_a_password_only_after_encryption() {
    for tls in [SmtpTls::Implicit, SmtpTls::StartTls] {
        let server = MailServer::start(Script::new(tls)).await;
        let mut connection = connect(&server, server.dial()).await;
        let credentials = Credentials::new("ada".to_owned(), "hunter2".to_owned());
        connection.auth(&[Mechanism::Plain], &credentials).await.unwrap();
        let message = message();
        let answer = connection.send(message.envelope(), &message.formatted()).await.unwrap();
        assert_eq!(answer.first_line(), Some("queued as 7"));
        connection.quit().await.unwrap();

        let lines = server.lines();
        let (plain, encrypted): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.starts_with("plain: "));
        let expected: &[&str] = match tls {
            SmtpTls::Implicit => &[],
            SmtpTls::StartTls => &["plain: EHLO tidings.test", "plain: STARTTLS"],
        };
        assert_eq!(plain, expected);
        assert!(encrypted[0] == "EHLO tidings.test" && encrypted[1].starts_with("AUTH PLAIN "), "{encrypted:?}");
        for line in ["MAIL FROM:<ada@example.com>", "RCPT TO:<grace@example.com>", "DATA", "..hidden dot", ".", "QUIT"]
        {
            assert!(encrypted.iter().any(|it| it.trim() == line), "{line}: {encrypted:?}");
        }
    }
}

#[tokio::test]
async fn ends_if_the_server_is_silent_for_longer_than_the_bound() {
    let script = Script { greeting: String::new(), ..Script::new(SmtpTls::Implicit) };
    let server = MailServer::start(script).await;
    let mut dial = server.dial();
    dial.bounds.idle = Duration::from_millis(100);
    let socket = server.egress().dial_smtp(dial).await.unwrap();
    let hello = ClientId::Domain("tidings.test".to_owned());
    let connecting = AsyncSmtpConnection::connect_with_transport(Box::new(Wire(socket)), &hello);
    assert!(connecting.await.is_err_and(|error| error.to_string().contains("network error")));
}

//! A mail server with scripted replies, on port 2525 of a separate loopback address.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufStream};
use tokio::net::{TcpListener, TcpStream};

use crate::authorities::Authorities;
use crate::bounds::SocketBounds;
use crate::client::{Egress, EgressSettings};
use crate::resolve::Resolve;
use crate::smtp::{SmtpDial, SmtpTls};
use crate::test_resolver::Answers;
use crate::test_server::{acceptor, certificate_pem};

/// The replies of a server.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) tls: SmtpTls,
    pub(super) greeting: String,
    /// The reply to `EHLO` before encryption.
    pub(super) hello: String,
    pub(super) start_tls: String,
}

impl Script {
    pub(super) fn new(tls: SmtpTls) -> Self {
        Self {
            tls,
            greeting: "220-mail.test\r\n220 ready\r\n".to_owned(),
            hello: "250-mail.test\r\n250-SIZE 1000\r\n250 starttls\r\n".to_owned(),
            start_tls: "220 go ahead\r\n".to_owned(),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct MailServer {
    pub(super) address: SocketAddr,
    tls: SmtpTls,
    lines: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    pub(super) async fn start(script: Script) -> Self {
        let listener = listen().await;
        let server =
            Self { address: listener.local_addr().unwrap(), tls: script.tls, lines: Arc::new(Mutex::default()) };
        let lines = Arc::clone(&server.lines);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, script.clone(), Arc::clone(&lines)));
            }
        });
        server
    }

    /// A server that never sends a byte.
    pub(super) async fn silent(tls: SmtpTls) -> Self {
        let listener = listen().await;
        let server = Self { address: listener.local_addr().unwrap(), tls, lines: Arc::default() };
        tokio::spawn(async move {
            let _listener = listener;
            std::future::pending::<()>().await;
        });
        server
    }

    /// All lines that arrived. Those before encryption begin with `plain: `.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    /// A call of this server by the name of its certificate.
    pub(super) fn dial(&self) -> SmtpDial {
        SmtpDial {
            host: "receiver.test".to_owned(),
            port: self.address.port(),
            tls: self.tls,
            hello: "tidings.test".to_owned(),
            bounds: SocketBounds::default(),
        }
    }

    /// A client that finds this server and trusts its certificate.
    pub(super) fn egress(&self) -> Egress {
        let authorities = Authorities::from_pem(certificate_pem().as_bytes()).unwrap();
        self.egress_with(EgressSettings { allow_loopback: true, authorities, ..EgressSettings::default() })
    }

    pub(super) fn egress_with(&self, settings: EgressSettings) -> Egress {
        let address = self.address.ip().to_string();
        let resolver: Arc<dyn Resolve> = Answers::new(&[&[address.as_str()]]);
        Egress::with_resolver(settings, resolver).unwrap()
    }
}

/// Port 2525 of a loopback address that no other test uses.
async fn listen() -> TcpListener {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id().wrapping_mul(64);
    loop {
        let bits = start.wrapping_add(NEXT.fetch_add(1, Ordering::SeqCst)) % 0x00ff_ff00 + 16;
        let address = Ipv4Addr::from_bits(0x7f00_0000 | bits);
        if let Ok(listener) = TcpListener::bind((IpAddr::from(address), 2525)).await {
            return listener;
        }
    }
}

async fn converse(stream: TcpStream, script: Script, lines: Arc<Mutex<Vec<String>>>) {
    if script.tls == SmtpTls::Implicit {
        let Ok(stream) = acceptor(&[]).accept(stream).await else { return };
        serve(stream, &script, &lines, Phase::Greeting).await;
        return;
    }
    let Some(stream) = serve(stream, &script, &lines, Phase::Plain).await else { return };
    let Ok(stream) = acceptor(&[]).accept(stream).await else { return };
    serve(stream, &script, &lines, Phase::Encrypted).await;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Plain,
    /// Encrypted from the first byte.
    Greeting,
    Encrypted,
}

/// Returns the stream if it is to be encrypted.
async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    script: &Script,
    lines: &Mutex<Vec<String>>,
    phase: Phase,
) -> Option<S> {
    let mut stream = BufStream::new(stream);
    if phase != Phase::Encrypted {
        stream.write_all(script.greeting.as_bytes()).await.ok()?;
        stream.flush().await.ok()?;
    }
    let (mut line, mut in_message) = (String::new(), false);
    while stream.read_line(&mut line).await.ok()? > 0 {
        let text = std::mem::take(&mut line).trim_end().to_owned();
        let mark = if phase == Phase::Plain { "plain: " } else { "" };
        lines.lock().unwrap().push(format!("{mark}{text}"));
        let verb = text.split(' ').next().unwrap().to_ascii_uppercase();
        let reply: &str = match verb.as_str() {
            "." if in_message => "250 queued as 7\r\n",
            _ if in_message => continue,
            "EHLO" if phase == Phase::Plain => &script.hello,
            "EHLO" => "250-mail.test\r\n250 AUTH PLAIN\r\n",
            "STARTTLS" => &script.start_tls,
            "AUTH" => "235 welcome\r\n",
            "DATA" => "354 go\r\n",
            "QUIT" => "221 bye\r\n",
            _ => "250 ok\r\n",
        };
        in_message = verb == "DATA";
        stream.write_all(reply.as_bytes()).await.ok()?;
        stream.flush().await.ok()?;
        if verb == "STARTTLS" && reply.starts_with("220") {
            return Some(stream.into_inner());
        }
    }
    None
}

//! A receiver on a local port that counts connections and records requests.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

/// The server's behaviour after it has read a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Sends these bytes and waits for the next request.
    Whole(Vec<u8>),
    /// Sends these bytes and closes.
    Cut(Vec<u8>),
    /// Promises a long body and sends a byte of it every few milliseconds.
    Drip,
    /// Sends a body that never ends, for as long as it is read.
    Endless,
    /// Sends a body without an announced length that never ends.
    Unannounced,
    /// Sends nothing.
    Silence,
}

impl Reply {
    pub(crate) fn text(head_and_body: &str) -> Self {
        Self::Whole(head_and_body.as_bytes().to_vec())
    }

    pub(crate) fn ok() -> Self {
        Self::text("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
    }
}

#[derive(Debug)]
struct Shared {
    reply: Reply,
    connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
    hung_up: Notify,
}

#[derive(Debug, Clone)]
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

pub(crate) fn certificate() -> CertificateDer<'static> {
    CertificateDer::from(include_bytes!("testdata/receiver.test.crt").as_slice())
}

pub(crate) fn certificate_pem() -> String {
    let body = base64::engine::general_purpose::STANDARD.encode(certificate());
    format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n")
}

/// `protocols` are offered by ALPN. An empty list offers nothing, which means HTTP/1.1.
pub(crate) fn acceptor(protocols: &[&[u8]]) -> TlsAcceptor {
    let key = PrivatePkcs8KeyDer::from(include_bytes!("testdata/receiver.test.key").as_slice());
    let mut config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate()], key.into())
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

impl TestServer {
    pub(crate) async fn start(reply: Reply) -> Self {
        Self::start_at("127.0.0.1:0", reply, None).await
    }

    pub(crate) async fn start_at(address: &str, reply: Reply, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let shared = Arc::new(Shared {
            reply,
            connections: AtomicUsize::new(0),
            requests: Mutex::new(Vec::new()),
            hung_up: Notify::new(),
        });
        let server = Self { address: listener.local_addr().unwrap(), shared: Arc::clone(&shared) };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(converse(stream, Arc::clone(&shared), tls.clone()));
            }
        });
        server
    }

    pub(crate) async fn start_tls() -> Self {
        Self::start_at("127.0.0.1:0", Reply::ok(), Some(acceptor(&[]))).await
    }

    /// `http://<host>:<port>/hook` on this server's port.
    pub(crate) fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/hook", self.address.port())
    }

    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// Waits until a connection has been closed by the other side.
    pub(crate) async fn hung_up(&self) {
        self.shared.hung_up.notified().await;
    }

    /// Returns the number of connections so far. The test's own connection proves it: earlier ones are accepted before
    /// it.
    pub(crate) async fn connections_before_probe(&self) -> usize {
        let mut probe = TcpStream::connect(self.address).await.unwrap();
        probe.write_all(b"GET /probe HTTP/1.1\r\n\r\n").await.unwrap();
        probe.read_u8().await.unwrap();
        self.connections() - 1
    }
}

async fn converse(stream: TcpStream, shared: Arc<Shared>, tls: Option<TlsAcceptor>) {
    match tls {
        Some(acceptor) => {
            if let Ok(stream) = acceptor.accept(stream).await {
                serve(stream, &shared).await;
            }
        }
        None => serve(stream, &shared).await,
    }
    shared.hung_up.notify_one();
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, shared: &Shared) {
    while let Some(request) = read_request(&mut stream).await {
        shared.requests.lock().unwrap().push(request);
        match &shared.reply {
            Reply::Whole(bytes) => stream.write_all(bytes).await.unwrap(),
            Reply::Cut(bytes) => return stream.write_all(bytes).await.unwrap(),
            Reply::Drip => drip(&mut stream).await,
            Reply::Endless => {
                let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n";
                stream.write_all(head).await.unwrap();
                while stream.write_all(&[b'x'; 8192]).await.is_ok() {}
            }
            Reply::Unannounced => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n").await.unwrap();
                while stream.write_all(&[b'x'; 8192]).await.is_ok() {}
            }
            Reply::Silence => {}
        }
    }
}

async fn drip(stream: &mut (impl AsyncWrite + Unpin)) {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n").await.unwrap();
    let mut pace = tokio::time::interval(Duration::from_millis(5));
    while stream.write_all(b"x").await.is_ok() {
        pace.tick().await;
    }
}

/// Returns head and body as one text; `None` once the other side has closed.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.ok()?);
    }
    let mut text = String::from_utf8(bytes).unwrap();
    if text.contains("transfer-encoding: chunked\r\n") {
        let mut body = Vec::new();
        while !body.ends_with(b"0\r\n\r\n") {
            body.push(stream.read_u8().await.ok()?);
        }
        text.push_str(std::str::from_utf8(&body).unwrap());
        return Some(text);
    }
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await.ok()?;
    text.push_str(std::str::from_utf8(&body).unwrap());
    Some(text)
}

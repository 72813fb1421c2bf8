//! A proxy between the server and its database that can disconnect, stall, or fail at a COMMIT.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Forwards data.
    Whole,
    /// Closes connections and refuses new ones.
    Cut,
    /// Keeps connections open and accepts new ones, but forwards nothing.
    Dead,
}

/// Breaks one connection at its COMMIT, once, after the connection carried a text.
#[derive(Debug, Clone)]
pub struct Trap {
    /// The text that the connection must have sent to the database.
    pub text: String,
    /// Whether the COMMIT still reaches the database. Its response is always lost.
    pub forward: bool,
    /// Whether the proxy is cut afterwards.
    pub cut: bool,
}

/// The treatment of the database's responses on one connection.
type Mute = AtomicU8;
const SPEAKING: u8 = 0;
const LOST: u8 = 1;
const LOST_AND_CUT: u8 = 2;

#[derive(Clone)]
struct Shared {
    wire: watch::Sender<Wire>,
    trap: Arc<Mutex<Option<Trap>>>,
    sprung: watch::Sender<u32>,
}

/// The proxy. It ends with the test's runtime.
pub struct Proxy {
    /// The database's URL through the proxy.
    pub url: String,
    shared: Shared,
    /// Whether the proxy accepts connections now.
    listening: watch::Receiver<bool>,
}

impl Proxy {
    /// Starts a proxy to the database at this URL.
    pub async fn to(database: &str) -> Self {
        let mut url: Url = database.parse().unwrap();
        let target = format!("{}:{}", url.host_str().unwrap_or("127.0.0.1"), url.port().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(address.port())).unwrap();
        let (wire, state) = watch::channel(Wire::Whole);
        let (tell, listening) = watch::channel(true);
        let shared = Shared { wire, trap: Arc::default(), sprung: watch::channel(0).0 };
        let of_connections = shared.clone();
        tokio::spawn(async move {
            let (mut listener, mut state, mut connections) = (Some(listener), state, JoinSet::new());
            loop {
                let now = *state.borrow_and_update();
                listener = match (now, listener) {
                    (Wire::Cut, _) => {
                        connections.shutdown().await;
                        None
                    }
                    (_, Some(listener)) => Some(listener),
                    (_, None) => Some(rebind(address).await),
                };
                tell.send_replace(listener.is_some());
                tokio::select! {
                    changed = state.changed() => if changed.is_err() { break },
                    accepted = accept(listener.as_ref()) => {
                        connections.spawn(carry(accepted, target.clone(), state.clone(), of_connections.clone()));
                    }
                }
            }
        });
        Self { url: url.to_string(), shared, listening }
    }

    /// Changes the state; returns when it applies to new connections.
    pub async fn set(&mut self, wire: Wire) {
        self.shared.wire.send(wire).unwrap();
        self.listening.wait_for(|listening| *listening == (wire != Wire::Cut)).await.unwrap();
    }

    pub fn set_trap(&self, trap: Trap) {
        *self.shared.trap.lock().unwrap() = Some(trap);
    }

    pub fn sprung(&self) -> u32 {
        *self.shared.sprung.borrow()
    }
}

/// Binds the same port again as soon as the system allows it.
async fn rebind(address: std::net::SocketAddr) -> TcpListener {
    for _ in 0..200 {
        match TcpListener::bind(address).await {
            Ok(listener) => return listener,
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    panic!("the port {address} is in use");
}

async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    match listener {
        Some(listener) => listener.accept().await.unwrap().0,
        None => std::future::pending().await,
    }
}

/// Forwards one connection until either end closes it.
async fn carry(client: TcpStream, target: String, mut wire: watch::Receiver<Wire>, shared: Shared) {
    // In state `Dead`, a connection is accepted but not forwarded.
    if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() {
        return;
    }
    let Ok(database) = TcpStream::connect(&target).await else { return };
    let (from_client, to_client) = client.into_split();
    let (from_database, to_database) = database.into_split();
    let mute = Mute::new(SPEAKING);
    tokio::select! {
        () = ask(from_client, to_database, wire.clone(), &shared, &mute) => {}
        () = answer(from_database, to_client, wire, &shared, &mute) => {}
    }
}

/// Forwards the server's data, up to a trap.
async fn ask(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut wire: watch::Receiver<Wire>,
    shared: &Shared,
    mute: &Mute,
) {
    let (mut bytes, mut marked) = (vec![0; 64 * 1024], false);
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        let said = &bytes[..read];
        let contains = |text: &str| said.windows(text.len()).any(|part| part == text.as_bytes());
        let sprung = {
            let mut trap = shared.trap.lock().unwrap();
            marked |= trap.as_ref().is_some_and(|trap| contains(&trap.text));
            if marked && contains("COMMIT\0") { trap.take() } else { None }
        };
        if let Some(trap) = sprung {
            shared.sprung.send_modify(|sprung| *sprung += 1);
            if trap.forward {
                mute.store(if trap.cut { LOST_AND_CUT } else { LOST }, Ordering::SeqCst);
                let _ = to.write_all(said).await;
                // The other direction ends the connection when the response arrives.
                std::future::pending::<()>().await;
            } else if trap.cut {
                shared.wire.send_replace(Wire::Cut);
            }
            return;
        }
        // In state `Dead`, received data waits, like a retransmission.
        if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() || to.write_all(said).await.is_err() {
            return;
        }
    }
}

/// Forwards the database's data; the response to a forwarded COMMIT is dropped.
async fn answer(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut wire: watch::Receiver<Wire>,
    shared: &Shared,
    mute: &Mute,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        match mute.load(Ordering::SeqCst) {
            SPEAKING => {}
            lost => {
                if lost == LOST_AND_CUT {
                    shared.wire.send_replace(Wire::Cut);
                }
                return;
            }
        }
        // In state `Dead`, received data waits, like a retransmission.
        if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

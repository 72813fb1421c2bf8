//! A wire between the server and its database that can be cut, or go dead, or break at a COMMIT.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What the wire does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// It carries.
    Whole,
    /// Connections break, and new ones are refused.
    Cut,
    /// Connections stand and new ones are taken, but nothing arrives.
    Dead,
}

/// Breaks one connection at its COMMIT, once, when it has carried a text before.
#[derive(Debug, Clone)]
pub struct Trap {
    /// What the connection must have carried to the database.
    pub text: String,
    /// Whether the COMMIT still reaches the database; its answer never comes back.
    pub forward: bool,
    /// Whether the whole wire is cut thereafter.
    pub cut: bool,
}

/// What becomes of the database's answers on one connection.
type Mute = AtomicU8;
const SPEAKING: u8 = 0;
const LOST: u8 = 1;
const LOST_AND_CUT: u8 = 2;

/// What all connections share.
#[derive(Clone)]
struct Shared {
    wire: watch::Sender<Wire>,
    trap: Arc<Mutex<Option<Trap>>>,
    sprung: watch::Sender<u32>,
}

/// The wire. It ends with the runtime of the test.
pub struct Proxy {
    /// The database's address by way of the wire.
    pub url: String,
    shared: Shared,
    /// Whether the wire's end takes connections now.
    listening: watch::Receiver<bool>,
}

impl Proxy {
    /// A whole wire to the database at this address.
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

    /// Changes what the wire does; done when it does so for new connections.
    pub async fn set(&mut self, wire: Wire) {
        self.shared.wire.send(wire).unwrap();
        self.listening.wait_for(|listening| *listening == (wire != Wire::Cut)).await.unwrap();
    }

    /// Sets a trap.
    pub fn set_trap(&self, trap: Trap) {
        *self.shared.trap.lock().unwrap() = Some(trap);
    }

    /// How many traps have sprung.
    pub fn sprung(&self) -> u32 {
        *self.shared.sprung.borrow()
    }
}

/// The same port again, as soon as the system gives it.
async fn rebind(address: std::net::SocketAddr) -> TcpListener {
    for _ in 0..200 {
        match TcpListener::bind(address).await {
            Ok(listener) => return listener,
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    panic!("the port {address} is taken");
}

async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    match listener {
        Some(listener) => listener.accept().await.unwrap().0,
        None => std::future::pending().await,
    }
}

/// Carries one connection until either end closes it.
async fn carry(client: TcpStream, target: String, mut wire: watch::Receiver<Wire>, shared: Shared) {
    // A dead wire takes the connection and does nothing with it.
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

/// Carries what the server says, up to a trap.
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
                // The other half ends the connection when the answer comes.
                std::future::pending::<()>().await;
            } else if trap.cut {
                shared.wire.send_replace(Wire::Cut);
            }
            return;
        }
        // What arrives at a dead wire waits there, as a retransmission would.
        if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() || to.write_all(said).await.is_err() {
            return;
        }
    }
}

/// Carries what the database says; what it says to a forwarded COMMIT is lost.
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
        // What arrives at a dead wire waits there, as a retransmission would.
        if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

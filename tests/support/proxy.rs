//! A wire between the server and its database that can be cut, or go dead.

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

/// The wire. It ends with the runtime of the test.
pub struct Proxy {
    /// The database's address by way of the wire.
    pub url: String,
    wire: watch::Sender<Wire>,
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
                        connections.spawn(carry(accepted, target.clone(), state.clone()));
                    }
                }
            }
        });
        Self { url: url.to_string(), wire, listening }
    }

    /// Changes what the wire does; done when it does so for new connections.
    pub async fn set(&mut self, wire: Wire) {
        self.wire.send(wire).unwrap();
        self.listening.wait_for(|listening| *listening == (wire != Wire::Cut)).await.unwrap();
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
async fn carry(client: TcpStream, target: String, mut wire: watch::Receiver<Wire>) {
    // A dead wire takes the connection and does nothing with it.
    if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() {
        return;
    }
    let Ok(database) = TcpStream::connect(&target).await else { return };
    let (from_client, to_client) = client.into_split();
    let (from_database, to_database) = database.into_split();
    tokio::select! {
        () = copy(from_client, to_database, wire.clone()) => {}
        () = copy(from_database, to_client, wire) => {}
    }
}

async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, mut wire: watch::Receiver<Wire>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        // What arrives at a dead wire waits there, as a retransmission would.
        if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

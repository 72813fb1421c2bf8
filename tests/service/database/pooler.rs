//! A transaction pooler, which changes the session after each transaction, is rejected with the reason.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::support::{Server, Store};

/// A minimal transaction pooler: it greets clients itself, and lends a session from the first message until PostgreSQL
/// reports no open transaction.
struct Pooler {
    server: SocketAddr,
    database: String,
    idle: Mutex<Vec<TcpStream>>,
}

/// Reads a message: its type and all of its bytes.
fn message(from: &mut TcpStream) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    from.read_exact(&mut head)?;
    let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
    let mut bytes = head.to_vec();
    bytes.resize(1 + length, 0);
    from.read_exact(&mut bytes[5..])?;
    Ok((head[0], bytes))
}

/// Reads the first message of a connection, which has no type.
fn greeting(from: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let mut rest = vec![0; u32::from_be_bytes(length) as usize - 4];
    from.read_exact(&mut rest)?;
    Ok(rest)
}

impl Pooler {
    /// Starts a pooler for the database at the URL; returns the pooler's URL.
    fn before(url: &str) -> String {
        let (user, place) = url.split_once('@').unwrap();
        let (server, database) = place.split_once('/').unwrap();
        let idle = Mutex::default();
        let pooler = Arc::new(Self { server: server.parse().unwrap(), database: database.to_owned(), idle });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = format!("{user}@{}/{database}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let pooler = Arc::clone(&pooler);
                // A disconnected client ends its thread.
                std::thread::spawn(move || pooler.serve(client.unwrap()));
            }
        });
        own
    }

    fn session(&self) -> io::Result<TcpStream> {
        if let Some(idle) = self.idle.lock().unwrap().pop() {
            return Ok(idle);
        }
        let mut made = TcpStream::connect(self.server)?;
        let words = format!("user\0tidings\0database\0{}\0\0", self.database);
        made.write_all(&(8 + words.len() as u32).to_be_bytes())?;
        made.write_all(&196_608_u32.to_be_bytes())?;
        made.write_all(words.as_bytes())?;
        while message(&mut made)?.0 != b'Z' {}
        Ok(made)
    }

    fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        // A request for TLS is declined.
        while greeting(&mut client)?.len() == 4 {
            client.write_all(b"N")?;
        }
        client.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")?;
        let mut lent = None;
        loop {
            let (kind, bytes) = message(&mut client)?;
            if kind == b'X' {
                return Ok(());
            }
            let mut session = match lent.take() {
                Some(session) => session,
                None => self.session()?,
            };
            session.write_all(&bytes)?;
            let mut is_open = true;
            if matches!(kind, b'Q' | b'S') {
                loop {
                    let (kind, bytes) = message(&mut session)?;
                    client.write_all(&bytes)?;
                    if kind == b'Z' {
                        is_open = bytes[5] != b'I';
                        break;
                    }
                }
            }
            match is_open {
                true => lent = Some(session),
                false => self.idle.lock().unwrap().push(session),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_a_pooler_that_shares_sessions() {
    let store = Store::postgres().await;
    let pooled = Server::of(Store::At(Pooler::before(&store.url())), &[], String::new(), String::new());
    for command in ["migrate", "serve", "doctor"] {
        let said = pooled.refused(&[command]);
        assert!(said.contains("shares the sessions of this database between clients"), "{command}: {said}");
        assert!(said.contains("pool_mode = session"), "{command}: {said}");
    }
}

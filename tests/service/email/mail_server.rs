//! A mail server with TLS from the first byte, implemented from RFC 5321.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// The certificate, for `egress.extra_ca_file`.
pub const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/service/email/testdata/mail.test.pem");
/// The only user: its name and its password.
pub const USER: (&str, &str) = ("shop", "correct horse battery");

/// The behaviour instead of the usual answer to the next command with this verb. The verb of the final dot is `.`.
pub enum Fault {
    Answer(&'static str, &'static str),
    Close(&'static str),
}

#[derive(Default)]
struct State {
    mails: Vec<String>,
    faults: VecDeque<Fault>,
    connections: usize,
}

pub struct MailServer {
    pub host: String,
    state: Arc<Mutex<State>>,
}

impl MailServer {
    pub async fn start() -> Self {
        let (listener, host) = listen().await;
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let acceptor = acceptor();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(acceptor.clone(), stream, Arc::clone(&shared)));
            }
        });
        Self { host, state }
    }

    pub fn fail_next(&self, fault: Fault) {
        self.state.lock().unwrap().faults.push_back(fault);
    }

    pub fn mails(&self) -> Vec<String> {
        self.state.lock().unwrap().mails.clone()
    }

    pub fn connections(&self) -> usize {
        self.state.lock().unwrap().connections
    }

    /// Waits for this number of accepted mails; returns all of them.
    pub async fn received(&self, count: usize) -> Vec<String> {
        for _ in 0..1_200 {
            let mails = self.mails();
            if mails.len() >= count {
                return mails;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("no {count} mails arrived");
    }
}

/// A port for mail of the first free address in the certificate.
async fn listen() -> (TcpListener, String) {
    for number in 1..=16 {
        let host = format!("127.77.0.{number}");
        if let Ok(listener) = TcpListener::bind((host.as_str(), 2525)).await {
            return (listener, host);
        }
    }
    panic!("all addresses of the certificate are in use");
}

fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from(include_bytes!("testdata/mail.test.crt").as_slice());
    let key = PrivatePkcs8KeyDer::from(include_bytes!("testdata/mail.test.key").as_slice());
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn converse(acceptor: TlsAcceptor, stream: TcpStream, state: Arc<Mutex<State>>) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    state.lock().unwrap().connections += 1;
    let mut stream = BufReader::new(stream);
    let (mut line, mut mail, mut is_known) = ("CONNECT".to_owned(), None::<String>, false);
    loop {
        let in_mail = mail.is_some() && line != ".";
        if let Some(text) = mail.as_mut().filter(|_| in_mail) {
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push('\n');
        } else {
            let verb = line.split(' ').next().unwrap().to_ascii_uppercase();
            let fault = {
                let mut state = state.lock().unwrap();
                let is_next =
                    matches!(state.faults.front(), Some(Fault::Answer(at, _) | Fault::Close(at)) if *at == verb);
                if is_next { state.faults.pop_front() } else { None }
            };
            let answer = match (fault, verb.as_str()) {
                (Some(Fault::Close(_)), _) => return,
                (Some(Fault::Answer(_, answer)), _) => {
                    mail = None;
                    answer
                }
                (None, "CONNECT") => "220 mail.test ready",
                (None, "EHLO") => "250-mail.test\r\n250-SIZE 26214400\r\n250 AUTH PLAIN LOGIN",
                (None, "AUTH") => {
                    use base64::Engine as _;
                    let presented = line.rsplit(' ').next().unwrap();
                    let wanted = format!("\0{}\0{}", USER.0, USER.1);
                    is_known = base64::engine::general_purpose::STANDARD.encode(wanted) == presented;
                    if is_known { "235 2.7.0 welcome" } else { "535 5.7.8 wrong password" }
                }
                (None, "MAIL" | "RCPT" | "DATA") if !is_known => "530 5.7.0 log in first",
                (None, "DATA") => {
                    mail = Some(String::new());
                    "354 go ahead"
                }
                (None, ".") => {
                    state.lock().unwrap().mails.extend(mail.take());
                    "250 2.0.0 queued"
                }
                (None, "QUIT") => "221 bye",
                (None, _) => "250 2.0.0 ok",
            };
            if stream.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() || stream.flush().await.is_err() {
                return;
            }
        }
        line.clear();
        match stream.read_line(&mut line).await {
            Ok(read) if read > 0 => {}
            Ok(_) | Err(_) => return,
        }
        line.truncate(line.trim_end_matches(['\r', '\n']).len());
    }
}

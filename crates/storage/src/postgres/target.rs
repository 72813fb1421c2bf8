//! The address of PostgreSQL: hosts, TLS and connection settings.

use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use diesel::{ConnectionError, ConnectionResult};
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{CancelToken, Client, Config, SimpleQueryMessage, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tls::{self, NO_TLS, Wanted, wrong};
use super::{PATIENCE, SESSION};
use crate::connection::error::StorageError;

/// A database on one host, or on several hosts with one writable.
pub(crate) struct Target {
    /// The configuration of each host, in the order of the address.
    hosts: Vec<Config>,
    /// The last host that accepted a connection. It is tried first.
    last: AtomicUsize,
    tls: MakeRustlsConnect,
}

type Link = tokio_postgres::Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

impl Target {
    /// Parses an address and reads the files it names.
    ///
    /// # Errors
    /// [`StorageError::Open`]. The text contains only names of parameters and files, and no other part of the address.
    pub(crate) fn parse(url: &str) -> Result<Self, StorageError> {
        let address = Address::parse(url);
        let (mut wanted, mut session, mut rest) = (Wanted::default(), None, Vec::new());
        for parameter in &address.parameters {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match name {
                "target_session_attrs" => session = Some(attributes(value)?),
                _ if wanted.take(name, &decoded(value)?)? => {}
                _ => rest.push(*parameter),
            }
        }
        let parameters = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
        let several = address.hosts.len() > 1;
        let session = session.unwrap_or(if several { TargetSessionAttrs::ReadWrite } else { TargetSessionAttrs::Any });
        let hosts: Vec<Config> = address
            .hosts
            .iter()
            .map(|host| {
                let read = format!("{}{host}{}{parameters}", address.before, address.path).parse::<Config>();
                let mut config = read.map_err(|error| wrong(describe(&error)))?;
                config.ssl_mode(wanted.ssl_mode()).target_session_attrs(session);
                config.connect_timeout(PATIENCE).keepalives_idle(Duration::from_secs(30));
                if config.get_application_name().is_none() {
                    config.application_name("tidings");
                }
                // Like libpq, no TLS over sockets.
                if config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_))) {
                    config.ssl_mode(SslMode::Disable);
                }
                Ok(config)
            })
            .collect::<Result<_, StorageError>>()?;
        Ok(Self { hosts, last: AtomicUsize::new(0), tls: MakeRustlsConnect::new(wanted.client()?) })
    }

    /// Connects to the first host that accepts, with the session settings that queries need.
    pub(crate) async fn connect(&self) -> ConnectionResult<AsyncPgConnection> {
        let bad = |error: String| ConnectionError::BadConnection(error);
        let (client, link) = self.link().await.map_err(bad)?;
        let connection = AsyncPgConnection::try_from_client_and_connection(client, link).await?;
        let mut session = &connection;
        session.batch_execute(SESSION).await.map_err(|error| bad(error.to_string()))?;
        Ok(connection)
    }

    /// Cancels the running statement of a connection. Returns true if the server received the request.
    pub(crate) async fn cancel(&self, token: CancelToken) -> bool {
        token.cancel_query(self.tls.clone()).await.is_ok()
    }

    /// Connects to the first host that accepts. Each host has its share of the time: a frozen one leaves time for the
    /// others.
    async fn link(&self) -> Result<(Client, Link), String> {
        let patience = PATIENCE / u32::try_from(self.hosts.len()).unwrap_or(1).max(1);
        let first = self.last.load(Ordering::Relaxed);
        let mut why = Vec::new();
        for (place, host) in self.hosts.iter().enumerate().cycle().skip(first).take(self.hosts.len()) {
            match timeout(patience, host.connect(self.tls.clone())).await {
                Ok(Ok(made)) => {
                    self.last.store(place, Ordering::Relaxed);
                    return Ok(made);
                }
                Ok(Err(error)) => why.push(describe(&error)),
                Err(_) => why.push("no connection in time".to_owned()),
            }
        }
        Err(why.join("; "))
    }

    /// Returns the first remote host with connections without TLS. If TLS is optional, the host is tested. A host
    /// without an answer is skipped.
    pub(crate) async fn plaintext_host(&self) -> Option<String> {
        for host in &self.hosts {
            let Some(name) = distant(host) else { continue };
            let is_plain = match host.get_ssl_mode() {
                SslMode::Disable => true,
                SslMode::Prefer => {
                    let mut with_tls = host.clone();
                    let with_tls = with_tls.ssl_mode(SslMode::Require).connect(self.tls.clone());
                    let answer = timeout(PATIENCE, with_tls).await;
                    answer.is_ok_and(|made| made.is_err_and(|error| describe(&error).contains(NO_TLS)))
                }
                _ => false,
            };
            if is_plain {
                return Some(name);
            }
        }
        None
    }

    /// Returns true if a pooler assigns sessions to other clients after each transaction. Uses the simple query
    /// protocol, which all poolers support.
    pub(crate) async fn shares_sessions(&self) -> Result<bool, String> {
        let ((one, first), (other, second)) = (self.link().await?, self.link().await?);
        let links = [tokio::spawn(first), tokio::spawn(second)];
        let asked = async {
            let question = "SELECT pg_backend_pid()";
            let before = [session(&one, question).await?, session(&one, question).await?];
            // The session cannot be shared while this transaction is open.
            let meanwhile = match session(&other, "BEGIN; SELECT pg_backend_pid()").await {
                // "transaction blocks not allowed in statement pooling mode"
                Err(why) if why.contains("pooling mode") => return Ok(true),
                answer => answer?,
            };
            let after = session(&one, question).await?;
            other.simple_query("ROLLBACK").await.map_err(|error| describe(&error))?;
            Ok::<_, String>(before.iter().any(|it| *it != after) || after == meanwhile)
        };
        let shared = timeout(PATIENCE, asked).await.unwrap_or_else(|_| Err("no response in time".to_owned()));
        links.iter().for_each(tokio::task::JoinHandle::abort);
        shared
    }
}

/// Returns the ID of the answering session.
async fn session(client: &Client, question: &str) -> Result<String, String> {
    let answer = client.simple_query(question).await.map_err(|error| describe(&error))?;
    let row = answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(ToOwned::to_owned),
        _ => None,
    });
    row.ok_or_else(|| "no response".to_owned())
}

/// The parts of an address. Like the driver, it treats the text before the first `@` as the user.
struct Address<'u> {
    before: &'u str,
    hosts: Vec<&'u str>,
    path: &'u str,
    parameters: Vec<&'u str>,
}

impl<'u> Address<'u> {
    fn parse(url: &'u str) -> Self {
        let begin = url.find("://").map_or(0, |scheme| scheme + 3);
        let begin = url.get(begin..).and_then(|rest| rest.find('@')).map_or(begin, |user| begin + user + 1);
        let (before, rest) = url.split_at_checked(begin).unwrap_or((url, ""));
        let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let (hosts, path) = place.find('/').and_then(|end| place.split_at_checked(end)).unwrap_or((place, ""));
        let parameters = parameters.split('&').filter(|it| !it.is_empty()).collect();
        Self { before, hosts: hosts.split(',').collect(), path, parameters }
    }
}

fn attributes(word: &str) -> Result<TargetSessionAttrs, StorageError> {
    match word {
        "any" => Ok(TargetSessionAttrs::Any),
        "read-write" | "primary" => Ok(TargetSessionAttrs::ReadWrite),
        _ => {
            Err(wrong("target_session_attrs must be read-write, primary or any, because the server must accept writes"))
        }
    }
}

/// Decodes percent-encoding in a parameter's value (RFC 3986, section 2.1).
fn decoded(value: &str) -> Result<String, StorageError> {
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
        let (Some(high), Some(low)) = (digit(), digit()) else {
            return Err(wrong("a % must be followed by two hexadecimal digits"));
        };
        bytes.extend(u8::try_from(high * 16 + low));
    }
    String::from_utf8(bytes).map_err(|_| wrong("a parameter is not UTF-8"))
}

/// Returns the name of a remote host, if the configuration has one.
fn distant(config: &Config) -> Option<String> {
    let is_here = |address: &IpAddr| address.to_canonical().is_loopback();
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().find(|it| !is_here(it)).map(ToString::to_string);
    }
    config.get_hosts().iter().find_map(|host| match host {
        Host::Tcp(name) if !name.eq_ignore_ascii_case("localhost") && !name.parse().is_ok_and(|it| is_here(&it)) => {
            Some(name.clone())
        }
        _ => None,
    })
}

/// Describes an error of the driver with its source, which contains the reason.
fn describe(error: &tokio_postgres::Error) -> String {
    let told = match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    match tls::advice(error, &told) {
        Some(advice) => format!("{told} ({advice})"),
        None => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(url: &str) -> String {
        Target::parse(url).map(drop).unwrap_err().to_string()
    }

    #[test]
    fn parses_each_host_of_an_address_separately() {
        let ports = |url: &str| -> Vec<u16> {
            Target::parse(url).unwrap().hosts.iter().flat_map(|host| host.get_ports().to_vec()).collect()
        };
        let hosts = |url: &str| Target::parse(url).unwrap().hosts.len();
        assert_eq!(ports("postgres://u@one:1,two:2/db?connect_timeout=2"), [1, 2]);
        assert_eq!(hosts("postgresql://one"), 1);
        assert_eq!(hosts("postgres://u:p%40,x/y?z@one,[::1]:7,two/db"), 3);
        assert_eq!(hosts("postgres:///db?host=%2Frun%2Fpostgresql"), 1);
    }

    #[test]
    fn requires_a_writable_host_among_several() {
        let wanted = |url: &str| Target::parse(url).unwrap().hosts[0].get_target_session_attrs();
        assert_eq!(wanted("postgres://one/d"), TargetSessionAttrs::Any);
        assert_eq!(wanted("postgres://one/d?target_session_attrs=primary"), TargetSessionAttrs::ReadWrite);
        assert_eq!(wanted("postgres://one,two/d"), TargetSessionAttrs::ReadWrite);
        assert_eq!(wanted("postgres://one,two/d?target_session_attrs=any"), TargetSessionAttrs::Any);
        assert!(why("postgres://one,two/d?target_session_attrs=prefer-standby").contains("must accept writes"));
    }

    #[test]
    fn an_error_names_the_parameter_without_the_password() {
        let told = |url: &str, what: &str| {
            let why = why(url);
            assert!(why.contains(what) && !why.contains("hush"), "{why}");
        };
        told("postgres://u:hush@h/db?sslmode=verify", "sslmode must be");
        told("postgres://u:hush@h/db?sslcert=a.pem", "sslcert and sslkey must be set together");
        told("postgres://u:hush@h/db?sslrootcert=%2Fnowhere%2Fca.pem", "sslrootcert /nowhere/ca.pem");
        told("postgres://u:hush@h/db?sslrootcert=%2", "a % must be followed by two hexadecimal digits");
        told("postgres://u:hush@h/db?sslcompression=1", "sslcompression");
    }

    #[test]
    fn loopback_addresses_and_sockets_are_not_distant() {
        let distant = |url: &str| distant(&Target::parse(url).unwrap().hosts[0]);
        for url in ["postgres://localhost/d", "postgres://127.0.0.9/d", "postgres://[::1]/d", "postgres://%2Frun/d"] {
            assert_eq!(distant(url), None, "{url}");
        }
        assert_eq!(distant("postgres://db.internal/d").as_deref(), Some("db.internal"));
        assert_eq!(distant("postgres://localhost/d?hostaddr=10.0.0.5").as_deref(), Some("10.0.0.5"));
        assert_eq!(distant("postgres://db.internal/d?hostaddr=127.0.0.1"), None);
    }
}

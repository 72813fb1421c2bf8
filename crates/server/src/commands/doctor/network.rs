//! The checks of the public address, the ports and Redis.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use super::report::Report;
use crate::commands::serve::reachable;
use crate::failure::Failure;
use crate::settings::Settings;

/// The time limit for identifying another program.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn look_at_public_url(report: &mut Report, settings: &Settings) {
    match &settings.public_url {
        None if !settings.is_development() => report.warn(
            "public_url",
            "http.public_url is not set: links in responses are relative, and invitations have no link",
            "Set TIDINGS__HTTP__PUBLIC_URL to the address that clients use, such as https://tidings.example.com.",
        ),
        None => report.fine(
            "public_url",
            "not set: browsers stay signed in at localhost, and at an https address if the proxy passes on `Host`",
        ),
        Some(url) if url.may_have_cookies() => report.fine("public_url", "browsers stay signed in"),
        Some(_) => report.warn(
            "public_url",
            "http.public_url does not use https: browsers do not stay signed in",
            "Serve it over https, and set TIDINGS__HTTP__PUBLIC_URL=https://….",
        ),
    }
}

pub(super) fn look_at_port(
    report: &mut Report,
    (name, setting): (&'static str, &str),
    address: SocketAddr,
    may_be_ours: bool,
) {
    match TcpListener::bind(address) {
        Ok(_) => report.fine(name, &format!("{address} is free")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            let is_tidings = is_tidings(address);
            if is_tidings && may_be_ours {
                return report.fine(name, &format!("{address} is served by Tidings"));
            }
            let whom = if is_tidings { "a Tidings server with another database" } else { "another program" };
            let advice = format!("Stop it, or set {setting} to another port.");
            report.wrong(name, format!("{address} is used by {whom}"), &advice);
        }
        Err(error) => {
            let advice = format!("Set {setting} to an address of this machine.");
            report.wrong(name, format!("cannot listen on {address}: {error}"), &advice);
        }
    }
}

/// Whether the listening program is Tidings: all its responses have a request ID.
fn is_tidings(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&reachable(address), PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.take(16 * 1024).read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).to_ascii_lowercase())
    };
    ask().is_ok_and(|answer| answer.contains("x-request-id: req_"))
}

pub(super) async fn look_at_redis(report: &mut Report, url: &str) -> Result<(), Failure> {
    match tidings_limits_redis::ping(url, PATIENCE).await {
        Ok(()) => report.fine("redis", "Redis responds"),
        Err(error) => report.wrong(
            "redis",
            format!("Redis does not respond: {error}"),
            "Start Redis or Valkey, or correct redis.url (TIDINGS__REDIS__URL). Until then, each instance allows its \
             share of each limit.",
        ),
    }
    Ok(())
}

//! The origins of pages, as browsers send them.

use std::fmt;
use std::str::FromStr;

use url::Host;

use super::cookie::Form;

/// The origin of a page: scheme, host and port (RFC 6454).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    host: Host,
    port: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// The error for a text that is not an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected https://HOST, https://HOST:PORT, or the same with http, and nothing after it")]
pub struct NoOrigin;

impl FromStr for Origin {
    type Err = NoOrigin;

    /// Parses `https://HOST:PORT`, the form that browsers send.
    fn from_str(text: &str) -> Result<Self, NoOrigin> {
        let (scheme, rest) = text.split_once("://").ok_or(NoOrigin)?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(NoOrigin),
        };
        let (host, port) = authority(rest).ok_or(NoOrigin)?;
        Ok(Self { scheme, host, port: port.unwrap_or(scheme.default_port()) })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.scheme {
            Scheme::Http => "http",
            Scheme::Https => "https",
        };
        write!(out, "{scheme}://{}", self.host)?;
        if self.port == self.scheme.default_port() { Ok(()) } else { write!(out, ":{}", self.port) }
    }
}

impl Origin {
    /// Returns the origin of a URL without a user, a query, a fragment or a path other than `/`.
    ///
    /// # Errors
    /// [`NoOrigin`] for all other texts.
    pub fn of_url(url: &str) -> Result<Self, NoOrigin> {
        url.strip_suffix('/').unwrap_or(url).parse()
    }

    /// Whether cookies from this origin cannot be read on the way.
    pub fn may_have_cookies(&self) -> bool {
        self.form().is_some()
    }

    /// Whether this host and port, or the default port, are its own.
    pub(super) fn is_at(&self, host: &Host, port: Option<u16>) -> bool {
        (host, port.unwrap_or(self.scheme.default_port())) == (&self.host, self.port)
    }

    /// Returns the form of the cookies from this origin that cannot be read on the way.
    pub(super) fn form(&self) -> Option<Form> {
        match self.scheme {
            Scheme::Https => Some(Form::Secure),
            Scheme::Http => is_loopback(&self.host).then_some(Form::Loopback),
        }
    }
}

/// Returns host and port, if the text is an authority without a user (RFC 3986, section 3.2).
pub(super) fn authority(text: &str) -> Option<(Host, Option<u16>)> {
    let is_digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if is_digits(port) => (host, port),
        _ => (text, ""),
    };
    let port = if port.is_empty() { None } else { Some(port.parse().ok()?) };
    // The parser accepts forms that browsers read but never send, such as %6c for l.
    let is_plain = host.is_ascii() && !host.contains('%');
    Some((Host::parse(host).ok().filter(|_| is_plain)?, port))
}

pub(super) fn is_loopback(host: &Host) -> bool {
    match host {
        Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_an_origin_as_the_public_address() {
        for url in ["https://tidings.example", "https://tidings.example/", "http://localhost:8080", "HTTPS://[::1]/"] {
            assert!(Origin::of_url(url).is_ok(), "{url}");
        }
        for url in [
            "tidings.example",
            "ftp://tidings.example",
            "https://",
            "https://tidings.example/panel",
            "https://tidings.example//",
            "https://tidings.example?x",
            "https://tidings.example/?x",
            "https://tidings.example#x",
            "https://ada@tidings.example",
            "https://ada:secret@tidings.example",
            "https://tidings.example:0x50",
            "https://tidings.example:70000",
            "https://tidings example",
        ] {
            assert_eq!(Origin::of_url(url), Err(NoOrigin), "{url}");
        }
    }
}

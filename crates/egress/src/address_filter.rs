//! The rules that decide which addresses may be called. No name is looked up; the only system call checks whether an
//! allowed private address belongs to this machine.

use std::net::IpAddr;

use url::{Host, Url};

use crate::network::Network;
use crate::ranges::{self, LOOPBACK};

#[cfg(test)]
mod address_tests;
#[cfg(test)]
mod open_tests;
#[cfg(test)]
mod tests;

/// The part of a sentence about this machine that names the setting for the operator.
const WITH_LOOPBACK: &str = "which is only called with `egress.allow_loopback`, for development";

/// An address is refused; the text is a whole sentence for the person who entered it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressRefusal(String);

impl AddressRefusal {
    pub(crate) fn with_reason(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// The address filter: decides which URLs, hosts and addresses may be called.
///
/// Without `allow_loopback` only `https:` passes, and no address of the IANA special-purpose registries. With it, meant
/// for development, `http:` and loopback addresses also pass, but nothing else.
///
/// The operator may allow private networks, and `http:` for single hosts. Metadata services, link-local addresses and
/// the addresses of this machine stay forbidden in every network. A filter with [`AddressFilter::allowing_any_address`]
/// is only for addresses from the settings of the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressFilter {
    allow_loopback: bool,
    own_addresses: Vec<IpAddr>,
    open: Vec<Network>,
    plain_http_hosts: Vec<String>,
    any_address: bool,
}

impl AddressFilter {
    /// The longest URL that passes, in bytes.
    pub const MAX_URL_LENGTH: usize = 2048;

    /// The ports of mail servers; no other port is dialled without HTTP.
    pub const SMTP_PORTS: [u16; 4] = [25, 465, 587, 2525];

    /// Creates a filter. `own_addresses` are the addresses of this service; they are refused even if public.
    pub fn new(allow_loopback: bool, own_addresses: Vec<IpAddr>) -> Self {
        Self { allow_loopback, own_addresses, open: Vec::new(), plain_http_hosts: Vec::new(), any_address: false }
    }

    /// Also allows these private networks.
    #[must_use]
    pub fn opening(self, open: Vec<Network>) -> Self {
        Self { open, ..self }
    }

    /// Also allows `http:` for these hosts, each as [`AddressFilter::plain_http_host`] returns it.
    #[must_use]
    pub fn with_plain_http(self, plain_http_hosts: Vec<String>) -> Self {
        Self { plain_http_hosts, ..self }
    }

    /// With `true`, allows `http:` and every address: for an address from the settings of the operator, and never for
    /// one from a user.
    #[must_use]
    pub fn allowing_any_address(self, any_address: bool) -> Self {
        Self { any_address, ..self }
    }

    /// Normalises a host to the form of a parsed URL: a name in lower case, or an address in its canonical spelling.
    ///
    /// # Errors
    /// [`AddressRefusal`] if the text is not exactly a host.
    pub fn plain_http_host(text: &str) -> Result<String, AddressRefusal> {
        read_host(text).map(|host| host.to_string())
    }

    /// Checks the host and the port of a mail server by the rules of [`AddressFilter::check_url`]. A name that passes
    /// is checked again after each look-up.
    ///
    /// # Errors
    /// [`AddressRefusal`] with the first thing that is wrong.
    pub fn check_smtp(&self, host: &str, port: u16) -> Result<Host, AddressRefusal> {
        if !Self::SMTP_PORTS.contains(&port) {
            return Err(AddressRefusal(format!("Port {port} is not allowed: use 25, 465, 587 or 2525.")));
        }
        let host = read_host(host)?;
        self.check_host(&host)?;
        Ok(host)
    }

    /// Reads a URL by the WHATWG rules and checks scheme, form, port, literal addresses in every spelling and the
    /// names under `localhost`. Any other name passes, and its addresses are checked at each call. The returned URL has
    /// no fragment, since a fragment is never sent.
    ///
    /// # Errors
    /// [`AddressRefusal`] with the first thing that is wrong.
    pub fn check_url(&self, text: &str) -> Result<Url, AddressRefusal> {
        if text.len() > Self::MAX_URL_LENGTH {
            return Err(AddressRefusal(format!("The URL is longer than {} bytes.", Self::MAX_URL_LENGTH)));
        }
        let mut url = Url::parse(text).map_err(|error| {
            AddressRefusal(format!(
                "This is not a valid URL: {error}. Use a full URL, such as https://example.com/hooks."
            ))
        })?;
        self.check_scheme(&url)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressRefusal::with_reason("The URL must not contain a user name or password."));
        }
        if url.port() == Some(0) {
            return Err(AddressRefusal::with_reason("Port 0 cannot be called."));
        }
        match url.host() {
            Some(host) => self.check_host(&host)?,
            None => return Err(AddressRefusal::with_reason("The URL has no host.")),
        }
        url.set_fragment(None);
        Ok(url)
    }

    /// Checks one address from a URL or from a name server.
    ///
    /// # Errors
    /// [`AddressRefusal`] with the type of address, the document that reserves it, and the setting that can allow it,
    /// if there is one.
    pub fn check_address(&self, address: IpAddr) -> Result<(), AddressRefusal> {
        if self.any_address {
            return Ok(());
        }
        if self.own_addresses.contains(&address) {
            return Err(AddressRefusal(format!("{address} belongs to this service, which does not call itself.")));
        }
        match ranges::forbidding(address) {
            None => Ok(()),
            Some(range) if range.class == LOOPBACK && self.allow_loopback => Ok(()),
            Some(range) if range.may_be_opened() && self.open.iter().any(|network| network.contains(address)) => {
                if is_of_this_machine(address) {
                    return Err(AddressRefusal(format!(
                        "{address} belongs to this service, which does not call itself."
                    )));
                }
                Ok(())
            }
            Some(range) => {
                let but = match range.class {
                    LOOPBACK => WITH_LOOPBACK,
                    _ if range.may_be_opened() => "which is only called if `egress.allowed_networks` contains it",
                    _ => "which is never called",
                };
                Err(AddressRefusal(format!("{address} is {} ({}), {but}.", range.class, range.source)))
            }
        }
    }

    fn check_scheme(&self, url: &Url) -> Result<(), AddressRefusal> {
        match url.scheme() {
            "https" => Ok(()),
            "http" if self.allow_loopback || self.any_address || self.takes_plain_http(url) => Ok(()),
            _ if self.allow_loopback || self.any_address => {
                Err(AddressRefusal::with_reason("The URL must start with https:// or http://."))
            }
            "http" => Err(AddressRefusal::with_reason(
                "The URL must start with https://; http:// is only allowed for hosts in `egress.plain_http_hosts`, or \
                 for development with `egress.allow_loopback`.",
            )),
            _ => Err(AddressRefusal::with_reason("The URL must start with https://.")),
        }
    }

    fn takes_plain_http(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        self.plain_http_hosts.iter().any(|it| it == host)
    }

    fn check_host(&self, host: &Host<impl AsRef<str>>) -> Result<(), AddressRefusal> {
        match host {
            Host::Ipv4(address) => self.check_address((*address).into()),
            Host::Ipv6(address) => self.check_address((*address).into()),
            Host::Domain(name) => self.check_name(name.as_ref()),
        }
    }

    /// Checks a host name. `url` has already lowered the case, decoded percent signs and mapped full-width letters.
    fn check_name(&self, name: &str) -> Result<(), AddressRefusal> {
        let name = name.trim_end_matches('.');
        if name.is_empty() {
            return Err(AddressRefusal::with_reason("The URL has no host."));
        }
        // RFC 6761, section 6.3: names under "localhost" are loopback whatever a name server returns.
        let loopback = name == "localhost" || name.ends_with(".localhost");
        if loopback && !self.allow_loopback && !self.any_address {
            return Err(AddressRefusal(format!("{name} is this machine itself (RFC 6761), {WITH_LOOPBACK}.")));
        }
        Ok(())
    }
}

/// Parses a host as in a URL: a literal address in any spelling, in any case, with or without a dot at the end.
fn read_host(text: &str) -> Result<Host, AddressRefusal> {
    let refused =
        || AddressRefusal(format!("{text:?} is not a host: expected a name or an IP address, without a port."));
    let host = Host::parse(text.trim_end_matches('.')).map_err(|_| refused())?;
    match host {
        Host::Domain(name) if name.is_empty() => Err(refused()),
        host => Ok(host),
    }
}

/// Whether the address belongs to this machine: only then can it be bound. The addresses of a machine may change while
/// it runs, so the kernel is asked each time. The port is any free one and is released at once.
fn is_of_this_machine(address: IpAddr) -> bool {
    std::net::UdpSocket::bind((address, 0)).is_ok()
}

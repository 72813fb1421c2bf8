//! The address of a client behind proxies.
//!
//! Every client can write any header. So a header counts only as far as trusted proxies (`http.trusted_proxies`) wrote
//! it. It is read from its end: each trusted proxy names its predecessor, up to the first address that is not a trusted
//! proxy.

use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::{FORWARDED, HeaderMap, HeaderName, X_FORWARDED_FOR};
use ipnet::IpNet;

/// The networks of trusted proxies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Arc<[IpNet]>);

/// The error for a text that is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a network: expected a network such as 10.0.0.0/8 or fd00::/8, or an address")]
pub struct NoNetwork(String);

impl TrustedProxies {
    /// Reads networks; a single address is a network of one.
    ///
    /// # Errors
    /// [`NoNetwork`] with the first invalid text.
    pub fn read<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, NoNetwork> {
        let read = |text: &str| {
            let text = text.trim();
            let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
            network.map_err(|_| NoNetwork(text.to_owned()))
        };
        Ok(Self(texts.into_iter().map(read).collect::<Result<_, _>>()?))
    }

    /// Whether this is the address of a trusted proxy.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    pub(crate) fn client(&self, request: &HttpRequest) -> Option<IpAddr> {
        request.peer_addr().map(|peer| client_address(peer.ip(), request.headers(), self))
    }
}

impl FromStr for TrustedProxies {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        Self::read(text.split(',').filter(|it| !it.trim().is_empty()))
    }
}

/// Returns the network that is counted: for IPv6 the /64, since one client can have all of it.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6((u128::from(ip) & !u128::from(u64::MAX)).into()),
        ip @ IpAddr::V4(_) => ip,
    }
}

/// Returns the client of a request from `peer` with these headers.
///
/// If both `Forwarded` (RFC 7239) and `X-Forwarded-For` are present, they must agree: a proxy that writes one of them
/// may pass on the other as the client wrote it. If they disagree, the proxy counts as the client. It also does if its
/// entry is `unknown`, obfuscated or invalid.
fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> IpAddr {
    let peer = peer.to_canonical();
    if !trusted.contains(peer) {
        return peer;
    }
    let by_forwarded = values(headers, &FORWARDED).map(|value| walk(peer, forwarded(&value).into_iter(), trusted));
    let by_list = values(headers, &X_FORWARDED_FOR).map(|value| walk(peer, value.split(',').map(node), trusted));
    match (by_forwarded, by_list) {
        (Some(one), Some(other)) if one != other => peer,
        (Some(client), _) | (None, Some(client)) => client,
        (None, None) => peer,
    }
}

/// Returns all values of a header as one list (RFC 9110, section 5.3). A value that is not text becomes `unknown`.
fn values(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values: Vec<_> = headers.get_all(name).map(|value| value.to_str().unwrap_or("unknown")).collect();
    if values.is_empty() { None } else { Some(values.join(",")) }
}

/// Follows the proxies, and stops at the first node that is unknown or not trusted.
fn walk(peer: IpAddr, nodes: impl DoubleEndedIterator<Item = Option<IpAddr>>, trusted: &TrustedProxies) -> IpAddr {
    let mut client = peer;
    for node in nodes.rev() {
        let Some(address) = node else { break };
        client = address;
        if !trusted.contains(address) {
            break;
        }
    }
    client
}

/// Returns the `for` of each element of `Forwarded`; `None` for each invalid element.
fn forwarded(value: &str) -> Vec<Option<IpAddr>> {
    let Some(elements) = split(value, ',') else { return vec![None] };
    let client = |element: &str| {
        let pairs = split(element, ';')?;
        let mut clients = pairs.iter().filter_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            name.trim().eq_ignore_ascii_case("for").then_some(value)
        });
        let client = node(&unquoted(clients.next()?.trim())?);
        client.filter(|_| clients.next().is_none())
    };
    elements.into_iter().filter(|element| !element.trim().is_empty()).map(client).collect()
}

/// Splits at separators outside quotes; `None` if a quote is not closed.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut parts, mut rest) = (Vec::new(), text);
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut begin = 0;
    for (place, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if character == separator && !is_quoted => {
                parts.push(text.get(begin..place)?);
                begin = place + character.len_utf8();
                rest = text.get(begin..)?;
            }
            _ => {}
        }
    }
    parts.push(rest);
    if is_quoted { None } else { Some(parts) }
}

fn unquoted(value: &str) -> Option<Cow<'_, str>> {
    let Some(inner) = value.strip_prefix('"') else { return Some(Cow::Borrowed(value)) };
    let inner = inner.strip_suffix('"')?;
    // Addresses need no escapes.
    if inner.contains(['\\', '"']) { None } else { Some(Cow::Borrowed(inner)) }
}

/// Returns the address of a node, with or without a port; `None` for `unknown`, obfuscated names and invalid text.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse::<IpAddr>().or_else(|_| text.parse::<SocketAddr>().map(|it| it.ip()));
    address.map(|it| it.to_canonical()).ok()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    const PEER: &str = "10.0.0.1";
    const TRUSTED: &str = "10.0.0.0/8, 2001:db8:ffff::/48";

    fn client(peer: &str, headers: &[(&str, &str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::try_from(*name).unwrap(), HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        client_address(peer.parse().unwrap(), &map, &TRUSTED.parse().unwrap()).to_string()
    }

    fn listed(value: &str) -> String {
        client(PEER, &[("x-forwarded-for", value)])
    }

    fn told(value: &str) -> String {
        client(PEER, &[("forwarded", value)])
    }

    #[test]
    fn ignores_forwarding_headers_of_untrusted_peers() {
        for header in ["x-forwarded-for", "forwarded"] {
            let forged = [(header, "for=192.0.2.9"), (header, "192.0.2.9")];
            assert_eq!(client("198.51.100.7", &forged), "198.51.100.7");
        }
        let mut map = HeaderMap::new();
        map.append(X_FORWARDED_FOR, HeaderValue::from_static("192.0.2.9"));
        let nobody = TrustedProxies::default();
        assert_eq!(
            client_address(PEER.parse().unwrap(), &map, &nobody).to_string(),
            PEER,
            "no proxy is trusted by default"
        );
    }

    #[test]
    fn reads_the_list_from_its_end_through_trusted_proxies() {
        assert_eq!(listed("192.0.2.9"), "192.0.2.9");
        assert_eq!(listed("203.0.113.5, 192.0.2.9"), "192.0.2.9", "earlier entries are set by the client");
        assert_eq!(listed("203.0.113.5, 192.0.2.9, 10.9.9.9 ,10.1.1.1"), "192.0.2.9");
        assert_eq!(listed("10.2.2.2, 10.1.1.1"), "10.2.2.2", "the first proxy is the client");
        assert_eq!(client(PEER, &[]), PEER);
    }

    #[test]
    fn joins_repeated_headers_into_one_list() {
        let headers = [("x-forwarded-for", "203.0.113.5"), ("x-forwarded-for", "192.0.2.9"), ("x-forwarded-for", PEER)];
        assert_eq!(client(PEER, &headers), "192.0.2.9");
        let headers = [("forwarded", "for=203.0.113.5"), ("forwarded", "for=192.0.2.9, for=10.1.1.1")];
        assert_eq!(client(PEER, &headers), "192.0.2.9");
    }

    #[test]
    fn reads_ports_brackets_and_ipv6_in_both_headers() {
        for (text, address) in [
            ("192.0.2.9:4711", "192.0.2.9"),
            ("2001:db8::9", "2001:db8::9"),
            ("[2001:db8::9]", "2001:db8::9"),
            ("[2001:DB8:0::9]:4711", "2001:db8::9"),
            ("::ffff:192.0.2.9", "192.0.2.9"),
        ] {
            assert_eq!(listed(text), address);
            assert_eq!(told(&format!("for=\"{text}\"")), address);
        }
        assert_eq!(listed("192.0.2.9, 2001:db8:ffff::1, ::ffff:10.0.0.9"), "192.0.2.9");
        assert_eq!(client("::ffff:10.0.0.1", &[("x-forwarded-for", "192.0.2.9")]), "192.0.2.9");
    }

    #[test]
    fn reads_forwarded_as_rfc_7239_defines() {
        assert_eq!(told("for=192.0.2.60;proto=http;by=203.0.113.43"), "192.0.2.60");
        assert_eq!(told("By=10.0.0.1; FOR=192.0.2.60 ;host=\"a,b;for=203.0.113.9\""), "192.0.2.60");
        assert_eq!(told("for=203.0.113.5, for=192.0.2.9;by=10.1.1.1, for=10.1.1.1,"), "192.0.2.9");
        assert_eq!(told("for=\"[2001:db8:cafe::17]:4711\""), "2001:db8:cafe::17");
    }

    #[test]
    fn uses_the_last_known_proxy_if_it_names_no_address() {
        for nonsense in
            ["unknown", "_hidden", "\"_SEVKISEK\"", "", "localhost", "192.0.2", "192.0.2.9:port", "[::1", "1"]
        {
            assert_eq!(listed(nonsense), PEER, "{nonsense}");
            assert_eq!(listed(&format!("192.0.2.9, {nonsense}, 10.1.1.1")), "10.1.1.1", "{nonsense}");
            assert_eq!(told(&format!("for={nonsense}")), PEER, "{nonsense}");
        }
        for nonsense in ["proto=https", "for", "for=192.0.2.9;for=192.0.2.8", "for=\"192.0.2.9", "for=\"192.0.2.\\9\""]
        {
            assert_eq!(told(nonsense), PEER, "{nonsense}");
        }
        assert_eq!(client(PEER, &[("x-forwarded-for", "192.0.2.9\u{e9}")]), PEER);
    }

    #[test]
    fn ignores_forwarded_with_an_unclosed_quote() {
        assert_eq!(told("for=\"203.0.113.5, for=192.0.2.9"), PEER);
        assert_eq!(told("for=\"203.0.113.5\\\", for=192.0.2.9"), PEER);
    }

    #[test]
    fn ignores_both_headers_if_they_differ() {
        let both = |one, other| client(PEER, &[("forwarded", one), ("x-forwarded-for", other)]);
        assert_eq!(both("for=192.0.2.9", "192.0.2.9"), "192.0.2.9");
        assert_eq!(both("for=192.0.2.9", "203.0.113.5, 192.0.2.9"), "192.0.2.9");
        assert_eq!(both("for=203.0.113.5", "192.0.2.9"), PEER, "the headers name different clients");
    }

    #[test]
    fn parses_networks_and_names_an_invalid_one() {
        let trusted: TrustedProxies = "192.0.2.1, 10.0.0.0/8,fd00::/8".parse().unwrap();
        for (address, is_trusted) in [
            ("192.0.2.1", true),
            ("192.0.2.2", false),
            ("10.255.0.1", true),
            ("11.0.0.1", false),
            ("fd12::1", true),
            ("::ffff:10.0.0.1", true),
        ] {
            assert_eq!(trusted.contains(address.parse().unwrap()), is_trusted, "{address}");
        }
        assert_eq!(
            "10.0.0.0/33".parse::<TrustedProxies>().unwrap_err().to_string().split(':').next().unwrap(),
            "`10.0.0.0/33` is not a network"
        );
        assert_eq!("".parse(), Ok(TrustedProxies::default()));
    }

    #[test]
    fn counts_an_ipv6_network_of_64_bits_as_one_address() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("192.0.2.9"), "192.0.2.9");
        assert_eq!(network("::ffff:192.0.2.9"), "192.0.2.9");
    }
}

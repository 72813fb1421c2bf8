use std::net::{Ipv4Addr, Ipv6Addr};

use super::*;
use crate::ranges::FORBIDDEN;

pub(super) fn closed() -> AddressFilter {
    AddressFilter::new(false, Vec::new())
}

pub(super) fn development() -> AddressFilter {
    AddressFilter::new(true, Vec::new())
}

/// Every spelling of a host that an address parser, a name server or a kernel might read as a forbidden one.
pub(super) const FORBIDDEN_HOSTS: &[&str] = &[
    // Loopback: dotted, short, decimal, octal, hexadecimal, mixed, padded, with a dot at the end.
    "127.0.0.1",
    "127.0.0.2",
    "127.255.255.255",
    "127.1",
    "127.0.1",
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0x7F000001",
    "0x7f.0x0.0x0.0x1",
    "0177.0.0.1",
    "0177.0.0.01",
    "0x7f.1",
    "0177.0x0.1",
    "127.0.0.1.",
    "2130706433.",
    "00000177.0.0.1",
    "0x0000007f.1",
    "127.0x1",
    "127.000.000.001",
    // Percent signs, full-width and circled digits, ideographic full stops: all mapped before they are parsed.
    "127%2e0%2e0%2e1",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "127．0．0．1",
    "0ｘ7f.1",
    // Names of this machine.
    "localhost",
    "LOCALHOST",
    "LocalHost.",
    "localhost..",
    "a.localhost",
    "a.b.LOCALHOST.",
    "ｌocalhost",
    "%6cocalhost",
    // This network, private, carrier-grade, link-local, protocol assignments.
    "0.0.0.0",
    "0",
    "0x0",
    "00",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "10.1",
    "167772161",
    "012.0.0.1",
    "0xa.1",
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "3232235521",
    "192.168.257",
    "192.0.0.1",
    "192.0.0.192",
    // Documentation, relays, sinks, benchmark, a platform's agent, multicast, reserved, broadcast.
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.255",
    "192.88.99.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.175.48.1",
    "198.18.0.1",
    "198.19.255.255",
    "168.63.129.16",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    "0xffffffff",
    // IPv6: unspecified, loopback in several spellings, compatible, mapped, translated.
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[0::1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::8.8.8.8]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:7F00:0001]",
    "[0:0:0:0:0:ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:8.8.8.8]",
    "[::ffff:0:127.0.0.1]",
    // NAT64, 6to4, Teredo.
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::8.8.8.8]",
    "[64:ff9b:1::10.0.0.1]",
    "[64:ff9b:1:ffff::1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2002:808:808::1]",
    "[2001::1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    // The other special blocks.
    "[100::1]",
    "[100:0:0:1::1]",
    "[2001:2::1]",
    "[2001:3::1]",
    "[2001:4:112::1]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[2001:30::1]",
    "[2001:db8::1]",
    "[2620:4f:8000::1]",
    "[3ffe::1]",
    "[3fff::1]",
    "[5f00::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[ff0e::1]",
    "[4000::1]",
    "[8000::1]",
    "[1::1]",
    // Not addresses, although some parsers accept them.
    "[fe80::1%25eth0]",
    "[fe80::1%eth0]",
    "[::1%25lo]",
    "127.0.0.1.1",
    "1.2.3.4.5",
    "256.256.256.256",
    "256.0.0.1",
    "0x7g.1",
    "4294967296",
    "08.1",
    ".",
    "..",
];

#[test]
fn rejects_every_spelling_of_a_forbidden_host() {
    assert!(FORBIDDEN_HOSTS.len() >= 60);
    for host in FORBIDDEN_HOSTS {
        for url in [format!("https://{host}/"), format!("https://{host}:8443/a?b#c"), format!("HTTPS:\\\\{host}")] {
            assert!(closed().check_url(&url).is_err(), "{url} passed");
        }
    }
}

#[test]
fn accepts_public_hosts() {
    for host in [
        "example.com",
        "EXAMPLE.com.",
        "hooks.example.com:8443",
        "bücher.example",
        "localhost.example.com",
        "notlocalhost",
        "8.8.8.8",
        "134744072",
        "[2606:4700:4700::1111]",
        "[2a00::1]",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "223.255.255.255",
        "[2001:200::1]",
        "[2003::1]",
        "[2000::1]",
        "[3ffd::1]",
    ] {
        let checked = closed().check_url(&format!("https://{host}/hook"));
        assert!(checked.is_ok(), "{host}: {checked:?}");
    }
}

#[test]
fn rejects_invalid_urls_with_a_reason() {
    for (url, sentence) in [
        (
            "",
            "This is not a valid URL: relative URL without a base. Use a full URL, such as https://example.com/hooks.",
        ),
        (
            "/hook",
            "This is not a valid URL: relative URL without a base. Use a full URL, such as https://example.com/hooks.",
        ),
        ("https://", "This is not a valid URL: empty host. Use a full URL, such as https://example.com/hooks."),
        (
            "https://a b/",
            "This is not a valid URL: invalid international domain name. Use a full URL, such as https://example.com/hooks.",
        ),
        (
            "https://example.com:70000/",
            "This is not a valid URL: invalid port number. Use a full URL, such as https://example.com/hooks.",
        ),
        ("https://example.com:0/", "Port 0 cannot be called."),
        (
            "http://example.com/",
            "The URL must start with https://; http:// is only allowed for hosts in `egress.plain_http_hosts`, or for \
             development with `egress.allow_loopback`.",
        ),
        ("ftp://example.com/", "The URL must start with https://."),
        ("file:///etc/passwd", "The URL must start with https://."),
        ("data:text/plain,x", "The URL must start with https://."),
        ("unix:/run/socket", "The URL must start with https://."),
        ("https://user@example.com/", "The URL must not contain a user name or password."),
        ("https://:secret@example.com/", "The URL must not contain a user name or password."),
        ("https://example.com@127.0.0.1/", "The URL must not contain a user name or password."),
        (
            "https://127.0.0.1/",
            "127.0.0.1 is a loopback address (RFC 1122), which is only called with `egress.allow_loopback`, for \
             development.",
        ),
        (
            "https://10.1/",
            "10.0.0.1 is a private address (RFC 1918), which is only called if `egress.allowed_networks` contains it.",
        ),
        (
            "https://a.localhost./",
            "a.localhost is this machine itself (RFC 6761), which is only called with `egress.allow_loopback`, for \
             development.",
        ),
        ("https://169.254.169.254/", "169.254.169.254 is a link-local address (RFC 3927), which is never called."),
    ] {
        assert_eq!(closed().check_url(url).map_err(|refused| refused.to_string()), Err(sentence.to_owned()), "{url}");
    }
    for url in ["gopher://example.com/", "javascript:alert(1)", "https:///", "https://[::1/", "//example.com/", "https"]
    {
        assert!(closed().check_url(url).is_err(), "{url}");
    }
    let long = format!("https://example.com/{}", "a".repeat(AddressFilter::MAX_URL_LENGTH - 20));
    assert_eq!(long.len(), AddressFilter::MAX_URL_LENGTH);
    assert!(closed().check_url(&long).is_ok());
    assert!(closed().check_url(&(long + "a")).is_err());
}

#[test]
fn removes_only_the_fragment_of_a_url() {
    let url = closed().check_url("https://example.com:8443/a/../b?c=d#e").unwrap();
    assert_eq!(url.as_str(), "https://example.com:8443/b?c=d");
}

#[test]
fn development_allows_only_plain_http_and_loopback() {
    for url in
        ["http://127.0.0.1:9/", "http://localhost/", "https://a.localhost/", "http://[::1]/", "http://example.com/"]
    {
        assert!(development().check_url(url).is_ok(), "{url}");
    }
    let mut refused = 0;
    for host in FORBIDDEN_HOSTS {
        let Ok(url) = Url::parse(&format!("http://{host}/")) else { continue };
        let loopback = match url.host().unwrap() {
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
            Host::Domain(name) => name.trim_end_matches('.').ends_with("localhost"),
        };
        assert_eq!(development().check_url(url.as_str()).is_ok(), loopback, "{url}");
        refused += usize::from(!loopback);
    }
    assert!(refused >= 60, "{refused}");
    assert!(development().check_url("ftp://127.0.0.1/").is_err());
}

#[test]
fn rejects_its_own_address() {
    let own: IpAddr = "8.8.8.8".parse().unwrap();
    for filter in [AddressFilter::new(false, vec![own]), AddressFilter::new(true, vec![own])] {
        assert!(filter.check_url("https://8.8.8.8/").is_err());
        assert!(filter.check_address(own).is_err());
        assert!(filter.check_url("https://8.8.4.4/").is_ok());
    }
}

#[test]
fn rejects_the_first_and_last_address_of_each_range() {
    for range in FORBIDDEN {
        let (first, last): (IpAddr, IpAddr) = match range.block() {
            (IpAddr::V4(network), prefix) => {
                let rest = u32::MAX.checked_shr(prefix).unwrap_or(0);
                assert_eq!(network.to_bits() & rest, 0, "{range:?} starts inside itself");
                (network.into(), Ipv4Addr::from_bits(network.to_bits() | rest).into())
            }
            (IpAddr::V6(network), prefix) => {
                let rest = u128::MAX.checked_shr(prefix).unwrap_or(0);
                assert_eq!(network.to_bits() & rest, 0, "{range:?} starts inside itself");
                (network.into(), Ipv6Addr::from_bits(network.to_bits() | rest).into())
            }
        };
        assert!(closed().check_address(first).is_err(), "{first}");
        assert!(closed().check_address(last).is_err(), "{last}");
    }
}

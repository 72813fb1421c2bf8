use std::net::{Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::*;
use crate::ranges::FORBIDDEN;

fn closed() -> Wall {
    Wall::new(false, Vec::new())
}

fn development() -> Wall {
    Wall::new(true, Vec::new())
}

/// Every spelling of a host that a parser of addresses, a name server or a kernel might take for a forbidden one.
const FORBIDDEN_HOSTS: &[&str] = &[
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
    // Not addresses at all, although some parsers take them for one.
    "[fe80::1%25eth0]",
    "[fe80::1%eth0]",
    "[::1%25lo]",
    "127.0.0.1.1",
    "256.0.0.1",
    "0x7g.1",
    "4294967296",
    "08.1",
    ".",
    "..",
];

#[test]
fn every_spelling_of_a_forbidden_host_is_refused() {
    assert!(FORBIDDEN_HOSTS.len() >= 60);
    for host in FORBIDDEN_HOSTS {
        for url in [format!("https://{host}/"), format!("https://{host}:8443/a?b#c"), format!("HTTPS:\\\\{host}")] {
            assert!(closed().check_url(&url).is_err(), "{url} passed");
        }
    }
}

#[test]
fn public_hosts_pass() {
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
fn the_form_of_the_url_is_checked() {
    for (url, sentence) in [
        ("", "This is not a valid URL: relative URL without a base."),
        ("/hook", "This is not a valid URL: relative URL without a base."),
        ("https://", "This is not a valid URL: empty host."),
        ("https://a b/", "This is not a valid URL: invalid international domain name."),
        ("https://example.com:70000/", "This is not a valid URL: invalid port number."),
        ("https://example.com:0/", "Port 0 cannot be called."),
        ("http://example.com/", "The URL must start with https://."),
        ("ftp://example.com/", "The URL must start with https://."),
        ("file:///etc/passwd", "The URL must start with https://."),
        ("data:text/plain,x", "The URL must start with https://."),
        ("unix:/run/socket", "The URL must start with https://."),
        ("https://user@example.com/", "The URL must not contain a user name or password."),
        ("https://:secret@example.com/", "The URL must not contain a user name or password."),
        ("https://example.com@127.0.0.1/", "The URL must not contain a user name or password."),
        ("https://127.0.0.1/", "127.0.0.1 is a loopback address (RFC 1122), which is never called."),
        ("https://10.1/", "10.0.0.1 is a private address (RFC 1918), which is never called."),
        ("https://a.localhost./", "a.localhost is this machine itself (RFC 6761), which is never called."),
    ] {
        assert_eq!(closed().check_url(url).map_err(|refused| refused.to_string()), Err(sentence.to_owned()), "{url}");
    }
    let long = format!("https://example.com/{}", "a".repeat(Wall::MAX_URL_LENGTH - 20));
    assert_eq!(long.len(), Wall::MAX_URL_LENGTH);
    assert!(closed().check_url(&long).is_ok());
    assert!(closed().check_url(&(long + "a")).is_err());
}

#[test]
fn the_fragment_is_dropped_and_the_rest_is_kept() {
    let url = closed().check_url("https://example.com:8443/a/../b?c=d#e").unwrap();
    assert_eq!(url.as_str(), "https://example.com:8443/b?c=d");
}

#[test]
fn development_lets_plain_http_and_loopback_through_and_nothing_else() {
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
fn the_service_does_not_call_itself() {
    let own: IpAddr = "8.8.8.8".parse().unwrap();
    for wall in [Wall::new(false, vec![own]), Wall::new(true, vec![own])] {
        assert!(wall.check_url("https://8.8.8.8/").is_err());
        assert!(wall.check_address(own).is_err());
        assert!(wall.check_url("https://8.8.4.4/").is_ok());
    }
}

#[test]
fn each_range_is_forbidden_from_its_first_to_its_last_address() {
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

/// What an operator may open at most, but for what never opens.
const OPENABLE: [&str; 5] = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"];

fn open(networks: &[&str]) -> Wall {
    closed().opening(networks.iter().map(|network| network.parse().unwrap()).collect())
}

/// An address that no machine in a test has: the last ones of each block.
const BACKENDS: [&str; 5] = ["10.255.255.77", "172.31.255.77", "192.168.255.77", "100.127.255.77", "fdff:ffff::77"];

#[test]
fn an_open_network_lets_its_own_addresses_through_and_no_others() {
    for (network, backend) in OPENABLE.iter().zip(BACKENDS) {
        let (wall, backend): (Wall, IpAddr) = (open(&[network]), backend.parse().unwrap());
        assert_eq!(wall.check_address(backend), Ok(()), "{backend}");
        let host = if backend.is_ipv6() { format!("[{backend}]") } else { backend.to_string() };
        assert!(wall.check_url(&format!("https://{host}:8443/hook")).is_ok());
        assert!(wall.check_url(&format!("http://{host}/")).is_err(), "its scheme is another matter");
        for (other, closed) in OPENABLE.iter().zip(BACKENDS).filter(|(other, _)| *other != network) {
            assert!(wall.check_address(closed.parse().unwrap()).is_err(), "{closed} of {other} through {network}");
        }
    }
    let narrow = open(&["10.20.0.0/16", "10.21.7.9/32", "fd12:3456:789a::/48"]);
    for (address, passes) in [
        ("10.20.0.0", true),
        ("10.20.255.255", true),
        ("10.19.255.255", false),
        ("10.21.0.0", false),
        ("10.21.7.8", false),
        ("10.21.7.9", true),
        ("10.21.7.10", false),
        ("fd12:3456:789a:ffff::1", true),
        ("fd12:3456:789b::1", false),
        ("::ffff:10.20.0.1", false),
    ] {
        assert_eq!(narrow.check_address(address.parse().unwrap()).is_ok(), passes, "{address}");
    }
}

#[test]
fn metadata_link_local_and_loopback_stay_closed_whatever_is_open() {
    let wall = open(&OPENABLE);
    for address in [
        "169.254.169.254",
        "169.254.170.2",
        "169.254.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "127.0.0.1",
        "127.8.9.10",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.1",
        "198.18.0.1",
        "::1",
        "::",
        "fe80::1",
        "fe80::a9fe:a9fe",
        "fd00:ec2::254",
        "fd00:ec2::253",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:c1::a9fe:a9fe",
        "fd00:42::42",
        "ff02::1",
        "fec0::1",
    ] {
        let address: IpAddr = address.parse().unwrap();
        let refused = wall.check_address(address).unwrap_err().to_string();
        assert!(refused.ends_with("which is never called."), "{refused}");
    }
    for host in FORBIDDEN_HOSTS {
        let Ok(url) = Url::parse(&format!("https://{host}/")) else { continue };
        let may_open = match url.host().unwrap() {
            Host::Ipv4(it) => OPENABLE.iter().any(|network| network.parse::<Network>().unwrap().contains(it.into())),
            Host::Ipv6(it) => OPENABLE.iter().any(|network| network.parse::<Network>().unwrap().contains(it.into())),
            Host::Domain(_) => false,
        };
        assert!(may_open || wall.check_url(url.as_str()).is_err(), "{url} passed");
    }
}

#[test]
fn the_service_does_not_call_itself_in_an_open_network() {
    let own: IpAddr = "10.255.255.77".parse().unwrap();
    let wall = Wall::new(false, vec![own]).opening(vec!["10.0.0.0/8".parse().unwrap()]);
    let refused = wall.check_address(own).unwrap_err().to_string();
    assert_eq!(refused, "10.255.255.77 belongs to this service, which does not call itself.");
    assert!(wall.check_address("10.255.255.78".parse().unwrap()).is_ok());
    // What it goes by where it serves at every address of the machine.
    assert!(is_of_this_machine("127.0.0.1".parse().unwrap()));
    assert!(!is_of_this_machine("192.0.2.1".parse().unwrap()));
}

#[test]
fn a_network_that_may_not_be_opened_is_refused_with_what_may() {
    for network in OPENABLE.iter().chain(&["10.1.2.3/32", "172.16.4.0/22", "fd12:3456:789a:1::/64", "fd00::/8"]) {
        assert_eq!(network.parse::<Network>().map(|it| it.to_string()).as_deref(), Ok(*network));
    }
    for (network, why) in [
        ("", "expected an address"),
        ("10.0.0.0", "expected an address"),
        ("10.0.0.0/", "expected an address"),
        ("10.0.0.0/+8", "expected an address"),
        ("10.0.0.0/33", "expected an address"),
        ("10.0.0/8", "expected an address"),
        ("backend.internal/8", "expected an address"),
        ("10.0.0.1/8", "bits behind the prefix"),
        ("fc00::1/7", "bits behind the prefix"),
        ("0.0.0.0/0", "only networks inside"),
        ("::/0", "only networks inside"),
        ("10.0.0.0/7", "only networks inside"),
        ("172.0.0.0/8", "only networks inside"),
        ("127.0.0.0/8", "only networks inside"),
        ("169.254.0.0/16", "only networks inside"),
        ("169.254.169.254/32", "only networks inside"),
        ("fe80::/10", "only networks inside"),
        ("8.8.8.0/24", "only networks inside"),
        ("::ffff:10.0.0.0/104", "only networks inside"),
    ] {
        let refused = network.parse::<Network>().unwrap_err().to_string();
        assert!(refused.contains(why), "{network}: {refused}");
    }
}

#[test]
fn plain_http_passes_for_the_hosts_that_are_named_and_opens_no_address() {
    let hosts = ["Backend.Internal.", "10.255.255.77", "[fdff:ffff::77]"];
    let hosts: Vec<String> = hosts.iter().map(|host| Wall::plain_http_host(host).unwrap()).collect();
    assert_eq!(hosts, ["backend.internal", "10.255.255.77", "[fdff:ffff::77]"]);
    let wall = open(&["10.0.0.0/8"]).with_plain_http(hosts.clone());
    for (url, passes) in [
        ("http://backend.internal/hook", true),
        ("http://BACKEND.internal.:8080/hook", true),
        ("https://backend.internal/", true),
        ("http://other.internal/", false),
        ("http://x.backend.internal/", false),
        ("http://backend.internal.example.com/", false),
        ("http://10.255.255.77/", true),
        ("http://0x0affff4d/", true),
        ("http://10.255.255.78/", false),
        ("http://[fdff:ffff::77]/", false),
        ("ftp://backend.internal/", false),
        ("http://user@backend.internal/", false),
    ] {
        assert_eq!(wall.check_url(url).is_ok(), passes, "{url}");
    }
    assert!(closed().with_plain_http(hosts).check_url("http://10.255.255.77/").is_err(), "no network is open");
    for wrong in ["", ".", "backend:8080", "http://backend", "a b", "[::1", "backend/path"] {
        assert!(Wall::plain_http_host(wrong).is_err(), "{wrong}");
    }
}

/// An address of the forbidden IPv4 ranges, each range as likely as the others.
fn forbidden_v4() -> impl Strategy<Value = Ipv4Addr> {
    let blocks: Vec<(u32, u32)> = FORBIDDEN
        .iter()
        .filter_map(|range| match range.block() {
            (IpAddr::V4(network), prefix) => Some((network.to_bits(), prefix)),
            (IpAddr::V6(_), _) => None,
        })
        .collect();
    (prop::sample::select(blocks), any::<u32>()).prop_map(|((network, prefix), random)| {
        Ipv4Addr::from_bits(network | (random & u32::MAX.checked_shr(prefix).unwrap_or(0)))
    })
}

/// Every way in which an IPv6 address can carry an IPv4 one.
fn carriers(address: Ipv4Addr, random: u64) -> [Ipv6Addr; 8] {
    let (low, random) = (u128::from(address.to_bits()), u128::from(random));
    let nat64 = |start: u128| Ipv6Addr::from_bits(start << 64 | low);
    [
        address.to_ipv6_mapped(),
        Ipv6Addr::from_bits(low),
        Ipv6Addr::from_bits(0xffff_0000 << 32 | low),
        nat64(0x0064_ff9b_0000_0000),
        nat64(0x0064_ff9b_0001_0000),
        // RFC 6052, section 2.2: behind a 48-bit prefix the octet of bits 64 to 71 is left out.
        Ipv6Addr::from_bits(0x0064_ff9b_0001 << 80 | (low >> 16) << 64 | (low & 0xffff) << 40),
        Ipv6Addr::from_bits(0x2002 << 112 | low << 80 | random),
        // RFC 4380, section 4: the client's address is stored with its bits turned over.
        Ipv6Addr::from_bits(0x2001_0000 << 96 | (random & 0xffff_ffff) << 64 | u128::from(!address.to_bits())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_forbidden_address_is_refused_in_every_dress(address in forbidden_v4(), random in any::<u64>()) {
        prop_assert!(closed().check_address(address.into()).is_err());
        for carrier in carriers(address, random) {
            prop_assert!(closed().check_address(carrier.into()).is_err(), "{carrier}");
            if !carrier.is_loopback() {
                prop_assert!(development().check_address(carrier.into()).is_err(), "{carrier}");
            }
            let url = format!("https://[{carrier}]/");
            prop_assert!(closed().check_url(&url).is_err(), "{url}");
        }
    }

    #[test]
    fn numbers_and_octets_are_the_same_address(address in forbidden_v4()) {
        let bits = address.to_bits();
        let [a, b, c, d] = address.octets();
        for host in [format!("{bits}"), format!("0x{bits:x}"), format!("0{bits:o}"), format!("{a}.{}", bits & 0xff_ffff),
            format!("{a:#x}.0{b:o}.{c}.{d:#x}"), format!("{a}.{b}.{}", bits & 0xffff)] {
            let url = format!("https://{host}/");
            prop_assert!(closed().check_url(&url).is_err(), "{url}");
        }
    }

    #[test]
    fn all_that_may_be_opened_opens_nothing_else(address in forbidden_v4(), random in any::<u64>()) {
        let networks: Vec<Network> = OPENABLE.iter().map(|network| network.parse().unwrap()).collect();
        let wall = closed().opening(networks.clone());
        let within = networks.iter().any(|network| network.contains(address.into()));
        prop_assert!(within || wall.check_address(address.into()).is_err(), "{address}");
        // An address that carries another one is judged as what it is, never as what it carries.
        for carrier in carriers(address, random) {
            prop_assert!(wall.check_address(carrier.into()).is_err(), "{carrier}");
        }
    }

    #[test]
    fn whatever_the_text_the_check_returns(text in "\\PC{0,60}") {
        let _ = closed().check_url(&text);
        let _ = closed().check_url(&format!("https://{text}"));
    }
}

//! Networks that an operator can allow, and addresses that stay forbidden regardless.

use super::tests::{FORBIDDEN_HOSTS, closed};
use super::*;

/// The largest networks that an operator can allow, except for addresses that are always forbidden.
pub(super) const OPENABLE: [&str; 5] = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"];

fn open(networks: &[&str]) -> AddressFilter {
    closed().opening(networks.iter().map(|network| network.parse().unwrap()).collect())
}

/// Addresses that no test machine has: the last ones of each block.
const BACKENDS: [&str; 5] = ["10.255.255.77", "172.31.255.77", "192.168.255.77", "100.127.255.77", "fdff:ffff::77"];

#[test]
fn an_allowed_network_allows_only_its_own_addresses() {
    for (network, backend) in OPENABLE.iter().zip(BACKENDS) {
        let (filter, backend): (AddressFilter, IpAddr) = (open(&[network]), backend.parse().unwrap());
        assert_eq!(filter.check_address(backend), Ok(()), "{backend}");
        let host = if backend.is_ipv6() { format!("[{backend}]") } else { backend.to_string() };
        assert!(filter.check_url(&format!("https://{host}:8443/hook")).is_ok());
        assert!(filter.check_url(&format!("http://{host}/")).is_err(), "an allowed network does not allow plain HTTP");
        for (other, closed) in OPENABLE.iter().zip(BACKENDS).filter(|(other, _)| *other != network) {
            assert!(filter.check_address(closed.parse().unwrap()).is_err(), "{closed} of {other} through {network}");
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
fn a_filter_for_addresses_of_the_operator_allows_all_of_them() {
    let filter = closed().allowing_any_address(true);
    for host in ["127.0.0.1", "10.255.255.77", "169.254.169.254", "[::1]", "localhost", "minio.internal", "8.8.8.8"] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:9000/files");
            assert_eq!(filter.check_url(&url).map(|it| it.to_string()), Ok(url));
        }
    }
    for wrong in ["ftp://10.0.0.1/", "http://ada:hunter2@10.0.0.1/", "http://10.0.0.1:0/"] {
        assert!(filter.check_url(wrong).is_err(), "{wrong}");
    }
    assert_eq!(closed().allowing_any_address(false), closed());
}

#[test]
fn never_allows_metadata_link_local_or_loopback_addresses() {
    let filter = open(&OPENABLE);
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
        let refused = filter.check_address(address).unwrap_err().to_string();
        // Allowing networks does not allow this machine.
        let why = if address.is_loopback() { "`egress.allow_loopback`, for development." } else { "is never called." };
        assert!(refused.ends_with(why), "{refused}");
    }
    for host in FORBIDDEN_HOSTS {
        let Ok(url) = Url::parse(&format!("https://{host}/")) else { continue };
        let may_open = match url.host().unwrap() {
            Host::Ipv4(it) => OPENABLE.iter().any(|network| network.parse::<Network>().unwrap().contains(it.into())),
            Host::Ipv6(it) => OPENABLE.iter().any(|network| network.parse::<Network>().unwrap().contains(it.into())),
            Host::Domain(_) => false,
        };
        assert!(may_open || filter.check_url(url.as_str()).is_err(), "{url} passed");
    }
}

#[test]
fn rejects_its_own_address_in_an_allowed_network() {
    let own: IpAddr = "10.255.255.77".parse().unwrap();
    let filter = AddressFilter::new(false, vec![own]).opening(vec!["10.0.0.0/8".parse().unwrap()]);
    let refused = filter.check_address(own).unwrap_err().to_string();
    assert_eq!(refused, "10.255.255.77 belongs to this service, which does not call itself.");
    assert!(filter.check_address("10.255.255.78".parse().unwrap()).is_ok());
    // The check used if the service listens on every address of the machine.
    assert!(is_of_this_machine("127.0.0.1".parse().unwrap()));
    assert!(!is_of_this_machine("192.0.2.1".parse().unwrap()));
}

#[test]
fn rejects_networks_that_cannot_be_allowed() {
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
        ("10.0.0.1/8", "bits after the prefix"),
        ("fc00::1/7", "bits after the prefix"),
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
fn allows_plain_http_only_for_listed_hosts() {
    let hosts = ["Backend.Internal.", "10.255.255.77", "[fdff:ffff::77]"];
    let hosts: Vec<String> = hosts.iter().map(|host| AddressFilter::plain_http_host(host).unwrap()).collect();
    assert_eq!(hosts, ["backend.internal", "10.255.255.77", "[fdff:ffff::77]"]);
    let filter = open(&["10.0.0.0/8"]).with_plain_http(hosts.clone());
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
        assert_eq!(filter.check_url(url).is_ok(), passes, "{url}");
    }
    assert!(
        closed().with_plain_http(hosts).check_url("http://10.255.255.77/").is_err(),
        "a listed host does not allow its address"
    );
    for wrong in ["", ".", "backend:8080", "http://backend", "a b", "[::1", "backend/path"] {
        assert!(AddressFilter::plain_http_host(wrong).is_err(), "{wrong}");
    }
}

//! Random addresses, in every form that can contain them.

use std::net::{Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::open_tests::OPENABLE;
use super::tests::{closed, development};
use super::*;
use crate::ranges::FORBIDDEN;

/// Generates an address of the forbidden IPv4 ranges, with equal weight for each range.
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

/// Returns every form of an IPv6 address that contains an IPv4 one.
fn carriers(address: Ipv4Addr, random: u64) -> [Ipv6Addr; 8] {
    let (low, random) = (u128::from(address.to_bits()), u128::from(random));
    let nat64 = |start: u128| Ipv6Addr::from_bits(start << 64 | low);
    [
        address.to_ipv6_mapped(),
        Ipv6Addr::from_bits(low),
        Ipv6Addr::from_bits(0xffff_0000 << 32 | low),
        nat64(0x0064_ff9b_0000_0000),
        nat64(0x0064_ff9b_0001_0000),
        // RFC 6052, section 2.2: after a 48-bit prefix, bits 64 to 71 are skipped.
        Ipv6Addr::from_bits(0x0064_ff9b_0001 << 80 | (low >> 16) << 64 | (low & 0xffff) << 40),
        Ipv6Addr::from_bits(0x2002 << 112 | low << 80 | random),
        // RFC 4380, section 4: the client's address is stored with its bits inverted.
        Ipv6Addr::from_bits(0x2001_0000 << 96 | (random & 0xffff_ffff) << 64 | u128::from(!address.to_bits())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rejects_a_forbidden_address_inside_any_ipv6_address(address in forbidden_v4(), random in any::<u64>()) {
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
    fn rejects_a_forbidden_address_in_every_number_format(address in forbidden_v4()) {
        let bits = address.to_bits();
        let [a, b, c, d] = address.octets();
        for host in [format!("{bits}"), format!("0x{bits:x}"), format!("0{bits:o}"), format!("{a}.{}", bits & 0xff_ffff),
            format!("{a:#x}.0{b:o}.{c}.{d:#x}"), format!("{a}.{b}.{}", bits & 0xffff)] {
            let url = format!("https://{host}/");
            prop_assert!(closed().check_url(&url).is_err(), "{url}");
        }
    }

    #[test]
    fn allowed_networks_allow_no_other_address(address in forbidden_v4(), random in any::<u64>()) {
        let networks: Vec<Network> = OPENABLE.iter().map(|network| network.parse().unwrap()).collect();
        let filter = closed().opening(networks.clone());
        let within = networks.iter().any(|network| network.contains(address.into()));
        prop_assert!(within || filter.check_address(address.into()).is_err(), "{address}");
        // An IPv6 address that contains an IPv4 one is checked as IPv6, never as the contained address.
        for carrier in carriers(address, random) {
            prop_assert!(filter.check_address(carrier.into()).is_err(), "{carrier}");
        }
    }

    #[test]
    fn checking_any_text_does_not_panic(text in "\\PC{0,60}") {
        let _ = closed().check_url(&text);
        let _ = closed().check_url(&format!("https://{text}"));
    }
}

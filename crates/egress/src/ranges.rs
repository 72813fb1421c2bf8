//! The table of addresses that are never called, based on the IANA special-purpose registries (RFC 6890).
//!
//! All forms of IPv6 addresses that contain an IPv4 address (mapped, compatible, translated, NAT64, 6to4, Teredo) are
//! forbidden as a whole. Otherwise the contained address would have to be checked as well, and a public host has an A
//! record instead.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The class of the only ranges that development settings allow.
pub(crate) const LOOPBACK: &str = "a loopback address";

const PRIVATE: &str = "a private address";
const CARRIER: &str = "a carrier-grade NAT address";
const UNIQUE_LOCAL: &str = "a unique-local address";
const METADATA: &str = "a cloud platform's metadata service";

/// A block of forbidden addresses, with the reason.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    network: IpAddr,
    prefix: u32,
    /// A description of its addresses with an article, such as "a private address".
    pub(crate) class: &'static str,
    /// The document that reserves the block.
    pub(crate) source: &'static str,
}

impl Range {
    const fn v4(octets: [u8; 4], prefix: u32, class: &'static str, source: &'static str) -> Self {
        let [a, b, c, d] = octets;
        Self { network: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix, class, source }
    }

    /// Builds a range from the first four groups; the few blocks that need more use `deep`.
    const fn v6(start: [u16; 4], prefix: u32, class: &'static str, source: &'static str) -> Self {
        let [a, b, c, d] = start;
        Self::deep([a, b, c, d, 0, 0, 0, 0], prefix, class, source)
    }

    const fn deep(groups: [u16; 8], prefix: u32, class: &'static str, source: &'static str) -> Self {
        let [a, b, c, d, e, f, g, h] = groups;
        Self { network: IpAddr::V6(Ipv6Addr::new(a, b, c, d, e, f, g, h)), prefix, class, source }
    }

    fn contains(&self, address: IpAddr) -> bool {
        holds(self.network, self.prefix, address)
    }

    /// Whether an operator may allow it, or networks in it, for their own backends.
    pub(crate) fn may_be_opened(&self) -> bool {
        [PRIVATE, CARRIER, UNIQUE_LOCAL].contains(&self.class)
    }

    /// Whether it contains the whole network.
    pub(crate) fn contains_network(&self, network: IpAddr, prefix: u32) -> bool {
        prefix >= self.prefix && self.contains(network)
    }

    /// The first address and the prefix length.
    #[cfg(test)]
    pub(crate) fn block(&self) -> (IpAddr, u32) {
        (self.network, self.prefix)
    }
}

/// Whether the first `prefix` bits of both addresses are equal.
pub(crate) fn holds(network: IpAddr, prefix: u32, address: IpAddr) -> bool {
    let shared = match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => (network.to_bits() ^ address.to_bits()).leading_zeros(),
        (IpAddr::V6(network), IpAddr::V6(address)) => (network.to_bits() ^ address.to_bits()).leading_zeros(),
        _ => return false,
    };
    shared >= prefix
}

/// Returns the first block of the table that contains `address`; `None` if it may be called.
pub(crate) fn forbidding(address: IpAddr) -> Option<&'static Range> {
    FORBIDDEN.iter().find(|range| range.contains(address))
}

/// Narrow blocks come before the wide ones that contain them, so the most specific reason is returned.
pub(crate) static FORBIDDEN: &[Range] = &[
    Range::v4([0, 0, 0, 0], 8, "an address of \"this network\"", "RFC 791"),
    Range::v4([10, 0, 0, 0], 8, PRIVATE, "RFC 1918"),
    Range::v4([100, 100, 100, 200], 32, METADATA, "Alibaba Cloud ECS guide"),
    Range::v4([100, 64, 0, 0], 10, CARRIER, "RFC 6598"),
    Range::v4([127, 0, 0, 0], 8, LOOPBACK, "RFC 1122"),
    Range::v4([168, 63, 129, 16], 32, "a cloud platform's host agent", "Azure virtual network FAQ"),
    Range::v4([169, 254, 0, 0], 16, "a link-local address", "RFC 3927"),
    Range::v4([172, 16, 0, 0], 12, PRIVATE, "RFC 1918"),
    Range::v4([192, 0, 0, 0], 24, "a protocol assignment", "RFC 6890"),
    Range::v4([192, 0, 2, 0], 24, "a documentation address", "RFC 5737"),
    Range::v4([192, 31, 196, 0], 24, "an AS112 sink", "RFC 7535"),
    Range::v4([192, 52, 193, 0], 24, "a multicast tunnel", "RFC 7450"),
    Range::v4([192, 88, 99, 0], 24, "a 6to4 relay", "RFC 7526"),
    Range::v4([192, 168, 0, 0], 16, PRIVATE, "RFC 1918"),
    Range::v4([192, 175, 48, 0], 24, "an AS112 sink", "RFC 7534"),
    Range::v4([198, 18, 0, 0], 15, "a benchmark address", "RFC 2544"),
    Range::v4([198, 51, 100, 0], 24, "a documentation address", "RFC 5737"),
    Range::v4([203, 0, 113, 0], 24, "a documentation address", "RFC 5737"),
    Range::v4([224, 0, 0, 0], 4, "a multicast address", "RFC 5771"),
    Range::v4([255, 255, 255, 255], 32, "the broadcast address", "RFC 919"),
    Range::v4([240, 0, 0, 0], 4, "a reserved address", "RFC 1112"),
    Range::deep([0; 8], 128, "the unspecified address", "RFC 4291"),
    Range::deep([0, 0, 0, 0, 0, 0, 0, 1], 128, LOOPBACK, "RFC 4291"),
    Range::deep([0, 0, 0, 0, 0, 0, 0, 0], 96, "an IPv4-compatible address", "RFC 4291"),
    Range::deep([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, "an IPv4-mapped address", "RFC 4291"),
    Range::deep([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, "an IPv4-translated address", "RFC 2765"),
    Range::v6([0x64, 0xff9b, 0, 0], 96, "a NAT64 address", "RFC 6052"),
    Range::v6([0x64, 0xff9b, 1, 0], 48, "a local NAT64 address", "RFC 8215"),
    Range::v6([0x100, 0, 0, 0], 64, "a discard address", "RFC 6666"),
    Range::v6([0x100, 0, 0, 1], 64, "a dummy address", "RFC 9780"),
    Range::v6([0x2001, 0, 0, 0], 32, "a Teredo address", "RFC 4380"),
    Range::v6([0x2001, 2, 0, 0], 48, "a benchmark address", "RFC 5180"),
    Range::v6([0x2001, 0x10, 0, 0], 28, "an ORCHID identifier", "RFC 4843"),
    Range::v6([0x2001, 0x20, 0, 0], 28, "an ORCHIDv2 identifier", "RFC 7343"),
    Range::v6([0x2001, 0, 0, 0], 23, "a protocol assignment", "RFC 2928"),
    Range::v6([0x2001, 0xdb8, 0, 0], 32, "a documentation address", "RFC 3849"),
    Range::v6([0x2002, 0, 0, 0], 16, "a 6to4 address", "RFC 3056"),
    Range::v6([0x2620, 0x4f, 0x8000, 0], 48, "an AS112 sink", "RFC 7534"),
    Range::v6([0x3ffe, 0, 0, 0], 16, "a 6bone address", "RFC 3701"),
    Range::v6([0x3fff, 0, 0, 0], 20, "a documentation address", "RFC 9637"),
    Range::v6([0x5f00, 0, 0, 0], 16, "a segment identifier", "RFC 9602"),
    Range::v6([0xfd00, 0xec2, 0, 0], 32, METADATA, "Amazon EC2 user guide"),
    Range::v6([0xfd20, 0xce, 0, 0], 32, METADATA, "Google Compute Engine guide"),
    Range::v6([0xfd00, 0xc1, 0, 0], 32, METADATA, "Oracle Cloud Compute guide"),
    Range::v6([0xfd00, 0x42, 0, 0], 32, METADATA, "Scaleway Instances guide"),
    Range::v6([0xfc00, 0, 0, 0], 7, UNIQUE_LOCAL, "RFC 4193"),
    Range::v6([0xfe80, 0, 0, 0], 10, "a link-local address", "RFC 4291"),
    Range::v6([0xfec0, 0, 0, 0], 10, "a site-local address", "RFC 3879"),
    Range::v6([0xff00, 0, 0, 0], 8, "a multicast address", "RFC 4291"),
    // The rest outside 2000::/3 is not assigned as global unicast.
    Range::v6([0, 0, 0, 0], 3, "a reserved address", "RFC 4291"),
    Range::v6([0x4000, 0, 0, 0], 2, "a reserved address", "RFC 4291"),
    Range::v6([0x8000, 0, 0, 0], 1, "a reserved address", "RFC 4291"),
];

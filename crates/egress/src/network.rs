//! Private networks that an operator allows.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use crate::ranges::{self, FORBIDDEN};

/// A private network that the operator allows calls to: a CIDR block (RFC 4632) inside one of the blocks that can be
/// allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    start: IpAddr,
    prefix: u32,
}

/// The network cannot be allowed. The text lists the networks that can.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}: {why}")]
pub struct NetworkError {
    text: String,
    why: &'static str,
}

impl Network {
    /// Whether the network contains the address.
    pub fn contains(&self, address: IpAddr) -> bool {
        ranges::holds(self.start, self.prefix, address)
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let wrong = |why| NetworkError { text: text.to_owned(), why };
        let form = || wrong("expected an address and the bits of its prefix, such as 10.20.0.0/16");
        let (start, prefix) = text.split_once('/').ok_or_else(form)?;
        let start: IpAddr = start.parse().map_err(|_| form())?;
        let digits = prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix: u32 = prefix.parse().ok().filter(|_| digits).ok_or_else(form)?;
        let is_aligned = match start {
            IpAddr::V4(start) if prefix <= 32 => start.to_bits() & u32::MAX.checked_shr(prefix).unwrap_or(0) == 0,
            IpAddr::V6(start) if prefix <= 128 => start.to_bits() & u128::MAX.checked_shr(prefix).unwrap_or(0) == 0,
            _ => return Err(form()),
        };
        if !is_aligned {
            return Err(wrong("the address has bits after the prefix; use the first address of the network"));
        }
        if !FORBIDDEN.iter().any(|range| range.may_be_opened() && range.contains_network(start, prefix)) {
            return Err(wrong(
                "only networks inside 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 and fc00::/7 can be \
                 allowed",
            ));
        }
        Ok(Self { start, prefix })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.start, self.prefix)
    }
}

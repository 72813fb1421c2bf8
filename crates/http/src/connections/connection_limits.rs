//! Limits on the number of connections: in total and per address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::connections::client_address::{TrustedProxies, network};

/// The limits on the number of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionBounds {
    /// In total.
    pub all: usize,
    /// Per address, or per IPv6 /64; without effect for trusted proxies.
    pub of_one_address: usize,
}

impl ConnectionBounds {
    /// Reduces the limits to at most `most` in total, and half of that per address.
    pub fn within(self, most: usize) -> Self {
        let all = self.all.clamp(1, most.max(1));
        Self { all, of_one_address: self.of_one_address.clamp(1, all.div_ceil(2)) }
    }
}

/// The limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    All,
    OfOneAddress,
}

impl Full {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::OfOneAddress => "address",
        }
    }
}

/// The slots for connections.
pub(super) struct ConnectionLimits {
    bounds: ConnectionBounds,
    trusted: TrustedProxies,
    taken: Mutex<TakenSlots>,
}

#[derive(Default)]
struct TakenSlots {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// The slot of one connection. Dropping it frees the slot.
pub(super) struct ConnectionPermit {
    limits: Arc<ConnectionLimits>,
    /// The address that is counted; `None` for a trusted proxy.
    address: Option<IpAddr>,
}

impl ConnectionLimits {
    pub(super) fn new(bounds: ConnectionBounds, trusted: TrustedProxies) -> Arc<Self> {
        Arc::new(Self { bounds, trusted, taken: Mutex::default() })
    }

    /// Locks the counts. A panic cannot leave them inconsistent.
    fn lock_counts(&self) -> MutexGuard<'_, TakenSlots> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Assigns a slot to a connection from this address.
    ///
    /// # Errors
    /// The limit that is reached.
    pub(super) fn take(self: &Arc<Self>, peer: IpAddr) -> Result<ConnectionPermit, Full> {
        let address = Some(peer).filter(|peer| !self.trusted.contains(*peer)).map(network);
        let mut taken = self.lock_counts();
        if taken.all >= self.bounds.all {
            return Err(Full::All);
        }
        if let Some(address) = address {
            let of_address = taken.by_address.entry(address).or_default();
            if *of_address >= self.bounds.of_one_address {
                return Err(Full::OfOneAddress);
            }
            *of_address += 1;
        }
        taken.all += 1;
        metrics::gauge!("tidings_http_connections").increment(1);
        Ok(ConnectionPermit { limits: Arc::clone(self), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut taken = self.limits.lock_counts();
        taken.all = taken.all.saturating_sub(1);
        metrics::gauge!("tidings_http_connections").decrement(1);
        let Some(address) = self.address else { return };
        let left = taken.by_address.get(&address).copied().unwrap_or_default().saturating_sub(1);
        if left == 0 {
            taken.by_address.remove(&address);
        } else {
            taken.by_address.insert(address, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn limits(all: usize, of_one_address: usize) -> Arc<ConnectionLimits> {
        ConnectionLimits::new(ConnectionBounds { all, of_one_address }, "10.0.0.0/8".parse().unwrap())
    }

    #[test]
    fn limits_connections_per_address_and_in_total() {
        let limits = limits(3, 2);
        let taken: Vec<_> = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"]
            .map(|it| limits.take(address(it)))
            .into_iter()
            .collect();
        let full: Vec<_> = taken.iter().map(|it| it.as_ref().err().copied()).collect();
        assert_eq!(full, [None, None, Some(Full::OfOneAddress), None, Some(Full::All)]);
        drop(taken);
        assert_eq!(limits.lock_counts().all, 0);
        assert!(limits.lock_counts().by_address.is_empty(), "no entry is left for a closed connection");
        assert!(limits.take(address("192.0.2.1")).is_ok());
    }

    #[test]
    fn counts_ipv6_by_network_and_exempts_trusted_proxies() {
        let limits = limits(4, 1);
        let _first = limits.take(address("2001:db8::1")).ok().unwrap();
        assert!(limits.take(address("2001:db8::2:3")).is_err());
        let _other = limits.take(address("2001:db8:0:1::1")).ok().unwrap();
        let _proxy = limits.take(address("10.0.0.1")).ok().unwrap();
        let _again = limits.take(address("::ffff:10.0.0.1")).ok().unwrap();
        assert_eq!(limits.take(address("10.0.0.1")).err(), Some(Full::All));
    }

    #[test]
    fn limits_an_address_to_half_of_the_descriptors() {
        let asked = ConnectionBounds { all: 10_000, of_one_address: 1_000 };
        assert_eq!(asked.within(50_000), asked);
        assert_eq!(asked.within(600), ConnectionBounds { all: 600, of_one_address: 300 });
        assert_eq!(asked.within(0), ConnectionBounds { all: 1, of_one_address: 1 });
    }
}

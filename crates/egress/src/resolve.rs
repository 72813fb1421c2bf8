//! Name look-ups.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use tokio::sync::Semaphore;

use crate::lookup_shares::LookupPermit;

/// Resolves a name to addresses. Implementations need not check them: the address filter checks every result.
pub trait Resolve: Send + Sync {
    /// Returns all addresses of `name`, best first. `permit` is the place of the look-up in the share of its workspace;
    /// an implementation drops it when the look-up occupies nothing any more.
    ///
    /// # Errors
    /// The name does not exist or no name server answered.
    fn resolve(&self, name: String, permit: Option<LookupPermit>) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the operating system (`getaddrinfo`).
///
/// A look-up occupies a thread until the system gives up, possibly long after the caller did. Only
/// [`SystemResolver::LOOKUPS`] run at a time, so unresponsive name servers cannot use up the threads of the process,
/// and only [`SystemResolver::LOOKUPS_OF_DOMAIN`] of one domain, so its name servers do not delay the look-ups of
/// others. Further look-ups wait.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    slots: Arc<Semaphore>,
    domains: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

impl SystemResolver {
    /// The number of look-ups that run at the same time.
    pub const LOOKUPS: usize = 128;

    /// The number of look-ups of names of one domain (the last two labels) that run at the same time.
    pub const LOOKUPS_OF_DOMAIN: usize = 8;

    /// Creates a resolver with all slots free.
    pub fn new() -> Self {
        Self { slots: Arc::new(Semaphore::new(Self::LOOKUPS)), domains: Arc::default() }
    }

    /// Returns the slots of the domain of a name. Domains without look-ups are removed.
    fn of_domain(&self, name: &str) -> Arc<Semaphore> {
        let mut domains = self.domains.lock().unwrap_or_else(PoisonError::into_inner);
        domains.retain(|_, slots| Arc::strong_count(slots) > 1);
        let slots = domains.entry(domain_of(name));
        Arc::clone(slots.or_insert_with(|| Arc::new(Semaphore::new(Self::LOOKUPS_OF_DOMAIN))))
    }
}

/// Returns the last two labels of a name, in lower case.
fn domain_of(name: &str) -> String {
    let labels: Vec<&str> = name.trim_end_matches('.').rsplit('.').take(2).collect();
    labels.join(".").to_ascii_lowercase()
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self::new()
    }
}

impl Resolve for SystemResolver {
    fn resolve(&self, name: String, permit: Option<LookupPermit>) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let (slots, of_domain) = (Arc::clone(&self.slots), self.of_domain(&name));
        Box::pin(async move {
            let of_domain = of_domain.acquire_owned().await.map_err(io::Error::other)?;
            let slot = slots.acquire_owned().await.map_err(io::Error::other)?;
            // A separate task keeps the slots and the permit occupied as long as the thread is, even after a time-out.
            let lookup = tokio::spawn(async move {
                let found = tokio::net::lookup_host((name.as_str(), 0)).await;
                drop((slot, of_domain, permit));
                found.map(|addresses| addresses.map(|address| address.ip()).collect())
            });
            lookup.await.map_err(io::Error::other)?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_the_lookups_of_a_domain() {
        let resolver = SystemResolver::new();
        let name = |number: usize| format!("h{number}.Slow.example");
        let slots = (0..SystemResolver::LOOKUPS_OF_DOMAIN).map(|number| resolver.of_domain(&name(number)));
        let held: Vec<_> = slots.map(|slots| slots.try_acquire_owned().unwrap()).collect();
        assert!(resolver.of_domain("other.slow.example.").try_acquire_owned().is_err());
        assert!(resolver.of_domain("other.quick.example").try_acquire_owned().is_ok());
        drop(held);
        assert!(resolver.of_domain("other.slow.example").try_acquire_owned().is_ok());
        assert_eq!(resolver.domains.lock().unwrap().len(), 1, "domains without look-ups are removed");
    }
}

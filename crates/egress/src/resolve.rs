//! Name look-ups.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::Semaphore;

use crate::lookup_shares::{LookupPermit, Shares};

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
/// [`SystemResolver::LOOKUPS`] run at a time, so unresponsive name servers cannot use up the threads of the process.
/// The name servers of one domain occupy half of them at most, and
/// [`SystemResolver::LOOKUPS_OF_DOMAIN_AND_WORKSPACE`] for one workspace. So a workspace does not delay the look-ups of
/// others in its domain, even if the domain is a public suffix such as `co.uk`. Further look-ups wait.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    slots: Arc<Semaphore>,
    domains: Shares<String>,
    /// The domains of each workspace. Look-ups for no workspace count together.
    own_domains: Shares<(Option<u128>, String)>,
}

impl SystemResolver {
    /// The number of look-ups that run at the same time.
    pub const LOOKUPS: usize = 128;

    /// The number of look-ups of names of one domain (the last two labels) that run at the same time.
    pub const LOOKUPS_OF_DOMAIN: usize = 64;

    /// The number of those that run for one workspace.
    pub const LOOKUPS_OF_DOMAIN_AND_WORKSPACE: usize = 8;

    /// Creates a resolver with all slots free.
    pub fn new() -> Self {
        Self {
            slots: Arc::new(Semaphore::new(Self::LOOKUPS)),
            domains: Shares::new(Self::LOOKUPS_OF_DOMAIN),
            own_domains: Shares::new(Self::LOOKUPS_OF_DOMAIN_AND_WORKSPACE),
        }
    }

    /// Returns the semaphores that a look-up passes, in this order: of the domain for the workspace, of the
    /// domain, and of the process.
    fn semaphores(&self, name: &str, workspace: Option<u128>) -> [Arc<Semaphore>; 3] {
        let domain = domain_of(name);
        [self.own_domains.places((workspace, domain.clone())), self.domains.places(domain), Arc::clone(&self.slots)]
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
        let semaphores = self.semaphores(&name, permit.as_ref().map(LookupPermit::workspace));
        Box::pin(async move {
            let mut places = Vec::with_capacity(semaphores.len());
            for semaphore in semaphores {
                places.push(semaphore.acquire_owned().await.map_err(io::Error::other)?);
            }
            // A separate task keeps the places and the permit occupied as long as the thread is, even after a time-out.
            let lookup = tokio::spawn(async move {
                let found = tokio::net::lookup_host((name.as_str(), 0)).await;
                drop((places, permit));
                found.map(|addresses| addresses.map(|address| address.ip()).collect())
            });
            lookup.await.map_err(io::Error::other)?
        })
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::OwnedSemaphorePermit;

    use super::*;

    /// Occupies the places of a look-up, if all are free.
    fn begin(resolver: &SystemResolver, name: &str, workspace: Option<u128>) -> Option<Vec<OwnedSemaphorePermit>> {
        let semaphores = resolver.semaphores(name, workspace);
        semaphores.into_iter().map(|semaphore| semaphore.try_acquire_owned().ok()).collect()
    }

    #[test]
    fn limits_the_lookups_of_a_workspace_in_a_domain() {
        let resolver = SystemResolver::new();
        let begin = |name: &str, workspace| begin(&resolver, name, Some(workspace));
        let running: Vec<_> = (0..SystemResolver::LOOKUPS_OF_DOMAIN_AND_WORKSPACE)
            .map(|number| begin(&format!("h{number}.Slow.co.uk"), 1).unwrap())
            .collect();
        assert!(begin("other.slow.CO.uk.", 1).is_none());
        assert!(begin("other.co.uk", 2).is_some(), "another workspace has its own places");
        assert!(begin("other.example", 1).is_some(), "another domain");
        drop(running);
        assert!(begin("other.co.uk", 1).is_some());
        assert_eq!(resolver.own_domains.len(), 1, "domains without look-ups are removed");
    }

    #[test]
    fn limits_the_lookups_of_a_domain_to_half() {
        let resolver = SystemResolver::new();
        let each = SystemResolver::LOOKUPS_OF_DOMAIN_AND_WORKSPACE;
        let running: Vec<_> = (0..SystemResolver::LOOKUPS_OF_DOMAIN)
            .map(|number| begin(&resolver, "slow.example.com", u128::try_from(number / each).ok()).unwrap())
            .collect();
        assert!(begin(&resolver, "example.com", Some(99)).is_none());
        assert!(begin(&resolver, "example.org", Some(99)).is_some());
        assert_eq!(running.len() * 2, SystemResolver::LOOKUPS);
    }
}

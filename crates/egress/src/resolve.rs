//! Name look-ups.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::Semaphore;

/// Resolves a name to addresses. Implementations need not check them: the wall checks every result.
pub trait Resolve: Send + Sync {
    /// Returns all addresses of `name`, best first.
    ///
    /// # Errors
    /// The name does not exist or no name server answered.
    fn resolve(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the operating system (`getaddrinfo`).
///
/// A look-up occupies a thread until the system gives up, possibly long after the caller did. Only
/// [`SystemResolver::LOOKUPS`] run at a time, so unresponsive name servers cannot use up the threads of the process;
/// further look-ups wait.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    slots: Arc<Semaphore>,
}

impl SystemResolver {
    /// The number of look-ups that run at the same time.
    pub const LOOKUPS: usize = 128;

    /// Creates a resolver with all slots free.
    pub fn new() -> Self {
        Self { slots: Arc::new(Semaphore::new(Self::LOOKUPS)) }
    }
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self::new()
    }
}

impl Resolve for SystemResolver {
    fn resolve(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let slots = Arc::clone(&self.slots);
        Box::pin(async move {
            let slot = slots.acquire_owned().await.map_err(io::Error::other)?;
            // A separate task keeps the slot occupied as long as the thread is, even after a time-out.
            let lookup = tokio::spawn(async move {
                let found = tokio::net::lookup_host((name.as_str(), 0)).await;
                drop(slot);
                found.map(|addresses| addresses.map(|address| address.ip()).collect())
            });
            lookup.await.map_err(io::Error::other)?
        })
    }
}

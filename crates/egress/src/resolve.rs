//! Looking names up.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::Semaphore;

/// Turns a name into addresses. Whoever implements it need not check them: the wall does, every time.
pub trait Resolve: Send + Sync {
    /// All addresses of `name`, in the order in which they should be tried.
    ///
    /// # Errors
    /// The name does not exist or no name server answered.
    fn resolve(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the operating system (`getaddrinfo`).
///
/// A look-up occupies a thread until the system gives up, which may be long after the caller did. So that silent name
/// servers cannot use up the threads of the whole process, only [`SystemResolver::LOOKUPS`] run at a time and the
/// others wait.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    slots: Arc<Semaphore>,
}

impl SystemResolver {
    /// Look-ups that run at the same time.
    pub const LOOKUPS: usize = 128;

    /// A resolver with all its slots free.
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
            // A task of its own, so that the slot is taken for as long as the thread is, time-out or not.
            let lookup = tokio::spawn(async move {
                let found = tokio::net::lookup_host((name.as_str(), 0)).await;
                drop(slot);
                found.map(|addresses| addresses.map(|address| address.ip()).collect())
            });
            lookup.await.map_err(io::Error::other)?
        })
    }
}

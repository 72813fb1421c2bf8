//! The resolver that the HTTP client asks: what it hands out has passed the wall, and just that is connected to.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolving};

use crate::resolve::Resolve;
use crate::wall::{Refused, Wall};

/// Why no address came out of a look-up although the wall has nothing to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LookupFailed {
    #[error("the name could not be looked up")]
    NotFound,
    #[error("the name was not looked up in time")]
    TimedOut,
}

pub(crate) struct CheckedResolver {
    pub(crate) wall: Arc<Wall>,
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) time_out: Duration,
}

impl reqwest::dns::Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let wall = Arc::clone(&self.wall);
        let lookup = tokio::time::timeout(self.time_out, self.resolver.resolve(name.as_str().to_owned()));
        Box::pin(async move {
            let found = lookup.await.map_err(|_| LookupFailed::TimedOut)?.map_err(|error| {
                tracing::debug!(name = name.as_str(), %error, "name look-up failed");
                LookupFailed::NotFound
            })?;
            if found.is_empty() {
                return Err(LookupFailed::NotFound.into());
            }
            refuse_any_forbidden(&wall, name.as_str(), &found)?;
            // Port 0 is replaced by the URL's port.
            let checked: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(checked)
        })
    }
}

/// One forbidden answer refuses the name: which of its addresses gets connected to is not ours to choose.
fn refuse_any_forbidden(wall: &Wall, name: &str, found: &[IpAddr]) -> Result<(), Refused> {
    for address in found {
        if let Err(reason) = wall.check_address(*address) {
            tracing::info!(name, %reason, "name refused");
            // The address stays in the log: it may tell how the network around this service is built.
            return Err(Refused::because(format!("{name} leads to an address that is never called.")));
        }
    }
    Ok(())
}

//! The resolver of the HTTP client. It returns only addresses that passed the address filter, and the client connects
//! to exactly those.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolving};
use tokio::time::{Instant, timeout_at};

use crate::address_filter::{AddressFilter, AddressRefusal};
use crate::lookup_shares::LookupShares;
use crate::resolve::Resolve;

/// The reason why a look-up found no address, other than a refusal by the address filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LookupFailed {
    #[error("the name could not be looked up")]
    NotFound,
    #[error("the name was not looked up in time")]
    TimedOut,
    #[error("too many names were looked up for the workspace")]
    TooMany,
}

tokio::task_local! {
    /// The look-up result of the current call. A connection that the call opens uses these addresses, so the name is
    /// looked up once.
    pub(crate) static FOUND: ResolvedHost;
}

/// A name with its addresses. All addresses passed the address filter.
pub(crate) struct ResolvedHost {
    pub(crate) name: String,
    pub(crate) addresses: Vec<IpAddr>,
}

/// The reason why there is no address to connect to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAddress {
    #[error(transparent)]
    Failed(#[from] LookupFailed),
    #[error(transparent)]
    Refused(#[from] AddressRefusal),
}

#[derive(Clone)]
pub(crate) struct CheckedResolver {
    pub(crate) address_filter: Arc<AddressFilter>,
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) time_out: Duration,
    pub(crate) shares: LookupShares,
    /// The workspace whose share the look-ups use; `None` if they are for no workspace.
    pub(crate) workspace: Option<u128>,
}

impl std::fmt::Debug for CheckedResolver {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = out.debug_struct("CheckedResolver");
        out.field("address_filter", &self.address_filter).field("workspace", &self.workspace).finish_non_exhaustive()
    }
}

impl CheckedResolver {
    /// Returns all addresses of the name. All of them passed the address filter. `time_out` includes the wait for a
    /// place in the share of the workspace.
    pub(crate) async fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, NoAddress> {
        let deadline = Instant::now() + self.time_out;
        let permit = match self.workspace {
            Some(workspace) => {
                let permit = timeout_at(deadline, self.shares.acquire(workspace)).await;
                Some(permit.map_err(|_| LookupFailed::TooMany)?)
            }
            None => None,
        };
        let lookup = timeout_at(deadline, self.resolver.resolve(name.to_owned(), permit));
        let found = lookup.await.map_err(|_| LookupFailed::TimedOut)?.map_err(|error| {
            tracing::debug!(name, %error, "name look-up failed");
            LookupFailed::NotFound
        })?;
        if found.is_empty() {
            return Err(LookupFailed::NotFound.into());
        }
        refuse_any_forbidden(&self.address_filter, name, &found)?;
        Ok(found)
    }
}

impl reqwest::dns::Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let same = |found: &ResolvedHost| (found.name == name.as_str()).then(|| found.addresses.clone());
        let found = FOUND.try_with(same).ok().flatten();
        let this = self.clone();
        Box::pin(async move {
            let found = match found {
                Some(found) => found,
                // A connection that was started for a call which then continued without it.
                None => this.look_up(name.as_str()).await.map_err(|none| match none {
                    NoAddress::Failed(failed) => Box::<dyn std::error::Error + Send + Sync>::from(failed),
                    NoAddress::Refused(refused) => refused.into(),
                })?,
            };
            // Port 0 is replaced by the URL's port.
            let checked: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(checked)
        })
    }
}

/// Refuses a name if any of its addresses is forbidden, because this code does not choose which one is connected to.
fn refuse_any_forbidden(filter: &AddressFilter, name: &str, found: &[IpAddr]) -> Result<(), AddressRefusal> {
    for address in found {
        if let Err(reason) = filter.check_address(*address) {
            tracing::info!(name, %reason, "name refused");
            // The address appears only in the log: it may reveal the structure of the network around this service.
            return Err(AddressRefusal::with_reason(format!("{name} resolves to an address that is never called.")));
        }
    }
    Ok(())
}

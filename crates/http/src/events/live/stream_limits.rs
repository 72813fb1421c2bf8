//! Limits on the number of open streams.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tidings_domain::ids::WorkspaceId;

/// The maximum number of streams of one key or user in a workspace.
const OF_A_CLIENT: u32 = 5;
const OF_A_WORKSPACE: u32 = 100;
/// The maximum number of streams in total: each workspace has a reader.
const AT_ALL: u32 = 2_000;

/// A key or a user in a workspace.
pub(super) type Client = (WorkspaceId, String);

#[derive(Debug, Default)]
struct Counted {
    clients: HashMap<Client, u32>,
    workspaces: HashMap<WorkspaceId, u32>,
    all: u32,
}

/// The slots for streams in this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamLimits(Arc<Mutex<Counted>>);

/// The limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    Client(u32),
    Workspace(u32),
    Process(u32),
}

/// The slot of one stream. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct StreamPermit {
    of: StreamLimits,
    client: Client,
}

impl StreamLimits {
    /// Assigns a slot to a stream.
    ///
    /// # Errors
    /// [`Full`].
    pub(super) fn take(&self, client: Client) -> Result<StreamPermit, Full> {
        let mut counted = self.lock();
        let of_client = counted.clients.get(&client).copied().unwrap_or(0);
        let of_workspace = counted.workspaces.get(&client.0).copied().unwrap_or(0);
        if of_client >= OF_A_CLIENT {
            return Err(Full::Client(OF_A_CLIENT));
        }
        if of_workspace >= OF_A_WORKSPACE {
            return Err(Full::Workspace(OF_A_WORKSPACE));
        }
        if counted.all >= AT_ALL {
            return Err(Full::Process(AT_ALL));
        }
        counted.clients.insert(client.clone(), of_client + 1);
        counted.workspaces.insert(client.0, of_workspace + 1);
        counted.all += 1;
        drop(counted);
        Ok(StreamPermit { of: self.clone(), client })
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut counted = self.of.lock();
        one_less(&mut counted.clients, &self.client);
        one_less(&mut counted.workspaces, &self.client.0);
        counted.all -= 1;
    }
}

fn one_less<K: Eq + Hash>(counts: &mut HashMap<K, u32>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    fn client(workspace: u128, name: u32) -> Client {
        (WorkspaceId::from_uuid(Uuid::from_u128(workspace)), name.to_string())
    }

    #[test]
    fn limits_streams_of_clients_workspaces_and_the_process() {
        let limits = StreamLimits::default();
        let mut held: Vec<StreamPermit> = (0..OF_A_CLIENT).map(|_| limits.take(client(1, 1)).unwrap()).collect();
        assert_eq!(limits.take(client(1, 1)).unwrap_err(), Full::Client(5));
        held.pop();
        held.push(limits.take(client(1, 1)).unwrap());
        held.extend((OF_A_CLIENT..OF_A_WORKSPACE).map(|it| limits.take(client(1, it)).unwrap()));
        assert_eq!(limits.take(client(1, 999)).unwrap_err(), Full::Workspace(100));
        held.extend((OF_A_WORKSPACE..AT_ALL).map(|it| limits.take(client(it.into(), 1)).unwrap()));
        assert_eq!(limits.take(client(9_999, 1)).unwrap_err(), Full::Process(2_000));
        held.clear();
        let counted = limits.lock();
        assert!(counted.clients.is_empty() && counted.workspaces.is_empty() && counted.all == 0, "no entry is left");
    }
}

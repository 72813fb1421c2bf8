//! A limit of concurrent work for each workspace.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tidings_domain::ids::WorkspaceId;

/// Maximum number of exports of a workspace that are streamed at the same time. Each holds fetched rows until its client
/// has read them.
pub(crate) const MAX_EXPORTS: usize = 10;

/// The workspaces that do the work now, with the number of times.
#[derive(Clone)]
pub(crate) struct WorkspaceLimit {
    most: usize,
    running: Arc<Mutex<HashMap<WorkspaceId, usize>>>,
}

impl WorkspaceLimit {
    /// Creates a limit of `most` at once for each workspace.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, running: Arc::default() }
    }

    /// Starts the work; `None` if it already runs as often as the limit allows for the workspace.
    pub(crate) fn begin(&self, workspace: WorkspaceId) -> Option<Running> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let count = running.get(&workspace).copied().unwrap_or_default();
        (count < self.most).then(|| {
            running.insert(workspace, count + 1);
            Running { limit: self.clone(), workspace }
        })
    }
}

/// Work that runs until this is dropped.
pub(crate) struct Running {
    limit: WorkspaceLimit,
    workspace: WorkspaceId,
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running = self.limit.running.lock().unwrap_or_else(PoisonError::into_inner);
        match running.get_mut(&self.workspace) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) | None => _ = running.remove(&self.workspace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workspace_id;

    #[test]
    fn limits_each_workspace_separately() {
        let limit = WorkspaceLimit::new(2);
        let (first, second) = (limit.begin(workspace_id(1)), limit.begin(workspace_id(1)));
        assert!(first.is_some() && second.is_some() && limit.begin(workspace_id(1)).is_none());
        assert!(limit.begin(workspace_id(2)).is_some(), "other workspaces are not affected");
        drop(first);
        let third = limit.begin(workspace_id(1));
        assert!(third.is_some() && limit.begin(workspace_id(1)).is_none());
        drop((second, third));
        assert!(limit.running.lock().unwrap().is_empty());
    }
}

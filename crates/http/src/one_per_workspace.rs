//! A limit for expensive work: once at a time per workspace.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use tidings_domain::ids::WorkspaceId;

/// The workspaces that do the work now.
#[derive(Clone, Default)]
pub(crate) struct OnePerWorkspace(Arc<Mutex<HashSet<WorkspaceId>>>);

impl OnePerWorkspace {
    /// Starts the work; `None` if it already runs for the workspace.
    pub(crate) fn begin(&self, workspace: WorkspaceId) -> Option<Running> {
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(workspace);
        is_new.then(|| Running { running: self.clone(), workspace })
    }
}

/// Work that runs until this is dropped.
pub(crate) struct Running {
    running: OnePerWorkspace,
    workspace: WorkspaceId,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.running.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.workspace);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workspace_id;

    #[test]
    fn allows_one_at_a_time_per_workspace() {
        let work = OnePerWorkspace::default();
        let first = work.begin(workspace_id(1));
        assert!(first.is_some() && work.begin(workspace_id(1)).is_none());
        assert!(work.begin(workspace_id(2)).is_some(), "other workspaces are not affected");
        drop(first);
        assert!(work.begin(workspace_id(1)).is_some());
    }
}

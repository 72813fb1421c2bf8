//! Limit of exports of whole workspaces.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use tidings_domain::ids::WorkspaceId;

/// The workspaces that are being exported. An export reads all rows of its workspace, so a workspace has one at a time.
#[derive(Clone, Default)]
pub(crate) struct RunningExports(Arc<Mutex<HashSet<WorkspaceId>>>);

impl RunningExports {
    /// Begins an export; `None` if the workspace has one that runs.
    pub(crate) fn begin(&self, workspace: WorkspaceId) -> Option<RunningExport> {
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(workspace);
        is_new.then(|| RunningExport { running: self.clone(), workspace })
    }
}

/// An export that runs until this is dropped.
pub(crate) struct RunningExport {
    running: RunningExports,
    workspace: WorkspaceId,
}

impl Drop for RunningExport {
    fn drop(&mut self) {
        self.running.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.workspace);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workspace_id;

    #[test]
    fn a_workspace_has_one_export_at_a_time() {
        let exports = RunningExports::default();
        let first = exports.begin(workspace_id(1));
        assert!(first.is_some() && exports.begin(workspace_id(1)).is_none());
        assert!(exports.begin(workspace_id(2)).is_some(), "other workspaces are not concerned");
        drop(first);
        assert!(exports.begin(workspace_id(1)).is_some());
    }
}

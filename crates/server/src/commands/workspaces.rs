//! `tidings workspace …`.

use tidings_domain::access::{NewWorkspace, Plan, WorkspaceView};

use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{Listed, print_json, print_line};

/// Creates a workspace with its sandbox channel.
pub(crate) fn create_workspace(name: String, plan: Plan, json: bool) -> Result<(), Failure> {
    block_on(async {
        let access = opened().await?.tidings.access;
        let workspace = WorkspaceView::from(&access.create_workspace(NewWorkspace { name, plan }).await?);
        if json {
            print_json(&workspace);
        } else {
            print_line(&line(&workspace));
            print_line(&format!(
                "Create a key for it: tidings key create --workspace {} --scope full --name NAME",
                workspace.id
            ));
        }
        Ok(())
    })
}

pub(crate) fn list_workspaces(json: bool) -> Result<(), Failure> {
    block_on(async {
        let found = opened().await?.tidings.ports.access.workspaces(None).await.map_err(tidings_domain::Error::from)?;
        let views: Vec<_> = found.iter().map(WorkspaceView::from).collect();
        if json {
            print_json(&Listed::all(views));
        } else {
            views.iter().for_each(|workspace| print_line(&line(workspace)));
        }
        Ok(())
    })
}

fn line(workspace: &WorkspaceView) -> String {
    let WorkspaceView { id, plan, created_at, name, restore_until, .. } = workspace;
    let deleted = restore_until.map(|until| format!("  (deleted, can be restored until {until})")).unwrap_or_default();
    format!("{id}  {:<8}  {created_at}  {name}{deleted}", plan.as_str())
}

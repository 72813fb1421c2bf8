//! `tidings workspace delete` and `restore`.

use std::time::Duration;

use tidings_domain::access::{Access, OutboundMode, Workspace, WorkspaceDeletionView, WorkspaceView};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::platform::DeleteWorkspace;
use tidings_domain::{Error, Tidings};
use tokio::time::{Instant, sleep};

use super::retry_refused::retry_refused;
use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::settings::Settings;

/// Number of rows that one transaction erases. A running server waits during it.
const ROWS: u32 = 500;
/// Time for repeated attempts without progress, while a running server still writes to the workspace or the database is
/// overloaded.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(250);

/// When the data of the workspace is erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Never, without any change.
    DryRun,
    /// After the grace period.
    Later,
    Now,
}

impl When {
    /// Returns the time for the flags of the command; at most one is set.
    pub(crate) fn of(dry_run: bool, now: bool) -> Self {
        match (dry_run, now) {
            (true, _) => Self::DryRun,
            (false, true) => Self::Now,
            (false, false) => Self::Later,
        }
    }
}

/// Deletes a workspace, or shows the effect.
pub(crate) fn delete_workspace(workspace: &str, name: String, when: When, json: bool) -> Result<(), Failure> {
    let grace_days = Settings::load()?.retention.deleted_workspaces;
    block_on(async {
        let tidings = opened().await?.tidings;
        let workspace = tidings.access.workspace(workspace).await?;
        confirm(&workspace, &name)?;
        if when == When::Now {
            erase(&tidings, &workspace).await?;
            if json {
                print_json(&serde_json::json!({ "workspace_id": workspace.id, "erased": true }));
            } else {
                print_line(&format!("Erased {} ({}).", workspace.name, workspace.id));
            }
            return Ok(());
        }
        let command = DeleteWorkspace { name, grace_days, dry_run: when == When::DryRun };
        let access = Access::system(workspace.id);
        let deletion = tidings.platform.delete_workspace(&access, &command, &ExpectedVersion::Any).await?;
        if json {
            print_json(&deletion);
        } else {
            show(&deletion);
        }
        Ok(())
    })
}

fn confirm(workspace: &Workspace, name: &str) -> Result<(), Failure> {
    if workspace.id.is_sandbox() {
        return Err(Failure::with_advice("a sandbox is deleted with its live workspace; delete that"));
    }
    if workspace.name == name {
        return Ok(());
    }
    Err(Failure::with_advice(format!("--name must repeat the name of the workspace: {}", workspace.name)))
}

fn show(deletion: &WorkspaceDeletionView) {
    let WorkspaceDeletionView { workspace, dry_run, restore_until, has_sandbox, counts } = deletion;
    let verb = if *dry_run { "Would delete" } else { "Deleted" };
    let sandbox = if *has_sandbox { " with its sandbox" } else { "" };
    print_line(&format!("{verb} {} ({}){sandbox}:", workspace.name, workspace.id));
    for (what, it) in [
        ("contacts", counts.contacts),
        ("conversations", counts.conversations),
        ("messages", counts.messages),
        ("flows", counts.flows),
        ("sequences", counts.sequences),
        ("broadcasts", counts.broadcasts),
        ("webhooks", counts.webhooks),
        ("API keys", counts.api_keys),
        ("members", counts.members),
    ] {
        print_line(&format!("  {what:<14} {}{}", it.count, if it.is_capped { " or more" } else { "" }));
    }
    if !*dry_run {
        print_line(&format!(
            "It can be restored until {restore_until}: tidings workspace restore {}\nIts data is erased after that.",
            workspace.id
        ));
    }
}

/// Deletes a workspace and erases all its data immediately.
///
/// # Errors
/// Those of the use case and of the store; a running server may write to the workspace for some seconds.
pub(super) async fn erase(tidings: &Tidings, workspace: &Workspace) -> Result<(), Failure> {
    let (access, ports) = (Access::system(workspace.id), &tidings.ports);
    if workspace.deletion.is_none_or(|it| it.is_reversible(ports.clock.now())) {
        let command = DeleteWorkspace { name: workspace.name.clone(), grace_days: 0, dry_run: false };
        tidings.platform.delete_workspace(&access, &command, &ExpectedVersion::Any).await?;
    }
    let mut end = Instant::now() + PATIENCE;
    while retry_refused(async || ports.access.workspace(workspace.id).await.map_err(Error::from)).await?.is_some() {
        match ports.engine.erase_workspace(ports.clock.now(), ROWS).await {
            Ok(0) => return Err(Failure::with_advice("another process restored the workspace")),
            Ok(_) => end = Instant::now() + PATIENCE,
            Err(error) if Instant::now() >= end => return Err(Error::from(error).into()),
            Err(_) => sleep(PAUSE).await,
        }
    }
    Ok(())
}

pub(crate) fn restore_workspace(workspace: &str, hold: bool, json: bool) -> Result<(), Failure> {
    block_on(async {
        let tidings = opened().await?.tidings;
        let access = Access::system(tidings.access.workspace(workspace).await?.id);
        let outbound = hold.then_some(OutboundMode::Hold);
        let done = tidings.platform.restore_workspace(&access, outbound, &ExpectedVersion::Any, None).await?;
        let workspace = WorkspaceView::from(&done.value);
        if json {
            print_json(&workspace);
        } else {
            print_line(&format!("{} ({}) is not deleted. Its API keys work.", workspace.name, workspace.id));
        }
        Ok(())
    })
}

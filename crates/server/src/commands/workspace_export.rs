//! `tidings workspace export`.

use std::fs::{File, remove_file};
use std::io::Write;
use std::path::Path;

use serde_json::json;
use tidings_domain::Tidings;
use tidings_domain::access::Access;
use tidings_http::WorkspaceArchive;

use super::retry_refused::retry_refused;
use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::private_file::open_new;

pub(crate) fn export_workspace(workspace: &str, output: &Path, json: bool) -> Result<(), Failure> {
    block_on(async {
        let tidings = opened().await?.tidings;
        let workspace = tidings.access.workspace(workspace).await?;
        let file = open_new(output).map_err(Failure::with_file("create", output))?;
        let written = write(&tidings, &Access::system(workspace.id), file, output).await;
        if written.is_err() {
            // A partial export must not look complete.
            let _ = remove_file(output);
        }
        let bytes = written?;
        if json {
            print_json(&json!({ "workspace_id": workspace.id, "file": output, "bytes": bytes }));
        } else {
            print_line(&format!(
                "{} has all data of {} ({}), {bytes} bytes, without secrets. It contains personal data: store it safely.",
                output.display(),
                workspace.name,
                workspace.id
            ));
        }
        Ok(())
    })
}

async fn write(tidings: &Tidings, access: &Access, mut file: File, path: &Path) -> Result<u64, Failure> {
    let reader = tidings.platform.export_workspace(access).await?;
    let mut archive = WorkspaceArchive::new(reader, tidings.ports.clock.now());
    let mut bytes = 0;
    while let Some(made) = retry_refused(async || archive.next().await).await? {
        file.write_all(&made).map_err(Failure::with_file("write", path))?;
        bytes += made.len() as u64;
    }
    file.sync_all().map_err(Failure::with_file("write", path))?;
    Ok(bytes)
}

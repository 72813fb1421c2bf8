//! The first start on a developer's machine, and the file that keeps its key.

use std::path::PathBuf;

use secrecy::ExposeSecret;
use serde::Serialize;
use tidings_domain::access::{Access, AccessService, NewKey, NewWorkspace, Plan, Scope};
use tidings_domain::ids::{KeyId, WorkspaceId};

use crate::failure::Failure;
use crate::private_file;
use crate::settings::Settings;

const WORKSPACE: &str = "My workspace";
const KEY: &str = "First key";

/// What a first start made.
#[derive(Serialize)]
pub(crate) struct Credentials {
    pub(crate) address: String,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) workspace: &'static str,
    pub(crate) key_id: KeyId,
    pub(crate) scope: Scope,
    pub(crate) key: String,
}

/// Where they are kept.
pub(crate) fn kept_at(settings: &Settings) -> PathBuf {
    settings.data_folder().join("credentials.json")
}

/// Makes a workspace and a key that may do everything, and keeps the key in the data folder (0600).
///
/// # Errors
/// [`Failure`]; the file is written last, so that it never names a key that is not there.
pub(crate) async fn make(settings: &Settings, access: &AccessService, address: String) -> Result<Credentials, Failure> {
    let path = kept_at(settings);
    if path.exists() {
        return Err(Failure::refused(format!(
            "the database is empty, but {} is there from another one. Move it away and start again.",
            path.display()
        )));
    }
    let workspace = NewWorkspace { name: WORKSPACE.to_owned(), plan: Plan::Starter };
    let workspace = access.create_workspace(workspace).await?;
    let key = NewKey { name: KEY.to_owned(), scope: Scope::Full, expires_at: None };
    let created = access.create_key(&Access::system(workspace.id), key).await?;
    let credentials = Credentials {
        address,
        workspace_id: workspace.id,
        workspace: WORKSPACE,
        key_id: created.key.id,
        scope: created.key.scope,
        key: created.text.expose_secret().to_owned(),
    };
    let text = serde_json::to_string_pretty(&credentials).map_err(|error| Failure::refused(error.to_string()))?;
    private_file::create(&path, &(text + "\n")).map_err(Failure::with_file("write", &path))?;
    Ok(credentials)
}

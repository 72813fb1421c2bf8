//! The first start in development, and the file with its credentials.

use std::path::{Path, PathBuf};

use secrecy::ExposeSecret;
use serde::Serialize;
use tidings_domain::access::{Access, NewKey, NewWorkspace, Plan, Role, Scope};
use tidings_domain::contacts::Email;
use tidings_domain::ids::{KeyId, UserId, WorkspaceId};
use tidings_domain::platform::NewUser;

use crate::failure::Failure;
use crate::private_file;
use crate::settings::Settings;
use crate::wiring::Adapters;

const WORKSPACE: &str = "My workspace";
const KEY: &str = "First key";
const OWNER: &str = "Owner";
const EMAIL: &str = "owner@tidings.example";

#[derive(Serialize)]
pub(crate) struct Credentials {
    pub(crate) address: String,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) workspace: &'static str,
    pub(crate) key_id: KeyId,
    pub(crate) scope: Scope,
    pub(crate) key: String,
    pub(crate) user_id: UserId,
    pub(crate) email: &'static str,
    pub(crate) password: String,
}

/// Returns the path of the file.
pub(crate) fn kept_at(settings: &Settings) -> PathBuf {
    settings.data_folder().join("credentials.json")
}

/// Returns the key in the file.
pub(crate) fn kept_key(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let kept: serde_json::Value = serde_json::from_str(&text).ok()?;
    kept.get("key")?.as_str().map(str::to_owned)
}

/// Creates a workspace, a key with the scope `full`, and an owner who is an operator. Stores key and password in the
/// data folder (0600).
///
/// # Errors
/// [`Failure`]. The file is written last, so that it never contains a missing key.
pub(crate) async fn make(settings: &Settings, adapters: &Adapters, address: String) -> Result<Credentials, Failure> {
    let path = kept_at(settings);
    if path.exists() {
        return Err(Failure::with_advice(format!(
            "the database has no workspace, but {} exists: it belongs to another database or an erased workspace. Move \
             this file away and start again.",
            path.display()
        )));
    }
    let access = &adapters.tidings.access;
    let workspace = NewWorkspace { name: WORKSPACE.to_owned(), plan: Plan::Starter };
    let workspace = access.create_workspace(workspace).await?;
    let key = NewKey { name: KEY.to_owned(), scope: Scope::Full, expires_at: None };
    let created = access.create_key(&Access::system(workspace.id), key).await?;
    let password = adapters.new_password();
    let owner = NewUser {
        email: EMAIL.parse::<Email>().map_err(|error| Failure::with_advice(error.to_string()))?,
        name: OWNER.to_owned(),
        password: password.clone(),
        operator: true,
        workspace: workspace.id,
        role: Role::Owner,
    };
    let owner = adapters.tidings.platform.create_user(owner).await?;
    let credentials = Credentials {
        address,
        workspace_id: workspace.id,
        workspace: WORKSPACE,
        key_id: created.key.id,
        scope: created.key.scope,
        key: created.text.expose_secret().to_owned(),
        user_id: owner.id,
        email: EMAIL,
        password: password.expose_secret().to_owned(),
    };
    let text = serde_json::to_string_pretty(&credentials).map_err(|error| Failure::with_advice(error.to_string()))?;
    private_file::create(&path, &(text + "\n")).map_err(Failure::with_file("write", &path))?;
    Ok(credentials)
}

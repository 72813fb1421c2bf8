//! `tidings key …`.

use std::time::Duration;

use secrecy::ExposeSecret;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{Access, AccessService, ApiKeyView, NewKey, Scope};
use tidings_domain::ids::KeyId;
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::platform::Rotation;

use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{Listed, print_json, print_line};

/// A new key with its text, which is shown once.
#[derive(Serialize)]
struct CreatedKeyView<'a> {
    #[serde(flatten)]
    view: ApiKeyView,
    key: &'a str,
}

/// Creates a key.
pub(crate) fn create_key(workspace: &str, scope: Scope, name: String, json: bool) -> Result<(), Failure> {
    block_on(async {
        let service = opened().await?.tidings.access;
        let access = access_to(&service, workspace).await?;
        let created = service.create_key(&access, NewKey { name, scope, expires_at: None }).await?;
        let key = created.text.expose_secret();
        if json {
            print_json(&CreatedKeyView { view: ApiKeyView::from(&created.key), key });
        } else {
            eprintln!("Key {} with scope {scope}, shown once:", created.key.id);
            print_line(key);
        }
        Ok(())
    })
}

/// Lists the keys of a workspace.
pub(crate) fn list_keys(workspace: &str, json: bool) -> Result<(), Failure> {
    block_on(async {
        let service = opened().await?.tidings.access;
        let access = access_to(&service, workspace).await?;
        let keys: Vec<_> = service.keys(&access).await?.iter().map(ApiKeyView::from).collect();
        if json {
            print_json(&Listed::all(keys));
        } else {
            keys.iter().for_each(|key| print_line(&line(key)));
        }
        Ok(())
    })
}

/// Replaces a key. The old one remains valid for the overlap.
pub(crate) fn rotate_key(workspace: &str, key: KeyId, overlap: Duration, json: bool) -> Result<(), Failure> {
    block_on(async {
        let adapters = opened().await?;
        let access = access_to(&adapters.tidings.access, workspace).await?;
        let rotated =
            adapters.tidings.platform.rotate_key(&access, key, Rotation { overlap }, &ExpectedVersion::Any, None).await;
        let created = rotated.map_err(|error| no_such_key(error, key))?.value;
        let text = created.text.expose_secret();
        if json {
            print_json(&CreatedKeyView { view: ApiKeyView::from(&created.key), key: text });
        } else {
            eprintln!("Key {} with scope {} replaces {key}, shown once:", created.key.id, created.key.scope);
            print_line(text);
        }
        Ok(())
    })
}

fn no_such_key(error: Error, key: KeyId) -> Failure {
    match error {
        Error::NotFound => Failure::with_advice(format!(
            "the workspace has no valid key {key}. List its keys with `tidings key list --workspace WORKSPACE`."
        )),
        error => error.into(),
    }
}

/// Revokes a key.
pub(crate) fn revoke_key(workspace: &str, key: KeyId, json: bool) -> Result<(), Failure> {
    block_on(async {
        let service = opened().await?.tidings.access;
        let access = access_to(&service, workspace).await?;
        service.revoke_key(&access, key).await.map_err(|error| no_such_key(error, key))?;
        if json {
            let revoked = service.keys(&access).await?.iter().find(|it| it.id == key).map(ApiKeyView::from);
            print_json(&revoked);
        } else {
            print_line(&format!("{key} is revoked; all servers reject it within five seconds."));
        }
        Ok(())
    })
}

/// Returns the system's access to the workspace with this ID or name.
pub(crate) async fn access_to(service: &AccessService, workspace: &str) -> Result<Access, Failure> {
    let found = service.workspace(workspace).await.map_err(|error| match error {
        Error::NotFound => Failure::with_advice(format!(
            "there is no workspace `{workspace}`. List all with `tidings workspace list`, or create one with `tidings \
             workspace create --name NAME`."
        )),
        Error::Taken { .. } => Failure::with_advice(format!(
            "several workspaces have the name `{workspace}`. Use the ID from `tidings workspace list`."
        )),
        error => error.into(),
    })?;
    Ok(Access::system(found.id))
}

fn line(key: &ApiKeyView) -> String {
    let state = if key.revoked_at.is_some() { "revoked" } else { "" };
    let expiry = key.expires_at.as_ref().map(|at| format!("  (expires {at})")).unwrap_or_default();
    format!(
        "{}  {:<5}  {}_…{}  {}  {:<7}  {}{expiry}",
        key.id,
        key.scope.as_str(),
        key.prefix,
        key.last_four,
        key.created_at,
        state,
        key.name
    )
}

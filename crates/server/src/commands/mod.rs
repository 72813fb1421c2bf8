//! The commands.

mod backup;
mod copies;
mod demo;
mod doctor;
mod import;
mod import_options;
mod import_questions;
mod import_rows;
mod import_source;
mod jobs;
mod keys;
mod listen;
mod mail_in;
mod migrate;
mod openapi;
mod outbound;
mod restore;
mod retry_refused;
mod secrets;
mod serve;
mod settings;
mod users;
mod workspace_deletion;
mod workspace_export;
mod workspaces;

pub(crate) use backup::backup;
pub(crate) use demo::demo;
pub(crate) use doctor::doctor;
pub(crate) use import::import_contacts;
pub(crate) use jobs::{drop_job, list_dead_jobs, retry_job};
pub(crate) use keys::{create_key, list_keys, revoke_key, rotate_key};
pub(crate) use listen::listen;
pub(crate) use mail_in::mail_in;
pub(crate) use migrate::migrate;
pub(crate) use openapi::openapi;
pub(crate) use outbound::{hold_outbound, send_outbound, show_outbound};
pub(crate) use restore::restore;
pub(crate) use secrets::reseal;
pub(crate) use serve::serve;
pub(crate) use settings::print_settings;
pub(crate) use users::{UserOptions, create_user, make_reset_link, set_password};
pub(crate) use workspace_deletion::{When, delete_workspace, restore_workspace};
pub(crate) use workspace_export::export_workspace;
pub(crate) use workspaces::{create_workspace, list_workspaces};

use std::path::{Path, PathBuf};

use tokio::runtime::Builder;

use crate::failure::Failure;
use crate::logging;
use crate::settings::Settings;
use crate::wiring::Adapters;

/// The warning about a remote database without TLS.
const PLAINTEXT: &str = "anyone on the network path can read and change the data. Turn on `ssl` in PostgreSQL, and add \
                         sslmode=verify-full to storage.url, with sslrootcert=FILE for a private authority. The next \
                         release refuses connections to other machines without TLS.";

/// Runs a command on its own runtime.
fn block_on<T>(command: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = Builder::new_multi_thread().enable_all().build();
    runtime.map_err(Failure::while_doing("cannot start threads"))?.block_on(command)
}

/// Loads settings and opens adapters for a short command. The database must exist, with a current schema and the right
/// master key.
async fn opened() -> Result<Adapters, Failure> {
    let settings = Settings::load()?;
    logging::begin(&settings);
    require_database(&settings)?;
    let adapters = Adapters::open(&settings).await?;
    adapters.require_schema().await?;
    let finding = adapters.canary().look().await.map_err(tidings_domain::Error::from)?;
    adapters.require_right_key(&finding)?;
    Ok(adapters)
}

/// Rejects a missing SQLite file. Otherwise SQLite would create a second database, with another master key.
fn require_database(settings: &Settings) -> Result<(), Failure> {
    match settings.sqlite_file.as_deref().filter(|file| matches!(file.try_exists(), Ok(false))) {
        None => Ok(()),
        Some(file) => Err(Failure::with_advice(format!(
            "there is no database at {} (storage.url). Run this command in the folder of the server, or set \
             storage.url (TIDINGS__STORAGE__URL=sqlite://PATH) to its database. `tidings serve` or `tidings migrate` \
             creates a new database.",
            absolute_path(file).display()
        ))),
    }
}

/// Returns the absolute path.
fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

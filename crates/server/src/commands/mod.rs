//! What each command does.

mod backup;
mod copies;
mod demo;
mod doctor;
mod import;
mod import_questions;
mod import_source;
mod jobs;
mod keys;
mod listen;
mod migrate;
mod openapi;
mod outbound;
mod restore;
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

/// What is said where the database is on another machine and spoken to without TLS.
const PLAINTEXT: &str = "anyone on the network path can read and change the data. Turn on `ssl` in PostgreSQL, and add \
                         sslmode=verify-full to storage.url, with sslrootcert=FILE for a private authority. The next \
                         release refuses connections to other machines without TLS.";

/// Runs a command to its end on a runtime of its own.
fn block_on<T>(command: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = Builder::new_multi_thread().enable_all().build();
    runtime.map_err(Failure::doing("cannot start threads"))?.block_on(command)
}

/// Settings and adapters for a short command; the database must be there, its schema up to date, and the master key the
/// right one.
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

/// Refuses to begin a second database beside the one that is meant: SQLite makes each file that it is asked for, and a
/// master key would be made with it.
fn require_database(settings: &Settings) -> Result<(), Failure> {
    match settings.sqlite_file.as_deref().filter(|file| matches!(file.try_exists(), Ok(false))) {
        None => Ok(()),
        Some(file) => Err(Failure::refused(format!(
            "there is no database at {} (storage.url). Run this command in the folder of the server, or set \
             storage.url (TIDINGS__STORAGE__URL=sqlite://PATH) to its database. `tidings serve` or `tidings migrate` \
             creates a new database.",
            whole(file).display()
        ))),
    }
}

/// A path from the root on, for people who look for the file.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

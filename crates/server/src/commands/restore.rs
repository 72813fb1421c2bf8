//! `tidings restore`: restores the database from a copy, with outbound traffic paused.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::{Clock, OutboundStore, StoreHold};
use tidings_storage::{Storage, StorageSettings, copy_sqlite};

use super::block_on;
use super::copies::look_at;
use crate::failure::Failure;
use crate::logging;
use crate::output::{print_json, print_line};
use crate::settings::Settings;
use crate::sole_server::SoleServer;

/// Checks a copy, and unless `check` is set, restores the configured database from it.
pub(crate) fn restore(file: &Path, check: bool, json: bool) -> Result<(), Failure> {
    let settings = Settings::load()?;
    logging::begin(&settings);
    let Some(database) = &settings.sqlite_file else {
        return Err(Failure::with_advice(
            "storage.url is PostgreSQL; restore it with pg_restore. `tidings backup FILE` prints the commands",
        ));
    };
    if !file.is_file() {
        return Err(Failure::with_advice(format!("{} does not exist", file.display())));
    }
    let report = look_at(&settings, file)?;
    if check {
        if json {
            print_json(&report);
        } else if report.ok {
            let schema = report.schema.as_deref().unwrap_or_default();
            let older = match report.pending {
                0 => "the schema of this release".to_owned(),
                pending => format!("{pending} migrations older than this release; restoring applies them"),
            };
            print_line(&format!("{} is complete. Its schema is {schema}, {older}.", file.display()));
        }
        return report.or_refused(file);
    }
    report.or_refused(file)?;
    refuse_unless_empty(&settings, database)?;
    let _sole_server = SoleServer::of(database)?;
    let held = bring_in(file, database)?;
    if json {
        print_json(&json!({ "database": database, "restored_from": file, "mode": "hold", "reason": held }));
    } else {
        print_line(&format!(
            "{} is restored from {}.\nOutbound sending is paused, because the original may have sent messages and \
             deliveries since the backup. Start `tidings serve` to check the data, and run `tidings outbound send` to \
             resume sending.",
            database.display(),
            file.display()
        ));
    }
    Ok(())
}

/// Rejects a data folder with other files than the lock and the master key, which must be put there first: they would
/// mix with the restored ones.
fn refuse_unless_empty(settings: &Settings, database: &Path) -> Result<(), Failure> {
    let folder = settings.data_folder();
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(Failure::with_file("read", &folder))?,
    };
    let lock = database.file_name().map(|name| [name.as_encoded_bytes(), b".lock"].concat());
    for entry in entries {
        let name = entry.map_err(Failure::with_file("read", &folder))?.file_name();
        if name != "master.key" && Some(name.as_encoded_bytes()) != lock.as_deref() {
            return Err(Failure::with_advice(format!(
                "the data folder {} is not empty (it contains {}). Restore into a folder that is empty or contains \
                 only master.key: set storage.url (TIDINGS__STORAGE__URL=sqlite://PATH).",
                folder.display(),
                name.display()
            )));
        }
    }
    Ok(())
}

/// Restores the database. The copy is migrated and paused before it gets its name. No server can send from it by
/// mistake, even after a crash.
fn bring_in(file: &Path, database: &Path) -> Result<String, Failure> {
    let mut name = database.as_os_str().to_owned();
    name.push(".restoring");
    let working = PathBuf::from(name);
    copy_sqlite(file, &working)?;
    let origin = file.file_name().unwrap_or_default().display();
    let reason = format!("restored from {origin}");
    let hold = StoreHold { reason: reason.clone(), since: SystemClock.now(), is_restored: true };
    block_on(async {
        let storage = Storage::open(&StorageSettings::new(format!("sqlite://{}", working.display()))).await?;
        storage.migrate().await?;
        Ok(storage.hold(hold).await.map_err(tidings_domain::Error::from)?)
    })?;
    copy_sqlite(&working, database)?;
    for ending in ["", "-wal", "-shm"] {
        let mut name = working.as_os_str().to_owned();
        name.push(ending);
        match fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failure::with_file("remove", Path::new(&name))(error));
            }
            _ => {}
        }
    }
    Ok(reason)
}

//! `tidings backup`: copies the database while it is in use.

use std::path::Path;

use serde_json::json;

use super::copies::look_at;
use crate::failure::Failure;
use crate::logging;
use crate::output::{print_json, print_line};
use crate::settings::Settings;

/// PostgreSQL is backed up with its own tools.
const POSTGRES: &str = "Back up PostgreSQL with its own tools. Tidings may be running:\n\n  \
    pg_dump --format=custom --file=tidings.dump \"$TIDINGS__STORAGE__URL\"\n\n\
    Restore into a new database, before you start any process on it:\n\n  \
    createdb tidings_restored\n  \
    pg_restore --no-owner --exit-on-error --dbname=tidings_restored tidings.dump\n  \
    TIDINGS__STORAGE__URL=postgres://…/tidings_restored tidings migrate\n  \
    TIDINGS__STORAGE__URL=postgres://…/tidings_restored tidings outbound hold --restored --reason \"restored\"\n\n\
    The database does not contain the master key: store the key separately. Nothing was copied";

/// Copies the configured database to `file`.
pub(crate) fn backup(file: &Path, json: bool) -> Result<(), Failure> {
    let settings = Settings::load()?;
    logging::begin(&settings);
    let Some(database) = &settings.sqlite_file else { return Err(Failure::with_advice(POSTGRES)) };
    if file.exists() {
        return Err(Failure::with_advice(format!("{} already exists; use a new file name", file.display())));
    }
    tidings_storage::copy_sqlite(database, file)?;
    let report = look_at(&settings, file)?;
    // The copy is complete even if the master key is missing.
    let whole = report.damage.is_empty();
    let bytes = std::fs::metadata(file).map_err(Failure::with_file("read", file))?.len();
    if json {
        print_json(&json!({ "file": file, "bytes": bytes, "schema": report.schema, "ok": whole }));
    } else if whole {
        print_line(&format!(
            "{} is a complete copy of {} ({bytes} bytes).\nIt does not contain the master key: store a copy of the key \
             separately. Without the key, the secrets of webhooks and channels cannot be decrypted.\nIt does not contain \
             the files of messages: {}.",
            file.display(),
            database.display(),
            files_of(&settings)
        ));
    }
    if whole { Ok(()) } else { report.or_refused(file) }
}

/// Returns the place of the files of messages, with the advice for their backup.
fn files_of(settings: &Settings) -> String {
    match &settings.s3 {
        None => format!("copy the folder {} after the database", settings.media_folder().display()),
        Some(s3) => format!("they are in the bucket {}, which needs its own backup", s3.bucket.name()),
    }
}

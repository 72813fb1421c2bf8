//! Backup copies of a database file: created during writes, and inspected before use.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Binary, Text};
use diesel::{QueryableByName, RunQueryDsl, SqliteConnection};

use super::inspection::{failed, lines, open};
use super::open::{SqliteSettings, connect};
use crate::connection::error::StorageError;
use crate::migrations::{baseline, texts};

/// Copies a database file as of one instant, even during writes. The copy is complete and on disk when this returns, or
/// it does not exist. Only its owner can read it.
///
/// # Errors
/// [`StorageError::Open`] if the source or the folder of `target` is missing, `target` exists, or the disk fails.
pub fn copy_sqlite(source: &Path, target: &Path) -> Result<(), StorageError> {
    for (path, wanted) in [(source, true), (target, false)] {
        if path.exists() != wanted {
            let what = if wanted { "does not exist" } else { "already exists" };
            return Err(StorageError::Open(format!("{} {what}", path.display())));
        }
    }
    if let Some(folder) = target.parent().filter(|it| !it.as_os_str().is_empty() && !it.is_dir()) {
        return Err(StorageError::Open(format!("{}: the folder does not exist", folder.display())));
    }
    let partial = sibling_path(target, ".partial");
    let made = write(source, &partial).and_then(|()| {
        std::fs::rename(&partial, target).and_then(|()| sync_folder_of(target)).map_err(|error| failed(target, error))
    });
    if made.is_err() {
        // The file may not exist.
        let _ = std::fs::remove_file(&partial);
    }
    made
}

fn write(source: &Path, partial: &Path) -> Result<(), StorageError> {
    // A file of an interrupted attempt is unused.
    let _ = std::fs::remove_file(partial);
    let file = create(partial).map_err(|error| failed(partial, error))?;
    let settings = SqliteSettings { path: source.to_owned(), readers: 0, batch_time: Duration::ZERO, max_pages: None };
    let mut connection = connect(&settings)?;
    // SQLite's own way to copy during writes, in one read transaction. It accepts an empty target file.
    let query = diesel::sql_query("VACUUM INTO ?").bind::<Text, _>(partial.to_string_lossy().into_owned());
    query.execute(&mut connection).map_err(|error| failed(partial, error))?;
    file.sync_all().map_err(|error| failed(partial, error))
}

/// The content of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteCopy {
    /// The damage that SQLite finds. Empty for an intact file.
    pub damage: Vec<String>,
    /// The newest migration of its schema.
    pub schema: Option<String>,
    /// Number of missing migrations of this program.
    pub pending: usize,
    /// Migrations of newer programs, which this one does not know.
    pub unknown: Vec<String>,
    /// Some sealed secrets, with the kind and ID of their rows.
    pub sealed: Vec<Sealed>,
}

/// A sealed secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// `signing_key` or `webhook`.
    pub kind: &'static str,
    /// The ID of its row.
    pub id: uuid::Uuid,
    /// The sealed bytes.
    pub bytes: Vec<u8>,
}

#[derive(QueryableByName)]
struct SealedRow {
    #[diesel(sql_type = Binary)]
    id: Vec<u8>,
    #[diesel(sql_type = Binary)]
    bytes: Vec<u8>,
}

/// Inspects a copy without any change to it or its directory.
///
/// # Errors
/// [`StorageError::Open`] if it is not a database of this program, [`StorageError::TooOld`] if this program cannot
/// upgrade it.
pub fn inspect_sqlite(path: &Path) -> Result<SqliteCopy, StorageError> {
    if !path.is_file() {
        return Err(StorageError::Open(format!("{} does not exist", path.display())));
    }
    let mut connection = open(path, "&immutable=1")?;
    connection.batch_execute("PRAGMA query_only = ON").map_err(|error| failed(path, error))?;
    let mut lines = |query: &str| lines(&mut connection, path, query);
    let damage = lines("SELECT integrity_check AS line FROM pragma_integrity_check")?;
    let damage: Vec<String> = damage.into_iter().filter(|line| line != "ok").collect();
    let applied = lines("SELECT version AS line FROM __diesel_schema_migrations ORDER BY version")?;
    let pending = baseline::pending(&texts::SQLITE, &applied.iter().cloned().collect())?.len();
    let sealed = if damage.is_empty() { newest_sealed(&mut connection, path)? } else { Vec::new() };
    Ok(SqliteCopy {
        damage,
        schema: applied.last().cloned(),
        pending,
        unknown: applied.into_iter().filter(|version| !baseline::is_known(&texts::SQLITE, version)).collect(),
        sealed,
    })
}

/// Returns the newest secret of each kind, sealed with the latest key.
fn newest_sealed(connection: &mut SqliteConnection, path: &Path) -> Result<Vec<Sealed>, StorageError> {
    let queries = [
        ("signing_key", "SELECT id, sealed AS bytes FROM signing_keys ORDER BY created_at DESC LIMIT 1"),
        ("webhook", "SELECT id, secret AS bytes FROM webhooks ORDER BY created_at DESC LIMIT 1"),
    ];
    let mut found = Vec::new();
    for (kind, query) in queries {
        let rows: Vec<SealedRow> = diesel::sql_query(query).load(connection).map_err(|error| failed(path, error))?;
        for row in rows {
            let id = uuid::Uuid::from_slice(&row.id).map_err(|error| failed(path, error))?;
            found.push(Sealed { kind, id, bytes: row.bytes });
        }
    }
    Ok(found)
}

fn sibling_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(unix)]
fn create(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path)
}

/// Syncs the directory, to store the name of a new file on the disk.
fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

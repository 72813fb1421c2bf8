//! Opening a database file with the settings that the promises need.

use std::path::PathBuf;

use diesel::connection::SimpleConnection;
use diesel::{Connection as _, SqliteConnection};

use crate::error::StorageError;

/// Which file, and how.
#[derive(Debug, Clone)]
pub(crate) struct SqliteSettings {
    /// The file; its folder is made if it is not there.
    pub(crate) path: PathBuf,
    /// How many threads read.
    pub(crate) readers: usize,
    /// The most pages that the file may have: for tests of a full disk.
    pub(crate) max_pages: Option<u32>,
}

/// WAL, so that readers go on while one writes; FULL, so that a commit is on the disk when it is
/// acknowledged; a busy time-out for the moments in which a command writes to the same file. What is deleted or written over
/// is overwritten with zeros, so that the file holds nothing of people who were erased.
const PRAGMAS: &str = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                       PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;";
/// The writer keeps so many pages in memory.
pub(crate) const CACHE_OF_WRITER: &str = "PRAGMA cache_size = -8000;";
/// Each reader keeps pages for itself; what it misses, the operating system has at hand for all.
const PRAGMAS_OF_READERS: &str = "PRAGMA cache_size = -4000;";

pub(crate) fn connect(settings: &SqliteSettings) -> Result<SqliteConnection, StorageError> {
    let name = settings.path.to_string_lossy();
    if let Some(folder) = settings.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        crate::private::make_folder(folder)
            .map_err(|error| StorageError::Open(format!("{}: {error}", folder.display())))?;
    }
    let failed = |error: String| StorageError::Open(format!("{name}: {error}"));
    // SQLite gives what it makes beside the file the file's own mode.
    crate::private::make_file(&settings.path).map_err(|error| failed(error.to_string()))?;
    let mut connection = SqliteConnection::establish(&name).map_err(|error| failed(error.to_string()))?;
    connection.batch_execute(PRAGMAS).map_err(|error| failed(error.to_string()))?;
    connection.batch_execute(CACHE_OF_WRITER).map_err(|error| failed(error.to_string()))?;
    if let Some(pages) = settings.max_pages {
        let pragma = format!("PRAGMA max_page_count = {pages}");
        connection.batch_execute(&pragma).map_err(|error| failed(error.to_string()))?;
    }
    Ok(connection)
}

pub(super) fn connect_reader(settings: &SqliteSettings) -> Result<SqliteConnection, StorageError> {
    let mut connection = connect(settings)?;
    let failed = |error: diesel::result::Error| StorageError::Open(format!("{}: {error}", settings.path.display()));
    connection.batch_execute(PRAGMAS_OF_READERS).map_err(failed)?;
    Ok(connection)
}

//! Opens a database file with settings for durability and privacy.

use std::path::PathBuf;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection as _, SqliteConnection};

use crate::connection::error::StorageError;

#[derive(Debug, Clone)]
pub(crate) struct SqliteSettings {
    /// The file. A missing directory is created.
    pub(crate) path: PathBuf,
    pub(crate) readers: usize,
    /// A transaction takes no further commits after this time.
    pub(crate) batch_time: Duration,
    /// Maximum number of pages of the file, for tests of a full disk.
    pub(crate) max_pages: Option<u32>,
}

/// WAL lets readers continue during writes. FULL writes a commit to the disk before it is acknowledged. The busy
/// timeout covers commands that write to the same file for a moment. Secure delete overwrites deleted data with zeros:
/// the file keeps no data of erased contacts.
const PRAGMAS: &str = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                       PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;";
pub(crate) const CACHE_OF_WRITER: &str = "PRAGMA cache_size = -8000;";
/// Each reader has a small page cache. The operating system caches the other pages for all readers.
const PRAGMAS_OF_READERS: &str = "PRAGMA cache_size = -4000;";

pub(crate) fn connect(settings: &SqliteSettings) -> Result<SqliteConnection, StorageError> {
    let name = settings.path.to_string_lossy();
    if let Some(folder) = settings.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        crate::connection::private::make_folder(folder)
            .map_err(|error| StorageError::Open(format!("{}: {error}", folder.display())))?;
    }
    let failed = |error: String| StorageError::Open(format!("{name}: {error}"));
    // SQLite creates its other files with the mode of this file.
    crate::connection::private::make_file(&settings.path).map_err(|error| failed(error.to_string()))?;
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

/// Opens a second connection to the file of a store. It waits, as the store may be closing.
#[cfg(test)]
pub(crate) fn connect_beside(path: &std::path::Path) -> SqliteConnection {
    let mut connection = SqliteConnection::establish(&path.to_string_lossy()).unwrap();
    connection.batch_execute("PRAGMA busy_timeout = 10000").unwrap();
    connection
}

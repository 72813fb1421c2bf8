//! Settings of a store.

use std::path::PathBuf;
use std::time::Duration;

/// The address, size and limits of a store.
#[derive(Debug, Clone)]
pub struct StorageSettings {
    /// `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`.
    pub url: String,
    /// Number of connections, or of reader threads.
    pub pool_size: usize,
    /// Time limit of a request's expensive query: a search, a count or a list with a text filter.
    pub search_timeout: Duration,
    /// SQLite only: a transaction takes no further commits after this time. A longer time writes fewer pages for each
    /// commit, and other processes wait longer for the file.
    pub batch_time: Duration,
    /// SQLite only: maximum number of pages of the file, for tests of a full disk.
    pub max_pages: Option<u32>,
    /// PostgreSQL only: the application name of this process's connections.
    pub process: Option<String>,
}

impl StorageSettings {
    /// Creates settings with eight connections or four reader threads.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            pool_size: 8,
            search_timeout: Duration::from_secs(5),
            batch_time: Duration::from_millis(5),
            max_pages: None,
            process: None,
        }
    }

    /// Returns the number of concurrent reads: connections, or at most four SQLite threads, because more are not
    /// faster.
    pub(crate) fn readers(&self) -> usize {
        if self.sqlite_path().is_some() { self.pool_size.clamp(1, 4) } else { self.pool_size.max(1) }
    }

    pub(crate) fn named_url(&self) -> String {
        match &self.process {
            None => self.url.clone(),
            Some(name) => {
                let joint = if self.url.contains('?') { '&' } else { '?' };
                format!("{}{joint}application_name={name}", self.url)
            }
        }
    }

    /// Returns the file of a `sqlite://` address.
    pub fn sqlite_path(&self) -> Option<PathBuf> {
        self.url.strip_prefix("sqlite://").filter(|path| !path.is_empty()).map(PathBuf::from)
    }
}

//! Which database, and how.

use std::path::PathBuf;
use std::time::Duration;

/// Which database, and how.
#[derive(Debug, Clone)]
pub struct StorageSettings {
    /// `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`.
    pub url: String,
    /// How many connections, or reading threads.
    pub pool_size: usize,
    /// The time limit of an expensive query that a request makes: a search, a count, a list that is filtered by text.
    pub search_timeout: Duration,
    /// SQLite only: the most pages that the file may have. For tests of a full disk.
    pub max_pages: Option<u32>,
    /// PostgreSQL only: how this process's connections are named there.
    pub process: Option<String>,
}

impl StorageSettings {
    /// This database, with eight connections or four reading threads.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), pool_size: 8, search_timeout: Duration::from_secs(5), max_pages: None, process: None }
    }

    /// How many reads run at once: connections, or threads of SQLite, of which more are no quicker.
    pub(crate) fn readers(&self) -> usize {
        if self.sqlite_path().is_some() { self.pool_size.clamp(1, 4) } else { self.pool_size.max(1) }
    }

    /// The address with the name of this process.
    pub(crate) fn named_url(&self) -> String {
        match &self.process {
            None => self.url.clone(),
            Some(name) => {
                let joint = if self.url.contains('?') { '&' } else { '?' };
                format!("{}{joint}application_name={name}", self.url)
            }
        }
    }

    /// The file of a `sqlite://` address.
    pub fn sqlite_path(&self) -> Option<PathBuf> {
        self.url.strip_prefix("sqlite://").filter(|path| !path.is_empty()).map(PathBuf::from)
    }
}

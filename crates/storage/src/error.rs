//! Why a store cannot be opened or brought up to date.

/// Why a store cannot be opened or brought up to date: a sentence for whoever runs it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// The address is neither `sqlite://PATH` nor `postgres://…`.
    #[error("storage.url must be sqlite://PATH or postgres://USER@HOST/DATABASE")]
    Address,
    /// The database cannot be opened or reached.
    #[error("cannot open the database: {0}")]
    Open(String),
    /// A migration failed.
    #[error("a migration failed: {0}")]
    Migration(String),
}

//! Errors when a store is opened or migrated.

/// The reason why a store cannot be opened or migrated. Its text is for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// The URL is neither `sqlite://PATH` nor `postgres://…`.
    #[error("storage.url must be sqlite://PATH or postgres://USER@HOST/DATABASE")]
    Address,
    /// The database cannot be opened or reached.
    #[error("cannot open the database: {0}")]
    Open(String),
    /// The database role may only read and write rows.
    #[error(
        "the database schema is older than this program (pending migrations: {0}), and the role in storage.url may \
         not apply them. Run `tidings migrate` with the role that owns the tables."
    )]
    MayNotMigrate(usize),
    /// The database role may not even read and write rows.
    #[error("the role of storage.url lacks rights: {0}. docs/how-to/install.md has the statements that grant them.")]
    Rights(String),
    /// This program does not contain the migrations that the database needs.
    #[error(
        "the database schema is older than release 0.5.0, and this program cannot upgrade it. Install release 0.5.0 and \
         run `tidings migrate` without --before-rollout. Then run `tidings migrate` of this program."
    )]
    TooOld,
    /// A migration failed.
    #[error("a migration failed: {0}")]
    Migration(String),
}

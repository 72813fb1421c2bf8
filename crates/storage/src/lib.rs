//! The storage ports, implemented with Diesel on PostgreSQL and SQLite: one source for both.
//!
//! Every query is written once and runs on both databases. If their SQL differs in substance (job claims, row locks),
//! the two versions are next to each other.

mod access;
mod analytics;
mod broadcasts;
mod conditions;
mod connection;
mod contacts;
mod conversations;
mod events;
mod flows;
mod imports;
mod jobs;
mod migrations;
mod postgres;
mod queries;
mod schema;
mod sequences;
mod sqlite;
mod webhooks;
mod write;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use async_trait::async_trait;
use futures::future::BoxFuture;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tidings_domain::access::storage_usage::StoredBytes;
use tidings_domain::catalog::Catalog;
use tidings_domain::events::{Event, Listeners};
use tidings_domain::flows::CompiledFlow;
use tidings_domain::ports::{
    Change, ChangeSet, CommitError, Conflict, Ledger, RejectedChangeSet, Row, StoreError, StoredEvent,
};

use connection::Connection;
use connection::backoff::Backoff;
use connection::disk_faults::DiskFaults;
pub use connection::error::StorageError;
#[cfg(feature = "failpoints")]
pub use connection::failpoints::FAILPOINTS;
use connection::faults::Fault;
pub use connection::health::PoolStatus;
pub use connection::private::{make_folder, restrict};
pub use connection::settings::StorageSettings;
pub use contacts::email_keys::SharedEmail;
pub use conversations::channels::ChannelState;
use events::EventKey;
pub use flows::FlowKey;
pub use jobs::backlog::{Backlog, KindBacklog, MOST_COUNTED};
pub use migrations::{
    Effect, MigrationPlan, PlannedMigration, PlannedStep, TableLock, Writers, migration_names, plan_migrations,
};
use queries::loaders::Loaders;
use queries::types::DbId;
pub use sqlite::{Sealed, SqliteCopy, copy_sqlite, inspect_sqlite};
pub use webhooks::WebhookKey;
use write::commit_result::CommitResult;

#[derive(Clone)]
enum Backend {
    Postgres(postgres::Postgres),
    Sqlite(sqlite::Sqlite),
}

impl Backend {
    /// Runs queries on one connection, in the workspace's turn.
    async fn read<T: Send + 'static>(
        &self,
        ws: DbId,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        connection::failpoints::call()?;
        let answer = match self {
            Self::Postgres(postgres) => postgres.read(query).await,
            Self::Sqlite(sqlite) => sqlite.read(sqlite::Turn::of(ws), query).await,
        };
        connection::failpoints::read().and(answer)
    }

    /// Runs statements that are separate transactions: on PostgreSQL without an additional round trip, on SQLite
    /// together in one.
    async fn write<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        connection::failpoints::call()?;
        let answer = match self {
            Self::Postgres(postgres) => postgres.write(work).await,
            Self::Sqlite(sqlite) => sqlite.transact(work).await,
        };
        connection::failpoints::written().and(answer).inspect_err(|fault| self.disk().note(fault))
    }

    async fn transact<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        connection::failpoints::call()?;
        let answer = match self {
            Self::Postgres(postgres) => postgres.transact(work).await,
            Self::Sqlite(sqlite) => sqlite.transact(work).await,
        };
        connection::failpoints::written().and(answer).inspect_err(|fault| self.disk().note(fault))
    }

    fn disk(&self) -> &DiskFaults {
        match self {
            Self::Postgres(postgres) => &postgres.disk,
            Self::Sqlite(sqlite) => &sqlite.disk,
        }
    }
}

/// The mode of a read. All its queries see the store as of one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadMode {
    /// A lookup of one row. On PostgreSQL it is a single statement.
    PointLookup,
    /// A single statement on PostgreSQL, which always has one snapshot.
    Statement,
    /// A transaction with one snapshot.
    Snapshot,
    /// Like [`Self::Snapshot`], and PostgreSQL's planner may choose the order of the lookups by its estimates.
    Planner,
}

/// A store. It implements the ledger and all query ports.
pub struct Storage {
    backend: Backend,
    url: String,
    /// The same store with connections reserved for engines: they can claim jobs and extend leases, however many
    /// commits wait.
    engine: Backend,
    expensive: connection::expensive_queries::QuerySlots,
    loaders: Loaders,
    backoff: Backoff,
    /// Text that this process has written since the last measurement.
    growth: access::storage_usage::Growth,
    /// Events that were recently written or read, for follow-up work. An event is only changed by an erasure or a
    /// merge, which clears the cache.
    recent: Cache<EventKey, StoredEvent, WeighEvents>,
    holds: access::outbound::LastLook,
    /// The event listeners of workspaces, with their revisions.
    listeners: Cache<DbId, Arc<Listeners>>,
    /// The catalogs of workspaces, with their revisions.
    catalogs: Cache<DbId, Arc<Catalog>, flows::catalog::WeighCatalog>,
    /// Compiled published versions, which are immutable.
    compiled: Cache<VersionKey, Arc<CompiledFlow>, WeighFlow>,
    /// The known non-empty queues, and the turns for claims.
    queues: Arc<jobs::KnownQueues>,
    /// The progress of the numbering of events.
    numbered_to: Arc<events::numbering::NumberedTo>,
    /// Whether all names have sort keys.
    sorted: AtomicBool,
}

/// Maximum size of cached events in bytes.
const RECENT_BYTES: u64 = 4 << 20;

#[derive(Clone)]
struct WeighEvents;

impl Weighter<EventKey, StoredEvent> for WeighEvents {
    fn weight(&self, _: &EventKey, event: &StoredEvent) -> u64 {
        (size_of::<StoredEvent>() + event.full.len() + event.thin.len()) as u64
    }
}

/// Maximum size of the definitions of cached compiled versions in bytes. Their graphs use several times as much memory.
const COMPILED_BYTES: u64 = 8 << 20;

type VersionKey = (DbId, DbId, i64);

#[derive(Clone)]
struct WeighFlow;

impl Weighter<VersionKey, Arc<CompiledFlow>> for WeighFlow {
    fn weight(&self, _: &VersionKey, flow: &Arc<CompiledFlow>) -> u64 {
        1 + flow.bytes as u64
    }
}

impl Storage {
    /// Opens a store. A missing SQLite file is created. PostgreSQL is not contacted before the first use. The schema is
    /// not changed.
    ///
    /// # Errors
    /// [`StorageError`] if the URL or the file is invalid.
    pub async fn open(settings: &StorageSettings) -> Result<Arc<Self>, StorageError> {
        let readers = settings.readers();
        let backend = if let Some(path) = settings.sqlite_path() {
            let (batch_time, max_pages) = (settings.batch_time, settings.max_pages);
            let sqlite = sqlite::SqliteSettings { path, readers, batch_time, max_pages };
            Backend::Sqlite(sqlite::Sqlite::open(&sqlite)?)
        } else if settings.url.starts_with("postgres://") || settings.url.starts_with("postgresql://") {
            Backend::Postgres(postgres::Postgres::new(&settings.named_url(), readers)?)
        } else {
            return Err(StorageError::Address);
        };
        let recent = Cache::with_weighter(1_024, RECENT_BYTES, WeighEvents);
        let engine = match &backend {
            Backend::Postgres(postgres) => Backend::Postgres(postgres.for_engine()),
            Backend::Sqlite(sqlite) => Backend::Sqlite(sqlite.clone()),
        };
        let (url, backoff, holds) = (settings.url.clone(), Backoff::default(), access::outbound::LastLook::default());
        let growth = access::storage_usage::Growth::default();
        let listeners = Cache::new(events::listeners::HELD);
        let catalogs = Cache::with_weighter(1_024, flows::catalog::HELD, flows::catalog::WeighCatalog);
        let compiled = Cache::with_weighter(1_024, COMPILED_BYTES, WeighFlow);
        Ok(Arc::new(Self {
            backend,
            url,
            engine,
            expensive: connection::expensive_queries::QuerySlots::new(readers, settings.search_timeout),
            loaders: Loaders::default(),
            backoff,
            growth,
            recent,
            holds,
            listeners,
            catalogs,
            compiled,
            queues: Arc::default(),
            numbered_to: Arc::default(),
            sorted: AtomicBool::default(),
        }))
    }

    /// Whether concurrent lookups of the definitions of a workspace share a query. On SQLite each query wakes a thread,
    /// and an import looks them up for each row. On PostgreSQL they run on several connections at once.
    pub(crate) fn shares_lookups(&self) -> bool {
        matches!(self.backend, Backend::Sqlite(_))
    }

    /// Runs queries on one connection, in the workspace's turn.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        ws: DbId,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.backend.read(ws, query).await.map_err(Fault::into_store_error)
    }

    /// Runs a lookup of one or a few rows. On PostgreSQL it is pipelined on a connection of the calling thread.
    pub(crate) async fn read_row<T: Send + 'static>(
        &self,
        ws: DbId,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, StoreError> {
        match &self.backend {
            Backend::Postgres(_) => self.read_so(ws, ReadMode::PointLookup, query).await,
            Backend::Sqlite(_) => self.read(ws, query).await,
        }
    }

    pub(crate) async fn read_as_one<T: Send + 'static>(
        &self,
        ws: DbId,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_so(ws, ReadMode::Snapshot, query).await
    }

    /// Runs queries as of one instant, in the given mode.
    pub(crate) async fn read_so<T: Send + 'static>(
        &self,
        ws: DbId,
        how: ReadMode,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, StoreError> {
        connection::failpoints::call().map_err(Fault::into_store_error)?;
        let answer = match (&self.backend, how) {
            (Backend::Postgres(postgres), ReadMode::PointLookup) => postgres.read_row(query).await,
            (Backend::Postgres(postgres), ReadMode::Statement) => postgres.read(query).await,
            (Backend::Postgres(postgres), ReadMode::Snapshot) => postgres.read_as_one(query).await,
            (Backend::Postgres(postgres), ReadMode::Planner) => postgres.read_freely(query).await,
            (Backend::Sqlite(sqlite), _) => sqlite.read_as_one(sqlite::Turn::of(ws), query).await,
        };
        connection::failpoints::read().and(answer).map_err(Fault::into_store_error)
    }

    pub(crate) async fn transact<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.backend.transact(work).await
    }
}

#[async_trait]
impl Ledger for Storage {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        Ok(self.commit_or_return(set).await?)
    }

    async fn commit_or_return(&self, set: ChangeSet) -> Result<(), RejectedChangeSet> {
        if let Err(fault) = write::check_size(&set) {
            return CommitResult::with(Err(fault), set).into_committed().map(|_| ());
        }
        let (workspace, added) = (DbId::from(set.workspace), StoredBytes::added_by(&set));
        let may_hold =
            set.changes.iter().any(|change| matches!(change, Change::Update(Row::Workspace(_)) | Change::Access(_)));
        let may_change_catalog = set.changes.iter().any(flows::catalog::may_change);
        let may_erase = set.changes.iter().any(|change| matches!(change, Change::Erasure(_) | Change::Merge(_)));
        let brought = jobs::AffectedQueues::by(&set);
        if let Err(fault) = connection::failpoints::call() {
            return CommitResult::with(Err(fault), set).into_committed().map(|_| ());
        }
        let CommitResult { outcome, set } = match &self.backend {
            Backend::Postgres(postgres) => postgres.commit(set).await,
            Backend::Sqlite(sqlite) => sqlite.commit(set).await,
        };
        let outcome =
            connection::failpoints::written().and(outcome).inspect_err(|fault| self.backend.disk().note(fault));
        if outcome.as_ref().is_err_and(connection::backoff::is_lost_race) {
            self.backoff.pause(workspace).await;
        }
        if may_hold {
            self.holds.forget();
        }
        if may_change_catalog || matches!(outcome, Err(Fault::Conflict(Conflict::CatalogChanged))) {
            self.catalogs.remove(&workspace);
        }
        if may_erase {
            // Only an erasure or a merge changes an event's envelope or contact.
            self.recent.clear();
        }
        // The set may be committed even if the answer was lost.
        self.queues.note(&brought);
        let committed = CommitResult { outcome, set }.into_committed()?;
        self.growth.add(workspace, &added, Instant::now());
        for event in committed.into_iter().flat_map(|set| set.events) {
            self.recent.insert((workspace, event.id.into()), stored(event));
        }
        Ok(())
    }
}

fn stored(Event { id, kind, at, full, thin, .. }: Event) -> StoredEvent {
    StoredEvent { id, kind, at, full, thin }
}

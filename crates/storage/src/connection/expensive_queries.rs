//! Limits of expensive queries: searches, counts and lists with text filters. Their cost grows with the workspace.
//!
//! They use at most half of the readers. Workspaces take turns, each query has a time limit, and a query behind too
//! many others of its workspace is rejected.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tidings_domain::access::Access;
use tidings_domain::ports::StoreError;

use crate::connection::concurrency_limit::{ConcurrencyLimit, Permit, WaitLimits};
use crate::connection::faults::Fault;
use crate::connection::{Connection, failpoints};
use crate::queries::types::DbId;
use crate::sqlite::Turn;
use crate::{Backend, ReadMode, Storage};

/// Limits of the waiting queries of a workspace's requests: their number and maximum wait.
const OF_REQUESTS: WaitLimits = WaitLimits { waiting: 16, time: Duration::from_secs(3) };
/// The same limits for engines. No client waits for their answers.
const OF_ENGINES: WaitLimits = WaitLimits { waiting: 1_024, time: ENGINES };
/// The time limit of an engine's query.
const ENGINES: Duration = Duration::from_secs(60);

pub(crate) struct QuerySlots {
    limit: Arc<ConcurrencyLimit>,
    time: Duration,
}

impl QuerySlots {
    /// Creates slots for half of the readers. One workspace gets at most half of the slots: the next workspace finds a
    /// free one.
    pub(crate) fn new(readers: usize, time: Duration) -> Self {
        let places = (readers / 2).max(1);
        Self { limit: ConcurrencyLimit::new(places, (places / 2).max(1)), time }
    }

    pub(crate) fn status(&self) -> (usize, usize) {
        (self.limit.inside(), self.limit.waiting())
    }

    async fn enter(&self, access: &Access) -> Result<(Permit, Duration), StoreError> {
        let (limits, time) = if access.is_background() { (OF_ENGINES, ENGINES) } else { (OF_REQUESTS, self.time) };
        let pass = self.limit.enter(DbId::from(access.workspace()).0, limits).await;
        Ok((pass.map_err(|_| StoreError::Crowded)?, time))
    }
}

impl Storage {
    /// Runs queries that are expensive only with some parameters. They read as of one instant.
    ///
    /// # Errors
    /// See [`Storage::read_expensively`].
    pub(crate) async fn read_at_cost<T: Send + 'static>(
        &self,
        access: &Access,
        is_expensive: bool,
        how: ReadMode,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, StoreError> {
        match is_expensive {
            true => self.read_expensively(access, how, query).await,
            false => self.read_so(access.workspace().into(), how, query).await,
        }
    }

    /// Runs expensive queries as of one instant. They are interrupted when the future is dropped.
    ///
    /// # Errors
    /// [`StoreError::Crowded`] if too many queries of the workspace wait, [`StoreError::TooSlow`] at the time limit.
    pub(crate) async fn read_expensively<T: Send + 'static>(
        &self,
        access: &Access,
        how: ReadMode,
        query: impl for<'c> FnOnce(Connection<'c>) -> BoxFuture<'c, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, StoreError> {
        failpoints::call().map_err(Fault::into_store_error)?;
        let (pass, time) = self.expensive.enter(access).await?;
        let answer = match &self.backend {
            Backend::Postgres(postgres) => postgres.read_expensively(how, time, pass, query).await,
            Backend::Sqlite(sqlite) => {
                let turn = Turn::expensive(access.workspace().into(), time, pass);
                sqlite.read_as_one(turn, query).await
            }
        };
        failpoints::read().and(answer).map_err(Fault::into_store_error)
    }
}

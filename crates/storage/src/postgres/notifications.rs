//! Messages between all clients of a database with `LISTEN` and `NOTIFY`.
//!
//! A message has a separate transaction without other writes, because PostgreSQL serializes the commits of transactions
//! that notify. It waits for no disk and no standby, because messages do not survive the server anyway.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use diesel::sql_types::{Array, Text};
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures::StreamExt;
use tidings_domain::ports::{HintBus, HintBusConnection, StoreError};
use tokio::time::timeout;

use super::{DEADLINE, DemotedServer, PATIENCE, Target};
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;

const LISTEN: &str = "SET synchronous_commit = off; LISTEN tidings_hints";
const NOTIFY: &str = "SELECT pg_notify('tidings_hints', message) FROM unnest($1) AS message";

/// Sends and receives messages on separate connections.
pub(crate) struct Notifications {
    target: Arc<Target>,
    stepped_down: Arc<DemotedServer>,
}

struct Listening {
    connection: AsyncPgConnection,
    made: Instant,
    stepped_down: Arc<DemotedServer>,
}

impl Notifications {
    pub(super) fn new(target: Arc<Target>, stepped_down: Arc<DemotedServer>) -> Self {
        Self { target, stepped_down }
    }
}

#[async_trait]
impl HintBus for Notifications {
    async fn connect(&self) -> Result<Box<dyn HintBusConnection>, StoreError> {
        let connecting = async {
            let connection = self.target.connect().await.map_err(|error| unavailable(&error.to_string()))?;
            let mut statements = &connection;
            statements.batch_execute(LISTEN).await.map_err(store_error)?;
            Ok::<_, StoreError>(connection)
        };
        let connection = timeout(PATIENCE, connecting).await.map_err(|_| unavailable("no connection in time"))??;
        Ok(Box::new(Listening { connection, made: Instant::now(), stepped_down: Arc::clone(&self.stepped_down) }))
    }
}

#[async_trait]
impl HintBusConnection for Listening {
    async fn send(&mut self, messages: Vec<String>) -> Result<(), StoreError> {
        if self.stepped_down.covers(self.made) {
            return Err(unavailable("the connection leads to a read-only server"));
        }
        if messages.is_empty() {
            return Ok(());
        }
        let mut connection = &self.connection;
        let query = PreparedQuery(diesel::sql_query(NOTIFY).bind::<Array<Text>, _>(messages));
        let sent = timeout(DEADLINE, diesel_async::RunQueryDsl::execute(query, &mut connection)).await;
        sent.map_err(|_| unavailable("no response in time"))?.map(drop).map_err(store_error)
    }

    async fn next(&mut self) -> Result<String, StoreError> {
        let mut notifications = std::pin::pin!(self.connection.notifications_stream());
        match notifications.next().await {
            Some(Ok(notification)) => Ok(notification.payload),
            Some(Err(error)) => Err(store_error(error)),
            None => Err(unavailable("the connection ended")),
        }
    }
}

fn store_error(error: diesel::result::Error) -> StoreError {
    Fault::from(error).into_store_error()
}

fn unavailable(why: &str) -> StoreError {
    StoreError::Unavailable(why.to_owned())
}

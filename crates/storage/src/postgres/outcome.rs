//! The outcome of a transaction with an unanswered COMMIT. PostgreSQL stores it by transaction ID.
//!
//! A crashed server reuses IDs that it had not written to disk. "Aborted" is therefore always correct, but "committed"
//! may refer to another transaction. A row that only this transaction can have written must exist as well.
//!
//! The answer comes from the server that is reachable now. If it is a promoted standby without the last transactions,
//! the outcome on the old server remains unknown.

use std::io::Write;
use std::time::Duration;

use diesel::define_sql_function;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::SqlType;
use diesel::{OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use tidings_domain::ports::{ChangeSet, IdempotencyRecord};
use tokio::time::{Instant, sleep, timeout_at};

use super::Target;
use crate::queries::types::DbId;
use crate::schema::{events, idempotency_keys};

/// Pause between two questions.
const PAUSE: Duration = Duration::from_millis(50);

/// PostgreSQL's 64-bit transaction ID.
#[derive(SqlType, QueryId)]
#[diesel(postgres_type(oid = 5069, array_oid = 271))]
pub struct Xid8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Xid8)]
pub(crate) struct Xid(u64);

impl FromSql<Xid8, Pg> for Xid {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(u64::from_be_bytes(value.as_bytes().try_into()?)))
    }
}

impl ToSql<Xid8, Pg> for Xid {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&self.0.to_be_bytes())?;
        Ok(IsNull::No)
    }
}

define_sql_function! {
    /// Returns the ID of the current transaction. Assigns one if it has none.
    fn pg_current_xact_id() -> Xid8;
}

define_sql_function! {
    /// Returns `committed`, `aborted`, `in progress`, or null if the transaction is too old.
    fn pg_xact_status(xid: Xid8) -> diesel::sql_types::Nullable<diesel::sql_types::Text>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Committed,
    Aborted,
    Unknown,
}

/// Returns the ID of the open transaction on the connection.
pub(super) async fn current(mut connection: &AsyncPgConnection) -> diesel::QueryResult<Xid> {
    diesel::select(pg_current_xact_id()).get_result(&mut connection).await
}

/// A row that only one change set can have written and that remains for hours at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Proof {
    Event(DbId, DbId),
    /// An idempotency record, which contains the IDs of created objects.
    Answer(DbId, Box<IdempotencyRecord>),
}

impl Proof {
    /// Returns a proof that the set was committed, if it writes one.
    pub(super) fn of(set: &ChangeSet) -> Option<Self> {
        let workspace = DbId::from(set.workspace);
        match (set.events.as_slice().first(), &set.idempotency) {
            (Some(event), _) => Some(Self::Event(workspace, event.id.into())),
            (None, Some(record)) => Some(Self::Answer(workspace, Box::new(record.clone()))),
            (None, None) => None,
        }
    }

    async fn is_there(&self, mut connection: &AsyncPgConnection) -> diesel::QueryResult<bool> {
        match self {
            Self::Event(workspace, event) => {
                let found = events::table.find((workspace, event)).select(events::id);
                Ok(found.first::<DbId>(&mut connection).await.optional()?.is_some())
            }
            Self::Answer(workspace, kept) => {
                let found = idempotency_keys::table.find((workspace, &kept.method, &kept.route, &kept.key));
                let found = found.select(idempotency_keys::body).first::<Vec<u8>>(&mut connection).await.optional()?;
                Ok(found.is_some_and(|body| *body == *kept.body.to_stored_bytes()))
            }
        }
    }
}

/// Asks on new connections until an answer or the deadline.
pub(super) async fn of(target: &Target, xid: Xid, proof: Option<&Proof>, deadline: Instant) -> Outcome {
    let asking = async {
        loop {
            match ask(target, xid, proof).await {
                Ok(Some(outcome)) => return outcome,
                // The transaction is still in progress, or no server answers.
                Ok(None) => {}
                Err(error) => tracing::debug!(%error, "the outcome of a commit is not available yet"),
            }
            sleep(PAUSE).await;
        }
    };
    timeout_at(deadline, asking).await.unwrap_or(Outcome::Unknown)
}

async fn ask(target: &Target, xid: Xid, proof: Option<&Proof>) -> Result<Option<Outcome>, String> {
    let connection = target.connect().await.map_err(|error| error.to_string())?;
    let asked = async {
        let mut connection = &connection;
        let word: Option<String> = diesel::select(pg_xact_status(xid)).get_result(&mut connection).await?;
        Ok::<_, diesel::result::Error>(match word.as_deref() {
            Some("committed") => match proof {
                Some(proof) if proof.is_there(connection).await? => Some(Outcome::Committed),
                Some(_) => Some(Outcome::Aborted),
                None => Some(Outcome::Unknown),
            },
            Some("aborted") => Some(Outcome::Aborted),
            Some(_) => None,
            None => Some(Outcome::Unknown),
        })
    };
    asked.await.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use diesel_async::SimpleAsyncConnection;
    use tidings_storage_suite::databases::PostgresDatabase;
    use uuid::Uuid;

    use super::*;
    use crate::{Storage, StorageSettings};

    #[tokio::test]
    async fn a_committed_transaction_id_alone_proves_nothing() {
        let database = PostgresDatabase::new().await;
        let url = database.url();
        let storage = Storage::open(&StorageSettings::new(url.clone())).await.expect("a store");
        storage.migrate().await.expect("a schema");
        let target = Target::parse(&url).expect("an address");
        let connection = target.connect().await.expect("a connection");
        (&connection).batch_execute("BEGIN").await.expect("a transaction");
        let xid = current(&connection).await.expect("its number");
        (&connection).batch_execute("COMMIT").await.expect("a commit");

        let soon = Instant::now() + Duration::from_secs(5);
        let never_written = Proof::Event(DbId(Uuid::from_u128(1)), DbId(Uuid::from_u128(2)));
        assert_eq!(of(&target, xid, Some(&never_written), soon).await, Outcome::Aborted);
        assert_eq!(of(&target, xid, None, soon).await, Outcome::Unknown);
    }
}

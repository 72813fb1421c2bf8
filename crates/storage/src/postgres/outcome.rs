//! What became of a transaction whose COMMIT was sent and never answered: PostgreSQL remembers it
//! by the transaction's number.
//!
//! The answer is that of the server which is reached now. Where that is a standby that was promoted
//! without the last transactions, nobody can tell what the old one had acknowledged.

use std::io::Write;
use std::time::Duration;

use diesel::define_sql_function;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::SqlType;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use tokio::time::{Instant, sleep, timeout_at};

/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(50);

/// PostgreSQL's 64-bit number of a transaction, which is never used again.
#[derive(SqlType, QueryId)]
#[diesel(postgres_type(oid = 5069, array_oid = 271))]
pub struct Xid8;

/// The number of a transaction.
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
    /// The number of the present transaction; it gets one if it has none.
    fn pg_current_xact_id() -> Xid8;
}

define_sql_function! {
    /// `committed`, `aborted`, `in progress`; null where it was too long ago.
    fn pg_xact_status(xid: Xid8) -> diesel::sql_types::Nullable<diesel::sql_types::Text>;
}

/// What became of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Committed,
    Aborted,
    Unknown,
}

/// The number of the transaction that is open on the connection.
pub(super) async fn current(mut connection: &AsyncPgConnection) -> diesel::QueryResult<Xid> {
    diesel::select(pg_current_xact_id()).get_result(&mut connection).await
}

/// Asks on new connections until there is an answer or the deadline has come.
pub(super) async fn of(url: &str, xid: Xid, deadline: Instant) -> Outcome {
    let asking = async {
        loop {
            match ask(url, xid).await {
                Ok(Some(word)) if word == "committed" => return Outcome::Committed,
                Ok(Some(word)) if word == "aborted" => return Outcome::Aborted,
                Ok(None) => return Outcome::Unknown,
                // It is in progress still, or nobody answers.
                Ok(Some(_)) => {}
                Err(error) => tracing::debug!(%error, "the outcome of a commit cannot be asked for yet"),
            }
            sleep(PAUSE).await;
        }
    };
    timeout_at(deadline, asking).await.unwrap_or(Outcome::Unknown)
}

async fn ask(url: &str, xid: Xid) -> Result<Option<String>, String> {
    let connection = super::connect(url).await.map_err(|error| error.to_string())?;
    let mut connection = &connection;
    diesel::select(pg_xact_status(xid)).get_result(&mut connection).await.map_err(|error| error.to_string())
}

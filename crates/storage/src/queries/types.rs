//! Column types that differ between the databases: IDs and instants.

use std::io::Write;

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{BigInt, Binary, SqlType};
use diesel::sqlite::Sqlite;
use tidings_domain::ids::TypedId;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

/// An ID: `uuid` on PostgreSQL, 16 bytes on SQLite.
#[derive(Debug, Clone, Copy, Default, SqlType, QueryId)]
#[diesel(postgres_type(oid = 2950, array_oid = 2951))]
#[diesel(sqlite_type(name = "Binary"))]
pub struct Id;

/// An instant: `timestamptz` on PostgreSQL, microseconds since 1970 on SQLite.
#[derive(Debug, Clone, Copy, Default, SqlType, QueryId)]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
#[diesel(sqlite_type(name = "Long"))]
pub struct Instant;

/// A value of an [`Id`] column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = Id)]
pub struct DbId(pub Uuid);

impl<I: TypedId> From<I> for DbId {
    fn from(id: I) -> Self {
        Self(id.uuid())
    }
}

impl DbId {
    /// Converts to the ID type of the column.
    pub fn to_typed_id<I: TypedId>(self) -> I {
        I::from_uuid(self.0)
    }
}

/// A value of an [`Instant`] column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = Instant)]
pub struct DbTime(pub Timestamp);

impl From<Timestamp> for DbTime {
    fn from(time: Timestamp) -> Self {
        Self(time)
    }
}

/// Microseconds from 1970-01-01 to 2000-01-01, the start of PostgreSQL's time.
const PG_EPOCH_MICROS: i64 = 946_684_800_000_000;

fn micros(time: Timestamp) -> i64 {
    time.millis().saturating_mul(1_000)
}

fn from_micros(micros: i64) -> DbTime {
    DbTime(Timestamp::from_millis(micros.div_euclid(1_000)))
}

impl ToSql<Id, Pg> for DbId {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<Id, Pg> for DbId {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(Uuid::from_slice(value.as_bytes())?))
    }
}

impl ToSql<Id, Sqlite> for DbId {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.as_bytes().as_slice());
        Ok(IsNull::No)
    }
}

impl FromSql<Id, Sqlite> for DbId {
    fn from_sql(value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        let bytes = <Vec<u8> as FromSql<Binary, Sqlite>>::from_sql(value)?;
        Ok(Self(Uuid::from_slice(&bytes)?))
    }
}

impl ToSql<Instant, Pg> for DbTime {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&micros(self.0).saturating_sub(PG_EPOCH_MICROS).to_be_bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<Instant, Pg> for DbTime {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let since_2000 = i64::from_be_bytes(value.as_bytes().try_into()?);
        Ok(from_micros(since_2000.saturating_add(PG_EPOCH_MICROS)))
    }
}

impl ToSql<Instant, Sqlite> for DbTime {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(micros(self.0));
        Ok(IsNull::No)
    }
}

impl FromSql<Instant, Sqlite> for DbTime {
    fn from_sql(value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(from_micros(<i64 as FromSql<BigInt, Sqlite>>::from_sql(value)?))
    }
}

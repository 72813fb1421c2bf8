//! Queries with a constant text, which Diesel cannot detect.

use diesel::backend::Backend;
use diesel::deserialize;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::methods::ExecuteDsl;
use diesel::row::NamedRow;
use diesel::sql_types::{BigInt, Untyped};
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, QueryableByName, RunQueryDsl, SqliteConnection};

/// A query that is prepared once on each connection. Diesel would prepare it for every call: it does not know that raw
/// SQL is constant, or that an update always writes the same columns. A query without a static Diesel type ID is cached
/// by its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreparedQuery<Q>(pub(crate) Q);

impl<Q: QueryId> QueryId for PreparedQuery<Q> {
    type QueryId = Q::QueryId;
    const HAS_STATIC_QUERY_ID: bool = Q::HAS_STATIC_QUERY_ID;
}

impl<Q: Query> Query for PreparedQuery<Q> {
    type SqlType = Q::SqlType;
}

impl<Q: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for PreparedQuery<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q, C> RunQueryDsl<C> for PreparedQuery<Q> {}

/// A query that is prepared like [`PreparedQuery`] if it is `bounded`: it then has few forms. Otherwise Diesel decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoundedQuery<Q> {
    pub(crate) query: Q,
    pub(crate) bounded: bool,
}

impl<Q: QueryId> QueryId for BoundedQuery<Q> {
    type QueryId = Q::QueryId;
    const HAS_STATIC_QUERY_ID: bool = Q::HAS_STATIC_QUERY_ID;
}

impl<Q: Query> Query for BoundedQuery<Q> {
    type SqlType = Q::SqlType;
}

impl<Q: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for BoundedQuery<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.query.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, backend: &DB) -> QueryResult<bool> {
        if self.bounded { Ok(true) } else { self.query.is_safe_to_cache_prepared(backend) }
    }
}

impl<Q, C> RunQueryDsl<C> for BoundedQuery<Q> {}

/// Runs a statement on SQLite and returns the number of affected rows.
///
/// Diesel passes statements by reference and then does not see the properties of [`PreparedQuery`], but it passes queries by
/// value. A statement that Diesel would prepare again is therefore run as a query without rows.
pub(crate) fn execute<Q>(query: Q, connection: &mut SqliteConnection) -> QueryResult<usize>
where
    Q: QueryFragment<Sqlite> + QueryId + ExecuteDsl<SqliteConnection>,
{
    if query.is_safe_to_cache_prepared(&Sqlite)? {
        return ExecuteDsl::execute(query, connection);
    }
    run(query, connection)?;
    let touched: Touched = PreparedQuery(diesel::sql_query("SELECT changes() AS rows")).get_result(connection)?;
    Ok(usize::try_from(touched.rows).unwrap_or_default())
}

/// Runs a statement on SQLite as [`execute`] does, without counting rows.
pub(crate) fn run<Q>(query: Q, connection: &mut SqliteConnection) -> QueryResult<()>
where
    Q: QueryFragment<Sqlite> + QueryId,
{
    PreparedQuery(WithoutRows(query)).load::<NoColumns>(connection).map(|_| ())
}

#[derive(QueryableByName)]
struct Touched {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// A statement in the form of a query.
struct WithoutRows<Q>(Q);

impl<Q: QueryId> QueryId for WithoutRows<Q> {
    type QueryId = Q::QueryId;
    const HAS_STATIC_QUERY_ID: bool = Q::HAS_STATIC_QUERY_ID;
}

impl<Q> Query for WithoutRows<Q> {
    type SqlType = Untyped;
}

impl<Q: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for WithoutRows<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }
}

/// The row type of a query without rows.
struct NoColumns;

impl QueryableByName<Sqlite> for NoColumns {
    fn build<'a>(_: &impl NamedRow<'a, Sqlite>) -> deserialize::Result<Self> {
        Ok(Self)
    }
}

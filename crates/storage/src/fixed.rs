//! Queries whose text never changes though Diesel cannot know it.

use diesel::backend::Backend;
use diesel::deserialize;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::methods::ExecuteDsl;
use diesel::row::NamedRow;
use diesel::sql_types::{BigInt, Untyped};
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, QueryableByName, RunQueryDsl, SqliteConnection};

/// A query that is prepared once on each connection, where Diesel would prepare it for every call: it does not know
/// that raw SQL is a constant of the program, nor that the columns which an update writes are always the same. Where
/// Diesel does not tell queries apart by their types, this one is told apart by its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixed<Q>(pub(crate) Q);

impl<Q: QueryId> QueryId for Fixed<Q> {
    type QueryId = Q::QueryId;
    const HAS_STATIC_QUERY_ID: bool = Q::HAS_STATIC_QUERY_ID;
}

impl<Q: Query> Query for Fixed<Q> {
    type SqlType = Q::SqlType;
}

impl<Q: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for Fixed<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q, C> RunQueryDsl<C> for Fixed<Q> {}

/// Runs a statement on SQLite and tells how many rows it touched.
///
/// Diesel hands statements on by reference, by which it does not see what [`Fixed`] says of them; queries it takes as
/// they are. So what it would prepare anew is run as a query without rows.
pub(crate) fn execute<Q>(query: Q, connection: &mut SqliteConnection) -> QueryResult<usize>
where
    Q: QueryFragment<Sqlite> + QueryId + ExecuteDsl<SqliteConnection>,
{
    if query.is_safe_to_cache_prepared(&Sqlite)? {
        return ExecuteDsl::execute(query, connection);
    }
    Fixed(WithoutRows(query)).load::<Nothing>(connection)?;
    let touched: Touched = Fixed(diesel::sql_query("SELECT changes() AS rows")).get_result(connection)?;
    Ok(usize::try_from(touched.rows).unwrap_or_default())
}

#[derive(QueryableByName)]
struct Touched {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// A statement as a query.
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

/// The row that there is none of.
struct Nothing;

impl QueryableByName<Sqlite> for Nothing {
    fn build<'a>(_: &impl NamedRow<'a, Sqlite>) -> deserialize::Result<Self> {
        Ok(Self)
    }
}

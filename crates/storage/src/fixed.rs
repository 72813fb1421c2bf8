//! Queries whose text never changes though Diesel cannot know it.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};

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

impl<Q, C> diesel::RunQueryDsl<C> for Fixed<Q> {}

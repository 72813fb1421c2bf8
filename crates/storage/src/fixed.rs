//! Queries whose text never changes though Diesel cannot know it.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};

/// A query with parts of raw SQL that are constants of the program: it is prepared once on each connection, where
/// Diesel would prepare it for every call. It is told apart by its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixed<Q>(pub(crate) Q);

impl<Q> QueryId for Fixed<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
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

//! Lists of whole workspaces.

use diesel::QueryResult;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sqlite::Sqlite;

/// A condition that is always true. On PostgreSQL it selects the index for lists of whole workspaces, which no other
/// query uses. SQLite chooses that index by the order of the list, and with the condition would use an index on its
/// column instead.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct ListIndex<E>(pub(crate) E);

crate::queries::delegate_expression::delegates_to_inner!(ListIndex);

impl<E: QueryFragment<Pg>> QueryFragment<Pg> for ListIndex<E> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }
}

impl<E> QueryFragment<Sqlite> for ListIndex<E> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        pass.push_sql("1");
        Ok(())
    }
}

/// The opposite: on SQLite it selects the index of a query without an order. The index in creation order reads rows in
/// their stored order. With any other index, each row is on a different page.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct ScanOrder<E>(pub(crate) E);

crate::queries::delegate_expression::delegates_to_inner!(ScanOrder);

impl<E> QueryFragment<Pg> for ScanOrder<E> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        pass.push_sql("TRUE");
        Ok(())
    }
}

impl<E: QueryFragment<Sqlite>> QueryFragment<Sqlite> for ScanOrder<E> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }
}

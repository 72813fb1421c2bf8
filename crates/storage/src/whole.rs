//! Lists of whole workspaces.

use diesel::QueryResult;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sqlite::Sqlite;

/// A condition that always holds, and that on PostgreSQL says which index is meant: that of such lists is of use to nothing
/// else. SQLite goes by the order of a list by itself, and would go by an index of the condition's column instead.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct Whole<E>(pub(crate) E);

crate::wrapper::wraps!(Whole);

impl<E: QueryFragment<Pg>> QueryFragment<Pg> for Whole<E> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }
}

impl<E> QueryFragment<Sqlite> for Whole<E> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        pass.push_sql("1");
        Ok(())
    }
}

/// The other way round: on SQLite it says which index a query without an order goes by. That of the order in which rows were
/// made reads them as they lie; by any other, each is a page of its own.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct AsMade<E>(pub(crate) E);

crate::wrapper::wraps!(AsMade);

impl<E> QueryFragment<Pg> for AsMade<E> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        pass.push_sql("TRUE");
        Ok(())
    }
}

impl<E: QueryFragment<Sqlite>> QueryFragment<Sqlite> for AsMade<E> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }
}

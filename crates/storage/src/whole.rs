//! Lists of whole workspaces.

use diesel::QueryResult;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Bool;
use diesel::sqlite::Sqlite;

/// A condition that always holds, and that on PostgreSQL says which index is meant: that of such lists is of use to nothing
/// else. SQLite goes by the order of a list by itself, and would go by an index of the condition's column instead.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct Whole<E>(pub(crate) E);

impl<E: Expression<SqlType = Bool>> Expression for Whole<E> {
    type SqlType = Bool;
}

impl<E, S> AppearsOnTable<S> for Whole<E>
where
    E: AppearsOnTable<S>,
    Self: Expression,
{
}

impl<E, S> SelectableExpression<S> for Whole<E>
where
    E: SelectableExpression<S>,
    Self: AppearsOnTable<S>,
{
}

impl<E: ValidGrouping<G>, G> ValidGrouping<G> for Whole<E> {
    type IsAggregate = E::IsAggregate;
}

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

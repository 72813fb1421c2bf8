//! Conditions that filter rows without an index.

use diesel::QueryResult;
use diesel::expression::{
    AppearsOnTable, AsExpression, Expression, SelectableExpression, TypedExpressionType, ValidGrouping,
};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{Bool, SqlType};
use diesel::sqlite::Sqlite;

/// Compares two values in a form that no index supports: on PostgreSQL with an operator unknown to indexes, on SQLite
/// by comparing an expression instead of a column.
#[derive(Debug, Clone, Copy, QueryId, ValidGrouping)]
pub(crate) struct IsSame<L, R> {
    left: L,
    right: R,
}

impl<L: Expression, R: Expression> Expression for IsSame<L, R> {
    type SqlType = Bool;
}

impl<L, R, S> AppearsOnTable<S> for IsSame<L, R>
where
    L: AppearsOnTable<S>,
    R: AppearsOnTable<S>,
{
}

impl<L, R, S> SelectableExpression<S> for IsSame<L, R>
where
    L: SelectableExpression<S>,
    R: SelectableExpression<S>,
    Self: AppearsOnTable<S>,
{
}

impl<L: QueryFragment<Pg>, R: QueryFragment<Pg>> QueryFragment<Pg> for IsSame<L, R> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.left.walk_ast(out.reborrow())?;
        out.push_sql(" IS NOT DISTINCT FROM ");
        self.right.walk_ast(out)
    }
}

impl<L: QueryFragment<Sqlite>, R: QueryFragment<Sqlite>> QueryFragment<Sqlite> for IsSame<L, R> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("+");
        self.left.walk_ast(out.reborrow())?;
        out.push_sql(" IS ");
        self.right.walk_ast(out)
    }
}

/// An additional condition that does not lead the lookup. A plain `=` would allow every index that starts with the
/// column, and a planner without statistics might choose a wrong one.
pub(crate) trait UnindexedFilter: Expression + Sized {
    /// Compares with a value, without an index lookup.
    fn eq_unindexed<T>(self, value: T) -> IsSame<Self, T::Expression>
    where
        Self::SqlType: SqlType + TypedExpressionType,
        T: AsExpression<Self::SqlType>,
    {
        IsSame { left: self, right: value.as_expression() }
    }
}

impl<E: Expression> UnindexedFilter for E {}

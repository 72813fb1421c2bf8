//! Conditions that are checked of what was found, and that nothing is looked up by.

use diesel::QueryResult;
use diesel::expression::{
    AppearsOnTable, AsExpression, Expression, SelectableExpression, TypedExpressionType, ValidGrouping,
};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{Bool, SqlType};
use diesel::sqlite::Sqlite;

/// That two values are the same, in the form that no index serves: on PostgreSQL by an operator that indexes do not know,
/// on SQLite as a comparison of what is no column.
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

/// A condition beside the one that a query goes by. An equation would offer every index that begins with the column,
/// and a planner that knows nothing of a table takes any for as good as another.
pub(crate) trait Checked: Expression + Sized {
    /// Whether it has this value; rows are not looked up by it.
    fn checked<T>(self, value: T) -> IsSame<Self, T::Expression>
    where
        Self::SqlType: SqlType + TypedExpressionType,
        T: AsExpression<Self::SqlType>,
    {
        IsSame { left: self, right: value.as_expression() }
    }
}

impl<E: Expression> Checked for E {}

//! Conditions that are checked of what was found, and that nothing is looked up by.

use diesel::expression::{AsExpression, Expression, TypedExpressionType};
use diesel::sql_types::{Bool, SqlType};

// No index of PostgreSQL serves this operator.
diesel::infix_operator!(IsSame, " IS NOT DISTINCT FROM ", Bool);

/// A condition beside the one that a query goes by. An equation would offer every index that begins with the column,
/// and a planner that knows nothing of a table takes any for as good as another.
pub(crate) trait Checked: Expression + Sized {
    /// Whether it has this value; rows are not looked up by it.
    fn checked<T>(self, value: T) -> IsSame<Self, T::Expression>
    where
        Self::SqlType: SqlType + TypedExpressionType,
        T: AsExpression<Self::SqlType>,
    {
        IsSame::new(self, value.as_expression())
    }
}

impl<E: Expression> Checked for E {}

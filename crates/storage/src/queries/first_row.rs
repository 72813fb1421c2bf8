//! The first row in the order of a column.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

/// Orders a query by a column and appends `LIMIT 1` as text. For a limit that is a parameter, PostgreSQL expects a
/// tenth of the estimated rows. The generic plan would look too expensive, and PostgreSQL would plan each execution
/// again.
///
/// With the range condition `column BETWEEN text AND text`, it selects the single row with this text. Only an index
/// with the order of the column is then usable.
#[derive(Debug, Clone, Copy, QueryId, ValidGrouping)]
pub(crate) struct FirstRow<C>(pub(crate) C);

impl<C: Expression> Expression for FirstRow<C> {
    type SqlType = C::SqlType;
}

impl<C: AppearsOnTable<S>, S> AppearsOnTable<S> for FirstRow<C> {}

impl<C: SelectableExpression<S>, S> SelectableExpression<S> for FirstRow<C> {}

impl<C: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for FirstRow<C> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass.reborrow())?;
        pass.push_sql(" LIMIT 1");
        Ok(())
    }
}

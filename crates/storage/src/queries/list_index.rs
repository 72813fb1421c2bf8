//! Lists of whole workspaces.

use diesel::dsl::GtEq;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sqlite::Sqlite;
use diesel::{ExpressionMethods, QueryResult};
use tidings_domain::time::Timestamp;

use crate::queries::types::{DbTime, Instant};

/// A condition that is always true. On PostgreSQL it selects the index for lists of whole workspaces, which no other
/// query uses. SQLite chooses that index by the order of the list, and with the condition would use an index on its
/// column instead.
#[derive(Debug, Clone, Copy, QueryId, ValidGrouping)]
pub(crate) struct ListIndex<E>(pub(crate) E);

impl<E: Expression> Expression for ListIndex<E> {
    type SqlType = E::SqlType;
}

impl<E: AppearsOnTable<S>, S> AppearsOnTable<S> for ListIndex<E> {}

impl<E: SelectableExpression<S>, S> SelectableExpression<S> for ListIndex<E> {}

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

/// Returns the condition for the list of a whole workspace, from the column `updated_at` of its table.
pub(crate) fn whole_list<C>(updated_at: C) -> ListIndex<GtEq<C, DbTime>>
where
    C: Expression<SqlType = Instant>,
{
    ListIndex(updated_at.ge(DbTime(Timestamp::from_millis(i64::MIN))))
}

/// The opposite: on SQLite it selects the index of a query without an order. The index in creation order reads rows in
/// their stored order. With any other index, each row is on a different page.
#[derive(Debug, Clone, Copy, QueryId, ValidGrouping)]
pub(crate) struct ScanOrder<E>(pub(crate) E);

impl<E: Expression> Expression for ScanOrder<E> {
    type SqlType = E::SqlType;
}

impl<E: AppearsOnTable<S>, S> AppearsOnTable<S> for ScanOrder<E> {}

impl<E: SelectableExpression<S>, S> SelectableExpression<S> for ScanOrder<E> {}

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

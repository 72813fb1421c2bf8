//! The first row in the order of a column.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

/// An order by a column that ends a query with `LIMIT 1`, as text: of a limit that is a parameter PostgreSQL expects a tenth
/// of what it believes a range has, so that a plan for any text looks dear, and it would plan anew for each.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct FirstBy<C>(pub(crate) C);

crate::wrapper::wraps!(FirstBy);

impl<C: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for FirstBy<C> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass.reborrow())?;
        pass.push_sql(" LIMIT 1");
        Ok(())
    }
}

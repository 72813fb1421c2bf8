//! Rows by their keys on PostgreSQL, any number of them in one statement.

use diesel::QueryResult;
use diesel::pg::{Pg, PgQueryBuilder};
use diesel::query_builder::{AstPass, Query, QueryBuilder, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::sql_types::Array;

use crate::types::{DbId, Id};

/// Columns of a table, of the rows with these keys of a workspace and an id each. Each row is looked up by itself: of a
/// join a planner that knows nothing of the table may begin at the other end, with all rows.
pub(crate) struct ByKeys<Q> {
    /// Selects the columns of all rows of a table.
    columns: Q,
    workspaces: Vec<DbId>,
    ids: Vec<DbId>,
}

impl<Q> ByKeys<Q> {
    pub(crate) fn new(columns: Q, keys: &[(DbId, DbId)]) -> Self {
        let (workspaces, ids) = keys.iter().copied().unzip();
        Self { columns, workspaces, ids }
    }
}

impl<Q> QueryId for ByKeys<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for ByKeys<Q> {
    type SqlType = Q::SqlType;
}

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for ByKeys<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut text = PgQueryBuilder::default();
        self.columns.to_sql(&mut text, &Pg)?;
        let text = text.finish();
        let parts = text.rsplit_once(" FROM ");
        let (columns, table) = parts.ok_or_else(|| Error::QueryBuilderError("a query without a table".into()))?;
        out.push_sql(columns);
        // The arrays are subqueries, so that it plans once for any.
        out.push_sql(" FROM unnest((SELECT ");
        out.push_bind_param::<Array<Id>, _>(&self.workspaces)?;
        out.push_sql("::uuid[]), (SELECT ");
        out.push_bind_param::<Array<Id>, _>(&self.ids)?;
        out.push_sql("::uuid[])) AS wanted (workspace_id, id) CROSS JOIN LATERAL (SELECT * FROM ");
        out.push_sql(table);
        out.push_sql(" AS found WHERE found.workspace_id = wanted.workspace_id AND found.id = wanted.id LIMIT 1) AS ");
        out.push_sql(table);
        Ok(())
    }
}

//! Rows by their keys on PostgreSQL, any number of them in one statement.

use diesel::QueryResult;
use diesel::pg::{Pg, PgQueryBuilder};
use diesel::query_builder::{AstPass, Query, QueryBuilder, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::sql_types::{Array, Text};

use crate::types::{DbId, Id};

/// Columns of a table, of the rows with these keys. Each row is looked up by itself: of a join a planner that knows
/// nothing of the table may begin at the other end, with all rows.
pub(crate) struct ByKeys<Q> {
    /// Selects the columns of all rows of a table.
    columns: Q,
    workspaces: Vec<DbId>,
    keys: Keys,
}

/// What names a row in its workspace.
enum Keys {
    Ids(Vec<DbId>),
    /// The value of a column that is unique among the rows that are not deleted.
    Names(&'static str, Vec<String>),
}

impl<Q> ByKeys<Q> {
    pub(crate) fn new(columns: Q, keys: &[(DbId, DbId)]) -> Self {
        let (workspaces, ids) = keys.iter().copied().unzip();
        Self { columns, workspaces, keys: Keys::Ids(ids) }
    }

    /// Of the rows that are not deleted and have one of these values in `column`.
    pub(crate) fn named(columns: Q, column: &'static str, names: Vec<(DbId, String)>) -> Self {
        let (workspaces, names) = names.into_iter().unzip();
        Self { columns, workspaces, keys: Keys::Names(column, names) }
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
        match &self.keys {
            Keys::Ids(ids) => {
                out.push_bind_param::<Array<Id>, _>(ids)?;
                out.push_sql("::uuid[]");
            }
            Keys::Names(_, names) => {
                out.push_bind_param::<Array<Text>, _>(names)?;
                out.push_sql("::text[]");
            }
        }
        out.push_sql(")) AS wanted (workspace_id, key) CROSS JOIN LATERAL (SELECT * FROM ");
        out.push_sql(table);
        out.push_sql(" AS found WHERE found.workspace_id = wanted.workspace_id AND found.");
        match self.keys {
            Keys::Ids(_) => out.push_sql("id = wanted.key"),
            // As `named!` has it: an order that only the unique index gives.
            Keys::Names(column, _) => {
                out.push_sql(column);
                out.push_sql(" BETWEEN wanted.key AND wanted.key AND found.deleted_at IS NULL ORDER BY found.");
                out.push_sql(column);
            }
        }
        out.push_sql(" LIMIT 1) AS ");
        out.push_sql(table);
        Ok(())
    }
}

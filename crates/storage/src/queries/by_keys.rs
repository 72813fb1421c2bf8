//! Lookup of any number of rows by their keys in one PostgreSQL statement.

use diesel::QueryResult;
use diesel::pg::{Pg, PgQueryBuilder};
use diesel::query_builder::{AstPass, Query, QueryBuilder, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::sql_types::{Array, Text};

use crate::queries::types::{DbId, Id};

/// Selects columns of the rows with these keys. Each row is looked up separately: without statistics, a planner could
/// start a join at the wrong end and read all rows.
pub(crate) struct ByKeys<Q> {
    /// The select of these columns from all rows of the table.
    columns: Q,
    workspaces: Vec<DbId>,
    keys: Keys,
    of_runs: bool,
}

enum Keys {
    Ids(Vec<DbId>),
    /// ID columns with their values, and the rest of the condition, which also bounds the number of rows for each key.
    Columns(Vec<(&'static str, Vec<DbId>)>, &'static str),
    /// Values of a column that is unique among the rows that are not deleted.
    Names(&'static str, Vec<String>),
}

impl<Q> ByKeys<Q> {
    pub(crate) fn new(columns: Q, keys: &[(DbId, DbId)]) -> Self {
        let (workspaces, ids) = keys.iter().copied().unzip();
        Self { columns, workspaces, keys: Keys::Ids(ids), of_runs: false }
    }

    /// Selects the rows with these IDs in `columns`. The workspace is only checked; rows are not looked up by it.
    /// `rest` ends the condition and bounds the rows for each key. Its `LIMIT` or `OFFSET` prevents the planner from
    /// turning this into a join.
    pub(crate) fn having<const N: usize>(
        columns: Q,
        names: [&'static str; N],
        keys: &[(DbId, [DbId; N])],
        rest: &'static str,
    ) -> Self {
        let workspaces = keys.iter().map(|(workspace, _)| *workspace).collect();
        let of = |at: usize| keys.iter().filter_map(|(_, ids)| ids.get(at).copied()).collect();
        let ids = (0..).zip(names).map(|(at, name)| (name, of(at))).collect();
        Self { columns, workspaces, keys: Keys::Columns(ids, rest), of_runs: false }
    }

    /// Selects the rows with these values in `column` that are not deleted.
    pub(crate) fn named(columns: Q, column: &'static str, names: Vec<(DbId, String)>) -> Self {
        let (workspaces, names) = names.into_iter().unzip();
        Self { columns, workspaces, keys: Keys::Names(column, names), of_runs: false }
    }

    /// Treats the keys as run IDs and looks up the rows of their contacts.
    pub(crate) fn of_runs(self) -> Self {
        Self { of_runs: true, ..self }
    }
}

const CONTACTS: &str = " AS asked (workspace_id, id) CROSS JOIN LATERAL (SELECT found.contact_id FROM flow_runs AS found \
    WHERE found.workspace_id = asked.workspace_id AND found.id = asked.id LIMIT 1) AS run)";

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
        // Arrays are passed as subqueries: PostgreSQL then uses one plan for any array.
        out.push_sql(if self.of_runs {
            " FROM (SELECT asked.workspace_id, run.contact_id FROM unnest((SELECT "
        } else {
            " FROM unnest((SELECT "
        });
        out.push_bind_param::<Array<Id>, _>(&self.workspaces)?;
        out.push_sql("::uuid[])");
        match &self.keys {
            Keys::Ids(ids) => push_ids(&mut out, ids)?,
            Keys::Columns(columns, _) => columns.iter().try_for_each(|(_, ids)| push_ids(&mut out, ids))?,
            Keys::Names(_, names) => {
                out.push_sql(", (SELECT ");
                out.push_bind_param::<Array<Text>, _>(names)?;
                out.push_sql("::text[])");
            }
        }
        out.push_sql(")");
        if self.of_runs {
            out.push_sql(CONTACTS);
        }
        out.push_sql(" AS wanted (workspace_id");
        match &self.keys {
            Keys::Ids(_) | Keys::Names(..) => out.push_sql(", key"),
            Keys::Columns(columns, _) => columns.iter().for_each(|(name, _)| {
                out.push_sql(", ");
                out.push_sql(name);
            }),
        }
        out.push_sql(") CROSS JOIN LATERAL (SELECT * FROM ");
        out.push_sql(table);
        out.push_sql(" AS found WHERE ");
        match &self.keys {
            Keys::Ids(_) => out.push_sql("found.workspace_id = wanted.workspace_id AND found.id = wanted.key LIMIT 1"),
            Keys::Columns(columns, rest) => {
                for (name, _) in columns {
                    out.push_sql("found.");
                    out.push_sql(name);
                    out.push_sql(" = wanted.");
                    out.push_sql(name);
                    out.push_sql(" AND ");
                }
                out.push_sql("found.workspace_id IS NOT DISTINCT FROM wanted.workspace_id ");
                out.push_sql(rest);
            }
            // As for `FirstRow`: an order that only the unique index has.
            Keys::Names(column, _) => {
                out.push_sql("found.workspace_id = wanted.workspace_id AND found.");
                out.push_sql(column);
                out.push_sql(" BETWEEN wanted.key AND wanted.key AND found.deleted_at IS NULL ORDER BY found.");
                out.push_sql(column);
                out.push_sql(" LIMIT 1");
            }
        }
        out.push_sql(") AS ");
        out.push_sql(table);
        Ok(())
    }
}

fn push_ids<'b>(out: &mut AstPass<'_, 'b, Pg>, ids: &'b Vec<DbId>) -> QueryResult<()> {
    out.push_sql(", (SELECT ");
    out.push_bind_param::<Array<Id>, _>(ids)?;
    out.push_sql("::uuid[])");
    Ok(())
}

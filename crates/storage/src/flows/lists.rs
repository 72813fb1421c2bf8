//! Lists of runs.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::flows::{Run, RunFilter};
use tidings_domain::ids::TypedId;
use tidings_domain::pagination::{Page, PageRequest, Position};

use super::RunRow;
use crate::checked::Checked;
use crate::connection::{Connection, listed, whole};
use crate::faults::Fault;
use crate::schema::flow_runs;
use crate::types::DbId;

/// As the index of runs that stand at nodes says it. That they have not ended would offer the index of live runs, too.
const LIVE: &str = "flow_runs.status IN ('active', 'waiting')";

/// Runs that a filter admits, by their starts.
pub(super) async fn runs(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &RunFilter,
    page: PageRequest,
) -> Result<Page<Run>, Fault> {
    let (rows, total): (Vec<RunRow>, _) = listed!(c, page, (flow_runs::started_at, flow_runs::id), {
        let query = flow_runs::table.select(RunRow::as_select()).into_boxed::<Db>();
        let (contact, flow) = (filter.contact.map(DbId::from), filter.flow.map(DbId::from));
        // It goes by one of them, the one that has the fewest; the others are checked. Who stands at a node of a flow is found
        // by the two together.
        let goes_by_node = filter.node.is_some() && flow.is_some() && contact.is_none();
        let query = match (contact, flow) {
            (None, None) => whole!(query.filter(flow_runs::workspace_id.eq(ws)), flow_runs::updated_at),
            _ => query.filter(flow_runs::workspace_id.checked(ws)),
        };
        let query = match (contact, flow) {
            (None, None) => query,
            (None, Some(flow)) if goes_by_node => query.filter(flow_runs::flow_id.eq(flow)),
            (None, Some(flow)) => whole!(query.filter(flow_runs::flow_id.eq(flow)), flow_runs::updated_at),
            (Some(contact), None) => query.filter(flow_runs::contact_id.eq(contact)),
            (Some(contact), Some(flow)) => {
                let of_contact = query.filter(flow_runs::contact_id.eq(contact));
                of_contact.filter(flow_runs::flow_id.checked(flow))
            }
        };
        let query = match filter.node.clone() {
            None => query,
            Some(node) if goes_by_node => query.filter(flow_runs::node.eq(node)).filter(sql::<Bool>(LIVE)),
            Some(node) => query.filter(flow_runs::node.checked(node)).filter(sql::<Bool>(LIVE)),
        };
        match filter.status {
            Some(status) => query.filter(flow_runs::status.checked(status.as_str())),
            None => query,
        }
    });
    let found = rows.into_iter().map(RunRow::read).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::cut(found, page.limit, |it| Position { at: it.started_at, id: it.id.uuid() }).of_total(total))
}

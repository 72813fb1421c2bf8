//! Searches for versions of flows.

use diesel::prelude::*;
use tidings_domain::flows::FlowVersion;
use tidings_domain::ids::FlowId;
use tidings_domain::pagination::{Order, Page, PageRequest};

use super::VersionRow;
use crate::connection::faults::Fault;
use crate::connection::{Connection, MOST_COUNTED, load, needs_count, total_of};
use crate::queries::types::DbId;
use crate::schema::{flow_versions, flows};

pub(super) async fn page(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    page: PageRequest,
) -> Result<Page<FlowVersion>, Fault> {
    let id = DbId::from(flow);
    let newest_first = page.order == Order::NewestFirst;
    let after = page.after.map(|after| FlowVersion::number_at(&after));
    let rows: Vec<VersionRow> = load!(c, {
        let query = flow_versions::table
            .filter(flow_versions::workspace_id.eq(ws))
            .filter(flow_versions::flow_id.eq(id))
            .select(VersionRow::as_select())
            .limit(i64::from(page.limit) + 1)
            .into_boxed::<Db>();
        let query = match (after, newest_first) {
            (None, _) => query,
            (Some(after), true) => query.filter(flow_versions::number.lt(after)),
            (Some(after), false) => query.filter(flow_versions::number.gt(after)),
        };
        match newest_first {
            true => query.order(flow_versions::number.desc()),
            false => query.order(flow_versions::number.asc()),
        }
    })?;
    let mut counted = rows.len();
    if needs_count(&page, counted) {
        let ids: Vec<DbId> = load!(c, {
            flow_versions::table
                .filter(flow_versions::workspace_id.eq(ws))
                .filter(flow_versions::flow_id.eq(id))
                .into_boxed::<Db>()
                .select(flow_versions::flow_id)
                .limit(MOST_COUNTED)
        })?;
        counted = ids.len();
    }
    let found = rows.into_iter().map(VersionRow::read).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::cut(found, page.limit, FlowVersion::position).of_total(total_of(&page, counted)))
}

/// Returns the published versions of flows that mention secrets.
pub(super) async fn with_secrets(c: &mut Connection<'_>, ws: DbId) -> Result<Vec<FlowVersion>, Fault> {
    let of_flow = flow_versions::workspace_id.eq(flows::workspace_id).and(flow_versions::flow_id.eq(flows::id));
    let published = of_flow.and(flow_versions::number.nullable().eq(flows::version_published));
    let rows: Vec<VersionRow> = load!(
        c,
        flows::table
            .inner_join(flow_versions::table.on(published))
            .filter(flows::workspace_id.eq(ws))
            .filter(flows::deleted_at.is_null())
            .filter(flow_versions::definition.like("%secrets%"))
            .order(flows::id)
            .select(VersionRow::as_select())
    )?;
    rows.into_iter().map(VersionRow::read).collect()
}

//! The times of the last successful deliveries of webhooks.

use std::collections::BTreeMap;

use tidings_domain::ids::WebhookId;
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::STAMP;

use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::types::{DbId, DbTime};
use crate::schema::webhooks;
use crate::write;

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct StampRow in webhooks {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) last_delivery_at: DbTime,
        /// A stored time later than this is recent enough.
        pub(crate) updated_at: DbTime,
    }
}

impl StampRow {
    pub(crate) fn write(workspace_id: DbId, webhook: WebhookId, at: Timestamp) -> Self {
        let (last_delivery_at, enough) = (DbTime(at), DbTime(at.minus(STAMP)));
        Self { workspace_id, id: webhook.into(), last_delivery_at, updated_at: enough }
    }
}

const STAMP_ON_POSTGRES: &str = "UPDATE webhooks AS t SET last_delivery_at = made.at FROM unnest((SELECT $1::uuid[]), \
    (SELECT $2::uuid[]), (SELECT $3::timestamptz[]), (SELECT $4::timestamptz[])) AS made (workspace_id, id, at, enough) \
    CROSS JOIN LATERAL (SELECT f.ctid, f.last_delivery_at FROM webhooks f WHERE f.workspace_id = made.workspace_id \
    AND f.id = made.id LIMIT 1) AS found WHERE t.ctid = found.ctid \
    AND (found.last_delivery_at IS NULL OR found.last_delivery_at <= made.enough)";
const STAMP_ON_SQLITE: &str = "UPDATE webhooks SET last_delivery_at = ?3 WHERE workspace_id = ?1 AND id = ?2 \
    AND (last_delivery_at IS NULL OR last_delivery_at <= ?4)";

/// Stamps webhooks with old stamps. Of many successes within a second, only one writes.
pub(crate) async fn stamp(c: &mut Connection<'_>, rows: Vec<StampRow>) -> Result<(), Fault> {
    let latest = BTreeMap::from_iter(rows.into_iter().map(|it| ((it.workspace_id.0, it.id.0), it)));
    let rows: Vec<_> = latest.into_values().collect();
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, &rows, STAMP_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, &rows, STAMP_ON_SQLITE).map(|_| ()),
    }
}

//! The times of the last messages of conversations.

use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::types::{DbId, DbTime};
use crate::schema::conversations;
use crate::write;

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct LastSeen in conversations {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) last_message_at: DbTime,
    }
}

const TOUCH_ON_POSTGRES: &str = "UPDATE conversations AS t SET last_message_at = seen.at, updated_at = seen.at \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::timestamptz[])) AS seen (workspace_id, id, at) \
    CROSS JOIN LATERAL (SELECT f.ctid, f.last_message_at FROM conversations f WHERE f.workspace_id = seen.workspace_id \
    AND f.id = seen.id LIMIT 1 FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid \
    AND (found.last_message_at IS NULL OR found.last_message_at < seen.at)";
const TOUCH_ON_SQLITE: &str = "UPDATE conversations SET last_message_at = ?3, updated_at = ?3 WHERE workspace_id = ?1 \
    AND id = ?2 AND (last_message_at IS NULL OR last_message_at < ?3)";

/// Moves the last-seen stamps forward, never back, and updates the times of the last change.
pub(crate) async fn touch(c: &mut Connection<'_>, rows: &[LastSeen]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, TOUCH_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, TOUCH_ON_SQLITE).map(|_| ()),
    }
}

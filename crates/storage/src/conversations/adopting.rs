//! Messages without a conversation that are added to one.

use tidings_domain::ids::{ChannelId, ContactId, ConversationId};

use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::queries::types::DbId;
use crate::schema::messages;
use crate::write;

crate::write::row! {
    /// A conversation that takes over a contact's earlier messages without a conversation.
    #[derive(Debug, Clone)]
    pub(crate) struct Adopted in messages {
        workspace_id: DbId,
        conversation_id: Option<DbId>,
        contact_id: DbId,
        channel_id: DbId,
    }
}

impl Adopted {
    pub(crate) fn write(ws: DbId, conversation: ConversationId, contact: ContactId, channel: ChannelId) -> Self {
        let (conversation_id, contact_id) = (Some(conversation.into()), contact.into());
        Self { workspace_id: ws, conversation_id, contact_id, channel_id: channel.into() }
    }
}

const ADOPT_ON_POSTGRES: &str = "UPDATE messages AS t SET conversation_id = made.conversation_id \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::uuid[])) \
    AS made (workspace_id, conversation_id, contact_id, channel_id) \
    CROSS JOIN LATERAL (SELECT f.ctid FROM messages f WHERE f.contact_id = made.contact_id AND f.conversation_id IS NULL \
    AND f.channel_id IS NOT DISTINCT FROM made.channel_id AND f.workspace_id IS NOT DISTINCT FROM made.workspace_id \
    FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid";
const ADOPT_ON_SQLITE: &str = "UPDATE messages SET conversation_id = ?2 WHERE +workspace_id = ?1 AND contact_id = ?3 \
    AND +channel_id = ?4 AND conversation_id IS NULL";

pub(crate) async fn adopt(c: &mut Connection<'_>, rows: &[Adopted]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, ADOPT_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, ADOPT_ON_SQLITE).map(|_| ()),
    }
}

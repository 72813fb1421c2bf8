//! The provider's IDs of the parts of messages that are sent in several parts. A message of one part has no row.

use diesel::prelude::*;
use tidings_domain::conversations::Message;

use super::MessageRow;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find};
use crate::queries::types::DbId;
use crate::schema::{message_parts, messages};

/// Stores the IDs of the parts of updated messages, except those of last parts, which are IDs of their messages.
pub(crate) async fn store(c: &mut Connection<'_>, updated: &[(DbId, &Message)]) -> Result<(), Fault> {
    for (ws, message) in updated {
        for (part, it) in (0_i32..).zip(message.parts.all()) {
            let is_last = !message.parts.has_next(usize::try_from(part).unwrap_or_default());
            let Some(name) = it.provider_message_id.clone().filter(|_| !is_last) else { continue };
            let row = (
                message_parts::workspace_id.eq(*ws),
                message_parts::message_id.eq(DbId::from(message.id)),
                message_parts::part.eq(part),
                message_parts::channel_id.eq(DbId::from(message.channel)),
                message_parts::provider_message_id.eq(name),
            );
            let key = (message_parts::workspace_id, message_parts::message_id, message_parts::part);
            execute!(c, diesel::insert_into(message_parts::table).values(row).on_conflict(key).do_nothing())?;
        }
    }
    Ok(())
}

/// Returns the message of a channel with a part that has this ID, the newest of several.
pub(super) async fn find_message(
    mut c: Connection<'_>,
    ws: DbId,
    channel: DbId,
    name: String,
) -> Result<Option<MessageRow>, Fault> {
    let found: Option<DbId> = find!(
        &mut c,
        message_parts::table
            .filter(message_parts::workspace_id.eq_unindexed(ws))
            .filter(message_parts::channel_id.eq(channel))
            .filter(message_parts::provider_message_id.eq(name))
            .order(message_parts::message_id.desc())
            .select(message_parts::message_id)
            .limit(1)
    )?;
    match found {
        Some(id) => find!(&mut c, messages::table.find((ws, id)).select(MessageRow::as_select())),
        None => Ok(None),
    }
}

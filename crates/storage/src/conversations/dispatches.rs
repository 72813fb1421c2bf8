//! Messages with all that their sending depends on, in one statement.

use diesel::prelude::*;
use tidings_domain::contacts::Identity;
use tidings_domain::conversations::Dispatch;

use super::{ConversationRow, MessageRow};
use crate::catalog;
use crate::channels::ChannelRow;
use crate::connection::{Connection, find};
use crate::contacts::ContactRow;
use crate::faults::Fault;
use crate::schema::{channels, contact_identities, contacts, conversations, listener_revisions, messages};
use crate::types::{DbId, DbTime};

/// With the channel goes when it was deleted, with the contact its first address on the channel, and with all of it the
/// revision of the catalog.
type Found = (
    MessageRow,
    Option<ConversationRow>,
    ContactRow,
    ChannelRow,
    Option<DbTime>,
    Option<String>,
    Option<bool>,
    Option<i64>,
);

diesel::alias!(messages as named: Named);

/// The row that the message names, by its key alone. There is no condition between the tables: one by which they could be
/// joined would have PostgreSQL read all of them, where it takes them for empty.
macro_rules! of_message {
    ($table:ident, $ws:expr, $message:expr, $id:expr) => {{
        let name = named.filter(named.field(messages::workspace_id).eq($ws));
        let name = name.filter(named.field(messages::id).eq($message)).select(named.field($id));
        $table::table.on($table::workspace_id.eq($ws).and($table::id.nullable().eq(name.single_value())))
    }};
}

/// Something of the contact's first address on the message's channel.
macro_rules! of_address {
    ($column:expr) => {
        contact_identities::table
            .filter(contact_identities::workspace_id.eq(messages::workspace_id))
            .filter(contact_identities::contact_id.eq(messages::contact_id))
            .filter(contact_identities::channel_id.eq(messages::channel_id))
            .filter(contact_identities::live)
            .order(contact_identities::address)
            .select($column)
            .single_value()
    };
}

pub(crate) async fn find(c: &mut Connection<'_>, ws: DbId, message: DbId) -> Result<Option<Dispatch>, Fault> {
    let row: Option<Found> = find!(
        c,
        messages::table
            .left_join(of_message!(conversations, ws, message, messages::conversation_id))
            .inner_join(of_message!(contacts, ws, message, messages::contact_id))
            .inner_join(of_message!(channels, ws, message, messages::channel_id))
            .filter(messages::workspace_id.eq(ws))
            .filter(messages::id.eq(message))
            .select((
                MessageRow::as_select(),
                Option::<ConversationRow>::as_select(),
                ContactRow::as_select(),
                ChannelRow::as_select(),
                channels::deleted_at,
                of_address!(contact_identities::address),
                of_address!(contact_identities::opted_in),
                listener_revisions::table.find(ws).select(listener_revisions::catalog).single_value(),
            ))
    )?;
    let Some((message, conversation, contact, channel, gone, address, opted_in, catalog)) = row else {
        return Ok(None);
    };
    let (message, mut contact) = (message.read()?, contact.read()?);
    if let (Some(address), Some(opted_in)) = (address, opted_in) {
        contact.identities.push(Identity { channel: message.channel, address, opted_in });
    }
    let channel = match gone {
        None => Some(channel.read()?),
        Some(_) => None,
    };
    let conversation = conversation.map(ConversationRow::read).transpose()?;
    let catalog = catalog.unwrap_or(catalog::NEVER);
    Ok(Some(Dispatch { message, conversation, contact, channel, catalog }))
}

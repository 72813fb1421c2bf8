//! Messages with all rows that their sending depends on, loaded by one statement. On PostgreSQL, one statement loads
//! many messages.

use diesel::dsl::sql;
use diesel::pg::{Pg, PgQueryBuilder};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryBuilder, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::sql_types::{Array, Integer};
use tidings_domain::contacts::Identity;
use tidings_domain::conversations::Dispatch;

use super::{ConversationRow, MessageRow};
use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::contacts::ContactRow;
use crate::conversations::channels::ChannelRow;
use crate::flows::catalog;
use crate::queries::loader::Found;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::{channels, contact_identities, contacts, conversations, listener_revisions, messages};

/// A message with its related rows: the channel's time of deletion, the contact's address with its opt-in and its mark
/// as undeliverable, and the revision of the catalog.
type DispatchRow = (
    MessageRow,
    Option<ConversationRow>,
    ContactRow,
    ChannelRow,
    Option<DbTime>,
    Option<String>,
    Option<bool>,
    Option<bool>,
    Option<DbTime>,
    Option<DbTime>,
    Option<i64>,
);

/// Orders the address of an earlier attempt first, then the last address that the contact wrote from.
const LAST_USED_FIRST: &str = "CASE contact_identities.address WHEN messages.address THEN 0 \
    WHEN conversations.reply_address THEN 1 ELSE 2 END";

diesel::alias!(messages as named: PgTypeName);

/// Returns the messages with these keys (workspace and ID).
pub(crate) fn find_all(mut c: Connection<'_>, keys: Vec<(DbId, DbId)>) -> Found<'_, (DbId, DbId), Dispatch> {
    Box::pin(async move {
        let rows: Vec<DispatchRow> = match &mut c {
            Connection::Postgres(connection) if keys.len() > 1 => {
                let mut connection: &diesel_async::AsyncPgConnection = connection;
                let columns = messages::table
                    .left_join(conversations::table.on(conversations::workspace_id.eq(messages::workspace_id)))
                    .inner_join(contacts::table.on(contacts::workspace_id.eq(messages::workspace_id)))
                    .inner_join(channels::table.on(channels::workspace_id.eq(messages::workspace_id)))
                    .left_join(
                        contact_identities::table.on(contact_identities::workspace_id.eq(messages::workspace_id)),
                    )
                    .left_join(
                        listener_revisions::table.on(listener_revisions::workspace_id.eq(messages::workspace_id)),
                    )
                    .select((
                        MessageRow::as_select(),
                        Option::<ConversationRow>::as_select(),
                        ContactRow::as_select(),
                        ChannelRow::as_select(),
                        channels::deleted_at,
                        contact_identities::address.nullable(),
                        contact_identities::opted_in.nullable(),
                        contact_identities::is_alias.nullable(),
                        contact_identities::added_at.nullable(),
                        contact_identities::undeliverable_since.nullable(),
                        listener_revisions::catalog.nullable(),
                    ));
                let query = PreparedQuery(Dispatches::new(columns, &keys));
                diesel_async::RunQueryDsl::load(query, &mut connection).await?
            }
            c => {
                let mut rows = Vec::with_capacity(keys.len());
                for (ws, message) in keys {
                    rows.extend(find(c, ws, message).await?);
                }
                rows
            }
        };
        rows.into_iter().map(|row| Ok(((row.0.workspace_id, row.0.id), read(row)?))).collect()
    })
}

async fn find(c: &mut Connection<'_>, ws: DbId, message: DbId) -> Result<Option<DispatchRow>, Fault> {
    // The contact's address on the message's channel, as `Contact::destination` chooses it.
    let identity = || {
        contact_identities::table
            .filter(contact_identities::workspace_id.eq(messages::workspace_id))
            .filter(contact_identities::contact_id.eq(messages::contact_id))
            .filter(contact_identities::channel_id.eq(messages::channel_id))
            .filter(contact_identities::live)
            .order((
                sql::<Integer>(LAST_USED_FIRST),
                contact_identities::is_alias.asc(),
                contact_identities::opted_in.desc(),
                contact_identities::added_at.asc(),
                contact_identities::address.asc(),
            ))
    };
    // Joins the rows that the message refers to, by their keys alone. Without a direct join condition, PostgreSQL cannot
    // choose a join that reads the whole table, which it might if it expects the table to be empty.
    let name =
        || named.filter(named.field(messages::workspace_id).eq(ws)).filter(named.field(messages::id).eq(message));
    let conversation = name().select(named.field(messages::conversation_id)).single_value();
    let contact = name().select(named.field(messages::contact_id)).single_value();
    let channel = name().select(named.field(messages::channel_id)).single_value();
    let conversation = conversations::workspace_id.eq(ws).and(conversations::id.nullable().eq(conversation));
    let contact = contacts::workspace_id.eq(ws).and(contacts::id.nullable().eq(contact));
    let channel = channels::workspace_id.eq(ws).and(channels::id.nullable().eq(channel));
    find!(
        c,
        messages::table
            .left_join(conversations::table.on(conversation))
            .inner_join(contacts::table.on(contact))
            .inner_join(channels::table.on(channel))
            .filter(messages::workspace_id.eq(ws))
            .filter(messages::id.eq(message))
            .select((
                MessageRow::as_select(),
                Option::<ConversationRow>::as_select(),
                ContactRow::as_select(),
                ChannelRow::as_select(),
                channels::deleted_at,
                identity().select(contact_identities::address).single_value(),
                identity().select(contact_identities::opted_in).single_value(),
                identity().select(contact_identities::is_alias).single_value(),
                identity().select(contact_identities::added_at).single_value(),
                identity().select(contact_identities::undeliverable_since).single_value(),
                listener_revisions::table.find(ws).select(listener_revisions::catalog).single_value(),
            ))
    )
}

fn read(row: DispatchRow) -> Result<Dispatch, Fault> {
    let (message, conversation, contact, channel, gone, address, opted_in, is_alias, added_at, undeliverable, catalog) =
        row;
    let (message, mut contact) = (message.read()?, contact.read()?);
    if let (Some(address), Some(opted_in), Some(is_alias), Some(added_at)) = (address, opted_in, is_alias, added_at) {
        let identity = Identity::new(message.channel, address, added_at.0);
        let undeliverable_since = undeliverable.map(|it| it.0);
        contact.identities.push(Identity { opted_in, is_alias, undeliverable_since, ..identity });
    }
    let channel = match gone {
        None => Some(channel.read()?),
        Some(_) => None,
    };
    let conversation = conversation.map(ConversationRow::read).transpose()?;
    let catalog = catalog.unwrap_or(catalog::NEVER);
    Ok(Dispatch { message, conversation, contact, channel, catalog })
}

/// A PostgreSQL statement that loads many messages. Each row is looked up separately, as in
/// [`ByKeys`](crate::queries::by_keys::ByKeys).
struct Dispatches<Q> {
    columns: Q,
    workspaces: Vec<DbId>,
    messages: Vec<DbId>,
}

const JOINED: &str = " AS wanted (workspace_id, id) \
    CROSS JOIN LATERAL (SELECT * FROM messages AS found \
        WHERE found.workspace_id = wanted.workspace_id AND found.id = wanted.id LIMIT 1) AS messages \
    LEFT JOIN LATERAL (SELECT * FROM conversations AS found \
        WHERE found.workspace_id = messages.workspace_id AND found.id = messages.conversation_id LIMIT 1) \
        AS conversations ON true \
    CROSS JOIN LATERAL (SELECT * FROM contacts AS found \
        WHERE found.workspace_id = messages.workspace_id AND found.id = messages.contact_id LIMIT 1) AS contacts \
    CROSS JOIN LATERAL (SELECT * FROM channels AS found \
        WHERE found.workspace_id = messages.workspace_id AND found.id = messages.channel_id LIMIT 1) AS channels \
    LEFT JOIN LATERAL (SELECT * FROM contact_identities AS found \
        WHERE found.workspace_id = messages.workspace_id AND found.contact_id = messages.contact_id \
        AND found.channel_id = messages.channel_id AND found.live \
        ORDER BY CASE found.address WHEN messages.address THEN 0 WHEN conversations.reply_address THEN 1 ELSE 2 END, \
        found.is_alias, found.opted_in DESC, found.added_at, found.address LIMIT 1) \
        AS contact_identities ON true \
    LEFT JOIN LATERAL (SELECT * FROM listener_revisions AS found \
        WHERE found.workspace_id = messages.workspace_id LIMIT 1) AS listener_revisions ON true";

impl<Q> Dispatches<Q> {
    fn new(columns: Q, keys: &[(DbId, DbId)]) -> Self {
        let (workspaces, messages) = keys.iter().copied().unzip();
        Self { columns, workspaces, messages }
    }
}

impl<Q> QueryId for Dispatches<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for Dispatches<Q> {
    type SqlType = Q::SqlType;
}

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for Dispatches<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut text = PgQueryBuilder::default();
        self.columns.to_sql(&mut text, &Pg)?;
        let text = text.finish();
        let parts = text.split_once(" FROM ");
        let (columns, _) = parts.ok_or_else(|| Error::QueryBuilderError("a query without a table".into()))?;
        out.push_sql(columns);
        // Arrays are passed as subqueries: PostgreSQL then uses one plan for any array.
        out.push_sql(" FROM unnest((SELECT ");
        out.push_bind_param::<Array<Id>, _>(&self.workspaces)?;
        out.push_sql("::uuid[]), (SELECT ");
        out.push_bind_param::<Array<Id>, _>(&self.messages)?;
        out.push_sql("::uuid[]))");
        out.push_sql(JOINED);
        Ok(())
    }
}

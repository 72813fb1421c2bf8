//! Channels.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::channels::{Channel, ChannelKind};
use tidings_domain::ids::ChannelId;
use tidings_domain::ports::{ChannelQueries, StoreError};

use crate::Storage;
use crate::connection::{Connection, execute, find};
use crate::faults::Fault;
use crate::rows::word;
use crate::schema::channels;
use crate::types::{DbId, DbTime};

#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = channels)]
struct ChannelRow {
    workspace_id: DbId,
    id: DbId,
    kind: String,
    name: String,
    is_default: bool,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
}

impl ChannelRow {
    fn read(self) -> Result<Channel, Fault> {
        Ok(Channel {
            id: self.id.typed(),
            kind: word(&self.kind, "channel kind", ChannelKind::parse)?,
            name: self.name,
            is_default: self.is_default,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl ChannelQueries for Storage {
    async fn get(&self, access: &Access, channel: ChannelId) -> Result<Option<Channel>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(channel));
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<ChannelRow> =
                    find!(&mut c, channels::table.find((ws, id)).select(ChannelRow::as_select()))?;
                row.map(ChannelRow::read).transpose()
            })
        })
        .await
    }

    async fn default_channel(&self, access: &Access) -> Result<Option<Channel>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<ChannelRow> = find!(
                    &mut c,
                    channels::table
                        .filter(channels::workspace_id.eq(ws))
                        .filter(channels::is_default.eq(true))
                        .select(ChannelRow::as_select())
                )?;
                row.map(ChannelRow::read).transpose()
            })
        })
        .await
    }
}

pub(crate) async fn insert(c: &mut Connection<'_>, workspace_id: DbId, it: &Channel) -> Result<(), Fault> {
    let row = ChannelRow {
        workspace_id,
        id: it.id.into(),
        kind: it.kind.as_str().to_owned(),
        name: it.name.clone(),
        is_default: it.is_default,
        created_at: it.created_at.into(),
        updated_at: it.updated_at.into(),
        version: it.version,
    };
    execute!(c, diesel::insert_into(channels::table).values(row)).map(|_| ())
}

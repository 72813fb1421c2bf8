//! Channels.

mod health;
mod provider_events;
mod unparsed;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::prelude::*;
use serde_json::{Value, json};
use tidings_domain::access::Access;
use tidings_domain::channels::{
    Channel, ChannelHealth, ChannelKind, ChannelStatus, Config, DisconnectedMode, Endpoint, UnparsedRequest,
    WhileDisconnected, read_secrets, write_secrets,
};
use tidings_domain::ids::{ChannelId, TypedId, WorkspaceId};
use tidings_domain::list_filter::ListFilter;
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{ChannelQueries, Conflict, Object, StoreError};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, execute, find};
use crate::contacts::opt_outs;
use crate::queries::list_index::whole_list;
use crate::queries::loader::Found;
use crate::queries::named_lists::{by_name_and_status, narrowed};
use crate::queries::rows::{exactly_one, json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::channels;

pub use health::ChannelState;
pub(crate) use health::{find_connected, update as update_health};
pub(crate) use provider_events::{expire as expire_events, record as record_event};
pub(crate) use unparsed::{expire as expire_unparsed, forget as forget_unparsed, keep as keep_unparsed};

crate::write::write_texts! {
    ChannelRow: crate::write::Shape { deleted_at: Some("IS NULL"), ..crate::write::Shape::of("channels") },
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = channels)]
    pub(crate) struct ChannelRow in channels {
        workspace_id: DbId,
        id: DbId,
        kind: String,
        name: String,
        is_default: bool,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        status: String,
        url: Option<String>,
        secret: Option<Vec<u8>>,
        secret_hint: Option<String>,
        inbound_token: Option<Vec<u8>>,
        inbound_digest: Option<Vec<u8>>,
        last_error: Option<String>,
        connected_at: Option<DbTime>,
        config: Option<String>,
        while_disconnected: Option<String>,
        waits_until: Option<DbTime>,
    }
}

impl ChannelRow {
    pub(crate) fn write(workspace_id: DbId, it: &Channel) -> Self {
        let endpoint = it.endpoint.as_ref();
        Self {
            workspace_id,
            id: it.id.into(),
            kind: it.kind.as_str().to_owned(),
            name: it.name.clone(),
            is_default: it.is_default,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            status: it.status.as_str().to_owned(),
            url: endpoint.and_then(|endpoint| endpoint.text(URL)).map(str::to_owned),
            secret: endpoint.map(|endpoint| endpoint.secrets.clone()),
            secret_hint: endpoint.map(|endpoint| write_secrets(&endpoint.secret_hints)),
            inbound_token: endpoint.map(|endpoint| endpoint.inbound_token.clone()),
            inbound_digest: endpoint.map(|endpoint| endpoint.inbound_digest.to_vec()),
            last_error: it.last_error.clone(),
            connected_at: it.connected_at.map(Into::into),
            config: endpoint.and_then(other_members),
            while_disconnected: Some(write_rule(&it.while_disconnected)),
            waits_until: it.waits_until.map(Into::into),
        }
    }

    pub(crate) fn read(self) -> Result<Channel, Fault> {
        let parts = (self.secret, self.secret_hint, self.inbound_token, self.inbound_digest);
        let endpoint = match parts {
            (Some(secrets), Some(hints), Some(inbound_token), Some(digest)) => {
                let digest = digest.try_into();
                let inbound_digest = digest.map_err(|_| StoreError::Corrupt("a channel's digest".to_owned()))?;
                let config = config(self.url, self.config.as_deref())?;
                let secret_hints = read_secrets(&hints);
                Some(Endpoint { config, secrets, secret_hints, inbound_token, inbound_digest })
            }
            _ => None,
        };
        let while_disconnected = match self.while_disconnected {
            Some(text) => json(&text, "the rule for a disconnected channel")?,
            None => usual_rule(endpoint.as_ref()),
        };
        Ok(Channel {
            id: self.id.to_typed_id(),
            kind: word(&self.kind, "channel kind", ChannelKind::parse)?,
            name: self.name,
            is_default: self.is_default,
            status: word(&self.status, "channel status", ChannelStatus::parse)?,
            endpoint,
            while_disconnected,
            waits_until: self.waits_until.map(|time| time.0),
            last_error: self.last_error,
            connected_at: self.connected_at.map(|time| time.0),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

/// The configuration field with its own column.
const URL: &str = "url";

/// Returns the other configuration fields as JSON, or `None` if there are none.
fn other_members(endpoint: &Endpoint) -> Option<String> {
    let mut others = endpoint.config.clone();
    others.remove(URL);
    (!others.is_empty()).then(|| Value::Object(others).to_string())
}

fn write_rule(rule: &WhileDisconnected) -> String {
    json!({"mode": rule.mode, "for": rule.duration}).to_string()
}

/// Returns the rule of a channel that an earlier release stored: the messages of `http` channels, which have a URL, and
/// of sandboxes do not wait.
fn usual_rule(endpoint: Option<&Endpoint>) -> WhileDisconnected {
    let waits = endpoint.is_some_and(|endpoint| endpoint.text(URL).is_none());
    WhileDisconnected::new(if waits { DisconnectedMode::Wait } else { DisconnectedMode::Suppress }, None)
}

fn config(url: Option<String>, others: Option<&str>) -> Result<Config, Fault> {
    let others = others.map(serde_json::from_str::<Config>).transpose();
    let mut config =
        others.map_err(|_| StoreError::Corrupt("a channel's configuration".to_owned()))?.unwrap_or_default();
    config.extend(url.map(|url| (URL.to_owned(), Value::from(url))));
    Ok(config)
}

async fn default_of(c: &mut Connection<'_>, ws: DbId) -> Result<Option<Channel>, Fault> {
    let row: Option<ChannelRow> = find!(
        c,
        channels::table
            .filter(channels::workspace_id.eq(ws))
            .filter(channels::is_default)
            .select(ChannelRow::as_select())
    )?;
    row.map(ChannelRow::read).transpose()
}

/// Returns the default channel of each of these workspaces.
pub(crate) fn find_defaults(mut c: Connection<'_>, workspaces: Vec<DbId>) -> Found<'_, DbId, Channel> {
    Box::pin(async move {
        let mut found = HashMap::with_capacity(workspaces.len());
        for ws in workspaces {
            if let Some(channel) = default_of(&mut c, ws).await? {
                found.insert(ws, channel);
            }
        }
        Ok(found)
    })
}

#[async_trait]
impl ChannelQueries for Storage {
    async fn get(&self, access: &Access, channel: ChannelId) -> Result<Option<Channel>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(channel));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let living = channels::table.find((ws, id)).filter(channels::deleted_at.is_null());
                let row: Option<ChannelRow> = find!(&mut c, living.select(ChannelRow::as_select()))?;
                row.map(ChannelRow::read).transpose()
            })
        })
        .await
    }

    async fn default_channel(&self, access: &Access) -> Result<Option<Channel>, StoreError> {
        let ws = DbId::from(access.workspace());
        if self.shares_lookups() {
            return self.loaders.default_channels.load(&self.backend, ws).await;
        }
        self.read(ws, move |mut c| Box::pin(async move { default_of(&mut c, ws).await })).await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<ChannelStatus>,
        page: PageRequest,
    ) -> Result<Page<Channel>, StoreError> {
        let ws = DbId::from(access.workspace());
        if filter.narrows() {
            let admits = by_name_and_status(filter.clone(), "channel status", ChannelStatus::parse);
            let all = channels::table
                .filter(channels::workspace_id.eq(ws))
                .filter(channels::deleted_at.is_null())
                .filter(whole_list(channels::updated_at));
            let told = (channels::name, channels::status);
            return narrowed!(self, ws, page, channels, ChannelRow::as_select(), all, told, admits, ChannelRow::read);
        }
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<ChannelRow>, _) =
                    counted_page!(&mut c, page, (channels::created_at, channels::id), {
                        let living = channels::table
                            .filter(channels::workspace_id.eq(ws))
                            .filter(channels::deleted_at.is_null())
                            .select(ChannelRow::as_select());
                        living.filter(whole_list(channels::updated_at)).into_boxed::<Db>()
                    });
                let found = rows.into_iter().map(ChannelRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn health(&self, access: &Access, channel: ChannelId) -> Result<ChannelHealth, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(channel));
        self.read(ws, move |mut c| Box::pin(async move { health::of_channel(&mut c, ws, id).await })).await
    }

    async fn healths(&self, access: &Access) -> Result<Vec<(ChannelId, ChannelHealth)>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { health::of_workspace(&mut c, ws).await })).await
    }

    async fn by_inbound_digest(&self, digest: [u8; 32]) -> Result<Option<(WorkspaceId, Channel)>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let named = channels::table.filter(channels::inbound_digest.eq(digest.to_vec()));
                let row: Option<ChannelRow> = find!(&mut c, named.select(ChannelRow::as_select()))?;
                row.map(|row| Ok((row.workspace_id.to_typed_id(), row.read()?))).transpose()
            })
        })
        .await
    }

    async fn unparsed(
        &self,
        access: &Access,
        channel: ChannelId,
        page: PageRequest,
    ) -> Result<Page<UnparsedRequest>, StoreError> {
        let (ws, channel) = (DbId::from(access.workspace()), DbId::from(channel));
        self.read(ws, move |mut c| Box::pin(async move { unparsed::of_channel(&mut c, ws, channel, page).await })).await
    }

    async fn all_unparsed(&self, access: &Access, page: PageRequest) -> Result<Page<UnparsedRequest>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { unparsed::of_workspace(&mut c, ws, page).await })).await
    }
}

/// Marks the channel as deleted and clears its credentials. Its messages remain.
pub(crate) async fn delete(c: &mut Connection<'_>, ws: DbId, channel: ChannelId, at: Timestamp) -> Result<(), Fault> {
    let target = channels::table.find((ws, DbId::from(channel))).filter(channels::deleted_at.is_null());
    let none = || None::<Vec<u8>>;
    let changes = (
        channels::deleted_at.eq(Some(DbTime(at))),
        channels::is_default.eq(false),
        channels::secret.eq(none()),
        channels::inbound_token.eq(none()),
        channels::inbound_digest.eq(none()),
    );
    let rows = execute!(c, diesel::update(target).set(changes))?;
    exactly_one(rows, Conflict::Stale(Object::Channel(channel)))?;
    unparsed::remove(c, ws, channel.into()).await?;
    provider_events::remove(c, ws, channel.into()).await?;
    opt_outs::forget_channel(c, ws, channel).await
}

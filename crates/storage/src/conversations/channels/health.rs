//! The health of channels.

use diesel::prelude::*;
use tidings_domain::channels::{ChannelHealth, ChannelStatus};
use tidings_domain::ids::{ChannelId, TypedId, WorkspaceId};
use tidings_domain::ports::{Conflict, ConnectedChannel, Object, StoreError};
use uuid::Uuid;

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::rows::{exactly_one, json, to_json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::channels;

/// The workspace, the ID, the time until which messages wait, the health and its version.
type StateRow = (DbId, DbId, Option<DbTime>, Option<String>, i64);

fn read(text: Option<&str>, version: i64) -> Result<ChannelHealth, Fault> {
    let health: ChannelHealth = match text {
        Some(text) => json(text, "the health of a channel")?,
        None => ChannelHealth::default(),
    };
    Ok(ChannelHealth { version, ..health })
}

/// Returns the health of a channel; the default if the channel does not exist.
pub(super) async fn of_channel(c: &mut Connection<'_>, ws: DbId, channel: DbId) -> Result<ChannelHealth, Fault> {
    let living = channels::table.find((ws, channel)).filter(channels::deleted_at.is_null());
    let row: Option<(Option<String>, i64)> = find!(c, living.select((channels::health, channels::health_version)))?;
    row.map_or_else(|| Ok(ChannelHealth::default()), |(text, version)| read(text.as_deref(), version))
}

/// Returns the known health of the channels of a workspace.
pub(super) async fn of_workspace(c: &mut Connection<'_>, ws: DbId) -> Result<Vec<(ChannelId, ChannelHealth)>, Fault> {
    let rows: Vec<(DbId, Option<String>, i64)> = load!(
        c,
        channels::table.filter(channels::workspace_id.eq(ws)).filter(channels::deleted_at.is_null()).select((
            channels::id,
            channels::health,
            channels::health_version
        ))
    )?;
    let known = rows.into_iter().filter(|(_, _, version)| *version > 0);
    known.map(|(id, text, version)| Ok((id.to_typed_id(), read(text.as_deref(), version)?))).collect()
}

/// Returns at most `limit` connected channels of all workspaces after `after`, by workspace and ID.
pub(crate) async fn find_connected(
    c: &mut Connection<'_>,
    after: Option<(WorkspaceId, ChannelId)>,
    limit: u32,
) -> Result<Vec<ConnectedChannel>, Fault> {
    let (ws, id) = after.map_or((Uuid::nil(), Uuid::nil()), |(ws, id)| (ws.uuid(), id.uuid()));
    let (ws, id) = (DbId(ws), DbId(id));
    let rows: Vec<(DbId, DbId, Option<String>, i64)> = load!(
        c,
        channels::table
            .filter(channels::workspace_id.ge(ws))
            .filter(channels::workspace_id.gt(ws).or(channels::id.gt(id)))
            .filter(channels::deleted_at.is_null())
            .filter(channels::status.eq(ChannelStatus::Connected.as_str()))
            .order((channels::workspace_id.asc(), channels::id.asc()))
            .limit(i64::from(limit))
            .select((channels::workspace_id, channels::id, channels::health, channels::health_version))
    )?;
    let read = |(ws, id, text, version): (DbId, DbId, Option<String>, i64)| -> Result<ConnectedChannel, Fault> {
        let round = read(text.as_deref(), version)?.round;
        Ok(ConnectedChannel { workspace: ws.to_typed_id(), channel: id.to_typed_id(), round })
    };
    rows.into_iter().map(read).collect()
}

/// A channel that is connected, or waits for its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelState {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The channel.
    pub channel: ChannelId,
    /// Whether its messages wait, because its provider caused a disconnection.
    pub is_waiting: bool,
    /// The codes of its problems at the provider.
    pub problems: Vec<String>,
}

impl Storage {
    /// Returns at most `most` channels of all workspaces that are connected or wait for their provider, after `after`, by
    /// workspace and ID.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn channel_states(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        most: u16,
    ) -> Result<Vec<ChannelState>, StoreError> {
        let (ws, id) = after.map_or((Uuid::nil(), Uuid::nil()), |(ws, id)| (ws.uuid(), id.uuid()));
        let (ws, id) = (DbId(ws), DbId(id));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<StateRow> = load!(
                    &mut c,
                    channels::table
                        .filter(channels::workspace_id.ge(ws))
                        .filter(channels::workspace_id.gt(ws).or(channels::id.gt(id)))
                        .filter(channels::deleted_at.is_null())
                        .filter(
                            channels::status
                                .eq(ChannelStatus::Connected.as_str())
                                .or(channels::waits_until.is_not_null()),
                        )
                        .order((channels::workspace_id.asc(), channels::id.asc()))
                        .limit(i64::from(most))
                        .select((
                            channels::workspace_id,
                            channels::id,
                            channels::waits_until,
                            channels::health,
                            channels::health_version
                        ))
                )?;
                let mut states = Vec::with_capacity(rows.len());
                for (ws, id, waits_until, text, version) in rows {
                    let problems = read(text.as_deref(), version)?.problems;
                    states.push(ChannelState {
                        workspace: ws.to_typed_id(),
                        channel: id.to_typed_id(),
                        is_waiting: waits_until.is_some(),
                        problems: problems.into_iter().map(|it| it.code).collect(),
                    });
                }
                Ok(states)
            })
        })
        .await
    }
}

/// Stores the next health of a channel.
pub(crate) async fn update(
    c: &mut Connection<'_>,
    ws: DbId,
    channel: ChannelId,
    health: &ChannelHealth,
) -> Result<(), Fault> {
    let target = channels::table
        .find((ws, DbId::from(channel)))
        .filter(channels::deleted_at.is_null())
        .filter(channels::health_version.eq(health.version - 1));
    let changes = (channels::health.eq(Some(to_json(health)?)), channels::health_version.eq(health.version));
    let rows = execute!(c, diesel::update(target).set(changes))?;
    exactly_one(rows, Conflict::Stale(Object::Channel(channel)))
}

//! Events of providers that were applied.

use diesel::prelude::*;
use tidings_domain::ids::ChannelId;
use tidings_domain::time::Timestamp;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::provider_events;

/// Records an event. It is a conflict if the event is known.
pub(crate) async fn record(
    c: &mut Connection<'_>,
    ws: DbId,
    channel: ChannelId,
    (digest, at): (&[u8; 32], Timestamp),
) -> Result<(), Fault> {
    let row = (
        provider_events::workspace_id.eq(ws),
        provider_events::channel_id.eq(DbId::from(channel)),
        provider_events::digest.eq(digest.to_vec()),
        provider_events::received_at.eq(DbTime(at)),
    );
    execute!(c, diesel::insert_into(provider_events::table).values(row)).map(|_| ())
}

/// Deletes the events of a channel.
pub(super) async fn remove(c: &mut Connection<'_>, ws: DbId, channel: DbId) -> Result<(), Fault> {
    let own = provider_events::table
        .filter(provider_events::workspace_id.eq(ws))
        .filter(provider_events::channel_id.eq(channel));
    execute!(c, diesel::delete(own)).map(|_| ())
}

/// Deletes at most `limit` events that were received before `before`, oldest first.
pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(DbId, DbId, Vec<u8>)> = load!(
        c,
        provider_events::table
            .filter(provider_events::received_at.lt(DbTime(before)))
            .order(provider_events::received_at.asc())
            .limit(i64::from(limit))
            .select((provider_events::workspace_id, provider_events::channel_id, provider_events::digest))
    )?;
    let mut removed = 0;
    for key in old {
        removed += execute!(c, diesel::delete(provider_events::table.find(key)))? as u64;
    }
    Ok(removed)
}

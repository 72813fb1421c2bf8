//! The contacts that a firing starts the flow for.

use chrono_tz::Tz;
use serde_json::Value;

use crate::access::Access;
use crate::conditions::{Condition, Mentions, Selection, vocabulary_for};
use crate::flows::{CompiledFlow, known_objects};
use crate::ports::{Ports, StoreError};
use crate::time::Timestamp;

/// Returns the contacts that a version selects at an instant: the union over the triggers that fire then. `None` if a
/// condition names a deleted object, because it could select the wrong contacts.
pub(super) async fn of(
    ports: &Ports,
    access: &Access,
    version: &CompiledFlow,
    at: Timestamp,
    zone: Tz,
) -> Result<Option<Selection>, StoreError> {
    let schedules = version.definition.schedules().filter(|(cron, _)| cron.fires_at(at, zone));
    select(ports, access, version, schedules.map(|(_, audience)| audience), zone).await
}

/// Whether all objects exist that the audiences of a version name.
pub(in crate::flows) async fn is_whole(
    ports: &Ports,
    access: &Access,
    version: &CompiledFlow,
) -> Result<bool, StoreError> {
    let audiences = version.definition.schedules().map(|(_, audience)| audience);
    Ok(select(ports, access, version, audiences, Tz::UTC).await?.is_some())
}

async fn select<'v>(
    ports: &Ports,
    access: &Access,
    version: &CompiledFlow,
    audiences: impl Iterator<Item = &'v Value>,
    zone: Tz,
) -> Result<Option<Selection>, StoreError> {
    let conditions: Vec<Value> = audiences.map(|audience| known_objects::pinned(audience, &version.tags)).collect();
    if conditions.is_empty() {
        return Ok(Some(Selection::Any(Vec::new())));
    }
    let vocabulary = vocabulary_for(access, &*ports.fields, &*ports.tags, &Mentions::of(&conditions)).await?;
    let vocabulary = vocabulary.keep_fields(|key, id| version.fields.get(key).is_none_or(|own| *own == id));
    let (bot_fields, now) = (vocabulary.bot_values(), ports.clock.now());
    let chosen = conditions.iter().map(|written| {
        let condition = Condition::parse_stored(written, &vocabulary).ok().filter(|it| it.lost_words().is_empty())?;
        Some(condition.selection(&bot_fields, now, zone).without_retired(&vocabulary))
    });
    Ok(chosen.collect::<Option<Vec<_>>>().map(Selection::Any))
}

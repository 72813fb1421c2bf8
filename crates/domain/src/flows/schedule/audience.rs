//! Whom a firing takes.

use chrono_tz::Tz;
use serde_json::Value;

use crate::access::Access;
use crate::conditions::{Condition, Mentions, Selection, vocabulary_for};
use crate::flows::{CompiledFlow, known};
use crate::ports::{Ports, StoreError};
use crate::time::Timestamp;

/// Whom a version of a flow takes at an instant: everybody whom one of the triggers chooses that fire then. What cannot be
/// told any more, as after a field was deleted, chooses nobody.
pub(super) async fn of(
    ports: &Ports,
    access: &Access,
    version: &CompiledFlow,
    at: Timestamp,
    zone: Tz,
) -> Result<Selection, StoreError> {
    let schedules = version.definition.schedules().filter(|(cron, _)| cron.fires_at(at, zone));
    let conditions: Vec<Value> = schedules.map(|(_, audience)| known::pinned(audience, &version.tags)).collect();
    let vocabulary = vocabulary_for(access, &*ports.fields, &*ports.tags, &Mentions::of(&conditions)).await?;
    let (bot_fields, now) = (vocabulary.bot_values(), ports.clock.now());
    let chosen = conditions.iter().filter_map(|written| {
        let condition = Condition::parse_stored(written, &vocabulary).ok()?;
        Some(condition.selection(&bot_fields, now, zone).without_retired(&vocabulary))
    });
    Ok(Selection::Any(chosen.collect()))
}

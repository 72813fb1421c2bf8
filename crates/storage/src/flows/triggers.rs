//! Triggers that start flows automatically.

use std::collections::HashMap;

use diesel::prelude::*;
use serde_json::Value;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{ActiveTrigger, AwaitedKind, FlowStatus, Trigger};
use tidings_domain::ids::FlowId;
use tidings_domain::ports::StoreError;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::loader::Found;
use crate::queries::rows::{json, to_json};
use crate::queries::types::DbId;
use crate::schema::{flow_awaits, flow_triggers, flows};

/// Returns the triggers of a kind and word of active flows, oldest flow first.
pub(super) async fn of_kind(
    c: &mut Connection<'_>,
    workspace: DbId,
    kind: &'static str,
    word: &str,
) -> Result<Vec<ActiveTrigger>, Fault> {
    let flow = flows::workspace_id.eq(flow_triggers::workspace_id).and(flows::id.eq(flow_triggers::flow_id));
    let rows: Vec<(DbId, String)> = load!(
        c,
        flow_triggers::table
            .inner_join(flows::table.on(flow))
            .filter(flow_triggers::workspace_id.eq(workspace))
            .filter(flow_triggers::kind.eq(kind))
            .filter(flow_triggers::word.eq(word))
            .filter(flows::status.eq(FlowStatus::Active.as_str()))
            .filter(flows::deleted_at.is_null())
            .order((flows::created_at.asc(), flows::id.asc(), flow_triggers::place.asc()))
            .select((flow_triggers::flow_id, flow_triggers::definition))
    )?;
    let read = |(flow, text): (DbId, String)| {
        let written: Value = json(&text, "a trigger")?;
        let trigger = Trigger::parse(&written);
        let trigger = trigger.ok_or_else(|| StoreError::Corrupt(format!("a trigger: {text}")))?;
        Ok(ActiveTrigger { flow: flow.to_typed_id(), trigger })
    };
    rows.into_iter().map(read).collect()
}

/// Returns the event triggers of active flows in these workspaces and of these kinds.
pub(crate) fn event_triggers(
    mut c: Connection<'_>,
    keys: Vec<(DbId, EventKind)>,
) -> Found<'_, (DbId, EventKind), Vec<ActiveTrigger>> {
    Box::pin(async move {
        let mut found = HashMap::new();
        for (workspace, kind) in keys {
            found.insert((workspace, kind), of_kind(&mut c, workspace, "event", kind.as_str()).await?);
        }
        Ok(found)
    })
}

pub(crate) async fn put_triggers(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    triggers: &[Value],
) -> Result<(), Fault> {
    let old = flow_triggers::table
        .filter(flow_triggers::workspace_id.eq(ws))
        .filter(flow_triggers::flow_id.eq(DbId::from(flow)));
    execute!(c, diesel::delete(old))?;
    for (place, trigger) in triggers.iter().enumerate() {
        let text = |name: &str| trigger.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let row = (
            flow_triggers::workspace_id.eq(ws),
            flow_triggers::flow_id.eq(DbId::from(flow)),
            flow_triggers::place.eq(i32::try_from(place).unwrap_or(i32::MAX)),
            flow_triggers::kind.eq(text("type")),
            flow_triggers::word.eq(text(if text("type") == "custom_event" { "name" } else { "event" })),
            flow_triggers::definition.eq(to_json(trigger)?),
        );
        execute!(c, diesel::insert_into(flow_triggers::table).values(row))?;
    }
    Ok(())
}

/// Registers the events that runs of a flow wait for. `keeps_earlier` keeps the earlier ones.
pub(crate) async fn put_awaited(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    awaited: &[AwaitedKind],
    keeps_earlier: bool,
) -> Result<(), Fault> {
    let of_flow =
        flow_awaits::table.filter(flow_awaits::workspace_id.eq(ws)).filter(flow_awaits::flow_id.eq(DbId::from(flow)));
    let earlier: Vec<String> = match keeps_earlier {
        true => load!(c, of_flow.select(flow_awaits::event))?,
        false => {
            execute!(c, diesel::delete(of_flow))?;
            Vec::new()
        }
    };
    for event in awaited.iter().map(ToString::to_string).filter(|event| !earlier.contains(event)) {
        let row =
            (flow_awaits::workspace_id.eq(ws), flow_awaits::flow_id.eq(DbId::from(flow)), flow_awaits::event.eq(event));
        execute!(c, diesel::insert_into(flow_awaits::table).values(row))?;
    }
    Ok(())
}

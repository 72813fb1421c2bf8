//! The published flows that a draft may set off without a wait, as far as they are followed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::sets_off::SetsOff;
use super::{ActiveTrigger, CompiledFlow, Definition, FlowStatus};
use crate::access::Access;
use crate::events::EventKind;
use crate::ids::FlowId;
use crate::ports::{Ports, StoreError};

/// How many other flows are followed at the most.
const MOST_FLOWS: usize = 100;

/// The published flows that a draft may set off without a wait, and what starts them by itself.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    /// The flows, but for the draft's own.
    pub flows: BTreeMap<FlowId, Neighbour>,
    /// The triggers of active flows, for the kinds of events that are caused on the way.
    pub listeners: BTreeMap<EventKind, Vec<ActiveTrigger>>,
}

/// A published flow.
#[derive(Debug, Clone)]
pub struct Neighbour {
    /// Display name.
    pub name: String,
    /// The version that new runs take.
    pub flow: Arc<CompiledFlow>,
}

impl Neighbours {
    /// Follows what a draft sets off from flow to flow; `own` is the draft's, whose published version does not count.
    ///
    /// # Errors
    /// [`StoreError`]
    pub(super) async fn of(
        ports: &Ports,
        access: &Access,
        draft: &Definition,
        own: Option<FlowId>,
    ) -> Result<Self, StoreError> {
        let mut neighbours = Self::default();
        let mut open: Vec<SetsOff> = draft.sets_off(own).into_iter().map(|(_, what)| what).collect();
        while let Some(what) = open.pop() {
            let flow = match what {
                SetsOff::Event(kind, _) => {
                    if let Entry::Vacant(unknown) = neighbours.listeners.entry(kind) {
                        let triggers = ports.flows.event_triggers(access, kind).await?;
                        open.extend(triggers.iter().map(|trigger| SetsOff::Flow(trigger.flow)));
                        unknown.insert(triggers);
                    }
                    continue;
                }
                SetsOff::Flow(flow) => flow,
            };
            let full = neighbours.flows.len() >= MOST_FLOWS;
            if full || Some(flow) == own || neighbours.flows.contains_key(&flow) {
                continue;
            }
            if let Some(neighbour) = load(ports, access, flow).await? {
                let of_flow = neighbour.flow.definition.sets_off(Some(flow));
                open.extend(of_flow.into_iter().map(|(_, what)| what));
                neighbours.flows.insert(flow, neighbour);
            }
        }
        Ok(neighbours)
    }
}

/// A flow that can be started, now or once it is resumed. One that cannot be read is not followed.
async fn load(ports: &Ports, access: &Access, flow: FlowId) -> Result<Option<Neighbour>, StoreError> {
    let Some(found) = ports.flows.get(access, flow).await? else { return Ok(None) };
    let number = match found.status {
        FlowStatus::Active | FlowStatus::Paused => found.version_published,
        FlowStatus::Draft | FlowStatus::Archived => None,
    };
    let Some(number) = number else { return Ok(None) };
    match ports.flows.compiled(access, flow, number).await {
        Ok(compiled) => Ok(compiled.map(|flow| Neighbour { name: found.name, flow })),
        Err(StoreError::Corrupt(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

//! The published flows that a draft may start without a wait in between.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::immediate_effect::ImmediateEffect;
use super::{ActiveTrigger, CompiledFlow, Definition, FlowStatus};
use crate::access::Access;
use crate::events::EventKind;
use crate::ids::FlowId;
use crate::ports::{Ports, StoreError};

/// Maximum number of other flows that are loaded.
const MOST_FLOWS: usize = 100;

/// The published flows that a draft may start without a wait, and the triggers that start flows by event.
#[derive(Debug, Clone, Default)]
pub struct ReachableFlows {
    /// The flows, without the draft's own flow.
    pub flows: BTreeMap<FlowId, ReachableFlow>,
    /// Triggers of active flows, by the kinds of events that the draft and these flows cause.
    pub listeners: BTreeMap<EventKind, Vec<ActiveTrigger>>,
}

/// A published flow.
#[derive(Debug, Clone)]
pub struct ReachableFlow {
    /// Display name.
    pub name: String,
    /// The version that new runs use.
    pub flow: Arc<CompiledFlow>,
}

impl ReachableFlows {
    /// Loads the flows that a draft starts, directly or through other flows. `own` is the draft's flow; its published
    /// version is ignored.
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
        let mut open: Vec<ImmediateEffect> = draft.immediate_effects(own).into_iter().map(|(_, what)| what).collect();
        while let Some(what) = open.pop() {
            let flow = match what {
                ImmediateEffect::Event(kind, _) => {
                    if let Entry::Vacant(unknown) = neighbours.listeners.entry(kind) {
                        let triggers = ports.flows.event_triggers(access, kind).await?;
                        open.extend(triggers.iter().map(|trigger| ImmediateEffect::Flow(trigger.flow)));
                        unknown.insert(triggers);
                    }
                    continue;
                }
                ImmediateEffect::Flow(flow) => flow,
            };
            let full = neighbours.flows.len() >= MOST_FLOWS;
            if full || Some(flow) == own || neighbours.flows.contains_key(&flow) {
                continue;
            }
            if let Some(neighbour) = load(ports, access, flow).await? {
                let of_flow = neighbour.flow.definition.immediate_effects(Some(flow));
                open.extend(of_flow.into_iter().map(|(_, what)| what));
                neighbours.flows.insert(flow, neighbour);
            }
        }
        Ok(neighbours)
    }
}

/// Loads a flow that is active or paused. Returns `None` for a version that cannot be read.
async fn load(ports: &Ports, access: &Access, flow: FlowId) -> Result<Option<ReachableFlow>, StoreError> {
    let Some(found) = ports.flows.get(access, flow).await? else { return Ok(None) };
    let number = match found.status {
        FlowStatus::Active | FlowStatus::Paused => found.version_published,
        FlowStatus::Draft | FlowStatus::Archived => None,
    };
    let Some(number) = number else { return Ok(None) };
    match ports.flows.compiled(access, flow, number).await {
        Ok(compiled) => Ok(compiled.map(|flow| ReachableFlow { name: found.name, flow })),
        Err(StoreError::Corrupt(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

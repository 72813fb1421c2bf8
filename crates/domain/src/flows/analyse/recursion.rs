//! Checks for flows that start each other endlessly, directly or through events and triggers.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use super::Finding;
use super::finding::Findings;
use super::graph::Ways;
use crate::conditions::{Condition, Judging, Satisfiability, SearchBudget, Vocabulary};
use crate::events::{EventKind, EventValue};
use crate::flows::definition::{Reading, Trigger};
use crate::flows::immediate_effect::ImmediateEffect;
use crate::flows::{Definition, KnownObjects};
use crate::ids::FlowId;

/// ID of a flow; `None` for the draft.
type Place = Option<FlowId>;

/// One flow starting another.
#[derive(Debug, Clone)]
struct Hop {
    to: Place,
    /// The node that does so.
    node: String,
    /// The event that triggers it; `None` for a direct start. A trigger may not fire, so the hop is uncertain.
    event: Option<EventKind>,
}

pub(super) fn check(reading: &Reading, known: &KnownObjects, ways: &Ways<'_>, findings: &mut Findings) {
    let Some(draft) = &reading.definition else { return };
    let mut search = Search { draft, known, vocabulary: known.vocabulary(false), effort: SearchBudget::default() };
    let mut from_draft = search.hops(draft, known.own);
    // A flow that starts itself is reported with the names.
    from_draft.retain(|hop| hop.to.is_some() || hop.event.is_some());
    let others = known.neighbours.flows.iter();
    let hops = others.map(|(id, it)| (*id, search.hops(&it.flow.definition, Some(*id)))).collect();
    let (certain, possible) = (back(&hops, false), back(&hops, true));
    let mut nodes: Vec<(&String, usize)> = draft.nodes.iter().map(|(id, node)| (id, node.index)).collect();
    nodes.sort_unstable_by_key(|(_, index)| *index);
    for (id, index) in nodes {
        let of_node = || from_draft.iter().filter(|hop| hop.node == *id);
        let certain = of_node().filter(|hop| hop.event.is_none()).find_map(|hop| circle(hop, &certain, known));
        let possible = || of_node().find_map(|hop| circle(hop, &possible, known));
        let finding = if let Some(circle) = certain {
            let message = format!("these flows start in a loop without a wait: {circle}");
            Finding::error(format!("/nodes/{index}/flow_id"), "recursion", message).with("path", circle)
        } else if let Some(circle) = possible() {
            let message = format!("these flows may start in a loop without a wait: {circle}");
            Finding::warning(format!("/nodes/{index}"), "recursion", message).with("path", circle)
        } else {
            continue;
        };
        let hint = "add a delay or ask node to one of these flows, or a filter to the trigger that closes the loop";
        findings.push(finding.along(ways.to(id)).hint(hint));
    }
}

struct Search<'a> {
    draft: &'a Definition,
    known: &'a KnownObjects,
    vocabulary: Vocabulary,
    effort: SearchBudget,
}

impl Search<'_> {
    /// Returns the flows that a flow starts without a wait, as far as they are known.
    fn hops(&mut self, definition: &Definition, own: Place) -> Vec<Hop> {
        let mut hops = Vec::new();
        for (node, what) in definition.immediate_effects(own) {
            match what {
                ImmediateEffect::Flow(flow) => {
                    let to = Some(flow).filter(|flow| Some(*flow) != self.known.own);
                    hops.push(Hop { to, node: node.to_owned(), event: None });
                }
                ImmediateEffect::Event(kind, facts) if self.is_undone(kind) => {
                    let listening = self.listening(kind, &facts);
                    hops.extend(listening.into_iter().map(|to| Hop { to, node: node.to_owned(), event: Some(kind) }));
                }
                ImmediateEffect::Event(..) => {}
            }
        }
        hops
    }

    /// Whether the event can occur repeatedly: adding an existing tag causes no event, so some flow must remove it
    /// first.
    fn is_undone(&self, kind: EventKind) -> bool {
        let undoing = match kind {
            EventKind::ContactTagAdded => "remove_tag",
            EventKind::ContactTagRemoved => "add_tag",
            _ => return true,
        };
        let others = self.known.neighbours.flows.values().map(|it| &it.flow.definition);
        others.chain([self.draft]).any(|definition| definition.has(undoing))
    }

    /// Returns the flows that an event may start, given these values of the event.
    fn listening(&mut self, kind: EventKind, facts: &[(&'static str, String)]) -> Vec<Place> {
        let (known, draft) = (self.known, self.draft);
        let others = known.neighbours.listeners.get(&kind).into_iter().flatten();
        let others = others.filter(|it| Some(it.flow) != known.own).map(|it| (Some(it.flow), &it.trigger));
        let own = draft.triggers.iter().map(|trigger| (None, trigger));
        let mut listening = Vec::new();
        for (place, trigger) in others.chain(own) {
            let Trigger::Event { kind: of, filter } = trigger else { continue };
            if *of == kind && !listening.contains(&place) && self.may_start(kind, filter.as_ref(), facts) {
                listening.push(place);
            }
        }
        listening
    }

    fn may_start(&mut self, kind: EventKind, filter: Option<&Value>, facts: &[(&'static str, String)]) -> bool {
        let Some(filter) = filter else { return true };
        let facts = facts.iter().map(|(path, value)| json!({"field": path, "op": "eq", "value": value}));
        let all: Vec<Value> = facts.chain([filter.clone()]).collect();
        let Ok(condition) = Condition::parse_stored(&json!({ "all": all }), &self.vocabulary) else { return true };
        let is_single = |path: &[String]| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            kind.value_at(&path).is_none_or(EventValue::is_single)
        };
        let judging = Judging { vocabulary: &self.vocabulary, is_single: &is_single, only_event: true };
        judging.judge(&condition, &[], &mut self.effort) == Satisfiability::Possible
    }
}

/// Returns for each flow that leads back to the draft the next hop of a shortest path.
fn back(hops: &BTreeMap<FlowId, Vec<Hop>>, by_events: bool) -> BTreeMap<FlowId, Hop> {
    let mut next: BTreeMap<FlowId, Hop> = BTreeMap::new();
    let mut reached: VecDeque<Place> = [None].into();
    while let Some(at) = reached.pop_front() {
        for (flow, hops) in hops {
            let hop = hops.iter().find(|hop| hop.to == at && (by_events || hop.event.is_none()));
            if let (Some(hop), false) = (hop, next.contains_key(flow)) {
                next.insert(*flow, hop.clone());
                reached.push_back(Some(*flow));
            }
        }
    }
    next
}

/// Describes the loop from the draft through this hop back to the draft; `None` if the hop does not lead back.
fn circle(first: &Hop, next: &BTreeMap<FlowId, Hop>, known: &KnownObjects) -> Option<String> {
    const DRAFT: &str = "this flow";
    let mut told = String::new();
    let (mut name, mut hop) = (DRAFT, first);
    loop {
        let event = hop.event.map(|kind| format!(", {}", kind.as_str())).unwrap_or_default();
        told.push_str(&format!("{name} ({}{event}) → ", hop.node));
        let Some(flow) = hop.to else { return Some(told + DRAFT) };
        hop = next.get(&flow)?;
        name = known.neighbours.flows.get(&flow).map_or("another flow", |it| it.name.as_str());
    }
}

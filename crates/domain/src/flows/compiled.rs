//! A published version as runs use it: read once, as it never changes.

use std::collections::BTreeMap;

use super::definition::{Mentioned, Reading};
use super::nodes::NodeType;
use super::{Definition, FlowVersion, Template};
use crate::ids::{FlowId, SequenceId, TagId};
use crate::ports::StoreError;

/// A published version, read.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledFlow {
    /// The graph.
    pub definition: Definition,
    /// Which tags its words mean.
    pub tags: BTreeMap<String, TagId>,
    /// The flows that its nodes name.
    pub flows: Vec<FlowId>,
    /// The sequences that its nodes name.
    pub sequences: Vec<SequenceId>,
    /// How long its definition is as text, in bytes: about so much memory it takes.
    pub bytes: usize,
    /// Whether bot fields may be named in it.
    pub names_bot_fields: bool,
    /// Whether conditions stand in it.
    pub has_conditions: bool,
    /// Whether its runs wait for events.
    pub awaits_events: bool,
    /// Whether it goes by a clock on the wall: waiting, in a text, or in a condition on days.
    pub asks_zone: bool,
}

impl FlowVersion {
    /// Reads the definition.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it is none that would be published.
    pub fn compile(&self) -> Result<CompiledFlow, StoreError> {
        let Reading { definition, found, .. } = Reading::of(&self.definition);
        let corrupt = || StoreError::Corrupt(format!("version {} of {}", self.number, self.flow));
        let definition = definition.ok_or_else(corrupt)?;
        let text = self.definition.to_string();
        let has = |is: fn(NodeType) -> bool| definition.nodes.values().any(|node| is(node.action.node_type()));
        Ok(CompiledFlow {
            bytes: text.len(),
            // Templates and conditions call them so, too.
            names_bot_fields: text.contains("bot_field"),
            has_conditions: has(|kind| kind.asks_conditions),
            awaits_events: has(|kind| kind.awaits_events),
            asks_zone: has(|kind| kind.asks_zone) || Template::asks_zone(&text) || text.contains("within_last"),
            tags: self.tags.clone(),
            flows: found.named(Mentioned::Flow).filter_map(|word| word.parse().ok()).collect(),
            sequences: found.named(Mentioned::Sequence).filter_map(|word| word.parse().ok()).collect(),
            definition,
        })
    }
}

//! The events that are visible under `event` in texts and conditions of a draft.

use std::collections::BTreeMap;

use crate::events::{EventKind, EventValue};
use crate::flows::AwaitedKind;
use crate::flows::definition::{Action, Definition, Trigger};

/// The visible events by position in a draft.
#[derive(Debug, Default)]
pub(super) struct VisibleEvents {
    /// For filters of triggers and waits, by the pointer of the filter.
    of_filters: BTreeMap<String, Visible>,
    /// For all other positions: the events that start the flow.
    of_nodes: Visible,
}

/// Alternative events: one of them is visible, if any.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Visible {
    events: Vec<AwaitedKind>,
}

impl VisibleEvents {
    pub(super) fn of(definition: &Definition) -> Self {
        let triggers = definition.triggers.iter().enumerate();
        let of_triggers = triggers.filter_map(|(index, trigger)| {
            let event = match trigger {
                Trigger::Event { kind, .. } => AwaitedKind::Event(*kind),
                Trigger::CustomEvent { name, .. } => AwaitedKind::Custom(name.clone()),
                Trigger::Keyword { .. } | Trigger::Referral { .. } | Trigger::Schedule { .. } => return None,
            };
            Some((format!("/triggers/{index}/filter"), Visible { events: vec![event] }))
        });
        let of_waits = definition.nodes.values().filter_map(|node| {
            let Action::WaitForEvent(wait) = &node.action else { return None };
            Some((format!("/nodes/{}/filter", node.index), Visible { events: vec![wait.awaited.clone()] }))
        });
        let mut of_filters: BTreeMap<String, Visible> = of_triggers.collect();
        let events = of_filters.values().flat_map(|visible| visible.events.clone()).collect();
        of_filters.extend(of_waits);
        Self { of_filters, of_nodes: Visible { events } }
    }

    pub(super) fn at(&self, pointer: &str) -> &Visible {
        self.of_filters.get(pointer).unwrap_or(&self.of_nodes)
    }
}

impl Visible {
    /// Whether the possible events are known.
    pub(super) fn is_known(&self) -> bool {
        !self.events.is_empty()
    }

    /// Returns the type of value at a path for each possible event; `None` if an event never has this path.
    pub(super) fn values_at<'s>(&'s self, path: &'s [&str]) -> impl Iterator<Item = Option<EventValue>> + 's {
        self.events.iter().map(move |event| match event {
            AwaitedKind::Event(kind) => kind.value_at(path),
            AwaitedKind::Custom(_) => in_custom_event(path),
        })
    }

    /// Whether each possible event has at most one value at a path.
    pub(super) fn is_single(&self, path: &[String]) -> bool {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.is_known() && self.values_at(&path).all(|value| value.is_none_or(EventValue::is_single))
    }

    /// Returns the events for messages.
    pub(super) fn words(&self) -> String {
        let word = |event: &AwaitedKind| match event {
            AwaitedKind::Event(kind) => kind.as_str().to_owned(),
            AwaitedKind::Custom(name) => name.to_string(),
        };
        self.events.iter().map(word).collect::<Vec<_>>().join(" or ")
    }

    /// Returns the paths of the events, for suggestions.
    pub(super) fn paths(&self) -> Vec<String> {
        let of = |event: &AwaitedKind| match event {
            AwaitedKind::Event(kind) => EventKind::paths(*kind),
            AwaitedKind::Custom(_) => CUSTOM.map(|(name, _)| name.to_owned()).to_vec(),
        };
        let paths = self.events.iter().flat_map(of);
        paths.map(|path| format!("event.{path}")).collect()
    }
}

/// The fields of a custom event.
const CUSTOM: [(&str, EventValue); 5] = [
    ("type", EventValue::Text),
    ("id", EventValue::Text),
    ("name", EventValue::Text),
    ("data", EventValue::Object),
    ("timestamp", EventValue::Time),
];

fn in_custom_event(path: &[&str]) -> Option<EventValue> {
    let (first, rest) = path.split_first()?;
    let (_, value) = CUSTOM.iter().find(|(name, _)| name == first)?;
    match (value, rest.is_empty()) {
        (value, true) => Some(*value),
        (EventValue::Object, false) => Some(EventValue::Any),
        (_, false) => None,
    }
}

//! What stands under `event` where a text or a condition of a draft looks at it.

use std::collections::BTreeMap;

use crate::events::{EventKind, EventValue};
use crate::flows::Awaited;
use crate::flows::definition::{Action, Definition, Trigger};

/// The events that may be seen at each place of a draft.
#[derive(Debug, Default)]
pub(super) struct VisibleEvents {
    /// Of triggers and waits, each by the place of its filter.
    of_filters: BTreeMap<String, Visible>,
    /// Of all other places: any that starts the flow.
    of_nodes: Visible,
}

/// The events one of which is seen, if any is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Visible {
    events: Vec<Awaited>,
}

impl VisibleEvents {
    pub(super) fn of(definition: &Definition) -> Self {
        let triggers = definition.triggers.iter().enumerate();
        let of_triggers = triggers.filter_map(|(index, trigger)| {
            let event = match trigger {
                Trigger::Event { kind, .. } => Awaited::Event(*kind),
                Trigger::CustomEvent { name, .. } => Awaited::Custom(name.clone()),
                Trigger::Keyword { .. } | Trigger::Schedule { .. } => return None,
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

    /// What is seen at a place.
    pub(super) fn at(&self, pointer: &str) -> &Visible {
        self.of_filters.get(pointer).unwrap_or(&self.of_nodes)
    }
}

impl Visible {
    /// Whether it is known which events there may be.
    pub(super) fn is_known(&self) -> bool {
        !self.events.is_empty()
    }

    /// What stands at a path, for each event that may be seen; `None` where nothing ever does.
    pub(super) fn values_at<'s>(&'s self, path: &'s [&str]) -> impl Iterator<Item = Option<EventValue>> + 's {
        self.events.iter().map(move |event| match event {
            Awaited::Event(kind) => kind.value_at(path),
            Awaited::Custom(_) => in_custom_event(path),
        })
    }

    /// Whether at most one value stands at a path, whichever event is seen.
    pub(super) fn is_single(&self, path: &[String]) -> bool {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.is_known() && self.values_at(&path).all(|value| value.is_none_or(EventValue::is_single))
    }

    /// What people call the events.
    pub(super) fn words(&self) -> String {
        let word = |event: &Awaited| match event {
            Awaited::Event(kind) => kind.as_str().to_owned(),
            Awaited::Custom(name) => name.to_string(),
        };
        self.events.iter().map(word).collect::<Vec<_>>().join(" or ")
    }

    /// Paths that may have been meant.
    pub(super) fn paths(&self) -> Vec<String> {
        let of = |event: &Awaited| match event {
            Awaited::Event(kind) => EventKind::paths(*kind),
            Awaited::Custom(_) => CUSTOM.map(|(name, _)| name.to_owned()).to_vec(),
        };
        let paths = self.events.iter().flat_map(of);
        paths.map(|path| format!("event.{path}")).collect()
    }
}

/// What a custom event has.
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

//! The events that runs wait for.

use std::fmt;

use crate::custom_events::CustomEventName;
use crate::events::EventKind;

/// An event that runs wait for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AwaitedKind {
    /// An event of the service about the contact.
    Event(EventKind),
    /// A custom event that a client reports for the contact.
    Custom(CustomEventName),
}

impl AwaitedKind {
    /// Stored prefix of custom event names; the service's own event kinds contain no colon.
    const CUSTOM: &'static str = "custom_event:";

    /// Parses the stored form.
    pub fn parse(word: &str) -> Option<Self> {
        match word.strip_prefix(Self::CUSTOM) {
            Some(name) => Some(Self::Custom(CustomEventName::from_store(name.to_owned()))),
            None => EventKind::parse(word).map(Self::Event),
        }
    }
}

impl fmt::Display for AwaitedKind {
    /// Writes the stored form.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(kind) => out.write_str(kind.as_str()),
            Self::Custom(name) => write!(out, "{}{name}", Self::CUSTOM),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_each_awaited_event_it_writes() {
        let custom = AwaitedKind::Custom("order.paid".parse().expect("a name"));
        for awaited in [custom, AwaitedKind::Event(EventKind::ContactTagAdded)] {
            assert_eq!(AwaitedKind::parse(&awaited.to_string()), Some(awaited));
        }
        assert_eq!(AwaitedKind::parse("order.paid"), None, "a custom event requires its prefix");
    }
}

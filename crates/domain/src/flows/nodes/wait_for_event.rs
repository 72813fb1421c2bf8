//! `wait_for_event`: waits for the contact's next event of a kind, or the next custom event with a name.

use std::time::Duration;

use serde_json::Value;

use super::kind::{FieldContent, Kind, NodeField};
use super::parts::Target;
use crate::flows::AwaitedKind;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Input, Interpreter, NodeOutcome};
use crate::flows::run::{AwaitedEvent, Wait, WaitKind};
use crate::step_outcome::StepOutcome;

/// A wait for an event.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitForEvent {
    /// The event.
    pub awaited: AwaitedKind,
    /// A condition that the event must match, as in the definition.
    pub filter: Option<Value>,
    /// Maximum duration of the wait.
    pub timeout: Duration,
    /// The variable for the event's data.
    pub save_to: Option<Target>,
}

impl Kind for WaitForEvent {
    const WORD: &'static str = "wait_for_event";
    const ABOUT: &'static str = "Waits for the contact's next event.";
    const FIELDS: &'static [NodeField] = &[
        NodeField::may(
            "event",
            "The type of the event, such as `contact.tag_added`. Set either this or `custom_event`.",
        ),
        NodeField::may("custom_event", "The name of a custom event, such as `order.paid`."),
        NodeField::may("filter", "A condition that the event must match. It can use the event as `event`.")
            .of(FieldContent::Condition),
        NodeField::must("timeout", "The maximum wait, an ISO 8601 duration.").of(FieldContent::Duration),
        NodeField::may("save_to", "The target of the event's data: `vars.KEY`."),
        NodeField::NEXT,
        NodeField::must_exit("on_timeout", "The next node if no such event arrives in time."),
    ];
    const WAITS: bool = true;
    const ASKS_CONDITIONS: bool = true;
    const AWAITS_EVENTS: bool = true;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let awaited = match (fields.get("event").is_some(), fields.get("custom_event").is_some()) {
            (true, true) => {
                fields.wrong("custom_event", "not_allowed", "use either `event` or `custom_event`, not both");
                None
            }
            (true, false) => fields.event_kind("event").map(AwaitedKind::Event),
            (false, true) => fields.custom_event("custom_event").map(AwaitedKind::Custom),
            (false, false) => {
                fields.wrong("event", "required", "`event` or `custom_event` is required");
                None
            }
        };
        let filter = fields.condition("filter");
        let timeout = fields.duration("timeout");
        let save_to = if fields.get("save_to").is_some() { Target::variable(fields, "save_to") } else { None };
        Some(Self { awaited: awaited?, filter, timeout: timeout?, save_to })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        let until = interpreter.environment.now.plus(self.timeout);
        let event = AwaitedEvent { awaited: self.awaited.clone(), passed: None, came: None };
        NodeOutcome::wait(at, Wait::for_event(event, until), StepOutcome::WaitsUntil.with(until))
    }

    fn resume(
        &self,
        interpreter: &mut Interpreter<'_>,
        at: &str,
        wait: &Wait,
        _input: Input<'_>,
    ) -> Option<NodeOutcome> {
        let event = wait.event.as_deref().filter(|_| wait.kind == WaitKind::Event)?;
        if let Some(came) = &event.came {
            interpreter.enter(at, Self::WORD, true);
            let Some(target) = &self.save_to else { return Some(NodeOutcome::next(StepOutcome::EventReceived.text())) };
            let data = match &event.awaited {
                AwaitedKind::Custom(_) => came.get("data").unwrap_or(came),
                AwaitedKind::Event(_) => came,
            };
            return Some(match target.write(interpreter, Some(data.clone())) {
                Ok(()) => NodeOutcome::next(StepOutcome::EventSaved.with(target)),
                Err(why) => NodeOutcome::failed("not_saved", why.to_string(), at),
            });
        }
        if wait.until.is_none_or(|until| interpreter.environment.now < until) {
            return Some(NodeOutcome::wait(at, wait.clone(), ""));
        }
        interpreter.enter(at, Self::WORD, true);
        Some(NodeOutcome::leave("on_timeout", StepOutcome::EventTimedOut.text()))
    }
}

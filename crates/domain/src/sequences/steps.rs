//! The steps of a sequence, read from what the client wrote.

use serde_json::{Map, Value};

use crate::conversations::Content;
use crate::error::Violation;
use crate::flows::Template;
use crate::ids::FlowId;
use crate::text::nearest;
use crate::time::IsoDuration;
use crate::windows::{Window, Zone};

/// The most steps of a sequence.
pub const MAX_STEPS: usize = 100;
/// How many violations are told at once.
const MOST_VIOLATIONS: usize = 100;

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its id, unique in the sequence; 1 to 64 characters.
    pub id: String,
    /// How long after the step before it, or after the enrolment.
    pub delay: IsoDuration,
    /// When it may happen: it moves forward to the next instant that the window allows.
    pub window: Option<Window>,
    /// What happens.
    pub action: StepAction,
    /// Whose clock the window goes by; `None` where it is the sequence's.
    pub(super) zone: Option<Zone>,
    /// The step as the client wrote it.
    written: Value,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub enum StepAction {
    /// Sends a message.
    SendMessage {
        /// Its texts are templates, rendered when the step is taken.
        content: Content,
    },
    /// Starts a flow.
    StartFlow {
        /// Which one.
        flow: FlowId,
    },
}

impl StepAction {
    /// The types that an action may have.
    pub const TYPES: [&str; 2] = ["send_message", "start_flow"];

    /// Its type.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SendMessage { .. } => "send_message",
            Self::StartFlow { .. } => "start_flow",
        }
    }
}

impl Step {
    /// The step as the client wrote it.
    pub fn written(&self) -> &Value {
        &self.written
    }
}

/// Reads the steps of a sequence; pointers are relative to the list.
///
/// # Errors
/// Everything that is wrong with them.
pub fn parse_steps(value: &Value) -> Result<Vec<Step>, Vec<Violation>> {
    read_steps(value, Reader { checks_templates: true, ..Reader::default() })
}

/// Reads steps that were found right when they were stored. A template that is refused by now is left in
/// them: whoever comes to it leaves the sequence with `template_error`.
///
/// # Errors
/// Everything else that is wrong with them.
pub fn stored_steps(value: &Value) -> Result<Vec<Step>, Vec<Violation>> {
    read_steps(value, Reader::default())
}

fn read_steps(value: &Value, mut reader: Reader) -> Result<Vec<Step>, Vec<Violation>> {
    let Some(list) = value.as_array() else {
        return Err(vec![Violation::new("", "wrong_type", "expected a list of steps")]);
    };
    if list.len() > MAX_STEPS {
        return Err(vec![Violation::new("", "too_many", format!("at most {MAX_STEPS} steps"))]);
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let at = format!("/{index}");
        if let Some(id) = value.get("id").and_then(Value::as_str) {
            if ids.contains(&id) {
                reader.wrong(format!("{at}/id"), "duplicate_id", format!("another step has the id {id}"));
            }
            ids.push(id);
        }
        steps.extend(reader.step(value, &at));
    }
    if reader.violations.is_empty() {
        return Ok(steps);
    }
    reader.violations.truncate(MOST_VIOLATIONS);
    Err(reader.violations)
}

/// Gathers what is wrong while values are read.
#[derive(Default)]
struct Reader {
    violations: Vec<Violation>,
    checks_templates: bool,
}

impl Reader {
    fn wrong(&mut self, pointer: impl Into<String>, code: &'static str, message: impl Into<String>) {
        self.violations.push(Violation::new(pointer, code, message));
    }

    fn object<'a>(&mut self, value: &'a Value, at: &str, fields: &[&str]) -> Option<&'a Map<String, Value>> {
        let Some(object) = value.as_object() else {
            self.wrong(at, "wrong_type", format!("expected an object with {}", fields.join(", ")));
            return None;
        };
        for name in object.keys().filter(|name| !fields.contains(&name.as_str())) {
            let near = nearest(name, fields.iter().copied());
            let known = if near.is_empty() { fields.join(", ") } else { near.join(", ") };
            let pointer = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            self.wrong(pointer, "unknown_field", format!("is not known here; did you mean: {known}"));
        }
        Some(object)
    }

    fn text<'a>(&mut self, object: &'a Map<String, Value>, name: &str, at: &str) -> Option<&'a str> {
        match object.get(name) {
            Some(Value::String(text)) if !text.trim().is_empty() => return Some(text),
            Some(Value::String(_)) => self.wrong(format!("{at}/{name}"), "blank", "must not be blank"),
            Some(_) => self.wrong(format!("{at}/{name}"), "wrong_type", "expected a string"),
            None => self.wrong(format!("{at}/{name}"), "required", "is required"),
        }
        None
    }

    fn step(&mut self, value: &Value, at: &str) -> Option<Step> {
        let object = self.object(value, at, &["id", "delay", "window", "action"])?;
        let id = self.text(object, "id", at);
        if id.is_some_and(|id| id.chars().count() > 64) {
            self.wrong(format!("{at}/id"), "too_long", "at most 64 characters");
        }
        let delay = self.text(object, "delay", at).and_then(|text| match text.parse::<IsoDuration>() {
            Ok(delay) => Some(delay),
            Err(error) => {
                self.wrong(format!("{at}/delay"), "invalid_format", error.to_string());
                None
            }
        });
        let (window, zone) = self.window(object.get("window").filter(|window| !window.is_null()), at);
        let action = match object.get("action") {
            Some(action) => self.action(action, &format!("{at}/action")),
            None => {
                self.wrong(format!("{at}/action"), "required", "is required");
                None
            }
        };
        Some(Step { id: id?.to_owned(), delay: delay?, window, action: action?, zone, written: value.clone() })
    }

    /// A window, and the zone that it names itself.
    fn window(&mut self, value: Option<&Value>, at: &str) -> (Option<Window>, Option<Zone>) {
        let Some(value) = value else { return (None, None) };
        match Window::parse(value) {
            Ok(window) => {
                let zone = value.get("time_zone").map(|_| window.zone());
                (Some(window), zone)
            }
            Err(violations) => {
                let parent = format!("{at}/window");
                self.violations.extend(violations.into_iter().map(|violation| violation.under(&parent)));
                (None, None)
            }
        }
    }

    fn action(&mut self, value: &Value, at: &str) -> Option<StepAction> {
        let fields: &[&str] = match value.get("type").and_then(Value::as_str) {
            Some("send_message") => &["type", "message"],
            Some("start_flow") => &["type", "flow_id"],
            _ => &["type", "message", "flow_id"],
        };
        let object = self.object(value, at, fields)?;
        match self.text(object, "type", at)? {
            "send_message" => self.message(object.get("message"), &format!("{at}/message")),
            "start_flow" => {
                let flow = self.text(object, "flow_id", at)?;
                match flow.parse::<FlowId>() {
                    Ok(flow) => Some(StepAction::StartFlow { flow }),
                    Err(error) => {
                        self.wrong(format!("{at}/flow_id"), "invalid_id", error.to_string());
                        None
                    }
                }
            }
            other => {
                let near = nearest(other, StepAction::TYPES);
                let known = if near.is_empty() { StepAction::TYPES.join(", ") } else { near.join(", ") };
                self.wrong(
                    format!("{at}/type"),
                    "invalid_value",
                    format!("is no type of action; did you mean: {known}"),
                );
                None
            }
        }
    }

    fn message(&mut self, value: Option<&Value>, at: &str) -> Option<StepAction> {
        let Some(value) = value else {
            self.wrong(at, "required", "is required");
            return None;
        };
        let content = match Content::parse(value) {
            Ok(content) => content,
            Err(violations) => {
                self.violations.extend(violations.into_iter().map(|violation| violation.under(at)));
                return None;
            }
        };
        let before = self.violations.len();
        for (place, text) in content.texts().filter(|_| self.checks_templates) {
            if let Err(error) = Template::parse(text) {
                self.violations.push(Violation::new(format!("{at}{place}"), "template_error", error.to_string()));
            }
        }
        (self.violations.len() == before).then_some(StepAction::SendMessage { content })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn wrong(steps: Value) -> Vec<(String, &'static str)> {
        parse_steps(&steps).err().unwrap_or_default().into_iter().map(|it| (it.pointer, it.code)).collect()
    }

    fn send(text: &str) -> Value {
        json!({"type": "send_message", "message": {"type": "text", "text": text}})
    }

    #[test]
    fn right_steps_are_read_and_kept_as_they_were_written() {
        let written = json!([
            {"id": "a", "delay": "PT0S", "action": send("Hi {{ contact.first_name }}")},
            {"id": "b", "delay": "P1D", "window": {"days": ["mon"], "from": "09:00"}, "action": send("Again")},
            {"id": "c", "delay": "P1D", "window": {"time_zone": "Asia/Tokyo"},
             "action": {"type": "start_flow", "flow_id": "flow_01h455vb4pex5vsknk084sn02q"}},
            {"id": "d", "delay": "PT1H", "window": null, "action": send("Bye")},
        ]);
        let steps = parse_steps(&written).expect("right steps");
        assert_eq!(steps.iter().map(|step| step.written().clone()).collect::<Vec<_>>(), *written.as_array().unwrap());
        assert_eq!(steps.iter().map(|step| step.action.kind()).collect::<Vec<_>>()[2], "start_flow");
        assert_eq!((steps[1].zone, steps[2].zone), (None, Some(Zone::Iana(chrono_tz::Tz::Asia__Tokyo))));
        assert!(steps[0].window.is_none() && steps[3].window.is_none());
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once_and_where() {
        let found = wrong(json!([
            {"id": "a", "delay": "1 day", "action": send("{{ x")},
            {"id": "a", "delay": "P1D", "window": {"days": ["someday"], "time_zone": "Mars"}, "action": send("Hi")},
            {"delay": 1, "action": {"type": "send_mesage"}, "dely": "P1D"},
            7,
            {"id": "e", "delay": "P1D", "action": {"type": "start_flow", "flow_id": "tag_1"}},
            {"id": "x".repeat(65), "delay": "P1D", "action": {"type": "send_message", "message": {"type": "picture", "text": ""}}},
            {"id": " ", "delay": "P1D"},
        ]));
        let expected = [
            ("/0/delay", "invalid_format"),
            ("/0/action/message/text", "template_error"),
            ("/1/id", "duplicate_id"),
            ("/1/window/days/0", "invalid_value"),
            ("/1/window/time_zone", "invalid_value"),
            ("/2/dely", "unknown_field"),
            ("/2/id", "required"),
            ("/2/delay", "wrong_type"),
            ("/2/action/type", "invalid_value"),
            ("/3", "wrong_type"),
            ("/4/action/flow_id", "invalid_id"),
            ("/5/id", "too_long"),
            ("/5/action/message/type", "invalid_value"),
            ("/6/id", "blank"),
            ("/6/action", "required"),
        ];
        assert_eq!(found, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn a_stored_text_that_is_refused_by_now_is_still_read() {
        let written = json!([{"id": "a", "delay": "P1D", "action": send("{{ 'x'|indent(9) }}")}]);
        assert_eq!(wrong(written.clone()), [("/0/action/message/text".to_owned(), "template_error")]);
        assert_eq!(stored_steps(&written).map(|steps| steps.len()), Ok(1));
        assert!(stored_steps(&json!([{"id": "a"}])).is_err());
    }

    #[test]
    fn what_is_no_list_and_what_is_too_long_is_refused() {
        assert_eq!(wrong(json!({})), [(String::new(), "wrong_type")]);
        let step = |id: usize| json!({"id": id.to_string(), "delay": "P1D", "action": send("Hi")});
        assert_eq!(wrong((0..101).map(step).collect()), [(String::new(), "too_many")]);
        assert_eq!(wrong((0..100).map(step).collect()), []);
    }
}

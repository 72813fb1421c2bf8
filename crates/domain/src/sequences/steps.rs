//! Parsing of the steps of a sequence.

use serde_json::Value;

use crate::conversations::Content;
use crate::error::Violation;
use crate::flows::Template;
use crate::ids::FlowId;
use crate::read::{Fields, Input, Members, Report, texts};
use crate::send_window::{SendWindow, Zone};
use crate::text::nearest;
use crate::time::IsoDuration;

/// Maximum number of steps of a sequence.
pub const MAX_STEPS: usize = 100;

/// A step of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// ID of the step, unique in the sequence; 1 to 64 characters.
    pub id: String,
    /// Delay after the previous step, or after the enrollment.
    pub delay: IsoDuration,
    /// The allowed times: the step moves forward to the next one.
    pub window: Option<SendWindow>,
    /// The action.
    pub action: StepAction,
    /// Time zone of the window; `None` for the sequence's.
    pub(super) zone: Option<Zone>,
    /// The step as the client wrote it.
    written: Value,
}

/// The action of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum StepAction {
    /// Sends a message.
    SendMessage {
        /// The content. Its texts are templates that are rendered when the step runs.
        content: Box<Content>,
    },
    /// Starts a flow.
    StartFlow {
        /// The flow.
        flow: FlowId,
    },
}

impl StepAction {
    /// The types of actions.
    pub const TYPES: [&str; 2] = ["send_message", "start_flow"];

    /// The type.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SendMessage { .. } => "send_message",
            Self::StartFlow { .. } => "start_flow",
        }
    }
}

impl Step {
    /// The step as the client wrote it.
    pub fn source_json(&self) -> &Value {
        &self.written
    }
}

/// Parses the steps of a client. Pointers are relative to the list.
///
/// # Errors
/// All violations.
pub fn parse_steps<'a>(written: impl Into<Input<'a>>) -> Result<Vec<Step>, Vec<Violation>> {
    read_steps(written.into(), Checks { templates: true })
}

/// Parses stored steps. Templates that are not accepted anymore stay in them; an enrollment that reaches such a step
/// fails with `template_error`.
///
/// # Errors
/// All other violations.
pub fn stored_steps<'a>(written: impl Into<Input<'a>>) -> Result<Vec<Step>, Vec<Violation>> {
    read_steps(written.into(), Checks { templates: false })
}

/// The checks in addition to the form.
struct Checks {
    templates: bool,
}

type StepFields<'a> = Fields<'a, Checks>;

fn read_steps(written: Input<'_>, mut checks: Checks) -> Result<Vec<Step>, Vec<Violation>> {
    let Input::Array(list) = written else {
        return Err(Violation::at_root("wrong_type", "expected a list of steps").into());
    };
    if list.len() > MAX_STEPS {
        return Err(Violation::at_root("too_many", format!("at most {MAX_STEPS} steps")).into());
    }
    let mut report = Report::default();
    let (mut steps, mut ids) = (Vec::new(), Vec::new());
    for (index, written) in list.iter().enumerate() {
        let at = format!("/{index}");
        if let Some(id) = written.get("id").and_then(Input::as_str) {
            if ids.contains(&id) {
                report.add(format!("{at}/id"), "duplicate_id", format!("another step has the ID {id}"));
            }
            ids.push(id);
        }
        let mut all = Fields::over(Members::default(), &mut report, &mut checks);
        steps.extend(inside(&mut all, &at, written, &["id", "delay", "window", "action"], |it| step(it, written)));
    }
    report.judge(Some(steps))
}

/// Reads the object at `pointer`, which has exactly these fields.
fn inside<T>(
    outer: &mut StepFields<'_>,
    pointer: &str,
    written: Input<'_>,
    known: &[&str],
    read: impl FnOnce(&mut StepFields<'_>) -> Option<T>,
) -> Option<T> {
    let Input::Object(members) = written else {
        outer.error(pointer, "wrong_type", format!("expected an object with {}", known.join(", ")));
        return None;
    };
    outer.within(pointer, members, |fields| {
        fields.only(known);
        read(fields)
    })
}

fn text<'a>(fields: &mut StepFields<'a>, name: &str) -> Option<&'a str> {
    match fields.get(name) {
        Some(Input::String(text)) if !text.trim().is_empty() => return Some(text),
        Some(Input::String(_)) => fields.wrong(name, "blank", "must not be blank"),
        Some(_) => fields.wrong(name, "wrong_type", "expected a string"),
        None => fields.wrong(name, "required", "is required"),
    }
    None
}

/// The value of a field that must be present, even if `null`.
fn present<'a>(fields: &mut StepFields<'a>, name: &str) -> Option<Input<'a>> {
    let written = fields.get(name);
    if written.is_none() {
        fields.wrong(name, "required", "is required");
    }
    written
}

fn step(fields: &mut StepFields<'_>, written: Input<'_>) -> Option<Step> {
    let id = text(fields, "id");
    if id.is_some_and(|id| id.chars().count() > 64) {
        fields.wrong("id", "too_long", "at most 64 characters");
    }
    let delay = text(fields, "delay").and_then(|text| match text.parse::<IsoDuration>() {
        Ok(delay) => Some(delay),
        Err(error) => {
            fields.wrong("delay", "invalid_format", error.to_string());
            None
        }
    });
    let (window, zone) = window(fields);
    let action = present(fields, "action").and_then(|written| action(fields, written));
    Some(Step { id: id?.to_owned(), delay: delay?, window, action: action?, zone, written: written.to_value() })
}

/// Reads a window, with its time zone if it has one.
fn window(fields: &mut StepFields<'_>) -> (Option<SendWindow>, Option<Zone>) {
    let Some(written) = fields.get("window").filter(|window| *window != Input::Null) else { return (None, None) };
    let window = fields.take("window", written, |written: Input<'_>| SendWindow::parse(written));
    let zone = window.as_ref().filter(|_| written.get("time_zone").is_some()).map(SendWindow::zone);
    (window, zone)
}

fn action(fields: &mut StepFields<'_>, written: Input<'_>) -> Option<StepAction> {
    let known: &[&str] = match written.get("type").and_then(Input::as_str) {
        Some("send_message") => &["type", "message"],
        Some("start_flow") => &["type", "flow_id"],
        _ => &["type", "message", "flow_id"],
    };
    inside(fields, "/action", written, known, |fields| match text(fields, "type")? {
        "send_message" => {
            let content = present(fields, "message").and_then(|written| message(fields, written));
            content.map(|content| StepAction::SendMessage { content: Box::new(content) })
        }
        "start_flow" => match text(fields, "flow_id")?.parse::<FlowId>() {
            Ok(flow) => Some(StepAction::StartFlow { flow }),
            Err(error) => {
                fields.wrong("flow_id", "invalid_id", error.to_string());
                None
            }
        },
        other => {
            let near = nearest(other, StepAction::TYPES);
            let offered = texts::offered(&near, &StepAction::TYPES);
            fields.wrong("type", "invalid_value", format!("is not an action type; {offered}"));
            None
        }
    })
}

fn message(fields: &mut StepFields<'_>, written: Input<'_>) -> Option<Content> {
    let content = fields.take("message", written, |written: Input<'_>| Content::parse(written))?;
    if fields.context.templates {
        for (place, text) in content.texts() {
            if let Err(error) = Template::parse(text) {
                fields.error(&format!("/message{place}"), "template_error", error.to_string());
            }
        }
    }
    Some(content)
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
    fn reads_valid_steps_and_keeps_their_original_form() {
        let written = json!([
            {"id": "a", "delay": "PT0S", "action": send("Hi {{ contact.first_name }}")},
            {"id": "b", "delay": "P1D", "window": {"days": ["mon"], "from": "09:00"}, "action": send("Again")},
            {"id": "c", "delay": "P1D", "window": {"time_zone": "Asia/Tokyo"},
             "action": {"type": "start_flow", "flow_id": "flow_01h455vb4pex5vsknk084sn02q"}},
            {"id": "d", "delay": "PT1H", "window": null, "action": send("Bye")},
        ]);
        let steps = parse_steps(&written).expect("valid steps");
        assert_eq!(
            steps.iter().map(|step| step.source_json().clone()).collect::<Vec<_>>(),
            *written.as_array().unwrap()
        );
        assert_eq!(steps.iter().map(|step| step.action.kind()).collect::<Vec<_>>()[2], "start_flow");
        assert_eq!((steps[1].zone, steps[2].zone), (None, Some(Zone::Iana(chrono_tz::Tz::Asia__Tokyo))));
        assert!(steps[0].window.is_none() && steps[3].window.is_none());
    }

    #[test]
    fn reports_all_violations_with_their_pointers() {
        let found = wrong(json!([
            {"id": "a", "delay": "1 day", "action": send("{{ x")},
            {"id": "a", "delay": "P1D", "window": {"days": ["someday"], "time_zone": "Mars"}, "action": send("Hi")},
            {"delay": 1, "action": {"type": "send_mesage"}, "dely": "P1D"},
            7,
            {"id": "e", "delay": "P1D", "action": {"type": "start_flow", "flow_id": "tag_1"}},
            {"id": "x".repeat(65), "delay": "P1D", "action": {"type": "send_message", "message": {"type": "picture", "text": ""}}},
            {"id": " ", "delay": "P1D"},
            {"id": "g", "delay": "P1M", "window": [], "action": send("Hi")},
            {"id": "h", "delay": "P99999D", "window": {"from": "9:00"}, "action": send("Hi")},
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
            ("/5/action/message/text", "blank"),
            ("/6/id", "blank"),
            ("/6/action", "required"),
            ("/7/delay", "invalid_format"),
            ("/7/window", "wrong_type"),
            ("/8/delay", "invalid_format"),
            ("/8/window/from", "invalid_format"),
        ];
        assert_eq!(found, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn reads_stored_texts_that_are_now_rejected() {
        let written = json!([{"id": "a", "delay": "P1D", "action": send("{{ 'x'|indent(9) }}")}]);
        assert_eq!(wrong(written.clone()), [("/0/action/message/text".to_owned(), "template_error")]);
        assert_eq!(stored_steps(&written).map(|steps| steps.len()), Ok(1));
        assert!(stored_steps(&json!([{"id": "a"}])).is_err());
    }

    #[test]
    fn rejects_non_lists_and_more_than_100_steps() {
        assert_eq!(wrong(json!({})), [(String::new(), "wrong_type")]);
        let step = |id: usize| json!({"id": id.to_string(), "delay": "P1D", "action": send("Hi")});
        assert_eq!(wrong((0..101).map(step).collect()), [(String::new(), "too_many")]);
        assert_eq!(wrong((0..100).map(step).collect()), []);
    }
}

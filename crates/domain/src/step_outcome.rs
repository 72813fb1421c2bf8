//! Outcomes of steps: runs and enrollments store them as text, and clients get them with codes.

use std::fmt::Display;

use serde::Serialize;

use crate::read::Params;

/// Separates the parts of an outcome.
pub(crate) const SEPARATOR: &str = "; ";
/// The placeholder of the value in a text.
const VALUE: &str = "{}";

/// A part of an outcome, to translate it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutcomePart {
    /// Code, stable, such as `suppressed` or `waits_until`. Later versions can add codes.
    pub code: &'static str,
    /// The values in this part of `outcome`, such as `reason` or `until`. Left out if there are none.
    #[serde(skip_serializing_if = "Params::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, String>))]
    pub params: Params,
}

/// The text of an outcome, and its code.
struct Row {
    code: &'static str,
    text: &'static str,
    /// The name of the value in the text.
    param: Option<&'static str>,
}

macro_rules! step_outcomes {
    (@param) => { None };
    (@param $param:literal) => { Some($param) };
    ($($name:ident = $code:literal, $text:literal $(, $param:literal)?;)*) => {
        /// The outcome of a step, or a part of it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum StepOutcome { $(#[doc = concat!("`", $text, "`.")] $name),* }

        impl StepOutcome {
            const ALL: &[Self] = &[$(Self::$name),*];

            fn row(self) -> Row {
                match self {
                    $(Self::$name => Row { code: $code, text: $text, param: step_outcomes!(@param $($param)?) }),*
                }
            }
        }
    };
}

// If two texts start in the same way, the longer one must be first. `reason` is an error code, with its message as
// `detail`.
step_outcomes! {
    Queued = "queued", "queued";
    Noted = "noted", "noted";
    Suppressed = "suppressed", "suppressed: {}", "reason";
    Failed = "failed", "failed: {}", "reason";
    Skipped = "skipped", "skipped: {}", "reason";
    Completed = "completed", "completed";
    Continued = "continued", "continued";
    WaitsUntil = "waits_until", "waits until {}", "until";
    NoWaitNeeded = "no_wait_needed", "no wait needed";
    EventSaved = "event_saved", "event received, saved to {}", "name";
    EventReceived = "event_received", "event received";
    EventTimedOut = "event_timed_out", "no such event arrived in time";
    ReplyTimedOut = "reply_timed_out", "no reply arrived in time";
    AskedAgain = "asked_again", "not valid, asked again: {}", "detail";
    NotValid = "not_valid", "not valid: {}", "detail";
    Answered = "answered", "answered";
    AnswerSaved = "answer_saved", "saved to {}", "name";
    Calls = "calls", "calls";
    CallAnswered = "call_answered", "answered {}", "status";
    ValuesSaved = "values_saved", "saved {}", "names";
    ValuesMissing = "values_missing", "no value for {}", "names";
    BranchMatches = "branch_matches", "the condition of branch {} matches", "branch";
    NoBranchMatches = "no_branch_matches", "no condition matches";
    ArmChosen = "arm_chosen", "the run takes arm {}", "arm";
    Added = "added", "added";
    Removed = "removed", "removed";
    AlreadyPresent = "already_present", "already present";
    NotPresent = "not_present", "not present";
    Set = "set", "set";
    NotSet = "not_set", "not set: {}", "detail";
    Increased = "increased", "increased";
    Toggled = "toggled", "toggled";
    Resolved = "resolved", "resolved";
    Assigned = "assigned", "assigned";
    HandedOver = "handed_over", "handed over to agents";
    Unchanged = "unchanged", "unchanged";
    NoConversation = "no_conversation", "no conversation";
    Started = "started", "started";
    RunStarted = "run_started", "started {}", "run_id";
    AlreadyRunning = "already_running", "already running";
    RunAlreadyRunning = "run_already_running", "already running: {}", "run_id";
    RunCalled = "run_called", "called {}", "run_id";
    NotCalled = "not_called", "the flow was not called: {}", "reason";
    CalledRunSaved = "called_run_saved", "the called run completed, saved to {}", "name";
    CalledRunCompleted = "called_run_completed", "the called run completed";
    CalledRunMissing = "called_run_missing", "the called run no longer exists";
    CalledRunInterrupted = "called_run_interrupted", "the called run was interrupted";
    CalledRunExpired = "called_run_expired", "the called run expired";
    CalledRunFailedBy = "called_run_failed_by", "the called run failed: {}", "reason";
    CalledRunFailed = "called_run_failed", "the called run failed";
    Enrolled = "enrolled", "enrolled";
    AlreadyEnrolled = "already_enrolled", "already enrolled";
    NotEnrolled = "not_enrolled", "not enrolled";
    Exited = "exited", "exited";
    Rescheduled = "rescheduled", "rescheduled";
}

impl StepOutcome {
    /// Returns the text of an outcome without a value.
    pub fn text(self) -> &'static str {
        self.row().text
    }

    /// Returns the text of an outcome with its value.
    pub fn with(self, value: impl Display) -> String {
        self.row().text.replacen(VALUE, &value.to_string(), 1)
    }

    /// Returns the parts of a stored text; none if the text has an unknown part, as texts of older versions can.
    pub fn parts(stored: &str) -> Vec<OutcomePart> {
        let mut texts: Vec<String> = Vec::new();
        for text in stored.split(SEPARATOR) {
            match texts.last_mut() {
                // The separator is in the value of the part before it.
                Some(before) if read(text).is_none() => {
                    before.push_str(SEPARATOR);
                    before.push_str(text);
                }
                Some(_) | None => texts.push(text.to_owned()),
            }
        }
        texts.iter().map(|text| read(text)).collect::<Option<_>>().unwrap_or_default()
    }
}

fn read(text: &str) -> Option<OutcomePart> {
    let known = StepOutcome::ALL.iter().find_map(|outcome| {
        let Row { code, text: written, param } = outcome.row();
        let Some(param) = param else { return (text == written).then(|| part(code, &[])) };
        let (before, after) = written.split_once(VALUE)?;
        let value = text.strip_prefix(before)?.strip_suffix(after).filter(|value| !value.is_empty())?;
        Some(match (param, error_of(value)) {
            ("reason", Some((reason, Some(detail)))) => part(code, &[("reason", reason), ("detail", detail)]),
            ("reason", Some((reason, None))) => part(code, &[("reason", reason)]),
            ("reason", None) => part(code, &[("detail", value)]),
            (param, _) => part(code, &[(param, value)]),
        })
    });
    // A failed call: an error code and its message.
    known.or_else(|| match error_of(text)? {
        (reason, Some(detail)) => Some(part(StepOutcome::Failed.row().code, &[("reason", reason), ("detail", detail)])),
        (_, None) => None,
    })
}

fn part(code: &'static str, params: &[(&'static str, &str)]) -> OutcomePart {
    OutcomePart { code, params: params.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() }
}

/// Returns an error code, and the message after it, if there is one.
fn error_of(text: &str) -> Option<(&str, Option<&str>)> {
    let (code, message) = match text.split_once(": ") {
        Some((code, message)) => (code, Some(message)),
        None => (text, None),
    };
    let is_code = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_code.then_some((code, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(stored: &str) -> Vec<(&'static str, Vec<(&'static str, String)>)> {
        let parts = StepOutcome::parts(stored);
        parts.into_iter().map(|part| (part.code, part.params.into_iter().collect())).collect()
    }

    #[test]
    fn reads_each_outcome_as_it_is_written() {
        for outcome in StepOutcome::ALL {
            let Row { code, param, .. } = outcome.row();
            match param {
                None => assert_eq!(parts(outcome.text()), [(code, vec![])]),
                Some(param) => {
                    assert_eq!(parts(&outcome.with("blocked")), [(code, vec![(param, "blocked".to_owned())])])
                }
            }
        }
    }

    #[test]
    fn splits_an_outcome_of_several_parts() {
        let stored = "answered 200; saved vars.a, vars.b; no value for vars.c";
        let codes: Vec<&str> = parts(stored).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["call_answered", "values_saved", "values_missing"]);
        let asked = parts("not valid, asked again: use a, b; or c; queued");
        let [(code, params), (queued, _)] = &asked[..] else { panic!("expected two parts: {asked:?}") };
        assert_eq!((*code, *queued), ("asked_again", "queued"));
        assert_eq!(params[..], [("detail", "use a, b; or c".to_owned())]);
    }

    #[test]
    fn separates_an_error_code_from_its_message() {
        let failed = |reason: &str, detail: &str| vec![("detail", detail.to_owned()), ("reason", reason.to_owned())];
        assert_eq!(parts("call_refused: answered 404"), [("failed", failed("call_refused", "answered 404"))]);
        assert_eq!(
            parts("the called run failed: no_channel: there is none"),
            [("called_run_failed_by", failed("no_channel", "there is none"))]
        );
        assert_eq!(parts("failed: it rains"), [("failed", vec![("detail", "it rains".to_owned())])]);
    }

    #[test]
    fn returns_no_parts_for_an_unknown_text() {
        assert_eq!(parts(""), []);
        assert_eq!(parts("something else"), []);
        assert_eq!(parts("something else; queued"), []);
    }
}
